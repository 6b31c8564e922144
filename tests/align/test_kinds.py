"""How a passage was taken, and the chain of words that decides it."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from likewise.align.kinds import chain, kind_of

WORDS = st.lists(st.integers(1, 8), max_size=30)
DISTINCT = st.lists(st.integers(1, 40), max_size=20, unique=True)


def longest_common(a: list[int], b: list[int]) -> int:
    """The textbook's longest common subsequence, in time n²."""
    row = [0] * (len(b) + 1)
    for word in a:
        before = 0
        for j, other in enumerate(b, 1):
            before, row[j] = row[j], before + 1 if word == other else max(row[j], row[j - 1])
    return row[-1]


@given(WORDS, WORDS)
def test_a_chain_pairs_equal_words_in_rising_order(a, b):
    at_a, at_b = chain(np.array(a, np.int64), np.array(b, np.int64))
    assert [a[i] for i in at_a] == [b[j] for j in at_b]
    assert (np.diff(at_a) > 0).all() and (np.diff(at_b) > 0).all()
    assert len(at_a) <= longest_common(a, b)


@given(DISTINCT, DISTINCT)
def test_a_chain_is_the_longest_where_no_word_repeats(a, b):
    assert len(chain(np.array(a, np.int64), np.array(b, np.int64))[0]) == longest_common(a, b)


def test_a_word_more_in_forty_is_still_verbatim():
    words = np.arange(1, 41)
    assert kind_of(words, np.insert(words, 20, 99)) == "verbatim"


def test_a_third_replaced_is_edited():
    words = np.arange(1, 31)
    assert kind_of(words, np.where(words % 3 == 0, words + 100, words)) == "edited"


def test_half_replaced_is_rewritten():
    words = np.arange(1, 31)
    assert kind_of(words, np.where(words % 2 == 0, words + 100, words)) == "rewritten"


def test_a_short_piece_of_a_long_one_is_no_verbatim_copy_of_it():
    words = np.arange(1, 31)
    assert kind_of(words, words[:10]) == "rewritten"
