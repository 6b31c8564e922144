# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Compiled twin of `join`: the steps of the exact set-similarity join, and exact counts for any pairs."""

from libc.math cimport ceil
from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memset

import numpy as np

cdef extern from *:
    """
    #if defined(__GNUC__) || defined(__clang__)
    #define likewise_prefetch(p) __builtin_prefetch((p), 1)
    #else
    #define likewise_prefetch(p) ((void)(p))
    #endif
    """
    void prefetch "likewise_prefetch"(const void*) noexcept nogil

cdef uint32_t UNRANKED = 0xFFFFFFFFu

cdef enum:
    AHEAD = 24  # how many shingles ahead their cells are fetched


cdef inline int shift_for(Py_ssize_t capacity) noexcept nogil:
    cdef int shift = 64
    while capacity > 1:
        shift -= 1
        capacity >>= 1
    return shift


def mark_shared(const uint64_t[::1] sets, const int64_t[::1] offsets, const uint8_t[::1] sides, bint across,
                uint8_t[::1] cells):
    """Note in two-bit cells which shingles may stand in two documents; see `join.mark_shared`."""
    cdef Py_ssize_t n = offsets.shape[0] - 1, i, k, last = sets.shape[0]
    cdef int shift = shift_for(cells.shape[0] * 4)
    cdef uint64_t cell
    cdef uint8_t byte, mark
    cdef int place
    with nogil:
        for i in range(n):
            if sides[i] > 1:
                continue
            mark = 1 + sides[i] if across else 0
            for k in range(offsets[i], offsets[i + 1]):
                if k + AHEAD < last:
                    prefetch(&cells[sets[k + AHEAD] >> shift >> 2])
                cell = sets[k] >> shift
                place = <int>(cell & 3) * 2
                byte = cells[cell >> 2]
                if across:
                    cells[cell >> 2] = byte | mark << place
                else:  # seen once: 1; seen again: 3
                    cells[cell >> 2] = byte | (1 | (byte >> place & 1) << 1) << place


def keep_shared(const uint64_t[::1] sets, const int64_t[::1] offsets, const int64_t[::1] need, const uint8_t[::1] cells):
    """Documents with at least `need` shingles that may be shared, and those shingles; see `join.keep_shared`."""
    cdef Py_ssize_t n = offsets.shape[0] - 1, i, k, last = sets.shape[0], done = 0, docs = 0, start
    cdef int shift = shift_for(cells.shape[0] * 4)
    cdef uint64_t cell
    kept_out = np.empty(last + 1, dtype=np.uint64)
    documents_out = np.empty(n, dtype=np.int64)
    ends_out = np.empty(n + 1, dtype=np.int64)
    cdef uint64_t[::1] kept = kept_out
    cdef int64_t[::1] documents = documents_out
    cdef int64_t[::1] ends = ends_out
    ends[0] = 0
    with nogil:
        for i in range(n):
            start = done
            for k in range(offsets[i], offsets[i + 1]):
                if k + AHEAD < last:
                    prefetch(&cells[sets[k + AHEAD] >> shift >> 2])
                cell = sets[k] >> shift
                kept[done] = sets[k]
                done += (cells[cell >> 2] >> ((cell & 3) * 2) & 3) == 3
            if done - start < need[i] or done == start:
                done = start
            else:
                documents[docs] = i
                docs += 1
                ends[docs] = done
    return documents_out[:docs].copy(), kept_out[:done], ends_out[:docs + 1].copy()


cdef void spread(const uint64_t* keys, uint32_t found, uint32_t[::1] slots) noexcept nogil:
    """Put numbered keys into an empty table."""
    cdef uint32_t i
    cdef int shift = shift_for(slots.shape[0])
    cdef uint64_t slot, mask = slots.shape[0] - 1
    for i in range(found):
        slot = keys[i] >> shift
        while slots[slot]:
            slot = (slot + 1) & mask
        slots[slot] = i + 1


