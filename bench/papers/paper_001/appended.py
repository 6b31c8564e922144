"""Copies with a little text of somebody else's at their end: which filters still compare them?

Of n shingles, each standing once, Σ i·F(i) is n (n + 1) / 2: it grows with the square of the
length. So a copy that is longer by a share s passes while (1 + s)² <= 1 / J, while its Jaccard
similarity is J as long as 1 + s <= 1 / J. Between the two everything is lost.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.papers import Tell
from bench.papers.paper_001.filtering import MEASURES, SETTINGS, SORTING, lengths_of, lets_through
from likewise.kernels import overlaps
from likewise.search import similar
from likewise.settings import Measure
from likewise.sketch import Sets, build_sets
from likewise.sketch.sets import with_repetitions

THRESHOLDS = (0.9, 0.8, 0.7)
SHARES = (*(i / 200 for i in range(30)), *(i / 100 for i in range(15, 51)))
LEAST_CHARS = 500
RUN_AT = 0.08  # the share at which all documents and copies are searched together

Figures = dict[str, Any]


def appended(texts: Sequence[str], copies: int, tell: Tell) -> Figures:
    """Missed pairs by how much was appended, as a share of the original's characters."""
    originals, donors = _chosen(texts, copies)
    points = [_point(originals, donors, share) for share in SHARES]
    tell(f"{len(originals)} copies with {len(SHARES)} lengths of appended text")
    return {"copies": len(originals), "points": points, "search": _searched(originals, donors)}


def _chosen(texts: Sequence[str], copies: int) -> tuple[list[str], list[str]]:
    """Documents to copy, and for each another one to append from."""
    long = [text for text in dict.fromkeys(texts) if len(text) >= LEAST_CHARS]
    random.Random("appended").shuffle(long)
    originals = long[: min(copies, len(long) // 2)]
    return originals, long[len(originals) : 2 * len(originals)]


def _longer(original: str, donor: str, share: float) -> str:
    extra = round(share * len(original))
    return f"{original} {(donor * (1 + extra // len(donor)))[:extra]}" if extra else original


def _point(originals: Sequence[str], donors: Sequence[str], share: float) -> Figures:
    copied = [_longer(text, donor, share) for text, donor in zip(originals, donors, strict=True)]
    sets = build_sets([*originals, *copied], SETTINGS, counts=True)
    n = len(originals)
    pairs = np.stack([np.arange(n), np.arange(n, 2 * n)], axis=1)
    rows = []
    for measure in MEASURES:
        alike = _similarities(sets, pairs, measure)
        for threshold in THRESHOLDS:
            true = pairs[alike >= threshold]
            missed = {
                name: int(np.count_nonzero(~lets_through(lengths_of(sets, name), true, threshold)))
                for name in SORTING
            }
            rows.append(
                {"measure": measure, "threshold": threshold, "true": len(true), "missed": missed}
            )
    return {"share": share, "rows": rows}


def _similarities(sets: Sets, pairs: NDArray[np.int64], measure: Measure) -> NDArray[np.float64]:
    if measure == "multiset":
        assert sets.counts is not None
        sets = Sets(*with_repetitions(sets.hashes, sets.offsets, sets.counts))
    left, right = (pairs[:, side].astype(np.uint32) for side in (0, 1))
    both = overlaps(sets.hashes, sets.offsets, left, right).astype(np.int64)
    return np.asarray(both / (sets.sizes[pairs].sum(axis=1) - both))


def _searched(originals: Sequence[str], donors: Sequence[str]) -> Figures:
    """Not computed from lengths but searched: which copies does each filter bring back?"""
    copied = [_longer(text, donor, RUN_AT) for text, donor in zip(originals, donors, strict=True)]
    sets = build_sets([*originals, *copied], SETTINGS, counts=True)
    n = len(originals)
    found = {
        name: sum(
            1 for a, b, *_ in similar(sets, SETTINGS.but(filter=name)).documents() if b == a + n
        )
        for name in ("prefix", *SORTING)
    }
    return {"share": RUN_AT, "copies": n, "found": found}
