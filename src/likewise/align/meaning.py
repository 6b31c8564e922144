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

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from likewise.align.evidence import BOUND
from likewise.align.extend import ENDS, MOST_LOSS
from likewise.align.pair import Box, Numbers
from likewise.align.seeds import expand
from likewise.align.side import CAPITAL, SENTENCE, Side
from likewise.kernels import best_stretch, related_mass
from likewise.kernels.relations import is_repeated
from likewise.language.concepts import BEYOND_CONCEPTS, WHOLE, Concepts, Features, has_concepts
from likewise.language.rarity import RAREST, shipped_bits
from likewise.model import Document

Flags = NDArray[np.bool_]
Frequencies = NDArray[np.float64]

NAT = 1000  # evidence is counted in thousandths of a nat

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
_EXPECTED_WORDS, _EXPECTED_PARTNERS = 20, 10  # before anything is seen
_LEAST_SHARE, _MOST_SHARE = 0.3, 0.95
_UNSEEN_WORDS, _UNSEEN_FREQUENCY = 500, 0.3
_OF_THE_OTHER = 0.25  # of what the rest of the other text holds
_WORDS_OF_A_PAGE = 40  # of how frequent a word is on pages, what a word of a text is
_MOST_OF_A_WORD = 3.5
_REPEATED = 0.5
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
# have its phrases in common, but not with its translation.
_NEEDED, _SCALE, _SCALE_OF_LENGTH = 40 * NAT, 10, 10
_NEEDED_ACROSS, _SCALE_ACROSS = 40 * NAT, 3
NEEDED_OF_A_WHOLE_TEXT = 60 * NAT  # more: of 99 pairs of honest answers the highest scored 79
DENIED = 71 * NAT // 2  # less than this is none, whatever words say
_USUAL_TEXT = 500  # words that count
_COPIES_OF_A_SOURCE = 2  # that may be among other documents
_PATTERNS = 150  # as among words: of so many documents the likest was taken


class Meaning:
    """One side: its distinct words that count, and what they stand for."""

    def __init__(self, side: Side) -> None:
        self.breaks = side.breaks  # and not the side, which keeps this alive
        self.places = np.flatnonzero(side.hash)
        hashes = side.hash[self.places]
        self.words, first, number = np.unique(hashes, return_index=True, return_inverse=True)
        self.number = number.astype(np.int64, copy=False)  # of each word that counts
        self.frequency = np.bincount(self.number, minlength=len(self.words))
        self.of_all = np.full(len(side.hash), -1, dtype=np.int64)
        self.of_all[self.places] = self.number
        starts, ends = side.start[self.places[first]], side.end[self.places[first]]

        def spelled(word: int) -> str:
            return side.text[starts[word] : ends[word]]

        self.features: Features = Concepts.shipped().features(self.words, spelled)
        self.root_weight = np.sqrt(self.features.weight)
        self.bits = shipped_bits(self.words)
        self._text, self._starts = side.text, starts

    @cached_property
    def own_mass(self) -> Numbers:
        """For each word, how many words related to it there are in its own text."""
        return self.mass_in(self)

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
        unknown = np.flatnonzero(is_name)
        is_latin = np.array([text[at].isascii() for at in starts[unknown].tolist()], dtype=bool)
        is_cyrillic = 2 * sum(text[at].isascii() for at in starts[:_SAMPLE].tolist()) < min(
            _SAMPLE, len(starts)
        )
        is_name[unknown] = is_large[unknown] | (is_latin & is_cyrillic)
        return is_name

    def mass_in(self, other: Meaning) -> Numbers:
        """For each word, how many words related to it the other holds, in thousandths.

        As the relation of both would say it, from what each concept weighs there.
        """
        keys = other.features.key
        if not len(keys):
            return np.zeros(len(self.words), dtype=np.int64)
        first = np.flatnonzero(np.concatenate(([True], keys[1:] != keys[:-1])))
        key = keys[first]
        weights = other.root_weight * other.frequency[other.features.word]
        total = np.add.reduceat(weights, first)
        place = np.minimum(np.searchsorted(key, self.features.key), len(key) - 1)
        met = np.where(key[place] == self.features.key, total[place], 0) * self.root_weight
        mass = np.bincount(self.features.word, weights=met, minlength=len(self.words))
        return np.rint(mass).astype(np.int64)

    def sentences(self, first: int, last: int) -> list[tuple[int, int]]:
        """The sentences of a stretch, short ones with the next."""
        starts = first + 1 + np.flatnonzero(self.breaks[first + 1 : last] >= SENTENCE)
        counted = np.searchsorted(self.places, [first, *starts.tolist(), last]).tolist()
        ends = [first, *starts.tolist(), last]
        cuts = [0]
        for k in range(1, len(ends)):
            if counted[k] - counted[cuts[-1]] >= _WORDS_OF_A_SENTENCE:
                cuts.append(k)
        if len(cuts) > 1:
            cuts[-1] = len(ends) - 1
        else:
            cuts.append(len(ends) - 1)
        return [(ends[i], ends[j]) for i, j in itertools.pairwise(cuts)]

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

    def mass(self, counts: Numbers, size: int) -> Numbers:
        """For each word of a, how many words related to it there are among some of b."""
        return related_mass(self.a, self.b, self.closeness, counts, size)

    @property
    def turned(self) -> Relation:
        return Relation(self.b, self.a, self.closeness)


