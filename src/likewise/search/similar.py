"""One question, several ways to answer it: which of these sets are alike?"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from likewise.search.filters import filtered_pairs
from likewise.search.join import NO_SIDE, Join, exact_pairs
from likewise.search.lsh import lsh_pairs, plan
from likewise.search.pairs import Pairs, collapse, in_order
from likewise.settings import Settings
from likewise.sketch import Sets
from likewise.sketch.sets import with_repetitions


def similar(
    sets: Sets,
    settings: Settings,
    *,
    sides: NDArray[np.uint8] | None = None,
    jobs: int = 1,
    memory: int | None = None,
) -> Pairs:
    """All pairs of documents that reach the threshold, by the method the settings name.

    With `sides` (0 or 1 a document) only pairs between the two sides. Threads and memory never
    change the answer.
    """
    across = sides is not None
    if sides is None:
        sides = np.zeros(len(sets), dtype=np.uint8)
    if settings.method == "exact" and settings.filter != "prefix":
        return filtered_pairs(sets, sides, across, settings)
    if settings.measure == "multiset" and sets.counts is not None:
        sets = Sets(*with_repetitions(sets.hashes, sets.offsets, sets.counts))
    copies = collapse(sets, sides)
    first = copies.first
    if settings.method == "lsh":
        left, right, shared, compared = lsh_pairs(sets, first, sides, across, settings, jobs)
    else:
        standing = np.full(len(sets), NO_SIDE)
        standing[first] = sides[first]
        join = Join(
            threshold=settings.threshold,
            contained=settings.measure == "containment",
            across=across,
            jobs=jobs,
            memory=memory,
        )
        a, b, shared, compared = exact_pairs(sets, standing, join)
        left, right = np.searchsorted(first, a), np.searchsorted(first, b)
    how = describe(settings)
    return in_order(copies, sets, left, right, shared, settings.measure, across, compared, how)


def describe(settings: Settings) -> str:
    """The method in a sentence for people."""
    if settings.method == "exact":
        return "exact join (every pair that reaches the threshold)"
    cut = plan(settings)
    chance = cut.chance(settings.threshold)
    agreeing = f", {cut.agreeing} of which must agree" if cut.agreeing > 1 else ""
    return (
        f"LSH, {cut.bands} bands of {cut.rows} rows{agreeing}: finds {chance:.1%} of the pairs at "
        f"{settings.threshold:g}, more above; every pair verified"
    )
