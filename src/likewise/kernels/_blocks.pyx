# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Compiled twin of `blocks`: words in blocks, and blocks held against blocks."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcmp, memset

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

cdef int NOBODY = -1
cdef uint32_t OTHERS = 4096  # slots for words that the lexicon lacks
cdef int LEVELS = 1024  # in which gains are sorted
cdef int MOST_RELATED = 65535  # words, to the words of a block
cdef int PAIR_BYTES = 5
cdef int AHEAD = 8  # rows that memory is asked for before they are read
cdef int WORD_BITS = 20
cdef uint32_t WORD_MASK = (1u << 20) - 1


cdef inline uint64_t mixed(uint64_t x) noexcept nogil:
    x *= 0x9E3779B97F4A7C15ULL
    return x ^ (x >> 32)


cdef struct Segments:
    int count
    int64_t* begin  # the first row of each, and where the last one ends
    const int64_t** numbers
    const uint8_t** packed


cdef int open_segments(Segments* segments, list numbers, list packed) except -1:
    """Whatever fails, there is nothing to be closed then."""
    cdef int count = len(numbers), k
    cdef const int64_t[::1] of_rows
    cdef const uint8_t[:, ::1] rows
    segments.count = count
    segments.begin = <int64_t*>malloc((count + 1) * sizeof(int64_t))
    segments.numbers = <const int64_t**>malloc((count + 1) * sizeof(void*))
    segments.packed = <const uint8_t**>malloc((count + 1) * sizeof(void*))
    try:
        if segments.begin == NULL or segments.numbers == NULL or segments.packed == NULL:
            raise MemoryError
        segments.begin[0] = 0
        for k in range(count):
            of_rows = numbers[k]
            segments.begin[k + 1] = segments.begin[k] + of_rows.shape[0]
            segments.numbers[k] = &of_rows[0] if of_rows.shape[0] else NULL
            segments.packed[k] = NULL
            if packed is not None:
                rows = packed[k]
                segments.packed[k] = &rows[0, 0] if rows.shape[0] else NULL
    except:
        close_segments(segments)
        raise
    return 0


cdef void close_segments(Segments* segments) noexcept:
    """Twice is as good as once."""
    free(segments.begin)
    free(segments.numbers)
    free(segments.packed)
    segments.begin = NULL
    segments.numbers = NULL
    segments.packed = NULL


cdef inline int segment_of(const Segments* segments, int64_t row) noexcept nogil:
    cdef int k = 0
    while row >= segments.begin[k + 1]:
        k += 1
    return k


cdef inline int64_t number_of(const Segments* segments, int64_t row) noexcept nogil:
    cdef int k = segment_of(segments, row)
    return segments.numbers[k][row - segments.begin[k]]


cdef inline bint contains(const int64_t* numbers, Py_ssize_t size, int64_t number) noexcept nogil:
    cdef Py_ssize_t low = 0, high = size, middle
    while low < high:
        middle = (low + high) >> 1
        if numbers[middle] < number:
            low = middle + 1
        else:
            high = middle
    return low < size and numbers[low] == number


cdef void sort_rows(int64_t* rows, Py_ssize_t size) noexcept nogil:
    """Shell's sort, for some hundreds."""
    cdef Py_ssize_t gap = 1, i, k
    cdef int64_t row
    while 3 * gap + 1 < size:
        gap = 3 * gap + 1
    while gap:
        for i in range(gap, size):
            row = rows[i]
            k = i
            while k >= gap and rows[k - gap] > row:
                rows[k] = rows[k - gap]
                k -= gap
            rows[k] = row
        gap //= 3


