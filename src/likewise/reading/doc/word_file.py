"""A Word file: its row of characters, the pieces and parts of that row, and their properties."""

from __future__ import annotations

import re
import struct
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal

from likewise.catalogue import Value
from likewise.errors import ReadingError
from likewise.model import Message
from likewise.reading.doc.properties import (
    CharacterProperties,
    ParagraphProperties,
    Runs,
    character_properties,
    old_character_properties,
    old_paragraph_properties,
    paragraph_properties,
    runs_in,
)
from likewise.reading.doc.text_style import Styles, styles_in
from likewise.reading.office.compound import Compound

_WORD_97, _WORD_6 = 0xA5EC, 0xA5DC
_IS_LOCKED, _IS_COMPLEX, _IN_FIRST_TABLE = 0x0100, 0x0004, 0x0200
_SHORTEST = 0x300  # bytes, the header of a document
_SECTOR = 512

# The parts of the row of characters, in their order.
Part = Literal[
    "body", "footnotes", "headers", "macros", "comments", "endnotes", "boxes", "header boxes"
]
_PARTS: Final[tuple[Part, ...]] = Part.__args__  # type: ignore[attr-defined]

# The numbers that the header of the file gives to its tables.
STYLES, FOOTNOTE_MARKS, FOOTNOTES, COMMENT_MARKS, HEADERS = 1, 2, 3, 4, 11
CHARACTER_PAGES, PARAGRAPH_PAGES, FONTS, PIECES = 12, 13, 15, 33
ANCHORS, ENDNOTE_MARKS, ENDNOTES, DRAWINGS, BOXES = 40, 46, 47, 50, 56


