"""What is to be added: read, and everything that takes time done before a transaction begins."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import zstandard

from likewise.errors import BadInput
from likewise.language import detect
from likewise.library.metadata import Metadata, clean_text, shorten_name
from likewise.library.recipes import Sketching
from likewise.library.sketches import Hashes, Sketch, sketches_of
from likewise.library.tables import tokens_of_tables
from likewise.library.texts import (
    hash_of_bytes,
    hash_of_document,
    hash_of_text,
    pack_document,
    storable,
)
from likewise.model import Document, Unread
from likewise.progress import Progress
from likewise.reading.folder import (
    Content,
    File,
    file_at,
    list_files,
    read_document,
    read_side_by_side,
)
from likewise.reading.read import archive_at
from likewise.reading.request import LANGUAGES, Limits, ReadOptions
from likewise.reading.sandbox import stop_reading_on_error

InputSource = str | Path | Document | Iterable[Document]


@dataclass(frozen=True, slots=True)
class InputItem:
    """Something to be added. No `document` where the library holds these bytes already."""

    name: str
    sha256: bytes
    document: Document | None = field(default=None, repr=False)
    path: str | None = None
    author: str | None = None
    original: bytes | None = field(default=None, repr=False)


def read_inputs(
    source: InputSource,
    is_known: Callable[[bytes], bool],
    *,
    keep_original: bool = False,
    jobs: int | None = None,
    cache: bool = True,
    ocr: tuple[str, ...] = LANGUAGES,
    progress: Progress | None = None,
) -> Iterator[InputItem | Unread]:
    """Everything in a file, a folder, an archive, or some documents, in order, as it is read."""
    if isinstance(source, Document):
        source = [source]
    if not isinstance(source, str | Path):
        for one in source:
            yield _given(one)
        return
    path, how = Path(source), ReadOptions(cache=cache, ocr=ocr)
    above, shorten_name = _listed(path, how.limits)
    yield from (one for one in shorten_name if isinstance(one, Unread))
    files = [one for one in shorten_name if isinstance(one, File)]

    def read(content: Content) -> InputItem:
        return _read(content, how, above, is_known, keep_original)

    with stop_reading_on_error():
        found = read_side_by_side(files, read, how.limits, jobs)
        for done, items in enumerate(found, 1):
            yield from items
            if progress:
                progress("adding files", done, len(files))


def _given(one: object) -> InputItem:
    if not isinstance(one, Document):
        kind = type(one).__name__
        raise BadInput("library.needs_documents", kind=kind)
    if not one.name.strip():
        raise BadInput("library.needs_a_name")
    document = storable(one)
    sha256 = bytes.fromhex(one.sha256) if one.sha256 else hash_of_document(document)
    return InputItem(document.name, sha256, document, author=document.meta.get("author"))


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
) -> InputItem:
    """A file as it is to be added; not read where it is known."""
    name, data = content.name, content.data
    sha256, path = hash_of_bytes(data), (above / name).absolute().as_posix()
    original = data if keep_original else None
    if is_known(sha256):
        return InputItem(name, sha256, path=path, author=content.author, original=original)
    document = storable(read_document(content, how))
    return InputItem(name, sha256, document, path, document.meta.get("author"), original)


@dataclass(frozen=True, slots=True)
class PreparedDocument:
    """A document to be written; without a sketch where its bytes were there already."""

    item: InputItem
    metadata: Metadata
    packed: bytes = b""
    original: bytes | None = None
    text_hash: bytes = b""
    sketch: Sketch | None = None
    tables: tuple[Hashes, ...] = ()

    @property
    def name(self) -> str:
        """What it is called when it is handed in."""
        return self.metadata.name or shorten_name(self.item.name)

    @property
    def path(self) -> str | None:
        return clean_text(self.item.path) if self.item.path is not None else None


def prepare_documents(
    items: Sequence[InputItem], using: Sketching, metadata_of: Callable[[InputItem], Metadata]
) -> list[PreparedDocument]:
    """Items with their sketches made and their texts packed."""
    new = [item for item in items if item.document is not None]
    texts = [item.document.compared_text for item in new if item.document]
    sketches = dict(zip(map(id, new), sketches_of(texts, using), strict=True))
    ready: list[PreparedDocument] = []
    for item in items:
        document = item.document
        metadata = metadata_of(item)
        original = None
        if item.original is not None:
            original = zstandard.ZstdCompressor().compress(item.original)
        if document is None:
            ready.append(PreparedDocument(item, metadata, original=original))
            continue
        if metadata.language is None:
            known = document.language or detect(document.compared_text)
            metadata = metadata.or_else(Metadata(language=known))
        ready.append(
            PreparedDocument(
                item,
                metadata,
                pack_document(document),
                original,
                hash_of_text(document),
                sketches[id(item)],
                tokens_of_tables(document, using),
            )
        )
    return ready
