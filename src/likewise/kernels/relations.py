"""Words related to words, and the stretch they speak for: the readable form of `_relations.pyx`."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int64]
WHOLE = 1000  # the weight of a word, shared by its concepts
NAT = 1000  # evidence is counted in thousandths of a nat


class Partners(NamedTuple):
    """The words of another text that are related to each word: those of word k lie together.

    They begin at `first[k]` and end before `first[k + 1]`.
    """

    first: Numbers
    word: Numbers
    closeness: Numbers  # in thousandths


class Usual(NamedTuple):
    """How often each word of a text is met anyway."""

    here: Numbers  # how many related words its own text holds, in thousandths
    there: Numbers  # and the other one
    anywhere: NDArray[np.float64]  # as a share of the words of any text
    words: float  # of both texts, as far as each is asked


class Prior(NamedTuple):
    """What is expected before anything is seen."""

    words: float  # so many of a passage
    partners: float  # of which so many have partners
    least_share: float
    most_share: float
    unseen: float  # how often a word is met that is not met
    of_the_other: float  # of what the rest of the other text holds
    most: float  # nats of one word
    foreign: float  # of what is lost if a word is none of the passage: a word without a partner
    repeated: float  # the same for one that comes once more than its partners


def fit_stretch(
    words: Numbers,
    ends: Numbers,
    core: tuple[int, int],
    others: Numbers,
    partners: Partners,
    usual: Usual,
    prior: Prior,
    most_loss: int,
) -> tuple[int, int, int]:
    """The words around a core that say most beside some others: as `best_stretch` tells them.

    Words and others are numbers from 0, or -1 where one does not count.

    >>> one, none = np.ones(3, dtype=np.int64), np.zeros(4, dtype=np.int64)
    >>> partners = Partners(np.array([0, 0, 1, 2]), np.array([0, 1]), np.array([WHOLE, WHOLE]))
    >>> usual = Usual(one * WHOLE, one * WHOLE, np.full(3, 0.001), 1000.0)
    >>> prior = Prior(20, 10, 0.3, 0.95, 0.3, 0.25, 3.5, 1, 0.5)
    >>> words, others = np.array([0, 1, 2, 0]), np.array([1, 0])
    >>> fit_stretch(words, np.zeros(5, np.int64), (1, 3), others, partners, usual, prior, 2000)
    (1, 3, 7000)
    """
    evidence, available, repeated = evidence_beside(words, core, others, partners, usual, prior)
    return best_stretch(words + 1, evidence, available, repeated, ends, core, most_loss)


def evidence_beside(
    words: Numbers,
    core: tuple[int, int],
    others: Numbers,
    partners: Partners,
    usual: Usual,
    prior: Prior,
) -> tuple[Numbers, Numbers, int]:
    """What each word says beside some others, and how many words related to it these are.

    That is the logarithm of how much likelier a word is if it renders the others than if it does
    not. And what one says that comes once more than its partners.
    """
    others = others[others >= 0]
    is_counted = words >= 0
    there = np.where(is_counted, met_words(words, others, partners), 0)
    of_core = words[core[0] : core[1]]
    n_core = int(np.count_nonzero(of_core >= 0))
    met = int(np.minimum(there[core[0] : core[1]], WHOLE).sum()) / WHOLE
    p = (met + prior.partners) / (n_core + prior.words)
    p = min(max(p, prior.least_share), prior.most_share)
    inside = np.bincount(of_core[of_core >= 0], minlength=len(usual.here))[words]
    share = there / (WHOLE * max(len(others), 1))
    ratio = 1 - p + p * share / usual_frequency(words, inside, there, usual, prior)
    nats = np.minimum([math.log(each) for each in ratio.tolist()], prior.most)
    without = round(prior.foreign * math.log(1 - p) * NAT)
    evidence = np.where(there > 0, np.rint(nats * NAT), without).astype(np.int64)
    evidence[~is_counted] = 0
    # Of a word without a partner each says the same; beyond its partners, one says less.
    available = np.where(there > 0, (there + WHOLE - 1) // WHOLE, len(words))
    return evidence, available, round(prior.repeated * math.log(1 - p) * NAT)


def met_words(words: Numbers, others: Numbers, partners: Partners) -> Numbers:
    """How many of some others are related to each word, in thousandths.

    >>> partners = Partners(np.array([0, 0, 2]), np.array([0, 1]), np.array([WHOLE, 250]))
    >>> met_words(np.array([0, 1]), np.array([1, 1, 0]), partners).tolist()
    [0, 1500]
    """
    counts = np.bincount(others, minlength=int(partners.word.max(initial=-1)) + 1)
    total = np.concatenate(([0], np.cumsum(partners.closeness * counts[partners.word])))
    met: Numbers = total[partners.first[words + 1]] - total[partners.first[words]]
    return met


def usual_frequency(
    words: Numbers, inside: Numbers, there: Numbers, usual: Usual, prior: Prior
) -> NDArray[np.float64]:
    """How often words are met anyway: in the rest of both texts, and elsewhere.

    So often they stand inside of the passage, so many related ones on its other side.
    """
    outside = np.maximum(usual.here[words] - inside * WHOLE, 0)
    frequency = outside / WHOLE + prior.unseen
    frequency += prior.of_the_other * np.maximum(usual.there[words] - there, 0) / WHOLE
    frequency /= usual.words
    frequency_anywhere: NDArray[np.float64] = np.maximum(frequency, usual.anywhere[words])
    return frequency_anywhere


def best_stretch(
    words: Numbers,
    evidence: Numbers,
    available: Numbers,
    repeated: int,
    ends: Numbers,
    core: tuple[int, int],
    most_loss: int,
) -> tuple[int, int, int]:
    """The words around a core with the most evidence: the first, the one behind the last, and it.

    Words are numbers from 0; evidence and how often each is available are told for each place.
    Where a word comes more often, counted from the middle outwards, each further one counts as
    `repeated`. Beginning and end weigh in too, by `ends`; beyond the core the stretch grows until
    more than `most_loss` is lost again.

    >>> words, evidence = np.array([0, 1, 1, 0, 2]), np.array([-5, 4, 4, -5, 2])
    >>> available, ends = np.array([9, 2, 2, 9, 1]), np.zeros(6, dtype=np.int64)
    >>> best_stretch(words, evidence, available, -1, ends, (1, 3), 7)
    (1, 3, 8)
    """
    first, last = core
    again = is_repeated(words, available, first + last)
    total = np.zeros(len(words) + 1, dtype=np.int64)
    np.cumsum(np.where(again, repeated, evidence), out=total[1:])
    middle = (first + last) // 2
    end = middle + best_end(total[middle:], ends[middle:], last - middle, most_loss)
    start = middle - best_end(-total[middle::-1], ends[middle::-1], middle - first, most_loss)
    return start, end, int(total[end] - total[start])


def best_end(total: Numbers, ends: Numbers, core: int, most_loss: int) -> int:
    """Where growing stops best; beyond the core, no farther than until too much is lost."""
    lost = np.maximum.accumulate(total) - total > most_loss
    lost[: core + 1] = False
    stop = int(np.argmax(lost)) or len(lost)
    return int(np.argmax(total[:stop] + ends[:stop]))


def is_repeated(words: Numbers, available: Numbers, twice_middle: int) -> NDArray[np.bool_]:
    """Which words come more often than available, counted from the middle outwards."""
    distance = np.abs(2 * np.arange(len(words)) - twice_middle)
    order = np.lexsort((distance, words))
    new = np.diff(words[order], prepend=-1) != 0
    place = np.arange(len(words))
    rank = place - np.maximum.accumulate(np.where(new, place, 0))
    repeated = np.zeros(len(words), dtype=bool)
    repeated[order] = rank >= available[order]
    return repeated
