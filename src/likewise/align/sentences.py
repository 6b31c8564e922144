"""Sentences that stand word for word in both documents, wherever they stand."""

from __future__ import annotations

import math
import zlib
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from likewise.align.box_index import BoxIndex
from likewise.align.candidates import Candidate, examine, word_for_word
from likewise.align.pair import Box, Half, Numbers, Pair
from likewise.align.seeds import diagonals, equal_points
from likewise.align.side import SENTENCE
from likewise.kernels.relations import NAT

_MOST_POINTS = 16
_MOST_GROWTH = 8  # sentences before and behind that stand too often to be found by themselves


class Equal(NamedTuple):
    """Equal sentences in a row."""

    box: Box
    size: int  # how many of their words count
    key: int  # of what they say
    is_refrain: bool  # each stands again and again in both documents


class _Sentences(NamedTuple):
    """First word, end, a key of the words, how many count."""

    first: Numbers
    last: Numbers
    key: Numbers
    size: Numbers


def count_of(half: Half) -> int:
    """How many sentences a document has."""
    return int(np.count_nonzero(half.side.breaks[:-1] >= SENTENCE))


def equal_sentences(pair: Pair) -> list[Equal]:
    """Sentences with the same words in both, in a row as long as they go; none shown in vain."""
    a, b = _sentences(pair.a), _sentences(pair.b)
    points = equal_points(a.key, b.key, _MOST_POINTS, keep_frequent=True)
    first_a, first_b, steps = diagonals(points.a, points.b, 1)
    count = steps + 1
    before = np.concatenate((np.zeros(1, np.int64), np.cumsum(a.size)))
    refrains = _are_refrains(a.key, b.key)
    size = before[first_a + count] - before[first_a]
    shown_a = np.zeros(len(a.key), dtype=bool)
    shown_b = np.zeros(len(b.key), dtype=bool)
    equal = []
    for k in np.lexsort((first_b, first_a, -size)).tolist():
        i, j, n = int(first_a[k]), int(first_b[k]), int(count[k])
        if shown_a[i : i + n].all() and shown_b[j : j + n].all():
            continue
        i, j, n = _grow_row(a.key, b.key, i, j, n)
        shown_a[i : i + n] = True
        shown_b[j : j + n] = True
        box = Box(int(a.first[i]), int(a.last[i + n - 1]), int(b.first[j]), int(b.last[j + n - 1]))
        size_grown, key = int(before[i + n] - before[i]), hash(tuple(a.key[i : i + n].tolist()))
        equal.append(Equal(box, size_grown, key, bool(refrains[i : i + n].all())))
    return equal


def _are_refrains(a: Numbers, b: Numbers) -> NDArray[np.bool_]:
    """Which sentences of a stand more than once in both documents, and more than twice in one."""
    distinct, number = np.unique(np.concatenate((a, b)), return_inverse=True)
    of_a, of_b = number[: len(a)], number[len(a) :]
    here = np.bincount(of_a, minlength=len(distinct))
    there = np.bincount(of_b, minlength=len(distinct))
    refrain: NDArray[np.bool_] = (np.minimum(here, there) > 1) & (np.maximum(here, there) > 2)
    return refrain[of_a]


def _grow_row(a: Numbers, b: Numbers, i: int, j: int, n: int) -> tuple[int, int, int]:
    """The row with the equal sentences right before and behind it."""
    for _ in range(_MOST_GROWTH):
        if i + n == len(a) or j + n == len(b) or a[i + n] != b[j + n]:
            break
        n += 1
    for _ in range(_MOST_GROWTH):
        if not i or not j or a[i - 1] != b[j - 1]:
            break
        i, j, n = i - 1, j - 1, n + 1
    return i, j, n


def _sentences(half: Half) -> _Sentences:
    starts = np.flatnonzero(half.side.breaks[:-1] >= SENTENCE)
    ends = np.append(starts[1:], len(half.numbers))
    low, high = np.searchsorted(half.places, starts), np.searchsorted(half.places, ends)
    keys = _keys(half.side.hash[half.places], low, high)
    for k in np.flatnonzero(low == high).tolist():
        keys[k] = _key_of_small_words(half, int(starts[k]), int(ends[k]))
    return _Sentences(starts, ends, keys, high - low)


def _key_of_small_words(half: Half, first: int, last: int) -> int:
    """For a sentence without a word that counts: then all its words are compared."""
    side = half.side
    ends = zip(side.start[first:last].tolist(), side.end[first:last].tolist(), strict=True)
    words = " ".join(side.text[start:end].casefold() for start, end in ends)
    return zlib.crc32(words.encode("utf-8", "surrogatepass"))


def _keys(words: NDArray[np.uint64], low: Numbers, high: Numbers) -> Numbers:
    """One number for the words of each stretch in their order: a difference of rolling hashes."""
    base, inverse = 0x9E3779B97F4A7C15, 0xF1DE83E19937733D
    powers = np.full(len(words), base, dtype=np.uint64)
    back = np.full(len(words) + 1, inverse, dtype=np.uint64)
    if len(words):
        powers[0] = 1
    back[0] = 1
    total = np.zeros(len(words) + 1, dtype=np.uint64)
    np.cumsum(words * np.cumprod(powers), out=total[1:])
    return ((total[high] - total[low]) * np.cumprod(back)[low]).view(np.int64)


# Sentences taken over one by one: each too short for a passage, together a good part of a text.


