"""Text to word hashes: the readable form of `_tokens.pyx`.

A word is a run of letters and digits, as the fold table sees them. Its hash is made from its folded
code points alone: packed into 64-bit lanes, eight to a lane where all lie on one page of 256 code
points (as Latin and Cyrillic words do), else four or two, and the lanes mixed one after another.
So a word hashes the same in any text and any string width.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Codes = NDArray[np.uint32]
Hashes = NDArray[np.uint64]
Offsets = NDArray[np.int64]
Unknown = tuple[Offsets, Codes, Hashes, list[str]]
Scanned = tuple[Hashes, Offsets, Codes | None, Codes | None, Unknown | None]

JOIN_HYPHENS = 1
DROP_URLS = 2
SIGNS_ARE_WORDS = 4

_SEEDS = {
    8: np.uint64(0x9E3779B97F4A7C15),
    16: np.uint64(0xC2B2AE3D27D4EB4F),
    32: np.uint64(0x165667B19E3779F9),
}
_PAGE = np.uint64(0xA0761D6478BD642F)
_STEP = np.uint64(0x9FB21C651E98DF25)
_FINISH = np.uint64(0xD6E8FEB86659FD93)

_SPECIAL = np.uint32(0x80000000)
_KIND = np.uint32(0xFF000000)
_CODEPOINT = np.uint32(0x00FFFFFF)
_SKIP, _HYPHEN, _SINGLE, _SIGN, _SOFT_HYPHEN = (np.uint32(0x80000000 + (k << 24)) for k in range(5))

_BETWEEN_TEXTS = "\x1d"  # separates words, is white space, ends no line


def scan_texts(
    texts: list[str], table: Codes, flags: int, vocabulary: Hashes | None, spans: bool
) -> Scanned:
    """Words of many texts: hashes, the offsets of each text's, and if asked where each word stands.

    With a vocabulary (see `insert_words`) each word becomes its canonical hash. Words it does not
    know keep their own, and are told apart: their places in the hashes, which new word each is, the
    new words' hashes and spellings.
    """
    text = _BETWEEN_TEXTS.join(texts)
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    folded = table[codes]
    kind = np.where(folded >= _SPECIAL, folded & _KIND, np.uint32(0))
    letter = (folded > 0) & (folded < _SPECIAL)
    invisible = (kind == _SKIP) | (kind == _SOFT_HYPHEN)
    alone = kind == _SINGLE
    if flags & SIGNS_ARE_WORDS:
        alone |= kind == _SIGN
    if flags & JOIN_HYPHENS:
        _join_line_ends(codes, folded, kind, letter, invisible)
    starts, ends, hashes, whole, letters, bounds = _words(folded, letter, invisible, alone)
    # what stands behind one URL can open the next
    while flags & DROP_URLS and _blank_urls(
        codes, letter, alone, starts[whole], ends[whole], hashes[whole]
    ):
        starts, ends, hashes, whole, letters, bounds = _words(folded, letter, invisible, alone)

    lengths = np.array([len(t) for t in texts], dtype=np.int64)
    text_starts = np.concatenate(([0], np.cumsum(lengths + 1)))
    offsets = np.searchsorted(starts, text_starts).astype(np.int64)
    unknown = None
    if vocabulary is not None:
        hashes, unknown = _look_up(hashes, vocabulary, letters, bounds)
    if not spans:
        return hashes, offsets, None, None, unknown
    base = np.repeat(text_starts[:-1], np.diff(offsets))
    return (
        hashes,
        offsets,
        (starts - base).astype(np.uint32),
        (ends - base).astype(np.uint32),
        unknown,
    )


def _join_line_ends(
    codes: Codes,
    folded: Codes,
    kind: Codes,
    letter: NDArray[np.bool_],
    invisible: NDArray[np.bool_],
) -> None:
    """Make a hyphen at a line end, and the line end, invisible where a word goes on behind it."""
    for i in np.flatnonzero((kind == _HYPHEN) | (kind == _SOFT_HYPHEN)).tolist():
        before = i - 1
        while before >= 0 and invisible[before]:
            before -= 1
        if before < 0 or not letter[before] or 48 <= folded[before] <= 57:
            continue
        on = _after_line_end(codes, folded, letter, i)
        if on:
            invisible[i:on] = True


def _after_line_end(codes: Codes, folded: Codes, letter: NDArray[np.bool_], i: int) -> int:
    """Where the word goes on behind a hyphen, or 0: blanks, a line end, blanks, a small letter."""
    n = len(codes)
    i += 1
    while i < n and codes[i] in (32, 9):
        i += 1
    if i < n and codes[i] == 13:
        i += 1
        if i < n and codes[i] == 10:
            i += 1
    elif i < n and codes[i] in (10, 11, 12):
        i += 1
    else:
        return 0
    while i < n and codes[i] in (32, 9):
        i += 1
    if i < n and letter[i] and folded[i] == codes[i] and not 48 <= codes[i] <= 57:
        return i
    return 0


def _words(
    folded: Codes,
    letter: NDArray[np.bool_],
    invisible: NDArray[np.bool_],
    alone: NDArray[np.bool_],
) -> tuple[Offsets, Offsets, Hashes, NDArray[np.bool_], Codes, Offsets]:
    """Start, end and hash of each word, whether nothing invisible is inside, and its letters."""
    visible = np.flatnonzero(~invisible)
    inside = letter[visible]
    single = alone[visible]
    opens = single | (inside & ~np.concatenate(([False], inside[:-1]))) if len(visible) else single
    closes = single | (inside & ~np.concatenate((inside[1:], [False]))) if len(visible) else single
    first, last = np.flatnonzero(opens), np.flatnonzero(closes)
    starts, ends = visible[first], visible[last] + 1
    lengths = last - first + 1
    letters = folded[visible[inside | single]] & _CODEPOINT
    bounds = np.concatenate(([0], np.cumsum(lengths)))
    whole = (ends - starts) == lengths
    return starts, ends, hash_runs(letters, bounds), whole, letters, bounds


def hash_runs(letters: Codes, bounds: Offsets) -> Hashes:
    """The hash of each run `letters[bounds[i]:bounds[i + 1]]`; no run is empty."""
    n = len(bounds) - 1
    if n == 0:
        return np.zeros(0, dtype=np.uint64)
    lengths = np.diff(bounds)
    widest = np.maximum.reduceat(letters, bounds[:-1])
    page = widest >> 8
    on_one_page = np.minimum.reduceat(letters, bounds[:-1]) >> 8 == page
    bits = np.where(on_one_page, 8, np.where(widest < 0x10000, 16, 32)).astype(np.int64)
    per_lane = np.repeat(64 // bits, lengths)
    place = np.arange(len(letters)) - np.repeat(bounds[:-1], lengths)
    shift = (place % per_lane) * (64 // per_lane)
    low = letters.astype(np.uint64) & np.repeat((1 << bits) - 1, lengths).astype(np.uint64)
    shifted = low << shift.astype(np.uint64)
    lanes = np.add.reduceat(shifted, np.flatnonzero(place % per_lane == 0))
    n_lanes = -(-lengths * bits // 64)
    first_lane = np.concatenate(([0], np.cumsum(n_lanes)[:-1]))
    h = np.where(bits == 16, _SEEDS[16], _SEEDS[32])
    h = np.where(on_one_page, _SEEDS[8] + page.astype(np.uint64) * _PAGE, h)
    active = np.arange(n)
    k = 0
    while len(active):
        mixed = (h[active] ^ lanes[first_lane[active] + k]) * _STEP
        h[active] = mixed ^ (mixed >> np.uint64(32))
        k += 1
        active = active[n_lanes[active] > k]
    h *= _FINISH
    h ^= h >> np.uint64(29)
    return np.where(h == 0, np.uint64(1), h)


def _blank_urls(
    codes: Codes,
    letter: NDArray[np.bool_],
    alone: NDArray[np.bool_],
    starts: Offsets,
    ends: Offsets,
    hashes: Hashes,
) -> bool:
    """Make everything from a word that opens a URL to the next white space separate words."""
    http, https, ftp, www = hash_words(["http", "https", "ftp", "www"]).tolist()
    has_url = False
    for k in np.flatnonzero(np.isin(hashes, [http, https, ftp, www])).tolist():
        behind = codes[ends[k] : ends[k] + 3].tolist()
        if hashes[k] == www:
            opens = behind[:1] == [ord(".")]
        else:
            opens = behind == [ord(":"), ord("/"), ord("/")]
        if not opens:
            continue
        end = int(ends[k])
        while end < len(codes) and not chr(codes[end]).isspace():
            end += 1
        letter[starts[k] : end] = False
        alone[starts[k] : end] = False
        has_url = True
    return has_url


def _look_up(
    hashes: Hashes, vocabulary: Hashes, letters: Codes, bounds: Offsets
) -> tuple[Hashes, Unknown]:
    distinct, first, inverse = np.unique(hashes, return_index=True, return_inverse=True)
    canonical = distinct.copy()
    slots = _slots(distinct, len(vocabulary))
    open_ = np.arange(len(distinct))
    missing = np.zeros(len(distinct), dtype=bool)
    while len(open_):
        key = vocabulary[slots[open_], 0]
        hit = key == distinct[open_]
        canonical[open_[hit]] = vocabulary[slots[open_[hit]], 1]
        missing[open_[key == 0]] = True
        open_ = open_[~hit & (key != 0)]
        slots[open_] = (slots[open_] + 1) % len(vocabulary)
    new = np.flatnonzero(missing)
    new = new[np.argsort(first[new], kind="stable")]
    which = np.zeros(len(distinct), dtype=np.uint32)
    which[new] = np.arange(len(new), dtype=np.uint32)
    at = np.flatnonzero(missing[inverse])
    spelled = letters.tobytes().decode("utf-32-le")
    words = [spelled[bounds[i] : bounds[i + 1]] for i in first[new].tolist()]
    return canonical[inverse], (at, which[inverse[at]], distinct[new], words)


def _slots(hashes: Hashes, capacity: int) -> Offsets:
    shift = np.uint64(64 - (capacity.bit_length() - 1))
    return (hashes >> shift).astype(np.int64)


def hash_words(words: list[str]) -> Hashes:
    """The hash of each string, 0 for the empty one (a dropped word).

    >>> bool(hash_words(["steppe"])[0] == hash_words(["steppe", ""])[0]), int(hash_words([""])[0])
    (True, 0)
    """
    out = np.zeros(len(words), dtype=np.uint64)
    lengths = np.array([len(word) for word in words], dtype=np.int64)
    letters = np.frombuffer("".join(words).encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    some = lengths > 0
    out[some] = hash_runs(letters, np.concatenate(([0], np.cumsum(lengths[some]))))
    return out


def insert_words(known: Hashes, words: Hashes, canonical: Hashes) -> int:
    """Put words into an open-addressing table that has room for them; how many were new.

    `known` has a power of two of rows: hash of the word (0: free), hash of its canonical form.
    """
    words, last = np.unique(words[::-1], return_index=True)
    canonical = canonical[::-1][last]
    canonical, words = canonical[words != 0], words[words != 0]
    slots = _slots(words, len(known))
    remaining = np.arange(len(words))
    added = 0
    while len(remaining):
        free = remaining[known[slots[remaining], 0] == 0]
        _, winners = np.unique(slots[free], return_index=True)
        winners = free[winners]
        known[slots[winners], 0] = words[winners]
        added += len(winners)
        placed = known[slots[remaining], 0] == words[remaining]
        known[slots[remaining[placed]], 1] = canonical[remaining[placed]]
        remaining = remaining[~placed]
        slots[remaining] = (slots[remaining] + 1) % len(known)
    return added