def find_words(const uint64_t[::1] hashes, const int64_t[::1] offsets, const uint64_t[::1] entries,
               const int64_t[::1] buckets):
    """The entry that each word is, and where words that are none stand first; see `blocks.find_words`."""
    cdef Py_ssize_t size = hashes.shape[0], texts = offsets.shape[0] - 1, longest = 0, slots = 16, t, i, at
    cdef Py_ssize_t unknown = 0, begin
    cdef int shift = 64
    cdef uint64_t word
    cdef int64_t place, end
    while (<Py_ssize_t>1) << (64 - shift) < buckets.shape[0] - 1:
        shift -= 1
    for t in range(texts):
        longest = max(longest, offsets[t + 1] - offsets[t])
    while slots < 2 * longest:
        slots *= 2
    places_out = np.empty(size, dtype=np.int64)
    first_out = np.empty(size, dtype=np.int64)
    cdef int64_t[::1] places = places_out
    cdef int64_t[::1] first = first_out
    cdef int32_t[::1] slot_of = np.zeros(slots, dtype=np.int32)  # of a text, its unknown words from 1
    with nogil:
        for t in range(texts):
            slots = 16
            while slots < 2 * (offsets[t + 1] - offsets[t]):
                slots *= 2
            begin = unknown
            for i in range(offsets[t], offsets[t + 1]):
                word = hashes[i]
                place = buckets[word >> shift if shift < 64 else 0]
                end = buckets[(word >> shift if shift < 64 else 0) + 1]
                while place < end and entries[place] < word:
                    place += 1
                if place < end and entries[place] == word:
                    places[i] = place
                    continue
                at = <Py_ssize_t>(mixed(word) & <uint64_t>(slots - 1))
                while slot_of[at] and hashes[first[begin + slot_of[at] - 1]] != word:
                    at = (at + 1) & (slots - 1)
                if slot_of[at] == 0:
                    first[unknown] = i
                    unknown += 1
                    slot_of[at] = <int32_t>(unknown - begin)
                places[i] = -(begin + slot_of[at])
            memset(&slot_of[0], 0, slots * sizeof(int32_t))
    return places_out, first_out[:unknown].copy()


def rank_words(const int64_t[::1] ids, const int64_t[::1] telling, const int64_t[::1] begins, const int64_t[::1] ends,
               const int32_t[::1] first, const int32_t[::1] concepts, Py_ssize_t most):
    """Of each block the distinct words, the most telling first; see `blocks.rank_words`."""
    cdef Py_ssize_t blocks = begins.shape[0], beyond = first.shape[0] - 1, longest = 1, all_concepts = 1
    cdef Py_ssize_t b, i, k, c, size, count, at, slots = 16, ahead, behind
    cdef int64_t word
    cdef int32_t concept
    cdef bint is_again
    rows_out = np.zeros((blocks, most), dtype=np.uint32)
    if blocks == 0 or most == 0:
        return rows_out
    cdef uint32_t[:, ::1] rows = rows_out
    for b in range(blocks):
        longest = max(longest, ends[b] - begins[b])
    cdef int64_t[::1] keys = np.empty(longest, dtype=np.int64)
    cdef int64_t[::1] later = np.empty(longest, dtype=np.int64)
    with nogil:
        for b in range(blocks):
            count = 0
            for i in range(begins[b], ends[b]):
                count += first[ids[i] + 1] - first[ids[i]] if ids[i] < beyond else 1
            all_concepts = max(all_concepts, count)
    while slots < 2 * all_concepts:
        slots *= 2
    cdef int32_t[::1] there = np.empty(slots, dtype=np.int32)
    cdef int32_t[::1] said_by = np.empty(slots, dtype=np.int32)  # by which word a concept was said first
    with nogil:
        for b in range(blocks):
            size = 0
            count = 0
            for i in range(begins[b], ends[b]):
                # Words that tell most come first, of equals those with the lower id.
                keys[size] = -telling[i] * (WORD_MASK + 1) + ids[i]
                size += 1
                count += first[ids[i] + 1] - first[ids[i]] if ids[i] < beyond else 1
            if size == 0:
                continue
            sort_rows(&keys[0], size)
            slots = 16
            while slots < 2 * count:
                slots *= 2
            memset(&there[0], 0, slots * sizeof(int32_t))
            ahead = behind = 0
            for i in range(size):
                if i and keys[i] == keys[i - 1]:
                    continue
                word = keys[i] & WORD_MASK
                is_again = False
                for c in range(first[word] if word < beyond else 0, first[word + 1] if word < beyond else 1):
                    concept = concepts[c] if word < beyond else <int32_t>word
                    at = <Py_ssize_t>(mixed(<uint64_t>concept) & <uint64_t>(slots - 1))
                    while there[at] and there[at] != concept:
                        at = (at + 1) & (slots - 1)
                    if there[at] == 0:
                        there[at] = concept
                        said_by[at] = <int32_t>i
                    elif said_by[at] != i:
                        is_again = True
                if is_again:
                    later[behind] = word
                    behind += 1
                else:
                    if ahead < most:
                        rows[b, ahead] = <uint32_t>word
                    ahead += 1
            for i in range(behind):
                if ahead + i >= most:
                    break
                rows[b, ahead + i] = <uint32_t>later[i]
    return rows_out


