"""Sorted postings in about as few bits as they hold, searched where they lie.

A key is cut in two, as Elias (1974) and Fano (1971) do it. Its upper bits name one of about as many
buckets as there are postings; how many postings each bucket has is told in unary, a one for each of
them and a zero at the end: two bits a posting. Its lower bits stand in an array of a fixed width,
with no more bits for the number of a document than the documents of the segment need. So a posting
of a hundred thousand short documents takes 36 bits of the 64 that it has in memory, and a search
reads one place of each array.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from likewise.kernels import find_ranges, read_bits, write_bits
from likewise.kernels.packing import (
    BLOCK_BYTES,
    HASH_BITS,
    Bytes,
    Counts,
    Hashes,
    Numbers,
)

NUMBER_BITS = 24
_FEWEST_BUCKET_BITS, _MOST_BUCKET_BITS = 7, 31  # fewer would leave lower parts no window holds
_BLOCK_BITS = 8 * BLOCK_BYTES


@dataclass(frozen=True, slots=True)
class KeyLayout:
    """How keys are cut: the bits that name a bucket, and those of a document's number."""

    bucket_bits: int
    number_bits: int

    @property
    def rest_bits(self) -> int:
        """Of a fingerprint, those that its bucket does not tell."""
        return HASH_BITS - self.bucket_bits

    @property
    def width(self) -> int:
        """Bits of a lower part."""
        return self.rest_bits + self.number_bits

    def lower_bytes(self, postings: int) -> int:
        """Of the lower parts, with what a window may see behind the last of them."""
        return _round_up(-(-postings * self.width // 8) + 8, 8)

    def bucket_bytes(self, postings: int) -> tuple[int, int]:
        """Of the buckets, and of the counts of those that have ended."""
        blocks = self.blocks(postings)
        return BLOCK_BYTES * blocks, 4 * blocks

    def blocks(self, postings: int) -> int:
        """Of the buckets; the last one is there to be seen through a window."""
        return (postings + (1 << self.bucket_bits)) // _BLOCK_BITS + 2


def layout_of(postings: int, documents: int) -> KeyLayout:
    """The layout that takes the least.

    >>> layout_of(7_550_000, 100_000), layout_of(7_550_000, 100_000).width
    (KeyLayout(bucket_bits=23, number_bits=17), 34)
    """
    bucket_bits = max(_FEWEST_BUCKET_BITS, min(_MOST_BUCKET_BITS, postings.bit_length()))
    return KeyLayout(bucket_bits, max(1, (documents - 1).bit_length()))


def _round_up(value: int, to: int) -> int:
    return -(-value // to) * to


@dataclass(frozen=True, slots=True, eq=False)
class PackedKeys:
    """Keys in order, as an array that is read in slices.

    `lower` are the lower parts, `buckets` their numbers in unary, and `ended` says before each
    block of these how many buckets have ended.
    """

    layout: KeyLayout
    size: int
    lower: Bytes
    buckets: Bytes
    ended: Counts

    def __len__(self) -> int:
        return self.size

    def __getitem__(self, span: slice) -> Hashes:
        start, stop, _ = span.indices(self.size)
        if start >= stop:
            return np.zeros(0, dtype=np.uint64)
        block = bisect_right(range(len(self.ended)), start, key=self._ones_before) - 1
        end = bisect_left(range(len(self.ended)), stop, key=self._ones_before)
        bits = np.unpackbits(
            self.buckets[block * BLOCK_BYTES : end * BLOCK_BYTES], bitorder="little"
        )
        before = self._ones_before(block)
        ones = np.flatnonzero(bits)[start - before : stop - before]
        places = np.arange(start, stop)
        bucket = (ones + (block * _BLOCK_BITS - places)).astype(np.uint64)
        lower, layout = self._lower_at(places), self.layout
        number = lower & _mask(layout.number_bits)
        rest = lower >> np.uint64(layout.number_bits)
        hashes = bucket << np.uint64(layout.rest_bits) | rest
        keys: Hashes = hashes << np.uint64(NUMBER_BITS) | number
        return keys

    def numbers(self, places: Numbers) -> Numbers:
        """Which documents some postings belong to."""
        lower = self._lower_at(places) & _mask(self.layout.number_bits)
        return lower.astype(np.int64)

    def ranges(self, hashes: Hashes) -> tuple[Numbers, Numbers]:
        """From where to where the postings of each fingerprint stand, by its lower bits."""
        return find_ranges(
            np.ascontiguousarray(hashes),
            self.lower,
            self.buckets,
            self.ended,
            self.layout.bucket_bits,
            self.layout.number_bits,
        )

    def _lower_at(self, places: Numbers) -> Hashes:
        return read_bits(self.lower, np.ascontiguousarray(places), self.layout.width)

    def _ones_before(self, block: int) -> int:
        return block * _BLOCK_BITS - int(self.ended[block])


class KeyPacker:
    """Packs keys that come in order, a stretch at a time."""

    def __init__(self, layout: KeyLayout, most_postings: int) -> None:
        self._layout = layout
        self._postings = 0
        self._buckets = np.zeros(layout.blocks(most_postings) * BLOCK_BYTES, dtype=np.uint8)
        self._waiting = np.zeros(0, dtype=np.uint64)  # lower parts that fill no whole bytes yet

    def lower_parts(self, stretches: Iterable[Hashes]) -> Iterator[Bytes]:
        """What is to be written of the lower parts, one piece behind the other."""
        for keys in stretches:
            self._mark(keys)
            lower = np.concatenate([self._waiting, self._lower_of(keys)])
            whole = len(lower) & ~7
            self._waiting = lower[whole:]
            yield write_bits(lower[:whole], self._layout.width)
        rest = write_bits(self._waiting, self._layout.width)
        done = (self._postings - len(self._waiting)) * self._layout.width // 8
        padding = self._layout.lower_bytes(self._postings) - done - len(rest)
        yield np.concatenate([rest, np.zeros(padding, dtype=np.uint8)])

    def buckets(self) -> tuple[Bytes, Counts]:
        """The buckets, once all keys were packed, and how many have ended before each block."""
        buckets = self._buckets[: self._layout.blocks(self._postings) * BLOCK_BYTES]
        ones = np.bitwise_count(buckets.view("<u8")).reshape(-1, BLOCK_BYTES // 8)
        zeros = np.cumsum(_BLOCK_BITS - ones.sum(axis=1, dtype=np.int64))
        return buckets, np.concatenate([[0], zeros[:-1]]).astype("<u4")

    def _lower_of(self, keys: Hashes) -> Hashes:
        layout = self._layout
        rest = keys >> np.uint64(NUMBER_BITS) & _mask(layout.rest_bits)
        lower: Hashes = rest << np.uint64(layout.number_bits) | keys & _mask(NUMBER_BITS)
        return lower

    def _mark(self, keys: Hashes) -> None:
        """A one for each posting, behind as many zeros as buckets have ended before."""
        if not len(keys):
            return
        bucket = (keys >> np.uint64(64 - self._layout.bucket_bits)).astype(np.int64)
        bits = bucket + np.arange(self._postings, self._postings + len(keys))
        first = int(bits[0]) >> 3
        flags = np.zeros(int(bits[-1]) + 1 - 8 * first, dtype=np.uint8)
        flags[bits - 8 * first] = 1
        marks = np.packbits(flags, bitorder="little")
        self._buckets[first : first + len(marks)] |= marks
        self._postings += len(keys)


def _mask(bits: int) -> np.uint64:
    return np.uint64((1 << bits) - 1)
