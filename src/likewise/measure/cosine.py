"""Cosines of two bags of words (paper 003, 3.3 and 3.4), from whole numbers only."""

from __future__ import annotations

import math

from likewise.measure.profile import Bag, Squares, squares_of
from likewise.measure.registry import Measure, register

RARE = 1 + math.log10(2)  # idf of a word that stands in one of two texts; in both it is 1


def word_cosine(a: Bag, b: Bag) -> float:
    """Cosine of the word counts."""
    return _word_cosine(squares_of(a, b))


def tfidf_cosine(a: Bag, b: Bag) -> float:
    """Cosine of tf·idf with the idf of the pair: 1 for words of both, 1 + log10 2 for words of one.

    The length of a text cancels out, so that counts do for frequencies.
    """
    return _tfidf_cosine(squares_of(a, b))


def _word_cosine(squares: Squares) -> float:
    dot, (shared_a, rest_a), (shared_b, rest_b) = squares
    return _ratio(dot, float((shared_a + rest_a) * (shared_b + rest_b)))


def _tfidf_cosine(squares: Squares) -> float:
    dot, (shared_a, rest_a), (shared_b, rest_b) = squares
    weight = RARE * RARE
    return _ratio(dot, (shared_a + weight * rest_a) * (shared_b + weight * rest_b))


def _ratio(dot: int, squares: float) -> float:
    return min(1.0, dot / math.sqrt(squares)) if dot else 0.0


register(
    Measure(
        "tfidf",
        lambda pair: _tfidf_cosine(pair.squares),
        place=60,
        agrees_as="tfidf",
        description="cosine",
        is_always_there=True,
    )
)
register(
    Measure(
        "words",
        lambda pair: _word_cosine(pair.squares),
        place=70,
        agrees_as="words",
        description="cosine of bags of words",
        is_always_there=True,
    )
)
