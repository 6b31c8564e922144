"""Pairs by meaning, in memory: the same as asking for the likely sources of each text."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest

from likewise.language.concept_blocks import Ids, concept_blocks
from likewise.search.meaning import (
    MOST_HOLDERS,
    find_candidates,
    indexed_keys,
    likely_sources,
    pairs_by_meaning,
    rank_sources,
)
from likewise.search.postings import Hashes, Numbers

TEXTS = Path(__file__).parents[2] / "bench" / "texts"


def texts(seed: int, count: int) -> list[str]:
    """Paragraphs of our texts in three languages, a few in each document."""
    paths = sorted(TEXTS.glob("reworded/*/sources/*.txt")) + sorted(TEXTS.glob("subjects/*/*.txt"))
    paragraphs = [p for path in paths for p in path.read_text("utf-8").split("\n\n") if p.strip()]
    choice = random.Random(seed)
    few = choice.sample(paragraphs, 16)
    return ["\n\n".join(choice.choices(few, k=choice.randint(0, 4))) for _ in range(count)]


def brute_force(all_texts: Sequence[str], query: int, among: set[int], limit: int) -> list[int]:
    """The likely sources of one text, where postings are a dictionary."""
    blocks = {i: each.ids for i, each in enumerate(concept_blocks(all_texts))}
    holders: dict[int, list[int]] = {}
    for document, ids in blocks.items():
        for block, keys in enumerate(indexed_keys(ids)):
            for key in keys.tolist():
                holders.setdefault(key, []).append(document << 20 | block)

    def look_up(keys: Hashes, most: int) -> tuple[Numbers, Numbers]:
        postings = [
            (place, holder)
            for place, key in enumerate(keys.tolist())
            for holder in holders.get(key, [])
            if holder >> 20 in among
        ]
        assert len(postings) < most and max(map(len, holders.values())) < MOST_HOLDERS
        columns = np.array(postings, dtype=np.int64).reshape(-1, 2)
        return columns[:, 0], columns[:, 1]

    def blocks_of(numbers: Sequence[int]) -> Mapping[int, Ids]:
        return {number: blocks[number] for number in numbers}

    own = concept_blocks([all_texts[query]], overlap=True)[0]
    sources = likely_sources(own, look_up, blocks_of, limit)
    candidates = find_candidates(own.ids, look_up)
    assert rank_sources(own, candidates, blocks_of, limit) == sources
    return [source.document for source in sources]


@pytest.mark.parametrize("seed", range(3))
def test_pairs_are_what_each_text_finds_among_the_others(seed: int) -> None:
    all_texts = texts(seed, 14)
    limit = 1 + seed
    everyone = set(range(len(all_texts)))
    expected = {
        (min(i, j), max(i, j))
        for i in everyone
        for j in brute_force(all_texts, i, everyone - {i}, limit)
    }
    assert pairs_by_meaning(all_texts, limit=limit) == sorted(expected)
    assert expected


@pytest.mark.parametrize("seed", range(3))
def test_across_two_sides_each_asks_the_other_one(seed: int) -> None:
    all_texts = texts(seed + 10, 14)
    sides = [random.Random(seed + i).randint(0, 1) for i in range(len(all_texts))]
    known = {(0, 1), (2, 5)}
    expected = set()
    for i, side in enumerate(sides):
        among = {
            j for j, other in enumerate(sides) if other != side and not {(i, j), (j, i)} & known
        }
        expected |= {(min(i, j), max(i, j)) for j in brute_force(all_texts, i, among, 2)}
    arrays = np.array([a for a, _ in known]), np.array([b for _, b in known])
    assert pairs_by_meaning(all_texts, sides=sides, known=arrays, limit=2) == sorted(expected)


def test_nothing_has_no_pairs() -> None:
    assert pairs_by_meaning([]) == []
    assert pairs_by_meaning(["", "Hush!"]) == []
    assert pairs_by_meaning(texts(1, 2), sides=[0, 0]) == []
