"""A table made ready: rectangular, its cells read, its head known, its numbering gone."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from likewise.model import Table
from likewise.tables.cells import EMPTY, Cell, Style, read_cell

Texts = Sequence[Sequence[str]]

MOST_HEAD_ROWS = 4
_NUMBERING = re.compile(
    r"(?:no|nr|num|number of entry|no\. of entry|№|n|#|p/c|р/с|р/б|п/п|№\s?п/п|№\s?р/с|n\s?п/п)\.?",
    re.IGNORECASE,
)
_ORDINAL = re.compile(r"(\d{1,9})[.)]?")
_A_YEAR = re.compile(r"(?:1[89]|20)\d\d")


@dataclass(frozen=True, slots=True)
class Layout:
    """The cells of a table that are compared, and where each row and column stood in it."""

    cells: tuple[tuple[Cell, ...], ...]
    head: int  # how many of the rows are headings
    caption: str
    row_places: tuple[int, ...]
    column_places: tuple[int, ...]

    @property
    def headings(self) -> tuple[tuple[Cell, ...], ...]:
        return self.cells[: self.head]

    @property
    def body(self) -> tuple[tuple[Cell, ...], ...]:
        return self.cells[self.head :]


def lay_out(table: Table) -> Layout:
    """Rows and columns that hold something, without the numbering, with every cell read.

    >>> from likewise.model import Span
    >>> rows = (("No.", "Company", "Income"), ("1", "Alpha-Bud", "895 975"), ("2", "New", "7"))
    >>> layout = lay_out(Table(rows, Span(0, 0)))
    >>> layout.head, layout.column_places, layout.cells[1][1].numbers[0].value
    (1, (1, 2), 895975.0)
    """
    width = max(map(len, table.rows), default=0)
    rows = [
        (place, (*row, *[""] * (width - len(row))))
        for place, row in enumerate(table.rows)
        if any(text.strip() for text in row)
    ]
    caption = table.caption.strip()
    while len(rows) > 1 and width > 1 and _is_one_cell(rows[0][1]):
        caption = caption or rows[0][1][0].strip()
        del rows[0]
    columns = [c for c in range(width) if any(row[c].strip() for _, row in rows)]
    texts = [[row[c].strip() for c in columns] for _, row in rows]
    places = [place for place, _ in rows]
    columns, texts = _without_numbering(columns, texts)
    across, turned = _without_numbering(places, _turned(texts))
    if len(across) < len(places):
        places, texts = across, _turned(turned)
    head = _head_rows(texts)
    return Layout(_read(texts, head), head, caption, tuple(places), tuple(columns))


def _turned(texts: Texts) -> list[list[str]]:
    return [list(column) for column in zip(*texts, strict=True)]


def _is_one_cell(row: Sequence[str]) -> bool:
    """A cell as wide as the table stands in each of its columns: a title, not a row."""
    return len(row) > 1 and len(set(row)) == 1


def _without_numbering(
    places: list[int], texts: list[list[str]]
) -> tuple[list[int], list[list[str]]]:
    """Without the first column, if it only counts the rows."""
    if len(places) < 2 or not texts:
        return places, texts
    column = [row[0] for row in texts]
    has_head = bool(_NUMBERING.fullmatch(column[0]))
    counted = [match for text in column if (match := _ORDINAL.fullmatch(text))]
    numbers = [int(match[1]) for match in counted]
    in_order = len(numbers) >= 2 and numbers == list(range(1, len(numbers) + 1))
    unnamed = column[0] == "" or (numbers[:1] == [1] and bool(_ORDINAL.fullmatch(column[0])))
    whole = len(numbers) >= len(column) - MOST_HEAD_ROWS and len(numbers) >= 0.8 * (len(column) - 1)
    if (has_head and 2 * len(numbers) >= len(column) - 1) or (
        unnamed and in_order and whole and len(numbers) >= 3
    ):
        return places[1:], [row[1:] for row in texts]
    return places, texts


def _head_rows(texts: Texts) -> int:
    """How many rows at the top name the columns.

    They hold words or years where the rows below hold numbers or dates. Where a table has words
    alone, its first row is a head if no word of it comes again.
    """
    if len(texts) < 2:
        return 0
    below = texts[min(len(texts) // 2, MOST_HEAD_ROWS) : 200]
    kinds = [_is_mostly_data([row[c] for row in below]) for c in range(len(texts[0]))]
    if any(kinds):
        head = 0
        for row in texts[: min(MOST_HEAD_ROWS, len(texts) - 1)]:
            over_data = [text for text, data in zip(row, kinds, strict=True) if data and text]
            if any(_is_data(text) and not _A_YEAR.fullmatch(text) for text in over_data):
                break
            if (
                over_data
                and all(_A_YEAR.fullmatch(text) for text in over_data)
                and (len(over_data) < 2 or head)
            ):
                break
            head += 1
        return head if head < len(texts) else 0
    first = [text for text in texts[0] if text]
    again = {text for row in texts[1:200] for text in row}
    return int(len(first) == len(set(first)) == len(texts[0]) and again.isdisjoint(first))


def _is_data(text: str) -> bool:
    return read_cell(text).kind in ("number", "date")


def _is_mostly_data(texts: Sequence[str]) -> bool:
    filled = [text for text in texts if text]
    return bool(filled) and 2 * sum(map(_is_data, filled)) > len(filled)


def _read(texts: Texts, head: int) -> tuple[tuple[Cell, ...], ...]:
    """Every cell, in the style of its column, and where that says nothing in the table's."""
    if not texts:
        return ()
    whole = Style.of(text for row in texts[:200] for text in row)
    columns = []
    for column in zip(*texts, strict=True):
        own = Style.of(column[head:], " ".join(column[:head]))
        style = Style(own.decimal or whole.decimal, own.month_first, own.weeks)
        plain = Style(style.decimal, style.month_first)
        columns.append(
            [
                read_cell(text, plain if row < head else style) if text else EMPTY
                for row, text in enumerate(column)
            ]
        )
    return tuple(zip(*columns, strict=True))
