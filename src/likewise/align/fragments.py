"""Runs of equal words that are no passages: shown, not counted."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from likewise.align.pair import Half, Pair
from likewise.align.resolve import runs_of
from likewise.align.seeds import RUN, Runs
from likewise.align.validate import Found
from likewise.model import Passage


def fragments_of(pair: Pair, runs: Runs, found: list[Found]) -> tuple[Passage, ...]:
    """Each run that shows words which no passage and no longer run shows, on either side.

    Of a run that stands mostly in what is shown, only the rest is a fragment, if it is long enough:
    the ends of a passage are drawn where its evidence ends, and a word beside it is no news.
    """
    shown_a = _shown(pair.a, [(f.box.a0, f.box.a1) for f in found])
    shown_b = _shown(pair.b, [(f.box.b0, f.box.b1) for f in found])
    fragments = []
    order = np.lexsort((runs.b, runs.a, -runs.length))
    rows = zip(*(end[order].tolist() for end in runs), strict=True)
    for a, b, length in rows:
        shown = shown_a[a : a + length] & shown_b[b : b + length]
        for first, past in _news(shown):
            shown_a[a + first : a + past] = True
            shown_b[b + first : b + past] = True
            fragments.append(_fragment(pair, a + first, b + first, past - first))
    return tuple(sorted(fragments, key=lambda f: (f.a, f.b)))


def _news(shown: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """The parts of a run that are worth showing: all of it, or what is left of it.

    >>> _news(np.array([True] * 6 + [False] * 6)), _news(np.array([True] * 30 + [False] * 6))
    ([(0, 12)], [])
    >>> _news(np.array([True] * 30 + [False] * 9 + [True]))
    [(30, 39)]
    """
    new = int((~shown).sum())
    if 2 * new >= len(shown):
        return [(0, len(shown))] if new else []
    runs = runs_of(~shown)
    return [(run.start, run.end) for run in runs if len(run) >= RUN]


def _fragment(pair: Pair, a: int, b: int, length: int) -> Passage:
    """So many words that count, from these on."""
    first_a, last_a = pair.a.places[[a, a + length - 1]].tolist()
    first_b, last_b = pair.b.places[[b, b + length - 1]].tolist()
    here = pair.a.side.span(first_a, last_a + 1)
    there = pair.b.side.span(first_b, last_b + 1)
    return Passage(here, there, "verbatim", 1.0)


def _shown(half: Half, stretches: list[tuple[int, int]]) -> NDArray[np.bool_]:
    """Which of the words that count stand in one of the stretches."""
    shown = np.zeros(half.size, dtype=bool)
    for first, last in stretches:
        low, high = np.searchsorted(half.places, (first, last))
        shown[low:high] = True
    return shown
