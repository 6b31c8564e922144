"""The exact join: every pair that reaches the threshold, none that does not.

1. Shingles that stand in one document only cannot be shared. Two-bit cells tell nearly all of them
   apart in one pass, and most documents are seen to have too little left for any partner.
2. What is left is numbered from rare to frequent. If two documents reach the threshold, the rarest
   few of their shingles (a prefix as long as the threshold allows to differ) must meet: Chaudhuri,
   Ganti, Kaushik 2006; Bayardo, Ma, Srikant 2007.
3. Documents ascend by size, so that lists can be cut by length; a position filter (Xiao et al.
   2008) leaves out pairs that cannot get there any more; the rest is counted.

Past its memory the join takes the documents in parts, two parts at a time, from disk.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likewise.kernels import (
    build_index,
    count_holders,
    count_ranked,
    keep_shared,
    mark_shared,
    number,
    order_tokens,
    probe,
)
from likewise.kernels.join import UNRANKED
from likewise.machine import on_threads
from likewise.search.pairs import Numbers, Offsets
from likewise.sketch import Sets
from likewise.sketch.growing import GrowingArray
from likewise.sketch.sets import Hashes

Sides = NDArray[np.uint8]
NO_SIDE = np.uint8(2)  # a document that takes no part
_BYTES_A_TOKEN = 100  # what the join needs for each shingle it holds, measured
_PIECE = 1 << 20  # shingles looked at in one call


@dataclass(frozen=True, slots=True)
class Join:
    """What is asked of a join."""

    threshold: float
    contained: bool  # containment of the smaller in the larger, not Jaccard
    across: bool  # only pairs of documents of different sides
    jobs: int = 1
    memory: int | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Shared:
    """Documents that may have partners, with those of their shingles that may be shared."""

    documents: Offsets
    hashes: Hashes
    offsets: Offsets
    sizes: Offsets  # of the whole sets
    sides: Sides

    def part(self, places: Offsets) -> Shared:
        """Some of the documents."""
        lengths = np.diff(self.offsets)[places]
        ends = np.concatenate(([0], np.cumsum(lengths))).astype(np.int64)
        hashes = np.empty(ends[-1], dtype=np.uint64)
        for i, document in enumerate(places.tolist()):
            start, end = self.offsets[document], self.offsets[document + 1]
            hashes[ends[i] : ends[i + 1]] = self.hashes[start:end]
        return Shared(self.documents[places], hashes, ends, self.sizes[places], self.sides[places])


def exact_pairs(sets: Sets, sides: Sides, join: Join) -> tuple[Offsets, Offsets, Numbers, int]:
    """All pairs (left, right, number of shared shingles), and how many were compared."""
    shared = possibly_shared(sets, sides, join)
    budget = join.memory // _BYTES_A_TOKEN if join.memory is not None else None
    parts: list[NDArray[np.int64]] = [np.zeros((0, 3), dtype=np.int64)]
    compared = 0
    for part, block in _parts(shared, join, budget):
        pairs, counted = _join_in_memory(part, join)
        if block is not None:
            pairs = pairs[block[pairs[:, 0]] != block[pairs[:, 1]]]
        pairs[:, :2] = part.documents[pairs[:, :2]]
        parts.append(pairs)
        compared += counted
    flat = np.concatenate(parts)
    return flat[:, 0], flat[:, 1], flat[:, 2].astype(np.uint32), compared


def possibly_shared(sets: Sets, sides: Sides, join: Join) -> Shared:
    """Leave out shingles of one document alone, and documents that are left with too few."""
    need = np.where(sides < NO_SIDE, least_shared(sets.sizes, join), sets.sizes + 1)
    cells = np.zeros(_cell_bytes(len(sets.hashes), join.memory), dtype=np.uint8)
    for first, last in _pieces(sets.offsets):
        offsets = sets.offsets[first : last + 1]
        part = sets.hashes[offsets[0] : offsets[-1]]
        mark_shared(part, offsets - offsets[0], sides[first:last], join.across, cells)
    documents, lengths = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.int64)]
    hashes = GrowingArray(np.dtype(np.uint64), join.memory)
    for first, last in _pieces(sets.offsets):
        offsets = sets.offsets[first : last + 1]
        part = sets.hashes[offsets[0] : offsets[-1]]
        documents_here, hashes_here, ends = keep_shared(
            part, offsets - offsets[0], need[first:last], cells
        )
        documents.append(documents_here + first)
        lengths.append(np.diff(ends))
        hashes.append(hashes_here)
    flat = np.concatenate(documents)
    ends = np.concatenate(([0], np.cumsum(np.concatenate(lengths)))).astype(np.int64)
    return Shared(flat, hashes.finish(), ends, sets.sizes[flat], sides[flat])


def least_shared(sizes: Offsets, join: Join) -> Offsets:
    """The fewest shingles a document must share with any partner.

    By Jaccard a partner holds at least the threshold of it. By containment a large document may
    owe a small one as little as one shingle.
    """
    if join.contained:
        return np.minimum(sizes, 1)
    return smallest_part(sizes, join.threshold)


def smallest_part(sizes: Offsets, share: float) -> Offsets:
    """The smallest whole o with o / size >= share, by the same division that decides pairs."""
    part = np.ceil(share * sizes).astype(np.int64)
    base = np.maximum(sizes, 1)
    part -= (part > 0) & ((part - 1) / base >= share)
    part += part / base < share
    return np.where(sizes > 0, part, 0)


def _join_in_memory(shared: Shared, join: Join) -> tuple[NDArray[np.int64], int]:
    """Pairs (left, right, overlap) by place in `shared`."""
    numbers, n = number(shared.hashes)
    rank, vocabulary = _ranks(count_holders(numbers, shared.offsets, shared.sides, n), join.across)
    counts = count_ranked(numbers, shared.offsets, rank)
    order = np.argsort(shared.sizes, kind="stable")
    order = order[counts[order] >= np.maximum(least_shared(shared.sizes[order], join), 1)]
    sizes = shared.sizes[order]
    offsets = np.concatenate(([0], np.cumsum(counts[order]))).astype(np.int64)
    ordered = order_tokens(numbers, shared.offsets, rank, order, offsets, vocabulary)

    alone = sizes - counts[order]  # shingles nobody shares come first: they use up the prefix
    if join.contained:
        indexed = sizes - smallest_part(sizes, join.threshold) + 1 - alone
        probed = counts[order]
        smallest = np.zeros(len(sizes), dtype=np.int64)
    else:
        # a partner at least as large shares 2t / (1 + t) of this one
        most = 2 * join.threshold / (1 + join.threshold)
        indexed = sizes - np.maximum(np.ceil(most * sizes - 1e-6).astype(np.int64), 1) + 1 - alone
        probed = sizes - smallest_part(sizes, join.threshold) + 1 - alone
        smallest = np.searchsorted(sizes, smallest_part(sizes, join.threshold))
    indexed = np.clip(indexed, 0, counts[order])
    probed = np.clip(probed, 0, counts[order])
    index = build_index(ordered, offsets, indexed, vocabulary)
    sides = shared.sides[order]

    def some(bounds: tuple[int, int]) -> tuple[Numbers, int]:
        return probe(
            ordered,
            offsets,
            sizes,
            sides,
            join.across,
            probed,
            smallest,
            index,
            join.threshold,
            join.contained,
            *bounds,
        )

    ranges = 1 if join.jobs == 1 else 8 * join.jobs  # large documents, at the end, take longest
    edges = np.linspace(0, len(sizes), ranges + 1).astype(int).tolist()
    results = on_threads(some, itertools.pairwise(edges), join.jobs)
    pairs = np.concatenate([part for part, _ in results]).astype(np.int64)
    pairs[:, :2] = order[pairs[:, :2]]
    return pairs, sum(compared for _, compared in results)


def _ranks(holders: Numbers, across: bool) -> tuple[Numbers, int]:
    """Numbers from rare to frequent; those of one document (or of one side) alone get none."""
    total = holders.sum(axis=1, dtype=np.int64)
    useful = (holders > 0).all(axis=1) if across else total > 1
    # ranks above 65,535 holders need no order among themselves, and 16 bits sort by radix
    frequency = np.minimum(np.where(useful, total, 0), 65535).astype(np.uint16)
    rarest_first = np.argsort(frequency, kind="stable")
    useless = int(len(total) - np.count_nonzero(useful))
    rank = np.full(len(total), UNRANKED)
    rank[rarest_first[useless:]] = np.arange(len(total) - useless, dtype=np.uint32)
    return rank, len(total) - useless


def _parts(
    shared: Shared, join: Join, budget: int | None
) -> Iterator[tuple[Shared, Offsets | None]]:
    """Everything at once, or pairs of parts that fit the budget and may have pairs between them.

    With each comes which part each document belongs to; pairs inside one part are found when the
    part is joined with itself (None: count them all).
    """
    if budget is None or len(shared.hashes) <= budget or len(shared.documents) < 2:
        yield shared, None
        return
    order = np.argsort(shared.sizes, kind="stable")
    filled = np.cumsum(np.diff(shared.offsets)[order])
    block_of = filled // max(budget // 2, 1)
    starts = np.flatnonzero(np.concatenate(([True], block_of[1:] != block_of[:-1])))
    blocks = np.split(order, starts[1:])
    for i, small in enumerate(blocks):
        yield shared.part(small), None
        largest = shared.sizes[small].max()
        for large in blocks[i + 1 :]:
            if not join.contained and largest / shared.sizes[large].min() < join.threshold:
                break
            together = shared.part(np.concatenate((small, large)))
            yield together, np.repeat([0, 1], [len(small), len(large)])


def _pieces(offsets: Offsets) -> Iterator[tuple[int, int]]:
    """Ranges of documents of about _PIECE shingles."""
    first, n = 0, len(offsets) - 1
    while first < n:
        last = int(np.searchsorted(offsets, offsets[first] + _PIECE, side="right")) - 1
        last = min(max(last, first + 1), n)
        yield first, last
        first = last


def _cell_bytes(shingles: int, memory: int | None) -> int:
    """Two to four cells a shingle: one in four single shingles passes for a shared one."""
    size = 1 << 10
    while 2 * size < shingles and (memory is None or size * 8 <= memory):
        size *= 2
    return size
