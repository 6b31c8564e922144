"""One question, several ways to answer it; and collections with nothing in them."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest

from likewise.search import components, describe, similar
from likewise.settings import Method, Settings
from likewise.sketch import build_sets
from tests.search.small_collections import listed

WAYS = {
    "exact": Settings(),
    "containment": Settings(measure="containment"),
    "multiset": Settings(measure="multiset"),
    "lsh": Settings(method="lsh"),
    "mega-shingles": Settings.mega_shingles(),
    "none": Settings(filter="none"),
    "length": Settings(filter="length"),
    "repetitions": Settings(filter="repetitions", measure="multiset"),
    "positions": Settings(filter="positions"),
}


@pytest.fixture(params=WAYS)
def chosen(request: pytest.FixtureRequest) -> Settings:
    return WAYS[request.param]


def answer(texts: list[str], chosen: Settings, jobs: int, sides: list[int] | None = None):
    sets = build_sets(texts, chosen, counts=chosen.filter != "prefix")
    two = None if sides is None else np.array(sides, dtype=np.uint8)
    return similar(sets, chosen, jobs=jobs, sides=two)


@pytest.mark.parametrize("texts", [[], ["the wide steppe"], [""], ["", "?", ""]])
@pytest.mark.parametrize("jobs", [1, 2])
def test_where_there_is_nothing_to_compare_nothing_is_found(
    texts: list[str], chosen: Settings, jobs: int
) -> None:
    for sides in (None, [i % 2 for i in range(len(texts))]):
        pairs = answer(texts, chosen, jobs, sides)
        assert len(pairs) == 0 and list(pairs.documents()) == []
        assert components(pairs) == []
        assert pairs.compared == 0


@pytest.mark.parametrize("jobs", [1, 2])
def test_documents_that_share_nothing_are_no_pair(chosen: Settings, jobs: int) -> None:
    assert len(answer(["wide steppe", "blue sky", "cold river"], chosen, jobs)) == 0


@pytest.mark.parametrize("jobs", [1, 2])
def test_copies_are_found_by_every_way(chosen: Settings, jobs: int) -> None:
    text = "wolves hunted grazing horses near frozen rivers beyond northern mountains"
    texts = ["something else entirely", text, "", text, text.upper()]
    size = build_sets([text], chosen).sizes[0]
    found = dict.fromkeys([(1, 3), (1, 4), (3, 4)], (size, size, size))
    assert listed(answer(texts, chosen, jobs)) == found
    across = dict.fromkeys([(1, 3), (1, 4)], (size, size, size))
    assert listed(answer(texts, chosen, jobs, [0, 0, 0, 1, 1])) == across


@pytest.mark.parametrize("method", ["exact", "lsh"])
def test_ten_thousand_copies_are_one_group_and_not_fifty_million_pairs(method: Method) -> None:
    texts = ["wolves hunted grazing horses near frozen rivers"] * 10_000
    pairs = answer(texts, Settings(method=method), 2)
    assert len(pairs) == 49_995_000
    assert len(pairs.left) == 0 and len(pairs.copies) == 1
    assert [pair[:2] for pair in islice(pairs.documents(), 3)] == [(0, 1), (0, 2), (0, 3)]
    [cluster] = components(pairs)
    assert cluster.members == tuple(range(10_000)) and cluster.weakest == 1.0


@pytest.mark.parametrize("method", ["exact", "lsh"])
def test_ten_thousand_copies_on_two_sides_are_one_pair_of_groups(method: Method) -> None:
    texts = ["wolves hunted grazing horses near frozen rivers"] * 10_000
    pairs = answer(texts, Settings(method=method), 1, [0] * 4000 + [1] * 6000)
    assert len(pairs) == 24_000_000
    assert len(pairs.left) == 1 and len(pairs.copies) == 2
    [cluster] = components(pairs)
    assert len(cluster.members) == 10_000


def test_the_method_is_told_in_a_sentence() -> None:
    assert "every pair" in describe(Settings())
    told = describe(Settings(method="lsh", threshold=0.8))
    assert "26 bands of 8 rows" in told and "99." in told and "verified" in told
    assert "2 of which must agree" in describe(Settings.mega_shingles(threshold=0.9))
    for chosen in WAYS.values():
        assert answer(["wide steppe", "wide steppe"], chosen, 1).method
