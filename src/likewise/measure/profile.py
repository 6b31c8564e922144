"""What every measure needs of one document and of two, made once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likewise.language import Lexicon, tokens_of
from likewise.measure.bags import Bag, Squares, bag_of, squares_of
from likewise.settings import Settings
from likewise.sketch import build_sets, sets_of_words, signatures_of


@dataclass(frozen=True, slots=True, eq=False)
class Profile:
    """A document as the measures see it."""

    text: str
    bag: Bag
    shingles: NDArray[np.uint64]  # ascending
    signature: NDArray[Any]

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
