"""Sentences taken over one by one: each too short for a passage, together a good part of a text."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from likewise.align.extend import EVIDENCE, Extent
from likewise.align.pair import Box, Half, Numbers, Pair
from likewise.align.seeds import diagonals, equal_points
from likewise.align.side import SENTENCE
from likewise.align.validate import Found, examine

_LEAST_PIECES = 3
_LEAST_WORDS = 4  # that count, for a sentence to be told from a phrase
_LEAST_SHARE = 0.2  # of the longer document, outside of other passages
_MOSTLY_THE_SAME = 0.5  # of the longer document in equal sentences: then every one counts
_MOST_POINTS = 16
_SAME_REST = 0.4  # of the words between equal sentences: then the whole is a passage
# A short stretch that is no whole sentence counts beside scattered sentences when it is strong.
_LEAST_STRENGTH = 15 * EVIDENCE


class _Sentences(NamedTuple):
    """Sentences with words that count: first word, end, a key of the words, how many count."""

    first: Numbers
    last: Numbers
    key: Numbers
    size: Numbers


def with_scattered(pair: Pair, strong: list[Found], all_found: list[Found]) -> list[Found]:
    """The strong passages, and scattered sentences beside them where there are enough of those."""
    chains, sizes = _equal_sentences(pair)
    whole = _Shelf(found.box for found in strong if found.kind == "verbatim")
    loose = [k for k, box in enumerate(chains) if not whole.holds(box)]
    clear = [k for k in loose if sizes[k] >= _LEAST_WORDS]
    words = sum(sizes[k] for k in clear)
    longer = max(pair.a.size, pair.b.size)
    scattered = len(clear) >= _LEAST_PIECES and words >= _LEAST_SHARE * longer
    if not scattered and sum(sizes) < _MOSTLY_THE_SAME * longer:
        return strong
    pieces = _Shelf(chains[k] for k in loose)
    kept = [f for f in strong if f.kind == "verbatim" or not _is_made_of(pair, f.box, pieces)]
    shelf = _Shelf(found.box for found in kept)
    taken = kept + [
        examine(pair, Extent(box, 0, 0)) for box in pieces.boxes if not shelf.holds(box)
    ]
    return taken + _beside(pair, taken, all_found)


def _beside(pair: Pair, taken: list[Found], all_found: list[Found]) -> list[Found]:
    """Strong stretches of any length that have no word of either document in common with others."""
    of_a = np.zeros(len(pair.a.numbers), dtype=bool)
    of_b = np.zeros(len(pair.b.numbers), dtype=bool)
    for found in taken:
        of_a[found.box.a0 : found.box.a1] = True
        of_b[found.box.b0 : found.box.b1] = True
    return [
        found
        for found in all_found
        if found.strength >= _LEAST_STRENGTH
        and found.kind != "paraphrased"
        and not of_a[found.box.a0 : found.box.a1].any()
        and not of_b[found.box.b0 : found.box.b1].any()
    ]


class _Shelf:
    """Boxes in order, so that those near another are found without looking at all of them."""

    def __init__(self, boxes: Iterable[Box]) -> None:
        self.boxes = sorted(boxes)
        self._begins = [box.a0 for box in self.boxes]
        self._longest = max((box.a1 - box.a0 for box in self.boxes), default=0)

    def meeting(self, box: Box) -> list[Box]:
        low = bisect_left(self._begins, box.a0 - self._longest)
        high = bisect_left(self._begins, box.a1)
        return [other for other in self.boxes[low:high] if other.meets(box)]

    def holds(self, box: Box) -> bool:
        return any(other.joined(box) == other for other in self.meeting(box))


def _equal_sentences(pair: Pair) -> tuple[list[Box], list[int]]:
    """Sentences with the same words in both, in a row as long as they go; no word shown in vain."""
    a, b = _sentences(pair.a), _sentences(pair.b)
    points = equal_points(a.key, b.key, _MOST_POINTS, keep_frequent=True)
    first_a, first_b, steps = diagonals(points.a, points.b, 1)
    count = steps + 1
    before = np.concatenate((np.zeros(1, np.int64), np.cumsum(a.size)))
    size = before[first_a + count] - before[first_a]
    shown_a = np.zeros(len(a.key), dtype=bool)
    shown_b = np.zeros(len(b.key), dtype=bool)
    boxes, sizes = [], []
    for k in np.lexsort((first_b, first_a, -size)).tolist():
        i, j, n = int(first_a[k]), int(first_b[k]), int(count[k])
        if shown_a[i : i + n].all() and shown_b[j : j + n].all():
            continue
        shown_a[i : i + n] = True
        shown_b[j : j + n] = True
        boxes.append(
            Box(int(a.first[i]), int(a.last[i + n - 1]), int(b.first[j]), int(b.last[j + n - 1]))
        )
        sizes.append(int(size[k]))
    return boxes, sizes


def _sentences(half: Half) -> _Sentences:
    starts = np.flatnonzero(half.side.breaks[:-1] >= SENTENCE)
    ends = np.append(starts[1:], len(half.numbers))
    low, high = np.searchsorted(half.places, starts), np.searchsorted(half.places, ends)
    told = high > low
    starts, ends, low, high = starts[told], ends[told], low[told], high[told]
    return _Sentences(starts, ends, _keys(half.side.hash[half.places], low, high), high - low)


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


def _is_made_of(pair: Pair, box: Box, pieces: _Shelf) -> bool:
    """Whether the pieces in it are all that is shared: the rest of a is not the rest of b."""
    inside = pieces.meeting(box)
    if not inside:
        return False
    a = _rest(pair.a, box.a0, box.a1, [(piece.a0, piece.a1) for piece in inside])
    b = _rest(pair.b, box.b0, box.b1, [(piece.b0, piece.b1) for piece in inside])
    shared = int(np.count_nonzero(pair.count(a, b)))
    return shared < _SAME_REST * len(a)


def _rest(half: Half, first: int, last: int, pieces: list[tuple[int, int]]) -> Numbers:
    """The words that count of a stretch, without those in pieces."""
    numbers = half.numbers[first:last].copy()
    for start, end in pieces:
        numbers[max(start - first, 0) : max(end - first, 0)] = 0
    rest: Numbers = numbers[numbers != 0]
    return rest
