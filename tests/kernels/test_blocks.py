"""Blocks held against blocks: both forms, and what counts."""

from __future__ import annotations

from types import ModuleType

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from likewise.kernels import _blocks as compiled
from likewise.kernels import blocks as readable
from likewise.kernels.blocks import (
    NOBODY,
    BlockRows,
    BlockWeights,
    RowPostings,
    WordRelations,
    pack_rows,
    unpack_rows,
)
from tests.kernels.strategies import assert_equal, repeatable

FORMS = pytest.mark.parametrize("form", [readable, compiled], ids=["numpy", "compiled"])
PART_BITS = 4
# Words 1 to 6 have concepts, of which words may share some; the others have none.
RELATIONS = WordRelations(
    np.array([0, 0, 1, 3, 4, 6, 7, 9], dtype=np.int32),
    np.array([1, 1, 2, 3, 3, 4, 7, 7, 8], dtype=np.int32),
    np.array([0, 0, 2, 3, 5, 6, 6, 6, 8, 9], dtype=np.int32),
    np.array([1, 2, 2, 3, 4, 4, 5, 6, 6], dtype=np.int32),
    7,
)
NOTHING = np.zeros(0, dtype=np.int64)


def weights_of(dice: np.random.Generator, blocks: int, width: int) -> BlockWeights:
    return BlockWeights(*dice.integers(0, 90, (3, blocks, width)).astype(np.int32))


def rows_of(dice: np.random.Generator, count: int, width: int) -> np.ndarray:
    """Distinct words, and zeros behind them; some beyond the lexicon are alike in their bits."""
    rows = np.zeros((count, width), dtype=np.uint32)
    words = np.concatenate((np.arange(1, 2 * width + 4), 9 + 4096 * np.arange(1, 4)))
    for row in rows:
        some = dice.permutation(words)[: int(dice.integers(0, width + 1))]
        row[: len(some)] = some
    return rows


def segments_of(dice: np.random.Generator, width: int) -> list[BlockRows]:
    """Up to three segments of documents with some rows each, among them copies."""
    segments, document = [], 0
    for _ in range(int(dice.integers(1, 4))):
        numbers: list[int] = []
        for _ in range(int(dice.integers(0, 4))):
            document += 1
            parts = int(dice.integers(0, 4))
            numbers += range(document << PART_BITS, (document << PART_BITS) + parts)
        rows = rows_of(dice, len(numbers), width)
        if len(rows) > 2 and dice.integers(0, 2):
            rows[-1] = rows[0]
        segments.append(BlockRows(pack_rows(rows), np.array(numbers, dtype=np.int64)))
    return segments


@repeatable(100)
@given(st.integers(0, 2**32), st.integers(0, 5), st.integers(0, 24))
def test_rows_are_unpacked_as_they_were_packed(seed: int, count: int, pairs: int) -> None:
    ids = np.random.default_rng(seed).integers(0, 1 << 20, (count, 2 * pairs)).astype(np.uint32)
    packed = pack_rows(ids)
    assert packed.shape == (count, 5 * pairs)
    assert_equal(unpack_rows(packed), ids)


@repeatable(200)
@given(st.integers(0, 2**32), st.lists(st.integers(0, 40), max_size=4), st.integers(0, 12))
def test_both_forms_find_the_same_words(seed: int, sizes: list[int], entries: int) -> None:
    dice = np.random.default_rng(seed)
    known = np.unique(dice.integers(1, 2**64, entries + 1, dtype=np.uint64))
    offsets = np.cumsum([0, *sizes])
    words = np.concatenate((known, dice.integers(1, 2**64, 9, dtype=np.uint64)))
    hashes = words[dice.integers(0, len(words), offsets[-1])]
    bits = int(dice.integers(1, 6))
    begins = np.arange(1 << bits, dtype=np.uint64) << np.uint64(64 - bits)
    buckets = np.append(np.searchsorted(known, begins), len(known))
    answers = [form.find_words(hashes, offsets, known, buckets) for form in (readable, compiled)]
    for one, other in zip(*answers, strict=True):
        assert_equal(one, other)
    places, first = answers[0]
    is_known = places >= 0
    assert_equal(known[places[is_known]], hashes[is_known])
    assert not np.isin(hashes[~is_known], known).any()
    # A word that is no entry points to the first such word of its text.
    heads = first[-1 - places[~is_known]]
    assert_equal(hashes[heads], hashes[~is_known])
    text_of = np.repeat(np.arange(len(sizes)), sizes)
    assert_equal(text_of[heads], text_of[~is_known])
    assert (heads <= np.flatnonzero(~is_known)).all()


