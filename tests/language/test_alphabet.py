"""The fold table: what each character is to the tokeniser."""

from __future__ import annotations

import unicodedata
from importlib import resources

import numpy as np
import pytest

from likewise.language.alphabet import (
    HYPHEN,
    KIND,
    SEPARATOR,
    SIGN,
    SINGLE,
    SIZE,
    SKIP,
    SOFT_HYPHEN,
    as_text,
    classify,
    fold_table,
    unicode_version,
)

TABLE = fold_table()


def entry(char: str) -> int:
    return int(TABLE[ord(char)])


def kind(char: str) -> int:
    return entry(char) & KIND


def test_the_committed_table_is_what_this_unicode_version_gives() -> None:
    committed = resources.files("likewise.language").joinpath("alphabet.txt").read_text("ascii")
    if unicodedata.unidata_version == unicode_version():
        assert as_text() == committed, "run python -m likewise.language.alphabet"
    else:  # another Python knows other letters, but ours among them
        assert [classify(code) for code in range(0x530)] == TABLE[:0x530].tolist()


def test_the_table_has_an_entry_for_every_code_point_and_cannot_be_changed() -> None:
    assert TABLE.shape == (SIZE,) and TABLE.dtype == np.uint32
    assert not TABLE.flags.writeable
    assert unicode_version().count(".") == 2


@pytest.mark.parametrize(
    ("char", "folds_to"),
    ["Aa", "zz", "Жж", "Ққ", "Өө", "Іі", "Σσ", "ςσ", "Ａa", "ｚz", "𝔸a", "ſs", "ªa", "Kk", "Ÿÿ"],
)
def test_case_and_width_are_folded(char: str, folds_to: str) -> None:
    assert chr(entry(char)) == folds_to


@pytest.mark.parametrize(("char", "digit"), ["77", "٣3", "९9", "４4", "𝟘0"])
def test_digits_of_every_script_are_digits(char: str, digit: str) -> None:
    assert chr(entry(char)) == digit


def test_what_folds_to_several_characters_is_left_to_the_lexicon() -> None:
    assert [chr(entry(char)) for char in "ßﬁİ"] == ["ß", "ﬁ", "İ"]


@pytest.mark.parametrize("char", [*" \t\n\r.,;!?'’", *'_@#/\\"()[]', "\0", "\ud800", "😀"])
def test_blanks_punctuation_and_junk_separate_words(char: str) -> None:
    assert entry(char) == SEPARATOR


@pytest.mark.parametrize("char", ["²", "¹", "³", "⁴", "①", "½", "₂"])
def test_footnote_marks_and_fractions_separate_words(char: str) -> None:
    assert entry(char) == SEPARATOR


@pytest.mark.parametrize(
    "char", ["\u200b", "\u200c", "\u200d", "\u2060", "\ufeff", "\ufe0f", "\u034f"]
)
def test_what_the_eye_does_not_see_is_skipped(char: str) -> None:
    assert kind(char) == SKIP


def test_hyphens_are_told_from_soft_hyphens_and_dashes() -> None:
    assert {kind(char) for char in "-\u2010\u2011"} == {HYPHEN}
    assert kind("\xad") == SOFT_HYPHEN
    assert {entry(char) for char in "\u2012\u2013\u2014\u2015"} == {SEPARATOR}


@pytest.mark.parametrize("char", ["漢", "𠀀", "か", "カ", "ท", "ລ", "ក", "က", "〇"])
def test_scripts_without_spaces_are_taken_a_character_at_a_time(char: str) -> None:
    assert kind(char) == SINGLE
    assert chr(entry(char) & 0xFFFFFF) == unicodedata.normalize("NFKC", char)


@pytest.mark.parametrize("char", ["±", "×", "≥", "∑", "∞"])
def test_mathematical_signs_are_signs(char: str) -> None:
    assert entry(char) == SIGN | ord(char)


@pytest.mark.parametrize("char", list("+<=>|~"))
def test_signs_of_the_keyboard_only_separate(char: str) -> None:
    assert entry(char) == SEPARATOR


def test_folding_twice_changes_nothing() -> None:
    """So that ｶﾅ is the same two words as カナ."""
    once = np.where(TABLE < 2**31, TABLE, TABLE & 0xFFFFFF)
    word = (TABLE > 0) & ((TABLE < 2**31) | (TABLE & KIND == SINGLE))
    changed = np.flatnonzero(word & (TABLE[once] != TABLE))
    assert [chr(code) for code in changed.tolist()] == []


def test_no_letter_folds_into_a_wider_string_or_a_control_character() -> None:
    """The compiled kernel folds a text in place, and marks places by control characters."""
    codes = np.arange(SIZE)
    letter = (TABLE > 0) & (TABLE < 2**31)
    for width in (0x100, 0x10000):
        assert not (TABLE[letter & (codes < width)] >= width).any()
    assert TABLE[letter].min() >= ord("0")
    assert [chr(c) for c in range(128) if letter[c]] == [
        c for c in map(chr, range(128)) if c.isalnum()
    ]
