"""Queries in other languages: sent only where they are allowed, and never instead of all others."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import permutations
from pathlib import Path

import pytest

from likewise.align import CheckOptions
from likewise.errors import BadInput
from likewise.internet import Plan, check_on_web, plan_of
from likewise.internet.queries import QUERY_WORDS, default_budget, other_budget
from likewise.language import detect
from likewise.language.concepts import translate
from likewise.model import Check, Document
from tests.align.rendered_texts import ESSAYS, SEA, checked, source
from tests.texts import MARKET, OWN, RIVER

from .world import World, world

LANGUAGES = ("en", "ru", "kk")
ENOUGH = 20  # queries: for every part in every language
CYRILLIC = re.compile("[а-яәғқңөұүһі]")
KAZAKH = re.compile("[әғқңөұүһі]")


@pytest.fixture
def small(tmp_path: Path) -> Iterator[World]:
    """The same in three languages on pages of their own, among others."""
    pages = {f"/sea-{language}.html": source_text(language) for language in LANGUAGES}
    with world({**pages, "/market.html": MARKET}, tmp_path / "pages") as internet:
        yield internet


@pytest.fixture
def english(tmp_path: Path) -> Iterator[World]:
    """Pages in English alone."""
    texts = {"/sea.html": source_text("en"), "/market.html": MARKET, "/river.html": RIVER}
    with world(texts, tmp_path / "pages") as internet:
        yield internet


def checked_text(language: str) -> str:
    return checked(language, SEA[language])


def source_text(language: str) -> str:
    return source(language, SEA[language])


def check(document: str | Document, on: World, **options) -> Check:
    one = Document.from_text(document) if isinstance(document, str) else document
    return check_on_web(one, providers=on.providers, fetcher=on.fetcher, **options)


def pages_of(check: Check) -> set[str]:
    return {s.name.rpartition("/")[2] for s in check.sources if s.passages}


def translations(plan: Plan) -> list[tuple[str, str]]:
    return [(query.language, query.text) for part in plan.parts for query in part.translations]


def plan(text: str, **options) -> Plan:
    return plan_of(Document.from_text(text), (), other_languages=True, **options)


def test_an_english_source_of_a_russian_text_is_found_with_the_option_alone(english: World):
    assert pages_of(check(checked_text("ru"), english, budget=ENOUGH)) == set()
    assert not any(query.isascii() for query in english.queries)
    outcome = check(checked_text("ru"), english, budget=ENOUGH, other_languages=True)
    assert pages_of(outcome) == {"sea.html"}
    (passage,) = outcome.sources[0].passages
    assert passage.kind == "translated"


@pytest.mark.parametrize(("here", "there"), list(permutations(LANGUAGES, 2)))
def test_what_was_translated_is_found_from_every_language_in_every_other(
    here: str, there: str, tmp_path: Path
):
    with world({"/sea.html": source_text(there), "/market.html": MARKET}, tmp_path) as internet:
        outcome = check(checked_text(here), internet, budget=ENOUGH, other_languages=True)
    assert pages_of(outcome) == {"sea.html"}


def test_every_translated_query_is_in_the_log_of_what_was_sent(small: World):
    outcome = check(checked_text("ru"), small, budget=ENOUGH, other_languages=True)
    assert [asked.query for asked in outcome.asked] == small.queries
    assert any(query.isascii() for query in small.queries)
    assert any(KAZAKH.search(query) for query in small.queries)


def test_people_are_told_of_the_languages_before_anything_is_sent(small: World):
    document = Document.from_text(checked_text("kk"))
    (disclosure,) = plan_of(document, small.providers, other_languages=True).disclosures
    assert "some of them translated: English, Russian" in str(disclosure)
    (disclosure,) = plan_of(document, small.providers).disclosures
    assert "translated" not in str(disclosure)
    assert not small.engine.seen


def test_nothing_but_words_is_sent_in_other_languages_either(small: World):
    check(checked_text("ru"), small, other_languages=True)
    for seen in small.engine.seen:
        assert set(seen.asked) <= {"q", "format", "safesearch"}
        assert len(seen.asked["q"].split()) <= QUERY_WORDS
        assert seen.asked["q"] not in " ".join(map(source_text, LANGUAGES)).lower()


@pytest.mark.parametrize("budget", [1, 2, 3, 6, None])
def test_the_budget_is_shared_and_own_words_have_the_larger_part(tmp_path: Path, budget: int):
    document = Document.from_text("\n\n".join(ESSAYS["ru"]))
    with world({"/market.html": MARKET}, tmp_path) as empty:
        outcome = check(document, empty, other_languages=True, budget=budget)
    allowed = budget or default_budget(len(document.text.split()))
    own = [asked for asked in outcome.asked if detect_script(asked.query) == "ru"]
    assert len(outcome.asked) <= allowed
    assert len(own) >= len(outcome.asked) - other_budget(len(outcome.asked))
    if allowed > 1:
        assert len(own) < len(outcome.asked)


def detect_script(query: str) -> str:
    """The language of a query of the Russian essays."""
    return "en" if query.isascii() else "kk" if KAZAKH.search(query) else "ru"


def test_a_copy_in_the_same_language_is_still_found_with_few_queries(small: World):
    outcome = check(source_text("ru"), small, other_languages=True, budget=4)
    assert "sea-ru.html" in pages_of(outcome)


def test_what_a_page_in_the_same_language_explains_is_not_asked_for_in_others(english: World):
    check(f"{RIVER}\n\n{MARKET}", english, budget=ENOUGH, other_languages=True)
    assert english.queries
    assert not any(CYRILLIC.search(query) for query in english.queries)


def test_both_other_languages_are_asked_in_turn():
    order = [language for language, _ in translations(plan("\n\n".join(ESSAYS["ru"])))]
    assert set(order) == {"en", "kk"}


def test_a_translated_query_keeps_numbers_and_names_that_the_alphabet_can_write():
    text = (
        "В 1907 году инженеры вместе с фирмой Siemens построили плотину и мельницу на реке, а "
        "журналист Тургумбаев описал рыбаков, пастухов и кузнецов этой долины."
    )
    queries = dict(translations(plan(text)))
    assert {"1907", "siemens"} <= set(queries["en"].split())
    assert not CYRILLIC.search(queries["en"])
    assert {"1907", "siemens", "тургумбаев"} <= set(queries["kk"].split())


def test_a_part_in_another_language_is_translated_from_its_own():
    text = "\n\n".join([*ESSAYS["ru"][:1], SEA["en"]])
    languages = {
        (detect(part.span.of(text)), query.language)
        for part in plan(text).parts
        for query in part.translations
    }
    assert languages == {("ru", "en"), ("ru", "kk"), ("en", "ru"), ("en", "kk")}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "12 34 56",
        "Сәлем",
        "Der Fluss verlässt das Gebirge durch ein enges Tor aus rotem Stein und im Frühling trägt "
        "er Äste, Eis und manchmal ein ertrunkenes Schaf, und die Leute ziehen mit Gärten um.",
        "Zxqv bnmk wrtp qwzx vbnk mlkj hgfd",
        "\U0001f40e " * 50,
    ],
)
def test_a_text_without_concepts_is_not_translated(text: str):
    document_plan = plan(text)
    assert translations(document_plan) == []
    assert document_plan == plan_of(Document.from_text(text), ())


def test_without_the_option_nothing_is_translated():
    assert translations(plan_of(Document.from_text(checked_text("ru")), ())) == []


def test_translations_that_could_not_be_compared_are_refused(small: World):
    with pytest.raises(BadInput, match="by meaning"):
        check(OWN, small, other_languages=True, options=CheckOptions(by_meaning=False))
    assert not small.engine.seen


@pytest.mark.parametrize(
    ("word", "language", "to", "translation"),
    [
        ("библиотеками", "ru", "en", "library"),
        ("кітапханадағы", "kk", "ru", "библиотека"),
        ("state", "en", "ru", "государство"),  # of two lines that begin with it, the first
        ("bow", "en", "ru", "лук"),
        ("zxqv", "en", "ru", ""),
        ("2019", "en", "ru", ""),
        ("the", "en", "ru", ""),
        ("", "en", "ru", ""),
    ],
)
def test_a_word_is_translated_by_its_usual_meaning(
    word: str, language: str, to: str, translation: str
):
    assert translate(word, language, to) == translation
