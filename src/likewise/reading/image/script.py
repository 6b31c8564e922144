"""Recognition that keeps to a page's script: "YANN" in faint print is not "УАПП"."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from likewise.languages import LATIN, language_of
from likewise.reading.image.engine import recognise
from likewise.reading.image.text import Line, Recognised, Word
from likewise.reading.request import LANGUAGES

Array = np.ndarray[Any, np.dtype[Any]]

_FAINT = 88.0  # confidence of a page below which all of it is read again
_SURE = 85.0  # of a word
_NEARLY_ALL = 0.85  # of the letters
_MOST_LINES = 30  # that are read again
_WORSE = 4.0  # confidence that a line may lose by it
_AROUND = 6  # pixels around a line


def recognise_in_its_script(grey: Array, languages: Sequence[str] = LANGUAGES) -> Recognised:
    """The words on a page; where it is in Latin letters, by those who know no others if need be.

    The engine knows all languages at once and takes a Latin word for a Cyrillic one of the same
    look. On a page in Latin letters such lines are read again, and all lines if print is faint;
    a line that is really in two scripts reads badly in one, and stays.
    """
    page = recognise(grey, languages)
    latin = [code for code in languages if _is_latin(code)]
    if not 0 < len(latin) < len(languages):
        return page
    share = _latin_share_of(page)
    if share >= _NEARLY_ALL and page.confidence < _FAINT:
        return recognise(grey, latin)
    if share <= 0.5:
        return page
    lines = list(page.lines)
    least = -1 if share >= _NEARLY_ALL else 0  # of such a page, also lines without a Latin letter
    mixed = [at for at, line in enumerate(lines) if least < _latin_share(line.words) < 1]
    for at in mixed[:_MOST_LINES]:
        lines[at] = _read_again(grey, lines[at], latin)
    return Recognised(tuple(lines))


def _is_latin(code: str) -> bool:
    """Languages that only the engine knows are taken to have Latin letters."""
    language = language_of(code)
    return language is None or language.letters == LATIN


def _read_again(grey: Array, line: Line, languages: Sequence[str]) -> Line:
    left, top, right, bottom = line.box
    part = grey[max(0, top - _AROUND) : bottom + _AROUND, max(0, left - _AROUND) : right + _AROUND]
    again = recognise(part, languages, is_one_line=True)
    words = tuple(word for found in again.lines for word in found.words)
    if again.confidence < line.confidence - _WORSE:
        return line
    return replace(line, words=words)


def _latin_share_of(page: Recognised) -> float:
    """The same of a page, by the words that one can be sure of if there are any."""
    words = [word for line in page.lines for word in line.words]
    return _latin_share([word for word in words if word.confidence >= _SURE] or words)


def _latin_share(words: Iterable[Word]) -> float:
    """How many of the letters are Latin; of none at all, all."""
    letters = [letter for word in words for letter in word.text if letter.isalpha()]
    return sum(letter < "\u0250" for letter in letters) / len(letters) if letters else 1.0
