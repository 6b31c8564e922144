"""What a search finds: pairs of documents with the number of shingles they share."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likewise.kernels import group, set_digests
from likewise.settings import Measure
from likewise.sketch import Sets

Numbers = NDArray[np.uint32]
Offsets = NDArray[np.int64]
BLOCK = 1 << 20
_SECOND = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True, slots=True, eq=False)
class Copies:
    """Documents with equal shingle sets (of one side), collapsed: groups of one and more.

    Group g has the documents members[bounds[g]:bounds[g + 1]]; the first stands for all.
    """

    members: Offsets
    bounds: Offsets

    def __len__(self) -> int:
        return len(self.bounds) - 1

    @property
    def first(self) -> Offsets:
        """The document that stands for each group."""
        return self.members[self.bounds[:-1]]

    @property
    def sizes(self) -> Offsets:
        """How many documents each group has."""
        return np.diff(self.bounds)

    def of(self, group: int) -> Offsets:
        """The documents of one group."""
        return self.members[self.bounds[group] : self.bounds[group + 1]]


def collapse(sets: Sets, sides: NDArray[np.uint8]) -> Copies:
    """Group documents with equal sets; empty ones are left out, they resemble nothing."""
    digests = set_digests(sets.hashes, sets.offsets)
    some = np.flatnonzero(sets.sizes > 0)
    key = digests[some, 0] ^ (digests[some, 1] + sides[some]) * _SECOND
    members, bounds = group(np.where(key == 0, np.uint64(1), key))
    # of each group only the first stands for it; alone: everyone in no group
    leader = np.arange(len(some))
    leader[members] = np.repeat(members[bounds[:-1]], np.diff(bounds))
    order = np.argsort(leader, kind="stable")
    starts = np.flatnonzero(leader == np.arange(len(some)))
    counts = np.bincount(leader, minlength=len(some))[starts]
    return Copies(some[order], np.concatenate(([0], np.cumsum(counts))).astype(np.int64))


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """Verified pairs of groups of copies, strongest first; inside a group every pair is one too.

    Kept by group, a thousand copies of one text cost one group and not half a million pairs.
    """

    copies: Copies
    left: Numbers  # numbers of groups; left[i] stands before right[i]
    right: Numbers
    shared: Numbers
    sizes: Offsets  # of the set of each group
    similarity: NDArray[np.float64]  # of each pair, by the measure asked for
    measure: Measure
    across: bool  # between two collections: copies inside one of them are no pairs
    compared: int  # pairs counted to the end
    method: str

    def __len__(self) -> int:
        """The number of pairs of documents."""
        counts = self.copies.sizes
        between = int((counts[self.left] * counts[self.right]).sum())
        return between if self.across else between + int((counts * (counts - 1) // 2).sum())

    def at_least(self, threshold: float) -> Pairs:
        """Only the pairs that reach a threshold."""
        is_similar = self.similarity >= threshold
        return Pairs(
            self.copies,
            self.left[is_similar],
            self.right[is_similar],
            self.shared[is_similar],
            self.sizes,
            self.similarity[is_similar],
            self.measure,
            self.across,
            self.compared,
            self.method,
        )

    def histogram(self) -> tuple[int, ...]:
        """Pairs of documents in each hundredth of similarity; the last holds those of 1."""
        counts = self.copies.sizes
        # By comparing, since 0.29 * 100 is less than 29.
        bins = np.searchsorted(np.arange(101) / 100, self.similarity, side="right") - 1
        pairs = np.bincount(bins, counts[self.left] * counts[self.right], minlength=101)
        same = counts[self.identical()]
        pairs[100] += (same * (same - 1) // 2).sum()
        return tuple(int(n) for n in pairs)

    def identical(self) -> Offsets:
        """Groups of two and more documents with the same set."""
        return np.flatnonzero(self.copies.sizes > 1) if not self.across else np.zeros(0, np.int64)

    def documents(self, most_copies: int | None = None) -> Iterator[tuple[int, int, int, int, int]]:
        """Every pair of documents, strongest first: (a, b, shared, size of a, size of b).

        A group of more than `most_copies` stands in them by its first document alone.
        """
        for copied in self.identical().tolist():
            members = self._standing(copied, most_copies)
            size = int(self.sizes[copied])
            for i, a in enumerate(members):
                for b in members[i + 1 :]:
                    yield a, b, size, size, size
        for g, h, shared in zip(
            self.left.tolist(), self.right.tolist(), self.shared.tolist(), strict=True
        ):
            size_g, size_h = int(self.sizes[g]), int(self.sizes[h])
            for a in self._standing(g, most_copies):
                for b in self._standing(h, most_copies):
                    if a < b:
                        yield a, b, shared, size_g, size_h
                    else:
                        yield b, a, shared, size_h, size_g

    def large_groups(self, most_copies: int) -> Iterator[list[int]]:
        """The documents of each group of more than so many copies that is in a pair."""
        large = self.copies.sizes > most_copies
        if self.across:
            paired = np.zeros(len(self.copies), dtype=bool)
            paired[self.left] = paired[self.right] = True
            large &= paired
        for copied in np.flatnonzero(large).tolist():
            yield self.copies.of(copied).tolist()

    def _standing(self, group: int, most_copies: int | None) -> list[int]:
        members = self.copies.of(group)
        if most_copies is not None and len(members) > most_copies:
            members = members[:1]
        standing: list[int] = members.tolist()
        return standing


def similarities(
    shared: NDArray[np.generic], left: Offsets, right: Offsets, measure: Measure
) -> NDArray[np.float64]:
    """Jaccard (of sets or multisets), or how much of the smaller stands in the larger."""
    counts = shared.astype(np.float64)
    if measure == "containment":
        return counts / np.minimum(left, right)
    return counts / (left + right - shared.astype(np.int64))


def in_order(
    copies: Copies,
    sets: Sets,
    left: NDArray[np.generic],
    right: NDArray[np.generic],
    shared: NDArray[np.generic],
    measure: Measure,
    across: bool,
    compared: int,
    method: str,
) -> Pairs:
    """Pairs sorted by similarity, then by their documents."""
    first, second = np.minimum(left, right), np.maximum(left, right)
    sizes = sets.sizes[copies.first]
    similarity = similarities(shared, sizes[first], sizes[second], measure)
    order = np.lexsort((second, first, -similarity))
    return Pairs(
        copies,
        first[order].astype(np.uint32),
        second[order].astype(np.uint32),
        shared[order].astype(np.uint32),
        sizes,
        similarity[order],
        measure,
        across,
        compared,
        method,
    )
