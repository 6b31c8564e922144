"""Bags of words: how often each stands in a text, and what two of them share."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from sys import getsizeof
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likewise.language import Lexicon, tokens_of
from likewise.settings import Settings
from likewise.sketch import build_sets, sets_of_words, signatures_of

Bag = tuple[NDArray[np.uint64], NDArray[np.int64]]
Squares = tuple[int, tuple[int, int], tuple[int, int]]


def bag_of(words: NDArray[np.uint64]) -> Bag:
    """Distinct words, ascending, and how often each occurs."""
    distinct, counts = np.unique(words, return_counts=True)
    return distinct, counts.astype(np.int64)


def squares_of(a: Bag, b: Bag) -> Squares:
    """The dot product, and for each bag the squares of its shared and of its other words."""
    _, in_a, in_b = np.intersect1d(a[0], b[0], assume_unique=True, return_indices=True)
    shared_a, shared_b = a[1][in_a], b[1][in_b]
    squares_a, squares_b = _sum_squares(shared_a), _sum_squares(shared_b)
    return (
        int((shared_a * shared_b).sum()),
        (squares_a, _sum_squares(a[1]) - squares_a),
        (squares_b, _sum_squares(b[1]) - squares_b),
    )


def _sum_squares(counts: NDArray[np.int64]) -> int:
    return int((counts * counts).sum())


# What every measure needs of one document and of two, made once.


@dataclass(frozen=True, slots=True, eq=False)
class Profile:
    """A document as the measures see it."""

    text: str
    bag: Bag
    shingles: NDArray[np.uint64]  # ascending
    signature: NDArray[Any]

    @property
    def memory_bytes(self) -> int:
        """What it takes in memory, about."""
        arrays = (*self.bag, self.shingles, self.signature)
        return sum(array.nbytes for array in arrays) + getsizeof(self.text)

    def shared(self, other: Profile) -> int:
        """How many shingles both hold."""
        return len(np.intersect1d(self.shingles, other.shingles, assume_unique=True))


class ProfilePair:
    """Two documents as the measures see them; what several measures ask for is counted once."""

    def __init__(
        self, a: Profile, b: Profile, settings: Settings, shared: int | None = None
    ) -> None:
        self.a, self.b, self.settings = a, b, settings
        self.size_a, self.size_b = len(a.shingles), len(b.shingles)
        self.shared = a.shared(b) if shared is None else shared  # shingles that both hold

    @cached_property
    def squares(self) -> Squares:
        """The dot product of their bags, and the squares of shared and other words."""
        return squares_of(self.a.bag, self.b.bag)


def profile_of(
    text: str,
    settings: Settings,
    lexicon: Lexicon,
    words: NDArray[np.uint64] | None = None,
) -> Profile:
    """Words, shingles and signature of a text, whose words (0: dropped) may be known already."""
    if words is None:
        words = tokens_of(text, lexicon).hash
    if settings.unit == "words":
        sets = sets_of_words(words, settings)
    else:
        sets = build_sets([text], settings, lexicon)
    return Profile(
        text,
        bag_of(words[words != 0]),
        np.sort(sets.hashes),
        signatures_of(sets, settings)[0],
    )