@repeatable(200)
@given(st.integers(0, 2**32), st.integers(0, 60), st.integers(0, 5), st.integers(0, 12))
def test_both_forms_rank_words_alike(seed: int, words: int, blocks: int, most: int) -> None:
    dice = np.random.default_rng(seed)
    sizes = np.append(0, dice.integers(1, 4, 12))
    first = np.append(0, np.cumsum(sizes)).astype(np.int32)
    concepts = dice.integers(1, 9, first[-1]).astype(np.int32)
    # A word tells the same wherever it stands.
    telling_of = dice.integers(0, 6, 30)
    ids = dice.integers(1, 30, words)
    spans = np.sort(dice.integers(0, words + 1, (blocks, 2)), axis=1)
    begins, ends = np.ascontiguousarray(spans[:, 0]), np.ascontiguousarray(spans[:, 1])
    arguments = (ids, telling_of[ids], begins, ends, first, concepts, most)
    rows, others = (form.rank_words(*arguments) for form in (readable, compiled))
    assert_equal(rows, others)
    for row, begin, end in zip(rows, begins.tolist(), ends.tolist(), strict=True):
        there = row[row > 0].tolist()
        assert set(there) <= set(ids[begin:end].tolist())
        assert len(there) == min(len(set(ids[begin:end].tolist())), most)


@repeatable(200)
@given(
    *(st.integers(0, 2**32), st.integers(0, 4), st.integers(0, 6), st.integers(0, 8)),
    *(st.integers(0, 6), st.booleans()),
)
def test_both_forms_make_the_same_keys(
    seed: int, blocks: int, words: int, rare: int, ambiguous: int, distinct: bool
) -> None:
    dice = np.random.default_rng(seed)
    ids = rows_of(dice, blocks, words + int(dice.integers(0, 5)))
    senses = dice.integers(1, 7, (12, 2)).astype(np.uint32)
    senses[dice.integers(0, 12, 5), 1] = 0
    senses[0] = 0
    is_rare = dice.integers(0, 2, 1 << 20).astype(bool)
    arguments = (ids, senses, is_rare, words, rare, min(ambiguous, words), distinct)
    keys, others = (form.block_keys(*arguments) for form in (readable, compiled))
    assert_equal(keys, others)
    for row in keys:
        there = row[row > 0]
        assert not distinct or len(set(there.tolist())) == len(there)


@repeatable(200)
@given(st.integers(0, 2**32), st.integers(1, 4), st.integers(0, 300), st.integers(0, 9))
def test_both_forms_choose_the_same_rows(seed: int, blocks: int, postings: int, most: int) -> None:
    dice = np.random.default_rng(seed)
    numbers = [np.arange(40) << PART_BITS - 1, np.arange(90, 110) << PART_BITS]
    found = RowPostings(
        dice.integers(0, blocks, postings).astype(np.int32),
        dice.integers(0, 60, postings),
        dice.integers(0, 10 ** int(dice.integers(1, 6)), postings).astype(np.int32),
    )
    left_out = np.unique(dice.integers(0, 100, int(dice.integers(0, 5))))
    chosen = [
        form.choose_rows(found, numbers, PART_BITS, left_out, blocks, most)
        for form in (readable, compiled)
    ]
    assert_equal(*chosen)
    documents = np.concatenate(numbers) >> PART_BITS
    for row in chosen[0]:
        there = row[row != NOBODY]
        assert (np.diff(there) > 0).all()
        assert not np.isin(documents[there], left_out).any()


