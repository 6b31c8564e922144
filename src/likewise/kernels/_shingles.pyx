# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Compiled twin of `shingles`: runs of words become integers, repeated ones counted."""

from libc.stdint cimport int64_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

import numpy as np

# The same constants stand in shingles.py; a property test keeps the two in step.
cdef uint64_t BASE = 0x9E3779B97F4A7C15ULL
cdef uint64_t SHORT = 0xC2B2AE3D27D4EB4FULL
cdef uint64_t FINISH = 0xFF51AFD7ED558CCDULL


cdef inline uint64_t finish(uint64_t h) noexcept nogil:
    h ^= h >> 32
    h *= FINISH
    h ^= h >> 29
    return h if h != 0 else 1


cdef Py_ssize_t keep_words(const uint64_t* words, Py_ssize_t n, uint64_t* kept) noexcept nogil:
    """The words of one document that were not dropped."""
    cdef Py_ssize_t i, count = 0
    for i in range(n):  # no branch: which words are dropped cannot be foreseen
        kept[count] = words[i]
        count += words[i] != 0
    return count


cdef Py_ssize_t roll(const uint64_t* words, Py_ssize_t n, int width, uint64_t* out) noexcept nogil:
    """The shingles of one document, in order."""
    cdef uint64_t h = 0, leaving = 1
    cdef Py_ssize_t i
    cdef int k
    if n == 0:
        return 0
    if n < width:
        for i in range(n):
            h = h * BASE + words[i]
        out[0] = finish(h + <uint64_t>n * SHORT)
        return 1
    for k in range(width):
        leaving *= BASE
        h = h * BASE + words[k]
    out[0] = finish(h)
    for i in range(width, n):
        h = h * BASE + (words[i] - words[i - width] * leaving)
        out[i - width + 1] = finish(h)
    return n - width + 1


cdef Py_ssize_t longest_of(const int64_t[::1] offsets) noexcept nogil:
    cdef Py_ssize_t i, longest = 0
    for i in range(offsets.shape[0] - 1):
        longest = max(longest, offsets[i + 1] - offsets[i])
    return longest


def shingle_runs(const uint64_t[::1] words, const int64_t[::1] offsets, int width):
    """Shingles of many documents in the order of their words; see `shingles.shingle_runs`."""
    cdef Py_ssize_t n = offsets.shape[0] - 1, i, done = 0
    runs_out = np.empty(words.shape[0] + 1, dtype=np.uint64)
    offsets_out = np.empty(n + 1, dtype=np.int64)
    cdef uint64_t[::1] kept = np.empty(longest_of(offsets) + 1, dtype=np.uint64)
    cdef uint64_t[::1] runs = runs_out
    cdef int64_t[::1] ends = offsets_out
    cdef Py_ssize_t length
    ends[0] = 0
    with nogil:
        for i in range(n):
            if offsets[i + 1] > offsets[i]:
                length = keep_words(&words[offsets[i]], offsets[i + 1] - offsets[i], &kept[0])
                done += roll(&kept[0], length, width, &runs[done])
            ends[i + 1] = done
    return runs_out[:done], offsets_out


cdef int distinct(const uint64_t* runs, Py_ssize_t n, uint64_t* out, uint32_t* counts, uint64_t** table,
                  Py_ssize_t* room, Py_ssize_t* found) noexcept nogil:
    """First occurrences of one document's shingles, and how often each stands there."""
    cdef int bits = 4
    cdef Py_ssize_t i, k = 0
    cdef uint64_t slot, mask, h
    cdef uint64_t* seen
    cdef uint32_t* index
    while (<Py_ssize_t>1 << bits) < 4 * n:
        bits += 1
    mask = (<uint64_t>1 << bits) - 1
    if room[0] < <Py_ssize_t>(mask + 1):
        free(table[0])
        room[0] = mask + 1
        table[0] = <uint64_t*>malloc((mask + 1) * 12)
        if table[0] == NULL:
            room[0] = 0
            return -1
    seen = table[0]
    index = <uint32_t*>(seen + mask + 1)
    memset(seen, 0, (mask + 1) * 8)
    for i in range(n):
        h = runs[i]
        slot = h >> (64 - bits)
        while seen[slot] != 0 and seen[slot] != h:
            slot = (slot + 1) & mask
        if seen[slot] == 0:
            seen[slot] = h
            out[k] = h
            if counts != NULL:
                index[slot] = <uint32_t>k
                counts[k] = 1
            k += 1
        elif counts != NULL:
            counts[index[slot]] += 1
    found[0] = k
    return 0


