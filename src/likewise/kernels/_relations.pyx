# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Compiled twin of `relations`: words related to words, and the stretch they speak for."""

from libc.math cimport log, rint
from libc.stdint cimport int64_t
from libc.stdlib cimport calloc, free

cdef enum:
    WHOLE = 1000
    NAT = 1000


def fit_stretch(
    const int64_t[::1] words,
    const int64_t[::1] ends,
    core,
    const int64_t[::1] others,
    partners,
    usual,
    prior,
    int64_t most_loss,
):
    """The stretch that says most beside some others; see `relations.fit_stretch`."""
    cdef const int64_t[::1] first_partner = partners[0]
    cdef const int64_t[::1] partner = partners[1]
    cdef const int64_t[::1] closeness = partners[2]
    cdef const int64_t[::1] held_here = usual[0]
    cdef const int64_t[::1] held_there = usual[1]
    cdef const double[::1] anywhere = usual[2]
    cdef double all_words = usual[3]
    cdef double expected_words, expected_partners, least_share, most_share
    cdef double unseen, of_the_other, most, of_foreign, of_repeated
    (
        expected_words, expected_partners, least_share, most_share,
        unseen, of_the_other, most, of_foreign, of_repeated,
    ) = prior
    cdef Py_ssize_t first = core[0], last = core[1], n = words.shape[0], n_others = 0, n_core = 0
    cdef Py_ssize_t k, row, start, end, size = first_partner.shape[0] - 1, other_size = 0
    cdef int64_t word, mass, met = 0, without, outside, elsewhere, best
    cdef double p, ratio, nats, frequency
    for k in range(partner.shape[0]):
        if partner[k] >= other_size:
            other_size = partner[k] + 1
    cdef int64_t* room = <int64_t*>calloc(other_size + 3 * size + 3 * n + 1, sizeof(int64_t))
    if room == NULL:
        raise MemoryError
    cdef int64_t* counts = room
    cdef int64_t* there = counts + other_size
    cdef int64_t* inside = there + size
    cdef int64_t* seen = inside + size
    cdef int64_t* evidence = seen + size
    cdef int64_t* available = evidence + n
    cdef int64_t* total = available + n  # one more than words
    with nogil:
        for k in range(others.shape[0]):
            if others[k] >= 0:
                n_others += 1
                if others[k] < other_size:
                    counts[others[k]] += 1
        for k in range(n):
            word = words[k]
            if word < 0 or there[word]:
                continue
            mass = 0
            for row in range(first_partner[word], first_partner[word + 1]):
                mass += closeness[row] * counts[partner[row]]
            there[word] = mass
        for k in range(first, last):
            word = words[k]
            if word >= 0:
                n_core += 1
                inside[word] += 1
                met += there[word] if there[word] < WHOLE else WHOLE
        p = (<double>met / WHOLE + expected_partners) / (n_core + expected_words)
        p = least_share if p < least_share else p
        p = most_share if p > most_share else p
        without = <int64_t>rint(of_foreign * log(1 - p) * NAT)
        for k in range(n):
            word = words[k]
            available[k] = n
            if word < 0:
                evidence[k] = 0
            elif there[word] == 0:
                evidence[k] = without
            else:
                mass = there[word]
                available[k] = (mass + WHOLE - 1) // WHOLE
                outside = held_here[word] - inside[word] * WHOLE
                elsewhere = held_there[word] - mass
                frequency = <double>(outside if outside > 0 else 0) / WHOLE + unseen
                frequency += of_the_other * (elsewhere if elsewhere > 0 else 0) / WHOLE
                frequency /= all_words
                if anywhere[word] > frequency:
                    frequency = anywhere[word]
                ratio = <double>mass / <double>(WHOLE * (n_others if n_others > 0 else 1))
                ratio = 1 - p + p * ratio / frequency
                nats = log(ratio)
                evidence[k] = <int64_t>rint((nats if nats < most else most) * NAT)
        best = _best_stretch(
            &words[0] if n else NULL, evidence, available,
            <int64_t>rint(of_repeated * log(1 - p) * NAT),
            ends, n, first, last, most_loss, total, seen, &start, &end,
        )
        free(room)
    return start, end, best


cdef int64_t _best_stretch(
    const int64_t* words,
    const int64_t* evidence,
    const int64_t* available,
    int64_t repeated,
    const int64_t[::1] ends,
    Py_ssize_t n,
    Py_ssize_t first,
    Py_ssize_t last,
    int64_t most_loss,
    int64_t* total,
    int64_t* seen,
    Py_ssize_t* start,
    Py_ssize_t* end,
) noexcept nogil:
    """With room for n + 1 totals, and for how often each word was seen; -1 is no word."""
    cdef Py_ssize_t low, high, k, middle, twice = first + last
    cdef int64_t word
    # From the middle outwards; of two as far away, the first.
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
        if word < 0:
            total[k + 1] = evidence[k]
            continue
        total[k + 1] = evidence[k] if seen[word] < available[k] else repeated
        seen[word] += 1
    total[0] = 0
    for k in range(n):
        total[k + 1] += total[k]
    middle = twice // 2
    end[0] = _best_end(total, ends, middle, n, 1, last - middle, most_loss)
    start[0] = _best_end(total, ends, middle, 0, -1, middle - first, most_loss)
    return total[end[0]] - total[start[0]]


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
