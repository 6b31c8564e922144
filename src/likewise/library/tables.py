"""The tables inside documents of a library: what they are found by, and those like another one.

A table is known by its tokens (`likewise.tables.index`), which are blind to the order of rows and
columns. The rarest of them lead to tables that share a good part of their own; these are rebuilt
from their documents and compared cell by cell, as the tables of a folder are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, select, tuple_

from likewise.library import schema
from likewise.library.entries import Entry, read_document, read_entries
from likewise.library.errors import LibraryError
from likewise.library.filter_matcher import document_matcher
from likewise.library.filters import Filters, split_numbers
from likewise.library.recipes import Sketching
from likewise.library.segments import MOST_PARTS, TABLES, View
from likewise.library.sketches import hashes_from, hashes_to
from likewise.model import Document, Table
from likewise.progress import Progress
from likewise.search.postings import Hashes, Numbers
from likewise.settings import ensure_threshold
from likewise.tables import LEAST_SCORE, TableMatch
from likewise.tables.arrays import TableArrays, table_arrays
from likewise.tables.index import LEAST_SHARE, LEAST_TOKENS, RARE, RAREST, tokens_of
from likewise.tables.layout import lay_out
from likewise.tables.match import compare_arrays, match_of

Floats = NDArray[np.float64]

# Which tables are worth comparing: as `likewise.tables.index` decides it for tables in memory.

MOST_COMPARED = 100  # tables that one table is compared with
MOST_REBUILT = 200  # documents that are rebuilt for the tables of one
_AT_ONCE = 200  # candidates that are asked about at a time
_MOST_CANDIDATES = 2_000
_MOST_FOLLOWED = 400_000  # postings


@dataclass(frozen=True, slots=True)
class LikeTable:
    """A table of the library that is like one that was asked about."""

    entry: Entry
    document: Document = field(repr=False)
    match: TableMatch

    @property
    def table(self) -> Table:
        return self.document.tables[self.match.b]


@dataclass(frozen=True, slots=True)
class LikeTables:
    """The likest first; `beyond` more documents had tables worth comparing and were not read."""

    tables: tuple[LikeTable, ...] = ()
    beyond: int = 0


# In


def tokens_of_tables(document: Document, using: Sketching) -> tuple[Hashes, ...]:
    """What the tables of a document are found by, at most a few thousand numbers each."""
    if not document.tables:
        return ()
    return tuple(tokens_of(_arrays_of(table, using)) for table in document.tables[:MOST_PARTS])


def table_rows(
    document: int, recipe_id: int, change: int, tokens: Sequence[Hashes]
) -> list[dict[str, Any]]:
    """The same as the database holds it."""
    return [
        {
            "document_id": document,
            "recipe_id": recipe_id,
            "number": number,
            "change": change,
            "tokens": len(hashes),
            "hashes": hashes_to(hashes),
        }
        for number, hashes in enumerate(tokens)
    ]


def read_tokens(
    connection: Connection, recipe_id: int, numbers: Sequence[int]
) -> dict[int, list[Hashes]]:
    """The tokens of all tables of some documents."""
    columns = schema.document_tables.c
    tokens: dict[int, list[Hashes]] = {}
    for part in split_numbers(numbers):
        query = select(columns.document_id, columns.hashes).where(
            columns.recipe_id == recipe_id, columns.document_id.in_(part)
        )
        for row in connection.execute(query.order_by(columns.document_id, columns.number)):
            tokens.setdefault(row.document_id, []).append(hashes_from(row.hashes))
    return tokens


# Out


def tables_like(
    connection: Connection,
    view: View,
    using: Sketching,
    tables: Sequence[Table],
    filters: Filters,
    *,
    threshold: float = LEAST_SCORE,
    progress: Progress | None = None,
) -> LikeTables:
    """The tables of the library that are like some of these; a match tells the places of both."""
    ensure_threshold(threshold)
    if filters and tables and len(view):
        # What is rare, and what is worth comparing, the tables say that are meant, and no others.
        view = view.among(document_matcher(connection, filters), TABLES)
    if not len(view):
        return LikeTables()
    search, cache = _CandidateSearch(connection, view, using), _DocumentCache(connection, using)
    matches: list[tuple[int, TableMatch]] = []
    omitted: set[int] = set()
    for place, table in enumerate(tables):
        if progress:
            progress("comparing tables", place, len(tables))
        arrays = _arrays_of(table, using)
        for document, number in search.candidates(tokens_of(arrays)):
            other = cache.table_arrays(document, number)
            if other is None:
                omitted.add(document)
                continue
            explained, alignment = compare_arrays(arrays, other)
            if alignment is not None and explained.score >= threshold:
                match = match_of(arrays, other, (place, number), explained, alignment)
                matches.append((document, match))
    numbers = dict.fromkeys(document for document, _ in matches)
    entries = {entry.id: entry for entry in read_entries(connection, numbers)}
    like = [LikeTable(entries[n], cache.documents[n], match) for n, match in matches]
    return LikeTables(tuple(sorted(like, key=_likest)), len(omitted))


def _likest(one: LikeTable) -> tuple[float, int, str, int, int]:
    return -one.match.score, one.match.a, one.entry.name, one.match.b, one.entry.id


def _arrays_of(table: Table, using: Sketching) -> TableArrays:
    layout = lay_out(table)
    with using.lock:
        return table_arrays(layout, using.lexicon)


class _DocumentCache:
    """Documents read for their tables, each once, and no more than a check can bear."""

    def __init__(self, connection: Connection, using: Sketching) -> None:
        self._connection, self._using = connection, using
        self.documents: dict[int, Document] = {}
        self._arrays: dict[tuple[int, int], TableArrays] = {}

    def table_arrays(self, document: int, number: int) -> TableArrays | None:
        """One of its tables; None where enough documents were read, or its text is damaged."""
        if document not in self.documents:
            if len(self.documents) >= MOST_REBUILT:
                return None
            try:
                self.documents[document] = read_document(self._connection, document)
            except LibraryError:
                return None
        key = document, number
        if key not in self._arrays:
            self._arrays[key] = _arrays_of(self.documents[document].tables[number], self._using)
        return self._arrays[key]


class _CandidateSearch:
    """Which tables are worth comparing with one: from the index and the database."""

    def __init__(self, connection: Connection, view: View, using: Sketching) -> None:
        self._connection, self._view = connection, view
        self._recipe_id = using.recipe.id
        self._tables = len(view)

    def candidates(self, tokens: Hashes) -> list[tuple[int, int]]:
        """Documents and places of tables that share a good part of their tokens, or of these."""
        numbers, shared, own = self._sharing(tokens)
        candidates: list[tuple[int, int]] = []
        for start in range(0, min(len(numbers), _MOST_CANDIDATES), _AT_ONCE):
            part = slice(start, min(start + _AT_ONCE, _MOST_CANDIDATES))
            part_numbers, weights = numbers[part], shared[part]
            enough = weights >= LEAST_SHARE * own
            doubtful = np.flatnonzero(~enough)
            if len(doubtful):
                whole = np.minimum(own, self._weights_of(part_numbers[doubtful]))
                enough[doubtful] = weights[doubtful] >= LEAST_SHARE * whole
            good = part_numbers[enough]
            candidates += zip(
                TABLES.documents(good).tolist(), TABLES.parts(good).tolist(), strict=True
            )
            if len(candidates) >= MOST_COMPARED:
                break
        return candidates[:MOST_COMPARED]

    def _sharing(self, tokens: Hashes) -> tuple[Numbers, Floats, float]:
        """Tables by how much the tokens weigh that they share, and what all of these weigh."""
        holders = self._view.holders(tokens)
        useful = np.flatnonzero(holders)
        rarest = useful[np.argsort(holders[useful], kind="stable")]
        positions = np.sort(rarest[: max(RAREST, int((holders[useful] <= RARE).sum()))])
        lookup = self._view.look_up(tokens[positions], few=self._tables, most=_MOST_FOLLOWED)
        weights = self._weights(lookup.holders)
        at = np.searchsorted(lookup.documents, lookup.holder)
        shared = np.zeros(len(lookup.documents))
        np.add.at(shared, at, weights[lookup.fingerprint])
        often = lookup.shared >= min(LEAST_TOKENS, len(tokens))
        numbers, shared = lookup.documents[often], shared[often]
        order = np.lexsort((numbers, -shared))
        return numbers[order], shared[order], float(weights[~lookup.common].sum())

    def _weights(self, holders: Numbers) -> Floats:
        """Rare tokens tell most: the square of the bits that their rarity is worth."""
        bits: Floats = np.log2((self._tables + 1) / np.maximum(holders, 1))
        return bits**2

    def _weights_of(self, numbers: Numbers) -> Floats:
        """What all the tokens of each of some tables weigh."""
        columns = schema.document_tables.c
        owners, parts = TABLES.documents(numbers).tolist(), TABLES.parts(numbers).tolist()
        query = select(columns.document_id, columns.number, columns.hashes).where(
            columns.recipe_id == self._recipe_id,
            columns.document_id.in_(sorted(set(owners))),
            tuple_(columns.document_id, columns.number).in_(list(zip(owners, parts, strict=True))),
        )
        rows = {
            TABLES.number(row): hashes_from(row.hashes) for row in self._connection.execute(query)
        }
        every = np.unique(np.concatenate([np.zeros(0, np.uint64), *rows.values()]))
        weights = self._weights(self._view.holders(every))
        nothing = np.zeros(0, np.uint64)
        return np.array(
            [
                weights[np.searchsorted(every, rows.get(number, nothing))].sum()
                for number in numbers.tolist()
            ]
        )
