# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Compiled twin of `packing`: sorted numbers in few bits, packed, unpacked and searched."""

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

import numpy as np

cdef extern from *:
    """
    #if defined(__GNUC__) || defined(__clang__)
    #define likewise_prefetch(address) __builtin_prefetch(address)
    #else
    #define likewise_prefetch(address) ((void)(address))
    #endif
    """
    void prefetch "likewise_prefetch"(const void* address) noexcept nogil

cdef int HASH_BITS = 40
cdef int BLOCK_BYTES = 64
cdef int BLOCK_BITS = 512
cdef int WINDOW_BITS = 57


cdef inline int count_ones(uint64_t x) noexcept nogil:
    x = x - ((x >> 1) & 0x5555555555555555ULL)
    x = (x & 0x3333333333333333ULL) + ((x >> 2) & 0x3333333333333333ULL)
    x = (x + (x >> 4)) & 0x0F0F0F0F0F0F0F0FULL
    return <int>((x * 0x0101010101010101ULL) >> 56)


cdef inline int bit_length(uint64_t x) noexcept nogil:
    cdef int bits = 0
    while x:
        bits += 1
        x >>= 1
    return bits


cdef inline uint64_t mask(int bits) noexcept nogil:
    return ((<uint64_t>1) << bits) - 1


cdef inline uint64_t window(const uint8_t* data) noexcept nogil:
    """Eight bytes, whatever the order of bytes of the machine."""
    return (<uint64_t>data[0] | <uint64_t>data[1] << 8 | <uint64_t>data[2] << 16 | <uint64_t>data[3] << 24
            | <uint64_t>data[4] << 32 | <uint64_t>data[5] << 40 | <uint64_t>data[6] << 48 | <uint64_t>data[7] << 56)


