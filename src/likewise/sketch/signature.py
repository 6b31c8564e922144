"""Signatures: a fixed number of small values a set, from which Jaccard can be told roughly."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likewise.kernels import signatures
from likewise.settings import Settings
from likewise.sketch.sets import Sets

Signatures = NDArray[Any]


def signatures_of(
    sets: Sets, settings: Settings, documents: NDArray[np.int64] | None = None
) -> Signatures:
    """One row for each of the documents (or for all), by the scheme the settings name."""
    if documents is None:
        documents = np.arange(len(sets))
    return signatures(
        sets.hashes,
        sets.offsets,
        documents,
        hash_functions(settings.seed, settings.slots),
        settings.slots,
        settings.bits,
        settings.scheme == "minhash",
    )


def estimate(a: Signatures, b: Signatures, bits: int) -> float:
    """Jaccard as two signatures tell it, freed of the slots that agree by chance.

    >>> estimate(np.array([1, 2, 3, 4], np.uint64), np.array([1, 2, 9, 9], np.uint64), 64)
    0.5
    """
    agreeing = int(np.count_nonzero(a == b)) / len(a)
    by_chance = 2.0**-bits
    return max(0.0, (agreeing - by_chance) / (1 - by_chance))


@lru_cache(maxsize=8)
def hash_functions(seed: int, slots: int) -> NDArray[np.uint64]:
    """Random odd multipliers, two for each slot, by splitmix64 (Steele, Lea, Flood 2014)."""
    mask = (1 << 64) - 1
    state = seed * 0xD1342543DE82EF95 & mask
    numbers = []
    for _ in range(2 * slots):
        state = (state + 0x9E3779B97F4A7C15) & mask
        z = (state ^ (state >> 30)) * 0xBF58476D1CE4E5B9 & mask
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB & mask
        numbers.append((z ^ (z >> 31)) | 1)
    odd = np.array(numbers, dtype=np.uint64)
    odd.setflags(write=False)
    return odd
