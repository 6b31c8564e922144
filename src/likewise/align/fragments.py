"""Runs of equal words that are no passages: shown, not counted."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from likewise.align.pair import Half, Pair
from likewise.align.seeds import Runs
from likewise.align.validate import Found
from likewise.model import Passage


def fragments_of(pair: Pair, runs: Runs, found: list[Found]) -> tuple[Passage, ...]:
    """Each run that shows words which no passage and no longer run shows, on either side."""
    shown_a = _shown(pair.a, [(f.box.a0, f.box.a1) for f in found])
    shown_b = _shown(pair.b, [(f.box.b0, f.box.b1) for f in found])
    fragments = []
    order = np.lexsort((runs.b, runs.a, -runs.length))
    rows = zip(*(end[order].tolist() for end in runs), strict=True)
    for a, b, length in rows:
        if shown_a[a : a + length].all() and shown_b[b : b + length].all():
            continue
        shown_a[a : a + length] = True
        shown_b[b : b + length] = True
        first_a, last_a = pair.a.places[[a, a + length - 1]].tolist()
        first_b, last_b = pair.b.places[[b, b + length - 1]].tolist()
        here = pair.a.side.span(first_a, last_a + 1)
        there = pair.b.side.span(first_b, last_b + 1)
        fragments.append(Passage(here, there, "verbatim", 1.0))
    return tuple(sorted(fragments, key=lambda f: (f.a, f.b)))


def _shown(half: Half, stretches: list[tuple[int, int]]) -> NDArray[np.bool_]:
    """Which of the words that count stand in one of the stretches."""
    shown = np.zeros(half.size, dtype=bool)
    for first, last in stretches:
        low, high = np.searchsorted(half.places, (first, last))
        shown[low:high] = True
    return shown
