"""One flow of paragraphs and tables: the body, a footnote, a running header, a text box."""

from __future__ import annotations

from dataclasses import dataclass, field

from likewise.reading.office.blocks import Block, Paragraph
from likewise.reading.office.rows import Row, Shape, table_of

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
        paragraph = self._taken()
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
        paragraph = self._taken()
        if _is_filled(paragraph):
            blocks.append(paragraph)

    def _taken(self) -> Paragraph:
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
