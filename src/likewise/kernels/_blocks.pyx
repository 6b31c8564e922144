# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Compiled twin of `blocks`: blocks of words held against blocks of words."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

import numpy as np

cdef extern from *:
    """
    #if defined(__GNUC__) || defined(__clang__)
    #define likewise_lowest(bits) __builtin_ctzll(bits)
    #else
    #include <intrin.h>
    static int likewise_lowest(unsigned long long bits) {
        unsigned long place;
        _BitScanForward64(&place, bits);
        return (int)place;
    }
    #endif
    """
    int lowest "likewise_lowest"(uint64_t bits) noexcept nogil  # which is the lowest bit that is set; there is one

cdef int NOBODY = -1
cdef int SLOTS = 1024  # for at most 64 words with six concepts each
cdef int SEEN = 8192
cdef uint32_t IS_CONCEPT = 1u << 31


cdef inline int sum_of(const int32_t* weights, uint64_t bits) noexcept nogil:
    cdef int total = 0
    while bits:
        total += weights[lowest(bits)]
        bits &= bits - 1
    return total


cdef inline uint64_t mixed(uint64_t x) noexcept nogil:
    x *= 0x9E3779B97F4A7C15ULL
    return x ^ (x >> 32)


cdef inline void keep_best(int64_t* documents, int32_t* scores, int* size, int most, int64_t document,
                           int score) noexcept nogil:
    """Put a document among the best so far, each once, by its best score; of equals the lower first."""
    cdef int at
    if size[0] == most and (scores[most - 1] > score or (scores[most - 1] == score and documents[most - 1] <= document)):
        return
    at = 0
    while at < size[0] and documents[at] != document:
        at += 1
    if at < size[0]:
        if scores[at] >= score:
            return
    elif size[0] < most:
        size[0] += 1
    else:
        at = most - 1
    while at > 0 and (scores[at - 1] < score or (scores[at - 1] == score and documents[at - 1] > document)):
        documents[at] = documents[at - 1]
        scores[at] = scores[at - 1]
        at -= 1
    documents[at] = document
    scores[at] = score


def best_documents(const int64_t[::1] asked, const int64_t[::1] holder, keys, weights, int part_bits, int most_by_words,
                   int most_by_meaning):
    """For each block the documents that have most in common with it; see `blocks.best_documents`."""
    cdef const int32_t[::1] block_of = keys.block
    cdef const uint8_t[::1] first = keys.first
    cdef const uint8_t[::1] second = keys.second
    cdef const int32_t[:, ::1] of_words = weights.word
    cdef const int32_t[:, ::1] of_concepts = weights.concept
    cdef Py_ssize_t postings = asked.shape[0], blocks = of_words.shape[0], i, b, key, at
    cdef const int32_t[:, ::1] of_meaning = weights.meaning
    best_out = np.full((blocks, most_by_words + most_by_meaning), NOBODY, dtype=np.int64)
    if postings == 0:
        return best_out
    cdef int64_t[:, ::1] best = best_out
    begin_out = np.zeros(blocks + 1, dtype=np.int64)
    cdef int64_t[::1] begin = begin_out
    cdef int64_t[::1] order = np.empty(postings, dtype=np.int64)
    cdef int32_t[::1] scores = np.zeros(most_by_words + most_by_meaning, dtype=np.int32)
    cdef Py_ssize_t largest = 0, slots = 16, mask
    cdef int by_words, by_meaning
    cdef uint64_t one
    cdef int64_t there
    with nogil:
        for i in range(postings):
            begin[block_of[asked[i]] + 1] += 1
        for b in range(blocks):
            if begin[b + 1] > largest:
                largest = begin[b + 1]
            begin[b + 1] += begin[b]
        for i in range(postings):
            b = block_of[asked[i]]
            order[begin[b]] = i
            begin[b] += 1
        while slots < 2 * largest:
            slots *= 2
    cdef int64_t[::1] holders = np.full(slots, NOBODY, dtype=np.int64)
    cdef uint64_t[::1] by_word = np.zeros(slots, dtype=np.uint64)
    cdef uint64_t[::1] by_concept = np.zeros(slots, dtype=np.uint64)
    cdef int64_t[::1] used = np.empty(largest, dtype=np.int64)
    cdef Py_ssize_t start = 0, end, count
    with nogil:
        for b in range(blocks):
            end = begin[b]  # it was moved to where the next block begins
            slots = 16
            while slots < 2 * (end - start):
                slots *= 2
            mask = slots - 1
            count = 0
            for i in range(start, end):
                key = asked[order[i]]
                there = holder[order[i]]
                at = <Py_ssize_t>(mixed(<uint64_t>there) & <uint64_t>mask)
                while holders[at] != there:
                    if holders[at] == NOBODY:
                        holders[at] = there
                        used[count] = at
                        count += 1
                        break
                    at = (at + 1) & mask
                one = (<uint64_t>1) << first[key]
                if first[key] == second[key]:
                    by_word[at] |= one
                else:
                    by_concept[at] |= one | (<uint64_t>1) << second[key]
            by_words = by_meaning = 0
            for i in range(count):
                at = used[i]
                keep_best(&best[b, 0], &scores[0], &by_words, most_by_words, holders[at] >> part_bits,
                          sum_of(&of_words[b, 0], by_word[at])
                          + sum_of(&of_concepts[b, 0], by_concept[at] & ~by_word[at]))
                if by_concept[at]:
                    keep_best(&best[b, most_by_words], &scores[most_by_words], &by_meaning, most_by_meaning,
                              holders[at] >> part_bits, sum_of(&of_meaning[b, 0], by_concept[at]))
                holders[at] = NOBODY
                by_word[at] = 0
                by_concept[at] = 0
            start = end
    return best_out


