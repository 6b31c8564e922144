"""LSH on many machines: documents that share a key of any band become candidate pairs.

Every pair of a bucket is a candidate; a star around one member would lose pairs. The pairs of a
large bucket are made block against block, on as many machines as there are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from likewise.kernels import group, pairs_of_groups
from likewise.scale.blobs import (
    PAIR,
    Records,
    distinct_pairs,
    int64_array,
    pack_records,
    pairs_between,
    route_records,
    sides_of,
    slots_of,
    unpack_records,
)

_KEY_RECORD = np.dtype([("key", "<u8"), ("place", "<i8")])
LARGE = 1024  # members from which a bucket is cut into blocks
BUCKET_ROWS = "slot int, blob binary, key long, first int, second int, mine int, place long"
_BUCKET_SCHEMA = pa.schema(
    [
        ("slot", pa.int32()),
        ("blob", pa.binary()),
        ("key", pa.int64()),
        ("first", pa.int32()),
        ("second", pa.int32()),
        ("mine", pa.int32()),
        ("place", pa.int64()),
    ]
)
_BLOCK_PAIRS = 1 << 20


def route_keys(batches: Iterable[Any], slots: int) -> Iterator[Any]:
    """Every key of every document, to where equal keys meet."""
    return route_records(_key_records(batch, slots) for batch in batches if len(batch))


def _key_records(batch: Any, slots: int) -> tuple[Records, NDArray[np.int32]]:
    keys, _ = unpack_records(batch.column("keys"), np.dtype("<u8"))
    places = int64_array(batch.column("place"))
    records = np.empty(len(keys), dtype=_KEY_RECORD)
    records["key"] = keys
    records["place"] = np.repeat(places, len(keys) // len(places))
    return records, slots_of(keys, slots)


def bucket_pairs(table: Any, slots: int, across: bool, large: int) -> Any:
    """Pairs of small buckets, and the members of large ones for each pair of their blocks."""
    records, _ = unpack_records(table.column("blob"), _KEY_RECORD)
    members, bounds = group(np.ascontiguousarray(records["key"]))
    places = np.ascontiguousarray(records["place"])
    sizes = np.diff(bounds)
    small = np.repeat(sizes <= large, sizes)
    ends = np.concatenate(([0], np.cumsum(sizes[sizes <= large]))).astype(np.int64)
    keys = np.ascontiguousarray(records["key"])[None, :]  # of no earlier band
    parts = [
        _pair_rows(pairs, slots)
        for pairs in _pairs_in(members[small], ends, keys, 0, places, across)
    ]
    for bucket in np.flatnonzero(sizes > large).tolist():
        inside = members[bounds[bucket] : bounds[bucket + 1]]
        parts.append(_block_rows(records[inside], large))
    return pa.Table.from_batches(parts, schema=_BUCKET_SCHEMA)


def _pairs_in(
    members: Any, bounds: Any, keys: Any, band: int, places: Any, across: bool
) -> Iterator[Records]:
    cursor: tuple[int, int, int] | None = (0, -1, 0)
    while cursor is not None and len(bounds) > 1:
        left, right, cursor = pairs_of_groups(members, bounds, keys, band, cursor, _BLOCK_PAIRS)
        pairs = distinct_pairs(pairs_between(places[left], places[right]))
        if across:
            pairs = pairs[sides_of(pairs["a"]) != sides_of(pairs["b"])]
        yield pairs


def _pair_rows(pairs: Records, slots: int) -> Any:
    routed = pack_records(pairs, slots_of(pairs["a"], slots))
    n = len(routed)
    return pa.record_batch(
        [
            *(routed.column("slot"), routed.column("blob"), pa.nulls(n, pa.int64())),
            *(pa.nulls(n, pa.int32()) for _ in range(3)),
            pa.nulls(n, pa.int64()),
        ],
        schema=_BUCKET_SCHEMA,
    )


def _block_rows(bucket: Records, large: int) -> Any:
    """A row for each member and each pair of blocks that its own block is in."""
    blocks = -(-len(bucket) // large)
    block = np.arange(len(bucket)) % blocks  # as even as can be
    mine = np.repeat(block, blocks)
    other = np.tile(np.arange(blocks), len(bucket))
    n = len(mine)
    return pa.record_batch(
        [
            *(pa.nulls(n, pa.int32()), pa.nulls(n, pa.binary())),
            pa.array(np.repeat(bucket["key"].view(np.int64), blocks)),
            pa.array(np.minimum(mine, other).astype(np.int32)),
            pa.array(np.maximum(mine, other).astype(np.int32)),
            pa.array(mine.astype(np.int32)),
            pa.array(np.repeat(bucket["place"], blocks)),
        ],
        schema=_BUCKET_SCHEMA,
    )


def block_pairs(table: Any, slots: int, across: bool, large: int) -> Any:
    """Pairs of two blocks of a large bucket that no earlier band brings together.

    Each pair is so made by one bucket, or by small ones, and by one pair of blocks.
    """
    keys, _ = unpack_records(table.column("keys"), np.dtype("<u8"))
    places = int64_array(table.column("place"))
    by_band = np.ascontiguousarray(keys.reshape(len(places), -1).T)
    key = int64_array(table.column("key").slice(0, 1)).view(np.uint64)[0]
    first = int(table.column("first")[0].as_py())
    second = int(table.column("second")[0].as_py())
    mine = int64_array(table.column("mine"))
    band = int(np.flatnonzero((by_band == key).all(axis=1))[0])
    members = np.arange(len(places), dtype=np.uint32)
    bounds = np.array([0, len(places)], dtype=np.int64)
    parts = []
    cursor: tuple[int, int, int] | None = (0, -1, 0)
    while cursor is not None and len(places) > 1:
        left, right, cursor = pairs_of_groups(members, bounds, by_band, band, cursor, _BLOCK_PAIRS)
        if first != second:
            apart = mine[left] != mine[right]
            left, right = left[apart], right[apart]
        pairs = pairs_between(places[left], places[right])
        if across:
            pairs = pairs[sides_of(pairs["a"]) != sides_of(pairs["b"])]
        parts.append(pack_records(pairs, slots_of(pairs["a"], slots)))
    return pa.Table.from_batches(parts, schema=pa.schema({"slot": pa.int32(), "blob": pa.binary()}))


CANDIDATES = "slot int, blob binary, place long"


def collect_candidates(table: Any) -> Any:
    """Each candidate pair of a slot once, and which documents are needed there to verify them."""
    pairs = distinct_pairs(unpack_records(table.column("blob"), PAIR)[0])
    slot = int(table.column("slot")[0].as_py())
    needed = np.unique(np.concatenate((pairs["a"], pairs["b"])))
    n = len(needed)
    blob = pairs.tobytes()
    return pa.table(
        {
            "slot": pa.array(np.full(n + 1, slot, dtype=np.int32)),
            "blob": pa.array([blob] + [None] * n, pa.binary()),
            "place": pa.array([None, *needed.tolist()], pa.int64()),
        }
    )