class WordFile:
    """The characters of a Word file by their places in one row."""

    def __init__(self, data: bytes, compound: Compound) -> None:
        self.document = compound.stream("WordDocument") or _rescued(data)
        if len(self.document) < _SHORTEST:
            raise ReadingError("reading.text_missing")
        kind, self._language = self._short(0), self._short(6)
        flags = self._short(0x0A)
        if flags & _IS_LOCKED:
            raise ReadingError("reading.locked")
        if kind not in {_WORD_97, _WORD_6}:
            raise ReadingError("reading.not_word_beginning")
        self.old = kind == _WORD_6
        self.data = compound.stream("Data") or b""
        if self.old:
            self.tables = self.document
        else:
            names = ("1Table", "0Table")
            self.tables = compound.stream(names[0 if flags & _IN_FIRST_TABLE else 1]) or b""
        self._pieces: list[Piece] = []
        if not self.old or flags & _IS_COMPLEX:
            self._pieces = listed_pieces(self.table(PIECES), self.document, self.old)
        self.damage: list[Value] = [*sorted(compound.damaged)]  # what a part of is missing
        if not self._pieces:
            self.damage += [] if self.old else [Message("reading.list_of_pieces")]
            self._pieces = guessed_pieces(self.document, self.old)
        if not self._pieces:
            raise ReadingError("reading.text_missing")
        self._properties_of: dict[bytes, ParagraphProperties] = {}
        self._starts = [piece.start for piece in self._pieces]

    @cached_property
    def text(self) -> str:
        """The row of characters."""
        # Word 97 and later keep what the code page of the West has not in two bytes.
        codec = "cp1252"
        if self.old:
            codec = old_codec(self.document, self._pieces, self._language)
        return characters(self.document, self._pieces, codec)

    @cached_property
    def _ends(self) -> list[int]:
        counts = struct.unpack_from("<8i", self.document, 0x34 if self.old else 0x4C)
        ends = [0]
        for count in counts:
            ends.append(min(ends[-1] + max(count, 0), len(self.text)))
        return ends

    def part(self, name: Part) -> range:
        """The places of a part."""
        number = _PARTS.index(name)
        return range(self._ends[number], self._ends[number + 1])

    def table(self, number: int) -> bytes:
        """One of the tables that the header of the file lists."""
        at = 8 * number + (0x58 if self.old else 0x9A)
        if self.old and number > 37:
            at += 10
        if at + 8 > len(self.document):
            return b""
        start, length = struct.unpack_from("<II", self.document, at)
        return self.tables[start : start + length]

    def places(self, number: int, size: int) -> tuple[list[int], list[bytes]]:
        """A table of places, one more than things; and what is said of each thing."""
        table = self.table(number)
        count = max((len(table) - 4) // (4 + size), 0)
        if not table:
            return [], []
        places = struct.unpack_from(f"<{count + 1}I", table) if len(table) >= 4 else ()
        first = 4 * (count + 1)
        return list(places), [
            table[first + i * size : first + (i + 1) * size] for i in range(count)
        ]

    @property
    def has_paragraphs(self) -> bool:
        """Whether anything is known about paragraphs; not, where the file is badly damaged."""
        return bool(self._paragraphs.starts)

    def paragraph_at(self, place: int) -> ParagraphProperties:
        """What is said of the paragraph that ends at a place."""
        program = self.program_at(place)
        if program not in self._properties_of:
            self._properties_of[program] = (
                old_paragraph_properties(program)
                if self.old
                else paragraph_properties(program, self.data)
            )
        return self._properties_of[program]

    def program_at(self, place: int) -> bytes:
        """The changes to the paragraph that ends at a place."""
        piece = self._pieces[max(bisect_right(self._starts, place) - 1, 0)]
        return self._paragraphs.at(piece.fc_of(place))

    def character_runs(self) -> Iterator[tuple[int, int, bytes]]:
        """The places of runs of characters, and the changes to them."""
        for piece in self._pieces:
            for first, past, program in self._runs.between(piece.fc, piece.fc_of(piece.end)):
                yield piece.place_of(first), piece.place_of(past), program

    def paragraphs_between(self, start: int, end: int) -> Iterator[tuple[int, int, int, bytes]]:
        """The places of paragraphs, cut to some places: their styles and the changes to them."""
        paragraphs = self._paragraphs
        for place in range(max(bisect_right(self._starts, start) - 1, 0), len(self._pieces)):
            piece = self._pieces[place]
            if piece.start >= end:
                return
            first, past = piece.fc_of(max(start, piece.start)), piece.fc_of(min(end, piece.end))
            for a, b, number in paragraphs.places_between(first, past):
                style, program = paragraphs.styles[number], paragraphs.programs[number]
                yield piece.place_of(a), piece.place_of(b), style, program

    @cached_property
    def styles(self) -> Styles:
        return styles_in(self.table(STYLES))

    def marked(self) -> Iterator[tuple[int, int, CharacterProperties]]:
        """The places of characters that are not plain text, and what they are."""
        understood = old_character_properties if self.old else character_properties
        for start, end, program in self.character_runs():
            properties = understood(program)
            if not properties.plain:
                yield start, end, properties

    def font(self, number: int) -> str:
        """The name of a font, which tells what its symbols are."""
        return self._fonts[number] if number < len(self._fonts) else ""

    @cached_property
    def _fonts(self) -> list[str]:
        table = self.table(FONTS)
        names: list[str] = []
        at = 4
        while not self.old and at < len(table):
            name = table[at + 40 : at + 1 + table[at]].decode("utf-16-le", "replace")
            names.append(name.split("\0")[0])
            at += 1 + table[at]
        return names

    @cached_property
    def _paragraphs(self) -> Runs:
        return runs_in(self.document, self._pages(PARAGRAPH_PAGES), True, self.old)

    @cached_property
    def _runs(self) -> Runs:
        return runs_in(self.document, self._pages(CHARACTER_PAGES), False, self.old)

    def _pages(self, number: int) -> list[int]:
        _, pages = self.places(number, 2 if self.old else 4)
        return [int.from_bytes(page, "little") & 0x3FFFFF for page in pages]

    def _short(self, at: int) -> int:
        return int.from_bytes(self.document[at : at + 2], "little")


def _rescued(data: bytes) -> bytes:
    """What follows the header of a document, where nothing says any more where its parts are."""
    for kind in (_WORD_97, _WORD_6):
        at = data.find(kind.to_bytes(2, "little"), _SECTOR)
        while at >= 0:
            if at % _SECTOR == 0 and len(data) - at >= _SHORTEST:
                return data[at:]
            at = data.find(kind.to_bytes(2, "little"), at + 1)
    return b""


# The pieces of text in a Word file: where they stand, how wide their characters are.

_CHUNK = 32  # bytes
_UPPER_BYTES = (0x00, 0x04, 0x20)  # of UTF-16: Latin, Cyrillic, dashes and quotation marks
_ASTRAL = re.compile("[\U00010000-\U0010ffff]")
_UNPRINTED = bytes(range(32))

# By the language of the program that wrote: Bulgarian, Russian, Ukrainian, Belarusian, Kazakh, ...
_CODE_PAGES = {
    0x02: "cp1251",
    0x19: "cp1251",
    0x22: "cp1251",
    0x23: "cp1251",
    0x3F: "kz-1048",
    0x05: "cp1250",
    0x0E: "cp1250",
    0x15: "cp1250",
    0x08: "cp1253",
    0x1F: "cp1254",
}


@dataclass(frozen=True, slots=True)
class Piece:
    """Characters that stand together in the file."""

    start: int  # in the row of characters
    end: int
    fc: int  # where in the file
    width: int  # bytes a character

    def fc_of(self, place: int) -> int:
        """Where in the file a character of this piece is."""
        return self.fc + (place - self.start) * self.width

    def place_of(self, fc: int) -> int:
        """Which character stands at a place in the file."""
        return self.start + (fc - self.fc) // self.width


def listed_pieces(listed: bytes, document: bytes, old: bool) -> list[Piece]:
    """The pieces of a list, which stands behind changes that nobody needs (MS-DOC 2.9.38)."""
    at = 0
    while listed[at : at + 1] == b"\x01":
        at += 3 + int.from_bytes(listed[at + 1 : at + 3], "little")
    count = (len(listed) - at - 9) // 12
    if listed[at : at + 1] != b"\x02" or count < 1:
        return []
    places = struct.unpack_from(f"<{count + 1}I", listed, at + 5)
    pieces: list[Piece] = []
    for i in range(count):
        fc = struct.unpack_from("<I", listed, at + 5 + 4 * (count + 1) + 8 * i + 2)[0]
        narrow = old or fc & 0x40000000
        if not old:
            fc = (fc & 0x3FFFFFFF) >> 1 if narrow else fc & 0x3FFFFFFF
        width = 1 if narrow else 2
        start = pieces[-1].end if pieces else 0
        length = min(places[i + 1] - places[i], max(len(document) - fc, 0) // width)
        end = min(start + length, len(document))  # pieces do not share their text
        if end > start:
            pieces.append(Piece(start, end, fc, width))
    return pieces


def guessed_pieces(document: bytes, old: bool) -> list[Piece]:
    """The text where the header says it is; how wide its characters are, it shows itself."""
    start, end = struct.unpack_from("<II", document, 0x18)
    end = min(end, len(document))
    if old:
        return [Piece(0, end - start, start, 1)] if end > start else []
    pieces: list[Piece] = []
    for fc in range(start, end, _CHUNK):
        chunk = document[fc : min(fc + _CHUNK, end)]
        upper = chunk[1::2]
        width = 2 if len(upper) * 0.9 <= sum(map(upper.count, _UPPER_BYTES)) else 1
        last = pieces[-1] if pieces else Piece(0, 0, start, width)
        past = last.end + len(chunk) // width
        if last.width == width:
            pieces[-1:] = [Piece(last.start, past, last.fc, width)]
        else:
            pieces.append(Piece(last.end, past, fc, width))
    return pieces


def characters(document: bytes, pieces: list[Piece], codec: str) -> str:
    """Every character in its place; one beyond the first 65,536 takes two, as in the file."""
    texts: list[str] = []
    for piece in pieces:
        raw = document[piece.fc : piece.fc_of(piece.end)]
        if piece.width == 1:
            texts.append(raw.decode(codec, "replace"))
            continue
        text = raw.decode("utf-16-le", "surrogatepass")
        texts.append(_ASTRAL.sub(_halves, text) if len(text) * 2 < len(raw) else text)
    return "".join(texts)


def old_codec(document: bytes, pieces: list[Piece], language: int) -> str:
    """The code page of a file of Word 6 or 95, which write in the code page of each font.

    A file has one or two, and those who write Russian leave no room for accents: what the bytes
    are, they tell best themselves.
    """
    from likewise.reading.encoding import decode  # not for every file

    declared = _CODE_PAGES.get(language & 0x3FF)
    raw = b"".join(document[piece.fc : piece.fc_of(piece.end)] for piece in pieces)
    try:
        guessed = decode(raw.translate(None, delete=_UNPRINTED), declared).encoding
    except ReadingError:
        guessed = "utf-8"
    return (declared or "cp1252") if guessed.startswith("utf") else guessed


def _halves(match: re.Match[str]) -> str:
    high, low = struct.unpack("<2H", match[0].encode("utf-16-le"))
    return chr(high) + chr(low)