# So many sentences are no chance; a passage copied word for word stands for half a one. Where equal
# sentences are a good share of the longer document, one beside another or a passage is enough.
_LEAST_SENTENCES, _LARGE_SHARE = 3, 0.1
_LEAST_WORDS = 4  # that count, for a sentence to be told from a phrase
# How much less likely each further word makes it that a sentence stands in both by chance, as a
# logarithm. Less than single words would have it, for people say the same things in the same way;
# less so beside sentences that were copied.
_NATS_OF_A_WORD, _NATS_AMONG_COPIES, _NATS_OF_A_SMALL_WORD = 2, 3, 1
_MOSTLY_THE_SAME = 0.5  # of the longer document in equal sentences: then every one counts
_SAME_REST = 0.45  # Dice of the words between equal sentences: then the whole is a passage
# A short stretch that is no whole sentence counts beside scattered sentences when it is strong.
_LEAST_STRENGTH = 15 * NAT


def scattered_rows(pair: Pair, equal: list[Equal], strong: list[Candidate]) -> list[Box]:
    """Equal sentences outside of verbatim passages, where there are enough not to be chance.

    What is enough depends on how long the documents are: of all pairs of their sentences, not one
    should be equal by chance. Where some were copied, others are likelier to be.
    """
    verbatim = BoxIndex(candidate.box for candidate in strong if candidate.kind == "verbatim")
    loose = [row for row in equal if not verbatim.holds(row.box)]
    chance = math.log(max(count_of(pair.a) * count_of(pair.b), 1))
    clear = {
        row.key
        for row in loose
        if row.size >= _LEAST_WORDS and _nats(row, _NATS_OF_A_WORD) >= chance
    }
    pieces = len(clear) + len(verbatim.boxes)
    share = sum(row.size for row in equal) / max(pair.a.size, pair.b.size)
    if share >= _MOSTLY_THE_SAME:
        return [row.box for row in loose]
    enough = len(clear) + len(verbatim.boxes) / 2 >= _LEAST_SENTENCES
    if clear and (enough or (pieces > 1 and share >= _LARGE_SHARE)):
        chance -= math.log(pieces)
        return [row.box for row in loose if _nats(row, _NATS_AMONG_COPIES) >= chance]
    return []


def with_scattered(
    pair: Pair, rows: list[Box], strong: list[Candidate], examined: list[Candidate]
) -> list[Candidate]:
    """The strong passages, unless they are made of scattered sentences; and those sentences."""
    pieces = BoxIndex(rows)
    whole = [f for f in strong if f.kind == "verbatim" or not _consists_of(pair, f.box, pieces)]
    passages, rest = _grow_passages(pair, whole, pieces.boxes)
    passages += [word_for_word(pair, box) for box in rest]
    return passages + _beside(pair, passages, examined)


def _grow_passages(
    pair: Pair, candidates: list[Candidate], rows: list[Box]
) -> tuple[list[Candidate], list[Box]]:
    """The passages with the sentences that go on from them, and the sentences that are left."""
    index = BoxIndex(candidate.box for candidate in candidates)
    now = {candidate.box: candidate for candidate in candidates}
    rest = []
    for row in rows:
        near = index.touching(row)
        if any(now[box].box.holds(row) for box in near):
            continue
        for box in near:
            candidate = now[box]
            grown = examine(pair, candidate.extent._replace(box=candidate.box.joined(row)))
            if grown.kind == candidate.kind:
                now[box] = grown
                break
        else:
            rest.append(row)
    return list(now.values()), rest


def _nats(row: Equal, of_a_word: int) -> int:
    """How unlikely it is that these sentences stand in both documents by chance; 0 for refrains."""
    if row.is_refrain:
        return 0
    here, there = row.box.a1 - row.box.a0, row.box.b1 - row.box.b0
    small = here - row.size if here == there else 0
    return of_a_word * row.size + _NATS_OF_A_SMALL_WORD * small


def _beside(pair: Pair, passages: list[Candidate], examined: list[Candidate]) -> list[Candidate]:
    """Strong stretches of any length, without a word of the others, where much is copied."""
    of_a = np.zeros(len(pair.a.numbers), dtype=bool)
    of_b = np.zeros(len(pair.b.numbers), dtype=bool)
    for candidate in passages:
        of_a[candidate.box.a0 : candidate.box.a1] = True
        of_b[candidate.box.b0 : candidate.box.b1] = True
    longer = of_a if len(of_a) > len(of_b) else of_b
    if longer.mean() < _LARGE_SHARE:
        return []
    return [
        candidate
        for candidate in examined
        if candidate.strength >= _LEAST_STRENGTH
        and candidate.kind != "rewritten"
        and not of_a[candidate.box.a0 : candidate.box.a1].any()
        and not of_b[candidate.box.b0 : candidate.box.b1].any()
    ]


def _consists_of(pair: Pair, box: Box, pieces: BoxIndex) -> bool:
    """Whether the pieces in it are all that is shared: the rest of a is not the rest of b."""
    inside = pieces.meeting(box)
    if not inside:
        return False
    a = _rest(pair.a, box.a0, box.a1, [(piece.a0, piece.a1) for piece in inside])
    b = _rest(pair.b, box.b0, box.b1, [(piece.b0, piece.b1) for piece in inside])
    distinct, here = np.unique(a, return_counts=True)
    common = int(np.minimum(here, pair.count(distinct, b)).sum())
    return 2 * common < _SAME_REST * (len(a) + len(b))


def _rest(half: Half, first: int, last: int, pieces: list[tuple[int, int]]) -> Numbers:
    """The words that count of a stretch, without those in pieces."""
    numbers = half.numbers[first:last].copy()
    for start, end in pieces:
        numbers[max(start - first, 0) : max(end - first, 0)] = 0
    rest: Numbers = numbers[numbers != 0]
    return rest
