"""Words related to words, and the stretch they speak for: both forms, and what they promise."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from likewise.kernels import _relations as compiled
from likewise.kernels import relations as readable
from tests.kernels.strategies import array, repeatable

FORMS = pytest.mark.parametrize("form", [readable, compiled], ids=["numpy", "compiled"])


class Ground(NamedTuple):
    """What `best_stretch` is asked with."""

    words: list[int]
    evidence: list[int]
    available: list[int]
    repeated: int
    ends: list[int]
    core: tuple[int, int]
    most_loss: int

    def answer(self) -> tuple[int, int, int]:
        words, evidence, available, ends = (
            array(each, np.int64) for each in (self.words, self.evidence, self.available, self.ends)
        )
        return readable.best_stretch(
            words, evidence, available, self.repeated, ends, self.core, self.most_loss
        )

    def worth(self) -> list[int]:
        """What each place is worth: further ones of a word, from the middle outwards, less."""
        met: Counter[int] = Counter()
        worth = list(self.evidence)
        middle = sum(self.core)
        for k in sorted(range(len(self.words)), key=lambda k: (abs(2 * k - middle), k)):
            if met[self.words[k]] >= self.available[k]:
                worth[k] = self.repeated
            met[self.words[k]] += 1
        return worth


@st.composite
def grounds(draw: st.DrawFn) -> Ground:
    """Few words, so that they repeat; cores anywhere, empty ones and the whole among them."""
    size = draw(st.integers(0, 40))
    vocabulary = draw(st.sampled_from([1, 3, 12, 1000]))

    def column(least: int, most: int, length: int = size) -> list[int]:
        return draw(st.lists(st.integers(least, most), min_size=length, max_size=length))

    first = draw(st.integers(0, size))
    return Ground(
        words=column(0, vocabulary),
        evidence=column(-900, 3500),
        available=column(0, 4),
        repeated=draw(st.integers(-900, 0)),
        ends=column(0, 500, size + 1),
        core=(first, draw(st.integers(first, size))),
        most_loss=draw(st.sampled_from([0, 700, 4000, 10**9])),
    )


@repeatable(300)
@given(grounds())
def test_a_stretch_lies_around_the_middle_and_its_evidence_is_the_sum(ground: Ground) -> None:
    start, end, evidence = ground.answer()
    assert 0 <= start <= sum(ground.core) // 2 <= end <= len(ground.words)
    assert evidence == sum(ground.worth()[start:end])


@repeatable(200)
@given(grounds())
def test_where_any_loss_is_borne_no_stretch_around_the_middle_is_better(ground: Ground) -> None:
    ground = ground._replace(most_loss=10**9)
    start, end, evidence = ground.answer()
    worth, middle = ground.worth(), sum(ground.core) // 2
    total = evidence + ground.ends[start] + ground.ends[end]
    for first in range(middle + 1):
        for last in range(middle, len(worth) + 1):
            other = sum(worth[first:last]) + ground.ends[first] + ground.ends[last]
            assert other <= total


def test_growing_stops_where_too_much_is_lost() -> None:
    words = list(range(7))
    island = Ground(words, [5, 5, -9, -9, 5, 9, 9], [1] * 7, -1, [0] * 8, (0, 2), 10)
    assert island.answer() == (0, 2, 10)
    assert island._replace(most_loss=30).answer() == (0, 7, 15)


def test_a_word_repeated_beyond_its_partners_speaks_no_more() -> None:
    once = Ground([4] * 5, [6] * 5, [1] * 5, -2, [0] * 6, (2, 3), 100)
    assert once.answer() == (2, 3, 6)
    assert once._replace(available=[5] * 5).answer() == (0, 5, 30)


def test_nothing_has_an_empty_stretch() -> None:
    assert Ground([], [], [], -1, [7], (0, 0), 10).answer() == (0, 0, 0)


class Fitted(NamedTuple):
    """What `fit_stretch` is asked with."""

    words: list[int]
    ends: list[int]
    core: tuple[int, int]
    others: list[int]
    partners: list[list[tuple[int, int]]]  # of each word: another word, and how closely
    here: list[int]
    there: list[int]
    anywhere: list[float]
    size: float
    prior: readable.Prior
    most_loss: int

    def answer(self, form) -> tuple[int, int, int]:
        words, ends, others, here, there = (
            array(each, np.int64)
            for each in (self.words, self.ends, self.others, self.here, self.there)
        )
        rows = [row for of_word in self.partners for row in of_word]
        first = np.cumsum([0, *map(len, self.partners)])
        partners = readable.Partners(
            first, *(array([row[k] for row in rows], np.int64) for k in range(2))
        )
        usual = readable.Usual(here, there, np.array(self.anywhere), self.size)
        return form.fit_stretch(
            words, ends, self.core, others, partners, usual, self.prior, self.most_loss
        )


MEANING = readable.Prior(20, 10, 0.3, 0.95, 0.3, 0.25, 3.5, 1.0, 0.5)
WORDS = readable.Prior(20, 10, 0.3, 0.95, 0.1, 0, 4.0, 0.75, 0.75)


@st.composite
def fitted(draw: st.DrawFn) -> Fitted:
    """Small vocabularies whose words have any number of partners; words that do not count."""
    size, other_size = draw(st.integers(1, 9)), draw(st.integers(1, 9))
    length = draw(st.integers(0, 40))

    def column(least: int, most: int, length: int = size) -> list[int]:
        return draw(st.lists(st.integers(least, most), min_size=length, max_size=length))

    row = st.tuples(st.integers(0, other_size - 1), st.integers(1, readable.WHOLE))
    rows = st.lists(row, max_size=3)
    share = st.floats(0, 0.1, allow_subnormal=False)
    first = draw(st.integers(0, length))
    return Fitted(
        words=column(-1, size - 1, length),
        ends=column(-5000, 4000, length + 1),
        core=(first, draw(st.integers(first, length))),
        others=draw(st.lists(st.integers(-1, other_size - 1), max_size=30)),
        partners=draw(st.lists(rows, min_size=size, max_size=size)),
        here=column(0, 50_000),
        there=column(0, 50_000),
        anywhere=draw(st.lists(share, min_size=size, max_size=size)),
        size=draw(st.sampled_from([500.0, 503.25, 12_000.0])),
        prior=draw(st.sampled_from([MEANING, WORDS])),
        most_loss=draw(st.sampled_from([0, 700, 7000, 10**9])),
    )


@repeatable(800)
@given(fitted())
def test_both_forms_fit_the_same_stretch(asked: Fitted) -> None:
    assert asked.answer(compiled) == asked.answer(readable)


@FORMS
def test_what_nothing_is_related_to_is_no_stretch(form) -> None:
    nobody = Fitted(
        words=[0, 1, -1, 0],
        ends=[0] * 5,
        core=(0, 4),
        others=[0, 1],
        partners=[[], []],
        here=[2000, 1000],
        there=[0, 0],
        anywhere=[0.0, 0.0],
        size=500.0,
        prior=MEANING,
        most_loss=0,
    )
    start, end, evidence = nobody.answer(form)
    assert (start, evidence) == (end, 0)


@FORMS
def test_a_related_word_says_more_the_rarer_it_is(form) -> None:
    def evidence(anywhere: float) -> int:
        asked = Fitted(
            words=[0],
            ends=[0, 0],
            core=(0, 1),
            others=[0],
            partners=[[(0, readable.WHOLE)]],
            here=[1000],
            there=[1000],
            anywhere=[anywhere],
            size=1000.0,
            prior=MEANING,
            most_loss=0,
        )
        return asked.answer(form)[2]

    assert evidence(0.2) < evidence(0.05) < evidence(0.01)
