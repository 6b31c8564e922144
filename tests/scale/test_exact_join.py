"""Tables that tasks make apart tell what one table of all documents would."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as some

from likewise.kernels import mark_shared
from likewise.scale.blobs import AGAINST, binary
from likewise.scale.exact_join import mark_cells, merge_cells

SIZE = 1 << 10
_SHINGLES = some.integers(0, 40).map(lambda number: number * 0x9E3779B97F4A7C15 % 2**64)
_DOCUMENTS = some.lists(
    some.tuples(some.booleans(), some.lists(_SHINGLES, min_size=1, max_size=6, unique=True)),
    min_size=1,
    max_size=12,
)


@given(_DOCUMENTS, some.integers(1, 4), some.booleans())
def test_tables_laid_over_each_other_are_the_table_of_all(
    documents: list[tuple[bool, list[int]]], tasks: int, across: bool
) -> None:
    hashes, offsets = _flat(documents)
    whole = np.zeros(SIZE, np.uint8)
    sides = np.array([side for side, _ in documents], np.uint8)
    mark_shared(hashes, offsets, sides, across, whole)
    parts = [documents[task::tasks] for task in range(tasks)]
    rows = [row for part in parts if part for row in mark_cells([_batch(part)], SIZE, across)]
    table = merge_cells(pa.Table.from_batches(rows), across)
    assert table["blob"][0].as_py() == whole.tobytes()


def _flat(documents: list[tuple[bool, list[int]]]) -> tuple[np.ndarray, np.ndarray]:
    hashes = np.array([one for _, shingles in documents for one in sorted(shingles)], np.uint64)
    sizes = [len(shingles) for _, shingles in documents]
    return hashes, np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)


def _batch(documents: list[tuple[bool, list[int]]]) -> pa.RecordBatch:
    hashes, offsets = _flat(documents)
    places = [number + AGAINST * old for number, (old, _) in enumerate(documents)]
    return pa.record_batch(
        {"place": pa.array(places, pa.int64()), "shingles": binary(hashes, offsets * 8)}
    )
