# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Compiled twin of `tokens`: one pass over the characters, one hash per word."""

from cpython.unicode cimport PyUnicode_FromKindAndData
from libc.stdint cimport int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memchr, memset

import numpy as np

cdef extern from "Python.h":
    int PyUnicode_KIND(object text)
    int PyUnicode_IS_ASCII(object text)
    void* PyUnicode_DATA(object text)
    Py_ssize_t PyUnicode_GET_LENGTH(object text)


cdef extern from "runs.h":
    const uint64_t SEED_8 "LW_SEED_8"
    const uint64_t SEED_16 "LW_SEED_16"
    const uint64_t SEED_32 "LW_SEED_32"
    const uint64_t PAGE "LW_PAGE"
    const uint64_t STEP "LW_STEP"
    const uint64_t FINISH "LW_FINISH"
    const uint32_t SPECIAL "LW_SPECIAL"
    const uint32_t KIND "LW_KIND"
    const uint32_t SKIP "LW_SKIP"
    const uint32_t HYPHEN "LW_HYPHEN"
    const uint32_t SINGLE "LW_SINGLE"
    const uint32_t SIGN "LW_SIGN"
    const uint32_t SOFT_HYPHEN "LW_SOFT_HYPHEN"
    const uint32_t CODEPOINT "LW_CODEPOINT"
    const int JOIN_HYPHENS "LW_JOIN_HYPHENS"
    const int DROP_URLS "LW_DROP_URLS"
    const int SIGNS_ARE_WORDS "LW_SIGNS_ARE_WORDS"
    int pack "likewise_pack"(const uint16_t*, int, unsigned int, uint64_t*) noexcept nogil
    uint64_t mask8 "likewise_mask8"(const uint8_t*) noexcept nogil
    uint64_t mask16 "likewise_mask16"(const uint16_t*) noexcept nogil
    int low_bit "likewise_low_bit"(uint64_t) noexcept nogil
    void fold_ascii "likewise_fold_ascii"(const uint8_t*, uint8_t*, size_t) noexcept nogil
    uint64_t load64 "likewise_load64"(const void*) noexcept nogil

ctypedef fused codepoint:
    uint8_t
    uint16_t
    uint32_t

ctypedef fused narrow:
    uint8_t
    uint16_t

# what the narrow buffers hold where no letter stands; no letter folds to a control character
cdef enum:
    SEPARATES = 0
    INVISIBLE = 1
    ALONE = 2
    HYPHENS = 3
    SOFT = 4

cdef inline uint64_t step(uint64_t h, uint64_t lane) noexcept nogil:
    h = (h ^ lane) * STEP
    return h ^ (h >> 32)


cdef inline uint64_t finish(uint64_t h) noexcept nogil:
    h *= FINISH
    h ^= h >> 29
    return h if h != 0 else 1

cdef uint64_t HTTP = finish(step(SEED_8, 0x70747468))
cdef uint64_t HTTPS = finish(step(SEED_8, 0x7370747468))
cdef uint64_t FTP = finish(step(SEED_8, 0x707466))
cdef uint64_t WWW = finish(step(SEED_8, 0x777777))


cdef struct Scan:
    const uint32_t* table
    int flags
    # the vocabulary: open addressing, linear probing, capacity a power of two; NULL: words as they are
    # (each slot a pair: hash of the word, hash of its canonical form)
    const uint64_t* known
    int shift
    uint64_t mask
    # what comes out
    uint64_t* words
    uint32_t* starts
    uint32_t* ends
    Py_ssize_t n_words
    # words the vocabulary does not know: where they stand, which new word they are, how it is written
    int64_t* unknown_at
    uint32_t* unknown_is
    Py_ssize_t n_unknown
    Py_ssize_t unknown_room
    uint64_t* new_keys
    uint32_t* new_index
    uint64_t new_mask
    uint64_t* new_hashes
    Py_ssize_t n_new
    Py_ssize_t new_room
    uint32_t* letters
    Py_ssize_t n_letters
    Py_ssize_t letters_room
    # scratch: the folded text, and where its special characters stand
    uint8_t* folded
    Py_ssize_t folded_room
    int64_t* marks
    Py_ssize_t marks_room
    bint failed


