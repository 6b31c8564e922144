"""Sorted numbers in few bits: the readable form of `_packing.pyx`.

Bits fill a byte from its lowest on. Of a number, the lower bits stand in an array of a fixed width
and the upper ones, which are small once the number is sorted among others, in unary.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Hashes = NDArray[np.uint64]
Numbers = NDArray[np.int64]
Bytes = NDArray[np.uint8]
Counts = NDArray[np.uint32]

HASH_BITS = 40  # of a fingerprint, in postings
BLOCK_BYTES = 64  # of the buckets, between two places where their ends are counted
_BLOCK_BITS = 8 * BLOCK_BYTES
_WINDOW_BITS = 57  # that eight bytes from any byte on hold, whichever bit of it is the first
_ONE = np.uint64(1)

# By a byte and n, which of its bits is the nth zero, counted from 0; 0 where it has fewer.
_ZEROS = np.array(
    [([bit for bit in range(8) if not byte >> bit & 1] + [0] * 8)[:8] for byte in range(256)],
    dtype=np.int64,
)


# Fingerprints of a document: the gaps between them by the code of Rice (1979).


def pack_gaps(hashes: Hashes) -> bytes:
    """Ascending numbers, at least one, in about as few bits as there are such sets of numbers.

    First how many lower bits of a gap stand apart, and how many numbers there are; then these lower
    bits; then the upper bits of each gap as so many zeros, and a one.
    """
    gaps = np.diff(hashes, prepend=np.uint64(0))
    bits = max(0, (int(hashes[-1]) // len(hashes)).bit_length() - 1)
    lower = np.unpackbits(gaps.astype("<u8").view(np.uint8), bitorder="little").reshape(-1, 64)
    upper = gaps >> np.uint64(bits)
    ends = np.cumsum(upper.astype(np.int64) + 1)
    unary = np.zeros(int(ends[-1]), dtype=np.uint8)
    unary[ends - 1] = 1
    body = np.packbits(np.concatenate([lower[:, :bits].ravel(), unary]), bitorder="little")
    return bytes([bits]) + _pack_size(len(hashes)) + body.tobytes()


def unpack_gaps(data: bytes) -> Hashes:
    """The numbers that were packed; zero bytes behind them do no harm. ValueError if damaged."""
    size, start = _unpack_size(data)
    bits = data[0]
    body = np.unpackbits(np.frombuffer(data, dtype=np.uint8)[start:], bitorder="little")
    ones = np.flatnonzero(body[size * bits :])
    if bits > 63 or not size or len(ones) != size:
        raise ValueError("not as it was packed")
    lower = np.zeros((size, 64), dtype=np.uint8)
    lower[:, :bits] = body[: size * bits].reshape(size, bits)
    upper = np.diff(ones, prepend=-1) - 1
    gaps = np.packbits(lower, axis=1, bitorder="little").view("<u8").ravel()
    gaps = gaps + (upper.astype(np.uint64) << np.uint64(bits))
    hashes: Hashes = np.cumsum(gaps, dtype=np.uint64)
    if not (hashes[1:] > hashes[:-1]).all():
        raise ValueError("not as it was packed")
    return hashes


def _pack_size(size: int) -> bytes:
    """A number seven bits at a time; a byte with the highest bit set is not the last."""
    packed = bytearray()
    while size >= 128:
        packed.append(size & 127 | 128)
        size >>= 7
    packed.append(size)
    return bytes(packed)


def _unpack_size(data: bytes) -> tuple[int, int]:
    """Such a number behind the first byte, and where it ends."""
    size = 0
    for place in range(1, min(len(data), 6)):
        size |= (data[place] & 127) << 7 * (place - 1)
        if data[place] < 128:
            return size, place + 1
    raise ValueError("not as it was packed")


# Postings: see `likewise.search.packed_keys`, which says what the arrays hold.


def find_ranges(
    hashes: Hashes,
    lower: Bytes,
    buckets: Bytes,
    ended: Counts,
    bucket_bits: int,
    number_bits: int,
) -> tuple[Numbers, Numbers]:
    """From where to where the postings of each fingerprint stand, by its lower bits."""
    rest_bits, number_mask = HASH_BITS - bucket_bits, _mask(number_bits)
    width = rest_bits + number_bits
    bucket = ((hashes & _mask(HASH_BITS)) >> np.uint64(rest_bits)).astype(np.int64)
    first = (hashes & _mask(rest_bits)) << np.uint64(number_bits)
    low, end = _bounds(buckets, ended, bucket)
    low = _first_not_below(lower, width, low, end, first)
    high = low.copy()
    # Most fingerprints are held by nobody, most others by one document.
    present = np.flatnonzero(low < end)
    present = present[read_bits(lower, low[present], width) ^ first[present] <= number_mask]
    high[present] += 1
    more = present[high[present] < end[present]]
    more = more[read_bits(lower, high[more], width) ^ first[more] <= number_mask]
    after = first[more] + number_mask + _ONE
    high[more] = _first_not_below(lower, width, high[more], end[more], after)
    return low, high


def _first_not_below(
    lower: Bytes, width: int, low: Numbers, high: Numbers, values: Hashes
) -> Numbers:
    """Where each of these would stand in its bucket; all are sought at once, step by step."""
    low, high = low.copy(), high.copy()
    open_ones = np.flatnonzero(low < high)
    while len(open_ones):
        a, b = low[open_ones], high[open_ones]
        middle = (a + b) >> 1
        is_below = read_bits(lower, middle, width) < values[open_ones]
        low[open_ones] = a = np.where(is_below, middle + 1, a)
        high[open_ones] = b = np.where(is_below, b, middle)
        open_ones = open_ones[a < b]
    return low


def _bounds(buckets: Bytes, ended: Counts, bucket: Numbers) -> tuple[Numbers, Numbers]:
    """From where to where the postings of each bucket stand."""
    bit = np.where(bucket > 0, _nth_zero(buckets, ended, np.maximum(bucket - 1, 0)) + 1, 0)
    low = bit - bucket
    window = _windows(buckets)[bit >> 3] >> (bit & 7).astype(np.uint64)
    ones = np.bitwise_count(window & ~(window + _ONE)).astype(np.int64)
    high: Numbers = low + ones
    if (long := np.flatnonzero(ones >= _WINDOW_BITS)).size:  # its end may be out of sight
        high[long] = _nth_zero(buckets, ended, bucket[long]) - bucket[long]
    return low, high


def _nth_zero(buckets: Bytes, ended: Counts, which: Numbers) -> Numbers:
    """Where these zeros stand among the bits of the buckets, counted from 0."""
    # Of the same type, else all of `ended` would be copied.
    block = np.searchsorted(ended, which.astype(np.uint32), side="right") - 1
    words = buckets.view("<u8").reshape(-1, BLOCK_BYTES // 8)[block]
    word, nth = _cell(np.bitwise_count(~words), which - ended[block])
    rows = np.arange(len(which))
    of_word = words[rows, word].view(np.uint8).reshape(-1, 8)
    byte, nth = _cell(np.bitwise_count(~of_word), nth)
    bit: Numbers = _ZEROS[of_word[rows, byte], nth]
    return block * _BLOCK_BITS + word * 64 + byte * 8 + bit


def _cell(counts: Bytes, nth: Numbers) -> tuple[Numbers, Numbers]:
    """In which cell of each row the nth of what was counted stands, and which it is in there."""
    ends = np.cumsum(counts, axis=1, dtype=np.int64)
    cell = (ends <= nth[:, None]).sum(axis=1)
    rows = np.arange(len(nth))
    return cell, nth - ends[rows, cell] + counts[rows, cell]


def read_bits(data: Bytes, places: Numbers, width: int) -> Hashes:
    """Some of the numbers that `write_bits` wrote, if eight more bytes follow.

    >>> data = write_bits(np.array([1, 2, 3], np.uint64), 4)
    >>> read_bits(np.append(data, np.zeros(8, np.uint8)), np.array([2, 1]), 4).tolist()
    [3, 2]
    """
    bits = places * width
    values: Hashes = _windows(data)[bits >> 3] >> (bits & 7).astype(np.uint64)
    return values & _mask(width)


def write_bits(values: Hashes, width: int) -> Bytes:
    """Numbers of at most 57 bits, end to end; eight of them take as many bytes as one takes bits.

    >>> write_bits(np.array([1, 2, 3], np.uint64), 4).tolist()
    [33, 3]
    """
    groups = -(-len(values) // 8)
    padded = np.zeros((groups, 8), dtype="<u8")
    padded.reshape(-1)[: len(values)] = values
    data = np.zeros((groups, width + 8), dtype=np.uint8)
    for k in range(8):
        byte, bit = divmod(k * width, 8)
        shifted = padded[:, k] << np.uint64(bit)
        data[:, byte : byte + 8] |= shifted.view(np.uint8).reshape(-1, 8)
    return data[:, :width].reshape(-1)[: -(-len(values) * width // 8)]


def sort_postings(keys: Hashes) -> Hashes:
    """Postings by their fingerprints; those of one stay in the order that they have."""
    order = np.argsort(keys >> np.uint64(64 - HASH_BITS), kind="stable")
    return keys[order]


def _windows(data: Bytes) -> Hashes:
    """Eight bytes from each byte on."""
    return np.ndarray(len(data) - 7, dtype="<u8", buffer=data, strides=(1,))


def _mask(bits: int) -> np.uint64:
    return np.uint64((1 << bits) - 1)
