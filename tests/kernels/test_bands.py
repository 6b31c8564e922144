"""Signatures to bucket keys, buckets to candidate pairs: both forms, and every pair once."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from likewise.kernels import _bands as compiled
from likewise.kernels import bands as readable
from tests.kernels.strategies import array, assert_equal, few, hashes, repeatable

FORMS = pytest.mark.parametrize("form", [readable, compiled], ids=["numpy", "compiled"])


@st.composite
def tables_of_keys(draw: st.DrawFn) -> np.ndarray:
    """Keys of several bands and documents, few enough that buckets fill."""
    bands, documents = draw(st.integers(1, 4)), draw(st.integers(0, 14))
    key = few(draw(st.integers(1, 6)))
    rows = st.lists(key, min_size=documents, max_size=documents)
    keys = draw(st.lists(rows, min_size=bands, max_size=bands))
    return array(keys).reshape(bands, documents)


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.uint32, np.uint64])
@repeatable(60)
@given(
    shape=st.tuples(st.integers(0, 6), st.integers(1, 5), st.integers(1, 5)),
    spare=st.integers(0, 3),
    seed=st.integers(0, 2**32),
)
def test_both_forms_make_the_same_keys(
    dtype, shape: tuple[int, int, int], spare: int, seed: int
) -> None:
    documents, bands, rows = shape
    most = np.iinfo(dtype).max
    random = np.random.default_rng(seed)
    size = (documents, bands * rows + spare)
    signatures = random.integers(0, most, size=size, dtype=dtype, endpoint=True)
    keys = readable.band_keys(signatures, bands, rows)
    assert_equal(keys, compiled.band_keys(signatures, bands, rows))
    assert keys.shape == (bands, documents)
    assert keys.all()


@FORMS
def test_a_key_tells_the_rows_of_its_band_and_the_band(form) -> None:
    signatures = array([[1, 2, 1, 2, 9], [1, 2, 2, 1, 8], [1, 2, 1, 2, 7]], np.uint16)
    first, second = form.band_keys(signatures, 2, 2).tolist()
    assert first[0] == first[1] == first[2]
    assert second[0] == second[2] != second[1]
    assert first[0] != second[0]


@repeatable(400)
@given(st.one_of(st.lists(few(5), max_size=30), st.lists(hashes, max_size=10)))
def test_groups_are_documents_with_one_key_in_the_order_of_their_first(keys: list[int]) -> None:
    members, bounds = compiled.group(array(keys))
    assert_equal(readable.group(array(keys)), (members, bounds))
    holders: dict[int, list[int]] = {}
    for document, key in enumerate(keys):
        holders.setdefault(key, []).append(document)
    expected = [group for group in holders.values() if len(group) > 1]
    assert [part.tolist() for part in np.split(members, bounds[1:-1])] == (expected or [[]])


def all_pairs(form, keys: np.ndarray, limit: int) -> list[list[tuple[int, int]]]:
    """The pairs of every band, asked for a few at a time."""
    found = []
    for band in range(len(keys)):
        members, bounds = form.group(keys[band])
        cursor, of_band = (0, -1, 0), []
        while cursor is not None:
            a, b, cursor = form.pairs_of_groups(members, bounds, keys, band, cursor, limit)
            assert len(a) == len(b) <= limit
            assert len(a) == limit or cursor is None
            of_band += zip(a.tolist(), b.tolist(), strict=True)
        found.append(of_band)
    return found


@repeatable(400)
@given(tables_of_keys(), st.one_of(st.integers(1, 7), st.just(1000)))
def test_every_pair_of_a_bucket_comes_once_by_the_first_band_that_has_it(
    keys: np.ndarray, limit: int
) -> None:
    found = all_pairs(compiled, keys, limit)
    assert found == all_pairs(readable, keys, limit)
    first_bands = {}
    for a, b in combinations(range(keys.shape[1]), 2):
        agreeing = np.flatnonzero(keys[:, a] == keys[:, b])
        if len(agreeing):
            first_bands[a, b] = int(agreeing[0])
    given_by = [(pair, band) for band, pairs in enumerate(found) for pair in pairs]
    assert sorted(given_by) == sorted(first_bands.items())


@repeatable(200)
@given(tables_of_keys(), st.integers(1, 5))
def test_what_one_form_began_the_other_goes_on_with(keys: np.ndarray, limit: int) -> None:
    for band in range(len(keys)):
        members, bounds = compiled.group(keys[band])
        whole, *_ = compiled.pairs_of_groups(members, bounds, keys, band, (0, -1, 0), 1000)
        cursor, turn, found = (0, -1, 0), 0, []
        while cursor is not None:
            form = (compiled, readable)[turn % 2]
            a, _, cursor = form.pairs_of_groups(members, bounds, keys, band, cursor, limit)
            found += a.tolist()
            turn += 1
        assert found == whole.tolist()