cdef inline uint64_t strewn(uint64_t key) noexcept nogil:
    key = (key ^ (key >> 30)) * 0xBF58476D1CE4E5B9ULL
    key = (key ^ (key >> 27)) * 0x94D049BB133111EBULL
    return key ^ (key >> 31)


cdef inline uint64_t pair_of(uint64_t one, uint64_t other) noexcept nogil:
    """The key of two senses; 0 for none."""
    if one == 0 or other == 0 or one == other:
        return 0
    return strewn(one << WORD_BITS | other if one > other else other << WORD_BITS | one)


cdef inline void drop_again(uint64_t* keys, Py_ssize_t size) noexcept nogil:
    """Make the last of some keys 0 if it is there already."""
    cdef Py_ssize_t k
    cdef bint is_again = False
    for k in range(size - 1):
        is_again |= keys[k] == keys[size - 1]
    if is_again:
        keys[size - 1] = 0


def block_keys(const uint32_t[:, ::1] ids, const uint32_t[:, ::1] senses, const uint8_t[::1] is_rare, Py_ssize_t words,
               Py_ssize_t rare_words, Py_ssize_t ambiguous_words, bint distinct):
    """The keys of blocks, a row for each; see `blocks.block_keys`."""
    cdef Py_ssize_t blocks = ids.shape[0], width = ids.shape[1], b, i, k, turn, at, rare
    cdef Py_ssize_t pairs = words * (words - 1) // 2 + ambiguous_words * (ambiguous_words - 1)
    cdef uint32_t word
    keys_out = np.zeros((blocks, pairs + width), dtype=np.uint64)
    if keys_out.size == 0:
        return keys_out
    cdef uint64_t[:, ::1] keys = keys_out
    cdef uint64_t[:, ::1] there = np.zeros((words + 1, 2), dtype=np.uint64)
    with nogil:
        for b in range(blocks):
            for i in range(words):
                word = ids[b, i]
                there[i, 0] = senses[word, 0] if word < senses.shape[0] else word
                there[i, 1] = senses[word, 1] if word < senses.shape[0] else 0
            at = 0
            for i in range(words):
                for k in range(i + 1, words):
                    keys[b, at] = pair_of(there[i, 0], there[k, 0])
                    at += 1
                    if distinct:
                        drop_again(&keys[b, 0], at)
            for turn in range(2):
                for i in range(ambiguous_words):
                    for k in range(i + 1, ambiguous_words):
                        keys[b, at] = pair_of(there[i, 1 - turn], there[k, turn])
                        at += 1
                        if distinct:
                            drop_again(&keys[b, 0], at)
            rare = 0
            for i in range(width):
                word = ids[b, i]
                if word and is_rare[word]:
                    rare += 1
                    if rare > rare_words:
                        break
                    keys[b, at + i] = strewn(<uint64_t>word << WORD_BITS | word)
    return keys_out


