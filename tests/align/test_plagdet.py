"""The measure that alignment is judged by, on cases made by hand."""

import math

import pytest

from bench.quality.plagdet import Region, plagdet

CASE = Region(100, 200, 1000, 1100)


def test_a_case_found_exactly_scores_one():
    measured = plagdet([([CASE], [CASE])])
    assert (measured.plagdet, measured.recall, measured.precision, measured.granularity) == (
        1, 1, 1, 1,
    )  # fmt: skip


def test_splitting_a_case_into_two_detections_costs_a_third():
    halves = [Region(100, 150, 1000, 1050), Region(150, 200, 1050, 1100)]
    measured = plagdet([([CASE], halves)])
    assert (measured.recall, measured.precision, measured.granularity) == (1, 1, 2)
    assert measured.plagdet == pytest.approx(1 / math.log2(3))
    assert round(measured.plagdet, 3) == 0.631


def test_both_sides_count_by_their_characters():
    half_here_all_there = Region(100, 150, 1000, 1100)
    measured = plagdet([([CASE], [half_here_all_there])])
    assert (measured.recall, measured.precision) == (150 / 200, 1)


def test_what_a_detection_covers_beyond_the_case_costs_precision():
    measured = plagdet([([CASE], [Region(100, 300, 1000, 1200)])])
    assert (measured.recall, measured.precision) == (1, 0.5)


def test_a_detection_with_the_right_text_and_the_wrong_source_place_is_false():
    measured = plagdet([([CASE], [Region(100, 200, 0, 100)])])
    assert (measured.plagdet, measured.recall, measured.precision) == (0, 0, 0)


def test_characters_covered_twice_count_once():
    measured = plagdet([([CASE], [Region(100, 180, 1000, 1080), Region(120, 200, 1020, 1100)])])
    assert (measured.recall, measured.precision, measured.granularity) == (1, 1, 2)


def test_cases_weigh_the_same_whatever_their_length():
    long_one = Region(0, 10_000, 0, 10_000)
    measured = plagdet([([CASE], []), ([long_one], [long_one])])
    assert (measured.recall, measured.precision) == (0.5, 1)


def test_a_detection_in_a_clean_pair_costs_precision():
    measured = plagdet([([CASE], [CASE]), ([], [Region(0, 10, 0, 10)])])
    assert (measured.recall, measured.precision) == (1, 0.5)


def test_granularity_looks_at_cases_that_were_found():
    other = Region(0, 50, 0, 50)
    measured = plagdet([([CASE, other], [CASE])])
    assert measured.granularity == 1


def test_nothing_to_find_and_nothing_found_scores_nothing():
    measured = plagdet([([], [])])
    assert (measured.plagdet, measured.cases, measured.detections) == (0, 0, 0)
