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
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from likewise.language.concept_blocks import (
    ID_BITS,
    QUERIED_WORDS,
    SENSES,
    TELLING,
    ConceptBlocks,
    Ids,
    pair_keys,
    word_numbers,
    word_rarity,
)
from likewise.search.postings import Hashes, Numbers

Floats = NDArray[np.float32]

MOST_HOLDERS = 1_000  # blocks that hold a pair; one of more is not followed
MOST_FOLLOWED = 40_000  # postings for each stretch of a text
_BLOCKS_AT_ONCE = 30
_BEST_OF_A_BLOCK = 12  # documents whose blocks are looked at for each block of the text
_EXPLAINED = 0.7  # of what another source has in a stretch already does not count again
_PART_BITS = 20
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

    `look_up` tells which of distinct, ascending keys stand in which blocks, a block being the
    document's number and its own; `blocks_of` the blocks of documents.
    """
    stretches = list(_stretches(blocks.ids, look_up, blocks_of))
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


def _stretches(ids: Ids, look_up: LookUp, blocks_of: BlocksOf) -> Iterator[_Stretch]:
    """The text a stretch at a time; a stretch begins two blocks before the one before it ends."""
    step = _BLOCKS_AT_ONCE - 2
    for first in range(0, max(len(ids) - 2, 1), step):
        part = ids[first : first + _BLOCKS_AT_ONCE]
        if not len(part):
            return
        candidates = _candidates(part, look_up)
        there = blocks_of(candidates)
        documents = np.array([number for number in candidates if number in there], dtype=np.int64)
        if len(documents):
            yield _Stretch(first, documents, _scores(part, [there[n] for n in documents.tolist()]))


def _candidates(ids: Ids, look_up: LookUp) -> list[int]:
    """Documents of which a block shares two words with some of these, the best for each; in order.

    A block is as good as the words are rare that it shares.
    """
    keys = pair_keys(ids, QUERIED_WORDS)
    blocks, columns = np.nonzero(keys)
    asked = keys[blocks, columns]
    distinct, which = np.unique(asked, return_inverse=True)
    key, holder = look_up(distinct)
    if not len(key):
        return []
    numbers, block_there = np.unique(holder, return_inverse=True)
    # Every posting for each of our blocks that has its key.
    by_key = np.argsort(which, kind="stable")
    first = np.searchsorted(which[by_key], np.arange(len(distinct) + 1))
    sizes = (first[1:] - first[:-1])[key]
    posting = np.repeat(np.arange(len(key)), sizes)
    step = np.arange(len(posting)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    ours = by_key[first[key][posting] + step]
    words = _words_of_pairs(ids)[blocks[ours], columns[ours]]
    shared = np.zeros((len(ids), len(numbers)), dtype=np.uint32)
    np.bitwise_or.at(shared, (blocks[ours], block_there[posting]), words)
    rarity = _rarity_of_words(ids)[:, :QUERIED_WORDS]
    lower, upper = (_sums_of_sets(half) for half in (rarity[:, :_HALF], rarity[:, _HALF:]))
    row = np.arange(len(ids))[:, None]
    scores = lower[row, shared & ((1 << _HALF) - 1)] + upper[row, shared >> _HALF]
    documents = numbers >> _PART_BITS
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
    first, second = np.triu_indices(columns, 1)
    pairs: NDArray[np.uint32] = bit[:, first] | bit[:, second]
    return pairs


def _rarity_of_words(ids: Ids) -> NDArray[np.int64]:
    """How rare the words of each block are: as the most usual of their concepts, the first."""
    rarity = np.zeros(ids.shape, dtype=np.int64)
    blocks, columns = np.nonzero(ids >> np.uint32(ID_BITS))
    words = word_numbers(ids)[blocks, columns]
    rarity[blocks, words] = word_rarity(ids)[blocks, columns]
    return rarity


def _sums_of_sets(values: NDArray[np.int64]) -> NDArray[np.int64]:
    """For each row the sum of every set of its values, a set being a number of as many bits."""
    size = values.shape[1]
    is_in = np.arange(1 << size)[:, None] >> np.arange(size) & 1
    sums: NDArray[np.int64] = values @ is_in.T
    return sums


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
    best = np.maximum.reduceat(scores, first, axis=1).T
    wide = best.copy()
    wide[:, 1:] += best[:, :-1]
    wide[:, :-1] += best[:, 1:]
    return wide
