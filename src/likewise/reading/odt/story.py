"""OpenDocument text to paragraphs and tables: what a reader of the document would see."""

from __future__ import annotations

import re
from collections.abc import Callable

from likewise.errors import ReadingError
from likewise.reading.draft import Hidden
from likewise.reading.formulas import tex_of
from likewise.reading.odt.text_style import Styles, TextStyles, Visibility
from likewise.reading.office.blocks import Block, Cell, Paragraph, TableBlock
from likewise.reading.package import Element

DEEPEST = 240  # elements inside each other; honest files stay below fifty

_OASIS = "{urn:oasis:names:tc:opendocument:xmlns:"
OFFICE, TEXT, TABLE, DRAW = (
    _OASIS + name + ":1.0}" for name in "office text table drawing".split()
)
_HREF = "{http://www.w3.org/1999/xlink}href"

_WHITE = re.compile(r"[ \t\r\n]+")
_MOST_SPACES = 100  # that one element may stand for
_MOST_REPEATED = 100  # cells or rows that one element may stand for
_MOST_REPEATED_CHARS = 10_000_000

Action = Callable[["Story", Element], None]


class Story:
    """The paragraphs and tables of one part of a document, and what was passed over in it.

    `formula` gives an embedded formula, None where the object is none. `text_styles` tells
    by its style whether people can see a text: hidden text is read, and remembered as hidden.
    """

    def __init__(
        self, styles: Styles, text_styles: TextStyles, formula: Callable[[str], Element | None]
    ) -> None:
        self.blocks: list[Block] = []
        self.endnotes: list[Block] = []
        self.pictures: dict[str, str] = {}  # in base64, by name, where they stand in the text
        self.deletions = self.comments = self.embedded = 0
        self._styles = styles
        self._formula = formula
        self._depth = 0
        self._into: list[Block] = self.blocks
        self._paragraph: Paragraph | None = None
        self._anchor: Paragraph | None = None  # the paragraph that a drawing hangs on
        self._table: TableBlock | None = None
        self._row: list[Cell] | None = None
        self._repeated_chars = 0
        self._page_break_due = False
        self._visibility = Visibility(text_styles)
        self._begun = False  # a style cannot put an empty page before the first paragraph

    def read(self, element: Element) -> None:
        """Read everything inside an element."""
        self._depth += 1
        if self._depth > DEEPEST:
            raise ReadingError("reading.too_deep")
        if self._paragraph is not None and element.text:
            self._say(element.text)
        for child in element:
            action = _ACTIONS.get(child.tag)
            if action is None:
                self.read(child)
            else:
                action(self, child)
            if self._paragraph is not None and child.tail:
                self._say(child.tail)
        self._depth -= 1

    def _say(self, text: str) -> None:
        paragraph = self._paragraph
        if paragraph is None:
            return
        if not paragraph.length:
            text = text.lstrip(" \t\r\n")
        if text:
            plain = text.isprintable() and "  " not in text
            paragraph.add(text if plain else _WHITE.sub(" ", text), self._visibility.way_of_hiding)

    def _write(self, text: str) -> None:
        if self._paragraph is not None:
            self._paragraph.add(text, self._visibility.way_of_hiding)

    def _place(self) -> list[Block]:
        return self._into if self._paragraph is None else self._paragraph.after

    # Paragraphs and what they hold

    def _on_paragraph(self, element: Element) -> None:
        style = element.get(TEXT + "style-name") or ""
        outer, paragraph = self._paragraph, Paragraph(style=style)
        paragraph.in_shape = self._visibility.in_shape
        state = self._visibility.state()
        self._visibility.at_paragraph(style)
        self._place().append(paragraph)
        before, after = self._styles.page_breaks(style)
        if self._begun and (self._page_break_due or before):
            paragraph.page_breaks.append((0, True))
        self._begun = True
        self._page_break_due = False
        self._paragraph = paragraph
        self.read(element)
        if self._visibility.paragraph_is_hidden and paragraph.length:
            paragraph.hidden = [(0, paragraph.length, Hidden.INVISIBLE)]
        self._visibility.restore(state)
        self._paragraph, self._page_break_due = outer, after

    def _on_span(self, element: Element) -> None:
        state = self._visibility.state()
        self._visibility.at_span(element.get(TEXT + "style-name") or "")
        self.read(element)
        self._visibility.restore(state)

    def _on_hidden_text(self, element: Element) -> None:
        state = self._visibility.state()
        if element.get(TEXT + "is-hidden") == "true":
            self._visibility.way_of_hiding = Hidden.INVISIBLE
        self.read(element)
        self._visibility.restore(state)

    def _on_hidden_paragraph(self, element: Element) -> None:
        """A field that hides the paragraph it stands in."""
        if element.get(TEXT + "is-hidden") == "true":
            self._visibility.paragraph_is_hidden = True

    def _on_section(self, element: Element) -> None:
        state = self._visibility.state()
        if element.get(TEXT + "display") == "none" or element.get(TEXT + "is-hidden") == "true":
            self._visibility.is_hidden = True
        self._visibility.stand_on("section", element.get(TEXT + "style-name"))
        self.read(element)
        self._visibility.restore(state)

    def _on_spaces(self, element: Element) -> None:
        self._write(" " * min(_number(element, TEXT + "c"), _MOST_SPACES))

    def _on_page_laid_out(self, _element: Element) -> None:
        if self._paragraph is not None:
            self._paragraph.page_breaks.append((self._paragraph.length, False))
        else:
            self._into.append(Paragraph(page_breaks=[(0, False)]))

    def _on_sequence(self, element: Element) -> None:
        if self._paragraph is not None:
            self._paragraph.counted = True
        self.read(element)

    def _on_note(self, element: Element) -> None:
        body = element.find(TEXT + "note-body")
        if body is not None:
            state = self._visibility.state()
            self._visibility.on_page()
            self._read_aside(body, self.endnotes)
            self._visibility.restore(state)

    def _read_aside(self, element: Element, into: list[Block]) -> None:
        outside = self._paragraph, self._into, self._anchor, self._table, self._row
        self._anchor = self._paragraph or self._anchor
        self._paragraph, self._into, self._table, self._row = None, into, None, None
        self.read(element)
        self._paragraph, self._into, self._anchor, self._table, self._row = outside

    # Tables

    def _on_table(self, element: Element) -> None:
        table = TableBlock()
        self._place().append(table)
        if self._styles.page_breaks(element.get(TABLE + "style-name") or "")[0]:
            self._page_break_due = True
        outside = self._paragraph, self._into, self._table, self._row
        state = self._visibility.state()
        self._paragraph, self._into, self._table, self._row = None, [], table, None
        self._visibility.stand_on("table", element.get(TABLE + "style-name"))
        self.read(element)
        self._paragraph, self._into, self._table, self._row = outside
        self._visibility.restore(state)

    def _on_row(self, element: Element) -> None:
        table = self._table
        if table is None or self._row is not None:
            self.read(element)
            return
        self._row, breaks = [], self._into  # a page may end between two rows
        state = self._visibility.state()
        self._visibility.stand_on("table-row", element.get(TABLE + "style-name"))
        self.read(element)
        self._visibility.restore(state)
        row, self._row = self._row, None
        if breaks:
            row = row or [Cell()]
            row[0].blocks[:0] = breaks
            breaks.clear()
        times = min(_number(element, TABLE + "number-rows-repeated"), _MOST_REPEATED)
        table.rows += [row] * self._affordable(times, row)

    def _on_cell(self, element: Element) -> None:
        row = self._row
        if row is None:
            self.read(element)
            return
        cell = Cell(
            across=_number(element, TABLE + "number-columns-spanned"),
            down=_number(element, TABLE + "number-rows-spanned"),
        )
        outside, state = self._into, self._visibility.state()
        self._into, self._row = cell.blocks, None
        self._visibility.stand_on("table-cell", element.get(TABLE + "style-name"))
        self.read(element)
        self._into, self._row = outside, row
        self._visibility.restore(state)
        times = min(_number(element, TABLE + "number-columns-repeated"), _MOST_REPEATED)
        row += [cell] * self._affordable(times, [cell])

    def _affordable(self, times: int, cells: list[Cell]) -> int:
        """How often some cells may stand in the table: a repeated text is written every time."""
        if times > 1:
            chars = sum(b.length for c in cells for b in c.blocks if isinstance(b, Paragraph))
            self._repeated_chars += times * chars
            has_more = any(isinstance(b, TableBlock) or b.after for c in cells for b in c.blocks)
            if self._repeated_chars > _MOST_REPEATED_CHARS or has_more:
                return 1
        return times

    # Drawings, and what is passed over

    def _on_drawing(self, element: Element) -> None:
        self._visibility.pass_drawing(element.get(DRAW + "style-name") or "")
        state = self._visibility.state()
        if not element.tag.endswith("}text-box"):  # it stands in a frame, which has the style
            self._visibility.on_drawing(element.get(DRAW + "style-name") or "")
        self._read_aside(element, self._place())
        self._visibility.restore(state)

    def _anchoring(self) -> Paragraph:
        paragraph = self._paragraph or self._anchor
        if paragraph is None:
            paragraph = Paragraph()
            self._into.append(paragraph)
        return paragraph

    def _on_picture(self, element: Element) -> None:
        name = _inside(element.get(_HREF) or "")
        data = element.find(OFFICE + "binary-data")
        if data is not None:
            name = f"picture {len(self.pictures)}"
            self.pictures[name] = data.text or ""
        if name:
            paragraph = self._anchoring()
            paragraph.pictures.append((paragraph.length, name))
        self.read(element)  # text on the picture

    def _on_object(self, element: Element) -> None:
        math = element.find(MATH + "math")
        if math is None:
            math = self._formula(_inside(element.get(_HREF) or ""))
        if math is None:
            self.embedded += 1
        elif words := formula_text(math):
            paragraph = self._anchoring()
            start = paragraph.length + 1
            paragraph.add(f" {words} ")
            if tex := tex_of(math):
                paragraph.formulas.append((start, start + len(words), tex))

    def _on_embedded(self, _element: Element) -> None:
        self.embedded += 1

    def _on_tracked_changes(self, element: Element) -> None:
        self.deletions += sum(1 for _ in element.iter(TEXT + "deletion"))

    def _on_comment(self, _element: Element) -> None:
        self.comments += 1


