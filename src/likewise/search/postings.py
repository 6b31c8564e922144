"""Which documents hold a fingerprint: sorted arrays, searched in place.

A posting is one number of 64 bits: 40 bits of the fingerprint above 24 bits that say which of the
segment's documents holds it. Sorted, all holders of a fingerprint stand side by side, so that how
many there are is known without looking at them. The 40 bits are the lower ones: winnowing chooses
small fingerprints, and so leaves less in the upper ones. Two fingerprints out of 10⁸ and 10³ meet
by accident in one question out of ten, in one document; what is shown is counted again.
In a file, a long segment is packed: see `packed_keys`.

A segment never changes. Segments are merged as they grow, a stretch at a time, so that merging
takes little memory whatever their size.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likewise.kernels import sort_postings
from likewise.search.packed_keys import PackedKeys

Hashes = NDArray[np.uint64]
Numbers = NDArray[np.int64]
Flags = NDArray[np.bool_]
Rows = NDArray[np.uint8]

NUMBER_BITS = np.uint64(24)
MOST_DOCUMENTS = 1 << 24  # in one segment
_NUMBER_MASK = np.uint64(MOST_DOCUMENTS - 1)
_STRETCH = 1 << 18  # postings that are merged at a time

FEW_HOLDERS = 256  # a fingerprint of more documents is common
MOST_FOLLOWED = 100_000  # postings that one question looks at
_COARSE_BITS = np.uint64(48)  # of 64, that do not matter for an order that is good enough
ELDEST = 4  # holders of a common fingerprint that are named


@dataclass(frozen=True, slots=True, eq=False)
class Segment:
    """The postings of some documents. `documents` are their numbers outside, `keys` ascend.

    Where a file is read from end to end, `let_go` gives back the memory through which it was seen.
    `rows` is what is kept of each document to be looked at once it is found, so many bytes of each.
    """

    documents: Numbers
    keys: Hashes | PackedKeys
    let_go: Callable[[], None] | None = None
    rows: Rows | None = None

    def __len__(self) -> int:
        return len(self.keys)

    def ranges(self, hashes: Hashes) -> tuple[Numbers, Numbers]:
        """From where to where the postings of each fingerprint stand; quickest if these ascend."""
        if isinstance(self.keys, PackedKeys):
            return self.keys.ranges(hashes)
        first = hashes << NUMBER_BITS
        # Not to the last possible posting of a fingerprint, which is the mask and may be there.
        after = np.searchsorted(self.keys, first | _NUMBER_MASK, side="right")
        return np.searchsorted(self.keys, first), after

    def numbers(self, places: Numbers) -> Numbers:
        """Which of the documents some postings belong to; quickest if their places ascend."""
        if isinstance(self.keys, PackedKeys):
            return self.keys.numbers(places)
        return (self.keys[places] & _NUMBER_MASK).astype(np.int64)


def segment_of(
    documents: Sequence[int], fingerprints: Sequence[Hashes], rows: Rows | None = None
) -> Segment:
    """A segment in memory, of each document's distinct fingerprints.

    >>> segment = segment_of([7, 9], [np.array([1, 2], np.uint64), np.array([2], np.uint64)])
    >>> [int(x) for x in segment.documents], len(segment)
    ([7, 9], 3)
    """
    if len(documents) > MOST_DOCUMENTS:
        raise ValueError(f"a segment holds at most {MOST_DOCUMENTS:,} documents")
    sizes = [len(hashes) for hashes in fingerprints]
    flat = np.concatenate([np.zeros(0, np.uint64), *fingerprints])
    number = np.repeat(np.arange(len(documents), dtype=np.uint64), sizes)
    keys = sort_postings((flat << NUMBER_BITS) | number)  # whose documents ascend already
    return Segment(np.array(documents, dtype=np.int64), keys, rows=rows)


def merged(
    segments: Sequence[Segment], is_removed: Callable[[Numbers], Flags] | None = None
) -> tuple[Numbers, Iterator[Hashes]]:
    """The documents of several segments and, a stretch at a time, their postings in order.

    Documents that are gone keep their place and lose their postings.
    """
    documents = np.concatenate([np.zeros(0, np.int64), *(s.documents for s in segments)])
    if len(documents) > MOST_DOCUMENTS:
        raise ValueError(f"a segment holds at most {MOST_DOCUMENTS:,} documents")
    first = np.cumsum([0, *(len(s.documents) for s in segments)]).astype(np.uint64)
    removed = (
        is_removed(documents) if is_removed is not None else np.zeros(len(documents), dtype=bool)
    )
    some_are_removed = bool(removed.any())

    def stretches() -> Iterator[Hashes]:
        for ends in _stretches(segments):
            parts = [s.keys[a:b] + n for s, (a, b), n in zip(segments, ends, first, strict=False)]
            keys = np.concatenate(parts)
            if some_are_removed:
                keys = keys[~removed[(keys & _NUMBER_MASK).astype(np.int64)]]
            keys.sort(kind="stable")  # a few sorted runs: they are merged, not sorted anew
            yield keys

    return documents, stretches()


def merged_rows(
    segments: Sequence[Segment], is_removed: Callable[[Numbers], Flags] | None = None
) -> Iterator[Rows]:
    """The rows of several segments, a stretch at a time; of documents that are gone nothing."""
    for segment in segments:
        if segment.rows is None:
            continue
        for start in range(0, len(segment.rows), _STRETCH):
            rows = segment.rows[start : start + _STRETCH]
            if is_removed is not None:
                removed = is_removed(segment.documents[start : start + _STRETCH])
                rows = np.where(removed[:, None], np.uint8(0), rows)
            yield rows


def _stretches(segments: Sequence[Segment]) -> Iterator[list[tuple[int, int]]]:
    """Cuts through all segments at the same fingerprints, each of about `_STRETCH` postings.

    All postings of a fingerprint are in one stretch, however many there are.
    """
    longest = max(segments, key=len, default=None)
    if longest is None or not len(longest):
        return
    share = max(1, int(_STRETCH * len(longest) / sum(map(len, segments))))
    before, last = [0] * len(segments), np.zeros(1, np.uint64)
    # One cut after the other: each look at a file may bring megabytes of it into memory, which are
    # let go with the stretch.
    for place in range(share, len(longest), share):
        cut = longest.keys[place : place + 1] >> NUMBER_BITS
        if cut == last:
            continue
        after = [int(s.ranges(cut)[0][0]) for s in segments]
        yield list(zip(before, after, strict=True))
        before, last = after, cut
    yield [(start, len(s)) for start, s in zip(before, segments, strict=True)]


@dataclass(frozen=True, slots=True, eq=False)
class Lookup:
    """What the postings say about some fingerprints.

    `shared[i]` rare fingerprints are held by `documents[i]`, and each pair of `held` and `holder`
    is one of them: the number of a fingerprint and a document. `holders` says for each fingerprint
    asked for how many documents hold it; a `common` one was not followed.
    """

    documents: Numbers
    shared: Numbers
    fingerprint: Numbers
    holder: Numbers
    holders: Numbers
    common: Flags


def look_up(
    segments: Sequence[Segment],
    hashes: Hashes,
    *,
    removed: Sequence[Flags | None] | None = None,
    few: int = FEW_HOLDERS,
    most: int = MOST_FOLLOWED,
) -> Lookup:
    """The documents that hold some of these distinct, ascending fingerprints; rare ones first.

    A fingerprint of more than `few` documents is common, and so are the most frequent of the
    others where all together would exceed `most` postings. `removed` says for each segment
    which of its documents do not count, None where all do.

    >>> one = segment_of([7, 9], [np.array([1, 2], np.uint64), np.array([2], np.uint64)])
    >>> found = look_up([one], np.array([1, 2, 3], np.uint64))
    >>> found.documents.tolist(), found.shared.tolist(), found.holders.tolist()
    ([7, 9], [2, 1], [1, 2, 0])
    """
    # Postings are in the order of the lower bits.
    order = np.argsort(hashes << NUMBER_BITS, kind="stable")
    queried = hashes[order]
    ranges = [segment.ranges(queried) for segment in segments]
    absent = removed if removed is not None else [None] * len(segments)
    holders = _count_holders(queried, segments, ranges, absent)
    by_rarity = np.flatnonzero(holders)
    by_rarity = by_rarity[np.argsort(holders[by_rarity], kind="stable")]
    too_many = (holders[by_rarity] > few) | (np.cumsum(holders[by_rarity]) > most)
    is_common = np.zeros(len(hashes), dtype=bool)
    is_common[by_rarity] = too_many
    rare = ~is_common & (holders > 0)
    rare_places, fingerprints, their = order[rare], [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    for segment, (low, high), flags in zip(segments, ranges, absent, strict=True):
        numbers = segment.numbers(_places(low[rare], high[rare]))
        places_here = np.repeat(rare_places, high[rare] - low[rare])
        if flags is not None:
            there = ~flags[numbers]
            numbers, places_here = numbers[there], places_here[there]
        their.append(segment.documents[numbers])
        fingerprints.append(places_here)
    fingerprint, holder = np.concatenate(fingerprints), np.concatenate(their)
    documents, shared = np.unique(holder, return_counts=True)
    back = np.empty(len(order), dtype=np.int64)
    back[order] = np.arange(len(order))
    return Lookup(documents, shared, fingerprint, holder, holders[back], is_common[back])


@dataclass(frozen=True, slots=True, eq=False)
class Followed:
    """Postings that were followed: `asked[i]`, the place of a hash, is held by a document.

    `number[i]` is its place among the documents of all segments, one behind the other; `holders`
    says how many documents hold that hash.
    """

    asked: Numbers
    number: Numbers
    holders: Numbers


def follow(
    segments: Sequence[Segment],
    hashes: Hashes,
    *,
    removed: Sequence[Flags | None] | None = None,
    few: int = FEW_HOLDERS,
    most: int = MOST_FOLLOWED,
) -> Followed:
    """Which of these hashes, in whatever order, are held by which documents.

    As `look_up`, of which it is the quicker half: where all together would exceed `most`, hashes of
    fewer holders go before those of more, equals together.

    >>> one = segment_of([7, 9], [np.array([1, 2], np.uint64), np.array([2], np.uint64)])
    >>> found = follow([one], np.array([2, 3, 1], np.uint64))
    >>> found.asked.tolist(), found.number.tolist(), found.holders.tolist()
    ([0, 0, 2], [0, 1, 0], [2, 2, 1])
    """
    # In about the order of postings, which are in that of the lower bits: it need not be exact.
    order = np.argsort((hashes << NUMBER_BITS >> _COARSE_BITS).astype(np.uint16), kind="stable")
    queried = hashes[order]
    ranges = [segment.ranges(queried) for segment in segments]
    absent = removed if removed is not None else [None] * len(segments)
    holders = _count_holders(queried, segments, ranges, absent)
    by_number = np.bincount(holders[holders <= few], minlength=1)
    followed = np.cumsum(by_number * np.arange(len(by_number)))
    enough = int(np.searchsorted(followed, most, side="right")) - 1
    is_followed = (holders > 0) & (holders <= min(few, enough))
    order, holders = order[is_followed], holders[is_followed]
    which, numbers = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    before = 0
    for segment, (low, high), flags in zip(segments, ranges, absent, strict=True):
        low, high = low[is_followed], high[is_followed]
        here = segment.numbers(_places(low, high))
        asked = np.repeat(np.arange(len(order)), high - low)
        if flags is not None:
            there = ~flags[here]
            here, asked = here[there], asked[there]
        which.append(asked)
        numbers.append(before + here)
        before += len(segment.documents)
    asked = np.concatenate(which)
    return Followed(order[asked], np.concatenate(numbers), holders[asked])


def _places(low: Numbers, high: Numbers) -> Numbers:
    """All numbers of all ranges, end to end."""
    sizes = high - low
    ends = np.cumsum(sizes)
    total = int(ends[-1]) if len(ends) else 0
    places: Numbers = np.arange(total) + np.repeat(low - (ends - sizes), sizes)
    return places


def _count_holders(
    hashes: Hashes,
    segments: Sequence[Segment],
    ranges: Sequence[tuple[Numbers, Numbers]],
    absent: Sequence[Flags | None],
) -> Numbers:
    """How many documents hold each fingerprint, by its ranges in the segments."""
    holders = np.zeros(len(hashes), dtype=np.int64)
    for segment, (low, high), flags in zip(segments, ranges, absent, strict=True):
        holders += high - low
        if flags is not None:
            holders -= _count_removed(segment, low, high, flags)
    return holders


def _count_removed(segment: Segment, low: Numbers, high: Numbers, is_removed: Flags) -> Numbers:
    """How many of the postings of each range belong to documents that are gone."""
    counts = np.zeros(len(low), dtype=np.int64)
    for part in _parts(low, high):  # a common fingerprint may have very many postings
        here = is_removed[segment.numbers(_places(low[part], high[part]))]
        before = np.concatenate(([0], np.cumsum(here)))
        ends = np.cumsum(high[part] - low[part])
        counts[part] = before[ends] - before[ends - (high[part] - low[part])]
    return counts


def _parts(low: Numbers, high: Numbers) -> Iterator[slice]:
    """Ranges in groups of about a million postings."""
    total = np.cumsum(high - low)
    start = 0
    while start < len(low):
        before = int(total[start - 1]) if start else 0
        end = max(start + 1, int(np.searchsorted(total, before + _STRETCH, side="right")))
        yield slice(start, end)
        start = end


def eldest_holders(
    segments: Sequence[Segment],
    hash_: int,
    *,
    removed: Sequence[Flags | None] | None = None,
    most: int = ELDEST,
) -> tuple[int, ...]:
    """The first holders of a fingerprint, in the order of segments.

    >>> one = segment_of([7, 9], [np.array([1, 2], np.uint64), np.array([2], np.uint64)])
    >>> eldest_holders([one], 2, most=1)
    (7,)
    """
    holders: list[int] = []
    absent = removed if removed is not None else [None] * len(segments)
    for segment, flags in zip(segments, absent, strict=True):
        low, high = segment.ranges(np.array([hash_], dtype=np.uint64))
        start, end = int(low[0]), int(high[0])
        while start < end and len(holders) < most:
            places = np.arange(start, min(end, start + 8 * most))
            numbers = segment.numbers(places)
            if flags is not None:
                numbers = numbers[~flags[numbers]]
            holders += segment.documents[numbers].tolist()
            start += len(places)
    return tuple(holders[:most])


def _is_in(numbers: Numbers, ascending: Numbers) -> Flags:
    """Which of the numbers are among those."""
    if not len(ascending):
        return np.zeros(len(numbers), dtype=bool)
    place = np.minimum(np.searchsorted(ascending, numbers), len(ascending) - 1)
    is_in: Flags = ascending[place] == numbers
    return is_in


def removed_flags(segment: Segment, removed: Numbers) -> Flags | None:
    """Which documents of a segment are among these ascending ones; None where none is."""
    documents = segment.documents
    if not len(removed) or not len(documents):
        return None
    if (documents[1:] > documents[:-1]).all():
        place = np.minimum(np.searchsorted(documents, removed), len(documents) - 1)
        place = place[documents[place] == removed]
    else:
        place = np.flatnonzero(_is_in(documents, removed))
    if not len(place):
        return None
    flags = np.zeros(len(documents), dtype=bool)
    flags[place] = True
    return flags


def holds_postings(segment: Segment, flags: Flags) -> bool:
    """Whether a segment has postings of documents that are flagged, by their places in it."""
    for start in range(0, len(segment), 1 << 20):
        keys = segment.keys[start : start + (1 << 20)]
        if flags[(keys & _NUMBER_MASK).astype(np.int64)].any():
            return True
    return False


def membership_test(ascending: Iterable[int]) -> Callable[[Numbers], Flags]:
    """Asks of documents whether they are among those that are gone."""
    members = np.array(sorted(ascending), dtype=np.int64)
    return lambda documents: _is_in(documents, members)