def choose_rows(postings, numbers, int part_bits, const int64_t[::1] left_out, Py_ssize_t blocks, Py_ssize_t most):
    """For each block the rows whose keys count most together; see `blocks.choose_rows`."""
    cdef const int32_t[::1] block_of = postings.block
    cdef const int64_t[::1] row_of = postings.row
    cdef const int32_t[::1] gain_of = postings.gain
    cdef Py_ssize_t size = block_of.shape[0], i, k, b, at, count, taken, waiting, excluded = left_out.shape[0]
    chosen_out = np.full((blocks, most), NOBODY, dtype=np.int64)
    if size == 0 or most == 0:
        return chosen_out
    cdef int64_t[:, ::1] chosen = chosen_out
    cdef int64_t[::1] begin = np.zeros(blocks + 1, dtype=np.int64)
    cdef int64_t[::1] order = np.empty(size, dtype=np.int64)
    cdef Py_ssize_t largest = 0, slots = 16, mask, start = 0, end
    cdef int32_t most_gain, level, shift, threshold
    cdef int64_t row
    cdef int32_t histogram[1024]
    cdef Segments segments
    with nogil:
        for i in range(size):
            begin[block_of[i] + 1] += 1
        for b in range(blocks):
            if begin[b + 1] > largest:
                largest = begin[b + 1]
            begin[b + 1] += begin[b]
        for i in range(size):
            b = block_of[i]
            order[begin[b]] = i
            begin[b] += 1
        while slots < 2 * largest:
            slots *= 2
    cdef int64_t[::1] rows = np.full(slots, NOBODY, dtype=np.int64)
    cdef int32_t[::1] gains = np.zeros(slots, dtype=np.int32)
    cdef int64_t[::1] used = np.empty(largest, dtype=np.int64)
    open_segments(&segments, list(numbers), None)
    with nogil:
        for b in range(blocks):
            end = begin[b]  # it was moved to where the next block begins
            slots = 16
            while slots < 2 * (end - start):
                slots *= 2
            mask = slots - 1
            count = 0
            most_gain = 0
            for i in range(start, end):
                row = row_of[order[i]]
                at = <Py_ssize_t>(mixed(<uint64_t>row) & <uint64_t>mask)
                while rows[at] != row:
                    if rows[at] == NOBODY:
                        rows[at] = row
                        used[count] = at
                        count += 1
                        break
                    at = (at + 1) & mask
                gains[at] += gain_of[order[i]]
            start = end
            if excluded:
                k = 0
                for i in range(count):
                    at = used[i]
                    if contains(&left_out[0], excluded, number_of(&segments, rows[at]) >> part_bits):
                        gains[at] = -1  # its slot is given back below
                    else:
                        used[k], used[i] = at, used[k]
                        k += 1
            else:
                k = count
            for i in range(k):
                if gains[used[i]] > most_gain:
                    most_gain = gains[used[i]]
            # Gains are sorted into levels; of the level that is taken in part, the best one by one.
            shift = 0
            while most_gain >> shift >= LEVELS:
                shift += 1
            threshold = 0
            if k > most:
                memset(histogram, 0, sizeof(histogram))
                for i in range(k):
                    histogram[gains[used[i]] >> shift] += 1
                level = LEVELS - 1
                taken = 0
                while taken + histogram[level] <= most:
                    taken += histogram[level]
                    level -= 1
                threshold = level + 1
            taken = waiting = 0
            for i in range(k):
                at = used[i]
                if gains[at] >> shift >= threshold:
                    chosen[b, taken] = rows[at]
                    taken += 1
                elif gains[at] >> shift == threshold - 1:
                    used[i], used[waiting] = used[waiting], at
                    waiting += 1
            while taken < most and waiting:
                i = 0
                for at in range(1, waiting):
                    if (gains[used[at]] > gains[used[i]]
                            or (gains[used[at]] == gains[used[i]] and rows[used[at]] < rows[used[i]])):
                        i = at
                chosen[b, taken] = rows[used[i]]
                taken += 1
                waiting -= 1
                used[i], used[waiting] = used[waiting], used[i]
            sort_rows(&chosen[b, 0], taken)
            for i in range(count):
                rows[used[i]] = NOBODY
                gains[used[i]] = 0
    close_segments(&segments)
    return chosen_out


cdef struct Relation:
    uint64_t same  # which words of the block a word is
    uint64_t alike  # and with which it shares a concept
    uint32_t word


