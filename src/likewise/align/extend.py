"""From a cluster to a passage: where it begins and ends on either side.

Take the words of the other side's passage as given. A word of a copied stretch comes from them with
some probability p, else from the language of its own document; a word outside always does. The
logarithm of the ratio of both probabilities is the evidence of a word, and the best stretch is the
one with the most evidence, where beginning and end weigh in too: passages end with sentences,
lines and blocks. Both sides are fitted in turn until they agree.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from likewise.align.pair import UNSEEN_FREQUENCY, UNSEEN_WORDS, Box, Half, Numbers, Pair
from likewise.align.side import SENTENCE
from likewise.kernels import fit_stretch
from likewise.kernels.relations import NAT, Prior

_ROUNDS = 3
_WORDS_AROUND = 120  # how far a passage may grow beyond its cluster in one round
MOST_LOSS = 7 * NAT  # growth stops when more is lost again

# How often a word of a passage is found on the other side, before anything is seen: as if in 20
# words of which half were found. Each word of the other side explains one word here.
_PRIOR = Prior(
    words=20,
    partners=10,
    least_share=0.3,
    most_share=0.95,
    unseen=UNSEEN_FREQUENCY,
    of_the_other=0,
    most=4.0,
    foreign=0.75,
    repeated=0.75,
)

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
        a0, a1, evidence_a = _fit(pair, pair.a, a0, a1, pair.b.words[b0:b1])
        b0, b1, evidence_b = _fit(pair, pair.b, b0, b1, pair.a.words[a0:a1])
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
    left, right = max(0, first - _WORDS_AROUND), min(len(half.words), last + _WORDS_AROUND)
    start, end, total = fit_stretch(
        half.words[left:right],
        ENDS[half.side.breaks[left : right + 1]],
        (first - left, last - left),
        other,
        pair.partners,
        half.usual,
        _PRIOR,
        MOST_LOSS,
    )
    return left + start, left + end, total


def word_evidence(there: Numbers, n_there: int, outside: Numbers, size: int, p: float) -> Numbers:
    """For words by how often each stands there and outside: the evidence of meeting it."""
    usual = (outside + UNSEEN_FREQUENCY) / (size + UNSEEN_WORDS)
    ratio = 1 - p + p * (there / max(n_there, 1)) / usual
    nats = np.minimum(np.log(ratio), _PRIOR.most)
    evidence: Numbers = np.rint(nats * NAT).astype(np.int64)
    return evidence
