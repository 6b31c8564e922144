"""Signatures: how near the estimate is to the truth, and that it is the same everywhere."""

from __future__ import annotations

import math

import numpy as np
import pytest

from likewise.settings import Scheme, Settings
from likewise.sketch import Sets, estimate, signatures_of
from likewise.sketch.signature import hash_functions

SCHEMES = pytest.mark.parametrize("scheme", ["fast", "minhash"])


def pairs_of_sets(pairs: int, shared: int, apart: int, seed: int) -> Sets:
    """Sets 2i and 2i + 1 share `shared` items and have `apart` of their own each."""
    random = np.random.default_rng(seed)
    size = shared + apart
    items = random.integers(1, 2**64, size=(pairs, shared + 2 * apart), dtype=np.uint64)
    both = np.concatenate((items[:, :size], items[:, :shared], items[:, size:]), axis=1)
    return Sets(both.ravel(), np.arange(2 * pairs + 1, dtype=np.int64) * size)


def errors(sets: Sets, truth: float, chosen: Settings) -> np.ndarray:
    rows = signatures_of(sets, chosen)
    return np.array(
        [estimate(rows[i], rows[i + 1], chosen.bits) - truth for i in range(0, len(rows), 2)]
    )


@SCHEMES
@pytest.mark.parametrize("bits", [8, 16, 64])
@pytest.mark.parametrize(("shared", "apart"), [(10, 20), (40, 5), (100, 100), (900, 50), (30, 235)])
def test_the_estimate_errs_no_more_than_theory_allows(
    scheme: Scheme, bits: int, shared: int, apart: int
) -> None:
    """A slot is one throw: 128 have the variance J(1-J)/128, and chance agreement adds its own."""
    pairs, slots = 600, 128
    truth = shared / (shared + 2 * apart)
    chosen = Settings(scheme=scheme, slots=slots, bits=bits)
    error = errors(pairs_of_sets(pairs, shared, apart, seed=shared + bits), truth, chosen)
    by_chance = 2.0**-bits
    agree = truth + (1 - truth) * by_chance
    theory = math.sqrt(agree * (1 - agree) / slots) / (1 - by_chance)
    assert math.sqrt(np.mean(error**2)) <= 1.15 * theory
    assert abs(np.mean(error)) <= 4 * theory / math.sqrt(pairs) + 0.001


def test_fast_sketches_of_small_sets_err_less_than_classic_ones() -> None:
    """Slots of a small set are filled almost without replacement (Dahlgaard et al. 2017)."""
    sets = pairs_of_sets(800, 34, 16, seed=1)
    fast, classic = (
        math.sqrt(np.mean(errors(sets, 34 / 66, Settings(scheme=scheme, slots=128)) ** 2))
        for scheme in ("fast", "minhash")
    )
    assert fast < 0.9 * classic


@SCHEMES
def test_equal_sets_have_equal_signatures_and_foreign_ones_share_nothing(scheme: Scheme) -> None:
    chosen = Settings(scheme=scheme, bits=64)
    equal, foreign = pairs_of_sets(20, 30, 0, seed=2), pairs_of_sets(20, 0, 30, seed=3)
    assert not errors(equal, 1.0, chosen).any()
    assert not errors(foreign, 0.0, chosen).any()


def test_an_estimate_is_never_negative() -> None:
    a, b = np.array([1, 2], np.uint8), np.array([3, 4], np.uint8)
    assert estimate(a, b, 8) == 0.0
    assert estimate(a, a, 8) == 1.0


@SCHEMES
def test_signatures_of_some_documents_are_those_rows(scheme: Scheme) -> None:
    chosen = Settings(scheme=scheme, slots=32)
    sets = pairs_of_sets(40, 7, 5, seed=4)
    with_empty = Sets(sets.hashes, np.insert(sets.offsets, 3, sets.offsets[3]))
    some = np.array([0, 3, 4, 17])
    assert np.array_equal(
        signatures_of(with_empty, chosen, some), signatures_of(with_empty, chosen)[some]
    )


def test_a_signature_has_the_slots_and_bits_asked_for() -> None:
    sets = pairs_of_sets(3, 5, 5, seed=5)
    for slots, bits in ((1, 8), (100, 16), (256, 32), (84, 64)):
        rows = signatures_of(sets, Settings(slots=slots, bits=bits))
        assert rows.shape == (6, slots) and rows.dtype == np.dtype(f"uint{bits}")


def test_no_sets_have_no_signatures() -> None:
    nothing = Sets(np.zeros(0, np.uint64), np.zeros(1, np.int64))
    assert signatures_of(nothing, Settings()).shape == (0, 256)


def test_hash_functions_are_odd_and_fixed_by_the_seed() -> None:
    one = hash_functions(1, 128)
    assert one.dtype == np.uint64 and len(set(one.tolist())) == len(one) == 256
    assert (one & np.uint64(1)).all()
    assert not one.flags.writeable
    hash_functions.cache_clear()
    assert np.array_equal(hash_functions(1, 128), one)
    assert not np.isin(hash_functions(2, 128), one).any()
    assert np.array_equal(hash_functions(1, 8), one[:16])