cdef struct Related:
    uint32_t beyond
    uint16_t* slot  # of each word of the lexicon, then of others by some of their bits; 0 if there is none
    Relation* relations  # the first one of no word
    int32_t size
    bint is_full
    int clashes  # words that another has taken the slot of: they are found by themselves
    uint32_t clashing[64]
    uint64_t of_clashing[64]


cdef inline uint32_t slot_of_word(const Related* related, uint32_t word) noexcept nogil:
    return word if word < related.beyond else related.beyond + (word & (OTHERS - 1))


cdef inline void mark(Related* related, uint32_t word, uint64_t same, uint64_t alike) noexcept nogil:
    cdef uint32_t at = slot_of_word(related, word)
    cdef Relation* relation
    if related.slot[at] == 0:
        if related.size == MOST_RELATED:
            related.is_full = True
            return
        related.size += 1
        related.slot[at] = <uint16_t>related.size
        relation = related.relations + related.size
        relation.word = word
        relation.same = same
        relation.alike = alike
        return
    relation = related.relations + related.slot[at]
    if relation.word == word:
        relation.same |= same
        relation.alike |= alike
    else:
        related.clashing[related.clashes] = word
        related.of_clashing[related.clashes] = same
        related.clashes += 1


cdef inline void forget(Related* related) noexcept nogil:
    cdef int32_t k
    for k in range(1, related.size + 1):
        related.slot[slot_of_word(related, related.relations[k].word)] = 0
    related.size = 0
    related.clashes = 0


cdef inline void look_at(const Related* related, const uint8_t* packed, int pairs, uint64_t* same,
                         uint64_t* alike) noexcept nogil:
    """Add what a row has in common with the block, without a branch for each word."""
    cdef uint32_t words[2]
    cdef const Relation* relation
    cdef uint64_t all_same = same[0], all_alike = alike[0], is_it
    cdef int k, c
    for _ in range(pairs):
        words[0] = <uint32_t>packed[0] | <uint32_t>packed[1] << 8 | (<uint32_t>packed[2] & 15) << 16
        words[1] = <uint32_t>packed[2] >> 4 | <uint32_t>packed[3] << 4 | <uint32_t>packed[4] << 12
        packed += PAIR_BYTES
        for k in range(2):
            relation = related.relations + related.slot[slot_of_word(related, words[k])]
            is_it = -<uint64_t>(relation.word == words[k])
            all_same |= relation.same & is_it
            all_alike |= relation.alike & is_it
            for c in range(related.clashes):
                if related.clashing[c] == words[k]:
                    all_same |= related.of_clashing[c]
    same[0] = all_same
    alike[0] = all_alike


cdef inline void add_up(const int32_t* weights, Py_ssize_t size, int32_t* sums) noexcept nogil:
    """For each four words the sums of their weights, by the bits that say which of them count."""
    cdef Py_ssize_t k, bits, at
    cdef int32_t weight
    memset(sums, 0, 256 * sizeof(int32_t))
    for k in range(size):
        weight = weights[k]
        at = 16 * (k >> 2)
        for bits in range(16):
            if bits >> (k & 3) & 1:
                sums[at + bits] += weight


cdef inline int sum_of(const int32_t* sums, uint64_t bits, int fours) noexcept nogil:
    cdef int total = 0, k
    for k in range(fours):
        total += sums[16 * k + <int>(bits & 15)]
        bits >>= 4
    return total


cdef struct Entry:
    int64_t document
    int64_t rows[2]  # the best by words, and the best by meaning
    int32_t scores[2]


cdef inline const uint8_t* packed_row(const Segments* segments, int64_t row, int width) noexcept nogil:
    cdef int k = segment_of(segments, row)
    return segments.packed[k] + (row - segments.begin[k]) * width


