"""Sorted numbers in few bits: both forms, everything as it was, and nothing taken for it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from likewise.kernels import _packing as compiled
from likewise.kernels import packing as readable
from tests.kernels.strategies import array, assert_equal, repeatable

FORMS = pytest.mark.parametrize("form", [readable, compiled], ids=["numpy", "compiled"])
NUMBERS = st.integers(0, 2**64 - 1) | st.integers(0, 300) | st.integers(2**64 - 300, 2**64 - 1)
SETS = st.sets(NUMBERS, min_size=1, max_size=200).map(sorted).map(array)


@repeatable(300)
@given(SETS)
def test_both_forms_pack_the_same_and_nothing_is_lost(hashes: np.ndarray) -> None:
    packed = readable.pack_gaps(hashes)
    assert compiled.pack_gaps(hashes) == packed
    for form in (readable, compiled):
        assert_equal(form.unpack_gaps(packed), hashes)
        assert_equal(form.unpack_gaps(packed + b"\0"), hashes)


@pytest.mark.parametrize("size", [1, 127, 128, 16_383, 16_384, 40_000])
def test_sets_of_every_size_are_packed(size: int) -> None:
    hashes = np.unique(np.random.default_rng(size).integers(0, 2**64, size, np.uint64))
    packed = readable.pack_gaps(hashes)
    assert compiled.pack_gaps(hashes) == packed
    for form in (readable, compiled):
        assert_equal(form.unpack_gaps(packed), hashes)
    # At most half a bit a number more than there are such sets, and what says how many there are.
    least = size * (64 - np.log2(size) + 1.44)
    assert 8 * len(packed) < least + 0.6 * size + 48


@repeatable(400)
@given(st.data(), SETS)
def test_damage_is_refused_or_gives_ascending_numbers_in_both_forms(data, hashes) -> None:
    packed = bytearray(readable.pack_gaps(hashes))
    for _ in range(data.draw(st.integers(0, 3))):
        packed[data.draw(st.integers(0, len(packed) - 1))] ^= data.draw(st.integers(1, 255))
    damaged = bytes(packed[: data.draw(st.integers(0, len(packed)))])
    answers = []
    for form in (readable, compiled):
        try:
            answers.append(form.unpack_gaps(damaged).tolist())
        except ValueError:
            answers.append(None)
    assert answers[0] == answers[1]
    assert answers[0] is None or answers[0] == sorted(set(answers[0]))


@FORMS
@pytest.mark.parametrize(
    "data", [b"", b"\5", b"\5\0", b"\5\x80", b"\x40\1\xff\xff", b"\5\xff\xff\xff\xff\xff"]
)
def test_what_was_never_packed_is_refused(form, data: bytes) -> None:
    with pytest.raises(ValueError, match="packed"):
        form.unpack_gaps(data)


@repeatable(200)
@given(
    keys=st.lists(st.tuples(NUMBERS, st.integers(0, 15)), max_size=60),
    many=st.sets(NUMBERS, max_size=2),
    asked=st.sets(NUMBERS, max_size=30),
    bucket_bits=st.integers(7, 12),
)
def test_both_forms_find_the_same_postings(keys, many, asked, bucket_bits) -> None:
    from likewise.search.packed_keys import KeyLayout, KeyPacker

    lower = 2**40 - 1
    postings = sorted({(hash_ & lower) << 24 | number for hash_, number in keys})
    postings = sorted(
        [*postings, *((one & lower) << 24 | k for one in many for k in range(16, 300))]
    )
    layout = KeyLayout(bucket_bits, 9)
    packer = KeyPacker(layout, len(postings))
    parts = np.concatenate(list(packer.lower_parts([array(postings)])))
    hashes = array(sorted(asked | many | {hash_ for hash_, _ in keys}))
    arrays = hashes, parts, *packer.buckets(), bucket_bits, 9
    first = (hashes & np.uint64(lower)) << np.uint64(24)
    low = np.searchsorted(array(postings), first)
    high = np.searchsorted(array(postings), first | np.uint64(2**24 - 1), side="right")
    for form in (readable, compiled):
        for actual, expected in zip(form.find_ranges(*arrays), (low, high), strict=True):
            assert_equal(actual, expected)


@repeatable(100)
@given(st.integers(0, 2**32), st.integers(1, 57), st.integers(0, 40))
def test_both_forms_read_what_was_written(seed: int, width: int, count: int) -> None:
    dice = np.random.default_rng(seed)
    values = dice.integers(0, 2**64, count, dtype=np.uint64) & np.uint64(2**width - 1)
    written = readable.write_bits(values, width)
    assert_equal(compiled.write_bits(values, width), written)
    data = np.append(written, np.zeros(8, np.uint8))
    places = dice.integers(0, max(count, 1), 2 * count)
    for form in (readable, compiled):
        assert_equal(form.read_bits(data, places, width), values[places])


@repeatable(200)
@given(st.lists(st.tuples(NUMBERS, st.integers(0, 2**24 - 1)), max_size=80))
def test_both_forms_sort_postings_and_keep_the_order_of_holders(pairs) -> None:
    postings = array([(hash_ % 2**40) << 24 | number for hash_, number in pairs])
    expected = sorted(postings.tolist(), key=lambda posting: posting >> 24)
    for form in (readable, compiled):
        assert form.sort_postings(postings).tolist() == expected
