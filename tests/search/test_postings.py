"""Postings: every holder of every fingerprint, counted or followed, whatever the segments."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from likewise.search.packed_keys import KeyLayout, KeyPacker, PackedKeys, layout_of
from likewise.search.postings import (
    Segment,
    eldest_holders,
    look_up,
    membership_test,
    merged,
    removed_flags,
    segment_of,
)

HASHES = st.integers(0, 2**64 - 1) | st.integers(0, 12).map(lambda x: x << 40 | x)
COLLECTIONS = st.lists(st.sets(HASHES, max_size=12), max_size=12)


def array(values) -> np.ndarray:
    return np.array(sorted(values), dtype=np.uint64)


def in_segments(collection, cuts) -> list[Segment]:
    """The documents 10, 11, … spread over segments."""
    ends = sorted({0, len(collection), *(cut % (len(collection) + 1) for cut in cuts)})
    return [
        segment_of(range(10 + a, 10 + b), [array(hashes) for hashes in collection[a:b]])
        for a, b in pairwise(ends)
    ]


def packed(segment: Segment, layout: KeyLayout | None = None, stretches=None) -> Segment:
    """The same postings as a file holds those of a long segment."""
    layout = layout or layout_of(len(segment), len(segment.documents))
    packer = KeyPacker(layout, len(segment))
    lower = np.concatenate(list(packer.lower_parts(stretches or [segment.keys[:]])))
    keys = PackedKeys(layout, len(segment), lower, *packer.buckets())
    return Segment(segment.documents, keys)


def lower(hash_: int) -> int:
    return hash_ & (2**40 - 1)


@given(COLLECTIONS, st.lists(st.integers(0, 20), max_size=3), st.sets(HASHES), st.data())
def test_every_holder_is_found_or_counted(collection, cuts, asked, data):
    asked |= {h for held in collection for h in list(held)[:2]}
    gone = data.draw(st.sets(st.integers(10, 22)))
    few, most = data.draw(st.integers(1, 5)), data.draw(st.integers(1, 30))
    segments = in_segments(collection, cuts)
    if data.draw(st.booleans()):
        bits = st.tuples(st.integers(7, 12), st.integers(4, 24))
        segments = [packed(segment, KeyLayout(*data.draw(bits))) for segment in segments]
    hashes = array(asked)
    flags = [removed_flags(segment, array(gone).astype(np.int64)) for segment in segments]
    found = look_up(segments, hashes, removed=flags, few=few, most=most)
    holders = [
        {
            document
            for document, held in enumerate(collection, 10)
            if document not in gone and lower(int(hash_)) in {lower(h) for h in held}
        }
        for hash_ in hashes
    ]
    sizes = [
        sum(
            [lower(h) for h in held].count(lower(int(hash_)))
            for document, held in enumerate(collection, 10)
            if document not in gone
        )
        for hash_ in hashes
    ]
    assert found.holders.tolist() == sizes
    shared: dict[int, int] = {}
    for k, documents in enumerate(holders):
        eldest = eldest_holders(segments, int(hashes[k]), removed=flags)
        assert set(eldest) <= documents and bool(eldest) == bool(documents)
        if not found.common[k]:
            assert sizes[k] <= few
            for document in documents:
                shared[document] = shared.get(document, 0) + 1
    assert set(found.documents.tolist()) == set(shared)
    pairs = set(zip(found.fingerprint.tolist(), found.holder.tolist(), strict=True))
    assert pairs == {
        (k, d) for k, documents in enumerate(holders) if not found.common[k] for d in documents
    }


@given(COLLECTIONS, st.lists(st.integers(0, 20), max_size=4), st.sets(st.integers(10, 22)))
def test_merged_segments_hold_what_they_held_apart(collection, cuts, gone):
    segments = in_segments(collection, cuts)
    documents, stretches = merged(segments, membership_test(gone))
    keys = np.concatenate([np.zeros(0, np.uint64), *stretches])
    assert (keys[1:] >= keys[:-1]).all()
    kept = [held if d not in gone else set() for d, held in enumerate(collection, 10)]
    alone = segment_of(range(10, 10 + len(collection)), [array(held) for held in kept])
    assert documents.tolist() == alone.documents.tolist()
    assert keys.tolist() == alone.keys[:].tolist()


def test_long_segments_are_merged_a_stretch_at_a_time():
    dice = np.random.default_rng(3)
    several = [
        segment_of(
            range(first, first + 300),
            [np.unique(dice.integers(0, 2**64, 4000, np.uint64)) for _ in range(300)],
        )
        for first in (0, 300)
    ]
    documents, stretches = merged(several)
    parts = list(stretches)
    assert len(parts) > 1 and max(map(len, parts)) < 1.5 * (1 << 20)
    keys = np.concatenate(parts)
    assert (keys[1:] >= keys[:-1]).all() and len(keys) == sum(map(len, several))
    whole = packed(Segment(documents, keys), stretches=parts)
    assert whole.keys[:].tolist() == keys.tolist()
    asked = np.unique(dice.choice(several[1].keys[:], 50) >> np.uint64(24))
    apart, together = look_up(several, asked), look_up([whole], asked)
    assert apart.documents.tolist() == together.documents.tolist()
    assert apart.shared.tolist() == together.shared.tolist()


@given(COLLECTIONS, st.integers(7, 12), st.integers(4, 24), st.data())
def test_packed_keys_are_read_as_they_were(collection, bucket_bits, number_bits, data):
    (segment,) = in_segments(collection, []) or [segment_of([], [])]
    cuts = sorted(data.draw(st.lists(st.integers(0, len(segment)), max_size=4)))
    ends = [0, *cuts, len(segment)]
    stretches = [segment.keys[a:b] for a, b in pairwise(ends)]
    same = packed(segment, KeyLayout(bucket_bits, number_bits), stretches).keys
    assert len(same) == len(segment)
    for a, b in [(0, None), *pairwise(ends)]:
        assert same[a:b].tolist() == segment.keys[a:b].tolist()


def test_a_fingerprint_of_very_many_documents_is_packed_like_any_other():
    dice = np.random.default_rng(5)
    common = [array({1, 2**40 - 1, 2**63 + 5, *dice.integers(0, 2**64, 20, np.uint64).tolist()})]
    hashes = [np.unique(np.concatenate([common[0], array({k << 8})])) for k in range(5000)]
    plain = segment_of(range(5000), hashes)
    same = packed(plain)
    assert same.keys[:].tolist() == plain.keys[:].tolist()
    asked = array({0, 1, 2, 2**40 - 1, 2**40 - 2, 77 << 8, *common[0].tolist()})
    asked = asked[np.argsort(asked << np.uint64(24), kind="stable")]
    for one, other in zip(same.ranges(asked), plain.ranges(asked), strict=True):
        assert one.tolist() == other.tolist()
    places = np.arange(0, len(plain), 7)
    assert same.numbers(places).tolist() == plain.numbers(places).tolist()


def test_rare_fingerprints_are_followed_first():
    collection = [{1, 2, 100 + d} for d in range(40)] + [{2}] * 40
    segments = in_segments(collection, [])
    found = look_up(segments, array({1, 2, 105}), few=50, most=45)
    assert found.common.tolist() == [False, True, False]
    assert found.holders.tolist() == [40, 80, 1]
    best = found.documents[np.argmax(found.shared)]
    assert (best, found.shared.max()) == (15, 2)


def test_nothing_is_found_in_nothing():
    found = look_up([], array({1, 2}))
    assert found.holders.tolist() == [0, 0] and len(found.documents) == 0
    empty = segment_of([], [])
    assert len(look_up([empty], array(())).documents) == 0


def test_a_segment_of_too_many_documents_is_refused():
    with pytest.raises(ValueError, match="at most"):
        segment_of(range((1 << 24) + 1), [])
