"""Sets to signatures: both forms of both schemes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from likewise.kernels import _signature as compiled
from likewise.kernels import signature as readable
from likewise.sketch.signature import hash_functions
from tests.kernels.strategies import assert_equal, flat, repeatable, sets

FORMS = pytest.mark.parametrize("form", [readable, compiled], ids=["numpy", "compiled"])
BITS = pytest.mark.parametrize("bits", [8, 16, 32, 64])
SCHEMES = pytest.mark.parametrize("classic", [False, True], ids=["fast", "minhash"])


def all_of(documents: list[list[int]]) -> tuple[Any, Any, Any]:
    """Sets end to end, their offsets, and the numbers of all of them."""
    return (*flat(documents), np.arange(len(documents)))


@BITS
@SCHEMES
@repeatable(60)
@given(
    documents=sets,
    slots=st.sampled_from([1, 2, 3, 7, 16, 31, 84, 100, 128]),
    seed=st.integers(0, 99),
)
def test_both_forms_sketch_alike(
    bits: int, classic: bool, documents: list[list[int]], slots: int, seed: int
) -> None:
    odd = hash_functions(seed, slots)
    assert_equal(
        readable.signatures(*all_of(documents), odd, slots, bits, classic),
        compiled.signatures(*all_of(documents), odd, slots, bits, classic),
    )


@SCHEMES
@pytest.mark.parametrize("slots", [64, 1000, 1024, 4096])
def test_both_forms_sketch_large_sets_alike(slots: int, classic: bool) -> None:
    """More items than the compiled form settles at once, and slots that stay empty for rounds."""
    random = np.random.default_rng(slots)
    items = random.integers(1, 2**64, size=9301, dtype=np.uint64)
    ends = np.array([0, 1, 1, 300, 9301] if slots < 4096 else [0, 300, 700], dtype=np.int64)
    items, odd = items[: ends[-1]], hash_functions(5, slots)
    assert_equal(
        readable.signatures(items, ends, np.arange(len(ends) - 1), odd, slots, 16, classic),
        compiled.signatures(items, ends, np.arange(len(ends) - 1), odd, slots, 16, classic),
    )


@FORMS
@SCHEMES
@BITS
def test_an_empty_set_has_a_row_of_zeros(form, bits: int, classic: bool) -> None:
    odd = hash_functions(1, 16)
    rows = form.signatures(*all_of([[], [3], []]), odd, 16, bits, classic)
    assert rows.shape == (3, 16) and rows.dtype.itemsize * 8 == bits
    assert not rows[0].any() and not rows[2].any() and rows[1].any()
    assert form.signatures(*all_of([]), odd, 16, bits, classic).shape == (0, 16)
    assert not form.signatures(*all_of([[], []]), odd, 16, bits, classic).any()


@FORMS
@SCHEMES
@repeatable(60)
@given(documents=sets, random=st.randoms(use_true_random=False))
def test_the_order_of_a_set_does_not_matter(form, classic: bool, documents, random) -> None:
    odd = hash_functions(1, 24)
    shuffled = [random.sample(document, len(document)) for document in documents]
    assert_equal(
        form.signatures(*all_of(documents), odd, 24, 32, classic),
        form.signatures(*all_of(shuffled), odd, 24, 32, classic),
    )


@FORMS
@SCHEMES
@repeatable(40)
@given(documents=sets)
def test_fewer_bits_are_the_high_bits_of_more(form, classic: bool, documents) -> None:
    odd = hash_functions(1, 24)
    whole = form.signatures(*all_of(documents), odd, 24, 64, classic)
    for bits in (8, 16, 32):
        rows = form.signatures(*all_of(documents), odd, 24, bits, classic)
        assert rows.tolist() == (whole >> np.uint64(64 - bits)).tolist()


@FORMS
@SCHEMES
def test_some_documents_can_be_chosen(form, classic: bool) -> None:
    odd = hash_functions(3, 24)
    items, ends, everyone = all_of([[5, 6], [], [7], [8, 9, 10]])
    whole = form.signatures(items, ends, everyone, odd, 24, 16, classic)
    chosen = np.array([3, 0, 0], dtype=np.int64)
    assert_equal(form.signatures(items, ends, chosen, odd, 24, 16, classic), whole[chosen])
