"""The exact join: every pair that reaches the threshold, none that does not."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from likewise.search import similar
from likewise.search.join import Join, least_shared, smallest_part
from likewise.settings import Measure, Settings
from likewise.sketch import build_sets
from tests.search.small_collections import (
    alternating,
    brute_force,
    collections,
    listed,
    repeatable,
    sets_of,
    thresholds,
)

MEASURES = pytest.mark.parametrize("measure", ["jaccard", "containment", "multiset"])
SEVERAL_WAYS = [(1, None), (2, None), (1, 2000), (2, 300), (1, 0)]  # threads, bytes


@MEASURES
@pytest.mark.parametrize("across", [False, True], ids=["inside", "across"])
@repeatable(70)
@given(texts=collections(), threshold=thresholds, shingle=st.integers(1, 3))
@example(texts=["w1 w2 w3 w4", "w1 w2 w3 w4 w5"], threshold=0.8, shingle=1)
@example(texts=["w1 w2", "w3 w4"], threshold=0.5, shingle=1)
def test_the_join_finds_what_comparing_everything_finds(
    measure: Measure, across: bool, texts: list[str], threshold: float, shingle: int
) -> None:
    chosen = Settings.plain(measure=measure, threshold=threshold, shingle=shingle)
    sets = build_sets(texts, chosen)
    sides = alternating(len(texts)) if across else None
    expected = brute_force(texts, chosen, sides.tolist() if across else None)
    for jobs, memory in SEVERAL_WAYS:
        pairs = similar(sets, chosen, sides=sides, jobs=jobs, memory=memory)
        assert listed(pairs) == expected, f"jobs={jobs}, memory={memory}"


@pytest.mark.parametrize("shared", range(1, 13))
def test_a_pair_exactly_at_the_threshold_is_found(shared: int) -> None:
    for union in range(shared, 26):
        apart = (union - shared) // 2
        sets = sets_of(
            range(shared + apart), set(range(shared)) | set(range(shared + apart, union))
        )
        exactly = shared / union
        for threshold, found in ((exactly, 1), (math.nextafter(exactly, 0), 1)):
            assert len(similar(sets, Settings(threshold=threshold))) == found, exactly
        if exactly < 1:
            assert len(similar(sets, Settings(threshold=math.nextafter(exactly, 1)))) == 0, exactly


@pytest.mark.parametrize(
    ("small", "large"), [(4, 5), (7, 10), (7, 25), (7, 50), (7, 100), (29, 50)]
)
def test_a_part_of_a_document_exactly_at_the_threshold_is_found(small: int, large: int) -> None:
    """Where the shorter lies in the longer whole, the length filter stands on the edge."""
    sets = sets_of(range(small), range(large))
    assert len(similar(sets, Settings(threshold=small / large))) == 1
    assert len(similar(sets, Settings(threshold=round(small / large, 2)))) == 1


@pytest.mark.parametrize("size", range(1, 13))
def test_containment_exactly_at_the_threshold_is_found(size: int) -> None:
    for shared in range(1, size + 1):
        large = set(range(shared)) | set(range(100, 100 + 3 * size))
        sets = sets_of(range(size), large)
        exactly = shared / size
        at, above = (
            Settings(measure="containment", threshold=min(1.0, threshold))
            for threshold in (exactly, math.nextafter(exactly, 2))
        )
        assert len(similar(sets, at)) == 1
        assert len(similar(sets, above)) == (shared == size)


def borrowing_collection(documents: int) -> list[set[int]]:
    """Sets of 1 to 60 items, half of them made of parts of others; a few items stand in most."""
    random = np.random.default_rng(8)
    made: list[set[int]] = []
    for i in range(documents):
        size = int(random.integers(1, 60))
        items = set(random.integers(0, 1500, size=size).tolist())
        if i % 2 and made:
            source = sorted(made[int(random.integers(len(made)))])
            items = set(source[: int(len(source) * random.uniform(0.5, 1)) + 1]) | set(
                list(items)[:5]
            )
        made.append(items | set(range(3)) if random.random() < 0.6 else items)
    return made


@pytest.mark.parametrize("measure", ["jaccard", "containment"])
@pytest.mark.parametrize("threshold", [0.2, 0.5, 0.8, 1.0])
def test_a_larger_collection_gives_the_same_pairs_in_parts_on_disk(
    measure: Measure, threshold: float
) -> None:
    documents = borrowing_collection(90)
    sets = sets_of(*documents)
    chosen = Settings(measure=measure, threshold=threshold)
    expected = {}
    for b, two in enumerate(documents):
        for a, one in enumerate(documents[:b]):
            shared = len(one & two)
            base = min(len(one), len(two)) if measure == "containment" else len(one | two)
            if shared and shared / base >= threshold:
                expected[a, b] = shared, len(one), len(two)
    sides = alternating(len(documents))
    for jobs, memory in ((1, None), (2, 40_000), (1, 8000)):
        pairs = similar(sets, chosen, jobs=jobs, memory=memory)
        assert listed(pairs) == expected
        pairs = similar(sets, chosen, sides=sides, jobs=jobs, memory=memory)
        assert listed(pairs) == {p: n for p, n in expected.items() if sum(p) % 2}


def test_far_fewer_pairs_are_compared_than_there_are() -> None:
    pairs = similar(sets_of(*borrowing_collection(300)), Settings(threshold=0.8))
    assert len(pairs) <= pairs.compared < 300 * 299 / 2 / 50


fractions = st.fractions(0, 1, max_denominator=50).filter(lambda f: 0 < f < 1).map(float)


@repeatable(300)
@given(
    st.lists(st.integers(0, 60), min_size=1, max_size=30),
    st.one_of(thresholds, fractions, fractions.map(lambda share: math.nextafter(share, 2))),
)
@example([3, 6, 9], math.nextafter(1 / 3, 1))
@example([25, 50, 100], 0.28)
def test_the_smallest_part_is_decided_by_the_same_division_as_the_pairs(
    sizes: list[int], share: float
) -> None:
    parts = smallest_part(np.array(sizes, dtype=np.int64), share).tolist()
    for size, part in zip(sizes, parts, strict=True):
        if size == 0:
            assert part == 0
        else:
            assert part / size >= share
            assert part == 0 or (part - 1) / size < share


def test_a_document_owes_its_partners_a_share_or_at_least_one_shingle() -> None:
    sizes = np.array([0, 1, 10, 11], dtype=np.int64)
    by_jaccard = Join(threshold=0.5, contained=False, across=False)
    contained = Join(threshold=0.5, contained=True, across=False)
    assert least_shared(sizes, by_jaccard).tolist() == [0, 1, 5, 6]
    assert least_shared(sizes, contained).tolist() == [0, 1, 1, 1]
