"""Own sentences between copied ones: a passage is what has a partner, not what lies around it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from likewise.align.kinds import chain
from likewise.align.pair import Box, Numbers, Pair
from likewise.align.side import SENTENCE

_FEWEST_WORDS = 5  # that count, in a sentence that can be told to be own
_EXPLAINED = 0.2  # of a sentence's words stand where the passage has reached: then it is none
_COPIED = 0.6  # of a sentence's words have partners in the same order: then it is
_SLACK = 2  # words on either side of that place
_FOUND_ELSEWHERE = 0.35  # of them anywhere in the passage: then they were only moved


def without_own_sentences(pair: Pair, box: Box) -> list[Box]:
    """The parts of a passage around sentences of the checked side that came from elsewhere.

    What a sentence could come from is known: it lies between the partners of the words before it
    and of the words behind it.
    """
    side = pair.a.side
    begins = side.breaks[box.a0 + 1 : box.a1] >= SENTENCE
    text = side.text[side.start[box.a0] : side.end[box.a1 - 1]]
    if ":" in text:  # what is filled in behind a label is a sentence of its own
        gaps = zip(side.end[box.a0 : box.a1 - 1], side.start[box.a0 + 1 : box.a1], strict=True)
        begins = begins | np.array([":" in side.text[end:start] for end, start in gaps], dtype=bool)
    starts = box.a0 + 1 + np.flatnonzero(begins)
    if not len(starts):
        return [box]
    firsts, ends = np.concatenate(([box.a0], starts)), np.concatenate((starts, [box.a1]))
    places_a = box.a0 + np.flatnonzero(pair.a.numbers[box.a0 : box.a1])
    places_b = box.b0 + np.flatnonzero(pair.b.numbers[box.b0 : box.b1])
    at_a, at_b = chain(pair.a.numbers[places_a], pair.b.numbers[places_b])
    in_chain, partner = places_a[at_a], places_b[at_b]
    low, high = np.searchsorted(in_chain, firsts), np.searchsorted(in_chain, ends)
    # The words of the other side that stand between the partners of both neighbours.
    after = np.where(low > 0, partner[np.maximum(low - 1, 0)] + 1, box.b0)
    before = np.where(high < len(partner), partner[np.minimum(high, len(partner) - 1)], box.b1)
    sizes = np.searchsorted(places_a, ends) - np.searchsorted(places_a, firsts)
    is_copied = (high - low) >= np.maximum(_COPIED * sizes, 1)
    is_own = [
        _is_own(pair, box, int(firsts[k]), int(ends[k]), int(after[k]), int(before[k]))
        if not is_copied[k]
        else False
        for k in range(len(firsts))
    ]
    is_own = [own and _is_beside(is_own, is_copied, k) for k, own in enumerate(is_own)]
    if not any(is_own):
        return [box]
    return [
        _part(pair, box, (int(firsts[i]), int(ends[j])), partner[low[i] : high[j]])
        for i, j in _stretches(is_own)
        if high[j] > low[i]
    ]


def _is_own(pair: Pair, box: Box, first: int, last: int, after: int, before: int) -> bool:
    words = pair.a.numbers[first:last]
    words = words[words != 0]
    if len(words) < _FEWEST_WORDS:
        return False
    there = pair.b.numbers[max(after - _SLACK, box.b0) : min(before + _SLACK, box.b1)]
    distinct, here = np.unique(words, return_counts=True)
    explained = int(np.minimum(here, pair.count(distinct, there)).sum())
    if explained >= _EXPLAINED * len(words):
        return False
    anywhere = np.minimum(here, pair.count(distinct, pair.b.numbers[box.b0 : box.b1]))
    return int(anywhere.sum()) < _FOUND_ELSEWHERE * len(words)


def _is_beside(is_own: list[bool], is_copied: NDArray[np.bool_], k: int) -> bool:
    """Whether the nearest sentences before and behind that may be copied are copied beyond doubt.

    In a passage that was shuffled or rewritten throughout, nothing tells an own sentence apart.
    """
    for others in (range(k - 1, -1, -1), range(k + 1, len(is_own))):
        nearest = next((i for i in others if not is_own[i]), None)
        if nearest is not None and not is_copied[nearest]:
            return False
    return True


def _stretches(is_own: list[bool]) -> list[tuple[int, int]]:
    """Sentences in a row that are not own: the first and the last."""
    stretches: list[tuple[int, int]] = []
    first: int | None = None
    for k, own in enumerate([*is_own, True]):
        if own and first is not None:
            stretches.append((first, k - 1))
        first = None if own else (k if first is None else first)
    return stretches


def _part(pair: Pair, box: Box, words: tuple[int, int], partners: Numbers) -> Box:
    """A part of a passage, with the sentences of the other side in which its partners stand."""
    breaks = pair.b.side.breaks
    first, last = int(partners.min()), int(partners.max()) + 1
    while first > box.b0 and breaks[first] < SENTENCE:
        first -= 1
    while last < box.b1 and breaks[last] < SENTENCE:
        last += 1
    return Box(words[0], words[1], first, last)
