"""Evidence against chance: how many passages as strong as this one accident would give.

As sequence search does it (Karlin and Altschul, 1990): a passage has a score, and the number of
passages that reach it by accident falls exponentially with the score and grows with the lengths of
both texts and the number of documents looked at. The score is a sum over the words of the checked
side, in thousandths of a nat:

- a word with a partner on the other side counts by how rare it is: most right behind its
  predecessor's partner, less where only the order holds, least where it stands somewhere else;
- from the eighth word of an unbroken run on it counts several times, for honest authors say the
  same thing in the same way, but not for long;
- a word without a partner is held against the passage.

How rare a word is, a shipped list says, and the other documents that were compared: what these hold
as well is the vocabulary of the genre. They can only make a word less rare. Texts on one subject
share words that depend on each other, so the scale (`_SCALE`) and the origin (`_ORIGIN`) were
fitted to passages between honest texts (`bench/quality/innocent.py`), not derived.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likewise.align.genre import FEW_HOLDERS, FIRST_PAGE, WIDTH
from likewise.align.kinds import chain, nth_to_nth
from likewise.align.pair import Box, Numbers, Pair
from likewise.align.seeds import RUN, Runs
from likewise.align.side import Side
from likewise.kernels import shingle_runs
from likewise.language.rarity import RAREST, shipped_bits

Hashes = NDArray[np.uint64]
Flags = NDArray[np.bool_]

NAT = 1000
BOUND = 0.001  # accidental passages in a whole check that are too many

# Of a word's rarity, in thousandths: behind its predecessor, in order, elsewhere in the passage.
_NEXT, _IN_ORDER, _LOOSE = 1000, 950, 450
_BEYOND_A_RUN = 9  # times as much, from the eighth word of a run on
_WITHOUT_PARTNER = 1500
_MOST_OF_A_WORD = 6 * NAT
USUAL_DOCUMENTS = 6  # documents that the shipped list is worth, beside those that were compared

_SCALE = 12  # of the score, to make the number of passages fall by one nat
_ORIGIN = -10 * NAT  # the score that is enough for two short texts, once they are aligned
_SHORT_TEXT = 250  # words that count: shorter ones give no fewer chances
# A document that was searched for is no random one: the likest was taken, and among many there are
# some that follow the same pattern. Up to so many are counted twice for that.
_PATTERNS = 150
_SHORT_SIDE = 200  # words of the other side in which a word is as likely as in a page

_BEYOND_GENRE = 2  # times what would be needed

_PARTNERLESS, _ELSEWHERE, _AFTER_A_GAP, _BEHIND = range(4)
_LONGEST_PHRASE = 24  # words that count; more in a row are a copied text, whoever else has it
_BITS = int(RAREST)


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """The words that count on the checked side of a passage, and where each has its partner."""

    words: Hashes
    places: Numbers  # of these words among all words of the checked text
    partner: NDArray[np.uint8]
    side_words: int  # that count on the other side
    own_words: int  # in the whole checked text
    other_words: int  # in the whole other text

    @property
    def longest_run(self) -> int:
        return int(self.in_run().max(initial=0))

    def in_run(self, common_words: Flags | None = None) -> Numbers:
        """How many words of an unbroken run have passed, each included; some belong to no run."""
        behind = self.partner == _BEHIND
        begins = self.partner == _AFTER_A_GAP
        if common_words is not None:
            begins |= behind & np.concatenate(([False], common_words[:-1]))
            behind, begins = behind & ~begins & ~common_words, begins & ~common_words
        index = np.arange(len(behind))
        begun = np.maximum.accumulate(np.where(~behind, index, 0))
        in_run: Numbers = np.where(behind, index - begun + 1, begins.astype(np.int64))
        return in_run


SharedFeatures = list[Numbers]  # which words, pairs of words and phrases of a text a document holds


class Background:
    """How many of the compared documents hold each word and phrase of the checked text."""

    def __init__(self, side: Side) -> None:
        self.documents = 0
        self._words = side.hash[side.hash != 0]
        self._keys = [np.unique(keys) for keys in _features(self._words)]
        self._holders = [np.zeros(len(keys), dtype=np.int64) for keys in self._keys]
        self._phrases, self._first_pages = (np.zeros_like(self._holders[2]) for _ in range(2))

    def see(self, other: Side) -> SharedFeatures:
        """Look at a document: its phrases are counted at once, what it holds can be added later."""
        words = other.hash[other.hash != 0]
        features = [
            _places(keys, all_) for keys, all_ in zip(self._keys, _features(words), strict=True)
        ]
        self._phrases[features[2]] += 1
        self._first_pages[_places(self._keys[2], _features(words[:FIRST_PAGE])[2])] += 1
        return features

    def add(self, features: SharedFeatures) -> None:
        """Count a document among those that show what honest documents have in common."""
        self.documents += 1
        for holders, which in zip(self._holders, features, strict=True):
            holders[which] += 1

    @property
    def phrases(self) -> tuple[Numbers, Numbers]:
        """For each phrase of the text in order: how many documents hold it, how many at first."""
        phrases = _features(self._words)[2]
        place = np.searchsorted(self._keys[2], phrases)
        return self._phrases[place], self._first_pages[place]

    def others_holding(self, words: Hashes, with_source: bool) -> tuple[Numbers, Numbers, Numbers]:
        """For each word, for it and the one before, and for it and four before: how many others.

        If the source of the passage, which holds what has a partner, is among the documents, it is
        not one of the others.
        """
        numbers = []
        for features, keys, holders in zip(
            _features(words), self._keys, self._holders, strict=True
        ):
            others = np.zeros(len(words), dtype=np.int64)
            if len(features) and len(keys):
                place = np.minimum(np.searchsorted(keys, features), len(keys) - 1)
                without_source = np.where(keys[place] == features, holders[place] - with_source, 0)
                others[len(words) - len(features) :] = np.maximum(without_source, 0)
            numbers.append(others)
        return numbers[0], numbers[1], numbers[2]


def _places(keys: Hashes, theirs: Hashes) -> Numbers:
    """Which of the keys are theirs."""
    if not len(keys) or not len(theirs):
        return np.zeros(0, dtype=np.int64)
    place = np.minimum(np.searchsorted(keys, theirs), len(keys) - 1)
    shared: Numbers = np.unique(place[keys[place] == theirs])
    return shared


def _features(words: Hashes) -> tuple[Hashes, Hashes, Hashes]:
    """Words, and those that end in each: two words, and a phrase."""
    offsets = np.array([0, len(words)], dtype=np.int64)
    two, phrase = (
        shingle_runs(words, offsets, width)[0] if len(words) >= width else words[:0]
        for width in (2, WIDTH)
    )
    return words, two, phrase


def evidence_of(pair: Pair, box: Box, runs: Runs) -> Evidence:
    """What the words of a passage say, before it is known how rare they are.

    The first of a word here is matched with the first there, and so on: where a word comes again,
    that can tear a run, so the unbroken runs of both documents are told beside.
    """
    a, b = pair.a.numbers[box.a0 : box.a1], pair.b.numbers[box.b0 : box.b1]
    places = box.a0 + np.flatnonzero(a)
    words = pair.a.side.hash[places]
    a, b = a[a != 0], b[b != 0]
    at_a, at_b = chain(a, b)
    place = np.full(len(a), -2, dtype=np.int64)
    place[at_a] = at_b
    partner = np.full(len(a), _PARTNERLESS, dtype=np.uint8)
    partner[at_a] = _AFTER_A_GAP
    partner[1:][(place[1:] >= 0) & (place[1:] == place[:-1] + 1)] = _BEHIND
    free_a, free_b = _others(len(a), at_a), _others(len(b), at_b)
    loose, _ = nth_to_nth(a[free_a], b[free_b])
    partner[free_a[loose]] = _ELSEWHERE
    for first, last in _runs_inside(pair, box, runs):
        partner[first:last] = _BEHIND
        if not first or partner[first - 1] != _BEHIND:
            partner[first] = _AFTER_A_GAP
    return Evidence(words, places, partner, len(b), pair.a.size, pair.b.size)


def _runs_inside(pair: Pair, box: Box, runs: Runs) -> list[tuple[int, int]]:
    """The parts of unbroken runs that lie in a passage on both sides, in its words that count."""
    a0, a1 = np.searchsorted(pair.a.places, (box.a0, box.a1)).tolist()
    b0, b1 = np.searchsorted(pair.b.places, (box.b0, box.b1)).tolist()
    first = np.maximum.reduce([runs.a, np.full_like(runs.a, a0), runs.a + b0 - runs.b])
    ends = runs.a + runs.length
    last = np.minimum.reduce([ends, np.full_like(ends, a1), runs.a + b1 - runs.b])
    inside = np.flatnonzero(last - first >= RUN)
    return [(int(first[k]) - a0, int(last[k]) - a0) for k in inside]


def _others(size: int, excluded: Numbers) -> Numbers:
    free = np.ones(size, dtype=bool)
    free[excluded] = False
    return np.flatnonzero(free)


def score_of(
    evidence: Evidence,
    background: Background | None = None,
    with_source: bool = True,
    common_words: Flags | None = None,
) -> int:
    """The evidence in thousandths of a nat, before what the search itself must be paid.

    The source of the passage may be one of the documents of the background. Words of the checked
    text that are `common_words` say nothing, for the passage or against it.
    """
    are_common = None if common_words is None else common_words[evidence.places]
    in_run = evidence.in_run(are_common)
    words, partner = evidence.words, evidence.partner
    usual = (1 << _BITS) >> shipped_bits(words)
    rare = _nats(np.full(len(words), 1 << _BITS), usual)
    behind, in_phrase = rare, rare
    others = background.documents - with_source if background is not None else 0
    if background is not None and others > 0:
        word_holders, pair_holders, phrase_holders = background.others_holding(words, with_source)
        whole = (others + USUAL_DOCUMENTS) << _BITS
        here = np.maximum(
            usual * (others + USUAL_DOCUMENTS), (word_holders << _BITS) + USUAL_DOCUMENTS * usual
        )
        in_phrase = np.where(_in_long_runs(in_run) | (phrase_holders < FEW_HOLDERS), rare, 0)
        rare = _nats(np.full(len(words), whole), here)
        before = np.concatenate((word_holders[:1], word_holders[:-1]))
        together = pair_holders * whole + USUAL_DOCUMENTS * here
        behind = np.minimum(rare, _nats((before + USUAL_DOCUMENTS) * whole, together))
    score = np.zeros(len(words), dtype=np.int64)
    first = _are_new(words)  # the same word again says little about order
    score[partner == _PARTNERLESS] = -_WITHOUT_PARTNER
    # In a longer stretch of the other text it is likelier to meet any word.
    longer = round(math.log(max(evidence.side_words, _SHORT_SIDE) / _SHORT_SIDE) * NAT)
    for how, share in ((_ELSEWHERE, _LOOSE), (_AFTER_A_GAP, _IN_ORDER)):
        which = (partner == how) & first
        score[which] = np.maximum(rare[which] - longer, 0) * share // NAT
    which = partner == _BEHIND
    score[which] = behind[which] * _NEXT // NAT
    which = in_run >= RUN
    score[which] = np.maximum(score[which], _BEYOND_A_RUN * in_phrase[which])
    if are_common is not None:
        score[are_common] = 0
    return _best_stretch(score)


def _best_stretch(score: Numbers) -> int:
    """The most that words in a row score: own words around a copied run do not hide it.

    >>> _best_stretch(np.array([-5, 4, -1, 3, -9, 2]))
    6
    """
    before = np.concatenate((np.zeros(1, np.int64), np.cumsum(score)))
    return int((before - np.minimum.accumulate(before)).max())


def _in_long_runs(in_run: Numbers) -> Flags:
    """Which words stand in unbroken runs that are longer than a phrase or a sentence."""
    ends = np.append(in_run[1:] <= 1, True)
    last = np.flatnonzero(ends)
    length = in_run[last[np.searchsorted(last, np.arange(len(in_run)))]]
    long: Flags = length > _LONGEST_PHRASE
    return long


def score_needed(evidence: Evidence, documents: int) -> int:
    """What a passage must score: more in longer texts, and among more documents."""
    chances = math.log(documents * min(documents, _PATTERNS))
    for words in (evidence.own_words, evidence.other_words):
        chances += math.log(max(words, _SHORT_TEXT) / _SHORT_TEXT)
    return _ORIGIN + round(_SCALE * chances * NAT)


def is_beyond_genre(evidence: Evidence, documents: int, common_words: Flags | None) -> bool:
    """Whether a passage is so strong that no genre explains it, whatever other documents hold.

    Its source says nothing about what honest documents have in common.
    """
    return score_of(evidence, common_words=common_words) >= _BEYOND_GENRE * score_needed(
        evidence, documents
    )


def expected_number(score: int, needed: int) -> float:
    """How many passages that score as much accident would give in the whole check.

    >>> expected_number(40_000, 40_000), expected_number(900_000, 40_000) < 1e-30
    (0.001, True)
    """
    return BOUND * math.exp((needed - score) / (_SCALE * NAT))


def _nats(whole: Numbers, part: Numbers) -> Numbers:
    """How unlikely it is to meet so large a part of a whole, as a logarithm."""
    nats = np.rint(np.log(whole / part) * NAT).astype(np.int64)
    bounded: Numbers = np.clip(nats, 0, _MOST_OF_A_WORD)
    return bounded


def _are_new(words: Hashes) -> NDArray[np.bool_]:
    new = np.zeros(len(words), dtype=bool)
    new[np.unique(words, return_index=True)[1]] = True
    return new
