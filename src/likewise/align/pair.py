"""Two sides with their words numbered alike."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from likewise.align.side import Side

Numbers = NDArray[np.int64]


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
    """Number the words of both sides."""
    hashes = np.concatenate((np.zeros(1, np.uint64), a.hash, b.hash))  # what is dropped comes first
    distinct, numbers = np.unique(hashes, return_inverse=True)
    numbers = numbers.astype(np.int64, copy=False)[1:]
    vocabulary = len(distinct)
    halves = [
        _half(side, own, vocabulary)
        for side, own in ((a, numbers[: len(a.hash)]), (b, numbers[len(a.hash) :]))
    ]
    return Pair(halves[0], halves[1], vocabulary, np.zeros(vocabulary, dtype=np.int64))


def _half(side: Side, numbers: Numbers, vocabulary: int) -> Half:
    frequency = np.bincount(numbers, minlength=vocabulary)
    frequency[0] = 0
    return Half(side, numbers, frequency, np.flatnonzero(numbers))
