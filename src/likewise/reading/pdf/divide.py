"""Cells that hold several values because a line between them was not drawn, divided."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import groupby, pairwise
from typing import Any

import numpy as np

from likewise.reading.pdf.grid import Cell, RuledGrid

WIDE = 1.0  # heights of a letter; words of one value stand closer to each other
LINE = 0.5  # heights of a letter by which letters of one line may differ
FEWEST = 3  # lines of numbers below each other are rows, not one value in several lines
_NUMBER = re.compile(r"\W*\d[\W\d]*|[-–—.:*]+|n\.?[ad]\.?")

Numbers = np.ndarray[Any, Any]


def divided(ruled: RuledGrid, boxes: Numbers, text: str) -> RuledGrid:
    """The grid with more cells, where the characters in `boxes` show that there are more."""
    middles = (boxes[:, :2] + boxes[:, 2:]) / 2
    return _by_columns(_by_rows(ruled, boxes, middles, text), boxes, middles)


def _inside(ruled: RuledGrid, cell: Cell, middles: Numbers) -> Numbers:
    """Which characters stand in a cell."""
    x, y = middles.T
    left, right = ruled.xs[cell.column], ruled.xs[cell.column + cell.across]
    top, bottom = ruled.ys[cell.row], ruled.ys[cell.row + cell.down]
    return np.flatnonzero((x > left) & (x < right) & (y > bottom) & (y < top))


def _by_columns(ruled: RuledGrid, boxes: Numbers, middles: Numbers) -> RuledGrid:
    """Divide a cell over several columns where its text keeps clear of the lines between them."""
    cells = []
    for cell in ruled.cells:
        ends = [0, cell.across]
        if cell.across > 1:
            mine = boxes[_inside(ruled, cell, middles)]
            places = ruled.xs[cell.column + 1 : cell.column + cell.across]
            ends = [0, *_clear(mine, places), cell.across]
        cells += [replace(cell, column=cell.column + a, across=b - a) for a, b in pairwise(ends)]
    return replace(ruled, cells=tuple(cells))


def _clear(boxes: Numbers, places: tuple[float, ...]) -> list[int]:
    """Which of these places no text comes near, if text stands on both sides of one of them."""
    if len(boxes) < 2:
        return []
    wide = WIDE * float(np.median(boxes[:, 3] - boxes[:, 1]))
    clear, both = [], False
    for i, place in enumerate(places, 1):
        before, after = boxes[boxes[:, 0] < place], boxes[boxes[:, 0] >= place]
        if len(before) and len(after):
            if after[:, 0].min() - before[:, 2].max() < wide:
                continue
            both = True
        elif len(before) and before[:, 2].max() > place:
            continue
        clear.append(i)
    return clear if both else []


def _by_rows(ruled: RuledGrid, boxes: Numbers, middles: Numbers, text: str) -> RuledGrid:
    """Divide a row whose numbers stand below each other."""
    cuts: dict[int, list[float]] = {}
    lowest = FEWEST * float(np.nanmedian(boxes[:, 3] - boxes[:, 1]))
    for row, cells in groupby(ruled.cells, key=lambda cell: cell.row):
        mine = list(cells)
        if (
            ruled.ys[row] - ruled.ys[row + 1] >= lowest
            and len(mine) == len(ruled.xs) - 1
            and all(cell.down == 1 for cell in mine)
        ):
            columns = [_inside(ruled, cell, middles) for cell in mine]
            if places := _rows(columns, boxes, text):
                cuts[row] = places
    if not cuts:
        return ruled
    ys = sorted([*ruled.ys, *(place for places in cuts.values() for place in places)])[::-1]
    first = {row: ys.index(ruled.ys[row]) for row in range(len(ruled.ys))}
    cells_now = []
    for cell in ruled.cells:
        start, end = first[cell.row], first[cell.row + cell.down]
        if cell.row in cuts:
            cells_now += [replace(cell, row=row) for row in range(start, end)]
        else:
            cells_now.append(replace(cell, row=start, down=end - start))
    cells_now.sort(key=lambda cell: (cell.row, cell.column))
    return RuledGrid(ruled.xs, tuple(ys), tuple(cells_now))


def _rows(columns: list[Numbers], boxes: Numbers, text: str) -> list[float]:
    """Where to cut between lines: at those of a column of numbers, if no other has more."""
    lines = [_lines(column, boxes, text) for column in columns]
    most = max((column for column in lines[1:] if _numeric(column)), key=len, default=[])
    if len(most) < FEWEST or any(len(column) > len(most) for column in lines):
        return []
    for column in lines:
        for _, bottom, top in column:
            if not any(bottom < (low + high) / 2 < top for _, low, high in most):
                return []
    return [(upper[1] + lower[2]) / 2 for upper, lower in pairwise(most)]


def _numeric(lines: list[tuple[str, float, float]]) -> bool:
    return len(lines) >= FEWEST and all(_NUMBER.fullmatch(line) for line, _, _ in lines)


def _lines(column: Numbers, boxes: Numbers, text: str) -> list[tuple[str, float, float]]:
    """Lines from the top: what they say without blanks, their bottom and their top."""
    lines: list[tuple[str, float, float]] = []
    for i in sorted(column.tolist(), key=lambda i: -boxes[i, 3]):
        _, bottom, _, top = boxes[i]
        if lines and lines[-1][2] - top < LINE * (top - bottom):
            said, low, high = lines[-1]
            lines[-1] = said + text[i], min(low, bottom), max(high, top)
        else:
            lines.append((text[i], bottom, top))
    return lines
