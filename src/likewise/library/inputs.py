"""What is to be added: read, and everything that takes time done before a transaction begins."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import zstandard

from likewise.errors import BadInput
from likewise.language import detect
from likewise.language.concept_blocks import ConceptBlocks, concept_blocks
from likewise.library.entries import (
    hash_of_bytes,
    hash_of_document,
    hash_of_text,
    pack_document,
    storable,
)
from likewise.library.metadata import Metadata, clean_text, shorten_name
from likewise.library.originals import ObjectAddress
from likewise.library.recipes import Sketching
from likewise.library.sketches import Hashes, Sketch, sketches_of
from likewise.library.tables import tokens_of_tables
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
        for item in source:
            yield _document_item(item)
        return
    path, options = Path(source), ReadOptions(cache=cache, ocr=ocr)
    above, listing = _list_inputs(path, options.limits)
    yield from (item for item in listing if isinstance(item, Unread))
    files = [item for item in listing if isinstance(item, File)]

    def read(content: Content) -> InputItem:
        return _read(content, options, above, is_known, keep_original)

    with stop_reading_on_error():
        batches = read_side_by_side(files, read, options.limits, jobs)
        for done, items in enumerate(batches, 1):
            yield from items
            if progress:
                progress("adding files", done, len(files))


def _document_item(document: object) -> InputItem:
    if not isinstance(document, Document):
        kind = type(document).__name__
        raise BadInput("library.needs_documents", kind=kind)
    if not document.name.strip():
        raise BadInput("library.needs_a_name")
    document = storable(document)
    sha256 = bytes.fromhex(document.sha256) if document.sha256 else hash_of_document(document)
    return InputItem(document.name, sha256, document, author=document.meta.get("author"))


def _list_inputs(path: Path, limits: Limits) -> tuple[Path, list[File | Unread]]:
    """Below which folder the files are, and the files."""
    if not path.exists():
        raise BadInput("library.no_file_or_folder", about=path)
    if path.is_file() and archive_at(path, limits) is None:
        return path.parent, [file_at(path, limits, path.name)]
    return path, list(list_files(path, limits))


def _read(
    content: Content,
    options: ReadOptions,
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
    document = storable(read_document(content, options))
    return InputItem(name, sha256, document, path, document.meta.get("author"), original)


@dataclass(frozen=True, slots=True)
class PreparedDocument:
    """A document to be written; without a sketch where its bytes were there already."""

    item: InputItem
    metadata: Metadata
    packed: bytes = b""
    original: bytes | None = None
    address: ObjectAddress | None = None  # of the original, if it is not in the database
    text_hash: bytes = b""
    sketch: Sketch | None = None
    tables: tuple[Hashes, ...] = ()
    blocks: ConceptBlocks | None = None

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
    blocks = dict(zip(map(id, new), concept_blocks(texts), strict=True))
    prepared: list[PreparedDocument] = []
    for item in items:
        document = item.document
        metadata = metadata_of(item)
        original = None
        if item.original is not None:
            original = zstandard.ZstdCompressor().compress(item.original)
        if document is None:
            prepared.append(PreparedDocument(item, metadata, original=original))
            continue
        if metadata.language is None:
            language = document.language or detect(document.compared_text)
            metadata = metadata.or_else(Metadata(language=language))
        prepared.append(
            PreparedDocument(
                item,
                metadata,
                pack_document(document),
                original,
                text_hash=hash_of_text(document),
                sketch=sketches[id(item)],
                tables=tokens_of_tables(document, using),
                blocks=blocks[id(item)],
            )
        )
    return prepared
