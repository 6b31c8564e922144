"""One page of a PDF: its text as PDFium gives it, and what is needed to judge it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from ctypes import c_double, c_ushort, string_at
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Literal, NamedTuple

import numpy as np
import pypdfium2.raw as pdfium

from likewise.model import Picture
from likewise.reading.pdf.chars import MARKS, Chars, in_order
from likewise.reading.pdf.footnote_marks import RaisedNumber
from likewise.reading.pdf.page_objects import Box, PageObjects, page_objects_on
from likewise.reading.pdf.running_lines import EDGE, EdgeLine
from likewise.reading.pdf.tables import RuledTable

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
    tables: list[RuledTable] = field(default_factory=list)
    pictures: list[Picture] = field(default_factory=list)
    hidden: list[HiddenRun] = field(default_factory=list)
    raised: list[RaisedNumber] = field(default_factory=list)


class LivePage:
    """A page while it is open, with PDFium's own handles: what stages look at, computed once."""

    def __init__(self, document: Any, index: int) -> None:
        self.document = document
        self.number = index + 1
        self.counted = 0  # characters, once the text is known
        self.chars: Chars | None = None  # only where their order had to be mended
        self._objects: PageObjects | None = None
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
    def objects(self) -> PageObjects:
        if self._objects is None:
            self._objects = page_objects_on(self.page)
        return self._objects

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
            by_origin = {origin: i for i, origin in enumerate(self.chars.origins or ())}
            return [by_origin.get(i, -1) for i in numbers]
        if self.counted == len(self._raw):
            return [*numbers]
        place = pdfium.FPDFText_GetTextIndexFromCharIndex
        offsets = [place(self.text_page, i) for i in numbers]
        if len(self._raw) != len(self._units) // 2:
            before = np.cumsum(self._decoded()) - 1
            offsets = [int(before[i]) if 0 <= i < len(before) else -1 for i in offsets]
        return offsets

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
        buffer = (c_ushort * (1 << (2 * number + 2).bit_length()))()
        units = pdfium.FPDFText_GetText(self.text_page, 0, number, buffer)
        return string_at(buffer, max(0, 2 * units - 2))


def page_text(live: LivePage) -> PageText:
    """The text of an open page, and whether it is a text at all."""
    units, raw = live.text()
    layer = judge_layer(units, raw, live.text_page)
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
        for _, box in live.objects.pictures
    )
    if visible:
        return covered >= WHOLE * live.area
    return covered >= SOME * live.area or live.objects.paths >= OUTLINES


def _edges(live: LivePage, raw: str) -> list[EdgeLine]:
    """The lines at the head and foot of a page that its text begins or ends with."""
    turns = pdfium.FPDFPage_GetRotation(live.page)
    lines: list[EdgeLine] = []
    met = 0
    for line_match in _lines(raw, 0):
        met = line_match.end()
        line = _edge_line(live, raw, line_match, turns)
        if EDGE < line.height < 1 - EDGE:
            break  # here the text itself begins
        lines.append(line)
        if len(lines) == EDGE_LINES:
            break
    tail = max(met, raw.find("\n", max(met, len(raw) - TAIL)))
    for line_match in [*_lines(raw, tail)][: -EDGE_LINES - 1 : -1]:
        line = _edge_line(live, raw, line_match, turns)
        if EDGE < line.height < 1 - EDGE:
            break
        lines.append(line)
    return lines


def _lines(raw: str, start: int) -> Iterator[re.Match[str]]:
    """The lines that are not blank."""
    return (line for line in _LINE.finditer(raw, start) if not line[0].isspace())


def _edge_line(live: LivePage, raw: str, line_match: re.Match[str], turns: int) -> EdgeLine:
    start, end = line_match.span()
    text = line_match[0].strip()
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


# Whether the text layer of a page says anything.

GLANCED, SAMPLED = 8, 64  # characters whose mapping is looked at
UNMAPPED = 0.5  # of them without a letter: the font does not say what it shows
STRANGE = 0.3  # of the characters stand for nothing that people write
WORDS = 0.35  # of the characters at least are letters and digits
FEWEST = 20  # characters; fewer prove nothing
LETTERS = 60  # of Latin and Cyrillic that allow to judge by them
VOWELS = 0.19  # of them at least: in any language more, in shifted letters and in genes less
ACCENTED = 0.5  # of them at most: more is Cyrillic in a font that calls it Latin

# What a character is. Letters of Latin and Cyrillic are told apart by their sound.
_BLANK, _LEADER, _WORD, _OTHER, _STRANGE, _MUTE, _VOWEL, _ACCENT, _CYRILLIC, _CYRILLIC_VOWEL = (
    range(10)
)
_LEADERS = " .…·_-–—=*|\x02\ufffe"  # tables of contents and ruled lines are made of these
_VOWELS = "aeiouy"
_CYRILLIC_VOWELS = "аеёиоуыэюяіїєәөұү"
# Letters between Latin and Greek are hardly used: those that are, in Romanian, Azerbaijani,
# Vietnamese and pinyin.
_RARE = frozenset(range(0x180, 0x2B0)) - {0x18F, 0x192, 0x1A0, 0x1A1, 0x1AF, 0x1B0, 0x259}
_RARE -= {*range(0x1CD, 0x1DD), *range(0x218, 0x21C)}
# Words of one letter that languages have; any other letter alone was torn from its word.
_ONE_LETTER_WORDS = frozenset("авикосуябжйзієїàâáèéêíìóòôúùýäåæøöœАВИКОСУЯБЖЙЗІЄЇÀÁÈÉÊÍÓÔÚÄÅÆØÖ")


