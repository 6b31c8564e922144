"""What a Word file says about its paragraphs and characters, as far as reading needs it.

Properties stand in pages of 512 bytes, each a list of places in the file and, for every run
between two of them, a short program of changes (MS-DOC 2.9.33, 2.9.175). Words of the
specification are kept: `fc` is a place in the file.
"""

from __future__ import annotations

import struct
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from likewise.reading.office.story import Edge, Shape

_PAGE = 512
_OPERAND_BYTES = {0: 1, 1: 1, 2: 2, 3: 4, 4: 2, 5: 2, 7: 3}  # by the top three bits of a change

# Changes to paragraphs ...
_IN_TABLE, _ROW_END = 0x2416, 0x2417
_DEPTH, _INNER_CELL_END, _INNER_ROW_END = 0x6649, 0x244B, 0x244C
_ELSEWHERE = {0x6645, 0x6646, 0x646B}  # the program stands in the stream `Data`
_TABLE_CELLS = 0xD608
_TABS = 0xC615
# ... and to characters.
_DELETED, _PICTURE, _SYMBOL, _EMBEDDED = 0x0800, 0x6A03, 0x6A09, 0x080A


@dataclass(frozen=True, slots=True)
class ParagraphProperties:
    """What a paragraph says of itself."""

    level: int = 0  # of tables
    ends_cell: bool = False  # of an inner table: the outer one has a character for it
    ends_row: bool = False
    shape: Shape = field(default_factory=Shape)


@dataclass(frozen=True, slots=True)
class CharacterProperties:
    """What a run of characters says of itself."""

    deleted: bool = False  # while changes were tracked
    picture: int | None = None  # where it stands in the stream `Data`
    symbol: tuple[int, int] | None = None  # the number of a font, and of a character in it

    @property
    def plain(self) -> bool:
        return not self.deleted and self.picture is None and self.symbol is None


@dataclass(frozen=True, slots=True)
class Runs:
    """Programs of changes, by where in the file their runs begin."""

    starts: list[int]
    ends: list[int]
    programs: list[bytes]
    styles: list[int]  # their numbers; 0 for runs of characters, whose programs name them

    def at(self, fc: int) -> bytes:
        """The program at a place; an empty one where none is known."""
        place = bisect_right(self.starts, fc) - 1
        return self.programs[place] if place >= 0 and fc < self.ends[place] else b""

    def between(self, start: int, end: int) -> Iterator[tuple[int, int, bytes]]:
        """The runs in a part of the file, cut to it."""
        for first, past, place in self.places_between(start, end):
            yield first, past, self.programs[place]

    def places_between(self, start: int, end: int) -> Iterator[tuple[int, int, int]]:
        """The same with the number of each run, instead of its program."""
        for place in range(max(bisect_right(self.starts, start) - 1, 0), len(self.starts)):
            if self.starts[place] >= end:
                return
            if self.ends[place] > start:
                first, past = max(self.starts[place], start), min(self.ends[place], end)
                yield first, past, place


