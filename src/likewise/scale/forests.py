"""What holds clusters together: of many ties, the strongest that suffice.

The strongest forest of all ties is the strongest forest of the forests of any parts, so that every
machine may throw away most of its ties before they are brought together.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import pyarrow as pa  # type: ignore[import-untyped]
from numpy.typing import NDArray

from likewise.scale.blobs import places_in

TIES = "a long, b long, similarity double"
CLUSTERS = "cluster long, weakest double"
TIED = "place long, cluster long, weakest double"
CHOSEN = "cluster long, place long, id string, weakest double, kept boolean"


def strongest_ties(batches: Iterable[Any]) -> Iterator[Any]:
    """Kruskal's algorithm over each batch: ties that close a circle are left out."""
    for batch in batches:
        a, b, similarity = _ties(batch)
        kept, _, _ = _forest(a, b, similarity)
        yield pa.record_batch({"a": a[kept], "b": b[kept], "similarity": similarity[kept]})


def weakest_ties(table: Any) -> Any:
    """The weakest tie that each cluster needs, for whole clusters of ties."""
    a, b, similarity = _ties(table)
    kept, nodes, root = _forest(a, b, similarity)
    cluster = nodes[root[np.searchsorted(nodes, a[kept])]]
    order = np.lexsort((similarity[kept], cluster))
    first = np.ones(len(order), dtype=bool)
    first[1:] = cluster[order][1:] != cluster[order][:-1]
    return pa.table({"cluster": cluster[order][first], "weakest": similarity[kept][order][first]})


def whole_clusters(table: Any, across: bool) -> Any:
    """Everyone's cluster and its weakest tie at once, where all ties fit into one task.

    Copies are ties without a similarity. Between two corpora those inside one of them tie nothing
    by themselves, and count only where their leader has a tie.
    """
    a, b, similarity = _ties(table)
    copied = np.isnan(similarity)
    if across:
        used = ~copied | np.isin(a, np.concatenate((a[~copied], b[~copied])))
        a, b, similarity, copied = a[used], b[used], similarity[used], copied[used]
    similarity = np.where(copied, 1.0, similarity)
    kept, nodes, root = _forest(a, b, similarity)
    weakest = np.ones(len(nodes))
    np.minimum.at(weakest, root[np.searchsorted(nodes, a[kept])], similarity[kept])
    return pa.table({"place": nodes, "cluster": nodes[root], "weakest": weakest[root]})


def survivors(table: Any, keep: str) -> Any:
    """Who stays of each cluster: the first, the longest or the most preferred, then the first."""
    place, cluster = places_in(table.column("place")), places_in(table.column("cluster"))
    rule = np.zeros(len(place))
    if keep == "longest":
        rule = -places_in(table.column("chars")).astype(np.float64)
    elif keep == "prefer":
        rule = -_numbers(table.column("prefer"))
        rule[np.isnan(rule)] = np.inf
    order = np.lexsort((place, rule, cluster))
    first = np.ones(len(order), dtype=bool)
    first[1:] = cluster[order][1:] != cluster[order][:-1]
    kept = np.zeros(len(place), dtype=bool)
    kept[order[first]] = True
    return pa.table(
        {
            "cluster": cluster,
            "place": place,
            "id": table.column("id"),
            "weakest": table.column("weakest"),
            "kept": kept,
        }
    )


def _numbers(column: Any) -> NDArray[np.float64]:
    """A column of floats as an array; what is null is not a number."""
    if isinstance(column, pa.ChunkedArray):
        column = column.combine_chunks()
    return np.array(column.to_numpy(zero_copy_only=False), dtype=np.float64)


def _ties(rows: Any) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    similarity = _numbers(rows.column("similarity"))
    return places_in(rows.column("a")), places_in(rows.column("b")), similarity


def _forest(
    a: NDArray[np.int64], b: NDArray[np.int64], similarity: NDArray[np.float64]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Which ties are needed, all documents ascending, and the number of each one's first."""
    nodes, inverse = np.unique(np.concatenate((a, b)), return_inverse=True)
    parent = list(range(len(nodes)))

    def root(node: int) -> int:
        while parent[node] != node:
            parent[node] = parent[parent[node]]
            node = parent[node]
        return node

    left, right = inverse[: len(a)].tolist(), inverse[len(a) :].tolist()
    kept = []
    for tie in np.argsort(-similarity, kind="stable").tolist():
        one, two = root(left[tie]), root(right[tie])
        if one != two:
            parent[max(one, two)] = min(one, two)
            kept.append(tie)
    roots = np.array([root(node) for node in range(len(nodes))], dtype=np.int64)
    return np.array(kept, dtype=np.int64), nodes, roots
