"""Words that were divided at the end of a line, made whole, and ends of lines made plain."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

# PDFium puts one of these in place of a hyphen and the end of the line behind it.
MARKS = "\x02\ufffe"
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
            text = pattern.sub(lambda found: _whole(found, compounds), text)
    if "\xad" in text:
        text = text.replace("\xad", "")
    return text.replace(" \r\n", "\n").replace("\r\n", "\n").replace("\r", "\n")


def without_control(text: str) -> str:
    """The text with a blank for every character that nobody can see."""
    return _CONTROL.sub(" ", text)


def _compounds(text: str) -> Iterator[str]:
    last = len(text) - 1
    for found in _PLAIN_HYPHEN.finditer(text):
        i = found.start()
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
    found = _WORD.match(text, start)
    return found[0] if found else ""


def _whole(found: re.Match[str], compounds: Compounds) -> str:
    """What stands in place of a hyphen: itself, or nothing where a divided word goes on."""
    mark, text, start, end = found[0], found.string, found.start(), found.end()
    left, right = _word_before(text, start), _word_after(text, end)
    if left and right:
        if right[0].islower() or (left.isupper() and right.isupper() and len(left) > 1):
            return "-" if compounds.has(left, right) else ""
        return "-"  # Anglo-American, COVID-19
    if mark not in MARKS:
        return mark
    return "-" if end < len(text) else "-\r\n"
