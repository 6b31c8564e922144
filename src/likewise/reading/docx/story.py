"""One part of a Word document while it is walked through, with its tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from likewise.errors import ReadingError
from likewise.reading.docx.parts import Relations
from likewise.reading.docx.text_style import TextStyles
from likewise.reading.draft import Hidden
from likewise.reading.office.blocks import Block, Cell, Paragraph, TableBlock
from likewise.reading.office.text_style import AUTOMATIC, UNKNOWN, WHITE
from likewise.reading.package import Element

DEEPEST = 240  # elements inside each other; Word's own files stay below fifty

_R = (
    "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}",
    "{http://purl.oclc.org/ooxml/officeDocument/relationships}",
)


@dataclass(slots=True)
class OpenTable:
    """A table while its rows are read."""

    block: TableBlock
    row: list[Cell] | None = None
    column: int = 0  # of the next cell
    above: dict[int, Cell] = field(default_factory=dict)  # by column: what this row may lengthen
    here: dict[int, Cell] = field(default_factory=dict)  # what the next row may


class Story:
    """The paragraphs and tables of a part, and what was passed over in it.

    `actions` says what is done with which element; any other one is a container and is entered.
    `notes` finds a footnote or endnote by its kind and number, `drawn_lines` those of a diagram or
    chart by its part's name, `chunk` those of a piece in another format and whether that is all.
    `text_styles` tells from the properties of runs and paragraphs whether people can see them:
    hidden text is read as all other, and remembered as hidden.
    """

    def __init__(
        self,
        w: str,
        actions: Mapping[str, Callable[[Story, Element], None]],
        relations: Relations,
        notes: Callable[[str, str], tuple[Element, Relations] | None],
        drawn_lines: Callable[[str], list[str]],
        chunk: Callable[[str], tuple[list[str], bool]],
        text_styles: TextStyles,
        page_colour: int = WHITE,
        has_drawings: Callable[[], bool] = lambda: False,
    ) -> None:
        self.blocks: list[Block] = []
        self.endnotes: list[Block] = []
        self.headers: list[str | Element] = []  # the parts' names, or in Word 2003 the elements
        self.footers: list[str | Element] = []
        self.pictures: dict[str, str] = {}  # in base64, by name, where they stand in the text
        self.deletions = self.comments = self.embedded = self.foreign = 0

        self.w = w
        self.relations = relations
        self.notes = notes
        self.drawn_lines = drawn_lines
        self.chunk = chunk
        self.noted: set[tuple[str, str]] = set()  # every note is read once
        self.into: list[Block] = self.blocks  # where blocks go outside paragraphs
        self.paragraph: Paragraph | None = None
        self.table: OpenTable | None = None
        self.fields: list[bool] = []  # the open fields: whether each shows its result already
        self.unshown = 0  # open fields that do not
        self.writes = 0  # how often something was put down
        self.text_styles = text_styles
        self.has_drawings = has_drawings
        self.way_of_hiding = ""  # of the text that comes next
        self.row_is_hidden = False
        self.in_shape = False
        self.in_formula = False
        self.style = ""  # of the open paragraph
        # The colours that text stands on: the page or cell, the paragraph, the shape around.
        self.background = self.paragraph_background = page_colour
        self.shape_background = WHITE
        self.page_colour = page_colour
        self.drawing_behind = 0  # so many more paragraphs may stand on a drawing
        self._actions = actions
        self._depth = 0
        self._loose: Paragraph | None = None

    def read(self, element: Element) -> None:
        """Read everything inside an element."""
        self._depth += 1
        if self._depth > DEEPEST:
            raise ReadingError("reading.too_deep")
        for child in element:
            action = self._actions.get(child.tag)
            if action is None:
                self.read(child)
            else:
                action(self, child)
        self._depth -= 1

    def read_aside(self, element: Element, into: list[Block]) -> None:
        """Read everything inside an element, but not where the story has got to."""
        outside = self.paragraph, self.into, self.table, self.fields, self.unshown
        backgrounds = self.background, self.row_is_hidden, self.in_shape
        self.paragraph, self.into, self.table, self.fields, self.unshown = None, into, None, [], 0
        self.background, self.row_is_hidden, self.in_shape = self.page_colour, False, False
        self.read(element)
        self.paragraph, self.into, self.table, self.fields, self.unshown = outside
        self.background, self.row_is_hidden, self.in_shape = backgrounds

    def place(self) -> list[Block]:
        """Where the next block goes: beside the open paragraph, if there is one."""
        return self.into if self.paragraph is None else self.paragraph.after

    def open_paragraph(self) -> Paragraph:
        """The open paragraph, or one for text that stands outside of all."""
        if self.paragraph is not None:
            return self.paragraph
        if self._loose is None or not self.into or self.into[-1] is not self._loose:
            self._loose = Paragraph()
            self.into.append(self._loose)
        return self._loose

    def say(self, text: str) -> None:
        """Put text down, unless it belongs to the instruction of a field."""
        if self.unshown:
            return
        paragraph = self.open_paragraph()
        if paragraph.length or not text.isspace():  # no indents: a note's number leaves a tab
            paragraph.add(text, self.way_of_hiding)
            self.writes += 1

    def apply_paragraph_style(self, style: str, shading: int = AUTOMATIC) -> None:
        """From here on text has the look of this style, on this shading."""
        self.style = style
        if shading == AUTOMATIC:
            shading = self.text_styles.shading_of_style(style)
        if shading == AUTOMATIC:
            on_page = self.background == self.page_colour
            shading = UNKNOWN if self.drawing_behind and on_page else self.background
        self.paragraph_background = shading
        if self.row_is_hidden:
            self.way_of_hiding = Hidden.INVISIBLE
        else:
            self.way_of_hiding = self.text_styles.way_of_paragraph(style, self.paragraph_background)

    def attribute(self, element: Element, name: str) -> str:
        return element.get(self.w + name) or ""

    def number(self, element: Element | None, otherwise: int) -> int:
        """The number that an element stands for."""
        value = "" if element is None else self.attribute(element, "val")
        return int(value) if value.isascii() and value.isdigit() and len(value) < 6 else otherwise

    def related(self, element: Element, attribute: str) -> str:
        """The name of the part inside the package that an attribute refers to."""
        for r in _R:
            relation = self.relations.get(element.get(r + attribute) or "")
            if relation is not None and not relation.external:
                return relation.target
        return ""


# Tables of a Word document.


def on_table(story: Story, element: Element) -> None:
    table = TableBlock()
    story.place().append(table)
    outside = story.paragraph, story.into, story.table, story.background
    story.paragraph, story.into, story.table = None, [], OpenTable(table)
    style = element.find(f"{story.w}tblPr/{story.w}tblStyle")
    if style is not None and story.text_styles.is_dark_table(story.attribute(style, "val")):
        story.background = UNKNOWN  # heads of tables are white on blue more often than not
    story.read(element)
    story.paragraph, story.into, story.table, story.background = outside


def on_row(story: Story, element: Element) -> None:
    table = story.table
    if table is None or table.row is not None:
        story.read(element)
        return
    outside = story.row_is_hidden
    properties, before = element.find(story.w + "trPr"), 0
    if properties is not None:
        if properties.find(story.w + "del") is not None:
            story.deletions += 1
            return
        before = story.number(properties.find(story.w + "gridBefore"), 0)
        story.row_is_hidden = story.text_styles.is_on(properties.find(story.w + "hidden"))
    table.row, table.column, table.here = [], before, {}
    table.block.rows.append(table.row)
    if before:
        table.row.append(Cell(across=before))
    story.read(element)
    table.row, table.above = None, table.here
    story.row_is_hidden = outside


def on_cell(story: Story, element: Element) -> None:
    table = story.table
    if table is None or table.row is None:
        story.read(element)
        return
    cell, column = Cell(), table.column
    merged_down, merged_across = None, ""
    background = story.background
    properties = element.find(story.w + "tcPr")
    if properties is not None:
        cell.across = max(story.number(properties.find(story.w + "gridSpan"), 1), 1)
        shading = story.text_styles.shading(properties.find(story.w + "shd"))
        story.background = background if shading == AUTOMATIC else shading
        merged_down = _either(properties, story.w + "vMerge", story.w + "vmerge")
        beside = _either(properties, story.w + "hMerge", story.w + "hmerge")
        merged_across = "" if beside is None else story.attribute(beside, "val") or "continue"
    story.into, story.table = cell.blocks, None
    story.read(element)
    story.into, story.table, story.background = [], table, background
    table.column = column + cell.across
    above = table.above.get(column)
    if merged_across == "continue" and table.row:
        table.row[-1].across += cell.across
        table.row[-1].blocks += cell.blocks
    elif merged_down is None:
        table.row.append(cell)
    elif story.attribute(merged_down, "val") == "restart" or above is None:
        table.row.append(cell)
        table.here[column] = cell
    else:
        above.down += 1
        above.blocks += [b for b in cell.blocks if isinstance(b, TableBlock) or b.length]
        table.here[column] = above


def _either(element: Element, name: str, name_in_2003: str) -> Element | None:
    child = element.find(name)
    return element.find(name_in_2003) if child is None else child