def relate(a: Meaning, b: Meaning) -> Relation:
    """Concept by concept; words that share several are related in as many rows.

    The weights of a word's concepts add up to one, so that all its rows with another do at most.
    What far too many different words have in common says nothing of any of them.
    """
    first = np.searchsorted(b.features.key, a.features.key, side="left")
    count = np.searchsorted(b.features.key, a.features.key, side="right") - first
    own_count = np.searchsorted(a.features.key, a.features.key, side="right")
    own_count -= np.searchsorted(a.features.key, a.features.key, side="left")
    count = np.where(count * own_count <= _MOST_ROWS, count, 0)
    row, place = expand(first, count)
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
    among = math.log(documents * min(documents, _PATTERNS))
    longer = sum(
        math.log(max(words / _USUAL_TEXT, 1.0)) for words in (len(a.number), len(b.number))
    )
    if across:
        return _NEEDED_ACROSS + round(_SCALE_ACROSS * (among + longer) * NAT)
    return _NEEDED + round((_SCALE * among + _SCALE_OF_LENGTH * longer) * NAT)


def expected_number(score: int, needed: int, across: bool) -> float:
    """How many renderings that score as much accident would give in the whole check."""
    scale = _SCALE_ACROSS if across else _SCALE
    return BOUND * math.exp(min(needed - score, 0) / (scale * NAT))


@dataclass(frozen=True, slots=True, eq=False)
class _Pair:
    a: Meaning
    b: Meaning
    relation: Relation  # from a to b
    mass_a: Numbers  # of each word of a: how many related ones b holds
    mass_b: Numbers
    usual_a: Frequencies  # how often each word is met anyway
    usual_b: Frequencies

    @classmethod
    def of(cls, a: Meaning, b: Meaning, held: Frequencies | None = None) -> _Pair:
        """Both sides related; `held` is what share of other documents hold each word of a."""
        relation = relate(a, b)
        usual_a, usual_b = a.usual, b.usual
        if held is not None:
            rate = -np.log1p(-held * _MOST_HELD) / _WORDS_OF_A_TEXT
            usual_a, usual_b = np.maximum(usual_a, rate), usual_b.copy()
            related = rate[relation.a] * relation.closeness / WHOLE
            np.maximum.at(usual_b, relation.b, related)
        return cls(a, b, relation, a.mass_in(b), b.mass_in(a), usual_a, usual_b)

    def turned(self) -> _Pair:
        """The same from the other side."""
        return _Pair(
            self.b,
            self.a,
            self.relation.turned,
            self.mass_b,
            self.mass_a,
            self.usual_b,
            self.usual_a,
        )


def likeness(a: Meaning, b: Meaning, box: Box) -> float:
    """The share of words on both sides that have a partner, by how close it is."""
    relation = relate(a, b)
    here, there = a.numbers(box.a0, box.a1), b.numbers(box.b0, box.b1)
    of_a = relation.mass(np.bincount(there, minlength=len(b.words)), len(a.words))
    of_b = relation.turned.mass(np.bincount(here, minlength=len(a.words)), len(b.words))
    shared = np.minimum(of_a[here], WHOLE).sum() + np.minimum(of_b[there], WHOLE).sum()
    return int(shared) / (WHOLE * max(len(here) + len(there), 1))


