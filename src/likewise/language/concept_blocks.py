"""What a text is about, block by block: its words and their concepts, by which its source is found.

A text that was rewritten or translated shares no run of words with its source, but it speaks of the
same things in the same places. So a text is cut into blocks of some dozens of words, and of each
block the distinct words are kept, those first whose concepts are rarest by a shipped list, names
and numbers among them. Two blocks are held together by the pairs of concepts that their most
telling words have in common (a concept stands in thousands of blocks, two of them together in few),
and by the words that stand in both and are not frequent.

Nothing here depends on settings or on what else a library holds: a text has the same blocks always.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from likewise import kernels
from likewise.kernels.blocks import PAIR_BYTES, WORD_BITS, Bytes, pack_rows, unpack_rows
from likewise.kernels.relations import WHOLE
from likewise.language import concepts
from likewise.language.concepts import BEYOND_CONCEPTS, Concepts
from likewise.language.lexicon import borrow_lexicon
from likewise.language.rarity import read_frequencies, shipped_bits
from likewise.language.words import scan, settle
from likewise.settings import Settings

RECIPE = 3  # of blocks from words
BLOCK_WORDS = 56  # that count, some 90 in all
MOST_WORDS = 40  # distinct ones of a block that are kept, the most telling first
ROW_BYTES = MOST_WORDS // 2 * PAIR_BYTES  # of a block, packed
INDEXED_WORDS = 8  # of a block, the pairs of whose concepts are kept in an index
INDEXED_RARE_WORDS = 24  # of a block, that are kept in an index by themselves
QUERIED_WORDS = 16  # of a block, whose pairs are looked up: what is rare here may be less so there
QUERIED_RARE_WORDS = 32
QUERIED_AMBIGUOUS_WORDS = 10  # of which also the second concept is looked up
FEWEST_WORDS = 12  # that count, of a text: less says nothing

ID_BITS = WORD_BITS
FIRST_OTHER = 1 << 17  # below it entries and concepts of the lexicon, from 1; above names, numbers
_ID_MASK = (1 << ID_BITS) - 1
_OTHERS = (1 << ID_BITS) - FIRST_OTHER
_RAREST = 56  # quarters of a bit
_LEAST_BITS, _MOST_BITS = 5, 11  # of a word: those that are rarer by the lists seldom are
_MOST_SHARE = 0.6  # of blocks, that may have a concept of a word
_RARE_BITS = 6  # of a word that is found by itself
_BATCH_CHARS = 1 << 20
_HEADING = re.compile(r"\[(\d+)\]")

Ids = NDArray[np.uint32]
Keys = NDArray[np.uint64]
Places = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class ConceptBlocks:
    """The blocks of a text: a row of words for each, the most telling first, then zeros.

    `start` and `end` are the characters between which a block stands.
    """

    ids: Ids
    start: Places
    end: Places

    def __len__(self) -> int:
        return len(self.ids)


class WordTable(NamedTuple):
    """What is known about the words of the lexicon, by their ids, of which 0 is none.

    The concepts of word k are `concepts[first[k] : first[k + 1]]`, the most usual first; `senses`
    are the first two of them. `telling` says in which order words come, `concept_bits` and
    `word_bits` how rare a block is that has one of its concepts, or the word itself.
    """

    first: NDArray[np.int32]
    concepts: NDArray[np.int32]
    senses: Ids
    telling: Places
    concept_bits: NDArray[np.float64]
    word_bits: NDArray[np.float64]


def recipe() -> str:
    """By what blocks are made; those of another recipe would never meet these.

    >>> recipe().split()[0]
    'blocks3'
    """
    indexed = f"{INDEXED_WORDS},{INDEXED_RARE_WORDS},{_RARE_BITS}"
    made_by = f"words={BLOCK_WORDS},{MOST_WORDS} indexed={indexed} rarity={_rarity_digest()}"
    return f"blocks{RECIPE} {made_by} {concepts.recipe()}"


@cache
def _rarity_digest() -> str:
    lists = "\n".join((*_rarity_lines(), read_frequencies()))
    return hashlib.sha256(lists.encode()).hexdigest()[:12]


def _rarity_lines() -> list[str]:
    return (files(__package__) / "concept_rarity.txt").read_text("utf-8").splitlines()


def concept_blocks(texts: Sequence[str], *, overlap: bool = False) -> list[ConceptBlocks]:
    """The blocks of each text; where they overlap, each begins in the middle of the one before.

    >>> one, other = concept_blocks(["The wolf ate seven goats of a shepherd. " * 4, "Hush!"])
    >>> one.ids.shape[1] == MOST_WORDS, len(one), len(other)
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


# Keys by which blocks meet.


