"""The method of paper 004, on the paper's own tables."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from likewise.errors import BadSettings
from likewise.tables.layout import lay_out
from likewise.tables.paper_004 import (
    Sequences,
    Windows,
    codes_of,
    compare_as_published,
    nearest_codes,
    nearest_windows,
    normalised,
    sequences_of,
    word_rules,
)
from tests.tables.tables import MODIFIED, ORIGINAL, UNRELATED, table, turned

METRICS = ("euclidean", "city-block", "minkowski")
floats = st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=12)


def sequences(drawn, turn=False):
    given = table(drawn)
    return sequences_of(lay_out(turned(given) if turn else given), word_rules())


def test_a_table_is_a_sequence_of_words_and_one_of_numbers():
    found = sequences(ORIGINAL)
    assert found.numbers.tolist() == [225750, 560, 785960, 1220, 895975, 1150]
    assert len(found.words) == len("company name income number employee".split()) + 6
    assert len(set(found.words.tolist())) == len(found.words) - 1  # "company" stands twice


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("turn", [False, True])
def test_table_2_is_a_near_duplicate_of_table_1(metric, turn):
    windows = Windows(words=2, numbers=1, metric=metric)
    match = compare_as_published(sequences(MODIFIED, turn), sequences(ORIGINAL), windows)
    assert match.verdict == "near-duplicate"
    assert match.number_windows == 1


def test_one_condition_alone_is_worth_a_look():
    words = "Company | Employees\nCorporation TechBud | Many\nAlpha-Bud | Few"
    match = compare_as_published(sequences(words), sequences(ORIGINAL), Windows(words=2))
    assert match.words_alike
    assert match.verdict == "worth a look"


def test_the_normalisation_finds_something_alike_in_any_two_tables():
    match = compare_as_published(sequences(UNRELATED), sequences(ORIGINAL))
    assert not match.words_alike
    assert match.numbers_alike


def test_tables_without_words_or_numbers_are_different():
    empty = Sequences(np.zeros(0, np.uint64), np.zeros(0))
    assert compare_as_published(empty, sequences(ORIGINAL)).verdict == "different"
    assert compare_as_published(empty, empty).score == 0


def test_equal_numbers_do_not_divide_by_zero():
    assert normalised(np.array([0.0, 0.0])).tolist() == [0, 0]
    assert normalised(np.array([3.0, 3.0])).tolist() == [1, 1]
    equal = Sequences(np.zeros(0, np.uint64), np.full(50, 7.0))
    other = Sequences(np.zeros(0, np.uint64), np.full(50, 9.0))
    assert compare_as_published(equal, equal).number_windows == 1
    assert compare_as_published(equal, other).number_windows == 0


@given(floats, floats, st.integers(1, 4), st.sampled_from(METRICS))
def test_the_nearest_window_is_the_nearest(a, b, size, metric):
    found = nearest_windows(np.array(a), np.array(b), Windows(numbers=size, metric=metric))
    size = min(size, len(a), len(b))
    power = {"euclidean": 2, "city-block": 1, "minkowski": 3}[metric]
    for start, distance in enumerate(found):
        expected = min(
            math.pow(sum(abs(a[start + k] - b[other + k]) ** power for k in range(size)), 1 / power)
            for other in range(len(b) - size + 1)
        )
        assert distance == pytest.approx(expected, rel=1e-6, abs=1e-3)


@given(st.lists(st.integers(0, 2**64 - 1), min_size=1, max_size=20), st.integers(1, 5))
def test_a_window_that_is_shared_has_the_same_code(words, size):
    codes = codes_of(np.array(words, np.uint64), size, 64)
    assert len(codes) == max(len(words) - size + 1, 1)
    assert nearest_codes(codes, codes, 64).tolist() == [0] * len(codes)


def test_long_tables_are_compared_in_bounded_room():
    many = Sequences(np.arange(200_000, dtype=np.uint64), np.arange(200_000.0))
    assert compare_as_published(many, many).words_alike


@pytest.mark.parametrize(
    "wrong", [{"words": 0}, {"bits": 65}, {"metric": "other"}, {"power": 0.5}, {"most_hamming": 2}]
)
def test_senseless_parameters_are_refused(wrong):
    with pytest.raises(BadSettings):
        Windows(**wrong)
