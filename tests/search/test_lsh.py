"""Locality-sensitive hashing: what is asked of it, and that every pair is verified."""

from __future__ import annotations

from itertools import combinations
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from likewise.errors import BadSettings
from likewise.search import Plan, lsh, plan, similar
from likewise.search.lsh import bucket_keys, candidates
from likewise.settings import Measure, Scheme, Settings
from likewise.sketch import Sets, build_sets
from tests.search.small_collections import (
    alternating,
    brute_force,
    collections,
    listed,
    repeatable,
    thresholds,
)


@pytest.mark.parametrize("measure", ["jaccard", "multiset"])
@pytest.mark.parametrize("across", [False, True], ids=["inside", "across"])
@repeatable(50)
@given(texts=collections(), threshold=st.sampled_from([0.3, 0.5, 0.8, 1.0]), seed=st.integers(0, 9))
def test_every_pair_is_one_of_the_exact_pairs(
    measure: Measure, across: bool, texts: list[str], threshold: float, seed: int
) -> None:
    chosen = Settings.plain(
        method="lsh", measure=measure, threshold=threshold, seed=seed, shingle=2
    )
    sets = build_sets(texts, chosen)
    sides = alternating(len(texts)) if across else None
    truth = brute_force(texts, chosen, sides.tolist() if across else None)
    found = listed(similar(sets, chosen, sides=sides))
    assert found.items() <= truth.items()
    identical = {p for p, (n, size_a, size_b) in truth.items() if n == size_a == size_b}
    assert identical <= found.keys(), "equal sets have equal signatures"
    assert listed(similar(sets, chosen, sides=sides, jobs=2)) == found


def planted(pairs: int, size: int, seed: int) -> tuple[Sets, dict[tuple[int, int], float]]:
    """Sets 2i and 2i + 1 with a Jaccard similarity of .7 to .95, known exactly."""
    random = np.random.default_rng(seed)
    sets, truth = [], {}
    for i in range(pairs):
        items = random.integers(1, 2**64, size=2 * size, dtype=np.uint64)
        similarity = random.uniform(0.7, 0.95)
        shared = round(size * 2 * similarity / (1 + similarity))
        sets += [items[:size], np.concatenate((items[:shared], items[size : 2 * size - shared]))]
        truth[2 * i, 2 * i + 1] = shared / (2 * size - shared)
    ends = np.cumsum([0, *map(len, sets)]).astype(np.int64)
    return Sets(np.concatenate(sets), ends), truth


@pytest.mark.parametrize("scheme", ["fast", "minhash"])
@pytest.mark.parametrize(("threshold", "recall"), [(0.8, 0.99), (0.8, 0.9), (0.7, 0.99)])
def test_the_asked_recall_is_delivered(scheme: Scheme, threshold: float, recall: float) -> None:
    sets, truth = planted(1500, 80, seed=4)
    chosen = Settings(method="lsh", scheme=scheme, threshold=threshold, recall=recall)
    pairs = similar(sets, chosen)
    alike = {pair for pair, similarity in truth.items() if similarity >= threshold}
    found = listed(pairs).keys()
    assert found <= alike
    assert len(found) >= recall * len(alike)
    assert pairs.compared < 3000, "few foreign pairs meet"


plans = st.builds(
    Plan, bands=st.integers(1, 40), rows=st.integers(1, 20), agreeing=st.integers(1, 8)
)


@repeatable(200)
@given(plans, st.floats(0, 1))
@example(Plan(1, 84, 3), 1.0)
def test_a_chance_is_a_probability_that_grows_with_similarity(cut: Plan, similarity: float) -> None:
    assert -1e-9 <= cut.chance(similarity) <= 1 + 1e-9
    assert cut.chance(similarity / 2) <= cut.chance(similarity) + 1e-9
    assert cut.chance(0.0) == pytest.approx(0)
    assert cut.chance(1.0) == pytest.approx(float(cut.bands >= cut.agreeing))


@repeatable(150)
@given(
    st.integers(1, 300),
    st.one_of(st.just(1.0), thresholds),
    st.floats(0.01, 0.9999),
    st.integers(1, 4),
)
@example(84, 1.0, 0.99, 3)
def test_a_plan_has_the_longest_rows_and_fewest_bands_that_keep_the_recall(
    slots: int, threshold: float, recall: float, agreeing: int
) -> None:
    chosen = Settings(
        method="lsh", slots=slots, threshold=threshold, recall=recall, agreeing_bands=agreeing
    )

    def reaches(bands: int, rows: int) -> bool:
        return bands >= agreeing and Plan(bands, rows, agreeing).chance(threshold) >= recall

    possible = [rows for rows in range(1, slots + 1) if reaches(slots // rows, rows)]
    if not possible:
        with pytest.raises(BadSettings, match=r"slots cannot reach a recall"):
            plan(chosen)
        return
    cut = plan(chosen)
    assert cut.rows == max(possible) and cut.bands * cut.rows <= slots
    assert reaches(cut.bands, cut.rows) and not reaches(cut.bands - 1, cut.rows)
    assert cut.agreeing == agreeing


def test_bands_can_be_given_by_hand() -> None:
    assert plan(Settings(method="lsh", bands=(20, 5))) == Plan(20, 5)


def test_an_unreachable_recall_is_refused_with_advice() -> None:
    with pytest.raises(BadSettings, match=r"4 slots cannot reach .* more slots"):
        plan(Settings(method="lsh", slots=4, threshold=0.1, recall=0.99))


def test_mega_shingles_are_84_values_in_six_of_14_of_which_two_must_agree() -> None:
    chosen = Settings.mega_shingles(threshold=0.9)
    assert (chosen.slots, chosen.scheme, chosen.method) == (84, "minhash", "lsh")
    assert plan(chosen) == Plan(6, 14, 2)
    first = np.arange(84, dtype=np.uint64)
    rows = np.stack([first, first, first])
    rows[1, 14 : 84 - 14] += np.uint64(1000)  # the first and the last agree
    rows[2, 14:] += np.uint64(2000)  # only the first agrees
    found = [
        (a.tolist(), b.tolist()) for a, b in candidates(bucket_keys(rows, plan(chosen))) if len(a)
    ]
    assert found == [([0], [1])]


@repeatable(200)
@given(
    st.lists(st.lists(st.integers(0, 2), min_size=8, max_size=8), max_size=10),
    st.sampled_from([(1, 1), (4, 2), (8, 1), (2, 3), (3, 2)]),
    st.integers(1, 3),
    st.integers(1, 5),
)
def test_all_pairs_of_a_bucket_are_candidates_and_each_comes_once(
    signatures: list[list[int]], shape: tuple[int, int], agreeing: int, block: int
) -> None:
    bands, rows = shape
    agreeing = min(agreeing, bands)
    expected = []
    for a, b in combinations(range(len(signatures)), 2):
        equal = [
            signatures[a][band * rows : band * rows + rows]
            == signatures[b][band * rows : band * rows + rows]
            for band in range(bands)
        ]
        if sum(equal) >= agreeing:
            expected.append((a, b))
    table = np.array(signatures, dtype=np.uint16).reshape(-1, 8)
    with patch.object(lsh, "BLOCK", block):
        blocks = list(candidates(bucket_keys(table, Plan(bands, rows, agreeing))))
    assert all(len(a) <= block for a, _ in blocks)
    found = [pair for a, b in blocks for pair in zip(a.tolist(), b.tolist(), strict=True)]
    assert sorted(found) == expected
