"""What is asked for: the telling words of every part, and nothing that is quoted."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from likewise.internet.queries import (
    MOST_PER_100_WORDS,
    QUERY_WORDS,
    default_budget,
    informative_parts,
    searched_words,
    spread,
    words_of_text,
)
from likewise.language import Lexicon
from likewise.language.rarity import RAREST, Rarity
from likewise.model import Document, Page, Span
from likewise.settings import Settings
from tests.texts import MARKET, OWN, RIVER

LEXICON, RARITY = Lexicon(Settings()), Rarity.shipped()


def parts_of(text: str, budget: int | None = None):
    document = Document.from_text(text)
    words = searched_words(document, LEXICON, RARITY)
    return informative_parts(document, words, budget or default_budget(len(words)))


def all_queries(text: str, budget: int | None = None) -> list[str]:
    return [query.text for part in parts_of(text, budget) for query in part.queries]


def test_queries_are_made_of_rare_words_in_their_order():
    (first, *_) = all_queries(RIVER)
    asked = first.split()
    assert len(asked) <= QUERY_WORDS
    assert not {"the", "of", "and", "it", "people", "through"} & set(asked)
    places = [RIVER.lower().index(word) for word in asked]
    assert places == sorted(places)


def test_every_page_of_a_document_is_asked_for():
    paragraphs = [f"{RIVER} {MARKET} {OWN} Chapter {number} ends." for number in range(12)]
    text = "\n\n".join(paragraphs)
    pages, start = [], 0
    for number, paragraph in enumerate(paragraphs, 1):
        pages.append(Page(number, Span(start, start + len(paragraph))))
        start += len(paragraph) + 2
    places = [query.span for part in parts_of(text) for query in part.queries]
    assert all(any(page.span & place for place in places) for page in pages)


@pytest.mark.parametrize("budget", [1, 2, 5])
def test_a_small_budget_still_covers_the_whole_text(budget: int):
    text = "\n\n".join([RIVER, MARKET, OWN] * 4)
    parts = parts_of(text, budget)
    assert len(parts) <= budget
    assert parts[0].span.start < 10
    assert parts[-1].span.end > len(text) - 10


def test_cited_quotations_and_the_bibliography_are_not_asked_for():
    text = (
        f"{RIVER}\n\nLee writes: “zeugmatic walruses quarrel sedulously under the ultramarine "
        f"pergola” (Lee, 2019, p. 7).\n\n{MARKET}\n\nReferences\n\n"
        "1. Lee A. Zeugmatic walruses. Oxford: Palimpsest Press, 2019. 312 p.\n"
        "2. Nur B. Nomadology of thistles. Almaty: Gylym, 2011. 240 p.\n"
        "3. Orr C. Haruspex manual. London: Obelus, 2003. 98 p.\n"
    )
    asked = " ".join(all_queries(text))
    assert "herons" in asked
    assert not any(word in asked for word in ("walruses", "sedulously", "palimpsest", "haruspex"))


def test_disguised_letters_are_asked_for_as_they_were():
    disguised = "Кoчeвники пepeгoняют oтapы вepблюдoв чepeз coлoнчaки пoлупуcтыни".replace("o", "o")
    spelled = [word.spelled for word in words_of_text(disguised, LEXICON, RARITY)]
    assert spelled[0] == "кочевники"
    assert "верблюдов" in spelled


def test_words_broken_at_a_line_end_are_asked_for_whole():
    broken = "The hydro-\nelectric cormorants nest beside the sluice."
    spelled = [word.spelled for word in words_of_text(broken, LEXICON, RARITY)]
    assert "hydroelectric" in spelled


@given(st.integers(0, 100_000))
def test_there_are_never_more_than_two_queries_for_100_words(words: int):
    budget = default_budget(words)
    assert budget >= 1
    assert budget <= max(words * MOST_PER_100_WORDS / 100, 1)


@given(st.integers(0, 500))
def test_the_spread_order_takes_everything_once(count: int):
    assert sorted(spread(count)) == list(range(count))


@pytest.mark.parametrize("text", ["", " \n ", "12 34 56", "the of and", "один"])
def test_a_text_that_says_nothing_is_not_asked_for(text: str):
    assert all_queries(text) == []


def test_frequent_words_of_all_three_languages_are_less_rare():
    for common, rare in (("years", "heron"), ("района", "солончак"), ("жылы", "айғыр")):
        often, seldom = LEXICON.canonical([common, rare])
        assert RARITY.of(often) < 6 < RARITY.of(seldom) <= RAREST


def test_what_a_library_holds_often_is_less_rare_there():
    texts = [f"Spectroscopy of sample {number}." for number in range(40)]
    there = RARITY.among(texts, LEXICON)
    (stem,) = LEXICON.canonical(["spectroscopy"])
    assert there.of(stem) == 0 < RARITY.of(stem)
    assert RARITY.among(texts[:3], LEXICON).of(stem) == RARITY.of(stem)
