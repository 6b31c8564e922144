# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Compiled twin of `relations`: words related to words, and the stretch they speak for."""

from libc.stdint cimport int64_t
from libc.stdlib cimport calloc, free, malloc

import numpy as np


def related_mass(
    const int64_t[::1] own,
    const int64_t[::1] others,
    const int64_t[::1] closeness,
    const int64_t[::1] counts,
    Py_ssize_t size,
):
    """For each own word, how many related ones there are; see `relations.related_mass`."""
    out = np.zeros(size, dtype=np.int64)
    cdef int64_t[::1] mass = out
    cdef Py_ssize_t k, rows = own.shape[0]
    with nogil:
        for k in range(rows):
            mass[own[k]] += closeness[k] * counts[others[k]]
    return out


def best_stretch(
    const int64_t[::1] words,
    const int64_t[::1] evidence,
    const int64_t[::1] available,
    int64_t repeated,
    const int64_t[::1] ends,
    core,
    int64_t most_loss,
):
    """The stretch around a core with the most evidence; see `relations.best_stretch`."""
    cdef Py_ssize_t n = words.shape[0]
    cdef Py_ssize_t first = core[0], last = core[1], middle, k, start, end
    cdef Py_ssize_t low, high, twice
    cdef int64_t word, best, most = 0
    for k in range(n):
        if words[k] > most:
            most = words[k]
    cdef int64_t* total = <int64_t*>malloc((n + 1) * sizeof(int64_t))
    cdef int64_t* met = <int64_t*>calloc(most + 1, sizeof(int64_t))
    if total == NULL or met == NULL:
        free(total)
        free(met)
        raise MemoryError
    with nogil:
        # From the middle outwards; of two as far away, the first.
        twice = first + last
        high = (twice + 1) // 2
        if high > n:
            high = n
        low = high - 1
        while low >= 0 or high < n:
            if high >= n or (low >= 0 and twice - 2 * low <= 2 * high - twice):
                k = low
                low -= 1
            else:
                k = high
                high += 1
            word = words[k]
            total[k + 1] = evidence[k] if met[word] < available[k] else repeated
            met[word] += 1
        total[0] = 0
        for k in range(n):
            total[k + 1] += total[k]
        middle = twice // 2
        end = _best_end(total, ends, middle, n, 1, last - middle, most_loss)
        start = _best_end(total, ends, middle, 0, -1, middle - first, most_loss)
        best = total[end] - total[start]
        free(total)
        free(met)
    return start, end, best


cdef Py_ssize_t _best_end(
    const int64_t* total,
    const int64_t[::1] ends,
    Py_ssize_t middle,
    Py_ssize_t bound,
    int step,
    Py_ssize_t core,
    int64_t most_loss,
) noexcept nogil:
    """Where growing stops best, in either direction."""
    cdef Py_ssize_t at = middle, best_at = middle, grown = 0
    cdef int64_t value, highest, best
    highest = step * total[middle]
    best = highest + ends[middle]
    while at != bound:
        at += step
        grown += 1
        value = step * total[at]
        if value > highest:
            highest = value
        if grown > core and highest - value > most_loss:
            break
        if value + ends[at] > best:
            best = value + ends[at]
            best_at = at
    return best_at
