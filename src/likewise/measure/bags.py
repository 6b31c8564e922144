"""Bags of words: how often each stands in a text, and what two of them share."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

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