cdef inline uint64_t look_up(const uint32_t* names, const uint64_t* bits, uint32_t name) noexcept nogil:
    cdef uint32_t at = <uint32_t>(mixed(name) >> 8) & (SLOTS - 1)
    while names[at]:
        if names[at] == name:
            return bits[at]
        at = (at + 1) & (SLOTS - 1)
    return 0


cdef inline void add_to(uint32_t* names, uint64_t* bits, uint8_t* seen, uint32_t name, uint64_t bit) noexcept nogil:
    cdef uint32_t at = <uint32_t>(mixed(name) >> 8) & (SLOTS - 1)
    while names[at] and names[at] != name:
        at = (at + 1) & (SLOTS - 1)
    names[at] = name
    bits[at] |= bit
    seen[name & (SEEN - 1)] = 1


def score_documents(const uint32_t[:, ::1] blocks, weights, const int64_t[:, ::1] candidates,
                    const uint32_t[:, ::1] rows, const int64_t[::1] first_row, lexicon):
    """How much each candidate has in common with its block; see `blocks.score_documents`."""
    cdef const int32_t[:, ::1] of_words = weights.word
    cdef const int32_t[:, ::1] of_concepts = weights.concept
    cdef const int32_t[:, ::1] of_meaning = weights.meaning
    cdef const int32_t[::1] first = lexicon.first
    cdef const int32_t[::1] concepts = lexicon.concepts
    cdef uint32_t beyond = lexicon.beyond, word
    words_out = np.zeros((candidates.shape[0], candidates.shape[1]), dtype=np.int32)
    meaning_out = np.zeros((candidates.shape[0], candidates.shape[1]), dtype=np.int32)
    cdef int32_t[:, ::1] by_words = words_out
    cdef int32_t[:, ::1] by_meaning = meaning_out
    cdef Py_ssize_t b, k, r, w, width = blocks.shape[1], row_width = rows.shape[1]
    cdef int32_t c
    cdef int64_t document
    cdef uint64_t same, alike, same_before, alike_before
    cdef int score
    cdef uint32_t* names = <uint32_t*>malloc(SLOTS * sizeof(uint32_t))
    cdef uint64_t* bits = <uint64_t*>malloc(SLOTS * sizeof(uint64_t))
    cdef uint8_t* seen = <uint8_t*>malloc(SEEN)
    # Each row once with its concepts, end to end: many blocks look at it.
    cdef Py_ssize_t row_count = rows.shape[0], size = 0
    cdef int64_t[::1] begin = np.zeros(row_count + 1, dtype=np.int64)
    with nogil:
        for r in range(row_count):
            for w in range(row_width):
                word = rows[r, w]
                if word:
                    size += 1 + (first[word + 1] - first[word] if word < beyond else 0)
            begin[r + 1] = size
    cdef uint32_t* all_names = <uint32_t*>malloc((size + 1) * sizeof(uint32_t))
    if names == NULL or bits == NULL or seen == NULL or all_names == NULL:
        free(names)
        free(bits)
        free(seen)
        free(all_names)
        raise MemoryError
    cdef Py_ssize_t at = 0
    with nogil:
        for r in range(row_count):
            for w in range(row_width):
                word = rows[r, w]
                if word == 0:
                    continue
                all_names[at] = word
                at += 1
                if word < beyond:
                    for c in range(first[word], first[word + 1]):
                        all_names[at] = <uint32_t>concepts[c] | IS_CONCEPT
                        at += 1
        for b in range(blocks.shape[0]):
            memset(names, 0, SLOTS * sizeof(uint32_t))
            memset(bits, 0, SLOTS * sizeof(uint64_t))
            memset(seen, 0, SEEN)
            for w in range(width):
                word = blocks[b, w]
                if word == 0:
                    continue
                add_to(names, bits, seen, word, (<uint64_t>1) << w)
                if word < beyond:
                    for c in range(first[word], first[word + 1]):
                        add_to(names, bits, seen, <uint32_t>concepts[c] | IS_CONCEPT, (<uint64_t>1) << w)
            for k in range(candidates.shape[1]):
                document = candidates[b, k]
                if document == NOBODY:
                    continue
                same_before = alike_before = 0
                for r in range(first_row[document], first_row[document + 1]):
                    same = alike = 0
                    for at in range(begin[r], begin[r + 1]):
                        word = all_names[at]
                        if seen[word & (SEEN - 1)]:  # most are not there
                            if word & IS_CONCEPT:
                                alike |= look_up(names, bits, word)
                            else:
                                same |= look_up(names, bits, word)
                    same_before |= same
                    alike_before |= alike
                    score = sum_of(&of_words[b, 0], same_before)
                    score += sum_of(&of_concepts[b, 0], alike_before & ~same_before)
                    if score > by_words[b, k]:
                        by_words[b, k] = score
                    score = sum_of(&of_meaning[b, 0], same_before | alike_before)
                    if score > by_meaning[b, k]:
                        by_meaning[b, k] = score
                    same_before = same
                    alike_before = alike
    free(names)
    free(bits)
    free(seen)
    free(all_names)
    return words_out, meaning_out
