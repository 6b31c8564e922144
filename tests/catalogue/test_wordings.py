"""One word for one thing in each language, and sentences that any number and name fit into."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from likewise.catalogue import GROUPS, LANGUAGES, texts
from likewise.languages.registry import Text

PAGES = Path(__file__).parents[2] / "ui" / "src" / "app" / "words"
# What the glossary has another word for, or no reader would say.
LEFT = {
    "en": (
        *(r"\bgive up\b", r"look after your", r"correct together", r"choose none"),
        *(r"name that is shown", r"\bshown name\b", r"\binvite\b", r"the library of all"),
        *(r"\bacts?\b", r"room on the disk", r"what needs you", r"count again"),
        *(r"\{n\} letters", r"\bbatch(?:es)?\b", r"in the group\b"),
    ),
    "ru": (
        *(r"своего предела", r"пределы этого", r"\bсобрани", r"уловк", r"при[её]м\w* маскировки"),
        *(r"читател", r"уборка", r"показываемое имя", r"\bквот", r"наборо?м? параметров"),
        *(r"(?-i:\bв Интернет)", r"зачернённые отрывки"),
    ),
    "kk": (
        *(r"саусақ із", r"шегіңіз", r"\bсоның \{", r"\bоның \{n\}", r"бас тартылды$"),
        *(r"мен кіммін", r"оқырман", r"\bайла", r"бүркемеле\w+ тәсіл", r"құжаттың \{"),
        *(r"квота", r"таңбалары (?:бүлінген|жоқ)", r"тоқтау сөз", r"\bбума", r"қолтаңба"),
        *(r"архив", r"табалдыр", r"шинглдар", r"параметрлер жи", r"есептік жазба"),
    ),
}
# The log refuses a log in and a change of password: there the words fit.
REFUSALS = {"audit.act.log in refused", "audit.act.password change refused"}
FORMS = {
    "en": {"one", "other"},
    "ru": {"one", "few", "many", "other"},
    "kk": {"other"},
}
UNITS = {"ru": "ГБ|МБ|КБ|байт|%", "kk": "ГБ|МБ|КБ|байт|%"}


@cache
def every_text(language: str) -> dict[str, Text]:
    """The words of the pages, and those that the packages and reports have to say."""
    found: dict[str, Text] = {}
    for path in sorted(PAGES.glob(f"*/{language}.json")):
        found |= json.loads(path.read_text("utf-8"))
    for group in GROUPS:
        found |= texts(language, group)
    return found


def forms(language: str) -> Iterator[tuple[str, str]]:
    for key, text in every_text(language).items():
        for form in text.values() if isinstance(text, dict) else (text,):
            yield key, form


def plurals(language: str) -> Iterator[tuple[str, dict[str, str]]]:
    for key, text in every_text(language).items():
        if isinstance(text, dict):
            yield key, text


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_text_has_a_word_that_was_given_up(language):
    left = re.compile("|".join(LEFT[language]), re.IGNORECASE)
    assert [key for key, form in forms(language) if left.search(form) and key not in REFUSALS] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_plural_has_all_forms_of_its_language(language):
    for key, text in plurals(language):
        assert set(text) >= FORMS[language], key


def test_a_russian_form_that_21_and_101_take_names_its_number():
    for key, text in plurals("ru"):
        assert "{n" in text["one"] or "{n" not in text["many"], key


def test_a_kazakh_noun_after_a_number_stands_in_the_singular():
    ending = re.compile(r"\{n(?::d)?\} (?!кластер\b)\w+(?:лар|лер|дар|дер|тар|тер)\b")
    assert [key for key, form in forms("kk") if ending.search(form)] == []


def test_no_ending_hangs_on_what_is_filled_in():
    """A case ending follows the sounds of the word or number before it; a colon does not."""
    case = "сі|сы|ші|шы|ның|нің|ға|ге|ны|ні|ты|ті|ды|ді|да|де|нан|нен|тан|тен|қа|ке"
    # A percent sign and a unit are read as words that every ending here fits.
    kazakh = rf"\{{(?!share)\w+(?::(?!size)\w+)?\}}-?(?:{case}|дан|ден)\b"
    # "until" and "from" need an ending before them.
    without = r"\{\w+(?::\w+)?\} (?:дейін|бастап|кейін)\b"
    russian = r"\{\w+(?::\w+)?\}-?(?:й|го|му|х|ти|ых)\b"
    assert [key for key, form in forms("kk") if re.search(f"{kazakh}|{without}", form)] == []
    assert [key for key, form in forms("ru") if re.search(russian, form)] == []


@pytest.mark.parametrize("language", list(UNITS))
def test_a_number_and_its_unit_stay_on_one_line(language):
    parted = re.compile(rf"(?:\}}|\d) (?:{UNITS[language]})(?!\w)")
    assert [key for key, form in forms(language) if parted.search(form)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_words_of_the_glossary_are_those_of_the_pages(language):
    said = {
        "library.collection": ("collection", "коллекция", "жина"),
        "collection.library": ("shared library", "общая библиотека", "ортақ кітапхана"),
        "tricks.heading": ("tricks", "признаки маскировки", "бүркемелеу белгілері"),
        "checked.confirm": ("second reader", "второй проверяющий", "екінші тексеруші"),
        "partners.share": ("fingerprints", "отпечатков", "цифрлық іздер"),
        "stopwords.title": ("stop words", "стоп-слова", "стоп-сөздер"),
    }
    place = ("en", "ru", "kk").index(language)
    for key, words in said.items():
        assert words[place] in str(every_text(language)[key]).casefold(), key


# What stands alone on a button or above a column, in the three languages; None where any fits.
WORDED = {
    "job.cancel": ("Cancel", "Отменить", "Тоқтату"),
    "chosen.change": ("Edit details", None, None),
    "document.change": ("Edit details", None, None),
    "chosen.clear": ("Clear selection", None, None),
    "profile.shown_name": ("Display name", None, None),
    "profile.who": (None, None, "Жеке деректер"),
    "users.new": ("Add a person", None, None),
    "users.acts": ("Actions", "Действия", "Әрекеттер"),
    "users.limits": (None, "Личные лимиты", None),
    "users.since": ("Added", "Добавлен", "Қосылған күні"),
    "users.name": (None, None, "Пайдаланушы аты"),
    "login.name": (None, None, "Пайдаланушы аты"),
    "paging.before": ("Previous", None, None),
    "home.needs": ("Needs attention", None, None),
    "exclude.restore": ("Include again", None, None),
    "jobs.kind.tidy": (None, "Очистка", None),
    "job.stage.tidying": (None, "Очистка", None),
    "library.organisation.any": (None, "Любая организация", None),
    "library.tag.any": (None, "Любая метка", None),
    "checks.similar": ("Similar", "Сходство", "Ұқсастық"),
    "state.cancelled": ("Cancelled", "Отменено", "Тоқтатылды"),
    "options.against": ("Compare with", "Сравнивать с", "Немен салыстыру"),
    "chosen.not_yours": (None, None, "{'other': 'өзгертуге болмайтыны: {n}'}"),
    "home.growth.lately": (None, None, "{'other': 'оның ішінде осы айда: {n}'}"),
    "home.quota.documents": (None, None, "Қосылған құжаттар: {used} / {most}."),
    "profile.used": (None, "последняя активность: {when}", None),
}


def test_short_texts_are_worded_as_agreed():
    for place, language in enumerate(("en", "ru", "kk")):
        wanted = {key: words[place] for key, words in WORDED.items() if words[place]}
        assert {key: str(every_text(language)[key]) for key in wanted} == wanted
