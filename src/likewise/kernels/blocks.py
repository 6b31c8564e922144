"""Words in blocks, and blocks held against blocks: the readable form of `_blocks.pyx`.

A block is a row of distinct words, each a number, and zeros behind them. What two blocks have in
common is told as bits, one for each word of the block that asks: so it has at most 64 words. Rows
that are searched are packed, two words in five bytes, and stand document by document.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]
Flags = NDArray[np.bool_]
Hashes = NDArray[np.uint64]
Numbers = NDArray[np.int64]
Words = NDArray[np.uint32]
Weights = NDArray[np.int32]
NOBODY = -1  # instead of a row or a document
WORD_BITS = 20
PAIR_BYTES = 5  # of two words
_WORD_MASK = (1 << WORD_BITS) - 1


class RowPostings(NamedTuple):
    """Keys of blocks that stand in rows: which block asks, in which row, and what that counts."""

    block: NDArray[np.int32]
    row: Numbers
    gain: Weights


class BlockWeights(NamedTuple):
    """What it counts, for each word of each block, that another block has it."""

    word: Weights  # the very word
    concept: Weights  # a concept of it, where words count
    meaning: Weights  # either, where nothing but concepts counts


class WordRelations(NamedTuple):
    """Words that share a concept.

    The concepts of word k are `concepts[first[k] : first[k + 1]]`, and words from `beyond` on have
    none; the words of concept c are `words[first_word[c] : first_word[c + 1]]`.
    """

    first: NDArray[np.int32]
    concepts: NDArray[np.int32]
    first_word: NDArray[np.int32]
    words: NDArray[np.int32]
    beyond: int


class BlockRows(NamedTuple):
    """Packed rows, and the number of the document that each belongs to, part bits included."""

    packed: Bytes  # rows of `PAIR_BYTES` for each two words
    numbers: Numbers


def find_words(
    hashes: Hashes, offsets: Numbers, entries: Hashes, buckets: Numbers
) -> tuple[Numbers, Numbers]:
    """The entry that each word is, and of words that are none where each text first has them.

    Those of text t are `hashes[offsets[t] : offsets[t + 1]]`; `entries` ascend, and
    `buckets` say where those begin whose first bits are 0, 1, 2 …, with the end of all. A word that
    is no entry is -1 less the place in the second answer that its text first has it at.

    >>> hashes = np.array([7, 9, 7, 5, 7], dtype=np.uint64)
    >>> places, first = find_words(
    ...     hashes, np.array([0, 4, 5]), np.array([4, 5], dtype=np.uint64), np.array([0, 2, 2])
    ... )
    >>> places.tolist(), first.tolist()
    ([-1, -2, -1, 1, -3], [0, 1, 4])
    """
    places = np.minimum(np.searchsorted(entries, hashes), len(entries) - 1)
    unknown = np.flatnonzero(entries[places] != hashes)
    text = np.searchsorted(offsets, unknown, side="right")
    order = np.lexsort((hashes[unknown], text))
    begins = np.ones(len(order), dtype=bool)
    begins[1:] = (np.diff(hashes[unknown][order]) != 0) | (np.diff(text[order]) != 0)
    # The order of a sort is stable: the first of those that are alike is the first in the text.
    first_of = np.empty(len(order), dtype=np.int64)
    first_of[order] = order[begins][np.cumsum(begins) - 1]
    first, which = np.unique(first_of, return_inverse=True)
    places[unknown] = -1 - which
    return places, unknown[first]


def rank_words(
    ids: Numbers,
    telling: Numbers,
    begins: Numbers,
    ends: Numbers,
    first: NDArray[np.int32],
    concepts: NDArray[np.int32],
    most: int,
) -> Words:
    """Of each block the distinct words, the most telling first, as rows of so many at most.

    A block has the words from where it begins to before it ends. The concepts of word k are
    `concepts[first[k] : first[k + 1]]`; a word beyond these stands for itself. One of whose
    concepts a more telling word has says little that is new: those come last.

    >>> first, concepts = np.array([0, 0, 1, 3], np.int32), np.array([5, 5, 6], np.int32)
    >>> ids, telling = np.array([1, 2, 9, 1]), np.array([20, 30, 10, 20])
    >>> rank_words(ids, telling, np.array([0]), np.array([4]), first, concepts, 4).tolist()
    [[2, 9, 1, 0]]
    """
    rows = np.zeros((len(begins), most), dtype=np.uint32)
    for row, begin, end in zip(rows, begins.tolist(), ends.tolist(), strict=True):
        told = (-telling[begin:end]).tolist()
        ranked = sorted(set(zip(told, ids[begin:end].tolist(), strict=True)))
        there: set[int] = set()
        ahead: list[int] = []
        behind: list[int] = []
        for _, word in ranked:
            of_word = [word]
            if word < len(first) - 1:
                of_word = concepts[first[word] : first[word + 1]].tolist()
            (ahead if there.isdisjoint(of_word) else behind).append(word)
            there.update(of_word)
        words = (ahead + behind)[:most]
        row[: len(words)] = words
    return rows


def block_keys(
    ids: Words,
    senses: Words,
    is_rare: Flags,
    words: int,
    rare_words: int,
    ambiguous_words: int,
    distinct: bool,
) -> Hashes:
    """The keys of blocks, a row for each; 0 for none.

    Of the first so many words every two have the pair of their first senses; among the first that
    may be `ambiguous`, the second sense of one counts beside the first of the other. The `senses`
    of word k are its row, and a word beyond these is its own. Of the words that are rare, by their
    numbers, the first so many stand for themselves. Of `distinct` keys the first of equals counts.
    """
    first, second, sense, other_sense = _pairs_of_words(words, ambiguous_words)
    there = ids[:, :words].astype(np.int64)
    is_other = there >= len(senses)
    concepts = senses[np.where(is_other, 0, there)].astype(np.uint64)
    concepts[is_other, 0], concepts[is_other, 1] = there[is_other], 0
    one, other = concepts[:, first, sense], concepts[:, second, other_sense]
    is_pair = (one > 0) & (other > 0) & (one != other)
    pairs = (np.maximum(one, other) << np.uint64(WORD_BITS)) | np.minimum(one, other)
    rare = (ids > 0) & is_rare[ids]
    rare &= np.cumsum(rare, axis=1) <= rare_words
    alone = ids.astype(np.uint64)
    # No pair has the same concept twice: what has is a word by itself.
    keys = np.concatenate((pairs, alone << np.uint64(WORD_BITS) | alone), axis=1)
    # What follows is a bijection that strews numbers over all bits: an index sorts by some of them.
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        keys = (keys ^ (keys >> np.uint64(shift))) * np.uint64(factor)
    keys ^= keys >> np.uint64(31)
    keys[~np.concatenate((is_pair, rare), axis=1)] = 0
    if distinct:
        order = np.argsort(keys, axis=1, kind="stable")
        in_order = np.take_along_axis(keys, order, axis=1)
        in_order[:, 1:][in_order[:, 1:] == in_order[:, :-1]] = 0
        np.put_along_axis(keys, order, in_order, axis=1)
    return keys


def _pairs_of_words(words: int, ambiguous_words: int) -> tuple[Numbers, ...]:
    """Every two words, and which sense of each."""
    first, second = np.triu_indices(words, 1)
    one, other = np.triu_indices(ambiguous_words, 1)
    usual, ambiguous = np.zeros(len(first), np.int64), np.ones(len(one), np.int64)
    return (
        np.concatenate((first, one, one)),
        np.concatenate((second, other, other)),
        np.concatenate((usual, ambiguous, 0 * ambiguous)),
        np.concatenate((usual, 0 * ambiguous, ambiguous)),
    )


def pack_rows(ids: Words) -> Bytes:
    """Rows of an even number of words, two of them in five bytes.

    >>> rows = pack_rows(np.array([[1, 2], [_WORD_MASK, 0]], dtype=np.uint32))
    >>> rows.tolist(), unpack_rows(rows).tolist()
    ([[1, 0, 32, 0, 0], [255, 255, 15, 0, 0]], [[1, 2], [1048575, 0]])
    """
    pairs = ids[:, 0::2].astype("<u8") | ids[:, 1::2].astype("<u8") << np.uint64(WORD_BITS)
    wide = pairs.view(np.uint8).reshape(*pairs.shape, 8)
    rows = wide[:, :, :PAIR_BYTES].reshape(len(ids), PAIR_BYTES * pairs.shape[1])
    return np.ascontiguousarray(rows)


def unpack_rows(rows: Bytes) -> Words:
    """The words of packed rows."""
    pairs_of_row = rows.shape[1] // PAIR_BYTES
    wide = np.zeros((len(rows), pairs_of_row, 8), dtype=np.uint8)
    wide[:, :, :PAIR_BYTES] = rows.reshape(len(rows), pairs_of_row, PAIR_BYTES)
    pairs = wide.view("<u8")[:, :, 0]
    ids = np.empty((len(rows), 2 * pairs.shape[1]), dtype=np.uint32)
    ids[:, 0::2] = pairs & np.uint64(_WORD_MASK)
    ids[:, 1::2] = pairs >> np.uint64(WORD_BITS)
    return ids


def choose_rows(
    postings: RowPostings,
    numbers: Sequence[Numbers],
    part_bits: int,
    left_out: Numbers,
    blocks: int,
    most: int,
) -> Numbers:
    """For each block the rows whose keys count most together, ascending, `NOBODY` behind them.

    Rows are counted through all of `numbers`, one array after the other. Those of documents that
    are `left_out`, ascending, are not looked at; of equals the first row is chosen.
    """
    all_numbers = np.concatenate([np.zeros(0, np.int64), *numbers])
    is_left_out = set(left_out.tolist())
    shared: list[dict[int, int]] = [defaultdict(int) for _ in range(blocks)]
    for block, row, gain in zip(*(column.tolist() for column in postings), strict=True):
        if int(all_numbers[row]) >> part_bits not in is_left_out:
            shared[block][row] += gain
    chosen = np.full((blocks, most), NOBODY, dtype=np.int64)
    for block, gains in enumerate(shared):
        best = sorted(gains, key=lambda row: (-gains[row], row))[:most]
        chosen[block, : len(best)] = sorted(best)
    return chosen


def best_documents(
    blocks: Words,
    weights: BlockWeights,
    chosen: Numbers,
    segments: Sequence[BlockRows],
    relations: WordRelations,
    part_bits: int,
    most: int,
) -> tuple[Numbers, Weights, Weights]:
    """For each block the documents whose rows have most in common with it: so many by words, then
    by meaning alone; and what they have in common, by words and by meaning.

    Rows are `chosen` as by `choose_rows`. A document is as good as its best row, and once it is
    among the best, as that row with the one before or behind it. Of documents whose best rows have
    the same words, such as copies, the first is the one that counts. `NOBODY` has nothing.
    """
    shape = len(blocks), 2 * most
    documents = np.full(shape, NOBODY, dtype=np.int64)
    by_words, by_meaning = np.zeros(shape, np.int32), np.zeros(shape, np.int32)
    for block, words in enumerate(blocks):
        of_block = BlockWeights(*(weight[block] for weight in weights))
        rows = [row for row in chosen[block].tolist() if row != NOBODY]
        look = _Look(words.tolist(), of_block, segments, relations, part_bits)
        for place, (document, scores) in enumerate(look.best(rows, most)):
            documents[block, place] = document
            by_words[block, place], by_meaning[block, place] = scores
    return documents, by_words, by_meaning


class _Look:
    """One block, held against rows."""

    def __init__(
        self,
        words: list[int],
        weights: BlockWeights,
        segments: Sequence[BlockRows],
        relations: WordRelations,
        part_bits: int,
    ) -> None:
        self._related = _Related(words, relations)
        self._weights = weights
        self._packed = [row for segment in segments for row in segment.packed]
        self._document = [
            number >> part_bits for segment in segments for number in segment.numbers.tolist()
        ]
        sizes = (len(segment.numbers) for segment in segments)
        self._begins = set(np.cumsum([0, *sizes]).tolist())

    def best(self, rows: list[int], most: int) -> list[tuple[int, tuple[int, int]]]:
        """The best documents by words, then those by meaning; with what they have in common."""
        rows_of: dict[int, list[int]] = defaultdict(list)
        for row in rows:
            rows_of[self._document[row]].append(row)
        best_rows: dict[int, set[int]] = defaultdict(set)
        best: list[int] = []
        for kind in (0, 1):
            scored = {
                document: max((self._scores([row])[kind], -row) for row in of_document)
                for document, of_document in rows_of.items()
            }
            seen: set[tuple[int, bytes]] = set()
            distinct: list[int] = []
            for document in sorted(scored, key=lambda each: (-scored[each][0], each)):
                score, row = scored[document][0], -scored[document][1]
                best_rows[document].add(row)
                if score and (copy := (score, self._packed[row].tobytes())) not in seen:
                    seen.add(copy)
                    distinct.append(document)
            best += [document for document in distinct[:most] if document not in best]
        return [(document, self._beside(best_rows[document])) for document in best]

    def _beside(self, rows: set[int]) -> tuple[int, int]:
        """The best scores of rows alone, or each with the one before or behind it."""
        scores = [
            self._scores([row, other])
            for row in rows
            for other in (row - 1, row, row + 1)
            if 0 <= other < len(self._document)
            and (other == row or max(row, other) not in self._begins)
            and self._document[other] == self._document[row]
        ]
        return max(by_words for by_words, _ in scores), max(by_meaning for _, by_meaning in scores)

    def _scores(self, rows: list[int]) -> tuple[int, int]:
        """What some rows together have in common with the block, by words and by meaning."""
        same = alike = 0
        for row in rows:
            same_here, alike_here = self._related.masks(self._packed[row])
            same, alike = same | same_here, alike | alike_here
        by_words = _sum(self._weights.word, same) + _sum(self._weights.concept, alike & ~same)
        return by_words, _sum(self._weights.meaning, same | alike)


class _Related:
    """The words of a block, and those that share a concept with one of them."""

    def __init__(self, words: list[int], relations: WordRelations) -> None:
        self._same: dict[int, int] = {}
        self._alike: dict[int, int] = defaultdict(int)
        for place, word in enumerate(words):
            if not word:
                continue
            self._same[word] = 1 << place
            if word < relations.beyond:
                first, end = relations.first[word : word + 2].tolist()
                for concept in relations.concepts[first:end].tolist():
                    a, b = relations.first_word[concept : concept + 2].tolist()
                    for other in relations.words[a:b].tolist():
                        self._alike[other] |= 1 << place

    def masks(self, packed: Bytes) -> tuple[int, int]:
        """Which words of the block stand in a row, and which have a concept of a word of it."""
        same = alike = 0
        for word in unpack_rows(packed[None])[0].tolist():
            if word:
                same |= self._same.get(word, 0)
                alike |= self._alike.get(word, 0)
        return same, alike


def _sum(weights: Weights, bits: int) -> int:
    return sum(int(weight) for place, weight in enumerate(weights.tolist()) if bits >> place & 1)
