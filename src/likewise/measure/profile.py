"""What the measures need of one document and of two, each made once and only if one asks for it."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likewise.language import Lexicon, words_of
from likewise.measure.bags import Bag, Squares, bag_of, squares_of
from likewise.settings import Settings
from likewise.sketch import Sets, build_sets, signatures_of


class Profile:
    """A document as the measures see it."""

    def __init__(self, text: str, settings: Settings, lexicon: Lexicon) -> None:
        self.text, self.settings = text, settings
        self._sets: Sets = build_sets([text], settings, lexicon)
        self._words = words_of(text, lexicon)

    @cached_property
    def bag(self) -> Bag:
        """Its words, and how often each occurs."""
        return bag_of(self._words.hash)

    @cached_property
    def shingles(self) -> NDArray[np.uint64]:
        """Its shingles, ascending."""
        return np.sort(self._sets.hashes)

    @cached_property
    def signature(self) -> NDArray[Any]:
        """Its signature."""
        signature: NDArray[Any] = signatures_of(self._sets, self.settings)[0]
        return signature

    def shared(self, other: Profile) -> int:
        """How many shingles both hold."""
        return len(np.intersect1d(self.shingles, other.shingles, assume_unique=True))


class ProfilePair:
    """Two documents as the measures see them."""

    def __init__(self, a: Profile, b: Profile) -> None:
        self.a, self.b, self.settings = a, b, a.settings
        self.size_a, self.size_b = len(a.shingles), len(b.shingles)

    @cached_property
    def shared(self) -> int:
        """How many shingles both hold."""
        return self.a.shared(self.b)

    @cached_property
    def squares(self) -> Squares:
        """The dot product of their bags, and the squares of shared and other words."""
        return squares_of(self.a.bag, self.b.bag)


def profile_of(text: str, settings: Settings, lexicon: Lexicon) -> Profile:
    """Words, shingles and signature of a text."""
    return Profile(text, settings, lexicon)
