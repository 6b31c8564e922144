"""Which notions a word stands for, in three languages; and the files that say so."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from importlib.resources import files

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from likewise.kernels import hash_words
from likewise.kernels.relations import WHOLE
from likewise.language import concepts as module
from likewise.language.concepts import (
    BEYOND_CONCEPTS,
    LANGUAGES,
    MOST_CONCEPTS,
    Concepts,
    as_text,
    lines,
    name_key,
    root,
)
from likewise.language.lexicon import Lexicon
from likewise.settings import Settings
from tests.kernels.strategies import repeatable

FOLDER = files("likewise.language")
SCRIPTS = {  # without ё: texts are read so, and a word in two spellings would count twice
    "en": re.compile("[a-z]+"),
    "ru": re.compile("[а-я]+"),
    "kk": re.compile("[а-яәғқңөұүһі]+"),
}
MOST_WORDS = 12  # of a concept in one language
LEAST_CONCEPTS = 12_000

Columns = tuple[tuple[str, ...], ...]


def text_of(name: str) -> str:
    return FOLDER.joinpath(name).read_text("utf-8")


@pytest.fixture(scope="module")
def concepts() -> list[Columns]:
    return list(lines(text_of("concepts.tsv")))


@pytest.fixture(scope="module")
def irregular() -> list[tuple[str, list[str]]]:
    rows = [line for line in text_of("irregular_forms.txt").splitlines() if line[:1] != "#"]
    return [(row.partition(": ")[0], row.partition(": ")[2].split(", ")) for row in rows]


# The files.


def test_there_are_enough_concepts_and_none_twice(concepts: list[Columns]) -> None:
    assert len(concepts) >= LEAST_CONCEPTS
    assert Concepts.shipped().size == len(concepts)
    counted = Counter(concepts)
    assert [columns for columns, times in counted.items() if times > 1] == []


def test_every_concept_has_words_of_three_languages(concepts: list[Columns]) -> None:
    assert [columns for columns in concepts if len(columns) != len(LANGUAGES)] == []


def test_every_word_is_one_plain_word_of_its_script(concepts: list[Columns]) -> None:
    wrong = [
        (language, word)
        for columns in concepts
        for language, column in zip(LANGUAGES, columns, strict=True)
        for word in column
        if not SCRIPTS[language].fullmatch(word)
    ]
    assert wrong == []


def test_no_column_is_long_or_holds_a_word_twice(concepts: list[Columns]) -> None:
    wrong = [
        column
        for columns in concepts
        for column in columns
        if len(column) > MOST_WORDS or len(set(column)) < len(column)
    ]
    assert wrong == []


def test_no_word_is_in_more_than_four_concepts(concepts: list[Columns]) -> None:
    counted = Counter(
        word for columns in concepts for word in {word for column in columns for word in column}
    )
    assert [word for word, times in counted.items() if times > MOST_CONCEPTS] == []


def test_no_stop_word_stands_for_a_concept(concepts: list[Columns]) -> None:
    words = sorted({word for columns in concepts for column in columns for word in column})
    canonical = Lexicon(Settings()).canonical(words)
    assert [word for word, stem in zip(words, canonical, strict=True) if not stem] == []


def test_the_stems_are_those_of_the_words() -> None:
    assert text_of("concept_stems.txt") == as_text(), "python -c 'from ... import write; write()'"


def test_every_stem_stands_for_concepts_of_the_file(concepts: list[Columns]) -> None:
    head, *rows = text_of("concept_stems.txt").splitlines()
    assert head.startswith(f"# {len(concepts)} concepts")
    stems = [row.partition("\t")[0] for row in rows]
    assert stems == sorted(set(stems))
    for row in rows:
        ids = [int(each) for each in row.partition("\t")[2].split(" ")]
        assert ids == sorted(set(ids)) and 0 <= ids[0] <= ids[-1] < len(concepts)


def test_every_word_of_the_file_finds_a_concept_of_its_own(concepts: list[Columns]) -> None:
    shipped = Concepts.shipped()
    held: dict[str, set[int]] = {}
    for number, columns in enumerate(concepts):
        for column in columns:
            for word in column:
                held.setdefault(word, set()).add(number)
    words = sorted(held)[::37]  # of forty thousand, a thousand
    lost = [word for word in words if not held[word] & set(shipped.of_word(word))]
    # A stem of several words keeps the concepts in which one of them is among the first.
    assert len(lost) <= len(words) // 100, lost


def test_irregular_forms_are_plain_words_of_one_script(
    irregular: list[tuple[str, list[str]]],
) -> None:
    assert len(irregular) > 1000
    wrong = [
        (base, forms)
        for base, forms in irregular
        if not any(
            all(script.fullmatch(word) for word in (base, *forms)) for script in SCRIPTS.values()
        )
    ]
    assert wrong == []


def test_a_base_form_stands_once_and_so_does_each_of_its_forms(
    irregular: list[tuple[str, list[str]]],
) -> None:
    counted = Counter(base for base, _ in irregular)
    assert [base for base, times in counted.items() if times > 1] == []
    assert [base for base, forms in irregular if len({base, *forms}) <= len(forms)] == []


# Words.

INFLECTED = [
    ("glaciers", "ледниками", "мұздықтардың"),
    ("teachers", "учителями", "мұғалімдерге"),
    ("rivers", "реках", "өзендерден"),
    ("libraries", "библиотекой", "кітапханаларда"),
    ("building", "строили", "салды"),
    ("grew", "выросли", "өсті"),
    ("children", "детьми", "балаларымыз"),
    ("mice", "мышами", "тышқандар"),
    ("thought", "думали", "ойлады"),
    ("wrote", "написали", "жазған"),
    ("cities", "городов", "қалаларымыздың"),
    ("bridges", "мостами", "көпірлерден"),
    ("taught", "преподавала", "оқытты"),
    ("measured", "измеряли", "өлшеген"),
    ("winters", "зимой", "қыста"),
    ("wolves", "волков", "қасқырлардың"),
    ("memories", "воспоминаниях", "естеліктерде"),
    ("ice", "льдом", "мұзда"),
    ("feet", "ногами", "аяқпен"),
    ("windows", "окнами", "терезелерден"),
    ("dreamt", "мечтала", "армандады"),
    ("forests", "лесами", "ормандарда"),
    ("songs", "песнями", "әндерді"),
]


@pytest.mark.parametrize("words", INFLECTED, ids=lambda words: words[0])
def test_inflected_words_of_three_languages_meet_in_a_concept(words: tuple[str, ...]) -> None:
    english, russian, kazakh = (set(Concepts.shipped().of_word(word)) for word in words)
    assert english & russian & kazakh


@pytest.mark.parametrize("word", ["River", "RIVER", "river", "rivers", "ri\xadver", "ri-\nver"])
def test_a_word_is_the_same_however_it_is_written(word: str) -> None:
    assert set(Concepts.shipped().of_word(word)) == set(Concepts.shipped().of_word("river"))


def test_ё_is_е() -> None:
    of_word = Concepts.shipped().of_word
    assert of_word("лёд") == of_word("лед") != ()
    assert set(of_word("лёд")) & set(of_word("льда"))


def test_words_of_one_topic_are_not_one_concept() -> None:
    of_word = Concepts.shipped().of_word
    for one, other in [("river", "лодка"), ("teacher", "школа"), ("winter", "қар"), ("dog", "cat")]:
        assert of_word(one) and of_word(other)
        assert not set(of_word(one)) & set(of_word(other))


@pytest.mark.parametrize(
    "word",
    [
        *("Straßenbahn", "gestern", "Schmetterling", "Geschwindigkeit"),
        *("öğretmen", "çocuklar", "kütüphane", "bahçede"),
        *("perro", "maison", "щодня", "цеглина"),
        *("图书馆", "مدينة", "ქალაქი", "βιβλιοθήκη"),
    ],
)
def test_a_word_of_a_fourth_language_has_no_concept(word: str) -> None:
    assert Concepts.shipped().of_word(word) == ()


FORMS = [  # that a stem alone would lead to another word
    *(("name", "имя", "атын"), ("horse", "конь", "атқа"), ("surname", "фамилия", "тегі")),
    *(("command", "команда", "командасы"), ("chest", "сундук", "сандықты")),
    *(("son", "сын", "ұлы"), ("layer", "слой", "қабатын"), ("water", "вода", "судан")),
    *(("say", "сказать", "депті"), ("find", "найти", "таба"), ("reach", "достичь", "жете")),
    *(("discharge", "уволить", "шығарылған"), ("smoking", "курение", "шегуге")),
]


@pytest.mark.parametrize("words", FORMS, ids=lambda words: words[0])
def test_a_kazakh_form_is_of_its_own_word(words: tuple[str, ...]) -> None:
    test_inflected_words_of_three_languages_meet_in_a_concept(words)


def test_a_form_without_meaning_stands_for_nothing_and_its_neighbours_for_something() -> None:
    forms = sorted(module._SMALL_FORMS)
    assert [form for form in forms if Concepts.shipped().of_word(form)] == []
    others = [key for meanings in features_of(forms) for key, _ in meanings]
    assert len(set(others)) == len(forms) and min(others) >= 3 * BEYOND_CONCEPTS  # nor for a name
    assert all(map(Concepts.shipped().of_word, ("сай", "сену", "шіркеу", "қалайы", "міну")))


@pytest.mark.parametrize("word", ["", " ", "…", "the", "которые", "және", "1917", "\ud800", "—"])
def test_what_is_no_word_that_counts_has_no_concept(word: str) -> None:
    assert Concepts.shipped().of_word(word) == ()


# Names and numbers.

NAMES = [
    ("Carnegie", "Карнеги"),
    ("Shakespeare", "Шекспир"),
    ("Einstein", "Эйнштейн"),
    ("Darwin", "Дарвин"),
    ("Chekhov", "Чехов"),
    ("Tchaikovsky", "Чайковский"),
    ("Dostoevsky", "Достоевский"),
    ("Mendeleev", "Менделеев"),
    ("Zhukov", "Жуков"),
    ("Jackson", "Джексон"),
    ("Marconi", "Маркони"),
    ("Amundsen", "Амундсен"),
    ("Qonayev", "Қонаев"),
    ("Auezov", "Әуезов"),
    ("Baikonur", "Байқоңыр"),
    ("Altynsarin", "Алтынсарин"),
]


@pytest.mark.parametrize(("latin", "cyrillic"), NAMES, ids=[name for name, _ in NAMES])
def test_a_name_is_the_same_in_both_alphabets(latin: str, cyrillic: str) -> None:
    assert name_key(latin) == name_key(cyrillic) == name_key(cyrillic.upper())


def test_different_names_differ() -> None:
    keys = {name_key(name) for name, _ in NAMES}
    assert len(keys) == len(NAMES)


@repeatable(300)
@given(st.text(st.characters(), max_size=20))
def test_the_key_of_a_name_is_that_of_its_capitals_and_never_longer(word: str) -> None:
    key = name_key(word)
    assert key == name_key(word.casefold())
    assert len(key) <= 2 * len(word.casefold())


LETTERS = "abceghiknоqrstuwxyабвгдежзийклмнопрстуфхцчшщъыьэюяәғқңөұүһі"


@repeatable(300)
@given(st.text(st.sampled_from(LETTERS), max_size=16))
def test_a_root_begins_as_its_stem_and_is_not_empty(stem: str) -> None:
    bare = root(stem)
    assert len(bare) <= len(stem) and bool(bare) == bool(stem)
    assert bare[:-1] == stem[: len(bare)][:-1]  # a fleeting vowel may be gone before the last


# What alignment asks for: the features of distinct words.


def spelled_as(words: list[str]) -> Callable[[NDArray[np.int64]], list[str]]:
    return lambda places: [words[place] for place in places]


def features_of(words: list[str], shipped: Concepts | None = None) -> list[list[tuple[int, int]]]:
    """The key and weight of each concept of each word, as a document would ask for them."""
    canonical = Lexicon(Settings()).canonical([word.lower() for word in words])
    features = (shipped or Concepts.shipped()).features(hash_words(canonical), spelled_as(words))
    assert np.all(np.diff(features.key) >= 0)
    meanings: list[list[tuple[int, int]]] = [[] for _ in words]
    for key, word, weight in zip(
        features.key.tolist(), features.word.tolist(), features.weight.tolist(), strict=True
    ):
        meanings[word].append((key, weight))
    return meanings


MIXED = [
    *(word for words in INFLECTED for word in words),
    *(name for names in NAMES for name in names),
    *("1917", "42", "7", "h2o", "zzyzx", "қй", "图书馆", "қолданылатындықтан", "использующимися"),
]


def fresh() -> Concepts:
    """The same lexicon with nothing remembered."""
    shipped = Concepts.shipped()
    stems = list(shipped._ids_of)
    return Concepts(shipped.size, stems, [shipped._ids_of[stem] for stem in stems])


def test_the_concepts_of_a_word_share_its_weight_and_are_its_own() -> None:
    for word, meanings in zip(MIXED, features_of(MIXED), strict=True):
        assert 0 < sum(weight for _, weight in meanings) <= WHOLE
        assert all(weight > 0 for _, weight in meanings)
        ids = tuple(key for key, _ in meanings if key < BEYOND_CONCEPTS)
        assert ids == Concepts.shipped().of_word(word)


def test_numbers_are_themselves_and_longer_ones_weigh_more() -> None:
    [[year], [again], [two], [one], [other]] = features_of(["1917", "1917", "42", "7", "8"])
    assert year == again
    assert year[1] > two[1] > one[1]
    assert len({year[0], two[0], one[0], other[0]}) == 4
    assert one[0] >= BEYOND_CONCEPTS


def test_names_without_a_concept_meet_across_alphabets() -> None:
    latin, cyrillic, other = features_of(["Dostoevsky", "Достоевский", "Mendeleev"])
    assert latin == cyrillic != other
    assert all(key >= BEYOND_CONCEPTS for key, _ in latin)


def test_a_name_of_letters_with_twins_meets_its_latin_spelling() -> None:
    latin, cyrillic, inflected, divided = features_of(["Kant", "Кант", "Кантом", "Кан-\nтом"])
    assert latin == cyrillic == inflected == divided


def test_a_word_is_the_same_whatever_was_asked_before() -> None:
    together = features_of(MIXED, fresh())
    assert features_of(MIXED[::-1], fresh())[::-1] == together
    assert [features_of([word], fresh())[0] for word in MIXED[::9]] == together[::9]
    assert features_of(MIXED) == together


def test_a_word_is_the_same_after_the_memory_was_cleared(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = features_of(MIXED)
    monkeypatch.setattr(module, "_MOST_REMEMBERED", 3)
    forgetful = fresh()
    for first in range(0, len(MIXED), 10):
        assert features_of(MIXED[first : first + 10], forgetful) == expected[first : first + 10]


def test_threads_get_the_same_while_others_clear_the_memory(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    expected = features_of(MIXED)
    monkeypatch.setattr(module, "_MOST_REMEMBERED", 3)
    forgetful = fresh()

    def ask(first: int) -> bool:
        part = slice(first % len(MIXED), first % len(MIXED) + 12)
        return features_of(MIXED[part], forgetful) == expected[part]

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(ask, range(200)))


@repeatable(200)
@given(st.lists(st.text(st.characters(), max_size=12), max_size=6))
def test_whatever_is_written_stands_for_something_or_nothing(words: list[str]) -> None:
    for word in words:
        assert all(key < Concepts.shipped().size for key in Concepts.shipped().of_word(word))
    hashes = np.arange(1, len(words) + 1, dtype=np.uint64)
    features = Concepts.shipped().features(hashes, spelled_as(words))
    assert len(features.key) == len(features.word) == len(features.weight)


@pytest.mark.parametrize("word", ["л" * 30_000, "қыл" * 10_000, "ing" * 10_000, "которые", "the"])
def test_what_is_dropped_is_not_looked_up_ending_by_ending(
    word: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_: str) -> None:
        raise AssertionError("this takes time by the square of its letters")

    monkeypatch.setattr(module, "_without_endings", refuse)
    monkeypatch.setattr(module, "stem_kazakh", refuse)
    hashes = np.array([1], dtype=np.uint64)
    features = fresh().features(hashes, spelled_as([word]))
    assert features.key.tolist() and min(features.key.tolist()) >= BEYOND_CONCEPTS
    assert Concepts.shipped().of_word(word) == ()


def test_no_words_have_no_features() -> None:
    assert features_of([]) == []
