"""Clusters: documents tied together by verified pairs, and the weakest tie that holds each."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from likewise.search.pairs import Pairs


@dataclass(frozen=True, slots=True)
class Component:
    """The documents of one cluster, ascending, and its weakest tie."""

    members: tuple[int, ...]
    weakest: float


def components(pairs: Pairs) -> list[Component]:
    """Union-find over the pairs, strongest first: the last pair to join is the weakest tie.

    That is Kruskal's algorithm, so the weakest tie is the bottleneck of the maximum spanning tree.
    Largest clusters first, then by their first documents.
    """
    n = len(pairs.copies)
    parent = np.arange(n)
    weakest = np.ones(n)
    # a component has at most one fewer joining pairs than groups; most pairs join nothing
    for g, h, similarity in zip(
        pairs.left.tolist(), pairs.right.tolist(), pairs.similarity.tolist(), strict=True
    ):
        a, b = _root(parent, g), _root(parent, h)
        if a != b:
            if b < a:
                a, b = b, a
            parent[b] = a
            weakest[a] = similarity  # pairs come strongest first
    together: dict[int, list[int]] = {}
    tied = np.zeros(n, dtype=bool)
    tied[pairs.left] = True
    tied[pairs.right] = True
    if not pairs.across:
        tied |= pairs.copies.sizes > 1
    for group in np.flatnonzero(tied).tolist():
        together.setdefault(_root(parent, group), []).append(group)
    clusters = [
        Component(
            tuple(sorted(int(d) for group in groups for d in pairs.copies.of(group))),
            float(weakest[root]),
        )
        for root, groups in together.items()
    ]
    return sorted(clusters, key=lambda c: (-len(c.members), c.members[0]))


def _root(parent: np.ndarray[tuple[int], np.dtype[np.int64]], node: int) -> int:
    root = node
    while parent[root] != root:
        root = int(parent[root])
    while parent[node] != root:
        parent[node], node = root, int(parent[node])
    return root
