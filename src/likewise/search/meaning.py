"""The likely sources of a text that was rewritten or translated, found by its blocks of concepts.

Blocks of the text that share two telling words with a block of a document are looked at first; of
the documents that meet a block best this way, all blocks are held against it: what counts is how
rare the words are that both have, in one block there or in two that follow each other. Sources are
then taken one after the other, each for the stretch that it explains best, so that many documents
on the subject of one chapter do not stand before the source of another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from likewise.language.concept_blocks import (
    ID_BITS,
    INDEXED_WORDS,
    QUERIED_WORDS,
    SENSES,
    TELLING,
    ConceptBlocks,
    Ids,
    concept_blocks,
    pair_keys,
    pairs_of_columns,
    word_numbers,
    word_rarity,
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

Floats = NDArray[np.float32]

MOST_HOLDERS = 1_000  # blocks that hold a pair; one of more is not followed
MOST_FOLLOWED = 40_000  # postings for each stretch of a text
MOST_SOURCES = 10  # that each text of a collection asks for
_TEXTS_AT_ONCE = 256
_BLOCKS_AT_ONCE = 30
_BEST_OF_A_BLOCK = 12  # documents whose blocks are looked at for each block of the text
_BESIDE = 0.5  # of what the blocks before and after a block have in common with a document
_EXPLAINED = 0.7  # of what another source has in a stretch already does not count again
PART_BITS = 20  # of a block's number in an index: which of its document it is
_ID_MASK = np.uint32((1 << ID_BITS) - 1)
_HALF = QUERIED_WORDS // 2

LookUp = Callable[[Hashes], tuple[Numbers, Numbers]]
BlocksOf = Callable[[Sequence[int]], Mapping[int, Ids]]


@dataclass(frozen=True, slots=True)
class LikelySource:
    """A document, how much it has in common with some stretch of the text, and where that is."""

    document: int
    score: float  # bits
    start: int
    end: int


class _Stretch(NamedTuple):
    """Some blocks of a text, and how well documents meet each of them."""

    first: int
    documents: Numbers
    scores: Floats  # a row for each document, a column for each block


def likely_sources(
    blocks: ConceptBlocks, look_up: LookUp, blocks_of: BlocksOf, limit: int
) -> list[LikelySource]:
    """The documents that may be sources of a text, in blocks that overlap; the likeliest first.

    `look_up` tells which of some keys stand in which blocks, a block being the document's number
    and its own; `blocks_of` the blocks of documents.
    """
    return rank_sources(blocks, find_candidates(blocks.ids, look_up), blocks_of, limit)


def find_candidates(ids: Ids, look_up: LookUp) -> list[list[int]]:
    """For each stretch of a text the documents that are looked at, in ascending order."""
    return [_candidates(ids[here], look_up) for here in _places_of_stretches(len(ids))]


def rank_sources(
    blocks: ConceptBlocks, candidates: Sequence[Sequence[int]], blocks_of: BlocksOf, limit: int
) -> list[LikelySource]:
    """The likely sources among the candidates of each stretch; the likeliest first."""
    stretches = list(_stretches(blocks.ids, candidates, blocks_of))
    explained = np.zeros(len(blocks), dtype=np.float32)
    chosen: dict[int, LikelySource] = {}
    gains = [_gains(stretch, explained) for stretch in stretches]
    while len(chosen) < limit:
        best: tuple[float, int] | None = None
        for of_stretch, stretch in zip(gains, stretches, strict=True):
            for k in np.argsort(-of_stretch, kind="stable").tolist():
                number, gain = int(stretch.documents[k]), float(of_stretch[k])
                if number not in chosen:
                    if gain > 0 and (best is None or (-gain, number) < (-best[0], best[1])):
                        best = gain, number
                    break
        if best is None:
            break
        _, document = best
        score, place = 0.0, 0
        for which, stretch in enumerate(stretches):
            row = np.searchsorted(stretch.documents, document)
            if row == len(stretch.documents) or stretch.documents[row] != document:
                continue
            scores = stretch.scores[row]
            here = slice(stretch.first, stretch.first + len(scores))
            np.maximum(explained[here], scores, out=explained[here])
            if scores.max() > score:
                score, place = float(scores.max()), stretch.first + int(scores.argmax())
            gains[which] = _gains(stretch, explained)
        chosen[document] = LikelySource(
            document, score, int(blocks.start[place]), int(blocks.end[place])
        )
    return list(chosen.values())


def _gains(stretch: _Stretch, explained: Floats) -> Floats:
    """What each document explains at best that those chosen before do not."""
    here = explained[stretch.first : stretch.first + stretch.scores.shape[1]]
    if not len(stretch.documents):
        return np.zeros(0, dtype=np.float32)
    gains: Floats = (stretch.scores - np.float32(_EXPLAINED) * here).max(axis=1)
    return gains


def _places_of_stretches(blocks: int) -> Iterator[slice]:
    """The text a stretch at a time; a stretch begins two blocks before the one before it ends."""
    if blocks:
        for first in range(0, max(blocks - 2, 1), _BLOCKS_AT_ONCE - 2):
            yield slice(first, min(first + _BLOCKS_AT_ONCE, blocks))


def _stretches(
    ids: Ids, candidates: Sequence[Sequence[int]], blocks_of: BlocksOf
) -> Iterator[_Stretch]:
    for here, numbers in zip(_places_of_stretches(len(ids)), candidates, strict=True):
        there = blocks_of(numbers)
        documents = np.array([number for number in numbers if number in there], dtype=np.int64)
        if len(documents):
            scores = _scores(ids[here], [there[number] for number in documents.tolist()])
            yield _Stretch(here.start, documents, scores)


def _candidates(ids: Ids, look_up: LookUp) -> list[int]:
    """Documents of which a block shares two words with some of these, the best for each; in order.

    A block is as good as the words are rare that it shares.
    """
    keys = pair_keys(ids, QUERIED_WORDS)
    blocks, columns = np.nonzero(keys)
    asked, holder = look_up(keys[blocks, columns])
    if not len(asked):
        return []
    numbers, block_there = np.unique(holder, return_inverse=True)
    ours = blocks[asked]
    words = _words_of_pairs(ids)[ours, columns[asked]]
    shared = np.zeros((len(ids), len(numbers)), dtype=np.uint32)
    np.bitwise_or.at(shared, (ours, block_there), words)
    rarity = _rarity_of_words(ids)[:, :QUERIED_WORDS]
    lower, upper = (_sums_of_sets(half) for half in (rarity[:, :_HALF], rarity[:, _HALF:]))
    row = np.arange(len(ids))[:, None]
    scores = lower[row, shared & ((1 << _HALF) - 1)] + upper[row, shared >> _HALF]
    documents = numbers >> PART_BITS
    begins = np.flatnonzero(np.diff(documents, prepend=-1))
    best = np.maximum.reduceat(scores, begins, axis=1)
    chosen = np.zeros(len(begins), dtype=bool)
    for of_block in best:
        met = np.flatnonzero(of_block)
        chosen[met[np.argsort(-of_block[met], kind="stable")[:_BEST_OF_A_BLOCK]]] = True
    candidates: list[int] = documents[begins][chosen].tolist()
    return candidates


def _words_of_pairs(ids: Ids) -> NDArray[np.uint32]:
    """For each key of `pair_keys` the two words that it is of, as bits."""
    columns = min(SENSES * QUERIED_WORDS, ids.shape[1])
    numbers = np.clip(word_numbers(ids[:, :columns]), 0, 31).astype(np.uint32)
    bit = np.uint32(1) << numbers
    first, second = pairs_of_columns(columns)
    pairs: NDArray[np.uint32] = bit[:, first] | bit[:, second]
    return pairs


def _rarity_of_words(ids: Ids) -> NDArray[np.int64]:
    """How rare the words of each block are: as the most usual of their concepts, the first."""
    rarity = np.zeros(ids.shape, dtype=np.int64)
    blocks, columns = np.nonzero(ids >> np.uint32(ID_BITS))
    words = word_numbers(ids)[blocks, columns]
    rarity[blocks, words] = word_rarity(ids)[blocks, columns]
    return rarity


def _sums_of_sets(values: NDArray[np.int64]) -> Floats:
    """For each row the sum of every set of its values, a set being a number of as many bits."""
    sums: Floats = values.astype(np.float32) @ _sets(values.shape[1])
    return sums


@cache
def _sets(size: int) -> Floats:
    """For each value a row: in which sets it is."""
    return (np.arange(1 << size) >> np.arange(size)[:, None] & 1).astype(np.float32)


def _scores(ids: Ids, documents: Sequence[Ids]) -> Floats:
    """How well each document meets each block, with the blocks beside it, in bits."""
    distinct = np.unique(ids & _ID_MASK)
    sizes = np.array([len(one) for one in documents])
    theirs = np.concatenate(documents) & _ID_MASK
    place = np.minimum(np.searchsorted(distinct, theirs), len(distinct) - 1)
    block, column = np.nonzero((distinct[place] == theirs) & (theirs > 0))
    has = np.zeros((len(distinct), len(theirs)), dtype=bool)
    has[place[block, column], block] = True
    # Two blocks of a document that follow each other hold what either holds.
    is_last = np.zeros(len(theirs), dtype=bool)
    is_last[np.cumsum(sizes) - 1] = True
    has[:, :-1] |= has[:, 1:] & ~is_last[:-1]
    rarity = (_rarity_of_words(ids) / 4).astype(np.float32)
    words = word_numbers(ids)
    sense = np.searchsorted(distinct, ids & _ID_MASK)
    rows = np.zeros((len(ids), TELLING, len(theirs)), dtype=bool)
    blocks, columns = np.nonzero(ids)
    for start in (0, 1):  # a word's first concept, then its second
        is_first = ids[blocks, columns] >> np.uint32(ID_BITS) == 1 - start
        b, c = blocks[is_first], columns[is_first]
        rows[b, words[b, c]] |= has[sense[b, c]]
    scores = np.matmul(rarity[:, None, :], rows.astype(np.float32))[:, 0, :]
    first = np.cumsum(sizes) - sizes
    best = np.maximum.reduceat(scores, first, axis=1)
    # As many bits say more of a block that has few than of one that is full of rare words.
    telling = np.maximum(rarity.sum(axis=1, keepdims=True), np.float32(1))
    best = (best * best / telling).T
    wide: Floats = best.copy()
    wide[:, 1:] += np.float32(_BESIDE) * best[:, :-1]
    wide[:, :-1] += np.float32(_BESIDE) * best[:, 1:]
    return wide


def indexed_keys(ids: Ids) -> list[Hashes]:
    """The keys of each block that an index holds: distinct, as its concepts are, and ascending."""
    return [np.sort(keys[keys > 0]) for keys in pair_keys(ids, INDEXED_WORDS)]


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

        def look_up_keys(keys: Hashes) -> tuple[Numbers, Numbers]:
            return look_up_others(self._segments, keys, without)

        def blocks_of(numbers: Sequence[int]) -> Mapping[int, Ids]:
            return {number: self._blocks[number] for number in numbers}

        return likely_sources(blocks, look_up_keys, blocks_of, limit)


def look_up_others(
    segments: Sequence[Segment],
    keys: Hashes,
    without: Numbers | None = None,
    *,
    removed: Sequence[Flags | None] | None = None,
) -> tuple[Numbers, Numbers]:
    """Which of some keys stand in which blocks, but for those of some documents.

    Blocks that are `removed`, by their places in each segment, are not even counted.
    """
    asked, holder = follow(segments, keys, removed=removed, few=MOST_HOLDERS, most=MOST_FOLLOWED)
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
