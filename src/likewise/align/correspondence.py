"""Which words of a passage in other words correspond to which of its source, and why.

Two texts on one subject have related words all over. What renders a sentence stands in the sentence
that renders it: each sentence of one side is laid beside the likest of the other, and a word has
its partners there, or in the sentences around. Farther away only what stands once on either side.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from likewise.align.meaning import Meaning, Points, Relation, meaning_of, points_of, relate
from likewise.align.pair import Numbers
from likewise.align.seeds import expand
from likewise.align.side import Side, side_of
from likewise.kernels.relations import WHOLE
from likewise.language import Lexicon
from likewise.language.concepts import BEYOND_CONCEPTS
from likewise.model import Correspondence, CorrespondenceReason, Document, Passage, Span

MOST_WORDS = 2_000  # of one passage that are told: more than anybody points at

_REASONS: tuple[CorrespondenceReason, ...] = ("concept", "number", "name", "word")  # by key
_LEAST_CLOSENESS = 200  # in thousandths; less is a side meaning on both sides
_LEAST_FAR_AWAY = 500
_FAR_SENTENCES = 1  # beside the likest one: who renders a text cuts its sentences elsewhere
_MOST_PARTNERS = 3


def correspondences(
    a_text: str, b_text: str, passage: Passage, lexicon: Lexicon
) -> tuple[Correspondence, ...]:
    """The words of a passage that have partners in its source, in order, each with its partners.

    Offsets are into the whole texts.

    >>> from likewise.settings import Settings
    >>> one, other = "Рыбаки ушли на озеро до рассвета.", "Fishermen left for the lake at dawn."
    >>> whole = Passage(Span(0, len(one)), Span(0, len(other)), "translated", 0.7)
    >>> for here, there, why, _ in correspondences(one, other, whole, Lexicon(Settings())):
    ...     print(here.of(one), *(span.of(other) for span in there), why)
    Рыбаки Fishermen concept
    ушли left concept
    озеро lake concept
    рассвета dawn concept
    """
    sides = (
        _side_of(passage.a.of(a_text), lexicon),
        _side_of(passage.b.of(b_text), lexicon),
    )
    a, b = map(meaning_of, sides)
    if not len(a.words) or not len(b.words):
        return ()
    relation = _add_up(relate(a, b), len(b.words))
    points = points_of(a, b, relation)
    turned = _partners(b, a, relation.turned, Points(points.y, points.x, points.weight)).turned
    x, y, closeness = _merge(_partners(a, b, relation, points), turned)
    is_same = a.words[a.number[x]] == b.words[b.number[y]]
    places_a, places_b = _places(sides[0], a, passage.a), _places(sides[1], b, passage.b)
    kinds = _kinds(a)
    words, first, count = np.unique(x, return_index=True, return_counts=True)
    rows = zip(words.tolist()[:MOST_WORDS], first.tolist(), count.tolist(), strict=False)
    return tuple(
        (
            places_a[word],
            tuple(places_b[each] for each in y[at : at + size].tolist()),
            _reason(int(kinds[a.number[word]]), bool(is_same[at : at + size].all())),
            min(int(closeness[at : at + size].max()), WHOLE),
        )
        for word, at, size in rows
    )


def _side_of(text: str, lexicon: Lexicon) -> Side:
    return side_of(Document.from_text(text), lexicon, listings=False)


def _places(side: Side, meaning: Meaning, within: Span) -> list[Span]:
    """Where the words that count stand in the whole text."""
    starts = (within.start + side.start[meaning.places]).tolist()
    ends = (within.start + side.end[meaning.places]).tolist()
    return list(map(Span, starts, ends))


def _add_up(relation: Relation, size: int) -> Relation:
    """Words that share several concepts are related once."""
    keys, which = np.unique(relation.a * size + relation.b, return_inverse=True)
    closeness = np.bincount(which, weights=relation.closeness, minlength=len(keys))
    return Relation(keys // size, keys % size, closeness.astype(np.int64))


def _partners(a: Meaning, b: Meaning, relation: Relation, points: Points) -> Relation:
    """Of each word of a its few closest partners in b: places among the words that count."""
    sentences_a, sentences_b = _Sentences.of(a), _Sentences.of(b)
    likest = _likest(sentences_a, sentences_b, points)
    row, at = expand(a.first[relation.a], a.frequency[relation.a])
    x, closeness = a.order[at], relation.closeness[row]
    word_b = relation.b[row]
    y = _nearest(b, word_b, _expected(x, sentences_a, sentences_b, likest))
    sentence = likest[sentences_a.number[x]]
    is_near = (sentence >= 0) & (np.abs(sentences_b.number[y] - sentence) <= _FAR_SENTENCES)
    is_near &= closeness >= _LEAST_CLOSENESS
    has_near = np.zeros(len(a.number), dtype=bool)
    has_near[x[is_near]] = True
    is_only = (a.frequency[a.number[x]] == 1) & (b.frequency[word_b] == 1) & ~has_near[x]
    rows = np.flatnonzero(is_near | (is_only & (closeness >= _LEAST_FAR_AWAY)))
    x, y, closeness, sentence = x[rows], y[rows], closeness[rows], sentence[rows]
    # What is much closer to another word is no partner of this one.
    is_partner = (3 * closeness >= 2 * _most(closeness, x)) & (
        5 * closeness >= 2 * _most(closeness, y)
    )
    distance = np.abs(sentences_b.number[y] - sentence)
    order = np.lexsort((y, distance, -closeness, x))
    order = order[is_partner[order]]
    x, y, closeness = x[order], y[order], closeness[order]
    _, first, count = np.unique(x, return_index=True, return_counts=True)
    some = np.arange(len(x)) - np.repeat(first, count) < _MOST_PARTNERS
    return Relation(x[some], y[some], closeness[some])


def _most(values: Numbers, groups: Numbers) -> Numbers:
    """Of each value, the largest of its group."""
    largest = np.zeros(int(groups.max(initial=-1)) + 1, dtype=np.int64)
    np.maximum.at(largest, groups, values)
    return largest[groups]


def _merge(partners: Relation, turned: Relation) -> Relation:
    """The partners that words of a name, and of those of b that none names, whom they name."""
    rest = ~np.isin(turned.b, partners.b)
    x, y, closeness = (
        np.concatenate((own, other[rest])) for own, other in zip(partners, turned, strict=True)
    )
    order = np.lexsort((y, x))
    return Relation(x[order], y[order], closeness[order])


class _Sentences(NamedTuple):
    """The sentences of a side, in words that count; short ones with the next."""

    number: Numbers  # of the sentence of each word
    start: Numbers
    size: Numbers

    @classmethod
    def of(cls, meaning: Meaning) -> _Sentences:
        sentences = meaning.sentences(0, len(meaning.of_all))
        size = sentences.counts
        return cls(sentences.sentence, np.cumsum(size) - size, size)


def _likest(a: _Sentences, b: _Sentences, points: Points) -> Numbers:
    """The sentence of b that each of a has most in common with; -1 where there is none."""
    across = len(b.start)
    cells, which = np.unique(a.number[points.x] * across + b.number[points.y], return_inverse=True)
    weight = np.bincount(which, weights=points.weight, minlength=len(cells))
    likest = np.full(len(a.start), -1, dtype=np.int64)
    heaviest_last = np.lexsort((-cells, weight))
    likest[cells[heaviest_last] // across] = cells[heaviest_last] % across
    return likest


def _expected(x: Numbers, a: _Sentences, b: _Sentences, likest: Numbers) -> Numbers:
    """Where the partner of a word should stand: as far into the likest sentence as it into its."""
    own = a.number[x]
    other = np.maximum(likest[own], 0)
    into: Numbers = (x - a.start[own]) * b.size[other] // a.size[own]
    return b.start[other] + into


def _nearest(side: Meaning, words: Numbers, expected: Numbers) -> Numbers:
    """Where each word stands nearest to a place."""
    order, size = side.order, len(side.order)
    keys = side.number[order] * size + order
    first = side.first[words]
    last = first + side.frequency[words] - 1
    after = np.clip(np.searchsorted(keys, words * size + expected), first, last)
    before = np.maximum(after - 1, first)
    is_before = np.abs(order[before] - expected) <= np.abs(order[after] - expected)
    nearest: Numbers = np.where(is_before, order[before], order[after])
    return nearest


def _kinds(side: Meaning) -> Numbers:
    """Of each distinct word, which of `_REASONS` it may have in common with another."""
    kinds = np.zeros(len(side.words), dtype=np.int64)
    kinds[side.features.word] = side.features.key // BEYOND_CONCEPTS
    return kinds


def _reason(kind: int, is_same: bool) -> CorrespondenceReason:
    reason = _REASONS[kind]
    return "word" if is_same and reason != "number" else reason
