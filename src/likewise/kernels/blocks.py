"""Blocks of words held against blocks of words: the readable form of `_blocks.pyx`.

A block is a row of distinct words, each a number, and zeros behind them. What two blocks have in
common is told as bits, one for each word of the block that asks: so it has at most 64 words.
"""

from __future__ import annotations

from collections import defaultdict
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int64]
Words = NDArray[np.uint32]
Weights = NDArray[np.int32]
NOBODY = -1  # instead of a document


class QueryKeys(NamedTuple):
    """Keys that were looked up: of which block each is, and of which two of its words, or one."""

    block: NDArray[np.int32]
    first: NDArray[np.uint8]
    second: NDArray[np.uint8]


class BlockWeights(NamedTuple):
    """What it counts, for each word of each block, that another block has it."""

    word: Weights  # the very word
    concept: Weights  # a concept of it, where words count
    meaning: Weights  # either, where nothing but concepts counts


class WordConcepts(NamedTuple):
    """The concepts of words: those of word k are `concepts[first[k] : first[k + 1]]`.

    Words from `beyond` on have none.
    """

    first: NDArray[np.int32]
    concepts: NDArray[np.int32]
    beyond: int


def best_documents(
    asked: Numbers,
    holder: Numbers,
    keys: QueryKeys,
    weights: BlockWeights,
    part_bits: int,
    most_by_words: int,
    most_by_meaning: int,
) -> Numbers:
    """For each block the documents of which a block has most in common with it, best first: so many
    by words and concepts, then so many by pairs of concepts alone.

    `holder[i]`, a document's number and that of its block in `part_bits`, has key `asked[i]`.
    There is `NOBODY` behind the last document of both; of equals the lower number comes first.
    """
    blocks = len(weights.word)
    shared: list[dict[int, tuple[int, int]]] = [{} for _ in range(blocks)]
    for key, there in zip(asked.tolist(), holder.tolist(), strict=True):
        block, one, other = (int(column[key]) for column in keys)
        by_word, by_concept = shared[block].get(there, (0, 0))
        if one == other:
            by_word |= 1 << one
        else:
            by_concept |= 1 << one | 1 << other
        shared[block][there] = by_word, by_concept
    best = np.full((blocks, most_by_words + most_by_meaning), NOBODY, dtype=np.int64)
    for block, of_block in enumerate(shared):
        by_words: dict[int, int] = {}
        by_meaning: dict[int, int] = {}
        for there, (by_word, by_concept) in of_block.items():
            document = there >> part_bits
            score = _sum(weights.word[block], by_word)
            score += _sum(weights.concept[block], by_concept & ~by_word)
            by_words[document] = max(by_words.get(document, 0), score)
            if by_concept:
                score = _sum(weights.meaning[block], by_concept)
                by_meaning[document] = max(by_meaning.get(document, 0), score)
        for first, most, scores in (
            (0, most_by_words, by_words),
            (most_by_words, most_by_meaning, by_meaning),
        ):
            ranked = sorted((-score, number) for number, score in scores.items())[:most]
            best[block, first : first + len(ranked)] = [number for _, number in ranked]
    return best


def score_documents(
    blocks: Words,
    weights: BlockWeights,
    candidates: Numbers,
    rows: Words,
    first_row: Numbers,
    lexicon: WordConcepts,
) -> tuple[Weights, Weights]:
    """How much each candidate of each block has in common with it: by words, and by meaning alone.

    A candidate is a document's place k; its blocks are `rows[first_row[k] : first_row[k + 1]]`, and
    `NOBODY` has none. What stands in one block there, or in two that follow each other, counts.
    """
    by_words = np.zeros(candidates.shape, dtype=np.int32)
    by_meaning = np.zeros(candidates.shape, dtype=np.int32)
    for block, words in enumerate(blocks.tolist()):
        places: dict[int, int] = {}
        holders: dict[int, int] = defaultdict(int)  # of a concept: the words that may mean it
        for place, word in enumerate(words):
            if word:
                places[word] = 1 << place
                for concept in _concepts_of(word, lexicon):
                    holders[concept] |= 1 << place
        for column, document in enumerate(candidates[block].tolist()):
            if document == NOBODY:
                continue
            before = 0, 0
            for row in rows[first_row[document] : first_row[document + 1]].tolist():
                here = _in_common(row, places, holders, lexicon)
                same, alike = here[0] | before[0], here[1] | before[1]
                score = _sum(weights.word[block], same)
                score += _sum(weights.concept[block], alike & ~same)
                by_words[block, column] = max(by_words[block, column], score)
                score = _sum(weights.meaning[block], alike | same)
                by_meaning[block, column] = max(by_meaning[block, column], score)
                before = here
    return by_words, by_meaning


def _in_common(
    row: list[int], places: dict[int, int], holders: dict[int, int], lexicon: WordConcepts
) -> tuple[int, int]:
    """The words that stand in a row, and those that a concept has in common with one of it."""
    same = alike = 0
    for word in row:
        if word:
            same |= places.get(word, 0)
            for concept in _concepts_of(word, lexicon):
                alike |= holders.get(concept, 0)
    return same, alike


def _concepts_of(word: int, lexicon: WordConcepts) -> list[int]:
    if word >= lexicon.beyond:
        return []
    concepts: list[int] = lexicon.concepts[lexicon.first[word] : lexicon.first[word + 1]].tolist()
    return concepts


def _sum(weights: Weights, bits: int) -> int:
    return sum(int(weight) for place, weight in enumerate(weights.tolist()) if bits >> place & 1)