cdef inline bint is_space(uint32_t c) noexcept nogil:
    return (c == 32 or (9 <= c <= 13) or (28 <= c <= 31) or c == 0x85 or c == 0xA0 or c == 0x1680
            or (0x2000 <= c <= 0x200A) or c == 0x2028 or c == 0x2029 or c == 0x202F or c == 0x205F
            or c == 0x3000)


cdef Py_ssize_t after_line_end(const codepoint* s, Py_ssize_t i, Py_ssize_t n, const uint32_t* table) noexcept nogil:
    """Where the word goes on behind a hyphen at i, or 0: blanks, one line end, blanks, a small letter."""
    cdef uint32_t c
    i += 1
    while i < n and (s[i] == 32 or s[i] == 9):
        i += 1
    if i < n and s[i] == 13:
        i += 1
        if i < n and s[i] == 10:
            i += 1
    elif i < n and (s[i] == 10 or s[i] == 11 or s[i] == 12):
        i += 1
    else:
        return 0
    while i < n and (s[i] == 32 or s[i] == 9):
        i += 1
    if i >= n:
        return 0
    c = table[s[i]]
    if c == 0 or c >= SPECIAL or c != s[i] or (48 <= c <= 57):
        return 0
    return i


cdef int grow_new(Scan* scan) noexcept nogil:
    """Double the table of new words."""
    cdef uint64_t mask = scan.new_mask * 2 + 1
    cdef uint64_t slot
    cdef Py_ssize_t i
    cdef uint64_t* keys = <uint64_t*>calloc(mask + 1, 8)
    cdef uint32_t* index = <uint32_t*>malloc((mask + 1) * 4)
    if keys == NULL or index == NULL:
        free(keys)
        free(index)
        return -1
    for i in range(scan.n_new):
        slot = scan.new_hashes[i] & mask
        while keys[slot] != 0:
            slot = (slot + 1) & mask
        keys[slot] = scan.new_hashes[i]
        index[slot] = <uint32_t>i
    free(scan.new_keys)
    free(scan.new_index)
    scan.new_keys = keys
    scan.new_index = index
    scan.new_mask = mask
    return 0


cdef int note_unknown(Scan* scan, const codepoint* s, Py_ssize_t start, Py_ssize_t end, uint64_t h) noexcept nogil:
    """Remember that the word now being written is not in the vocabulary."""
    cdef uint64_t slot = h & scan.new_mask
    cdef Py_ssize_t i
    cdef uint32_t c
    cdef void* room
    while scan.new_keys[slot] != 0 and scan.new_keys[slot] != h:
        slot = (slot + 1) & scan.new_mask
    if scan.n_unknown >= scan.unknown_room:
        scan.unknown_room = scan.unknown_room * 2 + 1024
        room = realloc(scan.unknown_at, scan.unknown_room * 8)
        if room == NULL:
            return -1
        scan.unknown_at = <int64_t*>room
        room = realloc(scan.unknown_is, scan.unknown_room * 4)
        if room == NULL:
            return -1
        scan.unknown_is = <uint32_t*>room
    scan.unknown_at[scan.n_unknown] = scan.n_words
    if scan.new_keys[slot] == h:
        scan.unknown_is[scan.n_unknown] = scan.new_index[slot]
        scan.n_unknown += 1
        return 0
    scan.unknown_is[scan.n_unknown] = <uint32_t>scan.n_new
    scan.n_unknown += 1
    scan.new_keys[slot] = h
    scan.new_index[slot] = <uint32_t>scan.n_new
    if scan.n_new >= scan.new_room:
        scan.new_room = scan.new_room * 2 + 256
        room = realloc(scan.new_hashes, scan.new_room * 8)
        if room == NULL:
            return -1
        scan.new_hashes = <uint64_t*>room
    scan.new_hashes[scan.n_new] = h
    scan.n_new += 1
    if scan.n_letters + (end - start) + 1 > scan.letters_room:
        scan.letters_room = scan.letters_room * 2 + (end - start) + 4096
        room = realloc(scan.letters, scan.letters_room * 4)
        if room == NULL:
            return -1
        scan.letters = <uint32_t*>room
    for i in range(start, end):
        c = scan.table[s[i]]
        if c != 0 and (c < SPECIAL or (c & KIND) == SINGLE or (c & KIND) == SIGN):
            scan.letters[scan.n_letters] = c & CODEPOINT
            scan.n_letters += 1
    scan.letters[scan.n_letters] = 10
    scan.n_letters += 1
    if <uint64_t>scan.n_new * 2 > scan.new_mask:
        return grow_new(scan)
    return 0


