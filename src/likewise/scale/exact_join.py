"""The exact join on many machines: documents that reach the threshold share a rare shingle.

If two documents reach the threshold, the rarest few of their shingles (a prefix as long as the
threshold allows to differ) must meet: Chaudhuri, Ganti, Kaushik 2006; on MapReduce: Vernica, Carey,
Li 2010. Rare comes first by the number of holders, then by the hash itself, so that every machine
has the same order without a list of all shingles anywhere.

To bring equal shingles together is the dearest thing the exact join does, and most shingles have no
equal. So one small table for all machines says which shingles may stand in two documents: every
task notes its own in a table of two-bit cells, as the local join does; the tables are laid over
each other, and what comes of them goes to everybody. Its size does not grow with the corpus beyond
a limit: a crowded table lets more shingles pass, and never leaves out one too many.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from likewise.kernels import keep_shared, mark_shared
from likewise.scale.blobs import (
    SCHEMA,
    Records,
    bind_arguments,
    distinct_pairs,
    group_by_slot,
    int64_array,
    pack_records,
    pairs_between,
    route_records,
    sides_of,
    slots_of,
    unpack_records,
)
from likewise.search.join import Join, least_shared, smallest_part

if TYPE_CHECKING:
    from pyspark import Broadcast
    from pyspark.sql import DataFrame


Cells = NDArray[np.uint8]

MOST_BYTES = 1 << 26
_LEAST_BYTES = 1 << 10
_SLICE_BYTES = 1 << 20
_CROWDED = 16  # shingles a byte of four cells, from which on nearly every cell is full


def build_cell_table(documents: DataFrame, shingles: int, across: bool) -> bytes | None:
    """The table for documents with so many shingles in all; None where it would tell nothing."""
    size = table_bytes(shingles)
    if size is None:
        return None
    slices = -(-size // _SLICE_BYTES)
    tables = documents.mapInArrow(partial(mark_cells, size=size, across=across), SCHEMA)
    tasks = min(slices, documents.sparkSession.sparkContext.defaultParallelism)
    slices_merged = group_by_slot(tables, tasks).applyInArrow(
        bind_arguments(merge_cells, across=across), SCHEMA
    )
    table = bytearray(size)
    for row in slices_merged.collect():
        first = row.slot * _SLICE_BYTES
        table[first : first + len(row.blob)] = row.blob
    return bytes(table)


def table_bytes(shingles: int) -> int | None:
    """Two to four cells a shingle while there is room.

    >>> table_bytes(3_000_000), table_bytes(10**9), table_bytes(10**10)
    (2097152, 67108864, None)
    """
    size = _LEAST_BYTES
    while 2 * size < shingles and size < MOST_BYTES:
        size *= 2
    return size if shingles < _CROWDED * size else None


def mark_cells(batches: Iterable[Any], size: int, across: bool) -> Iterator[Any]:
    """The shingles of a task in a table of its own, in slices."""
    cells = np.zeros(size, dtype=np.uint8)
    for batch in batches:
        hashes, offsets = unpack_records(batch.column("shingles"), np.dtype("<u8"))
        mark_shared(hashes, offsets, sides_of(int64_array(batch.column("place"))), across, cells)
    for slot, first in enumerate(range(0, size, _SLICE_BYTES)):
        part = cells[first : first + _SLICE_BYTES]
        if part.any():
            yield pa.record_batch(
                {"slot": pa.array([slot], pa.int32()), "blob": pa.array([part.tobytes()])}
            )


def merge_cells(table: Any, across: bool) -> Any:
    """One slice of all tasks' tables: what two of them hold is held twice.

    >>> one, two = np.array([0b01_00_01_10], np.uint8), np.array([0b01_01_00_01], np.uint8)
    >>> f"{_merge(one, two, across=False)[0]:08b}", f"{_merge(one, two, across=True)[0]:08b}"
    ('11010111', '01010111')
    """
    merged: Cells | None = None
    for blob in table.column("blob"):
        part = np.frombuffer(blob.as_buffer(), np.uint8)
        merged = part if merged is None else _merge(merged, part, across)
    assert merged is not None
    slot = table.column("slot").slice(0, 1)
    return pa.table({"slot": slot, "blob": pa.array([merged.tobytes()])})


def _merge(one: Cells, two: Cells, across: bool) -> Cells:
    """Cells have a bit for each side, or one for the first holder and one for a second."""
    either = one | two
    return either if across else either | ((one & two & np.uint8(0b01010101)) << np.uint8(1))


_SHINGLE_RECORD = np.dtype([("shingle", "<u8"), ("place", "<i8"), ("size", "<i4")])
_HOLDER_RECORD = np.dtype(
    [("place", "<i8"), ("shingle", "<u8"), ("size", "<i4"), ("holders", "<i4")]
)
_PREFIX_RECORD = np.dtype(
    [
        ("shingle", "<u8"),
        ("place", "<i8"),
        ("size", "<i4"),
        ("rest", "<i4"),  # shared shingles that come after this one
        ("indexed", "?"),  # in the shorter prefix that serves larger partners
    ]
)
_EMPTY = pa.schema({"slot": pa.int32(), "blob": pa.binary()})
_MOST_PAIRS = 1 << 21


def route_shingles(
    batches: Iterable[Any], slots: int, join: Join, cells: Broadcast[bytes] | None
) -> Iterator[Any]:
    """Every shingle that two documents may hold, to where equal ones meet.

    Documents that have too few of them for any partner stay away, as in the local join.
    """
    table = np.frombuffer(cells.value, np.uint8) if cells is not None else None
    return route_records(_shingle_records(batch, slots, join, table) for batch in batches)


def _shingle_records(
    batch: Any, slots: int, join: Join, cells: NDArray[np.uint8] | None
) -> tuple[Records, NDArray[np.int32]]:
    hashes, offsets = unpack_records(batch.column("shingles"), np.dtype("<u8"))
    places, sizes = int64_array(batch.column("place")), np.diff(offsets)
    if cells is not None:
        selected, hashes, offsets = keep_shared(hashes, offsets, least_shared(sizes, join), cells)
        places, sizes = places[selected], sizes[selected]
    many = np.diff(offsets)
    records = np.empty(len(hashes), dtype=_SHINGLE_RECORD)
    records["shingle"] = hashes
    records["place"] = np.repeat(places, many)
    records["size"] = np.repeat(sizes, many)
    return records, slots_of(hashes, slots)


def count_holders(table: Any, slots: int, across: bool) -> Any:
    """Shingles of two documents and more (of both sides), back to their documents with a count."""
    records, _ = unpack_records(table.column("blob"), _SHINGLE_RECORD)
    records = records[np.argsort(records["shingle"], kind="stable")]
    starts = _starts(records["shingle"])
    sizes = np.diff(np.concatenate((starts, [len(records)])))
    useful = sizes > 1
    if across and len(starts):
        side = sides_of(records["place"]).astype(np.int64)
        other = np.add.reduceat(side, starts)
        useful = (other > 0) & (other < sizes)
    shared = records[np.repeat(useful, sizes)]
    holders = np.empty(len(shared), dtype=_HOLDER_RECORD)
    for name in ("place", "shingle", "size"):
        holders[name] = shared[name]
    holders["holders"] = np.repeat(sizes[useful], sizes[useful])
    return pa.Table.from_batches(
        [pack_records(holders, slots_of(shared["place"], slots))], schema=_EMPTY
    )


def route_prefixes(table: Any, slots: int, join: Join) -> Any:
    """The rarest shared shingles of each document that can have a partner at all."""
    records, _ = unpack_records(table.column("blob"), _HOLDER_RECORD)
    records = records[np.lexsort((records["shingle"], records["holders"], records["place"]))]
    starts = _starts(records["place"])
    counts = np.diff(np.concatenate((starts, [len(records)])))
    sizes = records["size"][starts].astype(np.int64)
    enough = counts >= np.maximum(least_shared(sizes, join), 1)
    alone = sizes - counts  # nobody shares these: they come first and use up the prefix
    if join.contained:
        indexed = sizes - smallest_part(sizes, join.threshold) + 1 - alone
        probed = counts.astype(np.int64)
    else:
        most = 2 * join.threshold / (1 + join.threshold)
        indexed = sizes - np.maximum(np.ceil(most * sizes - 1e-6).astype(np.int64), 1) + 1 - alone
        probed = sizes - smallest_part(sizes, join.threshold) + 1 - alone
    # among equals in size either may come first, so that both prefixes must be as long as needed
    indexed = np.where(enough, np.clip(indexed, 0, counts), 0)
    probed = np.where(enough, np.clip(np.maximum(probed, indexed), 0, counts), 0)
    nth = np.arange(len(records)) - np.repeat(starts, counts)
    in_prefix = nth < np.repeat(probed, counts)
    prefixes = np.empty(int(np.count_nonzero(in_prefix)), dtype=_PREFIX_RECORD)
    for name in ("shingle", "place", "size"):
        prefixes[name] = records[name][in_prefix]
    prefixes["rest"] = (np.repeat(counts, counts) - nth - 1)[in_prefix]
    prefixes["indexed"] = (nth < np.repeat(indexed, counts))[in_prefix]
    return pa.Table.from_batches(
        [pack_records(prefixes, slots_of(prefixes["shingle"], slots))], schema=_EMPTY
    )


def prefix_pairs(table: Any, slots: int, join: Join) -> Any:
    """Pairs of documents that meet in a shingle and may reach the threshold."""
    records, _ = unpack_records(table.column("blob"), _PREFIX_RECORD)
    # smaller documents first, equal ones by place, as the local join goes through them
    records = records[np.lexsort((records["place"], records["size"], records["shingle"]))]
    starts = _starts(records["shingle"])
    ends = np.concatenate((starts[1:], [len(records)]))
    parts = []
    for smaller, larger in _meetings(records, starts, ends, join):
        y, x = records[smaller], records[larger]
        good = y["indexed"].copy()
        if join.across:
            good &= sides_of(y["place"]) != sides_of(x["place"])
        size_y, size_x = y["size"].astype(np.int64), x["size"].astype(np.int64)
        if join.contained:
            need = join.threshold * size_y
        else:
            good &= size_y >= smallest_part(size_x, join.threshold)
            need = join.threshold / (1 + join.threshold) * (size_x + size_y)
        # by position (Xiao et al. 2008): the first shingle that two documents share leaves enough
        good &= 1 + np.minimum(y["rest"], x["rest"]) >= np.ceil(need - 1e-6)
        pairs = distinct_pairs(pairs_between(y["place"][good], x["place"][good]))
        parts.append(pack_records(pairs, slots_of(pairs["a"], slots)))
    return pa.Table.from_batches(parts, schema=_EMPTY)


def _meetings(
    records: Records, starts: NDArray[Any], ends: NDArray[Any], join: Join
) -> Iterator[tuple[NDArray[Any], NDArray[Any]]]:
    """All (smaller, larger) of each shingle's documents, some millions at a time."""
    after = np.repeat(ends, ends - starts) - np.arange(len(records)) - 1
    after = np.where(records["indexed"], after, 0)
    filled = np.cumsum(after)
    first = 0
    while first < len(records):
        before = filled[first - 1] if first else 0
        last = int(np.searchsorted(filled, before + _MOST_PAIRS, side="right"))
        last = max(last, first + 1)
        many = after[first:last]
        smaller = np.repeat(np.arange(first, last), many)
        within = np.arange(len(smaller)) - np.repeat(np.cumsum(many) - many, many)
        yield smaller, smaller + 1 + within
        first = last


def _starts(ordered: NDArray[Any]) -> NDArray[np.int64]:
    new = np.ones(len(ordered), dtype=bool)
    new[1:] = ordered[1:] != ordered[:-1]
    return np.flatnonzero(new)
