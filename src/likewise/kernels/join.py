"""The steps of the exact set-similarity join: the readable form of `_join.pyx`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Hashes = NDArray[np.uint64]
Numbers = NDArray[np.uint32]
Offsets = NDArray[np.int64]
Sides = NDArray[np.uint8]
Cells = NDArray[np.uint8]
Index = tuple[Offsets, Numbers, Numbers]

UNRANKED = np.uint32(0xFFFFFFFF)


def mark_shared(sets: Hashes, offsets: Offsets, sides: Sides, across: bool, cells: Cells) -> None:
    """Note in two-bit cells which shingles may stand in two documents.

    A cell counts to two, or, across two collections, has a bit for each. Shingles that fall into
    one cell are taken for one: that keeps a few too many, and never one too few. Documents of a
    side other than 0 and 1 take no part.
    """
    side = np.repeat(sides, np.diff(offsets))
    sets, side = sets[side < 2], side[side < 2]
    cell, byte, place = _cells(sets, cells)
    if across:
        np.bitwise_or.at(cells, byte, (1 + side) << place)
        return
    before = (cells[byte] >> place) & 1
    order = np.argsort(cell, kind="stable")
    again = np.zeros(len(cell), dtype=bool)
    again[order[1:]] = cell[order[1:]] == cell[order[:-1]]
    twice = again | (before == 1)
    np.bitwise_or.at(cells, byte, (np.uint8(1) | (twice.astype(np.uint8) << 1)) << place)


def _cells(sets: Hashes, cells: Cells) -> tuple[Hashes, Offsets, NDArray[np.uint8]]:
    shift = np.uint64(64 - ((len(cells) * 4).bit_length() - 1))
    cell = sets >> shift
    return (
        cell,
        (cell >> np.uint64(2)).astype(np.int64),
        ((cell & np.uint64(3)) * 2).astype(np.uint8),
    )


def keep_shared(
    sets: Hashes, offsets: Offsets, need: Offsets, cells: Cells
) -> tuple[Offsets, Hashes, Offsets]:
    """Documents with at least `need` (and one) shingles that may be shared, and those shingles."""
    _, byte, place = _cells(sets, cells)
    maybe = ((cells[byte] >> place) & 3) == 3
    before = np.concatenate(([0], np.cumsum(maybe)))
    counts = before[offsets[1:]] - before[offsets[:-1]]
    documents = np.flatnonzero((counts >= need) & (counts > 0))
    is_selected = np.zeros(len(offsets) - 1, dtype=bool)
    is_selected[documents] = True
    shared = sets[maybe & np.repeat(is_selected, np.diff(offsets))]
    return documents, shared, np.concatenate(([0], np.cumsum(counts[documents]))).astype(np.int64)


def number(items: Hashes) -> tuple[Numbers, int]:
    """Small numbers for large ones, in the order they first appear.

    >>> number(np.array([70, 50, 70, 60], dtype=np.uint64))[0].tolist()
    [0, 1, 0, 2]
    """
    distinct, first, inverse = np.unique(items, return_index=True, return_inverse=True)
    rank = np.empty(len(distinct), dtype=np.uint32)
    rank[np.argsort(first, kind="stable")] = np.arange(len(distinct), dtype=np.uint32)
    return rank[inverse], len(distinct)


def count_holders(numbers: Numbers, offsets: Offsets, sides: Sides, n: int) -> Numbers:
    """How many documents of each of two sides hold each number, a row a number.

    >>> sides = np.array([0, 1], np.uint8)
    >>> count_holders(np.array([0, 1, 0], np.uint32), np.array([0, 2, 3]), sides, 2).tolist()
    [[1, 1], [1, 0]]
    """
    side = np.repeat(sides, np.diff(offsets))
    columns = [np.bincount(numbers[side & 1 == which], minlength=n) for which in (0, 1)]
    return np.stack(columns, axis=1).astype(np.uint32)


def count_ranked(numbers: Numbers, offsets: Offsets, rank: Numbers) -> Offsets:
    """How many numbers of each document have a rank."""
    before = np.concatenate(([0], np.cumsum(rank[numbers] != UNRANKED)))
    return before[offsets[1:]] - before[offsets[:-1]]


def order_tokens(
    numbers: Numbers,
    offsets: Offsets,
    rank: Numbers,
    documents: Offsets,
    ends: Offsets,
    vocabulary: int,
) -> Numbers:
    """The ranks of some documents' numbers, each document's ascending, unranked ones left out.

    `ends` are the offsets of these documents in the result, as `count_ranked` gives them; the
    compiled form needs them, and the number of ranks, for its counting sort.
    """
    rows = [np.sort(rank[numbers[offsets[d] : offsets[d + 1]]]) for d in documents.tolist()]
    flat: Numbers = np.concatenate(rows) if rows else np.zeros(0, dtype=np.uint32)
    ranked: Numbers = flat[flat != UNRANKED]
    return ranked


def build_index(tokens: Numbers, offsets: Offsets, indexed: Offsets, vocabulary: int) -> Index:
    """Postings of the first `indexed` tokens of each document: list starts, documents, places."""
    lengths = np.diff(offsets)
    document = np.repeat(np.arange(len(lengths)), lengths)
    place = np.arange(len(tokens)) - np.repeat(offsets[:-1], lengths)
    places = np.flatnonzero(place < np.repeat(indexed, lengths))
    places = places[np.argsort(tokens[places], kind="stable")]
    counts = np.bincount(tokens[places], minlength=vocabulary)
    starts = np.concatenate(([0], np.cumsum(counts))).astype(np.int64)
    return starts, document[places].astype(np.uint32), place[places].astype(np.uint32)


def probe(
    tokens: Numbers,
    offsets: Offsets,
    sizes: Offsets,
    sides: Sides,
    across: bool,
    probed: Offsets,
    smallest: Offsets,
    index: Index,
    threshold: float,
    contained: bool,
    first: int,
    last: int,
) -> tuple[Numbers, int]:
    """Pairs (y, x, overlap), y before x, for x from `first` to `last`; and how many were compared.

    Documents ascend by size. Each x looks its first `probed` tokens up in the index and meets every
    y from `smallest[x]` on that has one of them among its indexed tokens. A pair whose remaining
    tokens cannot lift it to the threshold is not compared (the position filter of PPJoin, Xiao et
    al. 2008); the others are counted exactly.
    """
    starts, documents, places = index
    lengths = np.diff(offsets)
    pairs: list[tuple[int, int, int]] = []
    compared = 0
    share = threshold / (1 + threshold)
    for x in range(first, last):
        met: dict[int, int] = {}
        own = tokens[offsets[x] : offsets[x + 1]]
        for k, token in enumerate(own[: probed[x]].tolist()):
            list_of = documents[starts[token] : starts[token + 1]]
            low, high = np.searchsorted(list_of, (smallest[x], x)).tolist()
            rest_x = len(own) - k - 1
            for at in range(starts[token] + low, starts[token] + high):
                y = int(documents[at])
                if across and sides[x] == sides[y]:
                    continue
                rest_y = int(lengths[y]) - int(places[at]) - 1
                need = _least_overlap(sizes, x, y, threshold, share, contained)
                if met.get(y, 0) + 1 + min(rest_x, rest_y) >= need:
                    met[y] = met.get(y, 0) + 1
        compared += len(met)
        for y in met:
            other = tokens[offsets[y] : offsets[y + 1]]
            shared = len(np.intersect1d(own, other, assume_unique=True))
            base = int(sizes[y]) if contained else int(sizes[x] + sizes[y]) - shared
            if shared and shared / base >= threshold:
                pairs.append((y, x, shared))
    return np.array(pairs, dtype=np.uint32).reshape(-1, 3), compared


def _least_overlap(
    sizes: Offsets, x: int, y: int, threshold: float, share: float, contained: bool
) -> int:
    """A lower bound of the overlap a pair must reach; the exact test comes last, by division."""
    bound = threshold * int(sizes[y]) if contained else share * int(sizes[x] + sizes[y])
    return int(np.ceil(bound - 1e-6))


def overlaps(sets: Hashes, offsets: Offsets, left: Numbers, right: Numbers) -> Numbers:
    """How many shingles each pair shares; pairs with the same left document belong together."""
    out = np.empty(len(left), dtype=np.uint32)
    for k, (a, b) in enumerate(zip(left.tolist(), right.tolist(), strict=True)):
        shared = np.intersect1d(
            sets[offsets[a] : offsets[a + 1]], sets[offsets[b] : offsets[b + 1]], assume_unique=True
        )
        out[k] = len(shared)
    return out
