"""Pairs of random sets whose Jaccard is known, because it was chosen."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from likewise.sketch import Sets


class KnownPairs(NamedTuple):
    """Sets in pairs, 0 with 1, 2 with 3 and so on, all of one Jaccard."""

    sets: Sets
    jaccard: float

    def agreement(self, signatures: NDArray[np.generic]) -> NDArray[np.float64]:
        """The share of slots in which the two of each pair agree."""
        shares: NDArray[np.float64] = (signatures[::2] == signatures[1::2]).mean(axis=1)
        return shares


def known_pairs(pairs: int, union: int, jaccard: float) -> KnownPairs:
    """Pairs with so many distinct elements between them.

    >>> known = known_pairs(3, 10, 0.4)
    >>> known.sets.sizes.tolist(), known.jaccard
    ([7, 7, 7, 7, 7, 7], 0.4)
    """
    shared = round(jaccard * union)
    dice = np.random.default_rng([union, shared])
    left = shared + (union - shared) // 2
    flat, sizes = [], []
    for _ in range(pairs):
        items = dice.integers(1, 1 << 63, size=union, dtype=np.uint64)  # twice the same: never
        flat += [items[:left], np.concatenate((items[:shared], items[left:]))]
        sizes += [left, shared + union - left]
    offsets = np.cumsum([0, *sizes]).astype(np.int64)
    return KnownPairs(Sets(np.concatenate(flat), offsets), shared / union)