def _number(element: Element, name: str) -> int:
    value = element.get(name) or ""
    is_number = value.isascii() and value.isdigit()
    return max(int(value[:6]), 1) if is_number else 1


def _inside(href: str) -> str:
    """The name of a part of the same package; nothing for an address elsewhere."""
    return "" if ":" in href or href.startswith(("/", "../")) else href.removeprefix("./")


def _skip(_story: Story, _element: Element) -> None:
    pass


# What is done with an element; one that is not named here is a container and is entered.
_ACTIONS: dict[str, Action] = {
    TEXT + "p": Story._on_paragraph,
    TEXT + "h": Story._on_paragraph,
    TEXT + "s": Story._on_spaces,
    TEXT + "tab": lambda story, _: story._write("\t"),
    TEXT + "line-break": lambda story, _: story._write("\n"),
    TEXT + "soft-page-break": Story._on_page_laid_out,
    TEXT + "sequence": Story._on_sequence,
    TEXT + "note": Story._on_note,
    TEXT + "span": Story._on_span,
    TEXT + "section": Story._on_section,
    TEXT + "hidden-text": Story._on_hidden_text,
    TEXT + "hidden-paragraph": Story._on_hidden_paragraph,
    TEXT + "tracked-changes": Story._on_tracked_changes,
    OFFICE + "annotation": Story._on_comment,
    TABLE + "table": Story._on_table,
    TABLE + "table-row": Story._on_row,
    TABLE + "table-cell": Story._on_cell,
    DRAW + "image": Story._on_picture,
    DRAW + "object": Story._on_object,
    DRAW + "object-ole": Story._on_embedded,
    TABLE + "covered-table-cell": _skip,
}
for _name in (
    "frame g text-box custom-shape rect line polyline polygon regular-polygon path circle ellipse "
    "connector measure caption control page-thumbnail scene"
).split():
    _ACTIONS[DRAW + _name] = Story._on_drawing
