"""Blocks held against blocks: both forms, and what counts."""

from __future__ import annotations

from types import ModuleType

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from likewise.kernels import _blocks as compiled
from likewise.kernels import blocks as readable
from likewise.kernels.blocks import NOBODY, BlockWeights, QueryKeys, WordConcepts
from tests.kernels.strategies import assert_equal, repeatable

FORMS = pytest.mark.parametrize("form", [readable, compiled], ids=["numpy", "compiled"])
PART_BITS = 4
# Words 1 to 6 have concepts, of which words may share some; the others have none.
LEXICON = WordConcepts(
    np.array([0, 0, 1, 3, 4, 6, 7, 9], dtype=np.int32),
    np.array([1, 1, 2, 3, 3, 4, 7, 7, 8], dtype=np.int32),
    7,
)


def weights_of(dice: np.random.Generator, blocks: int, width: int) -> BlockWeights:
    return BlockWeights(*dice.integers(0, 90, (3, blocks, width)).astype(np.int32))


def rows_of(dice: np.random.Generator, count: int, width: int) -> np.ndarray:
    """Distinct words, and zeros behind them."""
    rows = np.zeros((count, width), dtype=np.uint32)
    for row in rows:
        words = dice.permutation(np.arange(1, 2 * width + 4))[: int(dice.integers(0, width + 1))]
        row[: len(words)] = words
    return rows


@repeatable(200)
@given(st.integers(0, 2**32), st.integers(1, 4), st.integers(1, 64), st.integers(0, 60))
def test_both_forms_choose_the_same_documents(
    seed: int, blocks: int, width: int, postings: int
) -> None:
    dice = np.random.default_rng(seed)
    count = int(dice.integers(1, 30))
    first, second = dice.integers(0, width, (2, count)).astype(np.uint8)
    keys = QueryKeys(dice.integers(0, blocks, count).astype(np.int32), first, second)
    asked = dice.integers(0, count, postings)
    holder = dice.integers(0, 12 << PART_BITS, postings)
    most = [int(n) for n in dice.integers(1, 5, 2)]
    chosen = [
        form.best_documents(
            asked,
            holder,
            keys,
            weights_of(np.random.default_rng(seed), blocks, width),
            PART_BITS,
            *most,
        )
        for form in (readable, compiled)
    ]
    assert_equal(*chosen)
    for row in chosen[0]:
        for documents in (row[: most[0]], row[most[0] :]):
            there = documents[documents != NOBODY].tolist()
            assert len(set(there)) == len(there)


@repeatable(200)
@given(st.integers(0, 2**32), st.integers(0, 4), st.integers(1, 64), st.integers(0, 5))
def test_both_forms_score_documents_alike(
    seed: int, blocks: int, width: int, documents: int
) -> None:
    dice = np.random.default_rng(seed)
    asking = rows_of(dice, blocks, width)
    first_row = np.cumsum([0, *dice.integers(0, 4, documents)])
    rows = rows_of(dice, int(first_row[-1]), int(dice.integers(1, 20)))
    candidates = dice.integers(NOBODY, documents, (blocks, 3))
    arguments = (asking, weights_of(dice, blocks, width), candidates, rows, first_row, LEXICON)
    for one, other in zip(
        readable.score_documents(*arguments), compiled.score_documents(*arguments), strict=True
    ):
        assert_equal(one, other)


def ones(*shape: int) -> BlockWeights:
    word, concept, meaning = (np.full(shape, weight, np.int32) for weight in (100, 10, 1))
    return BlockWeights(word, concept, meaning)


@FORMS
def test_words_count_more_than_their_concepts(form: ModuleType) -> None:
    block = np.array([[1, 3, 9, 6]], dtype=np.uint32)
    # Two documents: one has a word itself, what shares a concept with another, and a number; the
    # other has these in blocks that do not follow each other.
    rows = np.array([[1, 4, 9], [2, 0, 0], [0, 0, 0], [9, 0, 0]], dtype=np.uint32)
    first_row = np.array([0, 1, 4])
    by_words, by_meaning = form.score_documents(
        block, ones(1, 4), np.array([[0, 1, NOBODY]]), rows, first_row, LEXICON
    )
    assert by_words.tolist() == [[210, 100, 0]]
    assert by_meaning.tolist() == [[3, 1, 0]]


@FORMS
def test_two_blocks_that_follow_each_other_count_together(form: ModuleType) -> None:
    block = np.array([[1, 9]], dtype=np.uint32)
    rows = np.array([[1, 0], [9, 0]], dtype=np.uint32)
    for first_row, expected in (([0, 2], [200]), ([0, 1, 2], [100, 100])):
        candidates = np.arange(len(first_row) - 1)[None]
        by_words, _ = form.score_documents(
            block, ones(1, 2), candidates, rows, np.array(first_row), LEXICON
        )
        assert by_words[0].tolist() == expected


@FORMS
def test_a_document_is_chosen_by_its_best_block_and_for_its_pairs_once_more(
    form: ModuleType,
) -> None:
    # Keys: word 0 alone, words 0 and 1, word 2 alone.
    keys = QueryKeys(
        np.zeros(3, np.int32), np.array([0, 0, 2], np.uint8), np.array([0, 1, 2], np.uint8)
    )
    five, six, seven = (number << PART_BITS for number in (5, 6, 7))
    asked = np.array([0, 2, 1, 0, 1])
    holder = np.array([five, five, six | 1, six | 2, seven])
    best = form.best_documents(asked, holder, keys, ones(1, 3), PART_BITS, 2, 2)
    assert best.tolist() == [[5, 6, 6, 7]]
    nobody = form.best_documents(asked[:0], holder[:0], keys, ones(1, 3), PART_BITS, 2, 2)
    assert nobody.tolist() == [[NOBODY] * 4]