def number(const uint64_t[::1] items):
    """Small numbers for large ones, in the order they first appear; see `join.number`.

    The table holds numbers, and the keys lie side by side: fresh memory costs more than a look-up."""
    cdef Py_ssize_t n = items.shape[0], i = 0
    cdef uint64_t slot, mask, h
    cdef uint32_t found = 0, entry
    cdef int shift
    out = np.empty(n, dtype=np.uint32)
    cdef uint32_t[::1] numbers = out
    cdef uint32_t[::1] slots = np.zeros(1 << 16, dtype=np.uint32)
    cdef uint64_t* keys = <uint64_t*>malloc(((1 << 15) + 1) * 8)
    cdef void* more = keys
    while more != NULL:
        mask = slots.shape[0] - 1
        shift = shift_for(slots.shape[0])
        with nogil:
            while i < n and found * 2 <= mask:
                if i + AHEAD < n:
                    prefetch(&slots[items[i + AHEAD] >> shift])
                h = items[i]
                slot = h >> shift
                entry = slots[slot]
                while entry != 0 and keys[entry - 1] != h:
                    slot = (slot + 1) & mask
                    entry = slots[slot]
                if entry == 0:
                    keys[found] = h
                    found += 1
                    entry = found
                    slots[slot] = entry
                numbers[i] = entry - 1
                i += 1
        if i == n:
            free(keys)
            return out, found
        more = realloc(keys, (slots.shape[0] + 1) * 8)  # half of twice the slots, and one
        if more != NULL:
            keys = <uint64_t*>more
            slots = np.zeros(2 * slots.shape[0], dtype=np.uint32)
            spread(keys, found, slots)
    free(keys)
    raise MemoryError


def count_holders(const uint32_t[::1] numbers, const int64_t[::1] offsets, const uint8_t[::1] sides, Py_ssize_t n):
    """How many documents of each of two sides hold each number; see `join.count_holders`."""
    cdef Py_ssize_t i, k
    out = np.zeros((n, 2), dtype=np.uint32)
    cdef uint32_t[:, ::1] holders = out
    with nogil:
        for i in range(offsets.shape[0] - 1):
            for k in range(offsets[i], offsets[i + 1]):
                holders[numbers[k], sides[i] & 1] += 1
    return out


def count_ranked(const uint32_t[::1] numbers, const int64_t[::1] offsets, const uint32_t[::1] rank):
    """How many numbers of each document have a rank; see `join.count_ranked`."""
    cdef Py_ssize_t i, k, n = offsets.shape[0] - 1
    out = np.zeros(n, dtype=np.int64)
    cdef int64_t[::1] counts = out
    with nogil:
        for i in range(n):
            for k in range(offsets[i], offsets[i + 1]):
                counts[i] += rank[numbers[k]] != UNRANKED
    return out


def order_tokens(const uint32_t[::1] numbers, const int64_t[::1] offsets, const uint32_t[::1] rank,
                 const int64_t[::1] documents, const int64_t[::1] ends, Py_ssize_t vocabulary):
    """The ranks of some documents' numbers, each document's ascending; see `join.order_tokens`.

    A counting sort over all of them at once: first by rank, then back into the documents."""
    cdef Py_ssize_t n = documents.shape[0], i, k
    cdef uint32_t r
    out = np.empty(ends[n], dtype=np.uint32)
    cdef uint32_t[::1] ordered = out
    cdef int64_t[::1] at = np.zeros(vocabulary + 2, dtype=np.int64)
    cdef int64_t[::1] fill = np.array(ends, dtype=np.int64)
    cdef uint32_t[::1] holders = np.empty(ends[n] + 1, dtype=np.uint32)
    with nogil:
        for i in range(n):
            for k in range(offsets[documents[i]], offsets[documents[i] + 1]):
                r = rank[numbers[k]]
                if r != UNRANKED:
                    at[r + 2] += 1
        for k in range(1, vocabulary + 1):
            at[k + 1] += at[k]
        for i in range(n):
            for k in range(offsets[documents[i]], offsets[documents[i] + 1]):
                r = rank[numbers[k]]
                if r != UNRANKED:
                    holders[at[r + 1]] = <uint32_t>i
                    at[r + 1] += 1
        for i in range(vocabulary):
            for k in range(at[i], at[i + 1]):
                ordered[fill[holders[k]]] = <uint32_t>i
                fill[holders[k]] += 1
    return out


