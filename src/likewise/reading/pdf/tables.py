"""Ruled tables of a PDF page: lines give the cells, the characters inside give their text."""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np
import pypdfium2.raw as pdfium

from likewise.reading.grid import Grid
from likewise.reading.pdf.chars import Chars, chars_of, plain_lines
from likewise.reading.pdf.page_objects import PageObjects
from likewise.reading.pdf.ruled_grid import RuledGrid, divide_cells, ruled_grids

FULL = 0.25  # of the cells must hold text: plots and forms are ruled too
TOGETHER = 0.9  # of the characters from the first to the last of a table are in it
ANGLES = 40  # characters whose direction is looked at

Rows = tuple[tuple[str, ...], ...]
Numbers = np.ndarray[Any, Any]


@dataclass(frozen=True, slots=True)
class RuledTable:
    """A table on a page, and where it stands in the raw text of the page, if in one piece."""

    rows: Rows
    start: int
    end: int
    together: bool


def tables_on(
    text_page: Any, raw: str, chars: Chars | None, objects: PageObjects
) -> list[RuledTable]:
    """The ruled tables of a page, in reading order; `chars` if they are known already."""
    grids = ruled_grids(objects)
    if not grids:
        return []
    chars = chars or chars_of(text_page, raw)
    if chars is None:
        return []
    boxes = chars.boxes
    quarters = _quarters(text_page, np.flatnonzero(~np.isnan(boxes[:, 0])))
    for _ in range(quarters):  # (x, y) goes to (y, -x)
        left, bottom, right, top = boxes.T
        boxes = np.stack([bottom, -right, top, -left], axis=1)
    if quarters:
        grids = ruled_grids(objects.turned(quarters))
    candidates = (_table(divide_cells(grid, boxes, chars.text), chars, boxes) for grid in grids)
    return sorted((table for table in candidates if table), key=lambda table: table.start)


def _quarters(text_page: Any, visible: Numbers) -> int:
    """How often the page must be turned clockwise so that its text runs from left to right."""
    sample = visible[:: max(1, len(visible) // ANGLES)].tolist()
    angles = (pdfium.FPDFText_GetCharAngle(text_page, i) for i in sample)
    turns = Counter(-round(angle / (math.pi / 2)) % 4 for angle in angles)
    return turns.most_common(1)[0][0] if turns else 0


def _table(ruled: RuledGrid, chars: Chars, boxes: Numbers) -> RuledTable | None:
    x, y = (boxes[:, 0] + boxes[:, 2]) / 2, (boxes[:, 1] + boxes[:, 3]) / 2
    xs, ys = np.array(ruled.xs), np.array(ruled.ys[::-1])
    here = np.flatnonzero((x > xs[0]) & (x < xs[-1]) & (y > ys[0]) & (y < ys[-1]))
    if not len(here):
        return None
    column = np.searchsorted(xs, x[here]) - 1
    row = len(ys) - 1 - np.searchsorted(ys, y[here])
    owner = np.zeros((len(ys) - 1, len(xs) - 1), dtype=np.intp)
    for i, cell in enumerate(ruled.cells):
        owner[cell.row : cell.row + cell.down, cell.column : cell.column + cell.across] = i
    texts = _texts(chars.text, here.tolist(), owner[row, column].tolist(), len(ruled.cells))
    rows = _rows(ruled, texts)
    if rows is None:
        return None
    first, last = int(here[0]), int(here[-1])
    between = int((~np.isnan(x[first : last + 1])).sum())
    together = len(here) >= TOGETHER * between
    return RuledTable(rows, chars.place(first), chars.place(last) + 1, together)


def _texts(text: str, here: list[int], owners: list[int], cells: int) -> list[str]:
    """The text of every cell: its characters in reading order, and blanks where lines end."""
    parts: list[list[str]] = [[] for _ in range(cells)]
    before, owner_before = -1, -1
    for i, owner in zip(here, owners, strict=True):
        part = parts[owner]
        if part and (owner != owner_before or i != before + 1):
            ended = owner != owner_before or "\n" in text[before + 1 : i]
            part.append("\n" if ended else " ")
        part.append(text[i])
        before, owner_before = i, owner
    return [" ".join(plain_lines("".join(part)).split()) for part in parts]


def _rows(ruled: RuledGrid, texts: list[str]) -> Rows | None:
    """The rows with every spanning cell in each place; None where the lines make no table."""
    full = [cell for cell, text in zip(ruled.cells, texts, strict=True) if text]
    if (
        len({cell.row for cell in full}) < 2
        or len({cell.column for cell in full}) < 2
        or len(full) < FULL * len(ruled.cells)
    ):
        return None
    grid = Grid()
    row = -1
    for cell, text in zip(ruled.cells, texts, strict=True):
        while row < cell.row:
            grid.row()
            row += 1
        grid.cell(text, cell.across, cell.down)
    return _without_blanks(grid.rows())


def _without_blanks(rows: Rows) -> Rows:
    """Rows and columns that hold nothing are distance between others."""
    used = [any(column) for column in zip(*rows, strict=True)]
    return tuple(
        tuple(text for text, keep in zip(row, used, strict=True) if keep)
        for row in rows
        if any(row)
    )


# The line above or below a table that says what it shows.

NEAREST = 3  # lines from the table: a caption may take several
LONGEST = 500  # characters

_CAPTION = re.compile(
    r"""\s*(?:
        (?:table|tab\.|таблица|табл\.|кесте|№)\s*(?:№\s*)?[\dа-яa-z]{1,3}(?:[.\-–]\d+)*\b
        | \d+(?:[.\-–]\d+)*\s*[-–—.]?\s*кесте\b
        | (?:table|таблица|кесте)\s*$
    )""",
    re.VERBOSE | re.IGNORECASE,
)


def caption_of(text: str, start: int, end: int) -> str:
    """The caption of the table that stands from `start` to `end`, or nothing.

    >>> text = "Before.\\nTable 3. Rain\\nby month\\n1 2\\n3 4\\nAfter."
    >>> caption_of(text, text.index("1 2"), text.index("After"))
    'Table 3. Rain by month'
    """
    above = [line for line in text[max(0, start - 4 * LONGEST) : start].split("\n") if line.strip()]
    for i, line in enumerate(reversed(above[-NEAREST:]), 1):
        if _CAPTION.match(line):
            return " ".join(" ".join(above[-i:]).split())[:LONGEST]
    below = [line for line in text[end : end + 2 * LONGEST].split("\n") if line.strip()]
    if below and _CAPTION.match(below[0]):
        return " ".join(below[0].split())[:LONGEST]
    return ""
