"""One part of a Word document while it is walked through."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from likewise.errors import ReadingError
from likewise.reading.docx.looks import Looks
from likewise.reading.docx.parts import Relations
from likewise.reading.draft import Hidden
from likewise.reading.office.blocks import Block, Cell, Paragraph, TableBlock
from likewise.reading.office.looks import AUTOMATIC, UNKNOWN, WHITE
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
    `notes` finds a footnote or endnote by its kind and number, `drawn` the lines of a diagram or
    chart by its part's name, `chunk` those of a piece in another format and whether that is all.
    `looks` tells from the properties of runs and paragraphs whether people can see them: hidden
    text is read as all other, and remembered as hidden.
    """

    def __init__(
        self,
        w: str,
        actions: Mapping[str, Callable[[Story, Element], None]],
        relations: Relations,
        notes: Callable[[str, str], tuple[Element, Relations] | None],
        drawn: Callable[[str], list[str]],
        chunk: Callable[[str], tuple[list[str], bool]],
        looks: Looks,
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
        self.drawn = drawn
        self.chunk = chunk
        self.noted: set[tuple[str, str]] = set()  # every note is read once
        self.into: list[Block] = self.blocks  # where blocks go outside paragraphs
        self.paragraph: Paragraph | None = None
        self.table: OpenTable | None = None
        self.fields: list[bool] = []  # the open fields: whether each shows its result already
        self.unshown = 0  # open fields that do not
        self.said = 0  # how often something was put down
        self.looks = looks
        self.has_drawings = has_drawings
        self.way_of_hiding = ""  # of the text that comes next
        self.row_is_hidden = False
        self.in_shape = False
        self.in_formula = False
        self.style = ""  # of the open paragraph
        # The colours that text stands on: the page or cell, the paragraph, the shape around.
        self.floor = self.paragraph_floor = page_colour
        self.shape_floor = WHITE
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
        floors = self.floor, self.row_is_hidden, self.in_shape
        self.paragraph, self.into, self.table, self.fields, self.unshown = None, into, None, [], 0
        self.floor, self.row_is_hidden, self.in_shape = self.page_colour, False, False
        self.read(element)
        self.paragraph, self.into, self.table, self.fields, self.unshown = outside
        self.floor, self.row_is_hidden, self.in_shape = floors

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
            self.said += 1

    def look_at_paragraph(self, style: str, shading: int = AUTOMATIC) -> None:
        """From here on text has the look of this style, on this shading."""
        self.style = style
        if shading == AUTOMATIC:
            shading = self.looks.shading_of_style(style)
        if shading == AUTOMATIC:
            on_page = self.floor == self.page_colour
            shading = UNKNOWN if self.drawing_behind and on_page else self.floor
        self.paragraph_floor = shading
        if self.row_is_hidden:
            self.way_of_hiding = Hidden.INVISIBLE
        else:
            self.way_of_hiding = self.looks.way_of_paragraph(style, self.paragraph_floor)

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