def block_keys(
    ids: Ids, words: int, rare_words: int, ambiguous_words: int = 0, *, distinct: bool = False
) -> Keys:
    """The keys of blocks, a row for each; 0 for none.

    Of the first so many words every two have the pair of their most usual concepts; of the words
    that are rare, the first so many stand for themselves. Among the first words that may be
    `ambiguous`, the next most usual concept of one counts beside the most usual of the other.

    >>> (block,) = concept_blocks(["The wolf ate seven goats of a poor shepherd. " * 4])
    >>> keys = block_keys(block.ids, 2, 3)
    >>> keys.shape == (1, 1 + MOST_WORDS), 1 <= (keys > 0).sum() <= 4
    (True, np.True_)
    """
    senses = word_table().senses
    how_many = words, rare_words, ambiguous_words
    return kernels.block_keys(np.ascontiguousarray(ids), senses, _is_rare(), *how_many, distinct)


@cache
def _is_rare() -> NDArray[np.bool_]:
    """Of every word, by its id, whether it is a key by itself."""
    ids = np.arange(1 << ID_BITS, dtype=np.uint32)
    is_rare: NDArray[np.bool_] = is_word(ids)
    is_rare[is_rare] = word_bits(ids[is_rare]) >= _RARE_BITS
    return is_rare


# What words say.


def concept_bits(ids: Ids) -> NDArray[np.float64]:
    """How many bits it tells that a block has a concept of each word; 0 where there is none."""
    return _bits(ids, word_table().concept_bits)


def word_bits(ids: Ids) -> NDArray[np.float64]:
    """How many bits it tells that a block has each word itself; 0 where there is none."""
    return _bits(ids, word_table().word_bits)


def _bits(ids: Ids, of_lexicon: NDArray[np.float64]) -> NDArray[np.float64]:
    is_other = ids >= FIRST_OTHER
    bits: NDArray[np.float64] = of_lexicon[np.where(is_other, 0, ids)]
    others = np.minimum(_rarity(ids[is_other].astype(np.int64)) / 4, _MOST_BITS)
    bits[is_other] = others
    return bits


@cache
def word_table() -> WordTable:
    """The words of the lexicon."""
    hashes, notions, first = Concepts.shipped().entries
    ids = notions + 1
    entry = np.repeat(np.arange(len(hashes)), np.diff(first))
    rarity = _rarity(ids)
    order = np.lexsort((ids, rarity, entry))  # the most usual concept of each first
    ids, rarity = ids[order], rarity[order]
    senses = np.zeros((len(hashes) + 1, 2), dtype=np.uint32)
    column = np.arange(len(ids)) - first[entry]
    is_used = column < senses.shape[1]
    senses[entry[is_used] + 1, column[is_used]] = ids[is_used]
    share = np.bincount(entry, 2.0 ** -np.minimum(rarity / 4, _MOST_BITS), minlength=len(hashes))
    mean = np.bincount(entry, rarity, minlength=len(hashes)) / np.diff(first)
    of_words = np.clip(shipped_bits(hashes), _LEAST_BITS, _MOST_BITS)
    nothing = np.zeros(1)
    return WordTable(
        np.concatenate(([0], first)).astype(np.int32),
        ids.astype(np.int32),
        senses,
        np.concatenate(([0], np.rint(mean * WHOLE))).astype(np.int64),
        np.concatenate((nothing, -np.log2(np.minimum(share, _MOST_SHARE)))),
        np.concatenate((nothing, of_words)),
    )


# As a database keeps them.


def pack_blocks(ids: Ids) -> bytes:
    """Blocks as a database keeps them: of each how many words it has, then its row up to there."""
    counts = (ids > 0).sum(axis=1)
    plain = np.concatenate((counts[:, None].astype(np.uint8), pack_rows(ids)), axis=1)
    return plain[np.arange(plain.shape[1]) <= _row_bytes(counts)[:, None]].tobytes()


def unpack_blocks(data: bytes | memoryview) -> Ids:
    """Blocks as they were kept. ValueError if they are damaged.

    >>> ids = np.zeros((2, MOST_WORDS), dtype=np.uint32)
    >>> ids[0, :2], ids[1, 0] = [5, 1 << 18], 7
    >>> bool((unpack_blocks(pack_blocks(ids)) == ids).all())
    True
    """
    plain = np.frombuffer(data, dtype=np.uint8)
    starts: list[int] = []
    at = 0
    while at < len(plain):
        starts.append(at)
        at += 1 + (int(plain[at]) + 1) // 2 * PAIR_BYTES
    first = np.array(starts, dtype=np.int64)
    counts = plain[first].astype(np.int64)
    if at != len(plain) or int(counts.max(initial=0)) > MOST_WORDS:
        raise ValueError("blocks are not as they were packed")
    rows: Bytes = np.zeros((len(first), ROW_BYTES), dtype=np.uint8)
    rows[np.arange(ROW_BYTES) < _row_bytes(counts)[:, None]] = np.delete(plain, first)
    ids = unpack_rows(rows)
    is_there = np.arange(MOST_WORDS) < counts[:, None]
    if not is_word(ids[is_there]).all() or ids[~is_there].any():
        raise ValueError("blocks have words that there are not")
    return ids


