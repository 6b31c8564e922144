"""The text style of a Word file: what programs of changes and named styles make of it.

Numbers are those of MS-DOC: 2.6.1 for changes to characters, 2.6.2 to paragraphs, 2.6.3 to tables,
2.4.6.5 and 2.9.260 for the style sheet.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from likewise.reading.doc.properties import changes
from likewise.reading.office.text_style import (
    AUTOMATIC,
    FORM_STYLES,
    PLAIN,
    UNKNOWN,
    WHITE,
    TextStyle,
    is_lost_on,
    reversed_colour,
    way_of_hiding,
)

_HIDDEN, _COLOUR, _OLD_COLOUR, _SIZE, _WIDTH = 0x083C, 0x6870, 0x2A42, 0x4A43, 0x4852
_SHADING, _OLD_SHADING, _HIGHLIGHT, _STYLE = 0xCA71, 0x4866, 0x2A0C, 0x4A30
_OUTLINES = {0x0838, 0x0839, 0x0854, 0x0858}  # outline, shadow, engraved, embossed
_PARAGRAPH_SHADING, _OLD_PARAGRAPH_SHADING = 0xC64D, 0x442D
_CELL_SHADINGS, _OLD_CELL_SHADINGS = {0xD612, 0xD616, 0xD60C, 0xD660}, 0xD609
_TABLE_STYLE, _NORMAL_TABLE = 0x563A, 11
NO_STYLE: Final = 0xFFF

# The sixteen colours of old, after the automatic one.
_COLOURS: Final = (
    AUTOMATIC,
    *(0x000000, 0x0000FF, 0x00FFFF, 0x00FF00, 0xFF00FF, 0xFF0000, 0xFFFF00, 0xFFFFFF),
    *(0x000080, 0x008080, 0x008000, 0x800080, 0x800000, 0x808000, 0x808080, 0xC0C0C0),
)

Changes = Iterable[tuple[int, bytes]]


def text_style_of(changes: Changes) -> tuple[TextStyle, int]:
    """What changes make of characters; and the number of a style for them, or none."""
    hidden: bool | None = None
    outlined: bool | None = None
    colour, points, width, behind, style = None, None, None, None, NO_STYLE
    for change, operand in changes:
        number = int.from_bytes(operand, "little")
        if change == _HIDDEN:
            hidden = number in {1, 0x81} if number != 0x80 else None  # 0x80: as the style says
        elif change == _COLOUR:
            colour = AUTOMATIC if number >> 24 else reversed_colour(number)
        elif change == _OLD_COLOUR:
            colour = _old(number) if colour is None or colour == AUTOMATIC else colour
        elif change == _SIZE:
            points = number / 2 or None
        elif change == _WIDTH:
            width = number or None
        elif change in {_SHADING, _OLD_SHADING}:
            shade = shade_of(change, operand)
            behind = shade if shade != AUTOMATIC or behind is None else behind
        elif change == _HIGHLIGHT and number:
            behind = _old(number)
        elif change in _OUTLINES:
            outlined = outlined or number == 1
        elif change == _STYLE:
            style = number
    return TextStyle(hidden, colour, points, width, None, behind, outlined), style


def shade_of(change: int, operand: bytes) -> int:
    """The background that a shading gives, in its old form or its new one."""
    if change in {_OLD_SHADING, _OLD_PARAGRAPH_SHADING}:
        return _old_shade(int.from_bytes(operand, "little"))
    return _shade(operand[1:11])


def paragraph_shade(changes: Changes) -> int:
    """The background that changes give to a paragraph."""
    last_shade = AUTOMATIC
    for change, operand in changes:
        if change in {_PARAGRAPH_SHADING, _OLD_PARAGRAPH_SHADING}:
            shade = shade_of(change, operand)
            last_shade = shade if shade != AUTOMATIC else last_shade
    return last_shade


def row_shade(changes: Changes) -> int:
    """What the cells of a row stand on: unknown where any of them is not white."""
    for change, operand in changes:
        shades: list[int] = []
        if change in _CELL_SHADINGS:
            shades = [_shade(operand[at : at + 10]) for at in range(1, len(operand) - 9, 10)]
        elif change == _OLD_CELL_SHADINGS:
            pairs = (operand[at : at + 2] for at in range(1, len(operand) - 1, 2))
            shades = [_old_shade(int.from_bytes(pair, "little")) for pair in pairs]
        elif change == _TABLE_STYLE and int.from_bytes(operand, "little") != _NORMAL_TABLE:
            return UNKNOWN
        if any(s != AUTOMATIC and not is_lost_on(s, WHITE) for s in shades):
            return UNKNOWN
    return AUTOMATIC


def _old(number: int) -> int:
    return _COLOURS[number] if number < len(_COLOURS) else UNKNOWN


def _old_shade(number: int) -> int:
    front, back, pattern = number & 0x1F, number >> 5 & 0x1F, number >> 10
    if number == 0xFFFF:
        return AUTOMATIC
    return _old(back) if pattern == 0 else _old(front) if pattern == 1 else UNKNOWN


def _shade(operand: bytes) -> int:
    front, back, pattern = operand[:4], operand[4:8], int.from_bytes(operand[8:10], "little")
    if len(operand) < 10 or pattern == 0xFFFF:
        return AUTOMATIC
    if pattern > 1:
        return UNKNOWN
    colour = int.from_bytes(front if pattern else back, "little")
    return AUTOMATIC if colour >> 24 else reversed_colour(colour)


# The styles of a Word file (MS-DOC 2.4.6.5, 2.9.260).

_LONGEST_CHAIN = 20  # of styles, each made from the next


@dataclass(frozen=True, slots=True)
class Style:
    """What a style says of characters and of the paragraph; `base` is what it is made from."""

    base: int
    text_style: TextStyle
    shade: int
    of_forms: bool


class Styles:
    """The styles of a file by their numbers."""

    def __init__(self, styles: dict[int, Style]) -> None:
        self._styles = styles
        self._text_styles: dict[int, TextStyle] = {}
        self.can_hide = any(way_of_hiding(style.text_style) for style in styles.values())

    def text_style(self, number: int) -> TextStyle:
        """The look of a style, with what the styles say that it is made from."""
        if number not in self._text_styles:
            text_style = PLAIN
            for style in self._chain(number):
                text_style = text_style.over(style.text_style)
            self._text_styles[number] = text_style
        return self._text_styles[number]

    def shade(self, number: int) -> int:
        shades = (style.shade for style in self._chain(number))
        return next((shade for shade in shades if shade != AUTOMATIC), AUTOMATIC)

    def is_of_forms(self, number: int) -> bool:
        return number in self._styles and self._styles[number].of_forms

    def _chain(self, number: int) -> list[Style]:
        chain: list[Style] = []
        while number in self._styles and len(chain) < _LONGEST_CHAIN:
            chain.append(self._styles[number])
            number = chain[-1].base
        return chain


def styles_in(table: bytes) -> Styles:
    """The styles that a table lists."""
    styles: dict[int, Style] = {}
    base_bytes = int.from_bytes(table[4:6], "little")
    count = int.from_bytes(table[2:4], "little")
    at = 2 + int.from_bytes(table[:2], "little")
    for number in range(count):
        size = int.from_bytes(table[at : at + 2], "little")
        entry = table[at + 2 : at + 2 + size]
        at += 2 + size + size % 2
        if at > len(table) + 1:
            break
        if len(entry) > base_bytes + 4:
            styles[number] = _style(entry, base_bytes)
    return Styles(styles)


def _style(entry: bytes, base_bytes: int) -> Style:
    kind, base = entry[2] & 0xF, int.from_bytes(entry[2:4], "little") >> 4
    past_name = base_bytes + 2 + 2 * int.from_bytes(entry[base_bytes : base_bytes + 2], "little")
    name = entry[base_bytes + 2 : past_name].decode("utf-16-le", "replace")
    at = past_name + 2
    programs: list[bytes] = []
    for _ in range(min(entry[4] & 0xF, 3)):
        size = int.from_bytes(entry[at : at + 2], "little")
        programs.append(entry[at + 2 : at + 2 + size])
        at += 2 + size + size % 2
    text_style, shade = PLAIN, AUTOMATIC
    if kind == 1 and len(programs) > 1:
        shade = paragraph_shade(changes(programs[0][2:]))
        text_style = text_style_of(changes(programs[1]))[0]
    elif kind == 2 and programs:
        text_style = text_style_of(changes(programs[0]))[0]
    return Style(base, text_style, shade, name in FORM_STYLES)
