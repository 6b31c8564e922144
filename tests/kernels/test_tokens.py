"""Text to word hashes: both forms of the kernel, and a slow and obvious reading of the rules."""

from __future__ import annotations

import re
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from likewise.kernels import _tokens as compiled
from likewise.kernels import tokens as readable
from likewise.kernels.tokens import DROP_URLS, JOIN_HYPHENS, SIGNS_ARE_WORDS
from likewise.language.alphabet import (
    HYPHEN,
    KIND,
    SIGN,
    SINGLE,
    SKIP,
    SOFT_HYPHEN,
    fold_table,
)
from tests.kernels.strategies import array, assert_equal, few, hashes, repeatable, texts

TABLE = fold_table()
FORMS = pytest.mark.parametrize("form", [readable, compiled], ids=["numpy", "compiled"])
flags = st.integers(0, 7)

# Left to right: what a URL leaves behind begins anew, even behind a hyphen at a line end.
AFTER_A_URL = "http://one-\nhttp://two three"


def nothing_known() -> np.ndarray:
    return np.zeros((2, 2), dtype=np.uint64)


# A slow tokeniser that can be read in one go.

LINE_ENDS = {"\n": "n", "\r": "r", "\v": "v", "\f": "v"}
KINDS = {SKIP: "i", SOFT_HYPHEN: "s", HYPHEN: "h", SINGLE: "1", SIGN: "+"}


def kind_of(char: str) -> str:
    """One letter for what a character is: a small letter, a Capital, a digit, others."""
    entry = int(TABLE[ord(char)])
    if char in " \t":
        return " "
    if char in LINE_ENDS:
        return LINE_ENDS[char]
    if entry >= 2**31:
        return KINDS[entry & KIND]
    if entry == 0:
        return "."
    if chr(entry) in "0123456789":
        return "d"
    return "a" if chr(entry) == char else "C"


def folded(char: str) -> str:
    return chr(int(TABLE[ord(char)]) & 0xFFFFFF)


def slow_words(text: str, flags: int) -> list[tuple[int, int, str]]:
    """Start, end and folded letters of each word."""
    kinds = "".join(map(kind_of, text))
    line_end = "[is]*[hs] *(?:rn?|n|v) *(?=a)|" if flags & JOIN_HYPHENS else ""
    alone = "1+" if flags & SIGNS_ARE_WORDS else "1"
    word = re.compile(rf"(?:[aC](?:{line_end}[is]*)|d[is]*)+|[{alone}]")
    found = []
    match = word.search(kinds)
    while match:
        start, end = match.start(), match.start() + len(match[0].rstrip("is"))
        letters = "".join(
            folded(c)
            for c, kind in zip(text[start:end], kinds[start:end], strict=True)
            if kind in "aCd1+"
        )
        after = end
        if flags & DROP_URLS and len(letters) == end - start and opens_url(letters, text[end:]):
            while after < len(text) and not text[after].isspace():
                after += 1
        else:
            found.append((start, end, letters))
        match = word.search(kinds, after)
    return found


def opens_url(word: str, behind: str) -> bool:
    if word == "www":
        return behind.startswith(".")
    return word in ("http", "https", "ftp") and behind.startswith("://")


def slow_hash(word: str) -> int:
    """Code points packed into lanes of 64 bits: eight where all are on one page, else fewer."""
    mask = 2**64 - 1
    codes = [ord(char) for char in word]
    pages = {code >> 8 for code in codes}
    if len(pages) == 1:
        bits, h = 8, (0x9E3779B97F4A7C15 + pages.pop() * 0xA0761D6478BD642F) & mask
        codes = [code & 0xFF for code in codes]
    elif max(codes) < 0x10000:
        bits, h = 16, 0xC2B2AE3D27D4EB4F
    else:
        bits, h = 32, 0x165667B19E3779F9
    a_lane = 64 // bits
    for first in range(0, len(codes), a_lane):
        lane = sum(code << bits * k for k, code in enumerate(codes[first : first + a_lane]))
        h = (h ^ lane) * 0x9FB21C651E98DF25 & mask
        h ^= h >> 32
    h = h * 0xD6E8FEB86659FD93 & mask
    return (h ^ h >> 29) or 1


@FORMS
@repeatable(400)
@given(text=texts, flags=flags)
@example(text=AFTER_A_URL, flags=JOIN_HYPHENS | DROP_URLS)
@example(text="www.a-\nwww.б 漢", flags=JOIN_HYPHENS | DROP_URLS)
@example(text="so\xad\nft so\xad\xad\r\nft so\u200b-\nft", flags=JOIN_HYPHENS)
@example(text="co-\r\noperate co-\n\noperate 9-\nth co-\nOp", flags=JOIN_HYPHENS)
def test_words_are_what_a_slow_reading_of_the_rules_finds(form, text: str, flags: int) -> None:
    words, offsets, starts, ends, unknown = form.scan_texts(
        [text], TABLE, flags, nothing_known(), True
    )
    expected = slow_words(text, flags)
    _, which, _, spelled = unknown
    assert (
        list(zip(starts.tolist(), ends.tolist(), (spelled[i] for i in which), strict=True))
        == expected
    )
    assert words.tolist() == [slow_hash(word) for *_, word in expected]
    assert offsets.tolist() == [0, len(expected)]


