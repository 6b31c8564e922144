"""Pairs by meaning, in memory: the same as asking for the likely sources of each text."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from likewise.kernels.blocks import BlockRows, RowPostings, choose_rows, pack_rows
from likewise.language.concept_blocks import concept_blocks
from likewise.search.meaning import (
    MOST_FOLLOWED,
    MOST_HOLDERS,
    MOST_ROWS_OF_COLLECTION,
    indexed_keys,
    measure_gains,
    pairs_by_meaning,
    queried_keys,
    rank_sources,
)

TEXTS = Path(__file__).parents[2] / "bench" / "texts"


def texts(seed: int, count: int) -> list[str]:
    """Paragraphs of our texts in three languages, a few in each document."""
    paths = sorted(TEXTS.glob("reworded/*/sources/*.txt")) + sorted(TEXTS.glob("subjects/*/*.txt"))
    paragraphs = [p for path in paths for p in path.read_text("utf-8").split("\n\n") if p.strip()]
    choice = random.Random(seed)
    few = choice.sample(paragraphs, 16)
    return ["\n\n".join(choice.choices(few, k=choice.randint(0, 4))) for _ in range(count)]


def brute_force(
    all_texts: Sequence[str], query: int, index: set[int], left_out: set[int], limit: int
) -> list[int]:
    """The likely sources of one text among an index, where postings are a dictionary."""
    numbers, rows = [], []
    holders: dict[int, list[int]] = {}
    for document, blocks in enumerate(concept_blocks(all_texts)):
        if document not in index:
            continue
        for block, keys in enumerate(indexed_keys(blocks.ids)):
            for key in keys.tolist():
                holders.setdefault(key, []).append(len(numbers))
            numbers.append(document << 20 | block)
            rows.append(blocks.ids[block])
    if not rows:
        return []
    assert max(map(len, holders.values())) < MOST_HOLDERS
    own = concept_blocks([all_texts[query]], overlap=True)[0]
    postings = [
        (block, row, round(16 * (19 - math.log2(len(holders[key])))))
        for block, keys in enumerate(queried_keys(own.ids).tolist())
        for key in keys
        for row in holders.get(key, [])
    ]
    assert len(postings) < MOST_FOLLOWED * max(len(own), 1)
    columns = np.array(postings, dtype=np.int64).reshape(-1, 3).T
    chosen = choose_rows(
        RowPostings(columns[0].astype(np.int32), columns[1], columns[2].astype(np.int32)),
        [np.array(numbers)],
        20,
        np.array(sorted(left_out), dtype=np.int64),
        len(own),
        MOST_ROWS_OF_COLLECTION,
    )
    there = BlockRows(pack_rows(np.array(rows)), np.array(numbers))
    sources = rank_sources(own, measure_gains(own.ids, chosen, [there]), limit)
    return [source.document for source in sources]


@pytest.mark.parametrize("seed", range(3))
def test_pairs_are_what_each_text_finds_among_the_others(seed: int) -> None:
    all_texts = texts(seed, 14)
    limit = 1 + seed
    everyone = set(range(len(all_texts)))
    expected = {
        (min(i, j), max(i, j))
        for i in everyone
        for j in brute_force(all_texts, i, everyone, {i}, limit)
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
        there = {j for j, other in enumerate(sides) if other != side}
        left_out = {j for j in there if {(i, j), (j, i)} & known}
        expected |= {(min(i, j), max(i, j)) for j in brute_force(all_texts, i, there, left_out, 2)}
    arrays = np.array([a for a, _ in known]), np.array([b for _, b in known])
    assert pairs_by_meaning(all_texts, sides=sides, known=arrays, limit=2) == sorted(expected)


def test_nothing_has_no_pairs() -> None:
    assert pairs_by_meaning([]) == []
    assert pairs_by_meaning(["", "Hush!"]) == []
    assert pairs_by_meaning(texts(1, 2), sides=[0, 0]) == []
