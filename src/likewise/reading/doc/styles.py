"""The styles of a Word file (MS-DOC 2.4.6.5, 2.9.260)."""

from __future__ import annotations

from dataclasses import dataclass

from likewise.reading.doc.looks import look_of, paragraph_shade
from likewise.reading.doc.properties import changes
from likewise.reading.office.looks import AUTOMATIC, FORM_STYLES, PLAIN, Look, way_of_hiding

_LONGEST_CHAIN = 20  # of styles, each made from the next


@dataclass(frozen=True, slots=True)
class Style:
    """What a style says of characters and of the paragraph; `base` is what it is made from."""

    base: int
    look: Look
    shade: int
    of_forms: bool


class Styles:
    """The styles of a file by their numbers."""

    def __init__(self, styles: dict[int, Style]) -> None:
        self._styles = styles
        self._looks: dict[int, Look] = {}
        self.can_hide = any(way_of_hiding(style.look) for style in styles.values())

    def look(self, number: int) -> Look:
        """The look of a style, with what the styles say that it is made from."""
        if number not in self._looks:
            look = PLAIN
            for style in self._chain(number):
                look = look.over(style.look)
            self._looks[number] = look
        return self._looks[number]

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
    found: dict[int, Style] = {}
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
            found[number] = _style(entry, base_bytes)
    return Styles(found)


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
    look, shade = PLAIN, AUTOMATIC
    if kind == 1 and len(programs) > 1:
        shade = paragraph_shade(changes(programs[0][2:]))
        look = look_of(changes(programs[1]))[0]
    elif kind == 2 and programs:
        look = look_of(changes(programs[0]))[0]
    return Style(base, look, shade, name in FORM_STYLES)