@repeatable(500)
@given(st.lists(texts, max_size=4), flags, st.booleans())
@example([AFTER_A_URL, "б" + AFTER_A_URL, "😀" + AFTER_A_URL], JOIN_HYPHENS | DROP_URLS, True)
def test_both_forms_scan_alike(batch: list[str], flags: int, spans: bool) -> None:
    assert_equal(
        readable.scan_texts(batch, TABLE, flags, None, spans),
        compiled.scan_texts(batch, TABLE, flags, None, spans),
    )


@repeatable(400)
@given(st.lists(texts, max_size=4), flags, st.data())
def test_both_forms_tell_known_words_from_new_ones_alike(
    batch: list[str], flags: int, data: st.DataObject
) -> None:
    written = sorted({word for text in batch for *_, word in slow_words(text, flags)})
    known = data.draw(st.lists(st.sampled_from(written), unique=True)) if written else []
    canonical = data.draw(
        st.lists(st.one_of(st.just(0), hashes), min_size=len(known), max_size=len(known))
    )
    vocabulary = np.zeros((256, 2), dtype=np.uint64)
    compiled.insert_words(vocabulary, compiled.hash_words(known), array(canonical))
    slow = readable.scan_texts(batch, TABLE, flags, vocabulary, True)
    assert_equal(slow, compiled.scan_texts(batch, TABLE, flags, vocabulary, True))
    words, _, _, _, (at, which, new, spelled) = slow
    assert len(set(spelled)) == len(spelled)
    assert set(spelled) == set(written) - set(known)
    assert new.tolist() == readable.hash_words(spelled).tolist()
    assert words[at].tolist() == new[which].tolist()
    assert set(np.delete(words, at).tolist()) <= set(canonical)


@FORMS
def test_more_new_words_than_the_first_table_holds_are_all_told_apart(form) -> None:
    words = [f"w{i}" for i in range(5000)]
    text = " ".join(words + words[::-1])
    *_, (at, which, _, spelled) = form.scan_texts([text], TABLE, 0, nothing_known(), False)
    assert spelled == words
    assert at.tolist() == list(range(10000))
    assert which.tolist() == [*range(5000), *range(4999, -1, -1)]


@FORMS
@repeatable(100)
@given(batch=st.lists(texts, max_size=5), flags=flags)
def test_a_text_has_the_same_words_in_any_company(form, batch: list[str], flags: int) -> None:
    words, offsets, *_ = form.scan_texts(batch, TABLE, flags, None, False)
    assert len(offsets) == len(batch) + 1
    for text, (first, last) in zip(batch, pairwise(offsets.tolist()), strict=True):
        alone, *_ = form.scan_texts([text], TABLE, flags, None, False)
        assert words[first:last].tolist() == alone.tolist()


@FORMS
@pytest.mark.parametrize(
    "word", ["a", "steppe", "eightlet", "ninelette", "é", "x" * 64, "q" * 130, "ÿ" * 9]
)
def test_a_word_hashes_alike_in_strings_of_every_width(form, word: str) -> None:
    of_each_width = [word, f"{word} é", f"{word} ж", f"{word} 😀"]
    found = {int(form.scan_texts([text], TABLE, 0, None, False)[0][0]) for text in of_each_width}
    assert found == {slow_hash(word)}


@FORMS
def test_only_strings_are_scanned(form) -> None:
    with pytest.raises((TypeError, AttributeError)):
        form.scan_texts([b"bytes"], TABLE, 0, None, False)
    with pytest.raises((TypeError, AttributeError)):
        form.hash_words([None])


@repeatable(300)
@given(st.lists(st.text(st.characters(), max_size=70), max_size=8))
def test_both_forms_hash_words_alike(words: list[str]) -> None:
    expected = [slow_hash(word) if word else 0 for word in words]
    assert readable.hash_words(words).tolist() == expected
    assert compiled.hash_words(words).tolist() == expected


@FORMS
@repeatable(150)
@given(batches=st.lists(st.lists(st.tuples(st.one_of(st.just(0), few(40)), hashes), max_size=30)))
def test_a_table_of_words_remembers_what_was_put_into_it_last(
    form, batches: list[list[tuple[int, int]]]
) -> None:
    table = np.zeros((128, 2), dtype=np.uint64)
    expected: dict[int, int] = {}
    for batch in batches:
        new = {word for word, _ in batch if word} - set(expected)
        words, canonical = array([w for w, _ in batch]), array([c for _, c in batch])
        assert form.insert_words(table, words, canonical) == len(new)
        expected.update((word, form_of) for word, form_of in batch if word)
    rows = table[table[:, 0] != 0]
    assert dict(rows.tolist()) == expected
    assert len(rows) == len(expected)


def test_words_that_want_the_last_slot_are_found_by_both_forms() -> None:
    """Linear probing round the end of the table: what one form wrote the other can read."""
    crowd = [word for i in range(3000) if slow_hash(word := f"w{i}") >> 58 == 63][:20]
    words = readable.hash_words(crowd)
    canonical = np.arange(len(crowd), dtype=np.uint64)
    for writer in (readable, compiled):
        table = np.zeros((64, 2), dtype=np.uint64)
        assert writer.insert_words(table, words, canonical) == len(crowd) == 20
        for reader in (readable, compiled):
            found, *_, (at, *_) = reader.scan_texts([" ".join(crowd)], TABLE, 0, table, False)
            assert len(at) == 0
            assert found.tolist() == canonical.tolist()
