"""Documents of random words, as frequent as in the English corpus, and new ones with a passage.

Runs are shared only where they were planted.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np

from likewise.language import Lexicon, words_of
from likewise.settings import Settings

CANONICAL_RUN = 8
RAW_RUN = 30
NEW = 1 << 40  # the first number of a document that no library holds

Case = tuple[int, str]


class Texts:
    """Documents of random words, each made again from its number alone."""

    def __init__(self, folder: Path, words: int) -> None:
        vocabulary = json.loads((folder / "growing" / "vocabulary.json").read_text("utf-8"))
        self._words = np.array(list(vocabulary), dtype=object)
        self._edges = np.cumsum(np.array(list(vocabulary.values()), dtype=np.float64))
        self._edges /= self._edges[-1]
        self._length = words

    def of(self, number: int) -> list[str]:
        """The words of a document."""
        dice = np.random.default_rng([23, self._length, number])
        length = int(self._length * dice.uniform(0.8, 1.2))
        drawn = np.searchsorted(self._edges, dice.random(length), side="right")
        found: list[str] = self._words[drawn].tolist()
        return found

    def text(self, number: int) -> str:
        return " ".join(self.of(number))


def planted_cases(texts: Texts, documents: int, checks: int, kind: str) -> list[Case]:
    """New documents with a run of one of the library's inside, and which."""
    dice = np.random.default_rng(5)
    lexicon = Lexicon(Settings())
    cases = []
    for number in range(checks):
        source = int(dice.integers(documents))
        own = texts.of(NEW + number)
        at = int(dice.integers(len(own)))
        run = KINDS[kind](texts.of(source), dice, lexicon)
        cases.append((source, " ".join([*own[:at], run, *own[at:]])))
    return cases


def _eight_canonical(words: list[str], dice: np.random.Generator, lexicon: Lexicon) -> str:
    text = " ".join(words)
    kept = words_of(text, lexicon)
    first = int(dice.integers(len(kept) - CANONICAL_RUN + 1))
    return text[int(kept.start[first]) : int(kept.end[first + CANONICAL_RUN - 1])]


def _thirty_raw(words: list[str], dice: np.random.Generator, lexicon: Lexicon) -> str:
    first = int(dice.integers(len(words) - RAW_RUN + 1))
    return " ".join(words[first : first + RAW_RUN])


KINDS: dict[str, Callable[[list[str], np.random.Generator, Lexicon], str]] = {
    "eight": _eight_canonical,
    "thirty": _thirty_raw,
}
