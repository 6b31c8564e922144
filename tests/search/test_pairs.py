"""Pairs of groups of copies: what an answer is, without listing it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from likewise.search import similar
from likewise.search.pairs import collapse, similarities
from likewise.settings import Measure, Settings
from likewise.sketch import build_sets
from tests.search.small_collections import alternating, collections, listed, repeatable, sets_of


@repeatable(100)
@given(st.lists(st.sets(st.integers(0, 4), max_size=3), max_size=12), st.booleans())
def test_documents_of_a_side_with_equal_sets_are_one_group(
    documents: list[set[int]], two_sides: bool
) -> None:
    sides = alternating(len(documents)) if two_sides else np.zeros(len(documents), np.uint8)
    copies = collapse(sets_of(*documents), sides)
    expected: dict[tuple[frozenset[int], int], list[int]] = {}
    for i, document in enumerate(documents):
        if document:
            expected.setdefault((frozenset(document), int(sides[i])), []).append(i)
    groups = [copies.of(g).tolist() for g in range(len(copies))]
    assert groups == list(expected.values())
    assert copies.first.tolist() == [group[0] for group in groups]
    assert copies.sizes.tolist() == [len(group) for group in groups]


def test_the_order_of_shingles_makes_no_other_set() -> None:
    sets = build_sets(["a b c a", "c a b c", "b c a b"], Settings.plain(shingle=2))
    assert len(collapse(sets, np.zeros(3, np.uint8))) == 1


@pytest.mark.parametrize("measure", ["jaccard", "containment", "multiset"])
@repeatable(60)
@given(texts=collections(), low=st.sampled_from([0.1, 0.3]), high=st.sampled_from([0.3, 0.7, 1.0]))
def test_a_higher_threshold_can_be_asked_of_the_same_answer(
    measure: Measure, texts: list[str], low: float, high: float
) -> None:
    chosen = Settings.plain(measure=measure, threshold=low, shingle=2)
    sets = build_sets(texts, chosen)
    fresh = similar(sets, chosen.but(threshold=high))
    assert listed(similar(sets, chosen).at_least(high)) == listed(fresh)


def test_containment_is_of_the_smaller_and_jaccard_of_both() -> None:
    shared, left, right = np.array([3, 4]), np.array([4, 4]), np.array([6, 4])
    assert similarities(shared, left, right, "containment").tolist() == [0.75, 1.0]
    assert similarities(shared, left, right, "jaccard").tolist() == [3 / 7, 1.0]
    assert similarities(shared, left, right, "multiset").tolist() == [3 / 7, 1.0]


def test_equal_pairs_come_in_the_order_of_their_documents() -> None:
    sets = sets_of({1, 2}, {2, 3}, {1, 3}, {1, 2})
    found = [pair[:2] for pair in similar(sets, Settings(threshold=0.3)).documents()]
    assert found == [(0, 3), (0, 1), (1, 3), (0, 2), (2, 3), (1, 2)]