cdef inline int emit(Scan* scan, const codepoint* s, Py_ssize_t start, Py_ssize_t end, uint64_t h) noexcept nogil:
    cdef uint64_t slot
    if scan.known != NULL:
        slot = h >> scan.shift
        while scan.known[2 * slot] != h:
            if scan.known[2 * slot] == 0:
                if note_unknown(scan, s, start, end, h) < 0:
                    scan.failed = True
                    return -1
                break
            slot = (slot + 1) & scan.mask
        else:
            h = scan.known[2 * slot + 1]
    scan.words[scan.n_words] = h
    if scan.starts != NULL:
        scan.starts[scan.n_words] = <uint32_t>start
        scan.ends[scan.n_words] = <uint32_t>end
    scan.n_words += 1
    return 0


cdef struct Lanes:
    # how the letters of a word are packed: bits each, and where the hash starts
    int bits
    uint64_t seed


cdef inline Lanes lanes_for(uint32_t widest, uint32_t page, uint32_t apart) noexcept nogil:
    """Eight bits where all letters lie on one page of 256 code points, else 16 or 32."""
    cdef Lanes lanes
    if apart == 0:
        lanes.bits = 8
        lanes.seed = SEED_8 + page * PAGE
    elif widest < 0x10000:
        lanes.bits = 16
        lanes.seed = SEED_16
    else:
        lanes.bits = 32
        lanes.seed = SEED_32
    return lanes


cdef inline uint32_t folded_by(const uint32_t* table, uint32_t c) noexcept nogil:
    return table[c] if table != NULL else c


cdef inline bint is_letter(const uint32_t* table, uint32_t c) noexcept nogil:
    return table == NULL or (c != 0 and c < SPECIAL)


cdef uint64_t hash_letters(const uint32_t* table, const codepoint* s, Py_ssize_t start, Py_ssize_t end) noexcept nogil:
    """The hash of the letters between start and end, passing over everything else.

    Without a table every character is a letter as it is."""
    cdef uint32_t c, widest = 0, apart = 0, page = folded_by(table, s[start]) >> 8
    cdef Py_ssize_t i
    cdef uint64_t h, lane = 0, low
    cdef int filled = 0
    cdef Lanes lanes
    for i in range(start, end):
        c = folded_by(table, s[i])
        if is_letter(table, c):
            widest |= c
            apart |= c >> 8 ^ page
    lanes = lanes_for(widest, page, apart)
    h = lanes.seed
    low = ~<uint64_t>0 >> (64 - lanes.bits)
    for i in range(start, end):
        c = folded_by(table, s[i])
        if not is_letter(table, c):
            continue
        lane |= (c & low) << filled
        filled += lanes.bits
        if filled == 64:
            h = step(h, lane)
            lane = 0
            filled = 0
    if filled:
        h = step(h, lane)
    return finish(h)


