"""The length filters of paper 001: what each compares, and what each loses."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from likewise.search import similar
from likewise.search.filters import LOSSLESS
from likewise.settings import Filter, Measure, Settings
from likewise.sketch import build_sets
from tests.search.small_collections import (
    THRESHOLDS,
    WORDS,
    alternating,
    brute_force,
    collections,
    listed,
    repeatable,
    slow_shingles,
)

FILTERS: list[Filter] = ["none", "length", "repetitions", "positions"]


def slow_length(text: str, name: Filter) -> int:
    """L of a document: its distinct shingles, all shingles, or places times repetitions."""
    counts = list(slow_shingles(text, 1).values())
    if name == "repetitions":
        return sum(counts)
    if name == "positions":
        return sum(place * count for place, count in enumerate(counts, 1))
    return len(counts)


def filtered(texts: list[str], chosen: Settings, across: bool = False):
    sides = alternating(len(texts)) if across else None
    return similar(build_sets(texts, chosen, counts=True), chosen, sides=sides)


@pytest.mark.parametrize("name", FILTERS)
@pytest.mark.parametrize("measure", ["jaccard", "multiset"])
@repeatable(60)
@given(texts=collections(), threshold=st.sampled_from(THRESHOLDS), across=st.booleans())
@example(texts=[" ".join(WORDS[:7]), " ".join(WORDS[:25])], threshold=0.28, across=False)
def test_a_filter_compares_the_pairs_whose_lengths_allow_the_threshold(
    name: Filter, measure: Measure, texts: list[str], threshold: float, across: bool
) -> None:
    chosen = Settings.plain(filter=name, measure=measure, threshold=threshold, shingle=1)
    pairs = filtered(texts, chosen, across)
    lengths = [slow_length(text, name) for text in texts]
    compared = {
        (a, b)
        for a, b in combinations(range(len(texts)), 2)
        if lengths[a]
        and lengths[b]
        and (not across or (a + b) % 2)
        and (
            name == "none" or min(lengths[a], lengths[b]) / max(lengths[a], lengths[b]) >= threshold
        )
    }
    truth = brute_force(texts, chosen, alternating(len(texts)).tolist() if across else None)
    assert pairs.compared == len(compared)
    assert listed(pairs) == {pair: n for pair, n in truth.items() if pair in compared}
    if measure in LOSSLESS[name]:
        assert listed(pairs) == truth


@repeatable(40)
@given(collections(), st.sampled_from(THRESHOLDS))
def test_without_a_filter_containment_is_found_too(texts: list[str], threshold: float) -> None:
    chosen = Settings.plain(filter="none", measure="containment", threshold=threshold, shingle=2)
    assert listed(filtered(texts, chosen)) == brute_force(texts, chosen)


@pytest.mark.parametrize("k", range(1, 101))
def test_the_length_filter_loses_no_pair_on_the_edge(k: int) -> None:
    """One document is the first k words of a hundred: Jaccard is k/100, and so is the threshold."""
    words = [f"v{i}" for i in range(100)]
    chosen = Settings.plain(filter="length", threshold=k / 100, shingle=1)
    assert len(filtered([" ".join(words[:k]), " ".join(words)], chosen)) == 1


def test_positions_lose_a_copy_with_something_appended() -> None:
    """Σ i·F(i) grows with the square of the length: a quarter more is more than half more."""
    text = " ".join(WORDS[:32])
    texts = [text, " ".join(WORDS)]
    chosen = Settings.plain(threshold=0.8, shingle=1)
    assert list(brute_force(texts, chosen)) == [(0, 1)]
    assert len(filtered(texts, chosen.but(filter="length"))) == 1
    lossy = filtered(texts, chosen.but(filter="positions"))
    assert len(lossy) == lossy.compared == 0
    assert "may lose pairs" in lossy.method


def test_repetitions_lose_pairs_of_sets_and_lengths_pairs_of_multisets() -> None:
    texts = ["a b c", "a b c a b c a b c", "a a a a b c d e", "a a a a"]
    by_sets = Settings.plain(threshold=0.7, shingle=1)
    by_multisets = Settings.plain(threshold=0.5, shingle=1, measure="multiset")
    assert list(listed(filtered(texts, by_sets.but(filter="length")))) == [(0, 1)]
    assert len(filtered(texts, by_sets.but(filter="repetitions"))) == 0
    assert list(listed(filtered(texts, by_multisets.but(filter="repetitions")))) == [(2, 3)]
    assert len(filtered(texts, by_multisets.but(filter="length"))) == 0


@pytest.mark.parametrize("name", FILTERS)
@pytest.mark.parametrize("measure", ["jaccard", "multiset"])
def test_an_answer_tells_what_was_compared_and_whether_pairs_may_be_lost(
    name: Filter, measure: Measure
) -> None:
    texts = ["w1 w2", "w1 w2 w3", "w1 w2 w3 w4 w5 w6"]
    pairs = filtered(texts, Settings.plain(filter=name, measure=measure, shingle=1))
    assert f"{name!r}: {pairs.compared} of 3 pairs compared" in pairs.method
    assert ("loses no pair" in pairs.method) == (measure in LOSSLESS[name])


def test_the_filters_are_lossless_for_what_the_table_says() -> None:
    assert {name for name in FILTERS if "jaccard" in LOSSLESS[name]} == {"none", "length"}
    assert {name for name in FILTERS if "multiset" in LOSSLESS[name]} == {"none", "repetitions"}
