"""Ties thrown away on the way never change clusters or what holds them."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as some

from likewise.scale.clusters import strongest_ties, weakest_ties

_NODES = some.integers(0, 12)
_TIES = some.lists(
    some.tuples(_NODES, _NODES, some.sampled_from([0.5, 0.6, 0.7, 0.8, 0.9])), max_size=40
)


def _connected(ties: list[tuple[int, int, float]], least: float) -> dict[int, int]:
    """The first document of everyone's cluster, by walking."""
    first = {node: node for a, b, _ in ties for node in (a, b)}
    changed = True
    while changed:
        changed = False
        for a, b, similarity in ties:
            if similarity >= least and first[a] != first[b]:
                first[a] = first[b] = min(first[a], first[b])
                changed = True
    return first


@given(_TIES, some.integers(1, 4))
def test_the_weakest_tie_is_the_largest_threshold_that_keeps_a_cluster_whole(
    ties: list[tuple[int, int, float]], parts: int
) -> None:
    ties = [(min(a, b), max(a, b), s) for a, b, s in ties if a != b]
    batches = [_batch(ties[part::parts]) for part in range(parts)]
    forest = pa.Table.from_batches(list(strongest_ties(batches)), schema=_batch([]).schema)
    made = weakest_ties(forest)
    found = dict(zip(made["cluster"].to_pylist(), made["weakest"].to_pylist(), strict=True))
    whole = _connected(ties, 0)
    assert set(found) == set(whole.values())
    for cluster, weakest in found.items():
        members = {node for node, first in whole.items() if first == cluster}
        at, above = _connected(ties, weakest), _connected(ties, weakest + 0.01)
        assert len({at[node] for node in members}) == 1
        assert len({above[node] for node in members}) > 1


def _batch(ties: list[tuple[int, int, float]]) -> pa.RecordBatch:
    a, b, similarity = zip(*ties, strict=True) if ties else ((), (), ())
    return pa.record_batch(
        {
            "a": np.array(a, np.int64),
            "b": np.array(b, np.int64),
            "similarity": np.array(similarity, np.float64),
        }
    )