cdef inline uint64_t hash_alone(uint32_t c) noexcept nogil:
    """The hash of a word of one character."""
    return finish(step(SEED_8 + (c >> 8) * PAGE, c & 0xFF))


cdef int scan_any(Scan* scan, const codepoint* s, Py_ssize_t n) noexcept nogil:
    """Every script and every special character, one character at a time."""
    cdef const uint32_t* table = scan.table
    cdef int flags = scan.flags
    cdef Py_ssize_t i = 0, start, end, on
    cdef uint64_t h
    cdef uint32_t c = 0, last = 0, kind
    cdef bint whole
    while i < n:
        c = table[s[i]]
        if c - 1 >= SPECIAL - 1:  # a separator, or something special
            kind = c & KIND
            if c != 0 and (kind == SINGLE or (kind == SIGN and flags & SIGNS_ARE_WORDS)):
                if emit(scan, s, i, i + 1, hash_alone(c & CODEPOINT)) < 0:
                    return -1
            i += 1
            continue
        start = i
        whole = True
        while True:
            while c - 1 < SPECIAL - 1:
                last = c
                i += 1
                c = table[s[i]] if i < n else 0
            end = i
            while c >= SPECIAL:  # does the word go on behind what the eye does not see?
                kind = c & KIND
                if (kind == HYPHEN or kind == SOFT_HYPHEN) and flags & JOIN_HYPHENS and not 48 <= last <= 57:
                    on = after_line_end(s, i, n, table)
                    if on:
                        i = on
                        c = table[s[i]]
                        break
                if kind != SKIP and kind != SOFT_HYPHEN:
                    break
                i += 1
                c = table[s[i]] if i < n else 0
            if c - 1 >= SPECIAL - 1:
                break
            whole = False
        h = hash_letters(table, s, start, end)
        if whole and flags & DROP_URLS and starts_url(s, end, n, h):
            i = past_url(s, end, n)
            continue
        if emit(scan, s, start, end, h) < 0:
            return -1
    return 0


cdef inline bint starts_url(const codepoint* s, Py_ssize_t end, Py_ssize_t n, uint64_t h) noexcept nogil:
    if h == WWW:
        return end < n and s[end] == 46
    if h == HTTP or h == HTTPS or h == FTP:
        return end + 2 < n and s[end] == 58 and s[end + 1] == 47 and s[end + 2] == 47
    return False


cdef inline Py_ssize_t past_url(const codepoint* s, Py_ssize_t i, Py_ssize_t n) noexcept nogil:
    while i < n and not is_space(s[i]):
        i += 1
    return i


cdef int note_mark(Scan* scan, Py_ssize_t found, Py_ssize_t place) noexcept nogil:
    cdef void* room
    if found >= scan.marks_room:
        scan.marks_room = scan.marks_room * 2 + 256
        room = realloc(scan.marks, scan.marks_room * 8)
        if room == NULL:
            scan.failed = True
            return -1
        scan.marks = <int64_t*>room
    scan.marks[found] = place
    return 0


cdef Py_ssize_t fold_narrow(Scan* scan, const narrow* s, Py_ssize_t n, bint ascii, narrow* out) noexcept nogil:
    """Fold the text into `out`; the number of special characters met, their places in scan.marks."""
    cdef Py_ssize_t i, found = 0
    cdef uint32_t c, kind
    cdef const void* place
    if narrow is uint8_t:
        if ascii:
            fold_ascii(s, out, n)
            if scan.flags & JOIN_HYPHENS and n > 1:
                place = memchr(s, 45, n - 1)
                while place != NULL:
                    i = <const uint8_t*>place - <const uint8_t*>s
                    if s[i + 1] <= 32:  # only a hyphen before white space can stand at a line end
                        if note_mark(scan, found, i) < 0:
                            return 0
                        out[i] = HYPHENS
                        found += 1
                    place = memchr(s + i + 1, 45, n - 2 - i)
            return found
    for i in range(n):
        c = scan.table[s[i]]
        if c >= SPECIAL:
            kind = c & KIND
            if kind == SKIP:
                c = INVISIBLE
            elif kind == HYPHEN:
                c = HYPHENS
            elif kind == SOFT_HYPHEN:
                c = SOFT
            elif kind == SINGLE or scan.flags & SIGNS_ARE_WORDS:
                c = ALONE
            else:
                c = SEPARATES
            if c:
                if note_mark(scan, found, i) < 0:
                    return 0
                found += 1
        out[i] = <narrow>c
    return found


