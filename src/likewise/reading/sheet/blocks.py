"""The tables on a sheet.

What a person sees as one table is a block of filled cells. A blank row or a blank column parts two
blocks; what is left of each is looked at again, since a column that is blank beside one table need
not be blank above it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from itertools import groupby

_DEEPEST = 6  # cuts along columns and rows, in turns
_MOST_REPEATED_CHARS = 50_000_000  # of merged cells: their text stands in each place they cover
_MOST_REPEATED_CELLS = 1_000_000


@dataclass(frozen=True, slots=True)
class MergedRange:
    """Cells that were made one; rows and columns are counted from 0, the last ones are inside."""

    top: int
    left: int
    bottom: int
    right: int


@dataclass(frozen=True, slots=True)
class Block:
    """Filled cells that stand together, by rows; and the same as lines, with every cell once."""

    rows: list[list[str]]
    lines: list[str]

    @property
    def is_table(self) -> bool:
        """A lonely row or column is a heading or a list."""
        return len(self.rows) > 1 and len(self.rows[0]) > 1


def blocks_in(rows: Iterable[list[str]], merged: Sequence[MergedRange] = ()) -> Iterator[Block]:
    """The blocks of a sheet, from above and from the left.

    >>> sheet = [["Rain", ""], ["", ""], ["May", "12"], ["June", "31"]]
    >>> [block.rows for block in blocks_in(sheet)]
    [[['Rain']], [['May', '12'], ['June', '31']]]
    """
    joins = _Joins(merged)
    band = _Band(0)
    for number, row in enumerate(rows):
        if joins.reach(number) or any(row):
            band = band if band.rows else _Band(number)
            band.rows.append(row)
        elif band.rows:
            yield from band.blocks(joins)
            band = _Band(number)
    yield from band.blocks(joins)


class _Joins:
    """Merged cells by the rows in which they begin, and how much they may still repeat."""

    def __init__(self, merged: Sequence[MergedRange]) -> None:
        self._from: dict[int, list[MergedRange]] = {}
        for cells in merged:
            self._from.setdefault(cells.top, []).append(cells)
        self._reach = -1
        self._remaining_cells = _MOST_REPEATED_CELLS
        self._remaining_chars = _MOST_REPEATED_CHARS

    def reach(self, row: int) -> bool:
        """Whether a cell that began above, or begins here, reaches into a row. Asked in order."""
        reached = row <= self._reach
        for cells in self._from.get(row, ()):
            self._reach = max(self._reach, cells.bottom)
        return reached

    def beginning(self, row: int) -> list[MergedRange]:
        return self._from.get(row, [])

    def affordable(self, text: str, places: int) -> bool:
        self._remaining_cells -= places
        self._remaining_chars -= places * len(text)
        return self._remaining_cells >= 0 and self._remaining_chars >= 0


@dataclass(slots=True)
class _Band:
    """Rows without a blank one between them."""

    first: int
    rows: list[list[str]] = field(default_factory=list)
    covered: set[tuple[int, int]] = field(default_factory=set)  # places of merged cells

    def blocks(self, joins: _Joins) -> Iterator[Block]:
        width = max(map(len, self.rows), default=0)
        for row in self.rows:
            row += [""] * (width - len(row))
        for at in range(len(self.rows)):
            for cells in joins.beginning(self.first + at):
                self._spread(cells, joins)
        yield from self._cut(0, len(self.rows), 0, width, _DEEPEST)

    def _spread(self, cells: MergedRange, joins: _Joins) -> None:
        top, bottom = cells.top - self.first, min(cells.bottom - self.first, len(self.rows) - 1)
        right = min(cells.right, len(self.rows[0]) - 1)
        places = (bottom - top + 1) * (right - cells.left + 1)
        if cells.left > right or places < 2:
            return
        text = self.rows[top][cells.left]
        if text and joins.affordable(text, places):
            for row in range(top, bottom + 1):
                for column in range(cells.left, right + 1):
                    if (row, column) != (top, cells.left) and not self.rows[row][column]:
                        self.rows[row][column] = text
                        self.covered.add((row, column))

    def _cut(self, top: int, bottom: int, left: int, right: int, depth: int) -> Iterator[Block]:
        """What stands in a part of the band, cut at its blank columns, then at its blank rows."""
        part = [row[left:right] for row in self.rows[top:bottom]]
        columns = list(_runs([any(column) for column in zip(*part, strict=True)]))
        if len(columns) > 1 and depth:
            for start, end in columns:
                yield from self._cut(top, bottom, left + start, left + end, depth - 1)
            return
        rows = list(_runs([any(row) for row in part]))
        if len(rows) > 1 and depth:
            for start, end in rows:
                yield from self._cut(top + start, top + end, left, right, depth - 1)
        elif rows:
            top, bottom = top + rows[0][0], top + rows[-1][1]
            left, right = left + columns[0][0], left + columns[-1][1]
            yield self._block(top, bottom, left, right)

    def _block(self, top: int, bottom: int, left: int, right: int) -> Block:
        rows = [row[left:right] for row in self.rows[top:bottom]]
        if not self.covered:
            return Block(rows, ["\t".join(row).rstrip("\t") for row in rows])
        lines = [
            "\t".join(
                cell
                for column, cell in enumerate(row, left)
                if (number, column) not in self.covered
            ).rstrip("\t")
            for number, row in enumerate(rows, top)
        ]
        return Block(rows, lines)


def _runs(filled: list[bool]) -> Iterator[tuple[int, int]]:
    """Where the filled stretches begin and end.

    >>> list(_runs([True, True, False, True]))
    [(0, 2), (3, 4)]
    """
    for is_filled, stretch in groupby(range(len(filled)), key=filled.__getitem__):
        if is_filled:
            places = list(stretch)
            yield places[0], places[-1] + 1


# What stands in a cell, as people see it.

_EXACT = 1e15  # whole numbers are shown in full up to here, as spreadsheet programs do


def cell_text(value: object) -> str:
    """A value as text: whole numbers without a point, no artefacts of binary fractions, ISO dates.

    >>> [cell_text(value) for value in (3.0, 0.1 + 0.2, True, date(2019, 3, 2), None)]
    ['3', '0.3', 'TRUE', '2019-03-02', '']
    """
    if isinstance(value, str):
        return " ".join(value.split())
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, float):
        if value.is_integer() and abs(value) <= _EXACT:
            return str(int(value))
        return f"{value:.15g}"
    if isinstance(value, datetime):
        return value.isoformat(" ", "seconds")
    if isinstance(value, time):
        return value.isoformat("seconds")
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, timedelta):
        return _hours(value)
    return "" if value is None else str(value)


def _hours(span: timedelta) -> str:
    """A stretch of time in hours, minutes and seconds.

    >>> _hours(timedelta(days=1, minutes=5))
    '24:05:00'
    """
    seconds = round(span.total_seconds())
    sign = "-" if seconds < 0 else ""
    minutes, seconds = divmod(abs(seconds), 60)
    return f"{sign}{minutes // 60}:{minutes % 60:02}:{seconds:02}"
