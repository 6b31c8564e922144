"""From a cluster to a passage: where it begins and ends on either side.

Take the words of the other side's passage as given. A word of a copied stretch comes from them with
some probability p, else from the language of its own document; a word outside always does. The
logarithm of the ratio of both probabilities is the evidence of a word, and the best stretch is the
one with the most evidence, where beginning and end weigh in too: passages end with sentences,
lines and blocks. Both sides are fitted in turn until they agree.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from likewise.align.pair import Box, Half, Numbers, Pair
from likewise.align.side import SENTENCE
from likewise.kernels import best_stretch

EVIDENCE = 1000  # evidence is counted in thousandths of a nat, exactly

_ROUNDS = 3
_WORDS_AROUND = 120  # how far a passage may grow beyond its cluster in one round
MOST_LOSS = 7 * EVIDENCE  # growth stops when more is lost again

# How often a word of a passage is found on the other side, before anything is seen: as if in 20
# words of which half were found.
_EXPECTED_WORDS, _EXPECTED_PARTNERS = 20, 10
_LEAST_SHARE, _MOST_SHARE = 0.3, 0.95
# A language of 5,000 equally frequent words, seen 500 words long, beside the document's own words.
_UNSEEN_WORDS, _UNSEEN_FREQUENCY = 500, 0.1
_MOST_OF_A_WORD = 4.0
# Each word of the other side explains one word here. One more of the same is held against the
# stretch, but less than a foreign word.
_REPEATED = 0.75

# Logarithms of how much more often passages of the training pairs begin or end there than anywhere:
# nothing, capital letter, sentence, line, line and sentence, block, end of the text.
ENDS = np.array([-5000, -2000, 2600, 2600, 3000, 4000, 3800], dtype=np.int64)


class Extent(NamedTuple):
    """A passage in words, and the evidence for it on either side."""

    box: Box
    evidence_a: int
    evidence_b: int


def extend(pair: Pair, box: Box) -> Extent | None:
    """The passage around a cluster, if there is one."""
    a0, a1, b0, b1 = box
    evidence_a = evidence_b = 0
    for _ in range(_ROUNDS):
        before = a0, a1, b0, b1
        a0, a1, evidence_a = _fit(pair, pair.a, a0, a1, pair.b.numbers[b0:b1])
        b0, b1, evidence_b = _fit(pair, pair.b, b0, b1, pair.a.numbers[a0:a1])
        if a0 >= a1 or b0 >= b1:
            return None
        if (a0, a1, b0, b1) == before:
            break
    return Extent(_with_small_words(pair, Box(a0, a1, b0, b1)), evidence_a, evidence_b)


def _with_small_words(pair: Pair, box: Box) -> Box:
    """Grown over the words around it that do not count but are the same on both sides."""
    counted_a = np.flatnonzero(pair.a.numbers[box.a0 : box.a1])
    counted_b = np.flatnonzero(pair.b.numbers[box.b0 : box.b1])
    if not len(counted_a) or not len(counted_b):
        return box
    a, b = box.a0 + int(counted_a[0]), box.b0 + int(counted_b[0])
    while a and b and _is_same_small_word(pair, a - 1, b - 1) and _goes_on(pair, a, b):
        a, b = a - 1, b - 1
    a0, b0 = min(a, box.a0), min(b, box.b0)
    a, b = box.a0 + int(counted_a[-1]) + 1, box.b0 + int(counted_b[-1]) + 1
    a_end, b_end = len(pair.a.numbers), len(pair.b.numbers)
    while a < a_end and b < b_end and _is_same_small_word(pair, a, b) and _goes_on(pair, a, b):
        a, b = a + 1, b + 1
    return Box(a0, max(a, box.a1), b0, max(b, box.b1))


def _is_same_small_word(pair: Pair, i: int, j: int) -> bool:
    a, b = pair.a.side, pair.b.side
    if a.hash[i] or b.hash[j]:
        return False
    here, there = a.text[a.start[i] : a.end[i]], b.text[b.start[j] : b.end[j]]
    return here.casefold() == there.casefold()


def _goes_on(pair: Pair, i: int, j: int) -> bool:
    """Whether neither side begins a sentence there."""
    return bool(pair.a.side.breaks[i] < SENTENCE and pair.b.side.breaks[j] < SENTENCE)


def _fit(pair: Pair, half: Half, first: int, last: int, other: Numbers) -> tuple[int, int, int]:
    """The best stretch around the words from `first` to `last`, and its evidence."""
    left, right = max(0, first - _WORDS_AROUND), min(len(half.numbers), last + _WORDS_AROUND)
    words = half.numbers[left:right]
    first, last = first - left, last - left
    evidence, available, repeated = _evidence(pair, half, words, first, last, other)
    ends = ENDS[half.side.breaks[left : right + 1]]
    start, end, total = best_stretch(
        words, evidence, available, repeated, ends, (first, last), MOST_LOSS
    )
    return left + start, left + end, total


def _evidence(
    pair: Pair, half: Half, words: Numbers, first: int, last: int, other: Numbers
) -> tuple[Numbers, Numbers, int]:
    """The evidence of each word for standing in a passage with the words of the other side.

    And how often it stands there, and what it says beyond that.
    """
    counts = words != 0
    there = pair.count(words, other)
    inside = pair.count(words, words[first:last])
    n_there = int(np.count_nonzero(other))
    n_inside = int(np.count_nonzero(counts[first:last]))
    partners = int(np.count_nonzero(there[first:last]))
    p = (partners + _EXPECTED_PARTNERS) / (n_inside + _EXPECTED_WORDS)
    p = min(max(p, _LEAST_SHARE), _MOST_SHARE)
    outside = half.frequency[words] - inside
    evidence = word_evidence(there, n_there, outside, half.size, p)
    evidence[~counts] = 0
    there[~counts] = len(words)
    return evidence, there, round(_REPEATED * math.log(1 - p) * EVIDENCE)


def word_evidence(there: Numbers, n_there: int, outside: Numbers, size: int, p: float) -> Numbers:
    """For words by how often each stands there and outside: the evidence of meeting it."""
    usual = (outside + _UNSEEN_FREQUENCY) / (size + _UNSEEN_WORDS)
    ratio = 1 - p + p * (there / max(n_there, 1)) / usual
    nats = np.minimum(np.log(ratio), _MOST_OF_A_WORD)
    evidence: Numbers = np.rint(nats * EVIDENCE).astype(np.int64)
    return evidence
