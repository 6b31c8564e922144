"""Documents into the library: many in one transaction, each of them whole or not at all."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import zstandard
from sqlalchemy import ColumnElement, Connection, Table, insert, select, update

from likewise.language import detect
from likewise.library import schema
from likewise.library.corrections import fill_metadata, without_original
from likewise.library.incoming import Incoming
from likewise.library.metadata import Metadata, cleaned, searched
from likewise.library.recipes import Sketching
from likewise.library.sketches import Hashes, Sketch, hashes_to, sketches_of
from likewise.library.store import State, Store, now
from likewise.library.tables import table_rows, tokens_of_tables
from likewise.library.texts import hash_of_text, pack_document
from likewise.model import Unread

Rows = list[dict[str, Any]]

_REMOVED = "it was removed from the library while it was being added; add it again"
MOST_DOCUMENTS = 500  # in one transaction
MOST_CHARS = 16_000_000
MOST_SECONDS = 1.0  # of work that a crash may undo


@dataclass(frozen=True, slots=True)
class Added:
    """What came of adding: numbers of new documents, and everything that is none.

    `copies` of the new ones have the text of another document in another form; `again` are bytes
    that the library held, handed in by somebody else or under another name; `known` ones were
    there exactly so. `unmatched` are rows of the metadata table that no document fitted. Of the
    documents that were there, `filled` ones have learnt metadata that they lacked, and of `kept`
    ones the original is kept from now on.
    """

    ids: tuple[int, ...] = ()
    copies: int = 0
    again: int = 0
    known: int = 0
    unread: tuple[Unread, ...] = ()
    unmatched: tuple[str, ...] = ()
    filled: int = 0
    kept: int = 0

    def __add__(self, other: Added) -> Added:
        return Added(
            (*self.ids, *other.ids),
            self.copies + other.copies,
            self.again + other.again,
            self.known + other.known,
            (*self.unread, *other.unread),
            (*self.unmatched, *other.unmatched),
            self.filled + other.filled,
            self.kept + other.kept,
        )


def in_batches(items: Iterable[Incoming | Unread]) -> Iterator[list[Incoming | Unread]]:
    """Items together until they are many, long, or have taken a second."""
    batch: list[Incoming | Unread] = []
    chars, started = 0, time.monotonic()
    for item in items:
        batch.append(item)
        if isinstance(item, Incoming) and item.document is not None:
            chars += len(item.document.text)
        if isinstance(item, Incoming) and item.original is not None:
            chars += len(item.original)
        late = time.monotonic() - started > MOST_SECONDS
        if len(batch) >= MOST_DOCUMENTS or chars >= MOST_CHARS or late:
            yield batch
            batch, chars, started = [], 0, time.monotonic()
    if batch:
        yield batch


@dataclass(frozen=True, slots=True)
class _Ready:
    """Everything about a document that takes time, done before the transaction."""

    item: Incoming
    metadata: Metadata
    packed: bytes = b""
    original: bytes | None = None
    text_hash: bytes = b""
    sketch: Sketch | None = None
    tables: tuple[Hashes, ...] = ()


def add_batch(
    store: Store,
    using: Callable[[], Sketching],
    batch: Sequence[Incoming | Unread],
    metadata_of: Callable[[Incoming], Metadata],
    collection: str = "",
) -> Added:
    """One transaction. `using` gives the recipe that checks use now."""
    unread = tuple(item for item in batch if isinstance(item, Unread))
    items = [item for item in batch if isinstance(item, Incoming)]
    while items:
        sketching = using()
        ready = _made_ready(items, sketching, metadata_of)
        with store.writing() as (connection, change):
            state = store.state(connection)
            if state.recipe_id == sketching.recipe.id:
                writer = _Writer(connection, state, change, collection)
                return writer.write(ready) + Added(unread=unread)
        # The library was rebuilt meanwhile: once more, by the new recipe.
    return Added(unread=unread)


def _made_ready(
    items: Sequence[Incoming], using: Sketching, metadata_of: Callable[[Incoming], Metadata]
) -> list[_Ready]:
    new = [item for item in items if item.document is not None]
    texts = [item.document.compared_text for item in new if item.document]
    sketches = dict(zip(map(id, new), sketches_of(texts, using), strict=True))
    ready: list[_Ready] = []
    for item in items:
        document = item.document
        metadata = metadata_of(item)
        original = None
        if item.original is not None:
            original = zstandard.ZstdCompressor().compress(item.original)
        if document is None:
            ready.append(_Ready(item, metadata, original=original))
            continue
        if metadata.language is None:
            known = document.language or detect(document.compared_text)
            metadata = metadata.or_else(Metadata(language=known))
        ready.append(
            _Ready(
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


class _Writer:
    """The rows of one transaction."""

    def __init__(self, connection: Connection, state: State, change: int, collection: str) -> None:
        self._connection = connection
        self._collection = collection
        self._state = state
        self._change = change
        self._last = state.last_document
        self._rows: dict[Table, Rows] = {}
        self._now = now()

    def write(self, ready: Sequence[_Ready]) -> Added:
        document = schema.documents.c
        here = document.collection == self._collection
        by_bytes = self._there(document.sha256, [one.item.sha256 for one in ready], here)
        is_first = document.copy_of.is_(None)  # of its text, in whatever collection
        texts = [one.text_hash for one in ready if one.sketch]
        by_text = self._there(document.text_hash, texts, is_first)
        ids: list[int] = []
        copies = 0
        again: list[tuple[int, _Ready]] = []
        unread: list[Unread] = []
        for one in ready:
            if (there := by_bytes.get(one.item.sha256)) is not None:
                again.append((there, one))
            elif one.sketch is not None:
                first = by_text.get(one.text_hash)
                number = self._new(one, one.sketch, first)
                by_bytes[one.item.sha256] = number
                by_text.setdefault(one.text_hash, number)
                ids.append(number)
                copies += first is not None
            else:  # its bytes were known when it was looked at, and so it was not read
                unread.append(Unread(one.item.name, _REMOVED))
        for table in (schema.documents, schema.texts, schema.sketches, schema.originals):
            self._insert(table)
        for table in (schema.tags, schema.document_tables):
            self._insert(table)
        references, first_again = self._refer(again)
        pairs = zip(again, first_again, strict=True)
        told = [(n, one.metadata, n_is_first) for (n, one), n_is_first in pairs]
        filled = fill_metadata(self._connection, told)
        kept = self._keep_originals(again)
        self._connection.execute(update(schema.library).values(last_document=self._last))
        known = len(again) - references
        return Added(
            tuple(ids),
            copies,
            references,
            known,
            tuple(unread),
            filled=len(filled - set(ids)),
            kept=kept,
        )

    def _keep_originals(self, again: list[tuple[int, _Ready]]) -> int:
        """Of documents that were there without the file itself, keep it from now on."""
        files = {number: one.original for number, one in again if one.original is not None}
        for number in without_original(self._connection, sorted(files)):
            self._add(schema.originals, document_id=number, packed=files[number])
        return self._insert(schema.originals)

    def _there(
        self, column: Any, values: list[bytes], condition: ColumnElement[bool]
    ) -> dict[bytes, int]:
        """The documents with these hashes."""
        query = select(column, schema.documents.c.id).where(column.in_(values), condition)
        rows = self._connection.execute(query) if values else ()
        return {bytes(found): number for found, number in rows}

    def _new(self, one: _Ready, sketch: Sketch, copy_of: int | None) -> int:
        self._last += 1
        number, meta, document = self._last, one.metadata, one.item.document
        assert document is not None
        name = meta.name or cleaned(document.name)
        self._add(
            schema.documents,
            id=number,
            collection=self._collection,
            name=name,
            sha256=one.item.sha256,
            is_file=document.sha256 is not None,
            text_hash=one.text_hash,
            copy_of=copy_of,
            owner=meta.owner,
            added_on=self._moment(meta),
            path=_path(one.item),
            language=meta.language,
            type=meta.type,
            organisation=meta.organisation,
            author=meta.author,
            advisor=meta.advisor,
            year=meta.year,
            month=meta.month,
            words=sketch.words,
            chars=len(document.text),
            searched=searched((name, meta.owner, meta.author, meta.advisor, meta.organisation)),
        )
        self._add(schema.texts, document_id=number, packed=one.packed)
        if copy_of is None:
            self._add(schema.sketches, **sketch_row(number, self._state, self._change, sketch))
        if one.tables:
            rows = table_rows(number, self._state.recipe_id, self._change, one.tables)
            self._rows.setdefault(schema.document_tables, []).extend(rows)
        if one.original is not None:
            self._add(schema.originals, document_id=number, packed=one.original)
        for tag in meta.tags:
            self._add(schema.tags, document_id=number, tag=tag)
        return number

    def _refer(self, again: list[tuple[int, _Ready]]) -> tuple[int, list[bool]]:
        """Remember who else has handed something in; nothing where exactly that is known.

        How many, and of each whether it is what was handed in first.
        """
        if not again:
            return 0, []
        numbers = [number for number, _ in again]
        seen: dict[int, set[tuple[Any, ...]]] = {number: set() for number in numbers}
        first: dict[int, tuple[Any, ...]] = {}
        last = dict.fromkeys(numbers, 1)  # the document itself is the first
        document, reference = schema.documents.c, schema.document_references.c
        query = select(document.id, document.name, document.owner, document.path)
        for number, *what in self._connection.execute(query.where(document.id.in_(numbers))):
            first[number] = tuple(what)
            seen[number].add(tuple(what))
        others = select(
            reference.document_id,
            reference.number,
            reference.name,
            reference.owner,
            reference.path,
        ).where(reference.document_id.in_(numbers))
        for row in self._connection.execute(others):
            last[row.document_id] = max(last[row.document_id], row.number)
            seen[row.document_id].add((row.name, row.owner, row.path))
        is_first: list[bool] = []
        for number, one in again:
            name = one.metadata.name or cleaned(one.item.name)
            key = name, one.metadata.owner, _path(one.item)
            is_first.append(key == first.get(number))
            if key not in seen[number]:
                last[number] += 1
                self._add(
                    schema.document_references,
                    document_id=number,
                    number=last[number],
                    name=name,
                    owner=one.metadata.owner,
                    author=one.metadata.author,
                    added_on=self._moment(one.metadata),
                    path=_path(one.item),
                )
                seen[number].add(key)
        return self._insert(schema.document_references), is_first

    def _moment(self, metadata: Metadata) -> datetime:
        return metadata.added_on or self._now

    def _add(self, table: Table, **values: Any) -> None:
        self._rows.setdefault(table, []).append(values)

    def _insert(self, table: Table) -> int:
        rows = self._rows.pop(table, [])
        if rows:
            self._connection.execute(insert(table), rows)
        return len(rows)


def sketch_row(number: int, state: State, change: int, sketch: Sketch) -> dict[str, Any]:
    """A sketch as its table holds it, by the recipe that checks use."""
    return {
        "document_id": number,
        "recipe_id": state.recipe_id,
        "change": change,
        "shingles": sketch.shingles,
        "fingerprints": len(sketch.hashes),
        "hashes": hashes_to(sketch.hashes),
    }


def _path(item: Incoming) -> str | None:
    return cleaned(item.path) if item.path is not None else None
