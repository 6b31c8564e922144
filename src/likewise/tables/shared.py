"""Cells that two tables share, and what they say about which row and column is which."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Places = NDArray[np.int64]
Keys = NDArray[np.uint64]

MOST_PAIRS = 200_000  # of cells with a common key, for small tables all of them


class SharedCells(NamedTuple):
    """Pairs of cells with the same key, rarest keys first as far as there is room."""

    row_a: Places
    column_a: Places
    row_b: Places
    column_b: Places
    weight: Floats
    complete: bool  # whether there was room for all


def shared_cells(keys_a: Keys, keys_b: Keys, bits_a: Floats, bits_b: Floats) -> SharedCells:
    """Every pair of cells with a common key; a key that stands often weighs less in each place.

    Near-linear: a key that stands often in both tables makes many pairs, and those come last,
    within a budget that grows with the tables.
    """
    flat_a, flat_b = keys_a.ravel(), keys_b.ravel()
    order_a, order_b = np.argsort(flat_a, kind="stable"), np.argsort(flat_b, kind="stable")
    known, first_a, count_a = np.unique(flat_a[order_a], return_index=True, return_counts=True)
    sorted_b = flat_b[order_b]
    first_b = np.searchsorted(sorted_b, known, side="left")
    count_b = np.searchsorted(sorted_b, known, side="right") - first_b
    common = np.flatnonzero((count_b > 0) & (known != 0))
    pairs = count_a[common] * count_b[common]
    cheapest = np.argsort(pairs, kind="stable")
    budget = max(MOST_PAIRS, 8 * (flat_a.size + flat_b.size))
    affordable = cheapest[np.cumsum(pairs[cheapest]) <= budget]
    complete = len(affordable) == len(common)
    common = common[affordable]
    count_a, count_b = count_a[common], count_b[common]
    each = count_a * count_b
    total = int(each.sum())
    within = np.arange(total) - np.repeat(np.cumsum(each) - each, each)
    across = np.repeat(count_b, each)
    a = order_a[np.repeat(first_a[common], each) + within // np.maximum(across, 1)]
    b = order_b[np.repeat(first_b[common], each) + within % np.maximum(across, 1)]
    weight = np.minimum(bits_a.ravel()[a], bits_b.ravel()[b])
    weight = weight / np.repeat(np.maximum(count_a, count_b), each)
    row_a, column_a = np.divmod(a, max(keys_a.shape[1], 1))
    row_b, column_b = np.divmod(b, max(keys_b.shape[1], 1))
    return SharedCells(row_a, column_a, row_b, column_b, weight, complete)


class Votes(NamedTuple):
    """How much speaks for each pair of lines."""

    a: Places
    b: Places
    weight: Floats

    @property
    def concentration(self) -> float:
        """Large where few pairs of lines get all the votes."""
        return float((self.weight**2).sum())


def votes(a: Places, b: Places, weight: Floats, width: int) -> Votes:
    """The weights summed by pair."""
    pairs, which = np.unique(a * np.int64(width) + b, return_inverse=True)
    sums: Floats = np.bincount(which, weights=weight, minlength=len(pairs)).astype(np.float64)
    first, second = np.divmod(pairs, max(width, 1))
    return Votes(first, second, sums)


def one_to_one(found: Votes) -> tuple[Places, Places]:
    """Pairs of lines, best first, each line once; where votes are equal, the order decides.

    >>> a, b = one_to_one(Votes(np.array([0, 0, 1]), np.array([0, 1, 0]), np.array([2.0, 3, 1])))
    >>> a.tolist(), b.tolist()
    ([0, 1], [1, 0])
    """
    order = np.lexsort((found.b, found.a, np.abs(found.a - found.b), -found.weight))
    taken_a: set[int] = set()
    taken_b: set[int] = set()
    pairs = []
    for a, b in zip(found.a[order].tolist(), found.b[order].tolist(), strict=True):
        if a not in taken_a and b not in taken_b:
            taken_a.add(a)
            taken_b.add(b)
            pairs.append((a, b))
    both = np.array(sorted(pairs), dtype=np.int64).reshape(-1, 2)
    return both[:, 0], both[:, 1]
