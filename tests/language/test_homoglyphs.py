"""Letters of a foreign alphabet inside words."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from likewise.language import Lexicon
from likewise.language.homoglyphs import (
    TWIN_CYRILLIC,
    TWIN_LATIN,
    english_lookalikes,
    is_ambiguous,
    repair,
    skeleton,
    spellings,
)
from likewise.settings import Settings

TO_CYRILLIC = dict(zip(TWIN_LATIN, TWIN_CYRILLIC, strict=True))
TO_LATIN = dict(zip(TWIN_CYRILLIC, TWIN_LATIN, strict=True))

ENGLISH = (
    "publish university comparison zebra plagiarism vocabulary quick wizard justify method".split()
)
RUSSIAN = "кошка университет сравнение заимствование программа дипломный метод область".split()
KAZAKH = "қаһарман университет өсімдік ғылым салыстыру жұмыс еңбек түсінік әдебиет".split()
AMBIGUOUS = "coc cop hat cat toe mat pot xoxo cook ape".split()


def canonical(word: str) -> str:
    [form] = Lexicon(Settings()).canonical([word])
    return form


@st.composite
def disguised(draw: st.DrawFn, words: list[str], twins: dict[str, str]) -> tuple[str, str]:
    """A word, and the same with some of its letters swapped for their twins."""
    word = draw(st.sampled_from(words))
    swapped = "".join(
        twins[char] if char in twins and draw(st.booleans()) else char for char in word
    )
    return word, swapped


@settings(derandomize=True, deadline=None, max_examples=200)
@given(
    st.one_of(
        disguised(ENGLISH, TO_CYRILLIC),
        disguised(RUSSIAN, TO_LATIN),
        disguised(KAZAKH, {char: twin for char, twin in TO_LATIN.items() if twin != "h"}),
    )
)
def test_a_word_is_written_back_into_the_alphabet_it_was_written_in(pair: tuple[str, str]) -> None:
    word, swapped = pair
    assert repair(swapped) == word
    assert canonical(swapped) == canonical(word) != ""


@settings(derandomize=True, deadline=None, max_examples=200)
@given(disguised(AMBIGUOUS + sorted(english_lookalikes())[::20], TO_CYRILLIC))
def test_a_word_of_twins_alone_is_the_same_in_every_mixture(pair: tuple[str, str]) -> None:
    word, swapped = pair
    assert canonical(swapped) == canonical(word)


@settings(derandomize=True, deadline=None, max_examples=300)
@given(st.text(TWIN_LATIN, min_size=1, max_size=8))
def test_every_word_of_twins_becomes_one_in_both_spellings(word: str) -> None:
    latin, cyrillic = spellings(word)
    assert latin == word and spellings(cyrillic) == (latin, cyrillic)
    assert is_ambiguous(latin) and is_ambiguous(cyrillic)
    assert skeleton(latin) == skeleton(cyrillic)
    assert canonical(latin) == canonical(cyrillic)


@pytest.mark.parametrize(
    "word", [*ENGLISH, *RUSSIAN, *KAZAKH, "λόγος", "漢", "2024", "naïve", "été"]
)
def test_an_honest_word_is_left_alone(word: str) -> None:
    assert repair(word) == word


def test_cyrillic_as_such_is_never_suspect() -> None:
    assert repair("сорок") == "сорок"
    assert repair("қазақстан") == "қазақстан"


def test_a_latin_h_inside_a_kazakh_word_is_the_kazakh_letter_it_looks_like() -> None:
    assert repair("қаhарман") == "қаһарман"
    assert repair("шаhар") == "шанар"


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("αpple", "apple"),
        ("ορen", "open"),
        ("ѕun", "sun"),
        ("јump", "jump"),
        ("ԛuick", "quick"),
        ("ԝizard", "wizard"),
        ("ɡolf", "golf"),
        ("ӏong", "long"),
        ("кοшка", "кошка"),
    ],
)
def test_look_alikes_of_other_alphabets_are_repaired_too(word: str, meant: str) -> None:
    assert repair(word) == meant


def test_letters_without_twins_on_both_sides_are_left_as_they_are() -> None:
    assert repair("жzя") == "жzя"
    assert repair("usbфлешка") == "usbфлешка"


def test_digits_do_not_take_sides() -> None:
    assert repair("кoд1") == "код1"
    assert repair("1с") == "1с"


def test_a_tie_is_cyrillic() -> None:
    assert repair("cо") == "со"


def test_the_shipped_list_has_english_words_of_twins_alone() -> None:
    words = english_lookalikes()
    assert {"cat", "hat", "coat"} <= words
    assert all(is_ambiguous(word) and word.isascii() for word in words)
