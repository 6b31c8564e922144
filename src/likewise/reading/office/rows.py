"""Rows whose cells are told by where their right edges stand, as Word writes them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from likewise.reading.office.blocks import Block, Cell, TableBlock

SAME_EDGE = 60  # twips, a millimetre: rows drawn by hand miss each other by less


@dataclass(frozen=True, slots=True)
class Edge:
    """Where a cell ends, in twips, and whether it goes on the cell to its left or above it."""

    right: int
    joins_left: bool = False
    joins_above: bool = False


@dataclass(frozen=True, slots=True)
class Shape:
    """What a row says about its cells; it may say nothing."""

    left: int = 0
    edges: tuple[Edge, ...] = ()


@dataclass(frozen=True, slots=True)
class Row:
    """What stands in each cell of a row, and its shape."""

    cells: Sequence[list[Block]]
    shape: Shape = field(default_factory=Shape)


@dataclass(slots=True)
class _Laid:
    """A cell in its columns."""

    cell: Cell
    first: int
    past: int  # the column after the last one
    joins_above: bool = False


def table_of(rows: Sequence[Row]) -> TableBlock:
    """The table that some rows make: cells are as wide as the edges of other rows tell.

    >>> top = Row([[], []], Shape(0, (Edge(900), Edge(2700))))
    >>> low = Row([[], [], []], Shape(0, (Edge(900), Edge(1800), Edge(2690))))
    >>> [[cell.across for cell in row] for row in table_of([top, low]).rows]
    [[1, 2], [1, 1, 1]]
    """
    columns = _columns(rows)
    table = TableBlock()
    above: dict[int, _Laid] = {}  # by first column
    for row in rows:
        kept: list[Cell] = []
        here: dict[int, _Laid] = {}
        for laid in _laid(row, columns):
            origin = above.get(laid.first) if laid.joins_above else None
            if origin is not None and origin.past == laid.past:
                origin.cell.down += 1
                origin.cell.blocks += laid.cell.blocks
                laid = origin
            else:
                laid.cell.across = laid.past - laid.first
                kept.append(laid.cell)
            here[laid.first] = laid
        above = here
        table.rows.append(kept)
    return table


def _laid(row: Row, columns: list[int] | None) -> list[_Laid]:
    if columns is None:
        return [_Laid(Cell(blocks), at, at + 1) for at, blocks in enumerate(row.cells)]
    found: list[_Laid] = []
    place = _column_at(columns, row.shape.left)
    if place > 0:
        found.append(_Laid(Cell(), 0, place))  # the row is indented
    for blocks, edge in zip(row.cells, row.shape.edges, strict=True):
        past = max(place + 1, _column_at(columns, edge.right))
        if edge.joins_left and found:
            found[-1].cell.blocks += blocks
            found[-1].past = past
        else:
            found.append(_Laid(Cell(blocks), place, past, edge.joins_above))
        place = past
    return found


def _column_at(columns: list[int], place: int) -> int:
    return bisect_right(columns, place + SAME_EDGE) - 1


def _columns(rows: Sequence[Row]) -> list[int] | None:
    """The left edges of the columns, and the right edge of the last; None where rows are silent."""
    seen: set[int] = set()
    for row in rows:
        places = [row.shape.left, *(edge.right for edge in row.shape.edges)]
        if len(row.shape.edges) != len(row.cells) or any(b < a for a, b in pairwise(places)):
            return None
        seen.update(places)
    columns: list[int] = []
    for place in sorted(seen):
        if not columns or place > columns[-1] + SAME_EDGE:
            columns.append(place)
    return columns