class LayerQuality(NamedTuple):
    """What was found about a text layer."""

    garbage: bool  # it is not what the page shows: its fonts do not name their letters
    strange: bool  # some characters in it stand for nothing
    torn: bool  # letters stand alone that no language leaves alone


def judge_layer(units: bytes, raw: str, text_page: Any) -> LayerQuality:
    """Whether the text of a page, in UTF-16 and decoded, can be what the page shows.

    Without a page of PDFium's the characters alone are judged.
    """
    codes = np.frombuffer(units, "<u2")
    counts = np.bincount(_classes().take(codes), minlength=10).tolist()
    _, _, words, others, strange, mute, vowels, accented, cyrillic, cyrillic_vowels = counts
    vowels += accented + cyrillic_vowels
    letters = mute + vowels + cyrillic
    words += letters
    spoken_words = words + strange + others
    garbage = spoken_words >= FEWEST and (
        strange >= STRANGE * spoken_words
        or (spoken_words >= 2 * FEWEST and words < WORDS * spoken_words)
        or (letters >= LETTERS and (vowels < VOWELS * letters or accented > ACCENTED * letters))
        or (text_page is not None and _unmapped(raw, text_page) and not _reads_like_text(raw))
    )
    return LayerQuality(garbage, strange > 0, accented + cyrillic > 0 and _torn(codes))


def _torn(codes: np.ndarray[Any, Any]) -> bool:
    """Whether letters stand alone that no language leaves alone.

    A line in two fonts may be drawn font by font, and PDFium follows: "жолға ұ қ" for "ұзақ жолға".

    >>> [_torn(np.array([ord(c) for c in text])) for text in ("из дома в сад", "жолға ұ қ ")]
    [False, True]
    """
    blank = codes <= 32
    inner = codes[1:-1]
    alone = inner[(inner >= 0xC0) & (inner < 0x530) & blank[:-2] & blank[2:]]
    return any(_is_torn(chr(code)) for code in alone.tolist())


def _is_torn(letter: str) -> bool:
    greek = "\u0370" <= letter < "\u0400"  # stands alone in formulas
    return letter.isalpha() and not greek and letter not in _ONE_LETTER_WORDS


def _unmapped(raw: str, text_page: Any) -> bool:
    """Whether PDFium had to guess most letters, by a sample; a larger one where it guessed any."""
    for size in (GLANCED, SAMPLED):
        sample = [i for i in range(0, len(raw), len(raw) // size + 1) if raw[i] > " "]
        guessed = [i for i in sample if pdfium.FPDFText_HasUnicodeMapError(text_page, i) == 1]
        if not guessed:
            return False
    return len(guessed) > UNMAPPED * len(sample)


def _reads_like_text(raw: str) -> bool:
    """Whether letters look like words even so: old fonts number them as ASCII does.

    >>> _reads_like_text("the rope freezes to its pulleys"), _reads_like_text("WKH URSH IUHH]HV")
    (True, False)
    """
    letters = sum(map(str.isalpha, raw))
    small = sum(map(str.islower, raw))
    vowels = sum(char in _VOWELS or char in _CYRILLIC_VOWELS for char in raw)
    return small >= 0.7 * letters and 0.25 * letters <= vowels <= 0.6 * letters


@cache
def _classes() -> np.ndarray[Any, Any]:
    """What every character of the basic plane is, by its number."""
    classes = np.full(0x10000, _OTHER, dtype=np.intp)  # as they are counted
    for code in range(0x10000):
        char = chr(code)
        if char.isalnum():
            classes[code] = _letter(code, char.casefold())
        elif char.isspace():
            classes[code] = _BLANK
    classes[[*range(9), *range(14, 32), *range(127, 160), 0xFFFD]] = _STRANGE
    classes[0xE000:0xF900] = _STRANGE  # private use: what a font likes
    classes[sorted(_RARE)] = _STRANGE
    classes[[ord(char) for char in _LEADERS]] = _LEADER
    classes[0xD800:0xE000] = _OTHER  # halves of letters beyond
    return classes


def _letter(code: int, small: str) -> int:
    if code < 0x80 and small.isalpha():
        return _VOWEL if small in _VOWELS else _MUTE
    if 0xC0 <= code < 0x250:
        return _ACCENT
    if 0x400 <= code < 0x530:
        return _CYRILLIC_VOWEL if small in _CYRILLIC_VOWELS else _CYRILLIC
    return _WORD