cdef void keep_best(int* best, int* size, int most, const Entry* entries, int entry, int kind,
                    const Segments* segments, int width) noexcept nogil:
    """Put an entry among the best so far, the best first, of equals the lower document; copies once."""
    cdef int score = entries[entry].scores[kind], at, k
    cdef int64_t document = entries[entry].document
    cdef bint is_copy = False
    if size[0] == most and (entries[best[most - 1]].scores[kind] > score
                            or (entries[best[most - 1]].scores[kind] == score
                                and entries[best[most - 1]].document <= document)):
        return
    at = 0
    while at < size[0] and entries[best[at]].scores[kind] >= score:
        if entries[best[at]].scores[kind] == score and memcmp(
                packed_row(segments, entries[best[at]].rows[kind], width),
                packed_row(segments, entries[entry].rows[kind], width), width) == 0:
            is_copy = True
            break
        at += 1
    if is_copy:
        if entries[best[at]].document <= document:
            return
    elif size[0] < most:
        at = size[0]
        size[0] += 1
    else:
        at = most - 1
    while at > 0 and (entries[best[at - 1]].scores[kind] < score
                      or (entries[best[at - 1]].scores[kind] == score
                          and entries[best[at - 1]].document > document)):
        best[at] = best[at - 1]
        at -= 1
    best[at] = entry


