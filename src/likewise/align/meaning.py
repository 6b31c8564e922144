"""The same thing in other words or another language: stretches that share notions.

Words of the two sides are related if they are the same or stand for the same concepts
(`language.concepts`); how closely, is counted in thousandths. Relations are found concept by
concept, never word by word. From there it goes as with words: where related words lie close
together in both documents there may be a passage (`_hot_blocks`, in blocks of two sizes); its ends
are fitted on both sides in turn by the evidence, which is the logarithm of how much likelier a word
is if it renders the other side than if it does not. What the rest of either document holds as well
is their subject, and says little.

Texts on one subject share notions all over; who renders a text goes through it sentence by sentence
and keeps its names and numbers. So a passage is judged by what each of its sentences has in common
with one or two of the other side, and by the names that are missing there (`_score`).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from likewise.align.evidence import BOUND
from likewise.align.extend import ENDS, MOST_LOSS
from likewise.align.pair import Box, Numbers
from likewise.align.seeds import expand
from likewise.align.side import (
    CAPITAL,
    SENTENCE,
    Side,
    distinct_words,
    group_begins,
    group_sizes,
)
from likewise.kernels import fit_stretch
from likewise.kernels.relations import (
    NAT,
    WHOLE,
    Partners,
    Prior,
    Usual,
    evidence_beside,
    is_repeated,
    met_words,
    usual_frequency,
)
from likewise.language.concepts import BEYOND_CONCEPTS, Concepts, Features, has_concepts
from likewise.language.rarity import RAREST, shipped_bits
from likewise.model import Document

Flags = NDArray[np.bool_]
Frequencies = NDArray[np.float64]

_MOST_ROWS = 1 << 10  # of one concept: its words here times those there, or a text could be slow
_MOST_POINTS = 36  # of two related words: how often one stands here times the other there
_USUAL_LENGTH, _MOST_LONGER = 1_500, 12  # words that count; how many times more points
_LEAST_POINT = 50  # in thousandths
# Words that count in half a block, what a block must weigh, and the longest text that is looked at
# in such blocks: in long ones the small add nothing to the large but time.
_HALF_BLOCKS = ((14, 4_400, 600), (40, 9_400, math.inf))
_LEAST_OF_A_BLOCK = 0.5
_MOST_CELLS = 1 << 18  # of a table; more of them are sorted
_FEWEST_TRIALS, _WORDS_OF_A_TRIAL, _MOST_TRIALS = 24, 12, 250
_WIDER = 60  # words on either side of a block, to begin with
_ROUNDS = 5
_AROUND = 150  # words that a passage may grow in one round
_PRIOR = Prior(
    words=20,
    partners=10,
    least_share=0.3,
    most_share=0.95,
    unseen=0.3,
    of_the_other=0.25,
    most=3.5,
    foreign=1.0,
    repeated=0.5,
)
_UNSEEN_WORDS = 500
_WORDS_OF_A_PAGE = 40  # of how frequent a word is on pages, what a word of a text is
_WORDS_OF_A_TEXT = 150  # of another document, and the most that is known of what it holds
_MOST_HELD = 0.99
_SAMPLE = 200  # words by which the script of a text is told

_HOPELESS = 9 * NAT  # after a round
_LEAST_EVIDENCE = 17 * NAT  # for a passage to be looked at sentence by sentence
FEWEST_WORDS = 26  # that count, on either side
_WORDS_OF_A_SENTENCE = 5  # that count: shorter ones are taken with the next
_MOST_SENTENCES = 64  # of a long passage, so many are looked at
_SHARE = 0.5  # of the words of a sentence that has a partner
_MOST_IN_A_SENTENCE = 4.0
_OF_THE_WHOLE = 4  # the part of the evidence of all words that counts beside that of sentences
_MISSING_NAME_A, _MOST_MISSING_A = 8 * NAT, 3
_MISSING_NAME_B, _MOST_MISSING_B = 3 * NAT // 2, 4
_OTHER_WORDS = 30 * NAT  # if all partners are other words
_LEAST_CLOSENESS, _EXPECTED_SAME = 250, 3
_IN_FEW_WORDS = 8 * NAT
_INFLATED = 1.8
_SUMMARY = 7, 5  # what is summarised is longer, as a fraction

# The score that documents with nothing in common do not reach, and how fast such scores become
# rare: in longer texts and among more documents there are more of them. Within one language the
# highest of 534 pairs of some 500 words was 35 nats, between two languages 29; texts of one genre
# have its phrases in common, but not with its translation. Honest texts of eight genres came to at
# most 7 nats beyond what one document needs in libraries of 1,000 documents and to 35 in those of
# 6,000, and such scores fell by a nat every eight, so what is needed rises by eight.
_NEEDED, _SCALE, _SCALE_AMONG = 40 * NAT, 10, 8
_NEEDED_ACROSS, _SCALE_ACROSS = 40 * NAT, 3
# Independent authors on one subject say the same things of it; in two languages all their words are
# other words. So what a rendering needs grows with its length there; and the more of a text it is,
# the less it stands out from, and the more of its words must be rendered: true renderings score 1.3
# and more for each word. How much of a text says nothing of this yet, and how much says all.
_LEAST_OF_A_TEXT, _LEAST_OF_A_TEXT_ACROSS, _MOST_OF_A_TEXT = 0.45, 0.3, 0.55
_OF_A_WORD_ACROSS = 2 * NAT // 5
_OF_A_WHOLE_TEXT, _OF_ITS_WORDS, _OF_ITS_WORDS_ACROSS = 60 * NAT, 5 * NAT // 4, 3 * NAT // 2
DENIED = 71 * NAT // 2  # less than this is none, whatever words say
_USUAL_TEXT = 500  # words that count
_COPIES_OF_A_SOURCE = 2  # that may be among other documents
_PATTERNS = 150  # as among words: of so many documents the likest was taken


class _Keys(NamedTuple):
    """The distinct concepts of a text, and which rows of its features each has."""

    key: Numbers
    first: Numbers
    counts: Numbers

    @classmethod
    def of(cls, features: Features) -> _Keys:
        keys = features.key
        first = np.flatnonzero(group_begins(keys))
        return cls(keys[first], first, group_sizes(first, len(keys)))

    def places_in(self, other: _Keys) -> tuple[Numbers, Flags]:
        """Where each is in another text, and whether it is there."""
        if not len(other.key):
            return np.zeros(len(self.key), dtype=np.int64), np.zeros(len(self.key), dtype=bool)
        place = np.minimum(np.searchsorted(other.key, self.key), len(other.key) - 1)
        return place, other.key[place] == self.key


class Sentences(NamedTuple):
    """The sentences of a stretch one behind the other, in words that count."""

    words: Numbers
    counts: Numbers  # of the words of each

    @property
    def sentence(self) -> Numbers:
        """For each word, which sentence it is of."""
        return np.repeat(np.arange(len(self.counts)), self.counts)

    def distinct_words(self, size: int, step: int) -> tuple[Numbers, Numbers]:
        """Those of each sentence in order, and where each begins among them; or of some alone."""
        keys = self.sentence * size + self.words
        if step > 1:
            keys = keys[self.sentence % step == 0]
        keys.sort()
        sentence, words = np.divmod(keys[group_begins(keys)], size)
        return words, np.flatnonzero(group_begins(sentence))


class Meaning:
    """One side: its distinct words that count, and what they stand for."""

    def __init__(self, side: Side) -> None:
        self.breaks = side.breaks  # and not the side, which keeps this alive
        self.ends = ENDS[side.breaks]
        distinct = distinct_words(side)
        self.places, self.number = distinct.places, distinct.number
        self.order, self.first = distinct.order, distinct.first
        self.words, self.frequency = distinct.words, distinct.frequency
        first = self.order[self.first]
        self.of_all = np.full(len(side.hash), -1, dtype=np.int64)
        self.of_all[self.places] = self.number
        starts, ends = side.start[self.places[first]], side.end[self.places[first]]

        def spelled(words: Numbers) -> list[str]:
            places = zip(starts[words].tolist(), ends[words].tolist(), strict=True)
            return [side.text[start:end] for start, end in places]

        self.features: Features = Concepts.shipped().features(self.words, spelled)
        self.root_weight = np.sqrt(self.features.weight)
        self.keys = _Keys.of(self.features)
        self.bits = shipped_bits(self.words)
        self._text, self._starts = side.text, starts

    @cached_property
    def own_mass(self) -> Numbers:
        """For each word, how many words related to it there are in its own text."""
        return self.mass_in(self)

    @cached_property
    def key_mass(self) -> Frequencies:
        """What each concept weighs in this text."""
        if not len(self.features.key):
            return np.zeros(0)
        weights = self.root_weight * self.frequency[self.features.word]
        return np.add.reduceat(weights, self.keys.first)

    @cached_property
    def usual(self) -> Frequencies:
        """How often a word is met anyway, as far as the shipped list knows."""
        frequencies: Frequencies = 2.0**-self.bits / _WORDS_OF_A_PAGE
        return frequencies

    @cached_property
    def is_name(self) -> Flags:
        """Which words are names: no concept has them, and they are written large or foreign."""
        text, starts = self._text, self._starts
        is_name = np.ones(len(self.words), dtype=bool)
        is_name[self.features.word[self.features.key < BEYOND_CONCEPTS]] = False
        is_large = np.zeros(len(self.words), dtype=bool)
        is_large[self.number[self.breaks[self.places] == CAPITAL]] = True
        sample = [text[at] for at in starts[:_SAMPLE].tolist()]
        if 2 * sum(map(str.isascii, sample)) < len(sample):
            unknown = np.flatnonzero(is_name & ~is_large)
            is_latin = [text[at].isascii() for at in starts[unknown].tolist()]
            is_large[unknown] = is_latin
        is_name &= is_large
        return is_name

    def mass_in(self, other: Meaning) -> Numbers:
        """For each word, how many words related to it the other holds, in thousandths.

        As the relation of both would say it, from what each concept weighs there.
        """
        place, is_met = self.keys.places_in(other.keys)
        met = np.zeros(len(place))
        met[is_met] = other.key_mass[place[is_met]]
        met = np.repeat(met, self.keys.counts) * self.root_weight
        mass = np.bincount(self.features.word, weights=met, minlength=len(self.words))
        return np.rint(mass).astype(np.int64)

    def sentences(self, first: int, last: int) -> Sentences:
        """The sentences of a stretch, short ones with the next."""
        starts = first + 1 + np.flatnonzero(self.breaks[first + 1 : last] >= SENTENCE)
        counted = np.searchsorted(self.places, np.concatenate(([first], starts, [last]))).tolist()
        cuts = counted[:1]
        for place in counted[1:]:
            if place - cuts[-1] >= _WORDS_OF_A_SENTENCE:
                cuts.append(place)
        if len(cuts) > 1:
            cuts[-1] = counted[-1]
        else:
            cuts.append(counted[-1])
        return Sentences(self.number[cuts[0] : cuts[-1]], np.diff(cuts))

    def numbers(self, first: int, last: int) -> Numbers:
        """The distinct words of a stretch, one for each that counts."""
        numbers = self.of_all[first:last]
        counted: Numbers = numbers[numbers >= 0]
        return counted


_MEANINGS: WeakKeyDictionary[Side, Meaning] = WeakKeyDictionary()


def meaning_of(side: Side) -> Meaning:
    """What a side stands for, made once: one document may be compared with many."""
    meaning = _MEANINGS.get(side)
    if meaning is None:
        meaning = _MEANINGS[side] = Meaning(side)
    return meaning


def lacks_concepts(document: Document) -> bool:
    """Whether it is in a language without concepts: then nothing can be found by its meaning."""
    return not has_concepts(document.compared_text, document.language)


class Relation(NamedTuple):
    """Which words of one side are related to which of the other, and how closely."""

    a: Numbers
    b: Numbers
    closeness: Numbers  # in thousandths

    @property
    def turned(self) -> Relation:
        return Relation(self.b, self.a, self.closeness)


def relate(a: Meaning, b: Meaning) -> Relation:
    """Concept by concept; words that share several are related in as many rows.

    The weights of a word's concepts add up to one, so that all its rows with another do at most.
    What far too many different words have in common says nothing of any of them.
    """
    other, is_met = a.keys.places_in(b.keys)
    met = np.flatnonzero(is_met)
    other = other[met]
    few = np.flatnonzero(a.keys.counts[met] * b.keys.counts[other] <= _MOST_ROWS)
    met, other = met[few], other[few]
    key, row = expand(a.keys.first[met], a.keys.counts[met])
    step, place = expand(b.keys.first[other][key], b.keys.counts[other][key])
    row = row[step]
    word_a, word_b = a.features.word[row], b.features.word[place]
    differ = np.flatnonzero(a.words[word_a] != b.words[word_b])
    row, place = row[differ], place[differ]
    closeness = np.rint(a.root_weight[row] * b.root_weight[place]).astype(np.int64)
    at = np.minimum(np.searchsorted(b.words, a.words), len(b.words) - 1)
    same = np.flatnonzero(b.words[at] == a.words)
    return Relation(
        np.concatenate((word_a[differ], same)),
        np.concatenate((word_b[differ], at[same])),
        np.concatenate((closeness, np.full(len(same), WHOLE))),
    )


def is_much_longer(words: int, others: int) -> bool:
    """Whether so many words are summarised by so few others."""
    times, over = _SUMMARY
    return words * over > others * times


class Rendering(NamedTuple):
    """A stretch that says what another says; in words of either side."""

    box: Box
    evidence_a: int
    evidence_b: int
    words_a: int  # that count
    words_b: int
    score: int = 0  # in thousandths of a nat, by its sentences and names
    surplus: int = 0  # of the score over what was needed, where it is enough

    @property
    def is_summary(self) -> bool:
        """Whether it is much shorter than what it renders."""
        return is_much_longer(self.words_b, self.words_a)

    @property
    def is_inflated(self) -> bool:
        """Whether it is so much longer that it comes from more than these few lines."""
        return self.words_a > _INFLATED * self.words_b

    @property
    def evidence(self) -> int:
        """Of the weaker side."""
        return min(self.evidence_a, self.evidence_b)


def score_needed(a: Meaning, b: Meaning, documents: int, across: bool) -> int:
    """What a rendering must score: more in longer texts and among more documents.

    Less across languages.
    """
    longer = sum(
        math.log(max(words / _USUAL_TEXT, 1.0)) for words in (len(a.number), len(b.number))
    )
    if across:
        among = math.log(documents * min(documents, _PATTERNS))
        return _NEEDED_ACROSS + round(_SCALE_ACROSS * (among + longer) * NAT)
    return _NEEDED + round((_SCALE_AMONG * math.log(documents) + _SCALE * longer) * NAT)


def score_needed_by(
    rendering: Rendering, a: Meaning, b: Meaning, documents: int, across: bool
) -> int:
    """What this one must score, lest it is but another text on the same subject."""
    needed = score_needed(a, b, documents, across)
    words = min(rendering.words_a, rendering.words_b)
    share = max(rendering.words_a / len(a.number), rendering.words_b / len(b.number))
    least = _LEAST_OF_A_TEXT_ACROSS if across else _LEAST_OF_A_TEXT
    whole = min(max((share - least) / (_MOST_OF_A_TEXT - least), 0.0), 1.0)
    if across:
        part = _NEEDED_ACROSS + _OF_A_WORD_ACROSS * words
        more = max(_OF_ITS_WORDS_ACROSS * words - part, 0)
        return max(needed, part + round(whole * more))
    return needed + round(whole * max(_OF_A_WHOLE_TEXT, _OF_ITS_WORDS * words - _NEEDED))


def expected_number(surplus: int, across: bool) -> float:
    """How many renderings accident would give in the whole check that score so much too much."""
    scale = _SCALE_ACROSS if across else _SCALE
    return BOUND * math.exp(-surplus / (scale * NAT))


class _Pair:
    """One side beside the other, as far as it is asked."""

    def __init__(
        self, a: Meaning, b: Meaning, relation: Relation, held: Frequencies | None = None
    ) -> None:
        self.a, self.b, self.relation = a, b, relation
        self._anywhere, anywhere_b = a.usual, b.usual
        if held is not None:  # what share of other documents hold each word of a
            rate = -np.log1p(-held * _MOST_HELD) / _WORDS_OF_A_TEXT
            self._anywhere, anywhere_b = np.maximum(a.usual, rate), b.usual.copy()
            related = rate[relation.a] * relation.closeness / WHOLE
            np.maximum.at(anywhere_b, relation.b, related)
        self._anywhere_b = anywhere_b

    @cached_property
    def turned(self) -> _Pair:
        """The same from the other side."""
        turned = _Pair(self.b, self.a, self.relation.turned)
        turned._anywhere, turned._anywhere_b = self._anywhere_b, self._anywhere
        return turned

    @cached_property
    def partners(self) -> Partners:
        """The related words of b, by those of a."""
        own = self.relation.a
        order = np.argsort(own, kind="stable")
        behind = np.cumsum(np.bincount(own, minlength=len(self.a.words)))
        first = np.concatenate(([0], behind))
        return Partners(first, self.relation.b[order], self.relation.closeness[order])

    @cached_property
    def usual(self) -> Usual:
        """How often each word of a is met anyway."""
        words = len(self.a.number) + _PRIOR.of_the_other * len(self.b.number) + _UNSEEN_WORDS
        return Usual(self.a.own_mass, self.a.mass_in(self.b), self._anywhere, words)


def likeness(a: Meaning, b: Meaning, box: Box) -> float:
    """The share of words on both sides that have a partner, by how close it is."""
    pair = _Pair(a, b, relate(a, b))
    here, there = a.numbers(box.a0, box.a1), b.numbers(box.b0, box.b1)
    of_a = met_words(here, there, pair.partners)
    of_b = met_words(there, here, pair.turned.partners)
    shared = np.minimum(of_a, WHOLE).sum() + np.minimum(of_b, WHOLE).sum()
    return int(shared) / (WHOLE * max(len(here) + len(there), 1))


def renderings(a: Meaning, b: Meaning, known: Sequence[Box] = ()) -> list[Rendering]:
    """Stretches of a that render stretches of b, the surest first; they may overlap.

    What lies in the middle of something known is not looked for.
    """
    if not len(a.words) or not len(b.words):
        return []
    pair = _Pair(a, b, relate(a, b))
    longer = max(len(a.places), len(b.places))
    trials = min(max(longer // _WORDS_OF_A_TRIAL, _FEWEST_TRIALS), _MOST_TRIALS)
    boxes: list[Box] = list(known)
    results: dict[Box, Rendering] = {}
    for block in _hot_blocks(pair):
        middle = (block.a0 + block.a1) // 2, (block.b0 + block.b1) // 2
        if any(box.a0 <= middle[0] < box.a1 and box.b0 <= middle[1] < box.b1 for box in boxes):
            continue
        if not trials:
            break
        trials -= 1
        best = _best_around(pair, block)
        boxes.append(best.box if best else block)
        if best and best.box not in results:
            results[best.box] = best._replace(score=_score(pair, best))
    return sorted(results.values(), key=lambda each: (-each.score, each.box))


class Points(NamedTuple):
    """Where related words stand on both sides, among the words that count."""

    x: Numbers
    y: Numbers
    weight: Numbers  # in thousandths; less where words are usual or stand in many places


def points_of(a: Meaning, b: Meaning, relation: Relation) -> Points:
    """Those of words that do not stand everywhere."""
    points = a.frequency[relation.a] * b.frequency[relation.b]
    rare = np.minimum(a.bits[relation.a], b.bits[relation.b])
    weight = relation.closeness * rare // int(RAREST)
    # In a longer text each word stands more often, and says as much about a block of it.
    longer = [max(len(side.number) / _USUAL_LENGTH, 1.0) for side in (a, b)]
    most = _MOST_POINTS * min(longer[0] * longer[1], _MOST_LONGER)
    rows = np.flatnonzero((points <= most) & (weight >= _LEAST_POINT))
    word_a, word_b = relation.a[rows], relation.b[rows]
    often = np.maximum(a.frequency[word_a] / longer[0], 1.0)
    often *= np.maximum(b.frequency[word_b] / longer[1], 1.0)
    weight = np.rint(weight[rows] / np.sqrt(often)).astype(np.int64)
    row, at_a = expand(a.first[word_a], a.frequency[word_a])
    step, at_b = expand(b.first[word_b[row]], b.frequency[word_b[row]])
    return Points(a.order[at_a[step]], b.order[at_b], weight[row[step]])


def _hot_blocks(pair: _Pair) -> Iterator[Box]:
    """Blocks of both sides in which many related words stand, the heaviest first."""
    x, y, weight = points_of(pair.a, pair.b, pair.relation)
    # In short texts there are few blocks, and what they must weigh is less.
    pairs = len(pair.a.number) * len(pair.b.number) / _USUAL_TEXT**2
    times = min(max(pairs**0.25, _LEAST_OF_A_BLOCK), 1.0)
    hot: list[tuple[float, Box]] = []
    for half, usual_least, most_words in _HALF_BLOCKS:
        if max(len(pair.a.number), len(pair.b.number)) > most_words:
            continue
        least = usual_least * times
        across = len(pair.b.number) // half + 3
        size = (len(pair.a.number) // half + 3) * across
        cells, weights = _sums((x // half + 1) * across + y // half + 1, weight, size)
        shifts = np.array((0, across, 1, across + 1))[:, None]
        blocks, weights = _sums((cells - shifts).ravel(), np.tile(weights, 4), size)
        heavy = np.flatnonzero(weights >= least)
        for block, heaviness in zip(blocks[heavy].tolist(), weights[heavy].tolist(), strict=True):
            row, column = divmod(block, across)
            box = _words(pair, (row - 1) * half, (column - 1) * half, 2 * half)
            hot.append((-heaviness / least, box))
    return (box for _, box in sorted(hot))


def _sums(keys: Numbers, weights: NDArray[Any], size: int) -> tuple[Numbers, NDArray[Any]]:
    """The distinct keys, all below `size`, and what each weighs."""
    if size <= _MOST_CELLS:
        total = np.bincount(keys, weights=weights, minlength=size)
        distinct = np.flatnonzero(total)
        return distinct, total[distinct]
    distinct, which = np.unique(keys, return_inverse=True)
    return distinct, np.bincount(which, weights=weights, minlength=len(distinct))


def _words(pair: _Pair, a: int, b: int, size: int) -> Box:
    """A block of words that count, in all words."""
    places_a, places_b = pair.a.places, pair.b.places
    return Box(
        int(places_a[max(a, 0)]),
        int(places_a[min(a + size, len(places_a)) - 1]) + 1,
        int(places_b[max(b, 0)]),
        int(places_b[min(b + size, len(places_b)) - 1]) + 1,
    )


def _best_around(pair: _Pair, block: Box) -> Rendering | None:
    """The passage around a block: begun wide, for what is too narrow does not see beyond it."""
    best = _extend(
        pair,
        Box(
            max(block.a0 - _WIDER, 0),
            min(block.a1 + _WIDER, len(pair.a.of_all)),
            max(block.b0 - _WIDER, 0),
            min(block.b1 + _WIDER, len(pair.b.of_all)),
        ),
    )
    if best is None or best.evidence < _LEAST_EVIDENCE:
        return None
    return best if min(best.words_a, best.words_b) >= FEWEST_WORDS else None


def _extend(pair: _Pair, box: Box) -> Rendering | None:
    a0, a1, b0, b1 = box
    evidence_a = evidence_b = 0
    for _ in range(_ROUNDS):
        before = a0, a1, b0, b1
        a0, a1, evidence_a = _fit(pair, a0, a1, pair.b.of_all[b0:b1])
        if a0 >= a1:
            return None
        b0, b1, evidence_b = _fit(pair.turned, b0, b1, pair.a.of_all[a0:a1])
        if b0 >= b1 or min(evidence_a, evidence_b) < _HOPELESS:
            return None
        if before == (a0, a1, b0, b1):
            break
    words = len(pair.a.numbers(a0, a1)), len(pair.b.numbers(b0, b1))
    return Rendering(Box(a0, a1, b0, b1), evidence_a, evidence_b, *words)


def _fit(pair: _Pair, first: int, last: int, other: Numbers) -> tuple[int, int, int]:
    """The best stretch of a around some words, given those of b; its evidence."""
    own = pair.a
    left, right = max(0, first - _AROUND), min(len(own.of_all), last + _AROUND)
    start, end, evidence = fit_stretch(
        own.of_all[left:right],
        own.ends[left : right + 1],
        (first - left, last - left),
        other,
        pair.partners,
        pair.usual,
        _PRIOR,
        MOST_LOSS,
    )
    return left + start, left + end, evidence


def score_among(a: Meaning, b: Meaning, rendering: Rendering, held: Frequencies) -> int:
    """The score of a rendering where it is known what share of other documents hold each word of a.

    What the others hold as well is the vocabulary of the genre.
    """
    pair = _Pair(a, b, relate(a, b), held)
    a0, a1, b0, b1 = rendering.box
    here, there = a.numbers(a0, a1), b.numbers(b0, b1)
    evidence = []
    for side, own, other in ((pair, here, there), (pair.turned, there, here)):
        of_word, available, repeated = evidence_beside(
            own, (0, len(own)), other, side.partners, side.usual, _PRIOR
        )
        again = is_repeated(own, available, len(own))
        evidence.append(int(np.where(again, repeated, of_word).sum()))
    return _score(pair, rendering._replace(evidence_a=evidence[0], evidence_b=evidence[1]))


def score_of_genre(box: Box, rivals: Sequence[Rendering]) -> int:
    """What several other documents score that render the same words of a.

    One or two may be copies of the source; what more of them say is what the genre says.
    """
    scores = sorted(
        each.score for each in rivals if 2 * box.overlap_in_a(each.box) >= box.a1 - box.a0
    )
    return max(scores[-_COPIES_OF_A_SOURCE - 1], 0) if len(scores) > _COPIES_OF_A_SOURCE else 0


def _score(pair: _Pair, rendering: Rendering) -> int:
    """How sure it is that one stretch renders the other, in thousandths of a nat.

    A summary says nothing of what it leaves out, and what it says is said in few words.
    """
    a0, a1, b0, b1 = rendering.box
    of_a, of_b = pair.a.sentences(a0, a1), pair.b.sentences(b0, b1)
    here, there = _Beside(pair, of_a, of_b), _Beside(pair.turned, of_b, of_a)
    score = round(_OTHER_WORDS * here.share_of_other_words())
    score -= _MISSING_NAME_A * min(here.missing_names(), _MOST_MISSING_A)
    if rendering.is_summary:
        score += _IN_FEW_WORDS
        return score + here.evidence_of_sentences() + rendering.evidence_a // _OF_THE_WHOLE
    score -= _MISSING_NAME_B * min(there.missing_names(), _MOST_MISSING_B)
    score += min(here.evidence_of_sentences(), there.evidence_of_sentences())
    return score + rendering.evidence // _OF_THE_WHOLE


class _Beside:
    """A stretch of a beside one of b, sentence by sentence."""

    def __init__(self, pair: _Pair, own: Sentences, other: Sentences) -> None:
        self._pair, self._own = pair, own
        self._inside = np.bincount(own.words, minlength=len(pair.a.words))
        self._distinct = np.flatnonzero(self._inside)
        self._others = np.bincount(other.words, minlength=len(pair.b.words))
        self._counts = other.counts
        # Of each sentence of b: how many words related to each distinct one of a it has.
        self._met = self._met_in(other)
        self._there = self._met.sum(axis=0)

    def missing_names(self) -> int:
        """The names that the other side does not have."""
        return int(np.count_nonzero(self._pair.a.is_name[self._distinct] & (self._there == 0)))

    def share_of_other_words(self) -> float:
        """Of the words with a partner, how many have another word for it.

        Texts on one subject share its words; who renders a text says it in others.
        """
        own, others = self._pair.a.words[self._distinct], self._pair.b.words
        at = np.minimum(np.searchsorted(others, own), len(others) - 1)
        is_same = (others[at] == own) & (self._others[at] > 0)
        renamed = int(np.count_nonzero(~is_same & (self._there >= _LEAST_CLOSENESS)))
        return renamed / (renamed + int(np.count_nonzero(is_same)) + _EXPECTED_SAME)

    def evidence_of_sentences(self) -> int:
        """The evidence of each sentence of a with its likest of b.

        The likest is one sentence or two in a row; that it was chosen among many is held against
        it.
        """
        sentences = len(self._own.counts)
        step = -(-sentences // _MOST_SENTENCES)
        # The words of the sentences one behind the other, each sentence at its offset.
        each, offsets = self._own.distinct_words(len(self._inside), step)
        met, words = (np.concatenate((of, of[:-1] + of[1:])) for of in (self._met, self._counts))
        column = np.searchsorted(self._distinct, each)
        share = np.minimum(met[:, column], WHOLE) / (WHOLE * np.maximum(words, 1))[:, None]
        usual = usual_frequency(
            each, self._inside[each], self._there[column], self._pair.usual, _PRIOR
        )
        nats = np.minimum(np.log(1 - _SHARE + _SHARE * share / usual), _MOST_IN_A_SENTENCE)
        evidence = np.rint(nats * NAT).astype(np.int64)
        best = np.add.reduceat(evidence, offsets, axis=1).max(axis=0)
        chosen = round(math.log(len(words)) * NAT)
        total = int(np.maximum(best - chosen, 0).sum())
        return total * sentences // len(offsets)

    def _met_in(self, other: Sentences) -> Numbers:
        partners, distinct = self._pair.partners, self._distinct
        order = np.argsort(other.words, kind="stable")
        sentence = other.sentence[order]
        first = partners.first[distinct]
        column, row = expand(first, partners.first[distinct + 1] - first)
        partner = partners.word[row]
        behind = np.cumsum(self._others)
        step, place = expand((behind - self._others)[partner], self._others[partner])
        key = sentence[place] * len(distinct) + column[step]
        shape = len(other.counts), len(distinct)
        met = np.bincount(key, weights=partners.closeness[row[step]], minlength=shape[0] * shape[1])
        return met.astype(np.int64).reshape(shape)
