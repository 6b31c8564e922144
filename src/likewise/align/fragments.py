"""Runs of equal words that are no passages: shown, not counted."""

from __future__ import annotations

import re
import zlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from likewise.align.pair import Box, Numbers
from likewise.align.resolve import runs_of
from likewise.align.seeds import RUN, Runs, diagonals, equal_points, in_runs
from likewise.align.side import Side
from likewise.model import Passage, Span


def fragments_of(a: Side, b: Side, runs: Runs, passages: list[Box]) -> tuple[Passage, ...]:
    """Each run that shows words which no passage and no longer run shows, on either side.

    Of a run that stands mostly in what is shown, only the rest is a fragment, if it is long enough:
    the ends of a passage are drawn where its evidence ends, and a word beside it is no news.
    """
    if not len(runs.a):
        return ()
    places_a, places_b = np.flatnonzero(a.hash), np.flatnonzero(b.hash)
    covered_a = _are_inside(places_a, [(box.a0, box.a1) for box in passages])
    covered_b = _are_inside(places_b, [(box.b0, box.b1) for box in passages])
    fragments = []
    order = np.lexsort((runs.b, runs.a, -runs.length))
    rows = zip(*(end[order].tolist() for end in runs), strict=True)
    for i, j, length in rows:
        is_covered = covered_a[i : i + length] & covered_b[j : j + length]
        for first, past in _new_parts(is_covered):
            covered_a[i + first : i + past] = True
            covered_b[j + first : j + past] = True
            here = _span(a, places_a, i + first, past - first)
            there = _span(b, places_b, j + first, past - first)
            fragments.append(Passage(here, there, "verbatim", 1.0))
    return tuple(sorted(fragments, key=lambda f: (f.a, f.b)))


def _new_parts(is_covered: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """The parts of a run that are worth showing: all of it, or what is left of it.

    >>> _new_parts(np.array([True] * 6 + [False] * 6))
    [(0, 12)]
    >>> _new_parts(np.array([True] * 30 + [False] * 6))
    []
    >>> _new_parts(np.array([True] * 30 + [False] * 9 + [True]))
    [(30, 39)]
    """
    new = int((~is_covered).sum())
    if 2 * new >= len(is_covered):
        return [(0, len(is_covered))] if new else []
    runs = runs_of(~is_covered)
    return [(run.start, run.end) for run in runs if len(run) >= RUN]


def _span(side: Side, places: Numbers, first: int, length: int) -> Span:
    """So many words that count, from these on."""
    return side.span(int(places[first]), int(places[first + length - 1]) + 1)


def _are_inside(places: Numbers, stretches: list[tuple[int, int]]) -> NDArray[np.bool_]:
    """Which of the words that count stand in one of the stretches."""
    inside = np.zeros(len(places), dtype=bool)
    for first, last in stretches:
        low, high = np.searchsorted(places, (first, last))
        inside[low:high] = True
    return inside


# Listings that two documents share: long runs of tokens, operators and brackets included.


_LISTING_RUN = 60  # tokens in a row that two listings share: some eight lines

_MOST_OF_KEY = 16
_TOKEN = re.compile(r"\w+|[^\w\s]")


def shared_listings(a: Side, b: Side) -> tuple[tuple[Span, Span], ...]:
    """Where listings of two documents have the same tokens in a row."""
    if not a.listings or not b.listings:
        return ()
    ours, theirs = _tokens(a.text, a.listings), _tokens(b.text, b.listings)
    keys = in_runs(ours[0], _LISTING_RUN), in_runs(theirs[0], _LISTING_RUN)
    points = equal_points(*keys, _MOST_OF_KEY, keep_frequent=True)
    shared: list[tuple[Span, Span]] = []
    is_covered = np.zeros(len(ours[0]), dtype=bool)
    rows = zip(*(x.tolist() for x in diagonals(points.a, points.b, _LISTING_RUN)), strict=True)
    for i, j, steps in sorted(rows, key=lambda row: -row[2]):
        if is_covered[i : i + steps + _LISTING_RUN].all():
            continue
        is_covered[i : i + steps + _LISTING_RUN] = True
        shared.append(
            (
                _token_span(ours, i, steps + _LISTING_RUN),
                _token_span(theirs, j, steps + _LISTING_RUN),
            )
        )
    return tuple(sorted(shared))


_Tokens = tuple[Numbers, list[int], list[int]]  # keys, starts, ends


def _tokens(text: str, spans: Sequence[Span]) -> _Tokens:
    tokens = [match for span in spans for match in _TOKEN.finditer(text, span.start, span.end)]
    keys = [zlib.crc32(match[0].encode("utf-8", "surrogatepass")) for match in tokens]
    return (
        np.array(keys, dtype=np.int64),
        [match.start() for match in tokens],
        [match.end() for match in tokens],
    )


def _token_span(tokens: _Tokens, first: int, length: int) -> Span:
    return Span(tokens[1][first], tokens[2][first + length - 1])
