"""Locality-sensitive hashing: pairs that share a bucket of any band, each one then verified."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likewise.errors import BadSettings
from likewise.kernels import band_keys, group, overlaps, pairs_of_groups
from likewise.machine import on_threads
from likewise.search.pairs import BLOCK, Numbers, Offsets, similarities
from likewise.settings import Settings
from likewise.sketch import Sets, signatures_of

CHUNK = 4096  # documents whose signatures are in memory at a time
_COMBINE = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True, slots=True)
class Plan:
    """How signatures are cut into bands, and what that promises."""

    bands: int
    rows: int
    agreeing: int = 1

    def chance(self, similarity: float) -> float:
        """The probability that a pair of this similarity becomes a candidate.

        >>> round(Plan(20, 5).chance(0.5), 3), round(Plan(6, 14, 2).chance(0.95), 2)
        (0.47, 0.88)
        """
        if self.bands < self.agreeing:
            return 0.0
        one = similarity**self.rows
        missed = sum(
            math.comb(self.bands, k) * one**k * (1 - one) ** (self.bands - k)
            for k in range(self.agreeing)
        )
        return 1 - missed


def plan(settings: Settings) -> Plan:
    """Bands as given, or the longest rows (fewest needless candidates) that keep the asked recall.

    >>> plan(Settings(method="lsh", threshold=0.8, recall=0.99))
    Plan(bands=26, rows=8, agreeing=1)
    """
    if settings.bands is not None:
        return Plan(*settings.bands, settings.agreeing_bands)
    for rows in range(settings.slots, 0, -1):
        most = settings.slots // rows
        if Plan(most, rows, settings.agreeing_bands).chance(settings.threshold) < settings.recall:
            continue
        bands = next(
            bands
            for bands in range(settings.agreeing_bands, most + 1)
            if Plan(bands, rows, settings.agreeing_bands).chance(settings.threshold)
            >= settings.recall
        )
        return Plan(bands, rows, settings.agreeing_bands)
    raise BadSettings(
        "core.too_few_slots",
        slots=settings.slots,
        recall=str(settings.recall),
        threshold=str(settings.threshold),
    )


def lsh_pairs(
    sets: Sets,
    representatives: Offsets,
    sides: NDArray[np.uint8],
    across: bool,
    settings: Settings,
    jobs: int = 1,
) -> tuple[Offsets, Offsets, Numbers, int]:
    """Verified pairs among the representatives (by place), and how many candidates there were."""
    cut = plan(settings)
    keys = _keys_of(sets, representatives, settings, cut, jobs)
    left: list[Numbers] = [np.zeros(0, dtype=np.uint32)]
    right: list[Numbers] = [np.zeros(0, dtype=np.uint32)]
    counts: list[Numbers] = [np.zeros(0, dtype=np.uint32)]
    compared = 0
    sizes = sets.sizes[representatives]
    for a, b in candidates(keys):
        if across:
            apart = sides[representatives[a]] != sides[representatives[b]]
            a, b = a[apart], b[apart]
        compared += len(a)
        shared = overlaps(
            sets.hashes,
            sets.offsets,
            representatives[a].astype(np.uint32),
            representatives[b].astype(np.uint32),
        )
        enough = similarities(shared, sizes[a], sizes[b], settings.measure) >= settings.threshold
        left.append(a[enough])
        right.append(b[enough])
        counts.append(shared[enough])
    return (
        np.concatenate(left).astype(np.int64),
        np.concatenate(right).astype(np.int64),
        np.concatenate(counts),
        compared,
    )


def _keys_of(
    sets: Sets, documents: Offsets, settings: Settings, cut: Plan, jobs: int
) -> NDArray[np.uint64]:
    """The keys of many documents; signatures are made for a few at a time and let go."""
    keys = np.empty((math.comb(cut.bands, cut.agreeing), len(documents)), dtype=np.uint64)

    def some(first: int) -> None:
        rows = signatures_of(sets, settings, documents[first : first + CHUNK])
        keys[:, first : first + CHUNK] = bucket_keys(rows, cut)

    on_threads(some, range(0, len(documents), CHUNK), jobs)
    return keys


def bucket_keys(signatures: NDArray[Any], cut: Plan) -> NDArray[np.uint64]:
    """A row of keys for each band or, where several must agree, for each choice of bands."""
    keys = band_keys(signatures, cut.bands, cut.rows)
    if cut.agreeing == 1:
        return keys
    choices = combinations(range(cut.bands), cut.agreeing)  # of super-shingles, mega-shingles
    return np.stack([_combined(keys[list(bands)]) for bands in choices])


def candidates(keys: NDArray[np.uint64]) -> Iterator[tuple[Numbers, Numbers]]:
    """Pairs of documents that share a key of any band, each once, in blocks.

    Every pair of a bucket is a candidate: a star around its first member would lose pairs. A pair
    is given by the first band that brings it together.
    """
    for band in range(len(keys)):
        members, bounds = group(keys[band])
        cursor: tuple[int, int, int] | None = (0, -1, 0)
        while cursor is not None and len(bounds) > 1:
            a, b, cursor = pairs_of_groups(members, bounds, keys, band, cursor, BLOCK)
            yield a, b


def _combined(keys: NDArray[np.uint64]) -> NDArray[np.uint64]:
    mixed = np.zeros(keys.shape[1], dtype=np.uint64)
    for row in keys:
        mixed = (mixed ^ row) * _COMBINE
        mixed ^= mixed >> np.uint64(32)
    return np.where(mixed == 0, np.uint64(1), mixed)
