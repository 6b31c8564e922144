# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Compiled twin of `signature`: Fast Similarity Sketching and classic MinHash."""

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

import numpy as np

cdef uint64_t EMPTY = 0xFFFFFFFFFFFFFFFFULL
cdef uint64_t STORE = 0xC4CEB9FE1A85EC53ULL

cdef enum:
    BLOCK = 4096  # items looked at before their hits are settled

ctypedef fused stored:
    unsigned char
    unsigned short
    unsigned int
    unsigned long long


cdef inline uint64_t store(uint64_t key, int shift) noexcept nogil:
    """The bits kept of the smallest key of a slot."""
    key ^= key >> 32
    key *= STORE
    return key >> shift


cdef inline uint32_t slot_of(uint64_t z, uint32_t slots, int narrow) noexcept nogil:
    """The high bits choose the slot; `narrow` is the shift where `slots` is a power of two, else 0."""
    if narrow:
        return <uint32_t>(z >> narrow)
    return <uint32_t>(((z >> 32) * slots) >> 32)


cdef inline void fast_sketch(const uint64_t* items, Py_ssize_t n, const uint64_t* odd, uint32_t slots, int bits,
                             int narrow, uint64_t* best, uint8_t* empty, uint32_t* hits, uint32_t* filled) noexcept nogil:
    """Dahlgaard, Knudsen, Thorup 2017, algorithm 1: rounds of one throw an item until no slot is empty.

    A slot filled in an earlier round is settled, so later rounds only look for throws at empty slots."""
    cdef uint32_t turn = 1, slot, left = 0, n_filled, n_hits, k
    cdef Py_ssize_t i, first, last
    cdef uint64_t z, key, multiplier, low
    memset(best, 0xFF, slots * 8)
    multiplier = odd[0]
    for i in range(n):
        z = items[i] * multiplier
        slot = slot_of(z, slots, narrow)
        key = (z << bits) >> 1
        best[slot] = key if key < best[slot] else best[slot]
    for slot in range(slots):
        empty[slot] = best[slot] == EMPTY
        left += empty[slot]
    while left and turn < slots:
        multiplier = odd[turn]
        n_filled = 0
        first = 0
        while first < n:
            last = min(first + BLOCK, n)
            n_hits = 0
            for i in range(first, last):
                hits[n_hits] = <uint32_t>(i - first)
                n_hits += empty[slot_of(items[i] * multiplier, slots, narrow)]
            for k in range(n_hits):
                z = items[first + hits[k]] * multiplier
                slot = slot_of(z, slots, narrow)
                key = (z << bits) >> 1
                filled[n_filled] = slot
                n_filled += best[slot] == EMPTY
                best[slot] = key if key < best[slot] else best[slot]
            first = last
        for k in range(n_filled):
            empty[filled[k]] = 0
        left -= n_filled
        turn += 1
    if left:
        for slot in range(slots):
            if empty[slot]:  # the last rounds fill one slot each, from all items
                multiplier = odd[slots + slot]
                low = EMPTY
                for i in range(n):
                    key = (items[i] * multiplier) >> 1
                    low = key if key < low else low
                best[slot] = low


cdef void classic_minhash(const uint64_t* items, Py_ssize_t n, const uint64_t* odd, uint32_t slots,
                          uint64_t* best) noexcept nogil:
    """Broder 1997 by multiply-shift: the smallest value of each of `slots` hash functions."""
    cdef uint32_t slot
    cdef Py_ssize_t i
    cdef uint64_t low, value, item
    for slot in range(slots):
        best[slot] = EMPTY
    for i in range(n):
        item = items[i]
        for slot in range(slots):
            value = item * odd[slot]
            value = (value ^ (value >> 29)) * odd[slots + slot]
            if value < best[slot]:
                best[slot] = value


cdef int sketch_all(const uint64_t* sets, const int64_t* offsets, const int64_t* documents, Py_ssize_t n,
                    const uint64_t* odd, uint32_t slots, bint classic, stored* out) noexcept nogil:
    cdef Py_ssize_t i, size
    cdef const uint64_t* items
    cdef uint32_t slot
    cdef int bits = 0, shift = 64 - 8 * <int>sizeof(stored)
    cdef uint64_t* best = <uint64_t*>malloc(slots * 8)
    cdef uint8_t* empty = <uint8_t*>malloc(slots)
    cdef uint32_t* filled = <uint32_t*>malloc((slots + 1) * 4)
    cdef uint32_t* hits = <uint32_t*>malloc((BLOCK + 1) * 4)
    cdef bint enough = best != NULL and empty != NULL and filled != NULL and hits != NULL
    while (<uint32_t>1 << bits) < slots:
        bits += 1
    for i in range(n):
        if not enough:
            break
        items = sets + offsets[documents[i]]
        size = offsets[documents[i] + 1] - offsets[documents[i]]
        if size == 0:
            memset(out + i * slots, 0, slots * sizeof(stored))
            continue
        if classic:
            classic_minhash(items, size, odd, slots, best)
        elif slots > 1 and slots & (slots - 1) == 0:
            fast_sketch(items, size, odd, slots, bits, 64 - bits, best, empty, hits, filled)
        else:
            fast_sketch(items, size, odd, slots, bits, 0, best, empty, hits, filled)
        for slot in range(slots):
            out[i * slots + slot] = <stored>store(best[slot], shift)
    free(best)
    free(empty)
    free(filled)
    free(hits)
    return 0 if enough else -1


def signatures(const uint64_t[::1] sets, const int64_t[::1] offsets, const int64_t[::1] documents,
               const uint64_t[::1] odd, int slots, int bits, bint classic):
    """One row of `slots` values of `bits` bits a document; see `signature.signatures`."""
    cdef Py_ssize_t n = documents.shape[0]
    cdef int done = 0
    out = np.empty((n, slots), dtype={8: np.uint8, 16: np.uint16, 32: np.uint32, 64: np.uint64}[bits])
    if n == 0 or sets.shape[0] == 0:
        out[:] = 0
        return out
    cdef unsigned char[:, ::1] rows8
    cdef unsigned short[:, ::1] rows16
    cdef unsigned int[:, ::1] rows32
    cdef unsigned long long[:, ::1] rows64
    if bits == 8:
        rows8 = out
        with nogil:
            done = sketch_all(&sets[0], &offsets[0], &documents[0], n, &odd[0], slots, classic, &rows8[0, 0])
    elif bits == 16:
        rows16 = out
        with nogil:
            done = sketch_all(&sets[0], &offsets[0], &documents[0], n, &odd[0], slots, classic, &rows16[0, 0])
    elif bits == 32:
        rows32 = out
        with nogil:
            done = sketch_all(&sets[0], &offsets[0], &documents[0], n, &odd[0], slots, classic, &rows32[0, 0])
    else:
        rows64 = out
        with nogil:
            done = sketch_all(&sets[0], &offsets[0], &documents[0], n, &odd[0], slots, classic, &rows64[0, 0])
    if done < 0:
        raise MemoryError
    return out
