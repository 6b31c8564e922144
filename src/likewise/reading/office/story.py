"""One flow of paragraphs and tables: the body, a footnote, a running header, a text box."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from likewise.reading.office.blocks import Block, Cell, Paragraph, TableBlock

DEEPEST = 16  # tables inside tables; people stop at three


@dataclass(slots=True)
class _Table:
    """A table that is not over yet."""

    rows: list[Row] = field(default_factory=list)
    cells: list[list[Block]] = field(default_factory=list)  # of the row that is not over yet
    blocks: list[Block] = field(default_factory=list)  # of the cell that is not over yet

    def end_cell(self) -> None:
        self.cells.append(self.blocks)
        self.blocks = []

    def end_row(self, shape: Shape) -> None:
        if any(map(_is_filled, self.blocks)):
            self.end_cell()  # nobody said so
        self.rows.append(Row(self.cells, shape))
        self.cells, self.blocks = [], []


class Story:
    """Text told mark by mark, as Word does: text, the end of a paragraph, of a cell, of a row.

    A paragraph, cell or row stands at a level: 0 outside of tables, 1 in one, 2 in a table inside
    a table.

    >>> story = Story()
    >>> for month in ("May", "June"):
    ...     story.text(month); story.end_cell(1)
    >>> story.end_row(1, Shape())
    >>> story.text("Steppe and sky."); story.end_paragraph(0)
    >>> table, paragraph = story.blocks()
    >>> [cell.blocks[0].text for cell in table.rows[0]], paragraph.text
    (['May', 'June'], 'Steppe and sky.')
    """

    def __init__(self, in_shape: bool = False) -> None:
        self._in_shape = in_shape
        self.paragraph = Paragraph(in_shape=in_shape)  # the one that is not over yet
        self._beside: list[Story] = []
        self._open: list[_Table] = []  # the table we are in, the one inside it, ...
        self._blocks: list[Block] = []

    def text(self, text: str, way_of_hiding: str = "") -> None:
        if not self.paragraph.length:
            text = text.lstrip()
        if text:
            self.paragraph.add(text, way_of_hiding)

    def picture(self, name: str) -> None:
        self.paragraph.pictures.append((self.paragraph.length, name))

    def beside(self) -> Story:
        """A text box that hangs on this place; it is told after the paragraph."""
        story = Story(in_shape=True)
        self._beside.append(story)
        return story

    def end_paragraph(self, level: int) -> None:
        if level == 0 and self._open and self._open[0].cells:
            level = 1  # in the middle of a row it belongs to a cell, whatever it says
        blocks = self._blocks_at(level)
        paragraph = self._take_paragraph()
        if _is_filled(paragraph) or (blocks and _is_filled(blocks[-1])):  # blank lines are one
            blocks.append(paragraph)

    def end_cell(self, level: int) -> None:
        self._end_in_table(level)
        self._open[-1].end_cell()

    def end_row(self, level: int, shape: Shape) -> None:
        self._end_in_table(level)
        self._open[-1].end_row(shape)

    def blocks(self) -> list[Block]:
        """All of it; what is open is over."""
        self.end_begun_paragraph()
        return self._blocks_at(0)

    def end_begun_paragraph(self) -> None:
        if self._beside or _is_filled(self.paragraph):
            self.end_paragraph(0)

    def _end_in_table(self, level: int) -> None:
        blocks = self._blocks_at(max(level, 1))
        paragraph = self._take_paragraph()
        if _is_filled(paragraph):
            blocks.append(paragraph)

    def _take_paragraph(self) -> Paragraph:
        paragraph = self.paragraph
        for story in self._beside:
            paragraph.after += story.blocks()
        self._beside.clear()
        self.paragraph = Paragraph(in_shape=self._in_shape)
        return paragraph

    def _blocks_at(self, level: int) -> list[Block]:
        """Where blocks of a level go; tables are begun as need be, and deeper ones are over."""
        level = min(level, DEEPEST)
        while len(self._open) > level:
            table = self._open.pop()
            if table.cells or table.blocks:
                table.end_row(Shape())
            around = self._open[-1].blocks if self._open else self._blocks
            around.append(table_of(table.rows))
        while len(self._open) < level:
            self._open.append(_Table())
        return self._open[-1].blocks if self._open else self._blocks


def _is_filled(block: Block) -> bool:
    if not isinstance(block, Paragraph):
        return True
    return bool(block.length or block.pictures or block.after)


# Rows whose cells are told by where their right edges stand, as Word writes them.

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
class _PlacedCell:
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
    above: dict[int, _PlacedCell] = {}  # by first column
    for row in rows:
        cells: list[Cell] = []
        here: dict[int, _PlacedCell] = {}
        for laid in _place_cells(row, columns):
            origin = above.get(laid.first) if laid.joins_above else None
            if origin is not None and origin.past == laid.past:
                origin.cell.down += 1
                origin.cell.blocks += laid.cell.blocks
                laid = origin
            else:
                laid.cell.across = laid.past - laid.first
                cells.append(laid.cell)
            here[laid.first] = laid
        above = here
        table.rows.append(cells)
    return table


def _place_cells(row: Row, columns: list[int] | None) -> list[_PlacedCell]:
    if columns is None:
        return [_PlacedCell(Cell(blocks), at, at + 1) for at, blocks in enumerate(row.cells)]
    cells: list[_PlacedCell] = []
    place = _column_at(columns, row.shape.left)
    if place > 0:
        cells.append(_PlacedCell(Cell(), 0, place))  # the row is indented
    for blocks, edge in zip(row.cells, row.shape.edges, strict=True):
        past = max(place + 1, _column_at(columns, edge.right))
        if edge.joins_left and cells:
            cells[-1].cell.blocks += blocks
            cells[-1].past = past
        else:
            cells.append(_PlacedCell(Cell(blocks), place, past, edge.joins_above))
        place = past
    return cells


def _column_at(columns: list[int], place: int) -> int:
    return bisect_right(columns, place + SAME_EDGE) - 1


def _columns(rows: Sequence[Row]) -> list[int] | None:
    """The left edges of the columns, and the right edge of the last; None where rows are silent."""
    edges: set[int] = set()
    for row in rows:
        places = [row.shape.left, *(edge.right for edge in row.shape.edges)]
        if len(row.shape.edges) != len(row.cells) or any(b < a for a, b in pairwise(places)):
            return None
        edges.update(places)
    columns: list[int] = []
    for place in sorted(edges):
        if not columns or place > columns[-1] + SAME_EDGE:
            columns.append(place)
    return columns