cdef Py_ssize_t settle_marks(Scan* scan, const narrow* s, Py_ssize_t n, narrow* folded, Py_ssize_t found) noexcept nogil:
    """Turn special characters into separators or into nothing at all.

    Answers how many places became INVISIBLE, or -1 where a character must be a word of its own."""
    cdef Py_ssize_t k, i, j, on, invisible = 0
    for k in range(found):
        i = scan.marks[k]
        if folded[i] == ALONE:
            return -1
        if folded[i] == INVISIBLE:
            invisible += 1
            continue
        on = 0
        if scan.flags & JOIN_HYPHENS:
            j = i - 1
            while j >= 0 and folded[j] == INVISIBLE:
                j -= 1
            if j >= 0 and folded[j] > SOFT and not 48 <= folded[j] <= 57:
                on = after_line_end(s, i, n, scan.table)
        if on:
            for j in range(i, on):
                folded[j] = INVISIBLE
            invisible += 1
        elif folded[i] == SOFT:
            folded[i] = INVISIBLE
            invisible += 1
        else:
            folded[i] = SEPARATES
    return invisible


cdef inline int emit_run(Scan* scan, const narrow* s, const narrow* folded, Py_ssize_t n, Py_ssize_t start,
                         Py_ssize_t end, bint marked, Py_ssize_t* past) noexcept nogil:
    """One run of letters as a word; `past` is set where it opens a URL."""
    cdef uint64_t h, lane
    cdef Py_ssize_t i, left
    cdef uint32_t page
    if marked:
        for i in range(start, end):
            if folded[i] == INVISIBLE:
                while start < end and folded[start] == INVISIBLE:
                    start += 1
                while start < end and folded[end - 1] == INVISIBLE:
                    end -= 1
                if start == end:
                    return 0
                for left in range(start, end):
                    if folded[left] == INVISIBLE:
                        return emit(scan, s, start, end, hash_letters(scan.table, s, start, end))
                break
    left = end - start
    if narrow is uint8_t:
        h = SEED_8
        while left > 8:
            h = step(h, load64(folded + start + ((end - start) - left)))
            left -= 8
        lane = load64(folded + end - left)
        h = step(h, lane & (~<uint64_t>0 >> (64 - 8 * left)))
    else:
        page = folded[start] >> 8
        h = SEED_8 + page * PAGE
        i = start
        while left > 0:
            if not pack(<const uint16_t*>folded + i, <int>min(left, 8), page, &lane):
                return emit(scan, s, start, end, hash_letters(scan.table, s, start, end))
            h = step(h, lane)
            left -= 8
            i += 8
    h = finish(h)
    if scan.flags & DROP_URLS and starts_url(s, end, n, h):
        past[0] = past_url(s, end, n)
        return 1
    return emit(scan, s, start, end, h)


