"""Each distinct word resolved once, from the word alone; every rule a setting."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from likewise.kernels import hash_words
from likewise.language import Lexicon, words_of
from likewise.settings import Settings


def canonical(word: str, **rules: Any) -> str:
    """What one word becomes by one rule alone."""
    [form] = Lexicon(Settings.plain(**rules)).canonical([word])
    return form


def test_plain_settings_leave_every_word_as_it_is() -> None:
    words = ["the", "steppes", "кошками", "x1", "α", "сос", "coc", "ﬁ", "q" * 100]
    lexicon = Lexicon(Settings.plain())
    assert lexicon.canonical(words) == words
    assert lexicon.known is None


@pytest.mark.parametrize("word", ["the", "и", "және", "don"])
def test_stop_words_of_all_languages_are_dropped_if_asked(word: str) -> None:
    assert canonical(word, stop_words=True) == ""
    assert canonical(word, stop_words=False) == word


def test_only_stop_words_of_the_chosen_languages_are_dropped() -> None:
    lexicon = Lexicon(Settings.plain(stop_words=True, languages=("ru",)))
    assert lexicon.canonical(["the", "который", "үшін"]) == ["the", "", "үшін"]


def test_stop_words_can_be_ones_own() -> None:
    mine = frozenset({"Кафедра", "abstract"})
    assert canonical("кафедра", stop_words=mine) == canonical("abstract", stop_words=mine) == ""
    assert canonical("the", stop_words=mine) == "the"


def test_a_stop_word_with_ё_is_dropped_in_both_spellings() -> None:
    assert canonical("всё", stop_words=True) == canonical("ее", stop_words=True) == ""


@pytest.mark.parametrize(
    ("language", "word", "stem"),
    [
        ("en", "running", "run"),
        ("en", "steppes", "stepp"),
        ("ru", "кошками", "кошк"),
        ("ru", "степная", "степн"),
        ("kk", "қалаларымыздың", "қала"),
    ],
)
def test_words_are_stemmed_by_the_rules_of_their_language(
    language: str, word: str, stem: str
) -> None:
    assert canonical(word, stem=True) == stem
    assert canonical(word, stem=True, languages=(language,)) == stem
    assert canonical(word, stem=False) == word


def test_words_of_other_languages_are_not_stemmed() -> None:
    assert canonical("running", stem=True, languages=("ru", "kk")) == "running"
    assert canonical("кошками", stem=True, languages=("en",)) == "кошками"
    assert canonical("қалаларымыздың", stem=True, languages=("en",)) == "қалаларымыздың"


def test_scripts_without_a_stemmer_stay_as_they_are() -> None:
    assert canonical("λόγοι", stem=True) == "λόγοι"
    assert canonical("漢", stem=True) == "漢"


def test_words_with_digits_are_dropped_if_asked() -> None:
    for word in ("2024", "x1", "1й"):
        assert canonical(word, drop_digits=True) == ""
        assert canonical(word, drop_digits=False, stop_words=True) == word
    assert canonical("steppe", drop_digits=True) == "steppe"


def test_short_and_long_words_are_dropped_if_asked() -> None:
    assert canonical("ab", min_length=3) == ""
    assert canonical("abc", min_length=3) == "abc"
    assert canonical("abcd", max_length=4) == "abcd"
    assert canonical("abcde", max_length=4) == ""


@pytest.mark.parametrize("symbol", ["α", "ω", "≥", "µ"])
def test_lone_greek_letters_and_signs_are_dropped_if_asked(symbol: str) -> None:
    assert canonical(symbol, drop_symbols=True, stop_words=True) == ""
    assert canonical(symbol, drop_symbols=False, stop_words=True) != ""


def test_greek_words_are_no_symbols() -> None:
    assert canonical("λόγος", drop_symbols=True, stop_words=True) != ""
    assert canonical("αβ", drop_symbols=True, stop_words=True) == "αβ"


def test_homoglyphs_are_repaired_if_asked() -> None:
    assert canonical("кoшка", homoglyphs=True) == "кошка"
    assert canonical("кoшка", stop_words=True) == "кoшка"


@pytest.mark.parametrize("word", ["тhе", "тне", "tне", "the"])
def test_a_disguised_stop_word_is_dropped(word: str) -> None:
    assert canonical(word, homoglyphs=True, stop_words=True) == ""


def test_the_canonical_hash_is_the_hash_of_the_canonical_word() -> None:
    lexicon = Lexicon(Settings())
    words = ["running", "the", "кошками", "сос"]
    learned = lexicon.learn(hash_words(words), words)
    assert learned.tolist() == hash_words(["run", "", "кошк", "coc"]).tolist()
    assert len(lexicon) == 4


def test_a_lexicon_grows_with_what_it_reads_and_forgets_nothing() -> None:
    lexicon = Lexicon(Settings())
    text = " ".join(f"слово{i}" for i in range(6000))
    before = words_of(text, lexicon)
    assert len(lexicon) == 6000
    assert lexicon.known is not None and len(lexicon.known) >= 2 * 6000
    assert np.array_equal(words_of(text, lexicon).hash, before.hash)
    assert len(lexicon) == 6000


@pytest.mark.parametrize("rules", [Settings(), Settings.plain()], ids=["rules", "plain"])
def test_a_lexicon_without_some_words_drops_them_in_all_their_forms(rules: Settings) -> None:
    lexicon = Lexicon(rules)
    [wide] = words_of("wide", lexicon).hash.tolist()
    smaller = lexicon.without([wide])
    left = words_of("wide steppe WIDE sky", smaller).hash.tolist()
    assert left == words_of("steppe sky", lexicon).hash.tolist()
    [sky] = words_of("sky", lexicon).hash.tolist()
    assert len(words_of("wide steppe sky", smaller.without([sky]))) == 1
    assert len(words_of("wide steppe sky", lexicon)) == 3


SAMPLE = "running the runs кошки кошками қалалар coc сос кoт publish рublish 2024 x1 α ё ﬁne straße"
SAMPLE_WORDS = [*SAMPLE.split(), "漢", "ññ", "q" * 70, "мен", "мама", "mama"]


@settings(derandomize=True, deadline=None, max_examples=100)
@given(st.permutations(SAMPLE_WORDS))
def test_a_word_becomes_the_same_in_any_company(words: list[str]) -> None:
    lexicon = Lexicon(Settings())
    assert lexicon.canonical(words) == [Lexicon(Settings()).canonical([word])[0] for word in words]


@settings(derandomize=True, deadline=None, max_examples=200)
@given(st.text(st.characters(categories=["L", "M", "N"]), min_size=1, max_size=12))
def test_a_canonical_word_is_one_word(word: str) -> None:
    [form] = Lexicon(Settings()).canonical([word])
    assert form.split() in ([form], [])
