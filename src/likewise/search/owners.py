"""Pairs of documents of different owners: what one student hands in twice is no pair."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

from likewise.search.clusters import Component
from likewise.search.pairs import Pairs

# Whose a document is, by its name: a student, a group. Two that share one belong together.
Owners = Mapping[str, frozenset[str]]
_NOBODY: frozenset[str] = frozenset()


def belong_together(owners: Owners, a: str, b: str) -> bool:
    """Whether two documents have an owner in common.

    >>> owners = {"a": frozenset({"Asel"}), "b": frozenset({"Asel", "team 3"})}
    >>> belong_together(owners, "a", "b"), belong_together(owners, "a", "c")
    (True, False)
    """
    return not owners.get(a, _NOBODY).isdisjoint(owners.get(b, _NOBODY))


@dataclass(frozen=True, slots=True, eq=False)
class PairsOfOthers:
    """The pairs that remain, strongest first: two documents, shared shingles, similarity.

    Unlike `Pairs` they are listed one by one: of a class there are few enough.
    """

    pairs: Sequence[tuple[int, int, int, float]]

    @classmethod
    def of(
        cls,
        pairs: Pairs,
        pair_at: Callable[[int], tuple[int, int, int]],
        names: Sequence[str],
        owners: Owners,
    ) -> PairsOfOthers:
        """Those of all pairs that are left."""
        similarity_at = _similarities(pairs)
        remaining = []
        for k in range(len(pairs)):
            i, j, shared = pair_at(k)
            if not belong_together(owners, names[i], names[j]):
                remaining.append((i, j, shared, similarity_at(k)))
        return cls(remaining)

    def __len__(self) -> int:
        return len(self.pairs)

    def pair_at(self, k: int) -> tuple[int, int, int]:
        """The two documents, and how many shingles they share."""
        i, j, shared, _ = self.pairs[k]
        return i, j, shared

    def histogram(self) -> tuple[int, ...]:
        """Pairs in each hundredth of similarity; the last holds those of 1."""
        edges = [n / 100 for n in range(101)]
        counts = [0] * 101
        for *_, similarity in self.pairs:
            counts[bisect_right(edges, similarity) - 1] += 1
        return tuple(counts)

    def components(self) -> list[Component]:
        """Documents tied together, as `clusters.components` ties all of them."""
        parent: dict[int, int] = {}

        def root(node: int) -> int:
            while parent[node] != node:
                parent[node] = parent[parent[node]]
                node = parent[node]
            return node

        weakest: dict[int, float] = {}
        for i, j, _, similarity in self.pairs:
            for node in (i, j):
                if node not in parent:
                    parent[node], weakest[node] = node, 1.0
            a, b = sorted((root(i), root(j)))
            if a != b:
                parent[b] = a
                weakest[a] = similarity  # pairs come strongest first
        together: dict[int, list[int]] = {}
        for node in sorted(parent):
            together.setdefault(root(node), []).append(node)
        clusters = [Component(tuple(nodes), weakest[one]) for one, nodes in together.items()]
        return sorted(clusters, key=lambda c: (-len(c.members), c.members[0]))


def _similarities(pairs: Pairs) -> Callable[[int], float]:
    """How alike the k-th pair is: copies first, then pairs of groups, as `Pairs` counts them."""
    sizes = pairs.copies.sizes
    copies = [int(sizes[g]) * (int(sizes[g]) - 1) // 2 for g in pairs.identical().tolist()]
    ends = list(accumulate([*copies, *(sizes[pairs.left] * sizes[pairs.right]).tolist()]))

    def similarity_at(k: int) -> float:
        block = bisect_right(ends, k)
        return 1.0 if block < len(copies) else float(pairs.similarity[block - len(copies)])

    return similarity_at
