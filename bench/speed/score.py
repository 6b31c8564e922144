"""Pairs found against pairs that are."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Pairs = NDArray[np.int64]


def score(found: Pairs, true: Pairs, documents: int) -> dict[str, float | int]:
    """Recall and precision; both are rounded down, so that 1 means all."""
    answer = np.unique(found[:, 0] * documents + found[:, 1])
    truth = np.unique(true[:, 0] * documents + true[:, 1])
    right = len(np.intersect1d(answer, truth, assume_unique=True))
    return {
        "found": len(answer),
        "true": len(truth),
        "right": right,
        "recall": share(right, len(truth)),
        "precision": share(right, len(answer)),
    }


def share(part: int, whole: int) -> float:
    """Part of a whole, rounded down to four places; all of nothing is 1.

    >>> share(99_999, 100_000), share(0, 0)
    (0.9999, 1.0)
    """
    return part * 10_000 // whole / 10_000 if whole else 1.0