def shingle_sets(const uint64_t[::1] words, const int64_t[::1] offsets, int width, bint count):
    """Distinct shingles of many documents, first occurrences first; see `shingles.shingle_sets`."""
    cdef Py_ssize_t n = offsets.shape[0] - 1, i, done = 0, length, found, room = 0
    cdef Py_ssize_t longest = longest_of(offsets)
    sets_out = np.empty(words.shape[0] + 1, dtype=np.uint64)
    offsets_out = np.empty(n + 1, dtype=np.int64)
    counts_out = np.empty(words.shape[0] + 1 if count else 0, dtype=np.uint32)
    cdef uint64_t[::1] sets = sets_out
    cdef int64_t[::1] ends = offsets_out
    cdef uint32_t[::1] counts = counts_out
    cdef uint64_t[::1] kept = np.empty(longest + 1, dtype=np.uint64)
    cdef uint64_t[::1] runs = np.empty(longest + 1, dtype=np.uint64)
    cdef uint64_t* table = NULL
    cdef bint failed = False
    ends[0] = 0
    with nogil:
        for i in range(n):
            length = offsets[i + 1] - offsets[i]
            if length:
                length = keep_words(&words[offsets[i]], length, &kept[0])
                length = roll(&kept[0], length, width, &runs[0])
                if distinct(&runs[0], length, &sets[done], &counts[done] if count else NULL, &table, &room, &found) < 0:
                    failed = True
                    break
                done += found
            ends[i + 1] = done
    free(table)
    if failed:
        raise MemoryError
    return sets_out[:done], offsets_out, counts_out[:done] if count else None


def set_digests(const uint64_t[::1] sets, const int64_t[::1] offsets):
    """Two sums a set that tell whether two sets are equal, whatever their order."""
    cdef Py_ssize_t n = offsets.shape[0] - 1, i, k
    out = np.empty((n, 2), dtype=np.uint64)
    cdef uint64_t[:, ::1] digests = out
    cdef uint64_t a, b
    with nogil:
        for i in range(n):
            a = 0
            b = 0
            for k in range(offsets[i], offsets[i + 1]):
                a += sets[k]
                b += (sets[k] ^ (sets[k] >> 31)) * FINISH
            digests[i, 0] = a
            digests[i, 1] = b
    return out


def winnow(const uint64_t[::1] runs, const int64_t[::1] offsets, int window):
    """Places of the fingerprints of many documents; see `shingles.winnow`."""
    cdef Py_ssize_t n = offsets.shape[0] - 1, i, k, j, first, last, best, done = 0
    places_out = np.empty(runs.shape[0], dtype=np.int64)
    offsets_out = np.empty(n + 1, dtype=np.int64)
    cdef int64_t[::1] places = places_out
    cdef int64_t[::1] ends = offsets_out
    ends[0] = 0
    with nogil:
        for i in range(n):
            first = offsets[i]
            last = offsets[i + 1]
            best = -1
            for k in range(first, last):
                if best < 0 or runs[k] <= runs[best]:
                    best = k  # the rightmost of equal ones
                elif k - best >= window:
                    best = k - window + 1
                    for j in range(best + 1, k + 1):
                        if runs[j] <= runs[best]:
                            best = j
                if k - first >= window - 1 or k == last - 1:
                    if done == ends[i] or places[done - 1] != best:
                        places[done] = best
                        done += 1
            ends[i + 1] = done
    return places_out[:done], offsets_out
