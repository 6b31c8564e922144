"""The filters side by side on one collection: comparisons, time, pairs, and pairs they miss."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from math import sqrt
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from bench.papers import Tell
from bench.papers.paper_001 import published
from likewise.search import similar
from likewise.search.filters import LOSSLESS, filter_lengths, largest_partner
from likewise.settings import Filter, Measure, Settings
from likewise.sketch import Sets, build_sets

# Word rules would change the shingles; the paper names none.
SETTINGS = Settings.plain(
    unit="chars", shingle=published.SHINGLE_CHARS, threshold=published.THRESHOLD
)
MEASURES: tuple[Measure, ...] = ("jaccard", "multiset")
FILTERS: tuple[Filter, ...] = ("none", "length", "repetitions", "positions", "prefix")
SORTING: tuple[Filter, ...] = ("length", "repetitions", "positions")  # documents by a length
LOWER = (0.9, 0.8)  # thresholds at which missed pairs are counted
MOST_COMPARISONS = 8_000_000  # some ten microseconds each; beyond, time is taken on a sample
SAMPLE = 1_500

Figures = dict[str, Any]
Lengths = NDArray[np.int64]
Pairs = NDArray[np.int64]  # two documents a row


def filtered(texts: Sequence[str], tell: Tell) -> Figures:
    """Table 1 for a collection, by both measures."""
    began = time.process_time()
    sets = build_sets(texts, SETTINGS, counts=True)
    built = time.process_time() - began
    lengths = {name: lengths_of(sets, name) for name in get_args(Filter)}
    documents = int(np.count_nonzero(sets.sizes))
    rows, missed = [], []
    for measure in MEASURES:
        settings = SETTINGS.but(measure=measure)
        true = _pairs(sets, settings)
        for name in FILTERS:
            rows.append(_row(texts, sets, settings.but(filter=name), lengths[name], true))
            tell(f"{measure}, {name}: {rows[-1]['compared']:,} comparisons")
        missed += [_missed(sets, settings.but(threshold=at), lengths) for at in LOWER]
    return {
        "documents": documents,
        "all_pairs": documents * (documents - 1) // 2,
        "shingles_a_document": float(sets.sizes.sum() / documents),
        "sets_cpu_s": built,
        "rows": rows,
        "missed": missed,
        # What Σ i·F(i) would compare if it were nothing but a stricter filter by length.
        "length_at_root": _windows(lengths["length"], sqrt(published.THRESHOLD)),
    }


def lengths_of(sets: Sets, name: Filter) -> Lengths:
    """What a filter sorts the documents by."""
    assert sets.counts is not None
    return filter_lengths(sets, sets.counts, "none" if name == "prefix" else name)


def lets_through(lengths: Lengths, pairs: Pairs, threshold: float) -> NDArray[np.bool_]:
    """Whether a filter by these lengths compares each of the pairs."""
    both = np.sort(lengths[pairs], axis=1)
    return np.asarray(both[:, 1] <= largest_partner(both[:, 0], threshold))


def _row(
    texts: Sequence[str], sets: Sets, settings: Settings, lengths: Lengths, true: Pairs
) -> Figures:
    """One filter with one measure; where it compares too much, its time is told from a sample."""
    name = settings.filter
    n = int(np.count_nonzero(lengths))
    expected = n * (n - 1) // 2 if name == "none" else _windows(lengths, settings.threshold)
    row: Figures = {
        "measure": settings.measure,
        "filter": name,
        "exact": settings.measure in LOSSLESS[name],
    }
    if name == "prefix" or expected <= MOST_COMPARISONS:
        began = time.process_time()
        pairs = similar(sets, settings)
        spent = time.process_time() - began
        found = {(a, b) for a, b, *_ in pairs.documents()}
        row |= {"compared": pairs.compared, "cpu_s": spent, "sample": None}
        return {**row, "pairs": len(found), "missed": len(set(map(tuple, true.tolist())) - found)}
    few = build_sets(random.Random(name).sample(list(texts), SAMPLE), settings, counts=True)
    began = time.process_time()
    compared = similar(few, settings).compared
    each = (time.process_time() - began) / compared
    passed = np.ones(len(true), dtype=bool)
    if name != "none":
        passed = lets_through(lengths, true, settings.threshold)
    found_some, lost = int(passed.sum()), int((~passed).sum())
    row |= {"compared": expected, "cpu_s": each * expected, "sample": SAMPLE}
    return {**row, "pairs": found_some, "missed": lost}


def _missed(sets: Sets, settings: Settings, lengths: dict[Filter, Lengths]) -> Figures:
    """How many of the natural pairs each filter would not compare."""
    found = np.array(list(similar(sets, settings).documents()), dtype=np.int64).reshape(-1, 5)
    true, same = found[:, :2], (found[:, 2:] == found[:, 2:3]).all(axis=1)
    return {
        "measure": settings.measure,
        "threshold": settings.threshold,
        "pairs": len(true),
        "differing": int(np.count_nonzero(~same)),
        "missed": {
            name: int(np.count_nonzero(~lets_through(lengths[name], true, settings.threshold)))
            for name in SORTING
        },
    }


def _pairs(sets: Sets, settings: Settings) -> Pairs:
    found = [(a, b) for a, b, *_ in similar(sets, settings).documents()]
    return np.array(found, dtype=np.int64).reshape(-1, 2)


def _windows(lengths: Lengths, threshold: float) -> int:
    """How many pairs a filter by these lengths compares."""
    ordered = np.sort(lengths[lengths > 0])
    ends = np.searchsorted(ordered, largest_partner(ordered, threshold), side="right")
    return int((ends - np.arange(len(ordered)) - 1).sum())
