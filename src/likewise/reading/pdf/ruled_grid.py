"""Ruling lines to the cells that they enclose."""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from typing import Any

import numpy as np

from likewise.reading.pdf.page_objects import PageObjects, Rule

NEAR = 1.5  # points between two strokes of one line
APART = 4.0  # points; tracks that are narrower hold no text: they are double lines
MEETING = 3.0  # points between the end of a line and the line that it meets
COVERED = 0.6  # of a side of a cell that a line must run along to divide it
CLOSED = 0.95  # of the sides between cells have a line
MOST_LINES = 600  # in each direction; a page of print has room for fewer
MOST_CELLS = 20_000  # of a table on one page
Interval = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Cell:
    """A rectangle of a ruled grid, and the rows and columns that it covers."""

    row: int
    column: int
    down: int
    across: int


@dataclass(frozen=True, slots=True)
class RuledGrid:
    """Cells between lines: `xs` from the left, `ys` from the top, in points."""

    xs: tuple[float, ...]
    ys: tuple[float, ...]
    cells: tuple[Cell, ...]


def ruled_grids(objects: PageObjects) -> list[RuledGrid]:
    """Every grid of two rows and two columns or more that the lines of a page make."""
    if len(objects.across) < 2 or len(objects.down) < 1:
        return []
    across, down = _lines(objects.across), _lines(objects.down)
    if not across or not down or max(len(across), len(down)) > MOST_LINES:
        return []
    grids = (_grid(*group) for group in _groups(across, down))
    return [grid for grid in grids if grid]


def _lines(rules: list[Rule]) -> list[Rule]:
    """Strokes of one line made one rule: those at nearly one place whose ends nearly meet."""
    lines: list[Rule] = []
    rules = sorted(rules, key=lambda rule: rule.at)
    begin = 0
    for i in range(1, len(rules) + 1):
        if (
            i < len(rules)
            and rules[i].at - rules[i - 1].at <= NEAR
            and rules[i].at - rules[begin].at <= 2 * NEAR
        ):
            continue
        same = sorted(rules[begin:i], key=lambda rule: rule.start)
        at = sum(r.at * (r.end - r.start) for r in same) / sum(r.end - r.start for r in same)
        start, end = same[0].start, same[0].end
        for rule in same[1:]:
            if rule.start > end + MEETING:
                lines.append(Rule(at, start, end))
                start = rule.start
            end = max(end, rule.end)
        lines.append(Rule(at, start, end))
        begin = i
    return lines


def _groups(across: list[Rule], down: list[Rule]) -> list[tuple[list[Rule], list[Rule]]]:
    """Lines that hang together by crossing or touching each other."""
    group = list(range(len(across) + len(down)))

    def root(i: int) -> int:
        while group[i] != i:
            group[i] = group[group[i]]
            i = group[i]
        return i

    heights = [rule.at for rule in across]
    for j, line in enumerate(down, len(across)):
        i = bisect_left(heights, line.start - MEETING)
        while i < len(across) and heights[i] <= line.end + MEETING:
            if across[i].start - MEETING <= line.at <= across[i].end + MEETING:
                group[root(i)] = root(j)
            i += 1
    groups: dict[int, tuple[list[Rule], list[Rule]]] = {}
    for i, rule in enumerate(across):
        groups.setdefault(root(i), ([], []))[0].append(rule)
    for j, rule in enumerate(down, len(across)):
        groups.setdefault(root(j), ([], []))[1].append(rule)
    return [pair for pair in groups.values() if pair[0] and pair[1]]


def _grid(across: list[Rule], down: list[Rule]) -> RuledGrid | None:
    """The grid of one group; sides where lines end in the open are closed."""
    xs = _tracks([rule.at for rule in down], across)
    ys = _tracks([rule.at for rule in across], down)[::-1]
    rows, columns = len(ys) - 1, len(xs) - 1
    if min(rows, columns) < 1 or not 2 <= rows * columns <= MOST_CELLS:
        return None
    beside = [_along(down, x) for x in xs]
    above = [_along(across, y) for y in ys]
    # Whether a line divides a place from the one to the right of it, and from the one below.
    right = [
        [_covers(beside[c + 1], ys[r + 1], ys[r]) for c in range(columns)] for r in range(rows)
    ]
    below = [[_covers(above[r + 1], xs[c], xs[c + 1]) for c in range(columns)] for r in range(rows)]
    cells = _cells(right, below, rows, columns)
    if not _closed(cells, right, below, rows, columns):
        return None
    return RuledGrid(tuple(xs), tuple(ys), tuple(cells))