def _row_bytes(counts: Places) -> Places:
    return (counts + 1) // 2 * PAIR_BYTES


def is_word(ids: Ids) -> NDArray[np.bool_]:
    """Which numbers are the id of a word."""
    is_other = (ids >= FIRST_OTHER) & (ids <= _ID_MASK)
    is_id: NDArray[np.bool_] = is_other | ((ids > 0) & (ids < len(word_table().senses)))
    return is_id


class _Batch:
    """Texts with their words in blocks: those of one stand side by side, from begin to end."""

    def __init__(self, texts: list[str], overlap: bool = False) -> None:
        with borrow_lexicon(Settings()) as lexicon:
            scanned = scan(texts, lexicon, spans=True)
            hashes, offsets = settle(scanned, lexicon)
        _, _, start, end, _ = scanned
        assert start is not None and end is not None
        counted = np.flatnonzero(hashes)
        self._start, self._end = start[counted], end[counted]
        first = np.searchsorted(counted, offsets)  # of each text, among the words that count
        self.ids, self._telling = _word_ids(texts, hashes[counted], first, self._start, self._end)
        sizes = np.diff(first)
        blocks = np.maximum((sizes + BLOCK_WORDS // 2) // BLOCK_WORDS, 1)
        # Where blocks overlap, each is of two pieces, of which the second begins the next.
        pieces = np.where(sizes < FEWEST_WORDS, 0, 2 * blocks if overlap else blocks)
        self.blocks_of_text = np.maximum(pieces - 1, 0) if overlap else pieces
        ends = np.cumsum(self.blocks_of_text)
        text = np.repeat(np.arange(len(texts)), self.blocks_of_text)
        piece = np.arange(len(text)) - (ends - self.blocks_of_text)[text]
        self.begins, self.ends = (
            first[text] - (-each * sizes[text] // pieces[text])
            for each in (piece, piece + (2 if overlap else 1))
        )

    def concept_blocks(self) -> Iterator[ConceptBlocks]:
        """The blocks of each text."""
        table = word_table()
        words = self.ids, self._telling, self.begins, self.ends
        ids = kernels.rank_words(*words, table.first, table.concepts, MOST_WORDS)
        start = self._start[self.begins].astype(np.int64)
        end = self._end[self.ends - 1].astype(np.int64)
        last = np.cumsum(self.blocks_of_text)
        for a, b in zip((last - self.blocks_of_text).tolist(), last.tolist(), strict=True):
            yield ConceptBlocks(ids[a:b], start[a:b], end[a:b])


def count_concepts(texts: Sequence[str]) -> tuple[dict[int, int], int]:
    """In how many blocks each concept stands, and how many blocks there are."""
    batch = _Batch(list(texts))
    counts: Counter[int] = Counter()
    for begin, end in zip(batch.begins.tolist(), batch.ends.tolist(), strict=True):
        counts.update(set(_concepts_of(batch.ids[begin:end])))
    return dict(counts), len(batch.begins)


def _concepts_of(ids: Places) -> Iterator[int]:
    table = word_table()
    for word in ids.tolist():
        if word >= FIRST_OTHER:
            yield word
        else:
            yield from table.concepts[table.first[word] : table.first[word + 1]].tolist()


def _word_ids(
    texts: list[str],
    hashes: Keys,
    offsets: Places,
    start: NDArray[np.uint32],
    end: NDArray[np.uint32],
) -> tuple[Places, Places]:
    """The ids of words, and how telling each is. A word that the lexicon lacks is judged by how its
    text first writes it, whatever other texts there are.
    """
    lexicon = Concepts.shipped()
    places, first = lexicon.find_entries(hashes, offsets)
    text = np.searchsorted(offsets, first, side="right") - 1
    spans = zip(text.tolist(), start[first].tolist(), end[first].tolist(), strict=True)
    numbers, weights = lexicon.number_spelled([texts[t][a:b] for t, a, b in spans])
    ids_there = _ids_of(numbers)
    telling_there = np.where(
        ids_there < FIRST_OTHER,
        word_table().telling[np.where(ids_there < FIRST_OTHER, ids_there, 0)],
        _rarity(ids_there) * weights,
    )
    # Behind what the lexicon has, in one table: a word is found there from the end.
    ids = np.concatenate((np.arange(1, len(word_table().telling)), ids_there[::-1]))
    telling = np.concatenate((word_table().telling[1:], telling_there[::-1]))
    return ids[places], telling[places]


def _ids_of(numbers: Places) -> Places:
    """Ids of entries of the lexicon, and of what stands beyond it, strewn over the others."""
    mixed = (numbers.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(24)
    others = FIRST_OTHER + (mixed % np.uint64(_OTHERS)).astype(np.int64)
    return np.where(numbers < BEYOND_CONCEPTS, numbers + 1, others)


def _rarity(ids: Places) -> Places:
    """Of concepts and other words, in quarters of a bit, by the shipped list."""
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
