"""Letters of a foreign alphabet inside words, repaired from the word alone.

A word that mixes alphabets is written back into the one it was written in. A word of which every
letter has a twin in the other alphabet ("сос", "coc") could be either: both spellings are decided
together, so that swapping all its letters changes nothing. (The twins are those of UTS 39's
confusables that matter for English, Russian and Kazakh, after case folding: В looks like B, so в
stands for b.) Cyrillic as such is never suspect, and Kazakh letters are letters.
"""

from __future__ import annotations

import re
from functools import cache
from importlib import resources

_LATIN_TO_CYRILLIC = dict(zip("abcehikmoptxy", "авсенікмортху", strict=True))
_CYRILLIC_TO_LATIN = {cyrillic: latin for latin, cyrillic in _LATIN_TO_CYRILLIC.items()}
# Twins that are used against a Latin word only; no Russian or Kazakh word is spelled with them,
# but for һ, which looks like h and is Kazakh.
_CYRILLIC_TO_LATIN |= dict(zip("ѕјԁԛԝӏһүѵ", "sjdqwlhyv", strict=True))
# Letters of neither alphabet that are put for those of one: Greek (ϲ is folded to σ), phonetic.
_OTHERS = dict(zip("αβεηικμνορστυχɑɡıəɵ", "abehikmvopctuxagiәө", strict=True))

_CYRILLIC_ALONE = re.compile("[\u0400-\u052f]+")
_ONLY_KAZAKH = frozenset("әғқңөұүһ")
TWIN_LATIN = "".join(_LATIN_TO_CYRILLIC)
TWIN_CYRILLIC = "".join(_LATIN_TO_CYRILLIC.values())

_TO_CYRILLIC = str.maketrans(_LATIN_TO_CYRILLIC)
_TO_KAZAKH = str.maketrans(_LATIN_TO_CYRILLIC | {"h": "һ"})
_TO_LATIN = str.maketrans(_CYRILLIC_TO_LATIN)
_FROM_OTHERS = str.maketrans(_OTHERS)
_OTHER = frozenset(_OTHERS)


def repair(word: str) -> str:
    """The word in the alphabet it was written in.

    >>> repair("кoшкa"), repair("рublish"), repair("кошка"), repair("қаhарман")
    ('кошка', 'publish', 'кошка', 'қаһарман')
    """
    if _CYRILLIC_ALONE.fullmatch(word):
        return word
    rest = set(word) - _OTHER
    if len(rest) < len(set(word)) and any(_is_latin(c) or _is_cyrillic(c) for c in rest):
        word = word.translate(_FROM_OTHERS)
    latin = sum(map(_is_latin, word))
    cyrillic = sum(map(_is_cyrillic, word))
    if not latin or not cyrillic:
        return word
    to_cyrillic = word.translate(_TO_KAZAKH if _ONLY_KAZAKH & set(word) else _TO_CYRILLIC)
    to_latin = word.translate(_TO_LATIN)
    attempts = (to_latin, to_cyrillic) if latin > cyrillic else (to_cyrillic, to_latin)
    for attempt in attempts:
        if not (any(map(_is_latin, attempt)) and any(map(_is_cyrillic, attempt))):
            return attempt
    return word  # letters of both alphabets that have no twins: nobody was fooled


def is_ambiguous(word: str) -> bool:
    """Whether every letter has a twin in the other alphabet.

    >>> is_ambiguous("сос"), is_ambiguous("coc"), is_ambiguous("дом"), is_ambiguous("dog")
    (True, True, False, False)
    """
    return not word.strip(TWIN_LATIN) or not word.strip(TWIN_CYRILLIC)


def skeleton(word: str) -> str:
    """One spelling for both spellings of an ambiguous word.

    >>> skeleton("сос") == skeleton("coc")
    True
    """
    return word.translate(_TO_LATIN)


def spellings(word: str) -> tuple[str, str]:
    """The Latin and the Cyrillic spelling of an ambiguous word."""
    latin = word.translate(_TO_LATIN)
    return latin, latin.translate(_TO_CYRILLIC)


@cache
def english_lookalikes() -> frozenset[str]:
    """Ambiguous words that are English."""
    text = resources.files(__package__).joinpath("lookalikes_en.txt").read_text("utf-8")
    return frozenset(line for line in text.split("\n") if line and not line.startswith("#"))


def _is_latin(char: str) -> bool:
    return "a" <= char <= "z" or "\u00df" <= char <= "\u024f"


def _is_cyrillic(char: str) -> bool:
    return "\u0400" <= char <= "\u052f"
