"""The view of two tables that are alike: the rows and columns of one with the other's beside them.

Rows and columns that found no partner are shown too: rows of the other table after the row that
they follow there, its columns at the end. What is longer or wider than a page can show is told in
numbers.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from likewise.model import Table
from likewise.report.view import (
    CellState,
    TableCellView,
    TableColumnView,
    TableMatchView,
    TableRowView,
)
from likewise.tables.match import TableMatch, out_of_order

MOST_ROWS, MOST_COLUMNS = 60, 16
LONGEST_CELL = 200  # characters
_MOST_COMPARED = 200  # lines of a row or column that was not compared

Texts = Sequence[Sequence[str]]


def table_match_view(
    match: TableMatch, ours: Table, theirs: Table, *, name: str, source: int | None = None
) -> TableMatchView:
    """Our table in its order, each cell with what stands there."""
    rows_a, rows_b = _even(ours.rows), _even(theirs.rows)
    if match.transposed:
        rows_b = [list(column) for column in zip(*rows_b, strict=True)]
    pair = _TablePair(match, rows_a, rows_b)
    rows, columns = pair.rows(), pair.columns()
    listed_columns = _select_lines(columns, MOST_COLUMNS, ())
    altered = [i for i, cells in enumerate(match.cells) if "altered" in cells]
    listed_rows = _select_lines(rows, MOST_ROWS, altered)
    return TableMatchView(
        name=name,
        source=source,
        caption_a=_short(ours.caption),
        caption_b=_short(theirs.caption),
        page_a=ours.page,
        page_b=theirs.page,
        place_a=ours.span,
        score=match.score,
        share_a=match.share_a,
        share_b=match.share_b,
        transposed=match.transposed,
        columns=tuple(TableColumnView(each.a, each.b, each.moved) for each in listed_columns),
        rows=tuple(
            TableRowView(
                row.a,
                row.b,
                row.moved,
                tuple(pair.cell(row, column) for column in listed_columns),
            )
            for row in listed_rows
        ),
        more_rows=len(rows) - len(listed_rows),
        more_columns=len(columns) - len(listed_columns),
    )


def own_table_view(
    match: TableMatch, ours: Table, *, name: str, source: int | None = None
) -> TableMatchView:
    """Our table alone, and which of its cells stand in the other: for whom that is closed."""
    texts = _even(ours.rows)
    row_pairs = {a: i for i, (a, _) in enumerate(match.rows)}
    column_pairs = {a: i for i, (a, _) in enumerate(match.columns)}
    width = _width(texts)
    columns = range(min(width, MOST_COLUMNS))

    def cell(row: int, column: int) -> TableCellView:
        i, k = row_pairs.get(row), column_pairs.get(column)
        is_there = i is not None and k is not None and match.cells[i][k] in ("equal", "moved")
        text = _short(texts[row][column])
        return TableCellView(text, "", "equal" if is_there else "missing" if text else "empty")

    return TableMatchView(
        name=name,
        source=source,
        caption_a=_short(ours.caption),
        caption_b="",
        page_a=ours.page,
        page_b=None,
        place_a=ours.span,
        score=match.share_a,
        share_a=match.share_a,
        share_b=0.0,
        transposed=False,
        columns=tuple(TableColumnView(k, None, False) for k in columns),
        rows=tuple(
            TableRowView(i, None, False, tuple(cell(i, k) for k in columns))
            for i in range(min(len(texts), MOST_ROWS))
        ),
        more_rows=max(0, len(texts) - MOST_ROWS),
        more_columns=max(0, width - MOST_COLUMNS),
    )


@dataclass(frozen=True, slots=True)
class _LinePair:
    """A row or a column: where it stands here and there."""

    a: int | None
    b: int | None
    moved: bool = False
    pair: int | None = None  # its number in the match; without one it was not compared

    @property
    def is_paired(self) -> bool:
        return self.a is not None and self.b is not None


class _TablePair:
    """Two tables with the rows and columns that belong together; theirs is turned as ours is."""

    def __init__(self, match: TableMatch, ours: Texts, theirs: Texts) -> None:
        self._match, self._ours, self._theirs = match, ours, theirs

    def rows(self) -> list[_LinePair]:
        columns = self._match.columns
        return _lines(
            self._match.rows,
            [[row[a].strip() for a, _ in columns] for row in self._ours],
            [[row[b].strip() for _, b in columns] for row in self._theirs],
        )

    def columns(self) -> list[_LinePair]:
        rows = self._match.rows[:_MOST_COMPARED]
        lines = _lines(
            self._match.columns,
            [[self._ours[a][c].strip() for a, _ in rows] for c in range(_width(self._ours))],
            [[self._theirs[b][c].strip() for _, b in rows] for c in range(_width(self._theirs))],
        )
        return sorted(lines, key=lambda line: line.a is None)  # ours stay beside each other

    def cell(self, row: _LinePair, column: _LinePair) -> TableCellView:
        a = b = ""
        if row.a is not None and column.a is not None:
            a = _short(self._ours[row.a][column.a])
        if row.b is not None and column.b is not None:
            b = _short(self._theirs[row.b][column.b])
        return TableCellView(a, b, self._state(row, column, a, b))

    def _state(self, row: _LinePair, column: _LinePair, a: str, b: str) -> CellState:
        if row.pair is not None and column.pair is not None:
            return self._match.cells[row.pair][column.pair]
        if row.is_paired and column.is_paired:  # numbering and titles, which were not compared
            return "equal" if a == b and a else "empty"
        if a:
            return "missing"
        return "added" if b else "empty"


def _lines(pairs: Sequence[tuple[int, int]], ours: Texts, theirs: Texts) -> list[_LinePair]:
    """All rows, or all columns, of two tables in the order of ours."""
    moved = out_of_order(pairs)
    beside = {a: _LinePair(a, b, i in moved, i) for i, (a, b) in enumerate(pairs)}
    paired_b = {b for _, b in pairs}
    # Numbering, titles and blank lines were not compared; they belong together all the same.
    unpaired: dict[tuple[str, ...] | str, list[int]] = {}
    for b, texts in enumerate(theirs):
        if b not in paired_b:
            unpaired.setdefault(_likeness(b, texts), []).append(b)
    for a, texts in enumerate(ours):
        if a not in beside and (same := unpaired.get(_likeness(a, texts))):
            beside[a] = _LinePair(a, same.pop(0))
    partner_of = {line.b: line.a for line in beside.values()}
    after: dict[int | None, list[_LinePair]] = {}
    last: int | None = None  # the line of ours beside which the one before stands
    for b in range(len(theirs)):
        if b in partner_of:
            last = partner_of[b]
        else:
            after.setdefault(last, []).append(_LinePair(None, b))
    lines = after.get(None, [])
    for a in range(len(ours)):
        lines += [beside.get(a, _LinePair(a, None)), *after.get(a, [])]
    return lines


def _likeness(place: int, texts: Sequence[str]) -> tuple[str, ...] | str:
    """What a line that was not compared is known by: that it counts the others, or its texts.

    >>> _likeness(0, ["No.", "2.", "1."]), _likeness(1, ["a", "2"])
    ('numbering', ('a', '2'))
    """
    numbers = [int(text.rstrip(".)")) for text in texts if text.rstrip(".)").isdecimal()]
    counts = len(numbers) == len(set(numbers)) >= max(2, len(texts) - 1)
    few = max(numbers, default=0) <= 2 * len(texts) + 10
    return "numbering" if place == 0 and counts and few else tuple(texts)


def _select_lines(lines: list[_LinePair], most: int, altered: Collection[int]) -> list[_LinePair]:
    """The first line, those altered, those with a partner, then others: as many as find room."""
    if len(lines) <= most:
        return lines
    altered_pairs = set(altered)

    def rank(i: int) -> int:
        return (
            0 if i == 0 else 1 if lines[i].pair in altered_pairs else 2 if lines[i].is_paired else 3
        )

    selected = sorted(range(len(lines)), key=lambda i: (rank(i), i))[:most]
    return [lines[i] for i in sorted(selected)]


def _even(rows: Texts) -> list[list[str]]:
    """Rows of one length."""
    width = max(map(len, rows), default=0)
    return [[*row, *[""] * (width - len(row))] for row in rows]


def _width(rows: Texts) -> int:
    return len(rows[0]) if rows else 0


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= LONGEST_CELL else f"{text[: LONGEST_CELL - 1]}…"
