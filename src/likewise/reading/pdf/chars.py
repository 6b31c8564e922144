"""The characters of a PDF page with their places, and the ends of its lines."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Iterator, Sequence
from ctypes import byref
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import pypdfium2.raw as pdfium

# PDFium puts one of these in place of a hyphen and the end of the line behind it.
MARKS = "\x02\ufffe"
MOST_CHARS = 100_000  # of a page whose characters are looked at one by one
_SPACE = 0.18  # of the height of the letters: a wider gap divides words
_NOWHERE = (float("nan"),) * 4
_LINE_END = re.compile(f"[\r\n{MARKS}]+")
_LEVEL = 2.5  # heights of a letter: a line that is taller runs up or down the page


@dataclass(frozen=True, slots=True)
class Chars:
    """Characters in reading order: `left`, `bottom`, `right`, `top` in `boxes`, not a number
    where nothing is drawn; `places` are their offsets in the raw text of the page, `origins`
    their numbers in PDFium's order, -1 for what it has not, where these are known to differ.
    """

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
        is_visible = char > " " or (blanks and char == " " and made_up(text_page, i) != 1)
        if is_visible and box_of(text_page, i, reference):
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
    for line_end in _LINE_END.finditer(text):
        pieces += _line(text, boxes, start, line_end.start())
        pieces += ((char, _NOWHERE, line_end.start() + i) for i, char in enumerate(line_end[0]))
        start = line_end.end()
    pieces += _line(text, boxes, start, len(text))
    placed = np.array([box if char > " " else _NOWHERE for char, box, _ in pieces])
    origins = [origin for _, _, origin in pieces]
    return Chars("".join(char for char, _, _ in pieces), placed, origins=origins)


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


# Words that were divided at the end of a line, made whole, and ends of lines made plain.

# What may divide a word, by its first character: patterns that begin with one are found fast.
_SIGNS = {
    **{mark: re.compile(mark) for mark in MARKS},
    **{hyphen: re.compile(f"{hyphen} ?\r?\n") for hyphen in "-\u2010\u2011\xad"},
}
_PLAIN_HYPHEN = re.compile("-")
_WORD = re.compile(r"[^\W\d_]+")
_BEGINNING = 4  # letters of the second part of a compound
_DOUBLED = 3  # letters at least of a word that stands twice: бір-біріне, чуть-чуть
_CONTROL = re.compile("[\x00\x01\x03-\x08\x0b\x0c\x0e-\x1f\x7f]")


class Compounds:
    """Words that texts write with a hyphen in the middle of a line, collected when first asked.

    The ends of words change, so that the beginning of the second part is enough.

    >>> compounds = Compounds(["a well-known, (North-east) wind - and a sto-", "ry"])
    >>> compounds.has("north", "eastern"), compounds.has("sto", "ry")
    (True, False)
    """

    def __init__(self, texts: Iterable[str] = ()) -> None:
        self._texts = texts
        self._words: frozenset[str] | None = None

    def has(self, left: str, right: str) -> bool:
        """Whether these two are written with a hyphen; doubled words always are."""
        if len(left) >= _DOUBLED and right.casefold().startswith(left.casefold()):
            return True
        if self._words is None:
            self._words = frozenset(word for text in self._texts for word in _compounds(text))
        return _compound(left, right) in self._words


NONE = Compounds()


def plain_lines(raw: str, compounds: Compounds = NONE) -> str:
    r"""The text as PDFium gives it, with whole words and simple line ends.

    >>> known = Compounds(["a well-known tale"])
    >>> plain_lines("a re\ufffetelling of well\ufffeknown\r\nCOVID\ufffe19 sto-\r\nries", known)
    'a retelling of well-known\nCOVID-19 stories'
    """
    text = raw
    for sign, pattern in _SIGNS.items():
        if sign in text:
            text = pattern.sub(lambda match: _whole(match, compounds), text)
    if "\xad" in text:
        text = text.replace("\xad", "")
    return text.replace(" \r\n", "\n").replace("\r\n", "\n").replace("\r", "\n")


def without_control(text: str) -> str:
    """The text with a blank for every character that nobody can see."""
    return _CONTROL.sub(" ", text)


def _compounds(text: str) -> Iterator[str]:
    last = len(text) - 1
    for hyphen in _PLAIN_HYPHEN.finditer(text):
        i = hyphen.start()
        if 0 < i < last and text[i - 1].isalpha() and text[i + 1].isalpha():
            yield _compound(_word_before(text, i), _word_after(text, i + 1))


def _compound(left: str, right: str) -> str:
    return f"{left}-{right[:_BEGINNING]}".casefold()


def _word_before(text: str, end: int) -> str:
    start = end
    while start > 0 and text[start - 1].isalpha():
        start -= 1
    return text[start:end]


def _word_after(text: str, start: int) -> str:
    word = _WORD.match(text, start)
    return word[0] if word else ""


def _whole(match: re.Match[str], compounds: Compounds) -> str:
    """What stands in place of a hyphen: itself, or nothing where a divided word goes on."""
    mark, text, start, end = match[0], match.string, match.start(), match.end()
    left, right = _word_before(text, start), _word_after(text, end)
    if left and right:
        if right[0].islower() or (left.isupper() and right.isupper() and len(left) > 1):
            return "-" if compounds.has(left, right) else ""
        return "-"  # Anglo-American, COVID-19
    if mark not in MARKS:
        return mark
    return "-" if end < len(text) else "-\r\n"
