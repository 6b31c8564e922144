"""What is to be added: files read side by side, and those that are there already not read again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from likewise.errors import BadInput, ReadingError
from likewise.library.texts import hash_of_bytes, hash_of_document, storable
from likewise.machine import cores, in_order
from likewise.model import Document, Unread
from likewise.progress import Progress
from likewise.reading.archive import open_archive
from likewise.reading.folder import (
    DEEPEST_ARCHIVE,
    File,
    by_author,
    files_of,
    members_of,
)
from likewise.reading.read import How, archive_at, file_bytes, read_as_asked
from likewise.reading.request import LANGUAGES
from likewise.reading.sandbox import stop_reading

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
    how = How(cache=cache, ocr=ocr)
    above, files, unread = _listed(Path(source), how)
    yield from unread

    def read(file: File) -> list[Incoming | Unread]:
        return _read(file, how, above, is_known, keep_original)

    try:
        for done, found in enumerate(in_order(read, files, jobs or cores()), 1):
            yield from found
            if progress:
                progress("adding files", done, len(files))
    except BaseException:
        stop_reading()
        raise


def _given(one: object) -> Incoming:
    if not isinstance(one, Document):
        kind = type(one).__name__
        raise BadInput(f"a file, a folder or documents are needed, not {kind}")
    if not one.name.strip():
        raise BadInput("a document needs a name")
    document = storable(one)
    sha256 = bytes.fromhex(one.sha256) if one.sha256 else hash_of_document(document)
    return Incoming(document.name, sha256, document, author=document.meta.get("author"))


def _listed(path: Path, how: How) -> tuple[Path, list[File], list[Unread]]:
    """The files to be read, below which folder, and what could not be opened."""
    if not path.exists():
        raise BadInput(f"{path}: there is no such file or folder")
    unread: list[Unread] = []
    if path.is_file() and archive_at(path, how.limits) is None:
        return path.parent, [File(path.name, lambda: file_bytes(path, how.limits))], []
    files = list(files_of(path, how, unread))
    return path, files, unread


def _read(
    file: File,
    how: How,
    above: Path,
    is_known: Callable[[bytes], bool],
    keep_original: bool,
    depth: int = 0,
) -> list[Incoming | Unread]:
    """What a file gives: something to add, a reason why not, or all that is in an archive."""
    try:
        data = file.load()
        if archive := open_archive(data, file.name, how.limits):
            if depth == DEEPEST_ARCHIVE:
                raise ReadingError("an archive within archives, deeper than is looked into")
            inner = members_of(archive, f"{file.name}/")
            return [
                one
                for each in inner
                for one in _read(each, how, above, is_known, keep_original, depth + 1)
            ]
        sha256, path = hash_of_bytes(data), (above / file.name).absolute().as_posix()
        original = data if keep_original else None
        if is_known(sha256):
            return [Incoming(file.name, sha256, path=path, author=file.author, original=original)]
        document = storable(by_author(read_as_asked(data, file.name, how), file.author))
    except ReadingError as problem:
        return [Unread(file.name, problem.message)]
    author = document.meta.get("author")
    return [Incoming(file.name, sha256, document, path, author, original)]
