"""The fold table: what each of the 1,114,112 code points is to the tokeniser.

One `uint32` a code point. 0 separates words; a value below 2³¹ is a letter or digit and holds the
code point it folds to (case, width, digits of every script); anything higher is special, its kind
in the top byte and, where it can be a word, its folded code point below.

The table is committed as runs in `alphabet.txt`, so that the same text gives the same words under
every Python. `write()` makes that file anew.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import cache
from importlib import resources
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

SIZE = 0x110000
SEPARATOR = 0
SKIP = 0x80000000  # what the eye does not see: zero-width marks, joiners, variation selectors
HYPHEN = 0x81000000  # separates, unless it stands at a line end
SINGLE = 0x82000000  # a word of its own: scripts written without spaces
SIGN = 0x83000000  # a mathematical sign: a word of its own where signs are words
SOFT_HYPHEN = 0x84000000  # skipped, joins at a line end
KIND = 0xFF000000

_HYPHENS = frozenset("-\u2010\u2011")
_FILLERS = frozenset((0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x3164, 0xFFA0))  # drawn as nothing
_NAMES_OF_SCRIPTS_WITHOUT_SPACES = (
    "CJK UNIFIED",
    "CJK COMPATIBILITY IDEOGRAPH",
    "HIRAGANA",
    "KATAKANA",
    "THAI",
    "LAO ",
    "KHMER",
    "MYANMAR",
    "TIBETAN SYLLABLE",
    "TIBETAN LETTER",
)


@cache
def fold_table() -> NDArray[np.uint32]:
    """The committed table, one entry a code point.

    >>> chr(fold_table()[ord("Ж")]), chr(fold_table()[ord("Ａ")]), int(fold_table()[ord("'")])
    ('ж', 'a', 0)
    """
    table = np.zeros(SIZE, dtype=np.uint32)
    for line in (
        resources.files(__package__).joinpath("alphabet.txt").read_text("ascii").split("\n")
    ):
        if not line or line.startswith("#"):
            continue
        first, last, value, step = line.split()
        start, stop = int(first, 16), int(last, 16) + 1
        if step == "0":
            table[start:stop] = int(value, 16)
        else:
            table[start:stop] = np.arange(stop - start, dtype=np.uint32) + np.uint32(int(value, 16))
    table.setflags(write=False)
    return table


@cache
def unicode_version() -> str:
    """The Unicode version that the committed table was made from."""
    head = (
        resources.files(__package__).joinpath("alphabet.txt").read_text("ascii").split("\n", 1)[0]
    )
    return head.rsplit(" ", 1)[1]


def classify(code: int) -> int:
    """The entry of one code point, from the tables of the running Python."""
    char = chr(code)
    category = unicodedata.category(char)
    if code == 0xAD:
        return SOFT_HYPHEN
    if char in _HYPHENS:
        return HYPHEN
    if category == "Cf" or _is_variation_selector(code) or code in _FILLERS:
        return SKIP
    if category == "Nd":
        return ord("0") + unicodedata.decimal(char)
    in_a_circle = category == "So" and _is_one_letter(_folded(char), char)
    if category[0] in "LM" or category == "Nl" or in_a_circle:
        folded = _fold(char)
        return SINGLE | folded if _stands_alone(chr(folded)) else folded
    if category == "Sm" and code > 0x7F:
        return SIGN | code
    return SEPARATOR


def _fold(char: str) -> int:
    """Case and width folded where one code point becomes one; longer foldings are the lexicon's."""
    folded = _folded(char)
    if _is_one_letter(folded, char):
        return ord(folded)
    lowered = char.lower()
    return ord(lowered) if _is_one_letter(lowered, char) else ord(char)


def _folded(char: str) -> str:
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", char).casefold())


def _is_one_letter(folded: str, char: str) -> bool:
    """A text of one (two) bytes a character stays one when folded: the kernels count on it."""
    if len(folded) != 1 or unicodedata.category(folded)[0] not in "LMN":
        return False
    return not (ord(char) < 0x100 <= ord(folded) or ord(char) < 0x10000 <= ord(folded))


def _stands_alone(char: str) -> bool:
    if unicodedata.category(char)[0] == "M":
        return False
    name = unicodedata.name(char, "")
    return name.startswith(_NAMES_OF_SCRIPTS_WITHOUT_SPACES) or "IDEOGRAPH" in name.split("-")[0]


def _is_variation_selector(code: int) -> bool:
    return 0xFE00 <= code <= 0xFE0F or 0x180B <= code <= 0x180F or 0xE0100 <= code <= 0xE01EF


def runs(entries: list[int]) -> Iterator[tuple[int, int, int, int]]:
    """(first, last, first value, step): stretches of one value, or of values rising by one."""
    first = 0
    while first < len(entries):
        last, value = first, entries[first]
        step = 1 if first + 1 < len(entries) and value and entries[first + 1] == value + 1 else 0
        while last + 1 < len(entries) and entries[last + 1] == entries[last] + step:
            last += 1
        if value != SEPARATOR:
            yield first, last, value, step
        first = last + 1


def as_text() -> str:
    """The contents of `alphabet.txt`."""
    lines = [f"# first last value step; Unicode {unicodedata.unidata_version}"]
    entries = [classify(code) for code in range(SIZE)]
    lines += [f"{a:x} {b:x} {value:x} {step}" for a, b, value, step in runs(entries)]
    return "\n".join(lines) + "\n"


def write() -> None:
    """Write `alphabet.txt` anew, from the Unicode tables of the running Python."""
    Path(__file__).with_name("alphabet.txt").write_text(as_text(), "ascii")