@repeatable(300)
@given(st.integers(0, 2**32), st.integers(0, 4), st.integers(1, 64), st.integers(1, 4))
def test_both_forms_find_the_same_documents(seed: int, blocks: int, width: int, most: int) -> None:
    dice = np.random.default_rng(seed)
    asking = rows_of(dice, blocks, width)
    segments = segments_of(dice, 2 * int(dice.integers(1, 10)))
    total = sum(len(segment.numbers) for segment in segments)
    columns = int(dice.integers(1, 12))
    chosen = np.full((blocks, columns), NOBODY)
    for row in chosen:
        some = dice.permutation(total)[: int(dice.integers(0, columns + 1))]
        row[: len(some)] = np.sort(some)
    weights = weights_of(dice, blocks, width)
    arguments = (asking, weights, chosen, segments, RELATIONS, PART_BITS, most)
    for one, other in zip(
        readable.best_documents(*arguments), compiled.best_documents(*arguments), strict=True
    ):
        assert_equal(one, other)


def ones(*shape: int) -> BlockWeights:
    word, concept, meaning = (np.full(shape, weight, np.int32) for weight in (100, 10, 1))
    return BlockWeights(word, concept, meaning)


def found(form: ModuleType, block: list[int], rows: list[list[int]], numbers: list[int]) -> object:
    """The documents found for a block that looks at all rows of one segment."""
    width = max(map(len, rows)) + max(map(len, rows)) % 2
    ids = np.zeros((len(rows), width), dtype=np.uint32)
    for k, row in enumerate(rows):
        ids[k, : len(row)] = row
    documents, by_words, by_meaning = form.best_documents(
        np.array([block], dtype=np.uint32),
        ones(1, len(block)),
        np.arange(len(rows))[None],
        [BlockRows(pack_rows(ids), np.array(numbers, dtype=np.int64))],
        RELATIONS,
        PART_BITS,
        3,
    )
    return {
        int(document): (int(words), int(meaning))
        for document, words, meaning in zip(documents[0], by_words[0], by_meaning[0], strict=True)
        if document != NOBODY
    }


@FORMS
def test_words_count_more_than_their_concepts(form: ModuleType) -> None:
    # One document has a word itself, what shares a concept with another, and a number; the other
    # has these in blocks that do not follow each other.
    rows = [[1, 4, 9], [2], [], [9]]
    assert found(form, [1, 3, 9, 6], rows, [16, 32, 33, 34]) == {1: (210, 3), 2: (100, 1)}


@FORMS
def test_two_blocks_that_follow_each_other_count_together(form: ModuleType) -> None:
    assert found(form, [1, 9], [[1], [9]], [16, 17]) == {1: (200, 2)}
    assert found(form, [1, 9], [[1], [9]], [16, 32]) == {1: (100, 1), 2: (100, 1)}


@FORMS
def test_of_copies_the_first_document_is_found(form: ModuleType) -> None:
    rows = [[1, 9], [1, 9], [9]]
    assert found(form, [1, 9], rows, [48, 16, 32]) == {1: (200, 2), 2: (100, 1)}


@FORMS
def test_the_rarest_keys_choose_a_row_and_whoever_is_left_out_is_not_chosen(
    form: ModuleType,
) -> None:
    postings = RowPostings(
        np.zeros(5, np.int32),
        np.array([0, 1, 1, 2, 3]),
        np.array([9, 5, 5, 9, 1], dtype=np.int32),
    )
    numbers = [np.array([16, 17, 32]), np.array([48])]
    for left_out, most, rows in (([], 2, [0, 1]), ([1], 2, [2, 3]), ([], 4, [0, 1, 2, 3])):
        chosen = form.choose_rows(
            postings, numbers, PART_BITS, np.array(left_out, dtype=np.int64), 1, most
        )
        assert chosen.tolist() == [rows]
    nothing = RowPostings(postings.block[:0], postings.row[:0], postings.gain[:0])
    nobody = form.choose_rows(nothing, numbers, PART_BITS, NOTHING, 1, 2)
    assert nobody.tolist() == [[NOBODY] * 2]