for _name in (
    "number ruby-text note-citation sequence-decls variable-decls user-field-decls "
    "dde-connection-decls alphabetical-index-auto-mark-file table-of-content-source "
    "illustration-index-source table-index-source object-index-source user-index-source "
    "alphabetical-index-source bibliography-source"
).split():
    _ACTIONS[TEXT + _name] = _skip
for _name in ("forms", "scripts", "event-listeners", "binary-data", "annotation-end"):
    _ACTIONS[OFFICE + _name] = _skip
for _name in ("title", "desc"):
    _ACTIONS[_OASIS + "svg-compatible:1.0}" + _name] = _skip


# The words of a formula.

MATH = "{http://www.w3.org/1998/Math/MathML}"


def formula_text(math: Element) -> str:
    """The words, numbers and signs of a formula in order.

    >>> from likewise.reading.package import parse_xml
    >>> formula_text(parse_xml(
    ...     b'<math xmlns="http://www.w3.org/1998/Math/MathML"><mi>x</mi><mo>=</mo><mn>2</mn></math>'
    ... ))
    'x = 2'
    """
    tokens = math.iter(*(MATH + name for name in ("mi", "mn", "mo", "mtext", "ms")))
    words = (" ".join("".join(token.itertext()).split()) for token in tokens)
    return " ".join(word for word in words if word)
