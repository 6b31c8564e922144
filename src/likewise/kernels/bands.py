"""Signatures to bucket keys, buckets to candidate pairs: the readable form of `_bands.pyx`."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Hashes = NDArray[np.uint64]
Numbers = NDArray[np.uint32]
Offsets = NDArray[np.int64]
Cursor = tuple[int, int, int]

_MIX = np.uint64(0xFF51AFD7ED558CCD)
_BAND = 0x9E3779B97F4A7C15


def band_keys(signatures: NDArray[Any], bands: int, rows: int) -> Hashes:
    """One key a band and document: the hash of `rows` values, another hash in every band."""
    keys = np.empty((bands, len(signatures)), dtype=np.uint64)
    for band in range(bands):
        key = np.full(len(signatures), np.uint64(_BAND * (band + 1) % 2**64))
        for row in range(rows):
            key = (key ^ signatures[:, band * rows + row].astype(np.uint64)) * _MIX
            key ^= key >> np.uint64(32)
        keys[band] = np.where(key == 0, np.uint64(1), key)
    return keys


def group(keys: Hashes) -> tuple[Numbers, Offsets]:
    """Documents with the same key, side by side: groups of two and more, by their first members."""
    _, first, inverse, counts = np.unique(
        keys, return_index=True, return_inverse=True, return_counts=True
    )
    member = np.flatnonzero(counts[inverse] > 1)
    members = member[np.argsort(first[inverse[member]], kind="stable")]
    large = counts > 1
    sizes = counts[large][np.argsort(first[large])]
    return members.astype(np.uint32), np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)


def pairs_of_groups(
    members: Numbers, bounds: Offsets, keys: Hashes, band: int, cursor: Cursor, limit: int
) -> tuple[Numbers, Numbers, Cursor | None]:
    """Up to about `limit` pairs of group members that no earlier band has brought together.

    Answers the pairs and the cursor to go on from, None at the end. Start with (0, -1, 0).
    """
    g, i, j = cursor
    left: list[Numbers] = []
    right: list[Numbers] = []
    n_pairs = 0
    while g < len(bounds) - 1 and n_pairs < limit:
        end = int(bounds[g + 1])
        i, j = (i, j) if i >= bounds[g] else (int(bounds[g]), int(bounds[g]) + 1)
        if i >= end - 1:
            g, i = g + 1, -1
            continue
        a, others = members[i], members[j:end]
        new = ~(keys[:band, a, None] == keys[:band, others]).any(axis=0)
        new_places = np.flatnonzero(new)[: limit - n_pairs]
        others_new = others[new_places]
        left.append(np.full(len(others_new), a, dtype=np.uint32))
        right.append(others_new)
        n_pairs += len(others_new)
        if n_pairs == limit and len(new_places):
            j += int(new_places[-1]) + 1
            if j >= end:
                i, j = i + 1, i + 2
        else:
            i, j = i + 1, i + 2
    if g < len(bounds) - 1 and i >= int(bounds[g + 1]) - 1:
        g, i = g + 1, -1
    flat_left = np.concatenate(left) if left else np.zeros(0, dtype=np.uint32)
    flat_right = np.concatenate(right) if right else np.zeros(0, dtype=np.uint32)
    return flat_left, flat_right, (g, i, j) if g < len(bounds) - 1 else None
