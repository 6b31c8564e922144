"""Which shingles may stand in two documents: one small table for all machines.

To bring equal shingles together is the dearest thing the exact join does, and most shingles have no
equal. Every task notes its own in a table of two-bit cells, as the local join does; the tables are
laid over each other, and what comes of them goes to everybody. Its size does not grow with the
corpus beyond a limit: a crowded table lets more shingles pass, and never leaves out one too many.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa  # type: ignore[import-untyped]
from numpy.typing import NDArray

from likewise.kernels import mark_shared
from likewise.scale.blobs import SCHEMA, by_slot, places_in, unpacked, with_given
from likewise.scale.sides import sides_of

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

Cells = NDArray[np.uint8]

MOST_BYTES = 1 << 26
_LEAST_BYTES = 1 << 10
_SLICE_BYTES = 1 << 20
_CROWDED = 16  # shingles a byte of four cells, from which on nearly every cell is full


def shared_cells(held: DataFrame, shingles: int, across: bool) -> bytes | None:
    """The table for documents with so many shingles in all; None where it would tell nothing."""
    size = table_bytes(shingles)
    if size is None:
        return None
    slices = -(-size // _SLICE_BYTES)
    noted = held.mapInArrow(partial(cells_marked, size=size, across=across), SCHEMA)
    tasks = min(slices, held.sparkSession.sparkContext.defaultParallelism)
    laid = by_slot(noted, tasks).applyInArrow(with_given(laid_over, across=across), SCHEMA)
    table = bytearray(size)
    for row in laid.collect():
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


def cells_marked(batches: Iterable[Any], size: int, across: bool) -> Iterator[Any]:
    """The shingles of a task in a table of its own, in slices."""
    cells = np.zeros(size, dtype=np.uint8)
    for batch in batches:
        hashes, offsets = unpacked(batch.column("shingles"), np.dtype("<u8"))
        mark_shared(hashes, offsets, sides_of(places_in(batch.column("place"))), across, cells)
    for slot, first in enumerate(range(0, size, _SLICE_BYTES)):
        part = cells[first : first + _SLICE_BYTES]
        if part.any():
            yield pa.record_batch(
                {"slot": pa.array([slot], pa.int32()), "blob": pa.array([part.tobytes()])}
            )


def laid_over(table: Any, across: bool) -> Any:
    """One slice of all tasks' tables: what two of them hold is held twice.

    >>> one, two = np.array([0b01_00_01_10], np.uint8), np.array([0b01_01_00_01], np.uint8)
    >>> f"{_over(one, two, across=False)[0]:08b}", f"{_over(one, two, across=True)[0]:08b}"
    ('11010111', '01010111')
    """
    laid: Cells | None = None
    for blob in table.column("blob"):
        part = np.frombuffer(blob.as_buffer(), np.uint8)
        laid = part if laid is None else _over(laid, part, across)
    assert laid is not None
    slot = table.column("slot").slice(0, 1)
    return pa.table({"slot": slot, "blob": pa.array([laid.tobytes()])})


def _over(one: Cells, two: Cells, across: bool) -> Cells:
    """Cells have a bit for each side, or one for the first holder and one for a second."""
    either = one | two
    return either if across else either | ((one & two & np.uint8(0b01010101)) << np.uint8(1))
