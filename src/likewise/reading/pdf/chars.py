"""The characters of a PDF page with their places, and lines whose characters are out of order."""

from __future__ import annotations

import re
from array import array
from collections.abc import Sequence
from ctypes import byref
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import pypdfium2.raw as pdfium

from likewise.reading.pdf.hyphens import MARKS

MOST_CHARS = 100_000  # of a page whose characters are looked at one by one
_SPACE = 0.18  # of the height of the letters: a wider gap divides words
_NOWHERE = (float("nan"),) * 4
_LINE_END = re.compile(f"[\r\n{MARKS}]+")
_LEVEL = 2.5  # heights of a letter: a line that is taller runs up or down the page


@dataclass(frozen=True, slots=True)
class Chars:
    """Characters in reading order: `left`, `bottom`, `right`, `top` in `boxes`, not a number
    where nothing is drawn; `places` are their offsets in the raw text of the page, `origins`
    their numbers in PDFium's order, -1 for what it has not, where these are known to differ."""

    text: str
    boxes: np.ndarray[Any, Any]
    places: list[int] | None = None
    origins: list[int] | None = None

    def place(self, i: int) -> int:
        return i if self.places is None else self.places[i]


def chars_of(text_page: Any, raw: str, *, blanks: bool = False) -> Chars | None:
    """All characters of a page; None where there are none, or too many for a page of print.

    With `blanks`, also those that the file itself writes have a box.
    """
    number = pdfium.FPDFText_CountChars(text_page)
    if not 0 < number <= MOST_CHARS:
        return None
    text, places = raw, None
    if number != len(raw):  # some are not in the text, or stand there as two
        codes = (pdfium.FPDFText_GetUnicode(text_page, i) for i in range(number))
        text = "".join(chr(code) if code < 0x110000 else "\ufffd" for code in codes)
        place = pdfium.FPDFText_GetTextIndexFromCharIndex
        places = [min(max(place(text_page, i), 0), len(raw)) for i in range(number)]
    box_of, made_up, box = (
        pdfium.FPDFText_GetLooseCharBox,
        pdfium.FPDFText_IsGenerated,
        pdfium.FS_RECTF(),
    )
    reference = byref(box)
    sides = array("d")
    for i, char in enumerate(text):
        drawn = char > " " or (blanks and char == " " and made_up(text_page, i) != 1)
        if drawn and box_of(text_page, i, reference):
            sides.extend((box.left, box.bottom, box.right, box.top))
        else:
            sides.extend(_NOWHERE)
    return Chars(text, np.frombuffer(sides).reshape(-1, 4), places)


def in_order(text_page: Any, raw: str) -> Chars | None:
    """The characters of a page with those of every level line sorted from left to right."""
    chars = chars_of(text_page, raw, blanks=True)
    if chars is None:
        return None
    text, boxes = chars.text, chars.boxes.tolist()
    pieces: list[_Placed] = []
    start = 0
    for found in _LINE_END.finditer(text):
        pieces += _line(text, boxes, start, found.start())
        pieces += ((char, _NOWHERE, found.start() + i) for i, char in enumerate(found[0]))
        start = found.end()
    pieces += _line(text, boxes, start, len(text))
    kept = np.array([box if char > " " else _NOWHERE for char, box, _ in pieces])
    origins = [origin for _, _, origin in pieces]
    return Chars("".join(char for char, _, _ in pieces), kept, origins=origins)


_Placed = tuple[str, Sequence[float], int]  # a character, its box, its number in PDFium's order


def _line(text: str, boxes: Sequence[Sequence[float]], start: int, end: int) -> list[_Placed]:
    """One line from left to right, with a blank wherever there is room for one."""
    unchanged = list(zip(text[start:end], boxes[start:end], range(start, end), strict=True))
    mine = [piece for piece in unchanged if piece[1][0] == piece[1][0]]  # a place is a number
    if len(mine) < 2:
        return unchanged
    height = sorted(box[3] - box[1] for _, box, _ in mine)[len(mine) // 2]
    whole = max(box[3] for _, box, _ in mine) - min(box[1] for _, box, _ in mine)
    if not 0 < whole <= _LEVEL * height:
        return unchanged
    mine.sort(key=lambda piece: piece[1][0])
    pieces = mine[:1]
    for before, piece in pairwise(mine):
        gap = piece[1][0] - before[1][2]
        if gap > _SPACE * height and before[0] != " " and piece[0] != " ":
            pieces.append((" ", _NOWHERE, -1))
        pieces.append(piece)
    return pieces
