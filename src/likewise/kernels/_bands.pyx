# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Compiled twin of `bands`: signatures to bucket keys, buckets to candidate pairs."""

from libc.stdint cimport int64_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc

import numpy as np

cdef uint64_t MIX = 0xFF51AFD7ED558CCDULL
cdef uint64_t BAND = 0x9E3779B97F4A7C15ULL

ctypedef fused stored:
    unsigned char
    unsigned short
    unsigned int
    unsigned long long


def band_keys(const stored[:, ::1] signatures, int bands, int rows):
    """One key a band and document; see `bands.band_keys`."""
    cdef Py_ssize_t n = signatures.shape[0], i
    cdef int band, row
    cdef uint64_t key
    out = np.empty((bands, n), dtype=np.uint64)
    cdef uint64_t[:, ::1] keys = out
    with nogil:
        for i in range(n):
            for band in range(bands):
                key = BAND * <uint64_t>(band + 1)
                for row in range(rows):
                    key = (key ^ signatures[i, band * rows + row]) * MIX
                    key ^= key >> 32
                keys[band, i] = key if key != 0 else 1
    return out


def group(const uint64_t[::1] keys):
    """Documents with the same key, side by side; see `bands.group`."""
    cdef Py_ssize_t n = keys.shape[0], i, capacity = 16, done = 0
    cdef uint64_t slot, mask, h
    cdef int shift = 64
    cdef uint32_t groups = 0, g
    cdef int64_t end
    while capacity < 2 * n:
        capacity *= 2
    i = capacity
    while i > 1:
        shift -= 1
        i >>= 1
    mask = capacity - 1
    cdef uint64_t* table = <uint64_t*>calloc(capacity, 8)
    cdef uint32_t* values = <uint32_t*>malloc(capacity * 4)
    cdef uint32_t* group_of = <uint32_t*>malloc((n + 1) * 4)
    cdef int64_t* count = <int64_t*>calloc(n + 2, 8)
    cdef bint failed = table == NULL or values == NULL or group_of == NULL or count == NULL
    members_out = np.empty(n, dtype=np.uint32)
    bounds_out = np.empty(n + 1, dtype=np.int64)
    cdef uint32_t[::1] members = members_out
    cdef int64_t[::1] bounds = bounds_out
    bounds[0] = 0
    if not failed:
        with nogil:
            for i in range(n):
                h = keys[i]
                slot = h >> shift
                while table[slot] != 0 and table[slot] != h:
                    slot = (slot + 1) & mask
                if table[slot] == 0:
                    table[slot] = h
                    values[slot] = groups
                    groups += 1
                group_of[i] = values[slot]
                count[values[slot]] += 1
            end = 0
            done = 0
            for g in range(groups):  # only groups of two and more, in the order of their first member
                if count[g] > 1:
                    end += count[g]
                    count[g] = end - count[g]
                    done += 1
                    bounds[done] = end
                else:
                    count[g] = -1
            for i in range(n):
                if count[group_of[i]] >= 0:
                    members[count[group_of[i]]] = <uint32_t>i
                    count[group_of[i]] += 1
    free(table)
    free(values)
    free(group_of)
    free(count)
    if failed:
        raise MemoryError
    return members_out[:end].copy(), bounds_out[:done + 1].copy()


def pairs_of_groups(const uint32_t[::1] members, const int64_t[::1] bounds, const uint64_t[:, ::1] keys, int band,
                    tuple cursor, Py_ssize_t limit):
    """Up to `limit` pairs of group members that no earlier band has brought together, and where to go on."""
    cdef Py_ssize_t g = cursor[0], i = cursor[1], j = cursor[2], n_groups = bounds.shape[0] - 1, done = 0
    cdef int earlier
    cdef uint32_t a, b
    cdef bint new
    left_out = np.empty(limit, dtype=np.uint32)
    right_out = np.empty(limit, dtype=np.uint32)
    cdef uint32_t[::1] left = left_out
    cdef uint32_t[::1] right = right_out
    with nogil:
        while g < n_groups and done < limit:
            if i < bounds[g]:
                i = bounds[g]
                j = i + 1
            while i < bounds[g + 1] - 1 and done < limit:
                while j < bounds[g + 1] and done < limit:
                    a = members[i]
                    b = members[j]
                    new = True
                    for earlier in range(band):
                        if keys[earlier, a] == keys[earlier, b]:
                            new = False
                            break
                    if new:
                        left[done] = a
                        right[done] = b
                        done += 1
                    j += 1
                if j >= bounds[g + 1]:
                    i += 1
                    j = i + 1
            if i >= bounds[g + 1] - 1:
                g += 1
                i = -1
    return left_out[:done].copy(), right_out[:done].copy(), (g, i, j) if g < n_groups else None
