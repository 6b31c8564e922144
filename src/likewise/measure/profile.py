"""What every measure needs of one document, made once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likewise.language import Lexicon, words_of
from likewise.measure.agreement import agreement
from likewise.measure.cosine import Bag, bag_of, tfidf_cosine, word_cosine
from likewise.measure.overlap import containment, dice, jaccard
from likewise.model import Document, Match, Scores
from likewise.settings import Settings
from likewise.sketch import build_sets, estimate, signatures_of


@dataclass(frozen=True, slots=True, eq=False)
class Profile:
    """A document as the measures see it."""

    bag: Bag
    shingles: NDArray[np.uint64]  # ascending
    signature: NDArray[Any]

    def shared(self, other: Profile) -> int:
        """How many shingles both hold."""
        return len(np.intersect1d(self.shingles, other.shingles, assume_unique=True))


def profile_of(text: str, settings: Settings, lexicon: Lexicon) -> Profile:
    """Words, shingles and signature of a text."""
    sets = build_sets([text], settings, lexicon)
    return Profile(
        bag_of(words_of(text, lexicon).hash),
        np.sort(sets.hashes),
        signatures_of(sets, settings)[0],
    )


def scores(a: Profile, b: Profile, settings: Settings, level: int = 99) -> Scores:
    """Every measure of a pair beside Jaccard and containment."""
    shared, size_a, size_b = a.shared(b), len(a.shingles), len(b.shingles)
    some = size_a and size_b
    four = {
        "shingles": jaccard(shared, size_a, size_b),
        "signature": estimate(a.signature, b.signature, settings.bits) if some else 0.0,
        "tfidf": tfidf_cosine(a.bag, b.bag),
        "words": word_cosine(a.bag, b.bag),
    }
    agreed, interval = agreement(four, level)
    return Scores(
        dice=dice(shared, size_a, size_b),
        signature=four["signature"],
        tfidf=four["tfidf"],
        words=four["words"],
        agreement=agreed,
        interval=interval,
    )


def measured(
    a: Document, b: Document, one: Profile, two: Profile, settings: Settings, level: int = 99
) -> Match:
    """Two documents by every measure; `one` and `two` are their profiles."""
    shared, size_a, size_b = one.shared(two), len(one.shingles), len(two.shingles)
    return Match(
        a=a.name,
        b=b.name,
        jaccard=jaccard(shared, size_a, size_b),
        containment_a=containment(shared, size_a),
        containment_b=containment(shared, size_b),
        scores=scores(one, two, settings, level),
        documents=(a, b),
        settings=settings,
    )
