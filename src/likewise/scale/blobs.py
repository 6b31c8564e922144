"""Records packed by where they go: Spark moves a few large rows, NumPy works on what is in them.

A row for each key of each document would cost the engine more than all of our own work. So every
shuffle here moves rows of a slot (which task gets it) and a blob (many small records, end to end).

Two corpora lie in one numbering: what is held against has a bit of its own in its places.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, GroupedData

Records = NDArray[Any]
Places = NDArray[np.int64]

SCHEMA = "slot int, blob binary"
PAIR = np.dtype([("a", "<i8"), ("b", "<i8")])
_MAX_BROADCAST_ROWS = 500_000  # rows of a few numbers that every executor may hold beside its work
_SPREAD = np.uint64(0x9E3779B97F4A7C15)
_BATCH_BYTES = 1 << 23
_MOST_BYTES = 1 << 30  # offsets inside an Arrow array of bytes have 32 bits


def slots_of(numbers: NDArray[Any], slots: int) -> NDArray[np.int32]:
    """A slot for each number, spread evenly and the same on every machine.

    >>> slots_of(np.arange(6), 3).tolist()
    [0, 1, 0, 2, 1, 0]
    """
    mixed = (numbers.astype(np.uint64) * _SPREAD) >> np.uint64(32)
    return ((mixed * np.uint64(slots)) >> np.uint64(32)).astype(np.int32)


def pack_records(records: Records, slots: NDArray[np.int32]) -> Any:
    """A record batch with one row for each slot: its records, in the order they came."""
    # numbers of 16 bits are counted into their places, which is several times faster than sorting
    narrow = slots.astype(np.uint16) if len(slots) and slots.max() < 1 << 16 else slots
    order = np.argsort(narrow, kind="stable")
    records, slots = np.ascontiguousarray(records[order]), slots[order]
    starts = np.flatnonzero(np.concatenate(([True], slots[1:] != slots[:-1])))[: len(slots)]
    bounds = np.concatenate((starts, [len(slots)])) * records.dtype.itemsize
    return pa.record_batch({"slot": pa.array(slots[starts]), "blob": binary(records, bounds)})


def route_records(parts: Iterable[tuple[Records, NDArray[np.int32]]]) -> Iterator[Any]:
    """Record batches of what goes to each slot, for many small arrays of records and their slots.

    They are gathered first: among many slots a few records each would be as many rows as records.
    """
    records: list[Records] = []
    slots: list[NDArray[np.int32]] = []
    for some, where in parts:
        records.append(some)
        slots.append(where)
        if sum(each.nbytes for each in records) >= _BATCH_BYTES:
            yield pack_records(np.concatenate(records), np.concatenate(slots))
            records, slots = [], []
    if records:
        yield pack_records(np.concatenate(records), np.concatenate(slots))


def group_by_slot(frame: DataFrame, slots: int) -> GroupedData:
    """The rows of each slot together, in as many tasks as there are slots.

    The session's own number of tasks, 200 unless told otherwise, would be many for a small corpus.
    """
    return frame.repartition(slots, "slot").groupBy("slot")


def broadcast_if_small(rows: DataFrame, number: int) -> DataFrame:
    """Rows that are joined with: sent to every executor if they are few, else shuffled."""
    from pyspark.sql import functions as sql

    return sql.broadcast(rows) if number <= _MAX_BROADCAST_ROWS else rows


def bind_arguments(function: Callable[..., Any], **arguments: Any) -> Any:
    """Spark looks at a function's arguments, and cannot look into a partial one."""
    return lambda table: function(table, **arguments)


def binary(records: Records, bounds: NDArray[Any]) -> Any:
    """An Arrow array of bytes, cut out of an array at these bounds without copying."""
    if len(bounds) == 0:
        return pa.array([], pa.binary())
    assert bounds[-1] <= _MOST_BYTES * 2 - 1
    buffers = [
        None,
        pa.py_buffer(np.ascontiguousarray(bounds, dtype=np.int32)),
        pa.py_buffer(np.ascontiguousarray(records).view(np.uint8)),
    ]
    return pa.Array.from_buffers(pa.binary(), len(bounds) - 1, buffers)


def unpack_records(column: Any, dtype: np.dtype[Any]) -> tuple[Records, Places]:
    """All records of a column of blobs, end to end, and the offset of each blob's first."""
    chunks = column.chunks if isinstance(column, pa.ChunkedArray) else [column]
    parts, lengths = [np.zeros(0, dtype=dtype)], [np.zeros(0, dtype=np.int64)]
    for chunk in chunks:
        if not len(chunk):
            continue
        wide = pa.types.is_large_binary(chunk.type)
        _, offsets, values = chunk.buffers()
        size = 8 if wide else 4
        bounds = np.frombuffer(
            offsets, np.int64 if wide else np.int32, len(chunk) + 1, chunk.offset * size
        ).astype(np.int64)
        lengths.append(np.diff(bounds) // dtype.itemsize)
        if values is not None and bounds[-1] > bounds[0]:
            data = np.frombuffer(values, np.uint8, bounds[-1] - bounds[0], bounds[0])
            parts.append(np.frombuffer(data.tobytes(), dtype))
    ends = np.concatenate(([0], np.cumsum(np.concatenate(lengths)))).astype(np.int64)
    return np.concatenate(parts), ends


def int64_array(column: Any) -> Places:
    """A column of whole numbers as an array."""
    if isinstance(column, pa.ChunkedArray):
        column = column.combine_chunks()
    return np.asarray(column.to_numpy(zero_copy_only=False)).astype(np.int64)


def distinct_pairs(pairs: Records) -> Records:
    """Each pair once, ascending.

    >>> distinct_pairs(np.array([(1, 5), (0, 9), (1, 5)], PAIR)).tolist()
    [(0, 9), (1, 5)]
    """
    ordered = pairs[np.lexsort((pairs["b"], pairs["a"]))]
    new = np.ones(len(ordered), dtype=bool)
    new[1:] = (ordered["a"][1:] != ordered["a"][:-1]) | (ordered["b"][1:] != ordered["b"][:-1])
    return ordered[new]


def pairs_between(one: Places, two: Places) -> Records:
    """Pairs with the document that stands first on the left."""
    pairs = np.empty(len(one), dtype=PAIR)
    pairs["a"], pairs["b"] = np.minimum(one, two), np.maximum(one, two)
    return pairs


AGAINST = 1 << 62


def sides_of(places: NDArray[Any]) -> NDArray[np.uint8]:
    """0 for documents of the corpus, 1 for those it is held against.

    >>> sides_of(np.array([5, 5 + AGAINST])).tolist()
    [0, 1]
    """
    return (places >= AGAINST).astype(np.uint8)
