"""Clusters: documents tied together, and the weakest tie that is needed."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from likewise.search import Component, Pairs, components, similar
from likewise.search.pairs import Copies
from likewise.settings import Measure, Settings
from likewise.sketch import build_sets
from tests.search.small_collections import collections, listed, repeatable, sets_of


@st.composite
def answers(draw: st.DrawFn) -> Pairs:
    """Groups of one to three copies, and ties between some of them, strongest first."""
    sizes = draw(st.lists(st.integers(1, 3), min_size=1, max_size=9))
    n = len(sizes)
    members = draw(st.permutations(range(sum(sizes))))
    ties = draw(
        st.dictionaries(
            st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)).filter(lambda t: t[0] < t[1]),
            st.sampled_from([0.5, 0.55, 0.6, 0.7, 0.8, 0.9, 1.0]),
            max_size=12,
        )
    )
    ordered = sorted(ties.items(), key=lambda tie: (-tie[1], tie[0]))
    left = np.array([a for (a, _), _ in ordered], dtype=np.uint32)
    return Pairs(
        copies=Copies(np.array(members), np.cumsum([0, *sizes]).astype(np.int64)),
        left=left,
        right=np.array([b for (_, b), _ in ordered], dtype=np.uint32),
        shared=np.ones_like(left),
        sizes=np.full(n, 10),
        similarity=np.array([similarity for _, similarity in ordered], dtype=np.float64),
        measure="jaccard",
        across=draw(st.booleans()),
        compared=0,
        method="by hand",
    )


def ties_of(pairs: Pairs) -> list[tuple[int, int, float]]:
    """Every pair of documents with its similarity."""
    ties = []
    for group in pairs.identical().tolist():
        members = pairs.copies.of(group).tolist()
        ties += [(members[0], other, 1.0) for other in members[1:]]
    for g, h, similarity in zip(pairs.left, pairs.right, pairs.similarity.tolist(), strict=True):
        ties += [
            (a, b, similarity)
            for a in pairs.copies.of(g).tolist()
            for b in pairs.copies.of(h).tolist()
        ]
    return ties


def reached(start: int, ties: list[tuple[int, int, float]], least: float) -> set[int]:
    """Whoever is tied to a document by ties of at least this strength."""
    found, grown = {start}, True
    while grown:
        more = {d for a, b, s in ties if s >= least and {a, b} & found for d in (a, b)}
        grown = not more <= found
        found |= more
    return found


def slow_components(pairs: Pairs) -> list[Component]:
    """The bottleneck: the strongest ties that, alone, still hold a cluster together."""
    ties = ties_of(pairs)
    clusters = {tuple(sorted(reached(a, ties, 0.0))) for a, _, _ in ties}
    found = [
        Component(
            members,
            max(s for _, _, s in ties if reached(members[0], ties, s) == set(members)),
        )
        for members in clusters
    ]
    return sorted(found, key=lambda c: (-len(c.members), c.members[0]))


@repeatable(300)
@given(answers())
def test_the_weakest_tie_is_the_bottleneck_of_the_maximum_spanning_tree(pairs: Pairs) -> None:
    assert components(pairs) == slow_components(pairs)


@pytest.mark.parametrize("measure", ["jaccard", "containment"])
@repeatable(60)
@given(texts=collections(), threshold=st.sampled_from([0.2, 0.5, 0.8]))
def test_clusters_of_texts_hold_exactly_the_documents_that_have_pairs(
    measure: Measure, texts: list[str], threshold: float
) -> None:
    chosen = Settings.plain(measure=measure, threshold=threshold, shingle=1)
    pairs = similar(build_sets(texts, chosen), chosen)
    found = components(pairs)
    assert found == slow_components(pairs)
    members = [document for cluster in found for document in cluster.members]
    assert sorted(members) == sorted({document for pair in listed(pairs) for document in pair})
    assert all(cluster.weakest >= threshold for cluster in found)


def test_a_chain_holds_by_its_weakest_link_and_a_ring_by_its_second_weakest() -> None:
    chain = sets_of(range(10), range(1, 11), range(3, 13))
    [cluster] = components(similar(chain, Settings(threshold=0.6)))
    assert cluster == Component((0, 1, 2), 8 / 12)
    [ring] = components(similar(chain, Settings(threshold=0.5)))
    assert ring == cluster, "7/13 ties the ends as well, and is not needed"


def test_larger_clusters_come_first_then_earlier_ones() -> None:
    pair, triple = {1, 2}, {7, 8, 9}
    sets = sets_of(pair, triple, {20}, {30}, triple, pair, triple, {30})
    found = [cluster.members for cluster in components(similar(sets, Settings()))]
    assert found == [(1, 4, 6), (0, 5), (3, 7)]


def test_copies_inside_one_collection_are_no_cluster_across_two() -> None:
    sets = sets_of({1, 2}, {1, 2}, {3}, {4}, {5}, {3})
    pairs = similar(sets, Settings(), sides=np.array([0, 0, 0, 1, 1, 1], dtype=np.uint8))
    assert components(pairs) == [Component((2, 5), 1.0)]
