"""The likely sources of a text that was rewritten or translated, found by its blocks of words.

Blocks of the text that share two telling concepts or a rare word with a block of a document bring
that document; the best of these are then held against the block with all their words. What counts
is how rare the words are that both have, or whose concepts both have, in one block there or in two
that follow each other, and by how much more that is than what the next documents have: a subject
is in common with many, a source with one. Words tell more within a language, concepts alone across
languages: a document is as good as the better of the two says.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from likewise.kernels import best_documents, score_documents
from likewise.kernels.blocks import NOBODY, BlockWeights, QueryKeys, WordConcepts
from likewise.language.concept_blocks import (
    INDEXED_RARE_WORDS,
    INDEXED_WORDS,
    QUERIED_RARE_WORDS,
    QUERIED_WORDS,
    ConceptBlocks,
    Ids,
    block_keys,
    concept_bits,
    concept_blocks,
    word_bits,
    word_table,
    words_of_keys,
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
MOST_FOLLOWED = 3_000  # postings for each block of a text
MOST_SOURCES = 10  # that each text of a collection asks for
_TEXTS_AT_ONCE = 256
_BLOCKS_AT_ONCE = 32
_BEST_BY_WORDS, _BEST_BY_MEANING = 4, 12  # documents whose blocks are held against a block
CANDIDATES_OF_A_BLOCK = _BEST_BY_WORDS + _BEST_BY_MEANING
PART_BITS = 20  # of a block's number in an index: which of its document it is
# Of a block that was made from another, so many words stand there too, or have a concept there.
_SAME_WORDS, _ALIKE_WORDS, _ALIKE_MEANING = 0.5, 0.3, 0.6
_RIVALS = 3  # documents that may have as much in common as the source, such as its copies
_MEANING = 2  # chance makes half the differences by meaning alone
_UNITS = 16  # of a bit

LookUp = Callable[[Hashes, int], tuple[Numbers, Numbers]]
BlocksOf = Callable[[Sequence[int]], Mapping[int, Ids]]


@dataclass(frozen=True, slots=True)
class LikelySource:
    """A document, how much more it has in common with some block than others, and where that is."""

    document: int
    score: float  # bits
    start: int
    end: int


def likely_sources(
    blocks: ConceptBlocks, look_up: LookUp, blocks_of: BlocksOf, limit: int
) -> list[LikelySource]:
    """The documents that may be sources of a text, in blocks that overlap; the likeliest first.

    `look_up` tells which of some keys stand in which blocks, a block being the document's number
    and its own, as long as these are no more than so many; `blocks_of` the blocks of documents.
    """
    return rank_sources(blocks, find_candidates(blocks.ids, look_up), blocks_of, limit)


def find_candidates(ids: Ids, look_up: LookUp) -> Numbers:
    """For each block of a text the documents that are looked at, best first, `NOBODY` behind."""
    candidates = [
        _candidates(ids[start : start + _BLOCKS_AT_ONCE], look_up)
        for start in range(0, len(ids), _BLOCKS_AT_ONCE)
    ]
    return np.concatenate([np.zeros((0, CANDIDATES_OF_A_BLOCK), np.int64), *candidates])


def queried_keys(ids: Ids) -> Hashes:
    """The keys by which each block asks; 0 where there is none."""
    return block_keys(ids, QUERIED_WORDS, QUERIED_RARE_WORDS)


def _candidates(ids: Ids, look_up: LookUp) -> Numbers:
    keys = queried_keys(ids)
    blocks, columns = np.nonzero(keys)
    asked, holder = map(
        np.ascontiguousarray, look_up(keys[blocks, columns], MOST_FOLLOWED * len(ids))
    )
    first, second = words_of_keys(QUERIED_WORDS)
    queried = QueryKeys(
        blocks.astype(np.int32),
        first[columns].astype(np.uint8),
        second[columns].astype(np.uint8),
    )
    return best_documents(
        asked, holder, queried, _weights(ids), PART_BITS, _BEST_BY_WORDS, _BEST_BY_MEANING
    )


def _weights(ids: Ids) -> BlockWeights:
    in_words, in_concepts = word_bits(ids), concept_bits(ids)
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


def rank_sources(
    blocks: ConceptBlocks, candidates: Numbers, blocks_of: BlocksOf, limit: int
) -> list[LikelySource]:
    """The likely sources among the candidates of each block; the likeliest first."""
    numbers, scores, places = (np.zeros(0, np.int64) for _ in range(3))
    pool = _with_neighbours(candidates) if len(blocks) else candidates
    for start in range(0, len(blocks), _BLOCKS_AT_ONCE):
        here = slice(start, start + _BLOCKS_AT_ONCE)
        gains = _gains(blocks.ids[here], pool[here], blocks_of)
        place, column = np.nonzero(gains > 0)
        numbers = np.concatenate((numbers, pool[here][place, column]))
        scores = np.concatenate((scores, gains[place, column]))
        places = np.concatenate((places, start + place))
        # Of each document the best block, the first of equals; then the best documents.
        order = np.lexsort((places, -scores, numbers))
        order = order[np.flatnonzero(np.diff(numbers[order], prepend=NOBODY))]
        order = order[np.lexsort((numbers[order], -scores[order]))][:limit]
        numbers, scores, places = numbers[order], scores[order], places[order]
    return [
        LikelySource(number, score / _UNITS, int(blocks.start[place]), int(blocks.end[place]))
        for number, score, place in zip(
            numbers.tolist(), scores.tolist(), places.tolist(), strict=True
        )
    ]


def _with_neighbours(candidates: Numbers) -> Numbers:
    """For each block its candidates and those of the blocks beside it, each once, in order."""
    nobody = np.full((1, candidates.shape[1]), NOBODY)
    before = np.concatenate((nobody, candidates[:-1]))
    after = np.concatenate((candidates[1:], nobody))
    pool: Numbers = np.sort(np.concatenate((before, candidates, after), axis=1), axis=1)
    pool[:, 1:][pool[:, 1:] == pool[:, :-1]] = NOBODY
    return pool


def _gains(ids: Ids, pool: Numbers, blocks_of: BlocksOf) -> Numbers:
    """By how much each document of the pool has more in common with its block than its rivals.

    Of documents whose blocks are the same, such as copies, the first is the one that counts.
    """
    numbers = np.unique(pool)
    there = blocks_of(numbers[numbers != NOBODY].tolist())
    first_with: dict[bytes, int] = {}
    for number in sorted(there):
        first_with.setdefault(there[number].tobytes(), number)
    present = np.array(sorted(first_with.values()), dtype=np.int64)
    if not len(present):
        return np.zeros(pool.shape, dtype=np.int64)
    rows = [there[number] for number in present.tolist()]
    first_row = np.cumsum([0, *map(len, rows)])
    place = np.minimum(np.searchsorted(present, pool), len(present) - 1)
    place = np.where(present[place] == pool, place, NOBODY)
    weights = _weights(ids)
    by_words, by_meaning = score_documents(
        np.ascontiguousarray(ids), weights, place, np.concatenate(rows), first_row, _word_concepts()
    )
    return np.maximum(
        _beyond_rivals(by_words, np.maximum(weights.word, weights.concept)),
        _MEANING * _beyond_rivals(by_meaning, weights.meaning),
    )


def _beyond_rivals(scores: NDArray[np.int32], weights: NDArray[np.int32]) -> Numbers:
    """What a document has in common with a block beyond what the next ones have.

    Whoever has more than half of all that a block says has no rivals: there may be many versions
    of a source.
    """
    rival = np.sort(scores, axis=1)[:, -_RIVALS - 1]
    most = weights.sum(axis=1) // 2
    beyond: Numbers = scores - np.minimum(rival, most)[:, None].astype(np.int64)
    return beyond


@cache
def _word_concepts() -> WordConcepts:
    table = word_table()
    return WordConcepts(table.first, table.concepts, len(table.first) - 1)


def indexed_keys(ids: Ids) -> list[Hashes]:
    """The keys of each block that an index holds, distinct and ascending."""
    keys = np.sort(block_keys(ids, INDEXED_WORDS, INDEXED_RARE_WORDS), axis=1)
    keys[:, 1:][keys[:, 1:] == keys[:, :-1]] = 0
    return [row[row > 0] for row in keys]


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
        self._blocks = [blocks.ids for blocks in concept_blocks(texts)]
        numbers: list[int] = []
        keys: list[Hashes] = []
        for document, ids in enumerate(self._blocks):
            numbers += range(document << PART_BITS, (document << PART_BITS) + len(ids))
            keys += indexed_keys(ids)
        self._segments = [
            segment_of(numbers[k : k + MOST_DOCUMENTS], keys[k : k + MOST_DOCUMENTS])
            for k in range(0, len(numbers), MOST_DOCUMENTS)
        ]

    def sources_of(
        self, blocks: ConceptBlocks, limit: int = MOST_SOURCES, *, without: Numbers | None = None
    ) -> list[LikelySource]:
        """The likely sources of a text in blocks that overlap, among all but some of the texts."""

        def look_up_keys(keys: Hashes, most: int) -> tuple[Numbers, Numbers]:
            return look_up_others(self._segments, keys, most, without)

        def blocks_of(numbers: Sequence[int]) -> Mapping[int, Ids]:
            return {number: self._blocks[number] for number in numbers}

        return likely_sources(blocks, look_up_keys, blocks_of, limit)


def look_up_others(
    segments: Sequence[Segment],
    keys: Hashes,
    most: int,
    without: Numbers | None = None,
    *,
    removed: Sequence[Flags | None] | None = None,
) -> tuple[Numbers, Numbers]:
    """Which of some keys stand in which blocks, but for those of some documents.

    Blocks that are `removed`, by their places in each segment, are not even counted.
    """
    asked, holder = follow(segments, keys, removed=removed, few=MOST_HOLDERS, most=most)
    if without is None or not len(without):
        return asked, holder
    stays = ~np.isin(holder >> PART_BITS, without)
    return asked[stays], holder[stays]


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