cdef int scan_narrow(Scan* scan, const narrow* s, Py_ssize_t n, bint ascii) noexcept nogil:
    """Texts of one or two bytes a character: fold all, find runs of letters 64 places at a time."""
    cdef narrow* folded
    cdef Py_ssize_t found, base, start = 0, past
    cdef uint64_t letters, edges
    cdef bint inside, marked
    cdef int first, second, done
    if (n + 128) * <Py_ssize_t>sizeof(narrow) > scan.folded_room:
        free(scan.folded)
        scan.folded_room = (n + 128) * <Py_ssize_t>sizeof(narrow) * 5 // 4
        scan.folded = <uint8_t*>malloc(scan.folded_room)
        if scan.folded == NULL:
            scan.failed = True
            return -1
    folded = <narrow*>scan.folded
    memset(folded + n, 0, 128 * sizeof(narrow))
    found = fold_narrow(scan, s, n, ascii, folded)
    if scan.failed:
        return -1
    marked = False
    if found:
        found = settle_marks(scan, s, n, folded, found)
        if found < 0:
            return scan_any(scan, s, n)
        marked = found > 0
    base = 0
    inside = False
    while base < n:
        if narrow is uint8_t:
            letters = mask8(folded + base)
        else:
            letters = mask16(folded + base)
        edges = letters ^ (letters << 1 | <uint64_t>inside)
        if inside:
            if edges == 0:
                base += 64
                continue
            first = low_bit(edges)
            edges &= edges - 1
            inside = False
            done = emit_run(scan, s, folded, n, start, base + first, marked, &past)
            if done:
                if done < 0:
                    return -1
                base = past
                continue
        done = 0
        while edges:
            first = low_bit(edges)
            edges &= edges - 1
            start = base + first
            if edges == 0:
                inside = True
                break
            second = low_bit(edges)
            edges &= edges - 1
            done = emit_run(scan, s, folded, n, start, base + second, marked, &past)
            if done:
                break
        if done < 0:
            return -1
        if done:
            base = past
            inside = False
        else:
            base += 64
    # the padding behind the text ends every run; a run up to the very end ends here
    if inside:
        return 0 if emit_run(scan, s, folded, n, start, n, marked, &past) >= 0 else -1
    return 0


def scan_texts(list texts, const uint32_t[::1] table, int flags, vocabulary, bint spans):
    """Words of many texts; see `tokens.scan_texts`, which gives the same bits."""
    cdef Py_ssize_t n = len(texts), i, total = 0
    cdef Scan scan
    cdef const uint64_t[:, ::1] known
    cdef uint64_t[::1] words
    cdef uint32_t[::1] starts, ends
    cdef int64_t[::1] offsets
    cdef int64_t[::1] at
    cdef uint32_t[::1] which
    cdef uint64_t[::1] hashes
    cdef void** data = <void**>malloc((n + 1) * sizeof(void*))
    cdef Py_ssize_t* lengths = <Py_ssize_t*>malloc((n + 1) * sizeof(Py_ssize_t))
    cdef int* kinds = <int*>malloc((n + 1) * sizeof(int))
    cdef int* ascii = <int*>malloc((n + 1) * sizeof(int))
    memset(&scan, 0, sizeof(Scan))
    try:
        if data == NULL or lengths == NULL or kinds == NULL or ascii == NULL:
            raise MemoryError
        for i in range(n):
            text = texts[i]
            if type(text) is not str:
                raise TypeError("texts must be str")
            data[i] = PyUnicode_DATA(text)
            lengths[i] = PyUnicode_GET_LENGTH(text)
            kinds[i] = PyUnicode_KIND(text)
            ascii[i] = PyUnicode_IS_ASCII(text)
            total += lengths[i]
        scan.table = &table[0]
        scan.flags = flags
        words_out = np.empty(total + 1, dtype=np.uint64)
        words = words_out
        scan.words = &words[0]
        offsets_out = np.empty(n + 1, dtype=np.int64)
        offsets = offsets_out
        offsets[0] = 0
        starts_out = ends_out = None
        if spans:
            starts_out = np.empty(total + 1, dtype=np.uint32)
            ends_out = np.empty(total + 1, dtype=np.uint32)
            starts = starts_out
            ends = ends_out
            scan.starts = &starts[0]
            scan.ends = &ends[0]
        if vocabulary is not None:
            known = vocabulary
            scan.known = &known[0, 0]
            scan.mask = known.shape[0] - 1
            scan.shift = 64
            i = known.shape[0]
            while i > 1:
                scan.shift -= 1
                i >>= 1
            scan.new_mask = 255
            scan.new_keys = <uint64_t*>calloc(256, 8)
            scan.new_index = <uint32_t*>malloc(256 * 4)
            if scan.new_keys == NULL or scan.new_index == NULL:
                raise MemoryError
        with nogil:
            for i in range(n):
                if kinds[i] == 1:
                    scan_narrow[uint8_t](&scan, <const uint8_t*>data[i], lengths[i], ascii[i])
                elif kinds[i] == 2:
                    scan_narrow[uint16_t](&scan, <const uint16_t*>data[i], lengths[i], False)
                else:
                    scan_any[uint32_t](&scan, <const uint32_t*>data[i], lengths[i])
                offsets[i + 1] = scan.n_words
                if scan.failed:
                    break
        if scan.failed:
            raise MemoryError
        words_out = words_out[:scan.n_words]
        if spans:
            starts_out = starts_out[:scan.n_words]
            ends_out = ends_out[:scan.n_words]
        unknown = None
        if vocabulary is not None:
            at_out = np.empty(scan.n_unknown, dtype=np.int64)
            which_out = np.empty(scan.n_unknown, dtype=np.uint32)
            hashes_out = np.empty(scan.n_new, dtype=np.uint64)
            at = at_out
            which = which_out
            hashes = hashes_out
            for i in range(scan.n_unknown):
                at[i] = scan.unknown_at[i]
                which[i] = scan.unknown_is[i]
            for i in range(scan.n_new):
                hashes[i] = scan.new_hashes[i]
            spelled = []
            if scan.n_new:
                spelled = PyUnicode_FromKindAndData(4, scan.letters, scan.n_letters - 1).split("\n")
            unknown = (at_out, which_out, hashes_out, spelled)
        return words_out, offsets_out, starts_out, ends_out, unknown
    finally:
        free(data)
        free(lengths)
        free(kinds)
        free(ascii)
        free(scan.folded)
        free(scan.marks)
        free(scan.unknown_at)
        free(scan.unknown_is)
        free(scan.new_keys)
        free(scan.new_index)
        free(scan.new_hashes)
        free(scan.letters)


