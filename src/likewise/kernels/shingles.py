"""Words to shingles, sets and fingerprints: the readable form of `_shingles.pyx`.

A shingle is a run of `width` words that were not dropped, hashed by a polynomial over the words'
hashes with a final mix. A document shorter than that has one shingle: all its words.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Hashes = NDArray[np.uint64]
Offsets = NDArray[np.int64]

_BASE = np.uint64(0x9E3779B97F4A7C15)
_SHORT = np.uint64(0xC2B2AE3D27D4EB4F)
_FINISH = np.uint64(0xFF51AFD7ED558CCD)


def _finish(h: Hashes) -> Hashes:
    h = (h ^ (h >> np.uint64(32))) * _FINISH
    h ^= h >> np.uint64(29)
    return np.where(h == 0, np.uint64(1), h)


def shingle_runs(words: Hashes, offsets: Offsets, width: int) -> tuple[Hashes, Offsets]:
    """Shingles of many documents in the order of their words; words that are 0 were dropped."""
    word_offsets = np.concatenate(([0], np.cumsum(words != 0)))[offsets]
    words = words[words != 0]
    lengths = np.diff(word_offsets)
    counts = np.where(lengths >= width, lengths - width + 1, np.minimum(lengths, 1))
    ends = np.concatenate(([0], np.cumsum(counts)))
    starts = np.repeat(word_offsets[:-1] - ends[:-1], counts) + np.arange(ends[-1])
    available = np.minimum(np.repeat(lengths, counts), width)
    h = np.zeros(len(starts), dtype=np.uint64)
    for k in range(width):
        more = available > k
        h[more] = h[more] * _BASE + words[starts[more] + k]
    short = available < width
    h[short] += available[short].astype(np.uint64) * _SHORT
    return _finish(h), ends.astype(np.int64)


def shingle_sets(
    words: Hashes, offsets: Offsets, width: int, count: bool
) -> tuple[Hashes, Offsets, NDArray[np.uint32] | None]:
    """Distinct shingles of many documents, first occurrences first, and if asked their counts."""
    runs, ends = shingle_runs(words, offsets, width)
    document = np.repeat(np.arange(len(ends) - 1), np.diff(ends))
    order = np.lexsort((runs, document))  # stable: equal shingles stay in order of place
    new = np.ones(len(order), dtype=bool)
    new[1:] = (runs[order][1:] != runs[order][:-1]) | (document[order][1:] != document[order][:-1])
    firsts = order[new]
    by_place = np.argsort(firsts, kind="stable")
    firsts_by_place = firsts[by_place]
    set_offsets = np.searchsorted(firsts_by_place, ends).astype(np.int64)
    counts = None
    if count:
        places = np.flatnonzero(np.concatenate((new, [True])))
        counts = np.diff(places)[by_place].astype(np.uint32)
    return runs[firsts_by_place], set_offsets, counts


def set_digests(sets: Hashes, offsets: Offsets) -> Hashes:
    """Two sums a set that tell whether two sets are equal, whatever their order."""
    padded = np.concatenate(([np.uint64(0)], np.cumsum(sets, dtype=np.uint64)))
    mixed = (sets ^ (sets >> np.uint64(31))) * _FINISH
    padded_mixed = np.concatenate(([np.uint64(0)], np.cumsum(mixed, dtype=np.uint64)))
    return np.stack(
        (
            padded[offsets[1:]] - padded[offsets[:-1]],
            padded_mixed[offsets[1:]] - padded_mixed[offsets[:-1]],
        ),
        axis=1,
    )


def winnow(runs: Hashes, offsets: Offsets, window: int) -> tuple[Offsets, Offsets]:
    """Places of the fingerprints: the rightmost smallest shingle of every window of `window`.

    Two documents that share a run of `width + window - 1` words share a fingerprint (Schleimer,
    Wilkerson, Aiken 2003). A document with fewer shingles than a window has one window.
    """
    places: list[Offsets] = []
    ends = [0]
    for start, end in zip(offsets[:-1].tolist(), offsets[1:].tolist(), strict=True):
        length = end - start
        if length:
            wide = min(window, length)
            view = np.lib.stride_tricks.sliding_window_view(runs[start:end][::-1], wide)
            rightmost = (wide - 1 - np.argmin(view, axis=1))[::-1] + np.arange(length - wide + 1)
            fingerprints = rightmost[np.concatenate(([True], rightmost[1:] != rightmost[:-1]))]
            places.append(fingerprints + start)
        ends.append(ends[-1] + (len(places[-1]) if length else 0))
    flat = np.concatenate(places) if places else np.zeros(0, dtype=np.int64)
    return flat.astype(np.int64), np.array(ends, dtype=np.int64)