def best_documents(const uint32_t[:, ::1] blocks, weights, const int64_t[:, ::1] chosen, segments, relations,
                   int part_bits, int most):
    """For each block the documents that have most in common with it; see `blocks.best_documents`."""
    cdef const int32_t[:, ::1] of_words = weights.word
    cdef const int32_t[:, ::1] of_concepts = weights.concept
    cdef const int32_t[:, ::1] of_meaning = weights.meaning
    cdef const int32_t[::1] first = relations.first
    cdef const int32_t[::1] concepts = relations.concepts
    cdef const int32_t[::1] first_word = relations.first_word
    cdef const int32_t[::1] words = relations.words
    cdef Py_ssize_t count = blocks.shape[0], block_words = blocks.shape[1], columns = chosen.shape[1], b, w, k
    documents_out = np.full((count, 2 * most), NOBODY, dtype=np.int64)
    words_out = np.zeros((count, 2 * most), dtype=np.int32)
    meaning_out = np.zeros((count, 2 * most), dtype=np.int32)
    if count == 0 or columns == 0 or most == 0:
        return documents_out, words_out, meaning_out
    cdef int64_t[:, ::1] documents = documents_out
    cdef int32_t[:, ::1] by_words = words_out
    cdef int32_t[:, ::1] by_meaning = meaning_out
    cdef int width = segments[0].packed.shape[1] if len(segments) else 0, pairs = width // PAIR_BYTES
    cdef Related related
    cdef Segments there
    cdef Entry* entries = NULL
    cdef int* best = NULL
    cdef int32_t* slot_of = NULL
    cdef int slots = 16, entry, size, kind, place, of_kind, total
    while slots < 2 * columns:
        slots *= 2
    cdef uint32_t word
    cdef int32_t c, of_concept
    cdef uint64_t bit, same, alike, same_both, alike_both
    cdef int64_t row, document, other
    cdef int score, segment, fours = <int>(block_words + 3) // 4
    cdef int32_t sums[3][256]
    cdef const uint8_t* packed
    related.beyond = relations.beyond
    related.slot = <uint16_t*>calloc(related.beyond + OTHERS, sizeof(uint16_t))
    related.relations = <Relation*>malloc((related.beyond + OTHERS + 1) * sizeof(Relation))
    related.size = related.clashes = 0
    related.is_full = False
    there.begin = NULL
    there.numbers = NULL
    there.packed = NULL
    try:
        entries = <Entry*>malloc(columns * sizeof(Entry))
        best = <int*>malloc(2 * most * sizeof(int))
        slot_of = <int32_t*>malloc(slots * sizeof(int32_t))
        if related.slot == NULL or related.relations == NULL or entries == NULL or best == NULL or slot_of == NULL:
            raise MemoryError
        related.relations[0].same = related.relations[0].alike = 0
        related.relations[0].word = 0
        open_segments(&there, [each.numbers for each in segments], [each.packed for each in segments])
        with nogil:
            for b in range(count):
                if chosen[b, 0] == NOBODY:
                    continue
                # What is related to the words of the block.
                for w in range(block_words):
                    word = blocks[b, w]
                    if word == 0:
                        continue
                    bit = (<uint64_t>1) << w
                    mark(&related, word, bit, 0)
                    if word < related.beyond:
                        for c in range(first[word], first[word + 1]):
                            for of_concept in range(first_word[concepts[c]], first_word[concepts[c] + 1]):
                                mark(&related, <uint32_t>words[of_concept], 0, bit)
                add_up(&of_words[b, 0], block_words, sums[0])
                add_up(&of_concepts[b, 0], block_words, sums[1])
                add_up(&of_meaning[b, 0], block_words, sums[2])
                # The best rows of each document.
                memset(slot_of, 0, slots * sizeof(int32_t))
                size = 0
                for k in range(columns):
                    row = chosen[b, k]
                    if row == NOBODY:
                        break
                    if k + AHEAD < columns and chosen[b, k + AHEAD] != NOBODY:
                        packed = packed_row(&there, chosen[b, k + AHEAD], width)
                        prefetch(packed)
                        prefetch(packed + 64)
                        segment = segment_of(&there, chosen[b, k + AHEAD])
                        prefetch(there.numbers[segment] + (chosen[b, k + AHEAD] - there.begin[segment]))
                    segment = segment_of(&there, row)
                    document = there.numbers[segment][row - there.begin[segment]] >> part_bits
                    same = alike = 0
                    look_at(&related, there.packed[segment] + (row - there.begin[segment]) * width, pairs, &same, &alike)
                    place = <int>(mixed(<uint64_t>document) & <uint64_t>(slots - 1))
                    while slot_of[place] and entries[slot_of[place] - 1].document != document:
                        place = (place + 1) & (slots - 1)
                    entry = slot_of[place] - 1
                    if entry < 0:
                        entry = size
                        size += 1
                        slot_of[place] = size
                        entries[entry].document = document
                        entries[entry].scores[0] = entries[entry].scores[1] = -1
                    for kind in range(2):
                        if kind == 0:
                            score = sum_of(sums[0], same, fours) + sum_of(sums[1], alike & ~same, fours)
                        else:
                            score = sum_of(sums[2], same | alike, fours)
                        if score > entries[entry].scores[kind]:  # rows ascend: of equals the first stays
                            entries[entry].scores[kind] = score
                            entries[entry].rows[kind] = row
                # The best documents, and what they have in common where two rows count together.
                total = 0
                for kind in range(2):
                    of_kind = 0
                    for entry in range(size):
                        if entries[entry].scores[kind] > 0:
                            keep_best(best + most, &of_kind, most, entries, entry, kind, &there, width)
                    for place in range(of_kind):
                        entry = best[most + place]
                        document = entries[entry].document
                        for k in range(total):
                            if documents[b, k] == document:
                                break
                        else:
                            documents[b, total] = document
                            for k in range(2):
                                row = entries[entry].rows[k]
                                if k and row == entries[entry].rows[0]:
                                    continue
                                segment = segment_of(&there, row)
                                same = alike = 0
                                look_at(&related, packed_row(&there, row, width), pairs, &same, &alike)
                                for other in range(row - 1, row + 2):
                                    if other < there.begin[segment] or other >= there.begin[segment + 1]:
                                        continue
                                    if number_of(&there, other) >> part_bits != document:
                                        continue
                                    same_both, alike_both = same, alike
                                    if other != row:
                                        look_at(&related, packed_row(&there, other, width), pairs, &same_both, &alike_both)
                                    score = (sum_of(sums[0], same_both, fours)
                                             + sum_of(sums[1], alike_both & ~same_both, fours))
                                    if score > by_words[b, total]:
                                        by_words[b, total] = score
                                    score = sum_of(sums[2], same_both | alike_both, fours)
                                    if score > by_meaning[b, total]:
                                        by_meaning[b, total] = score
                            total += 1
                forget(&related)
        if related.is_full:
            raise ValueError("too many words share a concept with those of a block")
    finally:
        free(related.slot)
        free(related.relations)
        free(entries)
        free(best)
        free(slot_of)
        close_segments(&there)
    return documents_out, words_out, meaning_out
