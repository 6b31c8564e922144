"""Words to shingles, sets and fingerprints: both forms, and what the definitions say."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from likewise.kernels import _shingles as compiled
from likewise.kernels import shingles as readable
from tests.kernels.strategies import (
    array,
    assert_equal,
    documents_of_words,
    few,
    flat,
    hashes,
    repeatable,
    sets,
)

FORMS = pytest.mark.parametrize("form", [readable, compiled], ids=["numpy", "compiled"])
widths = st.integers(1, 9)
windows = st.integers(1, 7)

MASK = 2**64 - 1


def slow_shingles(words: list[int], width: int) -> list[int]:
    """Every run of `width` words that were not dropped; a shorter document is one shingle."""
    words = [word for word in words if word]
    if not words:
        return []
    runs = [words[i : i + width] for i in range(len(words) - width + 1)] or [words]
    return [slow_hash(run, width) for run in runs]


def slow_hash(run: list[int], width: int) -> int:
    h = 0
    for word in run:
        h = (h * 0x9E3779B97F4A7C15 + word) & MASK
    if len(run) < width:
        h = (h + len(run) * 0xC2B2AE3D27D4EB4F) & MASK
    h = (h ^ h >> 32) * 0xFF51AFD7ED558CCD & MASK
    return (h ^ h >> 29) or 1


def slow_winnow(runs: list[int], window: int) -> list[int]:
    """The rightmost smallest of every window, or of all where there are fewer."""
    chosen = set()
    for first in range(max(1, len(runs) - window + 1)):
        last = min(first + window, len(runs))
        if last > first:
            chosen.add(min(range(first, last), key=lambda i: (runs[i], -i)))
    return sorted(chosen)


def per_document(items: np.ndarray, ends: np.ndarray) -> list[list[int]]:
    return [items[first:last].tolist() for first, last in pairwise(ends.tolist())]


@repeatable(400)
@given(documents_of_words, widths)
def test_shingles_are_the_runs_of_words_that_were_not_dropped(
    documents: list[list[int]], width: int
) -> None:
    words, ends = flat(documents)
    runs = compiled.shingle_runs(words, ends, width)
    assert_equal(readable.shingle_runs(words, ends, width), runs)
    assert per_document(*runs) == [slow_shingles(document, width) for document in documents]


@repeatable(400)
@given(documents_of_words, widths, st.booleans())
def test_a_set_has_each_shingle_once_where_it_first_stands_and_its_count(
    documents: list[list[int]], width: int, count: bool
) -> None:
    words, ends = flat(documents)
    found = compiled.shingle_sets(words, ends, width, count)
    assert_equal(readable.shingle_sets(words, ends, width, count), found)
    expected = [Counter(slow_shingles(document, width)) for document in documents]
    assert per_document(found[0], found[1]) == [list(counter) for counter in expected]
    if count:
        assert per_document(found[2], found[1]) == [list(c.values()) for c in expected]
    else:
        assert found[2] is None


@FORMS
def test_words_of_a_document_shorter_than_a_shingle_are_its_one_shingle(form) -> None:
    words, ends = flat([[7, 8], [7, 8], [8, 7], [7, 8, 9], [0, 7, 0, 8], [0], []])
    documents = per_document(*form.shingle_runs(words, ends, 3))
    assert list(map(len, documents)) == [1, 1, 1, 1, 1, 0, 0]
    assert documents[0] == documents[1] == documents[4]
    assert documents[0] != documents[2] and documents[0] != documents[3]


@FORMS
def test_a_prefix_is_not_taken_for_the_whole(form) -> None:
    """Two words as a short document and as a shingle of width two are different things."""
    words, ends = flat([[7, 8]])
    assert form.shingle_runs(words, ends, 2)[0][0] != form.shingle_runs(words, ends, 3)[0][0]


@repeatable(300)
@given(sets, st.randoms(use_true_random=False))
def test_digests_are_equal_where_the_sets_are_equal(documents: list[list[int]], random) -> None:
    digests = compiled.set_digests(*flat(documents))
    assert_equal(readable.set_digests(*flat(documents)), digests)
    shuffled = [random.sample(document, len(document)) for document in documents]
    assert_equal(compiled.set_digests(*flat(shuffled)), digests)
    distinct = {frozenset(document) for document in documents}
    assert len(set(map(tuple, digests.tolist()))) == len(distinct)


runs_of_documents = st.lists(
    st.one_of(st.lists(few(4), max_size=25), st.lists(hashes, max_size=25)), max_size=5
)


@repeatable(500)
@given(runs_of_documents, windows)
def test_fingerprints_are_the_rightmost_smallest_shingles_of_all_windows(
    documents: list[list[int]], window: int
) -> None:
    runs, ends = flat(documents)
    places, bounds = compiled.winnow(runs, ends, window)
    assert_equal(readable.winnow(runs, ends, window), (places, bounds))
    expected = [
        [start + place for place in slow_winnow(document, window)]
        for document, start in zip(documents, ends.tolist(), strict=False)
    ]
    assert per_document(places, bounds) == expected


words_of_few = st.lists(st.integers(1, 6), max_size=12)


@FORMS
@repeatable(300)
@given(
    parts=st.tuples(words_of_few, words_of_few, words_of_few, words_of_few),
    shared=st.lists(st.integers(1, 6), min_size=20, max_size=20),
    width=st.integers(1, 6),
    window=st.integers(1, 6),
)
def test_a_shared_run_of_a_shingle_and_a_window_less_one_shares_a_fingerprint(
    form, parts: tuple[list[int], ...], shared: list[int], width: int, window: int
) -> None:
    shared = shared[: width + window - 1]
    words, ends = flat([parts[0] + shared + parts[1], parts[2] + shared + parts[3]])
    runs, bounds = form.shingle_runs(words, ends, width)
    places, chosen = form.winnow(runs, bounds, window)
    a, b = per_document(runs[places], chosen)
    assert set(a) & set(b)


@repeatable(50)
@given(st.integers(0, 2**32), widths, windows)
def test_both_forms_agree_on_long_documents(seed: int, width: int, window: int) -> None:
    random = np.random.default_rng(seed)
    words = random.integers(0, 300, size=3000, dtype=np.uint64)
    ends = np.sort(random.integers(0, 3001, size=4)).astype(np.int64)
    ends[0], ends[-1] = 0, 3000
    runs = compiled.shingle_runs(words, ends, width)
    assert_equal(readable.shingle_runs(words, ends, width), runs)
    assert_equal(
        readable.shingle_sets(words, ends, width, True),
        compiled.shingle_sets(words, ends, width, True),
    )
    assert_equal(readable.winnow(*runs, window), compiled.winnow(*runs, window))


@FORMS
def test_no_documents_are_no_shingles(form) -> None:
    none, zero = array([]), np.zeros(1, dtype=np.int64)
    assert [len(part) for part in form.shingle_runs(none, zero, 5)] == [0, 1]
    assert [len(part) for part in form.shingle_sets(none, zero, 5, True)] == [0, 1, 0]
    assert [len(part) for part in form.winnow(none, zero, 4)] == [0, 1]
    assert form.set_digests(none, zero).shape == (0, 2)