def _tracks(places: list[float], crossing: list[Rule]) -> list[float]:
    """Where cells may end: at every line, and where the lines that cross these end."""
    first = min(rule.start for rule in crossing)
    last = max(rule.end for rule in crossing)
    tracks: list[float] = []
    for place in sorted([first, *places, last]):
        if not tracks or place - tracks[-1] > APART:
            tracks.append(place)
    return tracks


def _along(rules: list[Rule], place: float) -> list[Interval]:
    """Where lines run at a place, double ones as one, from start to end."""
    near = sorted((r.start, r.end) for r in rules if -NEAR <= r.at - place <= APART)
    joined: list[Interval] = []
    for start, end in near:
        if joined and start <= joined[-1][1]:
            joined[-1] = joined[-1][0], max(end, joined[-1][1])
        else:
            joined.append((start, end))
    return joined


def _covers(intervals: list[Interval], start: float, end: float) -> bool:
    length = sum(max(0.0, min(end, b) - max(start, a)) for a, b in intervals)
    return length >= COVERED * (end - start)


def _cells(right: list[list[bool]], below: list[list[bool]], rows: int, columns: int) -> list[Cell]:
    """Places that no line divides are one cell, as long as that is a rectangle.

    From the upper left: as far right as nothing divides, then as far down as the whole width
    goes on without a line below, and without one inside.
    """
    used = [[False] * columns for _ in range(rows)]
    cells = []
    for row in range(rows):
        for column in range(columns):
            if used[row][column]:
                continue
            end = column + 1
            while end < columns and not right[row][end - 1] and not used[row][end]:
                end += 1
            bottom = row + 1
            while bottom < rows and _goes_on(right, below, bottom, column, end, columns):
                bottom += 1
            for r in range(row, bottom):
                used[r][column:end] = [True] * (end - column)
            cells.append(Cell(row, column, bottom - row, end - column))
    return cells


def _closed(
    cells: list[Cell], right: list[list[bool]], below: list[list[bool]], rows: int, columns: int
) -> bool:
    """Whether lines run between nearly all neighbours: those of plots and diagrams end anywhere."""
    sides = []
    for cell in cells:
        bottom, end = cell.row + cell.down, cell.column + cell.across
        if end < columns:
            sides += [right[row][end - 1] for row in range(cell.row, bottom)]
        if bottom < rows:
            sides += below[bottom - 1][cell.column : end]
    return sum(sides) >= CLOSED * len(sides)


def _goes_on(
    right: list[list[bool]], below: list[list[bool]], row: int, column: int, end: int, columns: int
) -> bool:
    """Whether a cell from `column` to `end` reaches into a row: open above, closed at its sides."""
    return (
        not any(below[row - 1][column:end])
        and not any(right[row][column : end - 1])
        and (end == columns or right[row][end - 1])
        and (column == 0 or right[row][column - 1])
    )


# Cells that hold several values because a line between them was not drawn, divided.

WIDE = 1.0  # heights of a letter; words of one value stand closer to each other
LINE = 0.5  # heights of a letter by which letters of one line may differ
FEWEST = 3  # lines of numbers below each other are rows, not one value in several lines
_NUMBER = re.compile(r"\W*\d[\W\d]*|[-–—.:*]+|n\.?[ad]\.?")

Numbers = np.ndarray[Any, Any]


def divide_cells(ruled: RuledGrid, boxes: Numbers, text: str) -> RuledGrid:
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
    lines = [_text_lines(column, boxes, text) for column in columns]
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


def _text_lines(column: Numbers, boxes: Numbers, text: str) -> list[tuple[str, float, float]]:
    """Lines from the top: what they say without blanks, their bottom and their top."""
    lines: list[tuple[str, float, float]] = []
    for i in sorted(column.tolist(), key=lambda i: -boxes[i, 3]):
        _, bottom, _, top = boxes[i]
        if lines and lines[-1][2] - top < LINE * (top - bottom):
            line_text, low, high = lines[-1]
            lines[-1] = line_text + text[i], min(low, bottom), max(high, top)
        else:
            lines.append((text[i], bottom, top))
    return lines
