"""Arrays of unknown length, in memory or, past a limit, on disk."""

from __future__ import annotations

import numpy as np
from hypothesis import example, given, settings
from hypothesis import strategies as st

from likewise.sketch.growing import GrowingArray


@settings(derandomize=True, deadline=None, max_examples=80)
@given(
    st.lists(st.lists(st.integers(0, 2**32 - 1), max_size=50), max_size=8),
    st.one_of(st.none(), st.integers(0, 400)),
)
@example([[]], None)
@example([[], [1]], 0)
@example([[1], [], [2]], 4)
def test_a_growing_array_is_what_was_appended(parts: list[list[int]], memory: int | None) -> None:
    growing = GrowingArray(np.dtype(np.uint32), memory)
    for part in parts:
        growing.append(np.array(part, dtype=np.uint32))
    found = growing.finish()
    assert found.dtype == np.uint32
    assert found.tolist() == [item for part in parts for item in part]


def test_a_growing_array_outgrows_its_first_pages() -> None:
    growing = GrowingArray(np.dtype(np.uint64))
    parts = [np.arange(50_000, dtype=np.uint64) + np.uint64(i) for i in range(10)]
    for part in parts:
        growing.append(part)
    assert np.array_equal(growing.finish(), np.concatenate(parts))


def test_what_was_finished_outlives_the_growing_array_and_leaves_no_file_open() -> None:
    """Python tells an open file by a ResourceWarning, which is an error in this house."""
    growing = GrowingArray(np.dtype(np.uint64), memory=100)
    growing.append(np.arange(1000, dtype=np.uint64))
    found = growing.finish()
    del growing
    assert isinstance(found, np.memmap)
    assert found.sum() == 499_500
