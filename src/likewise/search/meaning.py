"""The likely sources of a text that was rewritten or translated, found by its blocks of words.

Blocks of the text that share two telling concepts or a word that is not frequent with a block of a
document are held against it with all their words, those first that share most of what is rare in
the collection. What counts is how rare the words are that both have, or whose concepts both have,
in one block there or in two that follow each other, and by how much more that is than what the next
documents have: a subject is in common with many, a source with one. Words tell more within a
language, concepts alone across languages: a document is as good as the better of the two says.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from likewise.kernels import best_documents, choose_rows
from likewise.kernels.blocks import (
    NOBODY,
    BlockRows,
    BlockWeights,
    RowPostings,
    WordRelations,
    pack_rows,
)
from likewise.language.concept_blocks import (
    INDEXED_RARE_WORDS,
    INDEXED_WORDS,
    QUERIED_AMBIGUOUS_WORDS,
    QUERIED_RARE_WORDS,
    QUERIED_WORDS,
    ConceptBlocks,
    Ids,
    block_keys,
    concept_bits,
    concept_blocks,
    word_bits,
    word_table,
)
from likewise.search.postings import (
    MOST_DOCUMENTS,
    Flags,
    Hashes,
    Numbers,
    Segment,
    follow,
    segment_of,
)

MOST_HOLDERS = 2_000  # blocks that hold a key; one of more is not followed
MOST_FOLLOWED = 1_000  # postings for each block of a text
MOST_ROWS = 192  # blocks that a block of a text is held against
MOST_ROWS_OF_COLLECTION = 48  # and where every text of a collection asks
MOST_SOURCES = 10  # that each text of a collection asks for
_TEXTS_AT_ONCE = 256
_BLOCKS_AT_ONCE = 32
_BEST = 8  # documents by words, and as many by meaning, that are remembered for a block
PART_BITS = 20  # of a block's number in an index: which of its document it is
# Of a block that was made from another, so many words stand there too, or have a concept there.
_SAME_WORDS, _ALIKE_WORDS, _ALIKE_MEANING = 0.5, 0.3, 0.6
_RIVALS = 2  # documents that may have as much in common as the source, such as its versions
_MEANING = 2  # chance makes half the differences by meaning alone
_UNITS = 16  # of a bit
_RAREST_KEY = 19  # bits that a key tells which a single block holds
_MOST_TOLD = 1 << 16  # blocks: keys of more tell as little as one of so many
_OFTEN = 0.5  # bits that a word tells less for each doubling of the blocks of the text it stands in
_LEAST_BITS = 0.01
_FEW_BLOCKS = 4  # of a text, in which its source may well be seen
_MANY_BLOCKS = 5  # bits that a document tells less for each doubling of those it is seen in


@dataclass(frozen=True, slots=True)
class LikelySource:
    """A document, how much more it has in common with some block than others, and where that is."""

    document: int
    score: float  # bits
    start: int
    end: int


def likely_sources(
    blocks: ConceptBlocks,
    segments: Sequence[Segment],
    limit: int,
    *,
    removed: Sequence[Flags | None] | None = None,
    without: Numbers | None = None,
    most_rows: int | None = None,
) -> list[LikelySource]:
    """The documents that may be sources of a text, in blocks that overlap; the likeliest first.

    Segments are of blocks with their rows. Blocks that are `removed`, by their places in each
    segment, are not even counted; documents in `without`, ascending, are not looked at.
    """
    rows = [BlockRows(_rows_of(segment), segment.documents) for segment in segments]
    most = MOST_ROWS if most_rows is None else most_rows
    chosen = find_rows(blocks.ids, segments, most, removed=removed, without=without)
    return rank_sources(blocks, measure_gains(blocks.ids, chosen, rows), limit)


def _rows_of(segment: Segment) -> NDArray[np.uint8]:
    assert segment.rows is not None  # as every index of blocks has
    return segment.rows


def find_rows(
    ids: Ids,
    segments: Sequence[Segment],
    most: int,
    *,
    removed: Sequence[Flags | None] | None = None,
    without: Numbers | None = None,
) -> Numbers:
    """For each block of a text the rows it is held against, `NOBODY` behind them."""
    chosen = [np.zeros((0, most), np.int64)]
    left_out = np.zeros(0, np.int64) if without is None else without
    numbers = [segment.documents for segment in segments]
    for start in range(0, len(ids), _BLOCKS_AT_ONCE):
        keys = queried_keys(ids[start : start + _BLOCKS_AT_ONCE])
        blocks, columns = np.nonzero(keys)
        followed = follow(
            segments,
            keys[blocks, columns],
            removed=removed,
            few=MOST_HOLDERS,
            most=MOST_FOLLOWED * len(keys),
        )
        postings = RowPostings(
            blocks[followed.asked].astype(np.int32),
            followed.number,
            _key_gains()[np.minimum(followed.holders, _MOST_TOLD)],
        )
        chosen.append(choose_rows(postings, numbers, PART_BITS, left_out, len(keys), most))
    return np.concatenate(chosen)


def queried_keys(ids: Ids) -> Hashes:
    """The keys by which each block asks; 0 where there is none."""
    return block_keys(ids, QUERIED_WORDS, QUERIED_RARE_WORDS, QUERIED_AMBIGUOUS_WORDS)


@cache
def _key_gains() -> NDArray[np.int32]:
    """What it counts that a block has a key, by the number of blocks that have it."""
    bits = (_RAREST_KEY - math.log2(max(holders, 1)) for holders in range(_MOST_TOLD + 1))
    return np.array([round(_UNITS * each) for each in bits], dtype=np.int32)


def _weigh_blocks(ids: Ids) -> BlockWeights:
    """What each word of the blocks of a text says for a source that has it.

    A word that stands in many blocks of the text is its subject, and tells little of a source.
    """
    distinct, place, blocks = np.unique(ids, return_inverse=True, return_counts=True)
    # A word stands in two blocks that overlap.
    often = _OFTEN * np.log2(np.maximum(blocks / 2, 1))
    often = np.where(distinct > 0, often, 0)[place.reshape(ids.shape)]
    in_words, in_concepts = (
        np.where(ids > 0, np.maximum(bits - often, _LEAST_BITS), 0)
        for bits in (word_bits(ids), concept_bits(ids))
    )
    return BlockWeights(
        _evidence(in_words, _SAME_WORDS),
        _evidence(in_concepts, _ALIKE_WORDS),
        _evidence(in_concepts, _ALIKE_MEANING),
    )


def _evidence(bits: NDArray[np.float64], expected: float) -> NDArray[np.int32]:
    """What it says for a source that it has a word, rather than not, of which so many are expected:
    the logarithm of how much likelier that is than in any other block.
    """
    others = 2.0**-bits
    odds = expected * (1 - others) / ((1 - expected) * others)
    evidence = np.where(bits > 0, np.rint(_UNITS * np.log2(np.maximum(odds, 1))), 0)
    return np.ascontiguousarray(evidence, dtype=np.int32)


@dataclass(frozen=True, slots=True, eq=False)
class Gains:
    """For each block some documents, and by how much each has more in common than its rivals."""

    documents: Numbers
    gains: Numbers


def measure_gains(ids: Ids, chosen: Numbers, rows: Sequence[BlockRows]) -> Gains:
    """Hold the blocks of a text against the rows that were chosen for each."""
    weights = _weigh_blocks(ids)
    documents, by_words, by_meaning = best_documents(
        np.ascontiguousarray(ids), weights, chosen, rows, _word_relations(), PART_BITS, _BEST
    )
    gains = np.maximum(
        _beyond_rivals(by_words, np.maximum(weights.word, weights.concept)),
        _MEANING * _beyond_rivals(by_meaning, weights.meaning),
    )
    return Gains(documents, gains)


def _beyond_rivals(scores: NDArray[np.int32], weights: NDArray[np.int32]) -> Numbers:
    """What a document has in common with a block beyond what the next ones have.

    Whoever has more than half of all that a block says has no rivals: there may be many versions
    of a source.
    """
    rival = np.sort(scores, axis=1)[:, -_RIVALS - 1]
    most = weights.sum(axis=1) // 2
    beyond: Numbers = scores - np.minimum(rival, most)[:, None].astype(np.int64)
    return beyond


def rank_sources(blocks: ConceptBlocks, gains: Gains, limit: int) -> list[LikelySource]:
    """The likely sources by what each block of a text says; the likeliest first.

    A document is as good as the best block says; but one that is seen in many has been tried as
    many times, and the best of many trials is good by chance.
    """
    places, column = np.nonzero(gains.documents != NOBODY)
    numbers, scores = gains.documents[places, column], gains.gains[places, column]
    # Of each document the best block, the first of equals; then the best documents.
    order = np.lexsort((places, -scores, numbers))
    first = np.flatnonzero(np.diff(numbers[order], prepend=NOBODY))
    seen = np.diff(first, append=len(order))
    order = order[first]
    trials = np.maximum(seen - _FEW_BLOCKS, 0) / 2 + 1
    likelihoods = scores[order] - np.rint(_UNITS * _MANY_BLOCKS * np.log2(trials)).astype(np.int64)
    is_likely = scores[order] > 0
    order, likelihoods = order[is_likely], likelihoods[is_likely]
    ranked = np.lexsort((numbers[order], -likelihoods))[:limit]
    return [
        LikelySource(number, score / _UNITS, int(blocks.start[place]), int(blocks.end[place]))
        for number, score, place in zip(
            *(numbers[order[ranked]].tolist(), likelihoods[ranked].tolist()),
            places[order[ranked]].tolist(),
            strict=True,
        )
    ]


@cache
def _word_relations() -> WordRelations:
    table = word_table()
    words = len(table.first) - 1
    word = np.repeat(np.arange(words, dtype=np.int32), np.diff(table.first))
    order = np.lexsort((word, table.concepts))
    concepts = int(table.concepts.max(initial=0)) + 1
    first_word = np.searchsorted(table.concepts[order], np.arange(concepts + 1))
    return WordRelations(
        table.first, table.concepts, first_word.astype(np.int32), word[order], words
    )


def indexed_keys(ids: Ids) -> list[Hashes]:
    """The keys of each block that an index holds, distinct ones."""
    keys = block_keys(ids, INDEXED_WORDS, INDEXED_RARE_WORDS, distinct=True)
    there = keys > 0
    ends = np.cumsum(there.sum(axis=1)).tolist()
    flat = keys[there]
    return [flat[a:b] for a, b in pairwise([0, *ends])]


class ConceptIndex:
    """Texts in memory, in which other texts or these themselves find their likely sources.

    >>> texts = ["A wolf ate seven young goats of a poor shepherd near the mill. " * 4,
    ...          "The bank raised interest rates twice, and inflation fell in autumn. " * 4]
    >>> index = ConceptIndex(texts)
    >>> text = "Near the mill, the wolf ate a shepherd's goats. " * 5
    >>> [source.document for source in index.sources_of(*concept_blocks([text], overlap=True))]
    [0]
    """

    def __init__(self, texts: Sequence[str]) -> None:
        numbers: list[int] = []
        ids: list[Ids] = []
        for document, blocks in enumerate(concept_blocks(texts)):
            numbers += range(document << PART_BITS, (document << PART_BITS) + len(blocks))
            ids.append(blocks.ids)
        self._segments = []
        if numbers:
            all_ids = np.concatenate(ids)
            for k in range(0, len(numbers), MOST_DOCUMENTS):
                here = all_ids[k : k + MOST_DOCUMENTS]
                segment = segment_of(
                    numbers[k : k + MOST_DOCUMENTS], indexed_keys(here), pack_rows(here)
                )
                self._segments.append(segment)

    def sources_of(
        self, blocks: ConceptBlocks, limit: int = MOST_SOURCES, *, without: Numbers | None = None
    ) -> list[LikelySource]:
        """The likely sources of a text in blocks that overlap, among all but some of the texts."""
        left_out = None if without is None else np.unique(without)
        return likely_sources(
            blocks, self._segments, limit, without=left_out, most_rows=MOST_ROWS_OF_COLLECTION
        )


def pairs_by_meaning(
    texts: Sequence[str],
    *,
    sides: Sequence[int] | None = None,
    known: tuple[Numbers, Numbers] | None = None,
    limit: int = MOST_SOURCES,
    progress: Callable[[int], None] | None = None,
) -> list[tuple[int, int]]:
    """Texts of which one may be the source of the other, by their numbers, in ascending order.

    Each asks for its likeliest sources among the others, or among those of the other side. Pairs
    that are `known`, two arrays of numbers, are left out, and leave their places to others.
    """
    is_across = sides is not None
    side_of = np.zeros(len(texts), dtype=np.int64) if sides is None else np.asarray(sides)
    members = [np.flatnonzero(side_of == side) for side in range(2 if is_across else 1)]
    number_in_index = np.zeros(len(texts), dtype=np.int64)
    for numbers in members:
        number_in_index[numbers] = np.arange(len(numbers))
    indexes = [ConceptIndex([texts[i] for i in numbers.tolist()]) for numbers in members]
    known_to = _partners(known, len(texts))
    pairs: set[tuple[int, int]] = set()
    for start in range(0, len(texts), _TEXTS_AT_ONCE):
        queries = concept_blocks(texts[start : start + _TEXTS_AT_ONCE], overlap=True)
        for i, blocks in enumerate(queries, start):
            there = 1 - int(side_of[i]) if is_across else 0
            without = known_to(i) if is_across else np.append(known_to(i), i)
            sources = indexes[there].sources_of(blocks, limit, without=number_in_index[without])
            for source in sources:
                j = int(members[there][source.document])
                pairs.add((min(i, j), max(i, j)))
        if progress:
            progress(start + len(queries))
    return sorted(pairs)


def _partners(known: tuple[Numbers, Numbers] | None, texts: int) -> Callable[[int], Numbers]:
    """With which others a text makes a known pair."""
    left, right = known if known is not None else (np.zeros(0, np.int64), np.zeros(0, np.int64))
    one, other = np.concatenate((left, right)), np.concatenate((right, left))
    order = np.argsort(one, kind="stable")
    first = np.searchsorted(one[order], np.arange(texts + 1))
    partners = other[order].astype(np.int64)
    return lambda text: partners[first[text] : first[text + 1]]
