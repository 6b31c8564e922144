"""The length filters of Azgomi et al. (paper 001), as they are: which pairs each one compares.

Documents are sorted by a length L; each is compared with the next while L(next) <= L / threshold.
Every compared pair is counted exactly, so a filter can only lose pairs, never invent them:

| filter | L | lossless for |
| --- | --- | --- |
| none | - | every measure |
| length | distinct shingles | Jaccard of sets |
| repetitions | all shingles, ΣF | Jaccard of multisets |
| positions | Σ i·F(i), i the place of a shingle among the distinct ones | neither |
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from likewise.kernels import overlaps
from likewise.search.pairs import BLOCK, Copies, Offsets, Pairs, in_order, similarities
from likewise.settings import Filter, Settings
from likewise.sketch import Sets
from likewise.sketch.sets import with_repetitions

LOSSLESS: dict[Filter, tuple[str, ...]] = {
    "prefix": ("jaccard", "multiset", "containment"),
    "none": ("jaccard", "multiset", "containment"),
    "length": ("jaccard",),
    "repetitions": ("multiset",),
    "positions": (),
}


def filtered_pairs(sets: Sets, sides: NDArray[np.uint8], across: bool, settings: Settings) -> Pairs:
    """Compare what the settings' filter leaves, pair by pair. The sets must have counts."""
    counts = sets.counts
    if counts is None:
        raise ValueError("the filters need sets built with counts=True")
    lengths = filter_lengths(sets, counts, settings.filter)
    if settings.measure == "multiset":
        sets = Sets(*with_repetitions(sets.hashes, sets.offsets, counts))
    some = np.flatnonzero(sets.sizes > 0)
    order = some[np.lexsort((some, lengths[some]))]
    longest = largest_partner(lengths[order], settings.threshold)
    ends = np.searchsorted(lengths[order], longest, side="right")
    if settings.filter == "none":
        ends[:] = len(order)
    left, right, shared = ([np.zeros(0, dtype=np.int64)] for _ in range(3))
    compared = 0
    for a, b in _windows(order, ends):
        if across:
            apart = sides[a] != sides[b]
            a, b = a[apart], b[apart]
        compared += len(a)
        both = overlaps(sets.hashes, sets.offsets, a.astype(np.uint32), b.astype(np.uint32))
        alike = similarities(both, sets.sizes[a], sets.sizes[b], settings.measure)
        enough = alike >= settings.threshold
        left.append(a[enough])
        right.append(b[enough])
        shared.append(both[enough].astype(np.int64))
    groups = np.full(len(sets), -1, dtype=np.int64)
    groups[some] = np.arange(len(some))
    return in_order(
        Copies(some, np.arange(len(some) + 1)),
        sets,
        groups[np.concatenate(left)],
        groups[np.concatenate(right)],
        np.concatenate(shared),
        settings.measure,
        across,
        compared,
        describe_filter(settings, compared, _all_pairs(sides[some], across)),
    )


def filter_lengths(sets: Sets, counts: NDArray[np.uint32], name: Filter) -> Offsets:
    """L of each document.

    >>> sets = Sets(np.array([7, 8, 9], np.uint64), np.array([0, 3]))
    >>> counts = np.array([2, 1, 1], np.uint32)
    >>> [int(filter_lengths(sets, counts, f)[0]) for f in ("length", "repetitions", "positions")]
    [3, 4, 7]
    """
    if name in ("none", "length"):
        return sets.sizes
    weights = counts.astype(np.int64)
    if name == "positions":
        weights *= np.arange(len(weights)) - np.repeat(sets.offsets[:-1], sets.sizes) + 1
    before = np.concatenate(([0], np.cumsum(weights)))
    return before[sets.offsets[1:]] - before[sets.offsets[:-1]]


def largest_partner(lengths: Offsets, threshold: float) -> Offsets:
    """The largest whole m with length / m >= threshold, by the same division that decides pairs.

    >>> largest_partner(np.array([7, 9, 56]), 0.7).tolist()
    [10, 12, 80]
    """
    largest = np.floor(lengths / threshold).astype(np.int64)
    largest += lengths / (largest + 1) >= threshold
    largest -= (largest > 0) & (lengths / np.maximum(largest, 1) < threshold)
    return largest


def _all_pairs(sides: NDArray[np.uint8], across: bool) -> int:
    n, right = len(sides), int(np.count_nonzero(sides))
    return (n - right) * right if across else n * (n - 1) // 2


def describe_filter(settings: Settings, compared: int, total: int) -> str:
    """What a filter did, and whether it can have lost pairs."""
    lossless = settings.measure in LOSSLESS[settings.filter]
    verdict = "loses no pair" if lossless else "may lose pairs"
    return (
        f"filter {settings.filter!r}: {compared:,} of {total:,} pairs compared; "
        f"{verdict} of measure {settings.measure!r}"
    )


def _windows(order: Offsets, ends: Offsets) -> Iterator[tuple[Offsets, Offsets]]:
    """Pairs (order[i], order[m]) with i < m < ends[i], in blocks, by left document."""
    places = np.arange(len(order))
    widths = ends - places - 1
    first = 0
    while first < len(order):
        total = np.cumsum(widths[first:])
        last = first + max(1, int(np.searchsorted(total, BLOCK, side="right")))
        some = places[first:last]
        width = widths[first:last]
        left = np.repeat(some, width)
        starts = np.concatenate(([0], np.cumsum(width)[:-1]))
        right = np.arange(len(left)) - np.repeat(starts, width) + left + 1
        yield order[left], order[right]
        first = last