cdef inline int64_t least_overlap(double share, int64_t total) noexcept nogil:
    """A lower bound of the overlap a pair must reach; the exact test comes last, by division."""
    return <int64_t>ceil(share * total - 1e-6)


cdef int64_t merge_count(const uint32_t* a, int64_t n, const uint32_t* b, int64_t m, int64_t need) noexcept nogil:
    """How many tokens two ascending lists share, or -1 as soon as `need` is out of reach."""
    cdef int64_t i = 0, j = 0, shared = 0
    cdef int64_t spare_a = n - need, spare_b = m - need
    while i < n and j < m:
        if a[i] == b[j]:
            shared += 1
            i += 1
            j += 1
        elif a[i] < b[j]:
            i += 1
            if i - shared > spare_a:
                return -1
        else:
            j += 1
            if j - shared > spare_b:
                return -1
    return shared


def build_index(const uint32_t[::1] tokens, const int64_t[::1] offsets, const int64_t[::1] indexed, Py_ssize_t vocabulary):
    """Postings of the first `indexed` tokens of each document: where each list starts, document, place."""
    cdef Py_ssize_t n = offsets.shape[0] - 1, i, k, total = 0
    starts_out = np.zeros(vocabulary + 2, dtype=np.int64)
    cdef int64_t[::1] at = starts_out
    for i in range(n):
        total += indexed[i]
        for k in range(offsets[i], offsets[i] + indexed[i]):
            at[tokens[k] + 2] += 1
    documents_out = np.empty(total, dtype=np.uint32)
    places_out = np.empty(total, dtype=np.uint32)
    cdef uint32_t[::1] documents = documents_out
    cdef uint32_t[::1] places = places_out
    with nogil:
        for k in range(1, vocabulary + 1):
            at[k + 1] += at[k]
        for i in range(n):
            for k in range(offsets[i], offsets[i] + indexed[i]):
                documents[at[tokens[k] + 1]] = <uint32_t>i
                places[at[tokens[k] + 1]] = <uint32_t>(k - offsets[i])
                at[tokens[k] + 1] += 1
    return starts_out[:vocabulary + 1], documents_out, places_out


