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
from tests.kernels.strategies import array, assert_equal, repeatable

FORMS = pytest.mark.parametrize("form", [readable, compiled], ids=["numpy", "compiled"])


class Relation(NamedTuple):
    """What `related_mass` is asked with."""

    own: list[int]
    others: list[int]
    closeness: list[int]
    counts: list[int]
    size: int


@st.composite
def relations(draw: st.DrawFn) -> Relation:
    """Rows between two small vocabularies, many of them between the same words."""
    size, other_size = draw(st.integers(1, 8)), draw(st.integers(1, 8))
    row = st.tuples(st.integers(0, size - 1), st.integers(0, other_size - 1), st.integers(0, 10**6))
    rows = draw(st.lists(row, max_size=40))
    counts = draw(st.lists(st.integers(0, 10**5), min_size=other_size, max_size=other_size))
    own, others, closeness = ([each[k] for each in rows] for k in range(3))
    return Relation(own, others, closeness, counts, size)


def mass_by(form, relation: Relation) -> np.ndarray:
    columns = (array(column, np.int64) for column in relation[:-1])
    return form.related_mass(*columns, relation.size)


@repeatable(300)
@given(relations())
def test_both_forms_count_the_same_mass_and_it_is_the_sum_of_the_rows(relation: Relation) -> None:
    mass = mass_by(compiled, relation)
    assert_equal(mass_by(readable, relation), mass)
    expected = [0] * relation.size
    for word, other, closeness in zip(*relation[:3], strict=True):
        expected[word] += closeness * relation.counts[other]
    assert mass.tolist() == expected


@FORMS
def test_words_without_relations_have_no_mass(form) -> None:
    assert mass_by(form, Relation([], [], [], [], 3)).tolist() == [0, 0, 0]
    assert mass_by(form, Relation([], [], [], [], 0)).tolist() == []


class Ground(NamedTuple):
    """What `best_stretch` is asked with."""

    words: list[int]
    evidence: list[int]
    available: list[int]
    repeated: int
    ends: list[int]
    core: tuple[int, int]
    most_loss: int

    def answer(self, form) -> tuple[int, int, int]:
        words, evidence, available, ends = (
            array(each, np.int64) for each in (self.words, self.evidence, self.available, self.ends)
        )
        return form.best_stretch(
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


@repeatable(600)
@given(grounds())
def test_both_forms_choose_the_same_stretch(ground: Ground) -> None:
    assert ground.answer(compiled) == ground.answer(readable)


@repeatable(300)
@given(grounds())
def test_a_stretch_lies_around_the_middle_and_its_evidence_is_the_sum(ground: Ground) -> None:
    start, end, evidence = ground.answer(compiled)
    assert 0 <= start <= sum(ground.core) // 2 <= end <= len(ground.words)
    assert evidence == sum(ground.worth()[start:end])


@repeatable(200)
@given(grounds())
def test_where_any_loss_is_borne_no_stretch_around_the_middle_is_better(ground: Ground) -> None:
    ground = ground._replace(most_loss=10**9)
    start, end, evidence = ground.answer(compiled)
    worth, middle = ground.worth(), sum(ground.core) // 2
    total = evidence + ground.ends[start] + ground.ends[end]
    for first in range(middle + 1):
        for last in range(middle, len(worth) + 1):
            other = sum(worth[first:last]) + ground.ends[first] + ground.ends[last]
            assert other <= total


@FORMS
def test_growing_stops_where_too_much_is_lost(form) -> None:
    words = list(range(7))
    island = Ground(words, [5, 5, -9, -9, 5, 9, 9], [1] * 7, -1, [0] * 8, (0, 2), 10)
    assert island.answer(form) == (0, 2, 10)
    assert island._replace(most_loss=30).answer(form) == (0, 7, 15)


@FORMS
def test_a_word_repeated_beyond_its_partners_speaks_no_more(form) -> None:
    once = Ground([4] * 5, [6] * 5, [1] * 5, -2, [0] * 6, (2, 3), 100)
    assert once.answer(form) == (2, 3, 6)
    assert once._replace(available=[5] * 5).answer(form) == (0, 5, 30)


@FORMS
def test_nothing_has_an_empty_stretch(form) -> None:
    assert Ground([], [], [], -1, [7], (0, 0), 10).answer(form) == (0, 0, 0)
