"""One page of a PDF: its text as PDFium gives it, and what is needed to judge it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from ctypes import c_double, c_ushort, string_at
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

import numpy as np
import pypdfium2.raw as pdfium

from likewise.model import Picture
from likewise.reading.pdf.chars import Chars, in_order
from likewise.reading.pdf.drawn import Box, Drawn, drawn_on
from likewise.reading.pdf.hyphens import MARKS
from likewise.reading.pdf.layer import judged
from likewise.reading.pdf.marks import Raised
from likewise.reading.pdf.running import EDGE, EdgeLine
from likewise.reading.pdf.tables import FoundTable

EDGE_LINES = 4  # at the beginning and at the end of a page that may be running ones
TAIL = 500  # characters at the end of a page that hold these lines
FEW = 100  # visible characters: with less, a page may be a picture
WHOLE = 0.6  # of a page covered by pictures, with hardly any text on them
SOME = 0.05  # of a page covered by a picture, with no text at all
OUTLINES = 30  # paths on a page without text: letters drawn as shapes
_LINE = re.compile(f"[^\r\n{MARKS}]+")

Layer = Literal["text", "none", "garbage", "unread"]


class HiddenRun(NamedTuple):
    """A stretch of the raw text of a page that is not seen, and why."""

    start: int
    end: int
    how: str


@dataclass(slots=True)
class PageText:
    """What a page says; `raw` keeps PDFium's marks and line ends."""

    number: int
    raw: str = ""
    layer: Layer = "text"
    strange: bool = False  # it has characters that stand for nothing
    edges: list[EdgeLine] = field(default_factory=list)
    typed: list[str] = field(default_factory=list)
    tables: list[FoundTable] = field(default_factory=list)
    pictures: list[Picture] = field(default_factory=list)
    hidden: list[HiddenRun] = field(default_factory=list)
    raised: list[Raised] = field(default_factory=list)


class LivePage:
    """A page while it is open, with PDFium's own handles: what stages look at, computed once."""

    def __init__(self, document: Any, index: int) -> None:
        self.document = document
        self.number = index + 1
        self.counted = 0  # characters, once the text is known
        self.chars: Chars | None = None  # only where their order had to be mended
        self._drawn: Drawn | None = None
        self._box: Box | None = None
        self._raw = ""
        self._units = b""
        self.text_page: Any = None
        self.page = pdfium.FPDF_LoadPage(document, index)
        if not self.page:
            raise ValueError(f"page {self.number} cannot be loaded")

    def __enter__(self) -> LivePage:
        self.text_page = pdfium.FPDFText_LoadPage(self.page)
        if not self.text_page:
            self.__exit__()
            raise ValueError(f"the text of page {self.number} cannot be loaded")
        return self

    def __exit__(self, *_: object) -> None:
        if self.text_page:
            pdfium.FPDFText_ClosePage(self.text_page)
        pdfium.FPDF_ClosePage(self.page)

    @property
    def box(self) -> Box:
        """The sides of the page: left, bottom, right, top."""
        if self._box is None:
            pdfium.FPDF_GetPageBoundingBox(self.page, _RECT)
            self._box = _RECT.left, _RECT.bottom, _RECT.right, _RECT.top
        return self._box

    @property
    def area(self) -> float:
        left, bottom, right, top = self.box
        return max(1.0, (right - left) * (top - bottom))

    @property
    def drawn(self) -> Drawn:
        if self._drawn is None:
            self._drawn = drawn_on(self.page)
        return self._drawn

    def text(self) -> tuple[bytes, str]:
        """The text in UTF-16, as PDFium has it, and decoded."""
        self._units = self._get_units()
        self._raw = self._units.decode("utf-16-le", "ignore")
        return self._units, self._raw

    def index(self, offset: int) -> int:
        """The number that PDFium gives to the character at an offset of the raw text."""
        if self.chars is not None:
            return -1 if self.chars.origins is None else self.chars.origins[offset]
        if self.counted == len(self._raw):
            return offset
        if len(self._raw) != len(self._units) // 2:
            offset = int(np.flatnonzero(self._decoded())[offset])
        return int(pdfium.FPDFText_GetCharIndexFromTextIndex(self.text_page, offset))

    def offsets(self) -> list[int]:
        """For every character of PDFium's its offset in the raw text, or -1."""
        numbers = range(max(0, self.counted))
        if self.chars is not None:
            known = {origin: i for i, origin in enumerate(self.chars.origins or ())}
            return [known.get(i, -1) for i in numbers]
        if self.counted == len(self._raw):
            return [*numbers]
        place = pdfium.FPDFText_GetTextIndexFromCharIndex
        found = [place(self.text_page, i) for i in numbers]
        if len(self._raw) != len(self._units) // 2:
            before = np.cumsum(self._decoded()) - 1
            found = [int(before[i]) if 0 <= i < len(before) else -1 for i in found]
        return found

    def _decoded(self) -> np.ndarray[Any, Any]:
        """Which units of the text begin a character: halves of pairs do not, nor do lone halves."""
        units = np.frombuffer(self._units, "<u2")
        high, low = units & 0xFC00 == 0xD800, units & 0xFC00 == 0xDC00
        paired = high & np.append(low[1:], False)
        return np.asarray(~high & ~low | paired)

    def _get_units(self) -> bytes:
        self.counted = number = pdfium.FPDFText_CountChars(self.text_page)
        if number <= 0:
            return b""
        # PDFium may put in characters of its own; types of few different lengths are made fast.
        room = (c_ushort * (1 << (2 * number + 2).bit_length()))()
        written = pdfium.FPDFText_GetText(self.text_page, 0, number, room)
        return string_at(room, max(0, 2 * written - 2))