def probe(const uint32_t[::1] tokens, const int64_t[::1] offsets, const int64_t[::1] sizes, const uint8_t[::1] sides,
          bint across, const int64_t[::1] probed, const int64_t[::1] smallest, index, double threshold, bint contained,
          Py_ssize_t first, Py_ssize_t last):
    """Pairs of documents (by ascending size) whose prefixes meet and whose overlap suffices; see `join.probe`."""
    cdef const int64_t[::1] starts
    cdef const uint32_t[::1] documents, places
    starts, documents, places = index
    cdef Py_ssize_t n = offsets.shape[0] - 1, x, k, low, high, middle, c, n_found = 0, room = 1024
    cdef int64_t need, shared, size_x, size_y, rest_x, rest_y, candidates = 0, compared = 0
    cdef uint32_t y, token
    cdef double share = threshold / (1 + threshold), value
    cdef void* more
    cdef uint32_t* count = <uint32_t*>calloc(n + 1, 4)
    cdef uint32_t* list_y = <uint32_t*>malloc((n + 1) * 4)
    cdef uint32_t* out = <uint32_t*>malloc(room * 12)
    cdef bint failed = count == NULL or list_y == NULL or out == NULL
    if not failed:
        with nogil:
            for x in range(first, last):
                size_x = sizes[x]
                candidates = 0
                for k in range(probed[x]):
                    token = tokens[offsets[x] + k]
                    low = starts[token]
                    high = starts[token + 1]
                    if low == high:
                        continue
                    rest_x = offsets[x + 1] - offsets[x] - k - 1
                    if documents[low] < smallest[x]:  # lists ascend by document and so by size
                        middle = high
                        while low < middle:
                            c = (low + middle) >> 1
                            if documents[c] < smallest[x]:
                                low = c + 1
                            else:
                                middle = c
                    while low < high:
                        y = documents[low]
                        if y >= x:
                            break
                        low += 1
                        if across and sides[x] == sides[y]:
                            continue
                        rest_y = offsets[y + 1] - offsets[y] - places[low - 1] - 1
                        need = least_overlap(threshold, sizes[y]) if contained else least_overlap(share, size_x + sizes[y])
                        if count[y] + 1 + min(rest_x, rest_y) < need:
                            continue
                        if count[y] == 0:
                            list_y[candidates] = y
                            candidates += 1
                        count[y] += 1
                compared += candidates
                for c in range(candidates):
                    y = list_y[c]
                    count[y] = 0
                    size_y = sizes[y]
                    need = least_overlap(threshold, size_y) if contained else least_overlap(share, size_x + size_y)
                    shared = merge_count(&tokens[offsets[x]], offsets[x + 1] - offsets[x], &tokens[offsets[y]],
                                         offsets[y + 1] - offsets[y], need)
                    if shared < 1:
                        continue
                    value = <double>shared / <double>(size_y if contained else size_x + size_y - shared)
                    if value < threshold:
                        continue
                    if n_found == room:
                        room *= 2
                        more = realloc(out, room * 12)
                        if more == NULL:
                            failed = True
                            break
                        out = <uint32_t*>more
                    out[3 * n_found] = y
                    out[3 * n_found + 1] = <uint32_t>x
                    out[3 * n_found + 2] = <uint32_t>shared
                    n_found += 1
                if failed:
                    break
    found_out = np.empty((n_found, 3), dtype=np.uint32)
    cdef uint32_t[:, ::1] found = found_out
    for k in range(n_found):
        for c in range(3):
            found[k, c] = out[3 * k + c]
    free(count)
    free(list_y)
    free(out)
    if failed:
        raise MemoryError
    return found_out, compared


def overlaps(const uint64_t[::1] sets, const int64_t[::1] offsets, const uint32_t[::1] left, const uint32_t[::1] right):
    """How many shingles the sets of each pair share; pairs with the same left document belong together."""
    cdef Py_ssize_t n = left.shape[0], i, k
    cdef int64_t room = 0, size, shared
    cdef uint64_t slot, mask = 0, h
    cdef int bits = 0
    cdef uint64_t* seen = NULL
    cdef bint failed = False
    out = np.empty(n, dtype=np.uint32)
    cdef uint32_t[::1] counts = out
    with nogil:
        for i in range(n):
            if i == 0 or left[i] != left[i - 1]:
                size = offsets[left[i] + 1] - offsets[left[i]]
                bits = 4
                while (<int64_t>1 << bits) < 2 * size:
                    bits += 1
                mask = (<uint64_t>1 << bits) - 1
                if room < <int64_t>(mask + 1):
                    free(seen)
                    room = mask + 1
                    seen = <uint64_t*>malloc(room * 8)
                    if seen == NULL:
                        failed = True
                        break
                memset(seen, 0, (mask + 1) * 8)
                for k in range(offsets[left[i]], offsets[left[i] + 1]):
                    slot = sets[k] >> (64 - bits)
                    while seen[slot] != 0:
                        slot = (slot + 1) & mask
                    seen[slot] = sets[k]
            shared = 0
            for k in range(offsets[right[i]], offsets[right[i] + 1]):
                h = sets[k]
                slot = h >> (64 - bits)
                while seen[slot] != 0 and seen[slot] != h:
                    slot = (slot + 1) & mask
                shared += seen[slot] == h
            counts[i] = <uint32_t>shared
    free(seen)
    if failed:
        raise MemoryError
    return out
