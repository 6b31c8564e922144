"""Documents into the library: many in one transaction, each of them whole or not at all."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import blake2b
from itertools import count
from typing import Any

from sqlalchemy import Connection, Table, func, insert, select, update

from likewise.library import schema
from likewise.library.concept_index import add_concept_recipe, block_row
from likewise.library.entries import fill_metadata, without_original
from likewise.library.inputs import InputItem, PreparedDocument, prepare_documents
from likewise.library.metadata import Metadata, search_text, shorten_name
from likewise.library.original_transfer import put_originals
from likewise.library.originals import claim, note_orphans
from likewise.library.recipes import Sketching
from likewise.library.registry import registered_hosts
from likewise.library.sketch_rows import read_sketches, share_rows
from likewise.library.sketches import Sketch, hashes_to, repack_hashes, sketch_row
from likewise.library.store import State, Store, now
from likewise.library.tables import table_rows
from likewise.model import Message, Unread

MOST_DOCUMENTS = 500  # in one transaction
MOST_CHARS = 16_000_000
MOST_SECONDS = 1.0  # of work that a crash may undo


def group_in_batches(items: Iterable[InputItem | Unread]) -> Iterator[list[InputItem | Unread]]:
    """Items together until they are many, long, or have taken a second."""
    batch: list[InputItem | Unread] = []
    chars, started = 0, time.monotonic()
    for item in items:
        batch.append(item)
        if isinstance(item, InputItem) and item.document is not None:
            chars += len(item.document.text)
        if isinstance(item, InputItem) and item.original is not None:
            chars += len(item.original)
        late = time.monotonic() - started > MOST_SECONDS
        if len(batch) >= MOST_DOCUMENTS or chars >= MOST_CHARS or late:
            yield batch
            batch, chars, started = [], 0, time.monotonic()
    if batch:
        yield batch


def add_batch(
    store: Store,
    using: Callable[[], Sketching],
    batch: Sequence[InputItem | Unread],
    metadata_of: Callable[[InputItem], Metadata],
    collection: str = "",
) -> AddResult:
    """One transaction. `using` gives the recipe that checks use now."""
    unread = tuple(item for item in batch if isinstance(item, Unread))
    items = [item for item in batch if isinstance(item, InputItem)]
    textless = tuple(item.name for item in items if _is_textless(item))
    while items:
        sketching = using()
        ready = prepare_documents(items, sketching, metadata_of)
        ready = put_originals(store, ready, collection)
        with store.writing() as (connection, change):
            state = store.state(connection)
            if state.recipe_id == sketching.recipe.id:
                writer = Writer(connection, state, change, collection)
                return writer.write(ready) + AddResult(unread=unread, textless=textless)
        # The library was rebuilt meanwhile: once more, by the new recipe.
    return AddResult(unread=unread)


def _is_textless(item: InputItem) -> bool:
    return item.document is not None and not item.document.has_text


@dataclass(frozen=True, slots=True)
class AddResult:
    """What came of adding: numbers of new documents, and everything that is none.

    `copies` of the new ones have the text of another document in another form; `again` are bytes
    that the library held, handed in by somebody else or under another name; `known` ones were
    there exactly so. `unmatched` are rows of the metadata table that no document fitted. Of the
    documents that were there, `filled` ones have learnt metadata that they lacked, and of `kept`
    ones the original is kept from now on. `textless` are names of documents that hold no text to
    compare: scans that were not read, pictures, or what damage has left.
    """

    ids: tuple[int, ...] = ()
    copies: int = 0
    again: int = 0
    known: int = 0
    unread: tuple[Unread, ...] = ()
    unmatched: tuple[str, ...] = ()
    filled: int = 0
    kept: int = 0
    textless: tuple[str, ...] = ()

    def __add__(self, other: AddResult) -> AddResult:
        return AddResult(
            (*self.ids, *other.ids),
            self.copies + other.copies,
            self.again + other.again,
            self.known + other.known,
            (*self.unread, *other.unread),
            (*self.unmatched, *other.unmatched),
            self.filled + other.filled,
            self.kept + other.kept,
            (*self.textless, *other.textless),
        )


Rows = list[dict[str, Any]]


class Writer:
    """The rows of one transaction."""

    def __init__(self, connection: Connection, state: State, change: int, collection: str) -> None:
        self._connection = connection
        self._collection = collection
        self._state = state
        self._change = change
        self._last = state.last_document
        self._own_numbers: Iterator[int] | None = None
        if collection and any(h.has_collection(connection, collection) for h in registered_hosts()):
            self._own_numbers = next_numbers(connection, collection)
        self._concept_recipe_id: int | None = None
        self._rows: dict[Table, Rows] = {}
        self._claimed: set[str] = set()
        self._now = now()

    def write(self, ready: Sequence[PreparedDocument]) -> AddResult:
        by_bytes = self._there([one.item.sha256 for one in ready])
        addresses = [one.address for one in ready if one.address is not None]
        self._claimed = claim(self._connection, addresses)
        by_text = self._first_of_texts([one.text_hash for one in ready if one.sketch])
        ids: list[int] = []
        copies = 0
        again: list[tuple[int, PreparedDocument]] = []
        unread: list[Unread] = []
        for one in ready:
            if (there := by_bytes.get(one.item.sha256)) is not None:
                again.append((there, one))
            elif one.sketch is not None:
                text = one.text_hash, hashes_to(one.sketch.hashes)
                first = by_text.get(text)
                number = self._new(one, one.sketch, first)
                by_bytes[one.item.sha256] = number
                by_text.setdefault(text, number)
                ids.append(number)
                copies += first is not None
            else:  # its bytes were known when it was looked at, and so it was not read
                unread.append(Unread(one.item.name, Message("library.removed")))
        engine = self._connection.dialect.name
        sketches = self._rows.pop(schema.sketches, [])
        self._rows[schema.sketches] = share_rows(sketches, engine)
        for table in (schema.documents, schema.texts, schema.sketches, schema.originals):
            self._insert(table)
        for table in (schema.tags, schema.document_tables, schema.concept_blocks):
            self._insert(table)
        rows, first_again = new_references(self._connection, again, self._now)
        self._rows[schema.document_references] = rows
        references = self._insert(schema.document_references)
        pairs = zip(again, first_again, strict=True)
        submissions = [(n, one.metadata, n_is_first) for (n, one), n_is_first in pairs]
        filled = fill_metadata(self._connection, submissions)
        originals = self._keep_originals(again)
        unused = [one for one in addresses if one.key in self._claimed]
        orphans = [(one.bucket, one.key, one.endpoint) for one in unused]
        note_orphans(self._connection, orphans, timedelta())
        self._connection.execute(update(schema.library).values(last_document=self._last))
        known = len(again) - references
        return AddResult(
            tuple(ids),
            copies,
            references,
            known,
            tuple(unread),
            filled=len(filled - set(ids)),
            kept=originals,
        )

    def _keep_originals(self, again: list[tuple[int, PreparedDocument]]) -> int:
        """Of documents that were there without the file itself, keep it from now on."""
        files = {number: one for number, one in again if one.original is not None}
        for number in without_original(self._connection, sorted(files)):
            self._add(schema.originals, document_id=number, packed=self._file_of(files[number]))
        return self._insert(schema.originals)

    def _file_of(self, one: PreparedDocument) -> bytes | None:
        """The file as its row holds it: an address, where its object is there for certain."""
        if one.address is not None and one.address.key in self._claimed:
            self._claimed.discard(one.address.key)  # a row holds it
            return one.address.pack()
        return one.original

    def _there(self, sha256s: list[bytes]) -> dict[bytes, int]:
        """The documents of this collection with these bytes.

        What nearly all documents have in common is not asked for: PostgreSQL, which has not seen
        yet how a new table is filled, would take it for rare and look at all of them every time.
        """
        document = schema.documents.c
        query = select(document.sha256, document.collection, document.id)
        rows = self._connection.execute(query.where(document.sha256.in_(sha256s)))
        here = self._collection
        return {bytes(row.sha256): row.id for row in rows if row.collection == here}

    def _first_of_texts(self, texts: list[bytes]) -> dict[tuple[bytes, bytes], int]:
        """The first documents with these texts, in whatever collection, by text and fingerprints.

        A word that is broken at the end of a line makes other fingerprints than one that is not,
        though the letters are the same: each keeps its own, whoever came first.
        """
        document = schema.documents.c
        query = select(document.id, document.text_hash, document.copy_of)
        rows = self._connection.execute(query.where(document.text_hash.in_(texts))) if texts else ()
        text_of = {row.id: bytes(row.text_hash) for row in rows if row.copy_of is None}
        sketches = read_sketches(self._connection, self._state.recipe_id, text_of)
        return {
            (text_of[number], repack_hashes(sketches[number])): number
            for number in sorted(sketches, reverse=True)
        }

    def _new(self, one: PreparedDocument, sketch: Sketch, copy_of: int | None) -> int:
        number, meta, document = self._next_number(), one.metadata, one.item.document
        assert document is not None
        name = meta.name or shorten_name(document.name)
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
            added_on=meta.added_on or self._now,
            path=one.path,
            language=meta.language,
            type=meta.type,
            organisation=meta.organisation,
            author=meta.author,
            advisor=meta.advisor,
            year=meta.year,
            month=meta.month,
            words=sketch.words,
            chars=len(document.text),
            searched=search_text((name, meta.owner, meta.author, meta.advisor, meta.organisation)),
        )
        self._add(schema.texts, document_id=number, packed=one.packed)
        if copy_of is None:
            self._add(
                schema.sketches, **sketch_row(number, self._state.recipe_id, self._change, sketch)
            )
        if one.tables:
            rows = table_rows(number, self._state.recipe_id, self._change, one.tables)
            self._rows.setdefault(schema.document_tables, []).extend(rows)
        if one.blocks is not None:
            if self._concept_recipe_id is None:
                self._concept_recipe_id = add_concept_recipe(self._connection)
            row = block_row(number, self._concept_recipe_id, self._change, one.blocks)
            self._rows.setdefault(schema.concept_blocks, []).append(row)
        if one.original is not None:
            self._add(schema.originals, document_id=number, packed=self._file_of(one))
        for tag in meta.tags:
            self._add(schema.tags, document_id=number, tag=tag)
        return number

    def _next_number(self) -> int:
        if self._own_numbers is not None:
            return next(self._own_numbers)
        self._last += 1
        return self._last

    def _add(self, table: Table, **values: Any) -> None:
        self._rows.setdefault(table, []).append(values)

    def _insert(self, table: Table) -> int:
        rows = self._rows.pop(table, [])
        if rows:
            self._connection.execute(insert(table), rows)
        return len(rows)


def new_references(
    connection: Connection, again: Sequence[tuple[int, PreparedDocument]], added_on: datetime
) -> tuple[list[dict[str, Any]], list[bool]]:
    """The rows of those who are not known yet; nothing where exactly that is known.

    And of each that is handed in again, whether it is what was handed in first.
    """
    if not again:
        return [], []
    numbers = [number for number, _ in again]
    keys: dict[int, set[tuple[Any, ...]]] = {number: set() for number in numbers}
    first: dict[int, tuple[Any, ...]] = {}
    last = dict.fromkeys(numbers, 1)  # the document itself is the first
    document, reference = schema.documents.c, schema.document_references.c
    query = select(document.id, document.name, document.owner, document.path)
    for number, *what in connection.execute(query.where(document.id.in_(numbers))):
        first[number] = tuple(what)
        keys[number].add(tuple(what))
    others = select(
        reference.document_id,
        reference.number,
        reference.name,
        reference.owner,
        reference.path,
    ).where(reference.document_id.in_(numbers))
    for row in connection.execute(others):
        last[row.document_id] = max(last[row.document_id], row.number)
        keys[row.document_id].add((row.name, row.owner, row.path))
    rows: list[dict[str, Any]] = []
    is_first: list[bool] = []
    for number, one in again:
        key = one.name, one.metadata.owner, one.path
        is_first.append(key == first.get(number))
        if key not in keys[number]:
            last[number] += 1
            rows.append(
                {
                    "document_id": number,
                    "number": last[number],
                    "name": one.name,
                    "owner": one.metadata.owner,
                    "author": one.metadata.author,
                    "added_on": one.metadata.added_on or added_on,
                    "path": one.path,
                }
            )
            keys[number].add(key)
    return rows, is_first


FIRST_OF_COLLECTIONS = 1 << 40  # the numbers of tables leave 43 bits, those of pages 53
_BLOCK_BITS = 18  # documents that are numbered one after the other, then another block begins
_BLOCKS_BITS = 22


def next_numbers(connection: Connection, collection: str) -> Iterator[int]:
    """Numbers of a collection that no document has or had.

    In the shared library they count up by one. A number that everybody sees must not tell how many
    documents somebody else keeps in private, so each collection that people made counts for itself,
    from a first number that follows from its name. All these numbers lie far above those of the
    library of all, and no collection's numbers depend on another's documents.
    """
    for block in count():
        first = _first_of_block(collection, block)
        end = first + (1 << _BLOCK_BITS)
        yield from range(max(first, _last_used(connection, first, end) + 1), end)


def _first_of_block(collection: str, block: int) -> int:
    """The first number of a block of a collection.

    >>> _first_of_block("a", 0) >= FIRST_OF_COLLECTIONS
    True
    >>> _first_of_block("a", 0) == _first_of_block("b", 0)
    False
    """
    hashed = blake2b(f"{block} {collection}".encode(), digest_size=8).digest()
    place = int.from_bytes(hashed, "big") % (1 << _BLOCKS_BITS)
    return FIRST_OF_COLLECTIONS + (place << _BLOCK_BITS)


def _last_used(connection: Connection, first: int, end: int) -> int:
    """The last number of a block that a document has, or had before it was removed; 0 if none."""
    last = 0
    for number in (schema.documents.c.id, schema.removals.c.document_id):
        query = select(func.max(number)).where(number >= first, number < end)
        last = max(last, connection.execute(query).scalar() or 0)
    return last
