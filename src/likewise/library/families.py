"""What the indexes of a library are made of: texts, and the tables inside them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sqlalchemy import ColumnElement, Table, func, literal

from likewise.library import schema
from likewise.search.postings import Numbers

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
