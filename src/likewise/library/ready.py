"""Everything about a document that takes time, done before a transaction begins."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import zstandard

from likewise.language import detect
from likewise.library.incoming import Incoming
from likewise.library.metadata import Metadata, cleaned, listed
from likewise.library.recipes import Sketching
from likewise.library.sketches import Hashes, Sketch, sketches_of
from likewise.library.tables import tokens_of_tables
from likewise.library.texts import hash_of_text, pack_document


@dataclass(frozen=True, slots=True)
class Ready:
    """A document to be written; without a sketch where its bytes were there already."""

    item: Incoming
    metadata: Metadata
    packed: bytes = b""
    original: bytes | None = None
    text_hash: bytes = b""
    sketch: Sketch | None = None
    tables: tuple[Hashes, ...] = ()

    @property
    def name(self) -> str:
        """What it is called when it is handed in."""
        return self.metadata.name or listed(self.item.name)

    @property
    def path(self) -> str | None:
        return cleaned(self.item.path) if self.item.path is not None else None


def made_ready(
    items: Sequence[Incoming], using: Sketching, metadata_of: Callable[[Incoming], Metadata]
) -> list[Ready]:
    """Items with their sketches made and their texts packed."""
    new = [item for item in items if item.document is not None]
    texts = [item.document.compared_text for item in new if item.document]
    sketches = dict(zip(map(id, new), sketches_of(texts, using), strict=True))
    ready: list[Ready] = []
    for item in items:
        document = item.document
        metadata = metadata_of(item)
        original = None
        if item.original is not None:
            original = zstandard.ZstdCompressor().compress(item.original)
        if document is None:
            ready.append(Ready(item, metadata, original=original))
            continue
        if metadata.language is None:
            known = document.language or detect(document.compared_text)
            metadata = metadata.or_else(Metadata(language=known))
        ready.append(
            Ready(
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
