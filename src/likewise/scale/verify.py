"""Candidates to pairs: the sets of two documents are brought together and counted."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa  # type: ignore[import-untyped]

from likewise.kernels import overlaps
from likewise.scale.blobs import PAIR, places_in, unpacked
from likewise.search.pairs import similarities
from likewise.settings import Settings

PAIRS = "a long, b long, shared int, size_a int, size_b int, similarity double"


def verified(pairs: Any, documents: Any, settings: Settings) -> Any:
    """The candidates of a slot that reach the threshold, by the division the local engine makes."""
    asked, _ = unpacked(pairs.column("blob"), PAIR)
    places = places_in(documents.column("place"))
    hashes, offsets = unpacked(documents.column("shingles"), np.dtype("<u8"))
    order = np.argsort(places)
    left = order[np.searchsorted(places, asked["a"], sorter=order)]
    right = order[np.searchsorted(places, asked["b"], sorter=order)]
    sizes = np.diff(offsets)
    shared = overlaps(hashes, offsets, left.astype(np.uint32), right.astype(np.uint32))
    similarity = similarities(shared, sizes[left], sizes[right], settings.measure)
    enough = similarity >= settings.threshold
    return pa.table(
        {
            "a": np.ascontiguousarray(asked["a"][enough]),
            "b": np.ascontiguousarray(asked["b"][enough]),
            "shared": shared[enough].astype(np.int32),
            "size_a": sizes[left][enough].astype(np.int32),
            "size_b": sizes[right][enough].astype(np.int32),
            "similarity": similarity[enough],
        }
    )