def hash_words(list words):
    """The hash of each string, 0 for the empty one (a dropped word)."""
    cdef Py_ssize_t n = len(words), i, length
    cdef int kind
    out = np.empty(n, dtype=np.uint64)
    cdef uint64_t[::1] hashes = out
    for i in range(n):
        word = words[i]
        if type(word) is not str:
            raise TypeError("words must be str")
        length = PyUnicode_GET_LENGTH(word)
        kind = PyUnicode_KIND(word)
        if length == 0:
            hashes[i] = 0
        elif kind == 1:
            hashes[i] = hash_letters[uint8_t](NULL, <const uint8_t*>PyUnicode_DATA(word), 0, length)
        elif kind == 2:
            hashes[i] = hash_letters[uint16_t](NULL, <const uint16_t*>PyUnicode_DATA(word), 0, length)
        else:
            hashes[i] = hash_letters[uint32_t](NULL, <const uint32_t*>PyUnicode_DATA(word), 0, length)
    return out


def insert_words(uint64_t[:, ::1] known, const uint64_t[::1] words, const uint64_t[::1] canonical):
    """Put words into an open-addressing table that has room for them; how many were new."""
    cdef Py_ssize_t i, capacity = known.shape[0], added = 0
    cdef uint64_t mask = capacity - 1, slot
    cdef int shift = 64
    while capacity > 1:
        shift -= 1
        capacity >>= 1
    with nogil:
        for i in range(words.shape[0]):
            if words[i] == 0:
                continue
            slot = words[i] >> shift
            while known[slot, 0] != 0 and known[slot, 0] != words[i]:
                slot = (slot + 1) & mask
            if known[slot, 0] == 0:
                known[slot, 0] = words[i]
                added += 1
            known[slot, 1] = canonical[i]
    return added