def page_text(live: LivePage) -> PageText:
    """The text of an open page, and whether it is a text at all."""
    units, raw = live.text()
    layer = judged(units, raw, live.text_page)
    if layer.torn and not layer.garbage and (chars := in_order(live.text_page, raw)):
        live.chars, raw = chars, chars.text
    text = PageText(live.number, raw, strange=layer.strange)
    if layer.garbage:
        text.layer = "garbage"
    elif len(raw) < 2 * FEW and _is_picture(live, len("".join(raw.split()))):
        text.layer = "none"
    else:
        text.edges = _edges(live, raw)
    return text


def _is_picture(live: LivePage, visible: int) -> bool:
    """Whether a page with so few visible characters shows something that is not in its text."""
    if visible >= FEW:
        return False
    left, bottom, right, top = live.box
    covered = sum(
        max(0.0, min(right, box[2]) - max(left, box[0]))
        * max(0.0, min(top, box[3]) - max(bottom, box[1]))
        for _, box in live.drawn.pictures
    )
    if visible:
        return covered >= WHOLE * live.area
    return covered >= SOME * live.area or live.drawn.paths >= OUTLINES


def _edges(live: LivePage, raw: str) -> list[EdgeLine]:
    """The lines at the head and foot of a page that its text begins or ends with."""
    turns = pdfium.FPDFPage_GetRotation(live.page)
    lines: list[EdgeLine] = []
    met = 0
    for found in _lines(raw, 0):
        met = found.end()
        line = _edge_line(live, raw, found, turns)
        if EDGE < line.height < 1 - EDGE:
            break  # here the text itself begins
        lines.append(line)
        if len(lines) == EDGE_LINES:
            break
    tail = max(met, raw.find("\n", max(met, len(raw) - TAIL)))
    for found in [*_lines(raw, tail)][: -EDGE_LINES - 1 : -1]:
        line = _edge_line(live, raw, found, turns)
        if EDGE < line.height < 1 - EDGE:
            break
        lines.append(line)
    return lines


def _lines(raw: str, start: int) -> Iterator[re.Match[str]]:
    """The lines that are not blank."""
    return (found for found in _LINE.finditer(raw, start) if not found[0].isspace())


def _edge_line(live: LivePage, raw: str, found: re.Match[str], turns: int) -> EdgeLine:
    start, end = found.span()
    text = found[0].strip()
    first = raw.find(text[0], start)
    if live.chars is not None:
        x, y = live.chars.boxes[first, :2].tolist()
    else:  # where the letter stands on its line; its box would cost a look into the font
        pdfium.FPDFText_GetCharOrigin(live.text_page, live.index(first), _X, _Y)
        x, y = _X.value, _Y.value
    left, bottom, right, top = live.box
    if turns % 2:
        height = (x - left) / max(1.0, right - left)
    else:
        height = (y - bottom) / max(1.0, top - bottom)
    # A page turned clockwise has its left side on top.
    return EdgeLine(start, end, text, 1 - height if turns in (1, 2) else height)


# PDFium answers through pointers; one process reads one page at a time.
_RECT = pdfium.FS_RECTF()
_X, _Y = c_double(), c_double()
