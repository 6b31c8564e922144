"""Whether the text layer of a page says anything."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np
import pypdfium2.raw as pdfium

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


class Judged(NamedTuple):
    """What was found about a text layer."""

    garbage: bool  # it is not what the page shows: its fonts do not name their letters
    strange: bool  # some characters in it stand for nothing
    torn: bool  # letters stand alone that no language leaves alone


def judged(units: bytes, raw: str, text_page: Any) -> Judged:
    """Whether the text of a page, in UTF-16 and decoded, can be what the page shows.

    Without a page of PDFium's the characters alone are judged.
    """
    codes = np.frombuffer(units, "<u2")
    counts = np.bincount(_classes().take(codes), minlength=10).tolist()
    _, _, words, others, strange, mute, vowels, accented, cyrillic, cyrillic_vowels = counts
    vowels += accented + cyrillic_vowels
    letters = mute + vowels + cyrillic
    words += letters
    said = words + strange + others
    garbage = said >= FEWEST and (
        strange >= STRANGE * said
        or (said >= 2 * FEWEST and words < WORDS * said)
        or (letters >= LETTERS and (vowels < VOWELS * letters or accented > ACCENTED * letters))
        or (text_page is not None and _unmapped(raw, text_page) and not _reads_like_text(raw))
    )
    return Judged(garbage, strange > 0, accented + cyrillic > 0 and _torn(codes))


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
