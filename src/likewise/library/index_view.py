"""What an index is made of (texts, or the tables inside them), and an index at one moment."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from sqlalchemy import ColumnElement, Table, func, literal

from likewise.library import schema
from likewise.search.postings import (
    ELDEST,
    Flags,
    Hashes,
    Lookup,
    Numbers,
    Segment,
    eldest_holders,
    look_up,
    removed_flags,
)

_PRIME = 8191  # keeps sums of squares small enough for every database
_LARGE_PRIME = (1 << 31) - 1  # so large that most numbers are themselves
_PART_BITS = 20  # of a number in the index: which part of its document it is


@dataclass(frozen=True, slots=True, eq=False)
class Family:
    """What an index is made of: rows with hashes, one for each document or for each part of one."""

    name: str
    rows: Table
    has_parts: bool = False

    def number(self, row: Any) -> int:
        """The number under which the index knows a row."""
        document = int(row.document_id)
        return document << _PART_BITS | int(row.number) if self.has_parts else document

    def documents(self, numbers: Numbers) -> Numbers:
        """The documents that numbers belong to."""
        return numbers >> _PART_BITS if self.has_parts else numbers

    def parts(self, numbers: Numbers) -> Numbers:
        """Which part of its document each of them is."""
        return numbers & ((1 << _PART_BITS) - 1) if self.has_parts else np.zeros_like(numbers)

    def sums(self) -> list[ColumnElement[Any]]:
        """Questions whose answers tell one set of rows from another, read from an index alone."""
        row = self.rows.c
        small = row.document_id % _PRIME
        part = row.number + 1 if self.has_parts else literal(1)
        kept_small = func.sum(row.document_id % _LARGE_PRIME)
        return [func.count(), kept_small, func.sum(small * small * part)]

    def sums_of(self, numbers: Numbers) -> tuple[int, ...]:
        """The same of numbers in an index."""
        documents = self.documents(numbers)
        small = documents % _PRIME
        weighed = small * small * (self.parts(numbers) + 1)
        return len(numbers), int((documents % _LARGE_PRIME).sum()), int(weighed.sum())

    @property
    def order(self) -> list[ColumnElement[Any]]:
        """Rows come in the order of changes, then of numbers."""
        row = self.rows.c
        return [row.change, row.document_id, *([row.number] if self.has_parts else [])]


MOST_PARTS = 1 << _PART_BITS  # of a document that can be told apart
TEXTS = Family("", schema.sketches)
TABLES = Family("tables", schema.document_tables, has_parts=True)


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """The index at one moment; it does not change while it is used."""

    segments: tuple[Segment, ...]
    removed: Numbers
    flags: tuple[Flags | None, ...]  # of each segment, which documents are gone

    def __len__(self) -> int:
        """How many there are that are not gone."""
        removed = sum(int(flags.sum()) for flags in self.flags if flags is not None)
        return sum(len(segment.documents) for segment in self.segments) - removed

    def among(self, fits: Callable[[Numbers], Flags], family: Family) -> View:
        """The index as if it knew nothing but the documents that fit."""
        flags = []
        for segment, removed in zip(self.segments, self.flags, strict=True):
            other = ~fits(family.documents(segment.documents))
            other = other if removed is None else other | removed
            flags.append(other if other.any() else None)
        return replace(self, flags=tuple(flags))

    def look_up(self, hashes: Hashes, **cut_at: int) -> Lookup:
        """Who holds these distinct, ascending hashes; `few` and `most` as in `look_up`."""
        return look_up(self.segments, hashes, removed=self.flags, **cut_at)

    def holders(self, hashes: Hashes) -> Numbers:
        """How many hold each of these distinct, ascending hashes."""
        return self.look_up(hashes, few=0).holders

    def eldest_holders(self, hash_: int, most: int = ELDEST) -> tuple[int, ...]:
        return eldest_holders(self.segments, hash_, removed=self.flags, most=most)


NOTHING = View((), np.zeros(0, np.int64), ())


def view_of(segments: Sequence[Segment], removed: Iterable[int], family: Family) -> View:
    """Some segments, of which the documents that are gone do not count."""
    ascending = np.array(sorted(removed), dtype=np.int64)
    flags = tuple(
        removed_flags(replace(one, documents=family.documents(one.documents)), ascending)
        for one in segments
    )
    return View(tuple(segments), ascending, flags)
