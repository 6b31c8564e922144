"""Numbers of footnotes: raised in the text, and again where the note stands."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from ctypes import c_double
from typing import Any, NamedTuple, Protocol

import pypdfium2.raw as pdfium

MARK = "note mark"
MOST_LOOKED_AT = 300  # numbers of a page
SMALLER = 0.92  # of the size of the letters beside it, at most
LOWEST, HIGHEST = 0.1, 0.8  # sizes of a letter by which a mark is raised
LEVEL = 0.05  # sizes of a letter by which letters of one line differ
NOTE_SIZE = 0.95  # of the size of the text, at most, is that of its notes

_CLOSING = frozenset(".,;:!?»”\"’')]…›*")  # after which a mark may stand
_OPENING = frozenset("«“\"‘'([„‹…")  # with which a note may begin
_NUMBER = re.compile(r"[1-9]\d{0,2}(?!\d)")


class RaisedNumber(NamedTuple):
    """A number that may be a mark in the text, or else the one before a note."""

    start: int
    end: int
    number: int
    before_note: bool
    certain: bool  # the number of a note is raised, too
    size: float  # of the letters beside it


class Live(Protocol):
    """What is asked of an open page."""

    text_page: Any

    def index(self, offset: int) -> int: ...


def raised_numbers(live: Live, raw: str) -> list[RaisedNumber]:
    """Numbers of a page that may be those of notes, in the order of its text."""
    raised = []
    remaining = MOST_LOOKED_AT
    for digits in _NUMBER.finditer(raw):
        start, end = digits.span()
        beside = raw[start - 1 : start]
        if beside.isdigit() or (beside == " " and raw[start - 2 : start - 1] not in "\r\n"):
            continue  # the end of a larger number, or a number in the text
        before, after = _visible_before(raw, start), _visible_after(raw, end)
        begins = before < 0 or "\n" in raw[before + 1 : start]
        glued = before == start - 1 and (raw[before].isalpha() or raw[before] in _CLOSING)
        if not (begins or glued) or (after == end and not begins and raw[after] not in _CLOSING):
            continue
        follows = before >= 0 and (raw[before].isalpha() or raw[before] in _CLOSING)
        if not follows and not (after >= 0 and (raw[after].isalpha() or raw[after] in _OPENING)):
            continue
        remaining -= 1
        if not remaining:
            break
        if number := _raised(live, raw, (start, end), before, after, begins):
            raised.append(number)
    return raised


def _raised(
    live: Live, raw: str, span: tuple[int, int], before: int, after: int, begins: bool
) -> RaisedNumber | None:
    start, end = span
    number = int(raw[start:end])
    height, size = _height(live, start), _size(live, start)
    if before >= 0 and (raw[before].isalpha() or raw[before] in _CLOSING):
        beside = _size(live, before)
        up = height - _height(live, before)
        if size <= SMALLER * beside and LOWEST * beside <= up <= HIGHEST * beside:
            return RaisedNumber(start, end, number, False, True, beside)
    if not begins or after < 0 or not (raw[after].isalpha() or raw[after] in _OPENING):
        return None
    beside = _size(live, after)
    up = height - _height(live, after)
    if size <= SMALLER * beside and LOWEST * beside <= up <= HIGHEST * beside:
        return RaisedNumber(start, end, number, True, True, beside)
    if after > end and abs(up) <= LEVEL * beside and size == beside:
        return RaisedNumber(start, end, number, True, False, beside)
    return None


def note_marks(pages: Sequence[Sequence[RaisedNumber]]) -> list[list[tuple[int, int]]]:
    """For every page, where the numbers of notes stand: in the text, and before the notes.

    A mark is one if a note with its number follows, on its page or at the end of the document.

    >>> mark = RaisedNumber(9, 10, 1, False, True, 11.0)
    >>> note = RaisedNumber(80, 81, 1, True, False, 9.0)
    >>> note_marks([[mark, note], [mark._replace(number=2)]])
    [[(9, 10), (80, 81)], []]
    """
    marks: list[list[tuple[int, int]]] = [[] for _ in pages]
    waiting: defaultdict[int, list[tuple[int, RaisedNumber]]] = defaultdict(list)
    for page, number in _in_order(pages):
        if not number.before_note:
            waiting[number.number].append((page, number))
            continue
        references = waiting[number.number]
        if references and (number.certain or number.size <= NOTE_SIZE * references[-1][1].size):
            # On one page a note may be asked for several times.
            last = references[-1][0]
            for other, mark in references:
                if other == last:
                    marks[other].append((mark.start, mark.end))
            waiting[number.number] = [pair for pair in references if pair[0] != last]
            marks[page].append((number.start, number.end))
    return [sorted(page_marks) for page_marks in marks]


def _in_order(pages: Sequence[Sequence[RaisedNumber]]) -> Iterator[tuple[int, RaisedNumber]]:
    for page, numbers in enumerate(pages):
        yield from ((page, number) for number in numbers)


def _visible_before(raw: str, at: int) -> int:
    """Where the last character stands that is seen before another; -1 if none does."""
    at -= 1
    while at >= 0 and raw[at].isspace():
        at -= 1
    return at


def _visible_after(raw: str, at: int) -> int:
    while at < len(raw) and raw[at].isspace():
        at += 1
    return at if at < len(raw) else -1


def _height(live: Live, offset: int) -> float:
    """How high the line of a letter lies."""
    pdfium.FPDFText_GetCharOrigin(live.text_page, live.index(offset), _X, _Y)
    return _Y.value


def _size(live: Live, offset: int) -> float:
    return float(pdfium.FPDFText_GetFontSize(live.text_page, live.index(offset)))


_X, _Y = c_double(), c_double()
