"""What a text is about, block by block: its most telling concepts, by which its source is found.

A text that was rewritten or translated shares no run of words with its source, but it speaks of the
same things in the same places. So a text is cut into blocks of some dozens of words, and of each
block the concepts are kept that are rarest by a shipped list, names and numbers among them. Two
blocks are held together by the pairs of concepts that both have: a concept stands in thousands of
blocks, two of them together in few.

Nothing here depends on settings or on what else a library holds: a text has the same blocks always.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from likewise.language import concepts
from likewise.language.concepts import BEYOND_CONCEPTS, Concepts
from likewise.language.lexicon import borrow_lexicon
from likewise.language.words import scan, settle
from likewise.settings import Settings

RECIPE = 1  # of blocks from concepts
BLOCK_WORDS = 56  # that count, some 90 in all
SENSES = 2  # concepts of a word: the most usual ones
TELLING = 32  # concepts of a block that are kept, of some twenty words
INDEXED_WORDS = 8  # of a block, whose pairs are kept in an index: some sixty
QUERIED_WORDS = 16  # of a block, whose pairs are looked up: what is rare here may be less so there
FEWEST_WORDS = 12  # that count, of a text: less says nothing

ID_BITS = 23
FIRST_SENSE = 1 << ID_BITS  # set where a word begins
_ID_MASK = FIRST_SENSE - 1
FIRST_OTHER = 1 << 20  # below it the concepts of the lexicon, from 1; above names, numbers, words
_OTHERS = (1 << ID_BITS) - FIRST_OTHER
_RAREST = 56  # quarters of a bit
_RARITY_BITS, _TELLING_BITS = 6, 16
_MOST_TELLING = (1 << _TELLING_BITS) - 1
_BATCH_CHARS = 1 << 20
_HEADING = re.compile(r"\[(\d+)\]")

Ids = NDArray[np.uint32]
Keys = NDArray[np.uint64]
Places = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class ConceptBlocks:
    """The blocks of a text: a row of concepts for each, the most telling words first, then zeros.

    A word has its concepts side by side, the first of them marked `FIRST_SENSE`. `start` and `end`
    are the characters between which a block stands.
    """

    ids: Ids
    start: Places
    end: Places

    def __len__(self) -> int:
        return len(self.ids)


class _Rows(NamedTuple):
    """Words of texts, with what they stand for: a row for each concept of each word."""

    word: Places
    id: Places
    weight: Places


def recipe() -> str:
    """By what blocks are made; those of another recipe would never meet these.

    >>> recipe().split()[0]
    'blocks1'
    """
    made_by = f"words={BLOCK_WORDS} telling={TELLING} rarity={_rarity_digest()}"
    return f"blocks{RECIPE} {made_by} {concepts.recipe()}"


@cache
def _rarity_digest() -> str:
    return hashlib.sha256("\n".join(_rarity_lines()).encode()).hexdigest()[:12]


def _rarity_lines() -> list[str]:
    return (files(__package__) / "concept_rarity.txt").read_text("utf-8").splitlines()


def concept_blocks(texts: Sequence[str], *, overlap: bool = False) -> list[ConceptBlocks]:
    """The blocks of each text; where they overlap, each begins in the middle of the one before.

    >>> one, other = concept_blocks(["The wolf ate seven goats of a shepherd. " * 4, "Hush!"])
    >>> one.ids.shape[1] == TELLING, len(one), len(other)
    (True, 1, 0)
    """
    blocks: list[ConceptBlocks] = []
    batch: list[str] = []
    chars = 0
    for text in texts:
        batch.append(text)
        chars += len(text)
        if chars >= _BATCH_CHARS:
            blocks += _Batch(batch, overlap).concept_blocks()
            batch, chars = [], 0
    if batch:
        blocks += _Batch(batch, overlap).concept_blocks()
    return blocks


def word_numbers(ids: Ids) -> Places:
    """Which word of its block each concept belongs to, from 0; -1 where there is none."""
    numbers = np.cumsum(ids >> np.uint32(ID_BITS), axis=1, dtype=np.int64) - 1
    return np.where(ids == 0, -1, numbers)


def pair_keys(ids: Ids, words: int) -> Keys:
    """The keys of blocks, a row for each: of every two words the pairs of their concepts.

    Of the first so many words alone; 0 where there is none.

    >>> first = FIRST_SENSE
    >>> keys = pair_keys(np.array([[first | 7, 5, first | 9], [first | 9, first | 5, 0]], "u4"), 8)
    >>> (keys > 0).sum(axis=1).tolist(), len(set(keys[0].tolist()) & set(keys[1].tolist()) - {0})
    ([2, 1], 1)
    """
    columns = min(SENSES * words, ids.shape[1])
    number = word_numbers(ids[:, :columns])
    plain = (ids[:, :columns] & np.uint32(_ID_MASK)).astype(np.uint64)
    first, second = pairs_of_columns(columns)
    one, other = plain[:, first], plain[:, second]
    is_pair = (number[:, first] != number[:, second]) & (number[:, second] >= 0)
    is_pair &= number[:, second] < words
    keys = (np.maximum(one, other) << np.uint64(ID_BITS)) | np.minimum(one, other)
    # What follows is a bijection that strews numbers over all bits: an index sorts by some of them.
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        keys = (keys ^ (keys >> np.uint64(shift))) * np.uint64(factor)
    keys ^= keys >> np.uint64(31)
    return np.where(is_pair, keys, np.uint64(0))


@cache
def pairs_of_columns(columns: int) -> tuple[Places, Places]:
    """Every two columns of a row of concepts, in the order of `pair_keys`."""
    return np.triu_indices(columns, 1)


def word_rarity(ids: Ids) -> Places:
    """How rare the concepts of blocks are, in quarters of a bit; 0 where there is none."""
    return np.where(ids == 0, 0, _rarity((ids & np.uint32(_ID_MASK)).astype(np.int64)))


def pack_blocks(ids: Ids) -> bytes:
    """Blocks as a database keeps them: three bytes a concept."""
    return ids.astype("<u4").view(np.uint8).reshape(-1, 4)[:, :3].tobytes()


def unpack_blocks(data: bytes | memoryview) -> Ids:
    """Blocks as they were kept.

    >>> unpack_blocks(pack_blocks(np.arange(2 * TELLING, dtype=np.uint32).reshape(2, -1)))[1, 0]
    np.uint32(32)
    """
    plain = np.zeros((len(data) // 3, 4), dtype=np.uint8)
    plain[:, :3] = np.frombuffer(data, dtype=np.uint8).reshape(-1, 3)
    ids: Ids = plain.view("<u4").reshape(-1, TELLING)
    return ids


class _Batch:
    """Texts with their words in blocks, each with what it stands for."""

    def __init__(self, texts: list[str], overlap: bool = False) -> None:
        with borrow_lexicon(Settings()) as lexicon:
            scanned = scan(texts, lexicon, spans=True)
            hashes, offsets = settle(scanned, lexicon)
        _, _, start, end, _ = scanned
        assert start is not None and end is not None
        counted = np.flatnonzero(hashes)
        self._start, self._end = start[counted], end[counted]
        first = np.searchsorted(counted, offsets)  # of each text, among the words that count
        sizes = np.diff(first)
        text_of = np.repeat(np.arange(len(texts)), sizes)
        self.rows = _concepts_of(texts, hashes[counted], text_of, self._start, self._end)
        blocks = np.maximum((sizes + BLOCK_WORDS // 2) // BLOCK_WORDS, 1)
        pieces = np.where(sizes < FEWEST_WORDS, 0, 2 * blocks if overlap else blocks)
        self.blocks_of_text = np.maximum(pieces - 1, 0) if overlap else pieces
        self.blocks = int(self.blocks_of_text.sum())
        place = np.arange(len(counted)) - first[text_of]
        block = place * pieces[text_of] // np.maximum(sizes[text_of], 1)
        word = np.arange(len(counted))
        if overlap:
            # A piece stands in the block that begins with it and in the one that ends with it.
            block, word = np.concatenate((block, block - 1)), np.concatenate((word, word))
        is_in_one = (block >= 0) & (block < self.blocks_of_text[text_of[word]])
        before = np.cumsum(self.blocks_of_text) - self.blocks_of_text
        self.word = word[is_in_one]
        self.block = (block + before[text_of[word]])[is_in_one]

    def concept_blocks(self) -> Iterator[ConceptBlocks]:
        """The blocks of each text."""
        ids = _most_telling(self.rows, self.word, self.block, self.blocks)
        # Words of a block stand side by side: it reaches from the first to the last of them.
        first, last = np.full(self.blocks, len(self._start)), np.zeros(self.blocks, dtype=np.int64)
        np.minimum.at(first, self.block, self.word)
        np.maximum.at(last, self.block, self.word)
        start, end = self._start[first].astype(np.int64), self._end[last].astype(np.int64)
        ends = np.cumsum(self.blocks_of_text)
        for a, b in zip((ends - self.blocks_of_text).tolist(), ends.tolist(), strict=True):
            yield ConceptBlocks(ids[a:b], start[a:b], end[a:b])


def count_concepts(texts: Sequence[str]) -> tuple[dict[int, int], int]:
    """In how many blocks each concept stands, and how many blocks there are."""
    batch = _Batch(list(texts))
    first = np.searchsorted(batch.rows.word, batch.word)
    sizes = np.searchsorted(batch.rows.word, batch.word, side="right") - first
    row = np.arange(int(sizes.sum())) - np.repeat(np.cumsum(sizes) - sizes - first, sizes)
    there = np.unique(np.repeat(batch.block, sizes) << ID_BITS | batch.rows.id[row])
    ids, counts = np.unique(there & _ID_MASK, return_counts=True)
    return dict(zip(ids.tolist(), counts.tolist(), strict=True)), batch.blocks


def _concepts_of(
    texts: list[str],
    hashes: Keys,
    text_of: Places,
    start: NDArray[np.uint32],
    end: NDArray[np.uint32],
) -> _Rows:
    """What the words stand for. A word that the lexicon lacks is judged by how its text first
    writes it, whatever other texts there are.
    """
    lexicon = Concepts.shipped()
    known, word, key, weight = lexicon.of_hashes(hashes)
    unknown = np.flatnonzero(~known)
    order = unknown[np.lexsort((hashes[unknown], text_of[unknown]))]
    begins = np.ones(len(order), dtype=bool)
    begins[1:] = (hashes[order[1:]] != hashes[order[:-1]]) | (
        text_of[order[1:]] != text_of[order[:-1]]
    )
    heads = order[begins]
    spelled = [
        texts[t][a:b]
        for t, a, b in zip(
            text_of[heads].tolist(), start[heads].tolist(), end[heads].tolist(), strict=True
        )
    ]
    more, their_first = lexicon.of_spelled(spelled)
    which = np.cumsum(begins) - 1
    sizes = (their_first[1:] - their_first[:-1])[which]
    row = np.repeat(their_first[which] - (np.cumsum(sizes) - sizes), sizes) + np.arange(
        int(sizes.sum())
    )
    words = np.concatenate((word, np.repeat(order, sizes)))
    in_order = np.argsort(words, kind="stable")
    ids = np.concatenate((key + 1, _ids_of(more[row, 0])))
    return _Rows(words[in_order], ids[in_order], np.concatenate((weight, more[row, 1]))[in_order])


def _ids_of(keys: Places) -> Places:
    """Ids of concepts, and of what stands beyond them, strewn over the others."""
    mixed = (keys.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(24)
    others = FIRST_OTHER + (mixed % np.uint64(_OTHERS)).astype(np.int64)
    return np.where(keys < BEYOND_CONCEPTS, keys + 1, others)


def _most_telling(rows: _Rows, word: Places, block: Places, total: int) -> Ids:
    """Of each block the words that tell most, each with the concepts it may stand for.

    A word one of whose concepts a more telling one has says nothing new.
    """
    first = np.searchsorted(rows.word, word)
    sizes = np.searchsorted(rows.word, word, side="right") - first
    rarity = _rarity(rows.id)
    bounds = np.searchsorted(rows.word, np.arange(int(rows.word[-1]) + 2 if len(rows.word) else 1))
    before = np.concatenate(([0], np.cumsum(rows.weight * rarity)))
    telling = (before[bounds[1:]] - before[bounds[:-1]])[word] if len(word) else word
    order = np.argsort(block << _TELLING_BITS | (_MOST_TELLING - telling), kind="stable")
    first, sizes, block = first[order], sizes[order], block[order]
    rank = np.repeat(np.arange(len(order)), sizes)
    row = np.arange(len(rank)) - np.repeat(np.cumsum(sizes) - sizes - first, sizes)
    # Concepts in the order of their words; of each word the most usual first.
    packed = np.sort((rank << _RARITY_BITS | rarity[row]) << ID_BITS | rows.id[row])
    ids = packed & _ID_MASK
    of_block = block[rank]
    by_concept = np.argsort(of_block << ID_BITS | ids, kind="stable")
    is_again = np.zeros(len(ids), dtype=bool)
    is_again[by_concept[1:]] = (ids[by_concept[1:]] == ids[by_concept[:-1]]) & (
        of_block[by_concept[1:]] == of_block[by_concept[:-1]]
    )
    is_new = np.ones(len(order), dtype=bool)
    is_new[rank[is_again]] = False
    sense = np.arange(len(rank)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    kept = is_new[rank] & (sense < SENSES)
    ids, of_block, sense = ids[kept], of_block[kept], sense[kept]
    column = np.arange(len(ids)) - np.searchsorted(of_block, np.arange(total))[of_block]
    fits = column < TELLING
    telling_ids = np.zeros((total, TELLING), dtype=np.uint32)
    marked = np.where(sense == 0, ids | FIRST_SENSE, ids)
    telling_ids[of_block[fits], column[fits]] = marked[fits]
    return telling_ids


def _rarity(ids: Places) -> Places:
    """Quarters of a bit, by the shipped list."""
    return _shipped()[ids].astype(np.int64)


@cache
def _shipped() -> NDArray[np.uint8]:
    """How rare each concept is, by its id."""
    rarity = np.full(1 << ID_BITS, _RAREST, dtype=np.uint8)
    now = _RAREST
    for line in _rarity_lines():
        if heading := _HEADING.fullmatch(line):
            now = int(heading[1])
        elif not line.startswith("#"):
            rarity[np.fromstring(line, dtype=np.int64, sep=" ")] = now
    return rarity
