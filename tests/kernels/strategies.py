"""What the kernels are tried on: texts of every kind, sets, offsets; and how to compare."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st
from numpy.typing import NDArray


def repeatable(examples: int) -> settings:
    """The same examples in every run, and no clock."""
    return settings(derandomize=True, deadline=None, max_examples=examples)


ASCII = [
    "a",
    "Bc",
    "word",
    "9",
    "12",
    "x9",
    "_",
    "'",
    ".",
    ",",
    "\x00",
    "longerthaneightletters",
    "q" * 70,
]
LATIN_1 = ["é", "ß", "µ", "ÀÉ", "±", "×", "²", "\xa0", "\xad", "naïvetés", "ÿ" * 65]
TWO_BYTES = [
    "слово",
    "ҚАЗАҚ",
    "Ё",
    "ﬁ",
    "İ",
    "ſ",
    "Ａ",
    "٣",
    "ж" * 33,
    "\u200b",
    "\u2060",
    "\ufe0f",
]
TWO_BYTES += [
    "\u2010",
    "\u2011",
    "\u2014",
    "\u2028",
    "\u3000",
    "≥",
    "漢字",
    "ไทย",
    "カ",
    "e\u0301",
    "\ud800",
]
FOUR_BYTES = ["😀", "𝔸", "𠀀", "𝟘", "\U000e0001", "𐐀"]
SPACES = [" ", "\n", "\r\n", "\t", "\r", "\x0b", "\x0c", "\x1d", "\x85"]
LINE_ENDS = ["-\n", "-\r\n", "- \t\n  ", "\xad\n", "\u200b-\n", "-\n\n", "-\r", "\u2010\n"]
LINKS = ["http://", "https://a.b/c-d", "www.", "ftp://x", "HTTP", "http", "www", "://", "wWw.é.kz"]

_OF_ONE_BYTE = ASCII + LATIN_1 + SPACES + LINE_ENDS[:4] + LINKS
_PIECES = _OF_ONE_BYTE + TWO_BYTES + FOUR_BYTES + LINE_ENDS[4:]


@st.composite
def texts_of(draw: st.DrawFn, pieces: list[str]) -> str:
    """A few pieces over and over, so that those that act on each other meet."""
    few_pieces = draw(st.lists(st.sampled_from(pieces), min_size=1, max_size=6))
    letters = st.sampled_from(["a", "word"])
    return "".join(draw(st.lists(st.one_of(st.sampled_from(few_pieces), letters), max_size=30)))


texts = st.one_of(
    texts_of([piece for piece in _OF_ONE_BYTE if piece.isascii()]),
    texts_of(_OF_ONE_BYTE),
    texts_of(_OF_ONE_BYTE + TWO_BYTES),
    texts_of(_PIECES),
    st.text(st.characters(), max_size=80),  # surrogates included
    st.text(st.characters(max_codepoint=0xFF), max_size=200),
    st.text(st.characters(max_codepoint=0xFFFF), max_size=120),
)

hashes = st.integers(1, 2**64 - 1)


def array(items: list[int] | list[list[int]], dtype: Any = np.uint64) -> NDArray[Any]:
    return np.array(items, dtype=dtype)


def flat(
    documents: list[list[int]], dtype: Any = np.uint64
) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Documents end to end, and where each starts."""
    ends = np.cumsum([0, *map(len, documents)]).astype(np.int64)
    return np.array([item for document in documents for item in document], dtype=dtype), ends


@functools.cache
def few(n: int) -> st.SearchStrategy[int]:
    """One of n hashes spread over all 64 bits, so that repetitions are frequent."""
    random = np.random.default_rng(n)
    return st.sampled_from(random.integers(1, 2**64, size=n, dtype=np.uint64).tolist())


documents_of_words = st.lists(
    st.one_of(
        st.lists(st.one_of(st.just(0), few(5)), max_size=30),
        st.lists(st.one_of(st.just(0), hashes), max_size=12),
    ),
    max_size=6,
)

# distinct hashes in each, empty ones among them
sets = st.lists(
    st.one_of(
        st.lists(few(12), unique=True, max_size=12),
        st.lists(few(60), unique=True, max_size=40),
        st.lists(hashes, unique=True, max_size=8),
    ),
    max_size=8,
)


def assert_equal(one: Any, other: Any) -> None:
    """Equal to the bit: values, shapes, and the types of what NumPy counts with."""
    if isinstance(one, tuple):
        assert isinstance(other, tuple) and len(one) == len(other)
        for a, b in zip(one, other, strict=True):
            assert_equal(a, b)
    elif isinstance(one, np.ndarray):
        assert one.dtype == other.dtype
        assert one.shape == other.shape
        assert np.array_equal(one, other), f"{one} is not {other}"
    else:
        assert one == other
