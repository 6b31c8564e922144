"""Fingerprints as the database keeps them: fewer bytes, the same numbers, and those of before."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import select, update

from likewise.library import schema
from likewise.library.errors import LibraryError
from likewise.library.sketches import hashes_from, hashes_to, repack_hashes
from tests.library.texts import invented

HASHES = st.integers(0, 2**64 - 1) | st.integers(0, 40)
TEXTS = [invented(200, seed=seed) for seed in range(6)]


def plain(hashes: np.ndarray) -> bytes:
    """As earlier versions kept them."""
    return hashes.astype("<u8").tobytes()


@given(st.sets(HASHES, max_size=150))
def test_fingerprints_are_read_as_they_were_and_packed_in_one_way(numbers):
    hashes = np.array(sorted(numbers), dtype=np.uint64)
    packed = hashes_to(hashes)
    assert hashes_from(packed).tolist() == hashes.tolist()
    assert len(packed) <= 8 * len(hashes)
    assert packed == plain(hashes) or len(packed) % 8
    assert hashes_from(plain(hashes)).tolist() == hashes.tolist()
    assert repack_hashes(plain(hashes)) == repack_hashes(memoryview(packed)) == packed


@given(st.lists(HASHES, max_size=40))
def test_numbers_in_any_order_are_kept(numbers):
    hashes = np.array(numbers, dtype=np.uint64)
    assert hashes_from(hashes_to(hashes)).tolist() == numbers


def test_fingerprints_of_a_text_take_less_than_eight_bytes_each():
    hashes = np.unique(np.random.default_rng(1).integers(0, 2**63, 400, np.uint64))
    assert len(hashes_to(hashes)) < 7.1 * len(hashes)


@pytest.mark.parametrize("cut", [1, 2, 3])
def test_what_is_cut_off_is_told(cut):
    packed = hashes_to(np.arange(1, 200, dtype=np.uint64) << np.uint64(50))
    damaged = packed[:-cut] if (len(packed) - cut) % 8 else packed[: -cut - 1]
    with pytest.raises(LibraryError):
        hashes_from(damaged)
    assert repack_hashes(damaged) == damaged


def test_a_library_with_fingerprints_of_eight_bytes_goes_on(opened, separate_rows):
    library = opened()
    library.add_texts([(f"{n}", text) for n, text in enumerate(TEXTS[:4])])
    rows = schema.sketches.c
    with library._store.writing() as (connection, _change):
        for number, hashes in connection.execute(select(rows.document_id, rows.hashes)).all():
            assert len(hashes) % 8
            connection.execute(
                update(schema.sketches)
                .where(rows.document_id == number)
                .values(hashes=plain(hashes_from(hashes)))
            )
    library.close()
    again = opened()
    assert again.stats().fingerprint_bytes == 8 * again.stats().postings
    added = again.add_texts([("other spaces", TEXTS[1].replace(" ", "  ")), ("new", TEXTS[5])])
    assert (len(added.ids), added.copies) == (2, 1)
    for text in (TEXTS[1], TEXTS[5]):
        assert again.candidates(text).ranked[0].share == 1
    assert again.verify() == ()
