"""Sets to signatures: the readable form of `_signature.pyx`."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Hashes = NDArray[np.uint64]
Offsets = NDArray[np.int64]

_EMPTY = np.uint64(0xFFFFFFFFFFFFFFFF)
_STORE = np.uint64(0xC4CEB9FE1A85EC53)
_TYPES: dict[int, Any] = {8: np.uint8, 16: np.uint16, 32: np.uint32, 64: np.uint64}


def signatures(
    sets: Hashes,
    offsets: Offsets,
    documents: Offsets,
    odd: Hashes,
    slots: int,
    bits: int,
    classic: bool,
) -> NDArray[Any]:
    """One row of `slots` values of `bits` bits for each of the documents; zeros for an empty set.

    `odd` holds `2 * slots` random odd numbers, the hash functions. Two sets agree in a slot with
    probability of their Jaccard similarity, and by chance with 2⁻ᵇⁱᵗˢ.
    """
    out = np.zeros((len(documents), slots), dtype=_TYPES[bits])
    sketch = _classic_minhash if classic else _fast_sketch
    for i, document in enumerate(documents.tolist()):
        start, end = offsets[document : document + 2].tolist()
        if end > start:
            best = sketch(sets[start:end], odd, slots)
            best = (best ^ (best >> np.uint64(32))) * _STORE
            out[i] = (best >> np.uint64(64 - bits)).astype(out.dtype)
    return out


def _fast_sketch(items: Hashes, odd: Hashes, slots: int) -> Hashes:
    """Fast Similarity Sketching (Dahlgaard, Knudsen, Thorup 2017, algorithm 1).

    Each round throws every item at one slot; a slot keeps the smallest throw of the first round
    that reached it. After `slots` rounds, what is still empty takes the smallest of all items.
    """
    best = np.full(slots, _EMPTY)
    bits = np.uint64((slots - 1).bit_length())
    for turn in range(slots):
        thrown = items * odd[turn]
        slot = (((thrown >> np.uint64(32)) * np.uint64(slots)) >> np.uint64(32)).astype(np.int64)
        keys = (thrown << bits) >> np.uint64(1)
        empty = best == _EMPTY
        aimed = empty[slot]
        np.minimum.at(best, slot[aimed], keys[aimed])
        if not (best == _EMPTY).any():
            return best
    for slot_left in np.flatnonzero(best == _EMPTY).tolist():
        best[slot_left] = ((items * odd[slots + slot_left]) >> np.uint64(1)).min()
    return best


def _classic_minhash(items: Hashes, odd: Hashes, slots: int) -> Hashes:
    """Broder 1997, by multiply-shift: the smallest value of each of `slots` hash functions."""
    best = np.full(slots, _EMPTY)
    for first in range(0, len(items), 1024):
        values = items[first : first + 1024, None] * odd[:slots]
        values = (values ^ (values >> np.uint64(29))) * odd[slots:]
        np.minimum(best, values.min(axis=0), out=best)
    return best