def renderings(a: Meaning, b: Meaning, known: Sequence[Box] = ()) -> list[Rendering]:
    """Stretches of a that render stretches of b, the surest first; they may overlap.

    What lies in the middle of something known is not looked for.
    """
    if not len(a.words) or not len(b.words):
        return []
    pair = _Pair.of(a, b)
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
    order_a = np.argsort(a.number, kind="stable")
    order_b = np.argsort(b.number, kind="stable")
    first_a, first_b = np.cumsum(a.frequency) - a.frequency, np.cumsum(b.frequency) - b.frequency
    row, at_a = expand(first_a[word_a], a.frequency[word_a])
    step, at_b = expand(first_b[word_b[row]], b.frequency[word_b[row]])
    return Points(order_a[at_a[step]], order_b[at_b], weight[row[step]])


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
    turned = pair.turned()
    evidence_a = evidence_b = 0
    for _ in range(_ROUNDS):
        before = a0, a1, b0, b1
        a0, a1, evidence_a = _fit(pair, a0, a1, pair.b.numbers(b0, b1))
        if a0 >= a1:
            return None
        b0, b1, evidence_b = _fit(turned, b0, b1, pair.a.numbers(a0, a1))
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
    numbers = own.of_all[left:right]
    first, last = first - left, last - left
    core = numbers[first:last]
    evidence, there, repeated = _evidence(pair, core[core >= 0], other)
    is_counted = numbers >= 0
    # Of a word without a partner each says the same; beyond its partners, one says less.
    is_met = is_counted & (there[numbers] > 0)
    start, end, total = best_stretch(
        numbers + 1,
        np.where(is_counted, evidence[numbers], 0),
        np.where(is_met, (there[numbers] + WHOLE - 1) // WHOLE, len(numbers)),
        repeated,
        ENDS[own.breaks[left : right + 1]],
        (first, last),
        MOST_LOSS,
    )
    return left + start, left + end, total


def _evidence(pair: _Pair, core: Numbers, other: Numbers) -> tuple[Numbers, Numbers, int]:
    """Of each word of a: what it says beside some words of b, how many related ones these are.

    And what a word says that comes once more than its partners.
    """
    there = pair.relation.mass(np.bincount(other, minlength=len(pair.b.words)), len(pair.a.words))
    partners = int(np.minimum(there[core], WHOLE).sum()) / WHOLE
    p = (partners + _EXPECTED_PARTNERS) / (len(core) + _EXPECTED_WORDS)
    p = min(max(p, _LEAST_SHARE), _MOST_SHARE)
    met = np.flatnonzero(there)
    usual = _usual(pair, core, there, met)
    ratio = 1 - p + p * (there[met] / (WHOLE * max(len(other), 1))) / usual
    nats = np.minimum(np.log(ratio), _MOST_OF_A_WORD)
    evidence = np.full(len(there), round(math.log(1 - p) * NAT), dtype=np.int64)
    evidence[met] = np.rint(nats * NAT)
    return evidence, there, round(_REPEATED * math.log(1 - p) * NAT)


def _usual(pair: _Pair, core: Numbers, there: Numbers, words: Numbers) -> Frequencies:
    """How often some words of a are met anyway: in the rest of both texts, and elsewhere."""
    inside = np.bincount(core, minlength=len(there))[words]
    outside = np.maximum(pair.a.own_mass[words] - inside * WHOLE, 0)
    usual = outside / WHOLE + _UNSEEN_FREQUENCY
    usual += _OF_THE_OTHER * np.maximum(pair.mass_a[words] - there[words], 0) / WHOLE
    usual /= len(pair.a.number) + _OF_THE_OTHER * len(pair.b.number) + _UNSEEN_WORDS
    usual_anywhere: Frequencies = np.maximum(usual, pair.usual_a[words])
    return usual_anywhere


def score_among(a: Meaning, b: Meaning, rendering: Rendering, held: Frequencies) -> int:
    """The score of a rendering where it is known what share of other documents hold each word of a.

    What the others hold as well is the vocabulary of the genre.
    """
    pair = _Pair.of(a, b, held)
    a0, a1, b0, b1 = rendering.box
    here, there = a.numbers(a0, a1), b.numbers(b0, b1)
    evidence = []
    for side, own, other in ((pair, here, there), (pair.turned(), there, here)):
        of_word, met, repeated = _evidence(side, own, other)
        available = np.where(met[own] > 0, (met[own] + WHOLE - 1) // WHOLE, len(own))
        again = is_repeated(own, available, len(own))
        evidence.append(int(np.where(again, repeated, of_word[own]).sum()))
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
    here, missing_here = _by_sentences(pair, (a0, a1), (b0, b1))
    there, missing_there = _by_sentences(pair.turned(), (b0, b1), (a0, a1))
    score = round(_OTHER_WORDS * _share_of_other_words(pair, rendering.box))
    score -= _MISSING_NAME_A * min(missing_here, _MOST_MISSING_A)
    if rendering.is_summary:
        return score + here + rendering.evidence_a // _OF_THE_WHOLE + _IN_FEW_WORDS
    score -= _MISSING_NAME_B * min(missing_there, _MOST_MISSING_B)
    return score + min(here, there) + rendering.evidence // _OF_THE_WHOLE


def _share_of_other_words(pair: _Pair, box: Box) -> float:
    """Of the words with a partner, how many have another word for it.

    Texts on one subject share its words; who renders a text says it in others.
    """
    here, there = np.unique(pair.a.numbers(*box[:2])), pair.b.numbers(*box[2:])
    met = pair.relation.mass(np.bincount(there, minlength=len(pair.b.words)), len(pair.a.words))
    is_same = np.isin(pair.a.words[here], pair.b.words[there])
    others = int(np.count_nonzero(~is_same & (met[here] >= _LEAST_CLOSENESS)))
    return others / (others + int(np.count_nonzero(is_same)) + _EXPECTED_SAME)


def _by_sentences(pair: _Pair, own: tuple[int, int], other: tuple[int, int]) -> tuple[int, int]:
    """The evidence of each sentence of a with its likest of b; and the names missing there.

    The likest is one sentence or two in a row; that it was chosen among many is held against it.
    """
    a, b = pair.a, pair.b
    here, theirs = a.numbers(*own), b.numbers(*other)
    there = pair.relation.mass(np.bincount(theirs, minlength=len(b.words)), len(a.words))
    distinct = np.unique(here)
    missing = int(np.count_nonzero(a.is_name[distinct] & (there[distinct] == 0)))
    sentences = a.sentences(*own)
    looked_at = sentences[:: -(-len(sentences) // _MOST_SENTENCES)]
    numbers = [np.unique(a.numbers(first, last)) for first, last in looked_at]
    # The words of the sentences one behind the other, each sentence at its offset.
    each = np.concatenate(numbers)
    offsets = np.cumsum([0, *map(len, numbers)])[:-1]
    met, words = _met_in_sentences(pair, distinct, theirs, b.sentences(*other))
    met, words = (np.concatenate((of, of[:-1] + of[1:])) for of in (met, words))
    column = np.searchsorted(distinct, each)
    share = np.minimum(met[:, column], WHOLE) / (WHOLE * np.maximum(words, 1))[:, None]
    ratio = 1 - _SHARE + _SHARE * share / _usual(pair, here, there, each)
    nats = np.minimum(np.log(ratio), _MOST_IN_A_SENTENCE)
    evidence = np.rint(nats * NAT).astype(np.int64)
    best = np.add.reduceat(evidence, offsets, axis=1).max(axis=0)
    chosen = round(math.log(len(words)) * NAT)
    total = int(np.maximum(best - chosen, 0).sum())
    return total * len(sentences) // len(looked_at), missing


def _met_in_sentences(
    pair: _Pair, distinct: Numbers, theirs: Numbers, sentences: list[tuple[int, int]]
) -> tuple[Numbers, Numbers]:
    """For each sentence of b, how many words related to each of some words of a it has.

    And how many words that count it has.
    """
    ends = np.searchsorted(pair.b.places, [sentences[0][0], *(last for _, last in sentences)])
    words = np.diff(ends)
    sentence = np.repeat(np.arange(len(sentences)), words)
    order = np.argsort(theirs, kind="stable")
    in_order = theirs[order]
    relation = pair.relation
    column = np.minimum(np.searchsorted(distinct, relation.a), len(distinct) - 1)
    rows = np.flatnonzero(distinct[column] == relation.a)
    first = np.searchsorted(in_order, relation.b[rows], side="left")
    count = np.searchsorted(in_order, relation.b[rows], side="right") - first
    row, place = expand(first, count)
    key = sentence[order[place]] * len(distinct) + column[rows][row]
    met = np.bincount(
        key, weights=relation.closeness[rows][row], minlength=len(sentences) * len(distinct)
    )
    return met.astype(np.int64).reshape(len(sentences), len(distinct)), words
