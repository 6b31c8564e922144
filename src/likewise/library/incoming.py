"""What is to be added: files read side by side, and those that are there already not read again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from likewise.errors import BadInput
from likewise.library.texts import hash_of_bytes, hash_of_document, storable
from likewise.model import Document, Unread
from likewise.progress import Progress
from likewise.reading.folder import read_document, read_side_by_side
from likewise.reading.read import archive_at
from likewise.reading.request import LANGUAGES, Limits, ReadOptions
from likewise.reading.sandbox import stop_reading_on_error
from likewise.reading.walk import Content, File, file_at, list_files

Source = str | Path | Document | Iterable[Document]


@dataclass(frozen=True, slots=True)
class Incoming:
    """Something to be added. No `document` where the library holds these bytes already."""

    name: str
    sha256: bytes
    document: Document | None = field(default=None, repr=False)
    path: str | None = None
    author: str | None = None
    original: bytes | None = field(default=None, repr=False)


def incoming(
    source: Source,
    is_known: Callable[[bytes], bool],
    *,
    keep_original: bool = False,
    jobs: int | None = None,
    cache: bool = True,
    ocr: tuple[str, ...] = LANGUAGES,
    progress: Progress | None = None,
) -> Iterator[Incoming | Unread]:
    """Everything in a file, a folder, an archive, or some documents, in order, as it is read."""
    if isinstance(source, Document):
        source = [source]
    if not isinstance(source, str | Path):
        for one in source:
            yield _given(one)
        return
    path, how = Path(source), ReadOptions(cache=cache, ocr=ocr)
    above, listed = _listed(path, how.limits)
    yield from (one for one in listed if isinstance(one, Unread))
    files = [one for one in listed if isinstance(one, File)]

    def read(content: Content) -> Incoming:
        return _read(content, how, above, is_known, keep_original)

    with stop_reading_on_error():
        found = read_side_by_side(files, read, how.limits, jobs)
        for done, items in enumerate(found, 1):
            yield from items
            if progress:
                progress("adding files", done, len(files))


def _given(one: object) -> Incoming:
    if not isinstance(one, Document):
        kind = type(one).__name__
        raise BadInput("library.needs_documents", kind=kind)
    if not one.name.strip():
        raise BadInput("library.needs_a_name")
    document = storable(one)
    sha256 = bytes.fromhex(one.sha256) if one.sha256 else hash_of_document(document)
    return Incoming(document.name, sha256, document, author=document.meta.get("author"))


def _listed(path: Path, limits: Limits) -> tuple[Path, list[File | Unread]]:
    """Below which folder the files are, and the files."""
    if not path.exists():
        raise BadInput("library.no_file_or_folder", about=path)
    if path.is_file() and archive_at(path, limits) is None:
        return path.parent, [file_at(path, limits, path.name)]
    return path, list(list_files(path, limits))


def _read(
    content: Content,
    how: ReadOptions,
    above: Path,
    is_known: Callable[[bytes], bool],
    keep_original: bool,
) -> Incoming:
    """A file as it is to be added; not read where it is known."""
    name, data = content.name, content.data
    sha256, path = hash_of_bytes(data), (above / name).absolute().as_posix()
    original = data if keep_original else None
    if is_known(sha256):
        return Incoming(name, sha256, path=path, author=content.author, original=original)
    document = storable(read_document(content, how))
    return Incoming(name, sha256, document, path, document.meta.get("author"), original)
