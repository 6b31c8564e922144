"""How rare words are: by a shipped list, and by the documents of a library where there is one."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable
from functools import cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from likewise.kernels import hash_words
from likewise.language import stopwords
from likewise.language.lexicon import Lexicon
from likewise.language.words import canonical_text
from likewise.languages import codes

RAREST = 14.0  # bits: what no list holds
_FEWEST_TEXTS = 20  # before what a collection holds says anything about words
_BITS_OF_SMALL_NUMBERS, _BITS_OF_YEARS, _BITS_OF_LETTERS = 5, 9, 5
_HEADING = re.compile(r"\[(\w\w) (\d+)\]")


class Rarity:
    """How rare a stem is, in bits: each bit halves the pages that hold it.

    >>> rarity = Rarity.shipped()
    >>> rarity.of("year") < rarity.of("mill") < rarity.of("zeugma") == RAREST
    True
    """

    def __init__(self, bits: dict[str, float]) -> None:
        self._bits = bits

    @classmethod
    def shipped(cls) -> Rarity:
        """By the list of frequent English, Russian and Kazakh words that comes with Likewise."""
        return _shipped()

    def among(self, texts: Iterable[str], lexicon: Lexicon) -> Rarity:
        """The same, where what is frequent among some texts, such as a library's, is less rare."""
        holders: Counter[str] = Counter()
        count, forms = 0, dict[int, str]()
        for text in texts:
            count += 1
            holders.update(set(canonical_text(text, lexicon, forms).split()))
        if count < _FEWEST_TEXTS:
            return self
        there = {
            without_breve(stem): min(self.of(stem), math.log2(count / held_by))
            for stem, held_by in holders.items()
            if held_by > 1
        }
        return Rarity({**self._bits, **there})

    def of(self, stem: str) -> float:
        """Bits, from 0 for what stands everywhere."""
        return self._bits.get(without_breve(stem), RAREST)


def shipped_bits(hashes: NDArray[np.uint64]) -> NDArray[np.int64]:
    """How rare canonical words are by the shipped list, in whole bits, from their hashes.

    >>> shipped_bits(hash_words(["year", "zeugma"])).tolist()
    [4, 14]
    """
    listed, bits = _shipped_hashes()
    place = np.minimum(np.searchsorted(listed, hashes), len(listed) - 1)
    return np.where(listed[place] == hashes, bits[place], int(RAREST))


@cache
def _shipped_hashes() -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """The list by the hashes of its stems, in order. Stop words count where settings keep them."""
    bits: dict[str, int] = {}
    for stem, rare in _shipped()._bits.items():
        bits[stem] = int(rare)
        for k, letter in enumerate(stem):
            if letter == "и":  # as the list was counted, it may be an й
                bits.setdefault(f"{stem[:k]}й{stem[k + 1 :]}", int(rare))
    bits |= {str(number): _BITS_OF_YEARS for number in range(100, 2_100)}
    bits |= {str(number): _BITS_OF_SMALL_NUMBERS for number in range(100)}
    bits |= {chr(letter): _BITS_OF_LETTERS for ab in ("az", "ая") for letter in _letters(ab)}
    bits |= {word: 1 for language in codes() for word in stopwords.shipped(language)}
    hashes = hash_words(list(bits))
    order = np.argsort(hashes)
    return hashes[order], np.array(list(bits.values()), dtype=np.int64)[order]


def _letters(first_and_last: str) -> range:
    return range(ord(first_and_last[0]), ord(first_and_last[1]) + 1)


def without_breve(stem: str) -> str:
    """As the list was counted, й is written as и."""
    return stem.replace("й", "и")


def read_frequencies() -> str:
    """The shipped list as it is written."""
    return (files(__package__) / "frequencies.txt").read_text("utf-8")


@cache
def _shipped() -> Rarity:
    bits: dict[str, float] = {}
    rare = RAREST
    for line in read_frequencies().splitlines():
        if heading := _HEADING.fullmatch(line):
            rare = float(heading[2])
        elif not line.startswith("#"):
            # A stem of two languages is as rare as in the one that uses it most.
            for stem in line.split():
                bits[stem] = min(rare, bits.get(stem, RAREST))
    return Rarity(bits)
