"""Two sides with their words numbered alike."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from likewise.align.side import DistinctWords, Side, distinct_words
from likewise.kernels.relations import WHOLE, Partners, Usual

Numbers = NDArray[np.int64]

# A language of 5,000 equally frequent words, seen 500 words long, beside the document's own words.
UNSEEN_WORDS, UNSEEN_FREQUENCY = 500, 0.1


class Box(NamedTuple):
    """Words of one side and words of the other, ends exclusive."""

    a0: int
    a1: int
    b0: int
    b1: int

    def meets(self, other: Box) -> bool:
        return (
            self.a0 < other.a1 and other.a0 < self.a1 and self.b0 < other.b1 and other.b0 < self.b1
        )

    def meets_in_a(self, other: Box) -> bool:
        return self.overlap_in_a(other) > 0

    def overlap_in_a(self, other: Box) -> int:
        """How many words of a both have; none or less where they lie apart."""
        return min(self.a1, other.a1) - max(self.a0, other.a0)

    def holds(self, other: Box) -> bool:
        return self.joined(other) == self

    def joined(self, other: Box) -> Box:
        return Box(
            min(self.a0, other.a0),
            max(self.a1, other.a1),
            min(self.b0, other.b0),
            max(self.b1, other.b1),
        )


@dataclass(frozen=True, slots=True, eq=False)
class Half:
    """One side of a pair: the number of each word (0: does not count), and how often each is."""

    side: Side
    numbers: Numbers
    frequency: Numbers
    places: Numbers  # of the words that count
    words: Numbers  # their numbers from 0; -1 for a word that does not count
    usual: Usual  # how often each is met anyway

    @property
    def size(self) -> int:
        """How many words count."""
        return len(self.places)


@dataclass(frozen=True, slots=True, eq=False)
class Pair:
    """Two documents to be aligned; a word has the same number in both."""

    a: Half
    b: Half
    vocabulary: int
    partners: Partners  # each word has itself
    _tally: Numbers  # all zero between two calls

    def count(self, words: Numbers, among: Numbers) -> Numbers:
        """How often each of `words` stands `among` others; words that do not count stand nowhere.

        Takes time by the number of words given, not by the vocabulary.
        """
        np.add.at(self._tally, among, 1)
        self._tally[0] = 0
        counted: Numbers = self._tally[words]
        self._tally[among] = 0
        return counted


def pair_of(a: Side, b: Side) -> Pair:
    """Number the words of both sides; what is dropped is 0."""
    of_a, of_b = distinct_words(a), distinct_words(b)
    distinct = np.union1d(of_a.words, of_b.words)
    vocabulary = len(distinct) + 1
    halves = [
        _half(side, words, np.searchsorted(distinct, words.words) + 1, vocabulary)
        for side, words in ((a, of_a), (b, of_b))
    ]
    each = np.arange(vocabulary)
    partners = Partners(each, each[:-1], np.full(vocabulary - 1, WHOLE))
    return Pair(halves[0], halves[1], vocabulary, partners, np.zeros_like(each))


def _half(side: Side, words: DistinctWords, number: Numbers, vocabulary: int) -> Half:
    numbers, frequency = (np.zeros(size, np.int64) for size in (len(side.hash), vocabulary))
    numbers[words.places] = number[words.number]
    frequency[number] = words.frequency
    usual = Usual(
        frequency[1:] * WHOLE,
        np.zeros(vocabulary - 1, np.int64),
        np.zeros(vocabulary - 1),
        len(words.number) + UNSEEN_WORDS,
    )
    return Half(side, numbers, frequency, words.places, numbers - 1, usual)
