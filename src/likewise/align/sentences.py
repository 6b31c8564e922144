"""Sentences that stand word for word in both documents, wherever they stand."""

from __future__ import annotations

import zlib
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from likewise.align.pair import Box, Half, Numbers, Pair
from likewise.align.seeds import diagonals, equal_points
from likewise.align.side import SENTENCE

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
        i, j, n = _grown(a.key, b.key, i, j, n)
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


def _grown(a: Numbers, b: Numbers, i: int, j: int, n: int) -> tuple[int, int, int]:
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