def runs_in(document: bytes, pages: list[int], of_paragraphs: bool, old: bool) -> Runs:
    """The runs of paragraphs or of characters that some pages list; `old` is Word 6 and 95."""
    runs: dict[int, tuple[int, bytes, int]] = {}
    width = (7 if old else 13) if of_paragraphs else 1
    for number in pages:
        page = document[number * _PAGE : (number + 1) * _PAGE]
        if len(page) < _PAGE:
            continue
        count = min(page[-1], (_PAGE - 5) // (4 + width))
        places = struct.unpack_from(f"<{count + 1}I", page)
        for i in range(count):
            at = 2 * page[4 * (count + 1) + i * width]
            if places[i] < places[i + 1]:
                read = _paragraph_program if of_paragraphs else _character_program
                style = _style_number(page, at) if of_paragraphs and at and not old else 0
                runs[places[i]] = places[i + 1], read(page, at, old) if at else b"", style
    starts = sorted(runs)
    ordered = [runs[start] for start in starts]
    return Runs(starts, [k[0] for k in ordered], [k[1] for k in ordered], [k[2] for k in ordered])


def _style_number(page: bytes, at: int) -> int:
    at += 1 if page[at] else 2
    return int.from_bytes(page[at : at + 2], "little")


def _paragraph_program(page: bytes, at: int, old: bool) -> bytes:
    """It begins with the number of a style, which is skipped."""
    length = 2 * page[at]
    if old:
        return page[at + 3 : at + 1 + length]
    if length == 0 and at + 1 < _PAGE:
        at, length = at + 1, 2 * page[at + 1] + 1
    return page[at + 3 : at + length]


def _character_program(page: bytes, at: int, _old: bool) -> bytes:
    return page[at + 1 : at + 1 + page[at]]


def paragraph_properties(program: bytes, data: bytes) -> ParagraphProperties:
    """What a program makes of a paragraph; `data` is the stream where long ones stand."""
    level, ends_cell, ends_row, shape = 0, False, False, Shape()
    for change, operand in changes(program, data):
        number = int.from_bytes(operand, "little")
        if change == _IN_TABLE:
            level = max(level, 1) if number else 0
        elif change == _DEPTH:
            level = number
        elif change == _INNER_CELL_END:
            ends_cell = bool(number)
        elif change in {_ROW_END, _INNER_ROW_END}:
            ends_row = ends_row or bool(number)
        elif change == _TABLE_CELLS:
            shape = _shape(operand)
    return ParagraphProperties(level, ends_cell, ends_row, shape)


@lru_cache(4096)
def character_properties(program: bytes) -> CharacterProperties:
    """What a program makes of characters."""
    operands = {change: int.from_bytes(operand, "little") for change, operand in changes(program)}
    embedded = bool(operands.get(_EMBEDDED))
    return CharacterProperties(
        deleted=bool(operands.get(_DELETED)),
        picture=None if embedded else operands.get(_PICTURE),
        symbol=(operands[_SYMBOL] & 0xFFFF, operands[_SYMBOL] >> 16)
        if _SYMBOL in operands
        else None,
    )


def old_paragraph_properties(program: bytes) -> ParagraphProperties:
    """The same for Word 6 and 95. Changes stand in the order of their numbers: 24 is "in a table",
    25 "ends a row", each with its operand.
    """
    in_table = program.find(b"\x18\x01")
    if in_table < 0:
        return ParagraphProperties()
    return ParagraphProperties(1, ends_row=program.startswith(b"\x19\x01", in_table + 2))


@lru_cache(4096)
def old_character_properties(program: bytes) -> CharacterProperties:
    """The same for Word 6 and 95, where 65, the first change of all, is "deleted"."""
    return CharacterProperties(deleted=program.startswith(b"\x41\x01"))


def changes(program: bytes, data: bytes = b"") -> Iterator[tuple[int, bytes]]:
    """Every change and its operand; what cannot be understood ends it."""
    at, followed = 0, 0
    while at + 2 <= len(program):
        change = program[at] | program[at + 1] << 8
        at += 2
        size = _OPERAND_BYTES.get(change >> 13)
        if size is None:
            if change == _TABLE_CELLS:
                size = int.from_bytes(program[at : at + 2], "little") + 1
            elif at < len(program) and not (change == _TABS and program[at] == 255):
                size = program[at] + 1
            else:
                return
        operand = program[at : at + size]
        if len(operand) < size:
            return
        at += size
        if change in _ELSEWHERE and followed < 4:
            place = int.from_bytes(operand, "little")
            length = int.from_bytes(data[place : place + 2], "little")
            program, at, followed = data[place + 2 : place + 2 + length], 0, followed + 1
        else:
            yield change, operand


def _shape(operand: bytes) -> Shape:
    """The cells of a row: their edges, then twenty bytes about each."""
    count = operand[2] if len(operand) > 2 else 0
    if len(operand) < 3 + 2 * (count + 1):
        return Shape()
    left, *rights = struct.unpack_from(f"<{count + 1}h", operand, 3)
    edges: list[Edge] = []
    for i, right in enumerate(rights):
        about = 3 + 2 * (count + 1) + 20 * i
        flags = operand[about] if about < len(operand) else 0
        edges.append(Edge(right, bool(flags & 2), flags & 0x60 == 0x20))
    return Shape(left, tuple(edges))