def pack_gaps(const uint64_t[::1] hashes):
    """Ascending numbers in few bits; see `packing.pack_gaps`."""
    cdef Py_ssize_t n = hashes.shape[0], i, length, at
    cdef int bits = bit_length(hashes[n - 1] // <uint64_t>n) - 1, filled, k
    cdef uint64_t last = 0, gap, lower, size = <uint64_t>n
    if bits < 0:
        bits = 0
    # Upper bits of gaps sum up to no more than those of the last number.
    cdef uint64_t all_bits = <uint64_t>n * <uint64_t>(bits + 1) + (hashes[n - 1] >> bits)
    cdef uint8_t* out = <uint8_t*>malloc(<size_t>(16 + all_bits // 8))
    if out == NULL:
        raise MemoryError
    try:
        with nogil:
            out[0] = <uint8_t>bits
            at = 1
            while size >= 128:
                out[at] = <uint8_t>(size & 127 | 128)
                size >>= 7
                at += 1
            out[at] = <uint8_t>size
            at += 1
            out[at] = 0
            filled = 0  # bits of the byte at `at`
            for i in range(n):
                gap = hashes[i] - last
                last = hashes[i]
                lower = gap & mask(bits)
                k = bits
                while k > 0:
                    out[at] |= <uint8_t>((lower << filled) & 255)
                    if k < 8 - filled:
                        filled += k
                        k = 0
                    else:
                        k -= 8 - filled
                        lower >>= 8 - filled
                        filled = 0
                        at += 1
                        out[at] = 0
            last = 0
            for i in range(n):
                gap = (hashes[i] - last) >> bits
                last = hashes[i]
                while gap >= <uint64_t>(8 - filled):
                    gap -= <uint64_t>(8 - filled)
                    filled = 0
                    at += 1
                    out[at] = 0
                filled += <int>gap
                out[at] |= <uint8_t>(1 << filled)
                filled += 1
                if filled == 8:
                    filled = 0
                    at += 1
                    out[at] = 0
            length = at + (1 if filled else 0)
        return (<char*>out)[:length]
    finally:
        free(out)


def unpack_gaps(bytes data):
    """The numbers that were packed; see `packing.unpack_gaps`."""
    cdef const uint8_t* view = data
    cdef Py_ssize_t length = len(data), start = 0, place, i
    cdef uint64_t size = 0, bit, end, last = 0, gap, word
    cdef int bits, k, filled
    for place in range(1, min(length, 6)):
        size |= <uint64_t>(view[place] & 127) << (7 * (place - 1))
        if view[place] < 128:
            start = place + 1
            break
    if start == 0:
        raise ValueError("not as it was packed")
    bits = view[0]
    end = <uint64_t>(length - start) * 8
    if bits > 63 or size == 0 or size * <uint64_t>(bits + 1) > end:
        raise ValueError("not as it was packed")
    out = np.empty(size, dtype=np.uint64)
    cdef uint64_t[::1] hashes = out
    cdef const uint8_t* body = view + start
    cdef bint is_right = True
    with nogil:
        for i in range(<Py_ssize_t>size):
            bit = <uint64_t>i * bits
            filled = <int>(bit & 7)
            if (bit >> 3) + 9 <= end >> 3:
                gap = window(body + (bit >> 3)) >> filled
                if filled:
                    gap |= <uint64_t>body[(bit >> 3) + 8] << (64 - filled)
                hashes[i] = gap & mask(bits)
                continue
            gap = 0
            k = 0
            while k < bits:  # near the end, a byte at a time
                filled = <int>(bit & 7)
                gap |= <uint64_t>(body[bit >> 3] >> filled) << k
                k += 8 - filled
                bit += 8 - filled
            hashes[i] = gap & mask(bits)
        bit = size * <uint64_t>bits
        for i in range(<Py_ssize_t>size):
            gap = 0
            while bit < end:
                if (bit >> 3) + 8 <= end >> 3:  # many bits at a time
                    filled = <int>(bit & 7)
                    word = window(body + (bit >> 3)) >> filled
                    k = count_ones((word & (~word + 1)) - 1) if word else 64 - filled
                    gap += k
                    bit += k
                    if word:
                        break
                elif (body[bit >> 3] >> (bit & 7)) & 1:
                    break
                else:
                    gap += 1
                    bit += 1
            if bit >= end:
                is_right = False
                break
            bit += 1
            # In 64 bits, as everything that was packed was.
            hashes[i] = last + hashes[i] + (gap << bits)
            if i > 0 and hashes[i] <= last:
                is_right = False
                break
            last = hashes[i]
        while is_right and bit < end:
            if (body[bit >> 3] >> (bit & 7)) & 1:
                is_right = False
            bit += 1
    if not is_right:
        raise ValueError("not as it was packed")
    return out


cdef inline Py_ssize_t block_of_zero(const uint32_t* ended, Py_ssize_t blocks, uint64_t which, int bucket_bits) noexcept nogil:
    """The block of the buckets in which a zero stands. Fingerprints lie evenly, which tells about where."""
    cdef Py_ssize_t low = <Py_ssize_t>((which * <uint64_t>blocks) >> bucket_bits), high, middle, step = 1
    if low >= blocks:
        low = blocks - 1
    high = low + 1
    while low > 0 and ended[low] > which:
        high = low
        low = low - step if low > step else 0
        step *= 2
    while high < blocks and ended[high] <= which:
        low = high
        high += step
        step *= 2
    if high > blocks:
        high = blocks
    while high - low > 1:  # the last block that begins before it
        middle = (low + high) >> 1
        if ended[middle] <= which:
            low = middle
        else:
            high = middle
    return low


cdef inline int64_t zero_in_block(const uint8_t* buckets, const uint32_t* ended, Py_ssize_t block,
                                  uint64_t which) noexcept nogil:
    """Where a zero stands among the bits of the buckets."""
    cdef uint64_t rest = which - ended[block], word
    cdef const uint8_t* at = buckets + block * BLOCK_BYTES
    cdef int64_t place
    cdef int ones
    while True:
        word = ~window(at)
        ones = count_ones(word)
        if rest < <uint64_t>ones:
            break
        rest -= ones
        at += 8
    place = (at - buckets) * 8
    while True:
        ones = count_ones(word & 255)
        if rest < <uint64_t>ones:
            break
        rest -= ones
        word >>= 8
        place += 8
    while rest:
        word &= word - 1
        rest -= 1
    return place + count_ones((word & (~word + 1)) - 1)


cdef inline uint64_t lower_at(const uint8_t* lower, int64_t place, int width) noexcept nogil:
    cdef uint64_t bit = <uint64_t>place * width
    return (window(lower + (bit >> 3)) >> (bit & 7)) & mask(width)


cdef inline int64_t first_not_below(const uint8_t* lower, int width, int64_t low, int64_t high,
                                    uint64_t value) noexcept nogil:
    cdef int64_t middle
    while low < high:
        middle = (low + high) >> 1
        if lower_at(lower, middle, width) < value:
            low = middle + 1
        else:
            high = middle
    return low


def find_ranges(const uint64_t[::1] hashes, const uint8_t[::1] lower, const uint8_t[::1] buckets,
                const uint32_t[::1] ended, int bucket_bits, int number_bits):
    """From where to where the postings of each fingerprint stand; see `packing.find_ranges`.

    Some at a time, in three steps: each asks for the memory that the next one reads, so that these
    do not wait for one another.
    """
    cdef Py_ssize_t n = hashes.shape[0], blocks = ended.shape[0], i, k, first_of_group, size
    cdef int rest_bits = HASH_BITS - bucket_bits, width = HASH_BITS - bucket_bits + number_bits, ones
    cdef uint64_t first, word, number_mask = mask(number_bits)
    cdef int64_t bucket, bit, start, end
    cdef Py_ssize_t block[32]
    cdef int64_t begins[32]
    cdef int64_t ends[32]
    low_out = np.empty(n, dtype=np.int64)
    high_out = np.empty(n, dtype=np.int64)
    cdef int64_t[::1] low = low_out
    cdef int64_t[::1] high = high_out
    cdef const uint8_t* lower_parts = &lower[0]
    cdef const uint8_t* bits = &buckets[0]
    cdef const uint32_t* counts = &ended[0]
    with nogil:
        for first_of_group in range(0, n, 32):
            size = n - first_of_group if n - first_of_group < 32 else 32
            for k in range(size):
                bucket = <int64_t>((hashes[first_of_group + k] & mask(HASH_BITS)) >> rest_bits)
                block[k] = 0
                if bucket:
                    block[k] = block_of_zero(counts, blocks, <uint64_t>(bucket - 1), bucket_bits)
                prefetch(bits + block[k] * BLOCK_BYTES)
            for k in range(size):
                bucket = <int64_t>((hashes[first_of_group + k] & mask(HASH_BITS)) >> rest_bits)
                bit = 0
                if bucket:
                    bit = zero_in_block(bits, counts, block[k], <uint64_t>(bucket - 1)) + 1
                start = bit - bucket
                word = window(bits + (bit >> 3)) >> (bit & 7)
                ones = count_ones(word & ~(word + 1))
                end = start + ones
                if ones >= WINDOW_BITS:  # its end may be out of sight
                    block[k] = block_of_zero(counts, blocks, <uint64_t>bucket, bucket_bits)
                    end = zero_in_block(bits, counts, block[k], <uint64_t>bucket) - bucket
                begins[k] = start
                ends[k] = end
                prefetch(lower_parts + ((<uint64_t>((start + end) >> 1) * <uint64_t>width) >> 3))
            for k in range(size):
                i = first_of_group + k
                start = begins[k]
                end = ends[k]
                first = (hashes[i] & mask(rest_bits)) << number_bits
                start = first_not_below(lower_parts, width, start, end, first)
                low[i] = start
                if start < end and (lower_at(lower_parts, start, width) ^ first) <= number_mask:
                    start += 1
                    if start < end and (lower_at(lower_parts, start, width) ^ first) <= number_mask:
                        start = first_not_below(lower_parts, width, start, end, first + number_mask + 1)
                high[i] = start
    return low_out, high_out


def read_bits(const uint8_t[::1] data, const int64_t[::1] places, int width):
    """Some of the numbers that were written; see `packing.read_bits`."""
    cdef Py_ssize_t n = places.shape[0], i
    out = np.empty(n, dtype=np.uint64)
    cdef uint64_t[::1] values = out
    if n:
        with nogil:
            for i in range(n):
                values[i] = lower_at(&data[0], places[i], width)
    return out


def write_bits(const uint64_t[::1] values, int width):
    """Numbers of a fixed width, end to end; see `packing.write_bits`."""
    cdef Py_ssize_t size = values.shape[0], i, at = 0
    cdef int filled = 0
    cdef uint64_t waiting = 0
    out = np.empty((size * width + 7) // 8, dtype=np.uint8)
    cdef uint8_t[::1] data = out
    with nogil:
        for i in range(size):
            waiting |= values[i] << filled  # less than a byte waits, and a number has 57 bits at most
            filled += width
            while filled >= 8:
                data[at] = <uint8_t>waiting
                at += 1
                waiting >>= 8
                filled -= 8
        if filled:
            data[at] = <uint8_t>waiting
    return out


def sort_postings(const uint64_t[::1] keys):
    """Postings by their fingerprints; see `packing.sort_postings`. Four passes, by ten bits each."""
    cdef Py_ssize_t size = keys.shape[0], i
    cdef int turn, shift
    cdef uint64_t key
    cdef int64_t begin[4][1024]
    cdef int64_t total, here
    memset(begin, 0, sizeof(begin))
    one, other = np.array(keys, dtype=np.uint64), np.empty(size, dtype=np.uint64)
    cdef uint64_t[::1] source = one
    cdef uint64_t[::1] target = other
    with nogil:
        for i in range(size):
            for turn in range(4):
                begin[turn][(source[i] >> (24 + 10 * turn)) & 1023] += 1
        for turn in range(4):
            total = 0
            for i in range(1024):
                here = begin[turn][i]
                begin[turn][i] = total
                total += here
        for turn in range(4):
            shift = 24 + 10 * turn
            for i in range(size):
                key = source[i]
                here = (key >> shift) & 1023
                target[begin[turn][here]] = key
                begin[turn][here] += 1
            source, target = target, source
    return one
