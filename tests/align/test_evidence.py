"""Nobody is accused by chance, and whoever copied is still found among ever more documents."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import likewise as lw
from bench.making.honest import LANGUAGES, written
from likewise.align import draft_of, side_of
from likewise.align.check import check_against
from likewise.align.evidence import BOUND, Background, score_of
from likewise.language import Lexicon, words_of
from likewise.model import Check, Document
from likewise.settings import Settings
from tests.texts import MARKET, OWN, RIVER

ESSAYS = {language: list(written(f"essays-{language}").values()) for language in LANGUAGES}
ALL_ESSAYS = [essay for essays in ESSAYS.values() for essay in essays]
COPIED_WORDS = 30
ENOUGH_WORDS = 12  # of them that count: no stop words


def documents(texts: list[str]) -> list[Document]:
    return [Document.from_text(text, name=f"d{n}") for n, text in enumerate(texts)]


def check(text: str, others: list[str], **how: Any) -> Check:
    return check_against(
        Document.from_text(text, name="mine"), documents(others), Settings(), **how
    )


def counted(found: Check) -> list[str]:
    return [span.of(found.document.text) for source in found.sources for span in source.spans]


some_essays = st.lists(
    st.sampled_from(range(len(ALL_ESSAYS))), min_size=1, max_size=50, unique=True
)


@settings(max_examples=25)
@given(some_essays, some_essays, st.sampled_from((None, 1_000, 100_000)))
def test_however_honest_texts_are_put_together_nothing_of_them_counts(checked, others, searched):
    text = "\n\n".join(ALL_ESSAYS[i] for i in checked)
    there = [ALL_ESSAYS[i] for i in others if i not in checked]
    found = check(text, there, searched=searched)
    assert counted(found) == []
    assert found.shares.similar == 0


@settings(max_examples=12)
@given(st.integers(0, 10**6), st.sampled_from(LANGUAGES))
@example(284, "en")  # looser words around the copy had a meaning that denied all of it
def test_a_copy_of_thirty_words_is_found_among_a_thousand_and_a_hundred_thousand(seed, language):
    choose = random.Random(seed)
    own, *others = choose.sample(ESSAYS[language], len(ESSAYS[language]))
    source = choose.randrange(len(others))
    words = re.findall(r"\S+\s*", others[source])
    start = choose.randrange(len(words) - COPIED_WORDS)
    copied = "".join(words[start : start + COPIED_WORDS]).strip()
    sentences = own.split(". ")
    sentences.insert(len(sentences) // 2, copied)
    for searched in (len(others), 1_000, 100_000):
        found = check(". ".join(sentences), others, searched=searched)
        shown = {s.name for s in found.sources if s.passages or s.fragments}
        assert f"d{source}" in shown
        if len(words_of(copied, Lexicon(Settings()))) < ENOUGH_WORDS:
            continue  # shown, and not counted among so many
        (first,) = (s for s in found.sources if s.passages)
        assert first.name == f"d{source}"
        assert all(p.expected is not None and p.expected <= BOUND for p in first.passages)
        text = " ".join(counted(found))
        assert sum(word.strip() in text for word in words[start : start + COPIED_WORDS]) > 20


def test_the_expected_number_grows_with_the_documents_that_were_searched():
    def expected(searched: int) -> float:
        found = check(f"{OWN} {RIVER}", [RIVER, MARKET], searched=searched)
        (source,) = found.sources
        (passage,) = source.passages
        assert passage.expected is not None
        return passage.expected

    few, many = expected(2), expected(10**6)
    assert 0 < few < many <= BOUND


def test_a_long_text_does_not_come_from_a_short_one_about_the_same():
    """What was said of honest authors before: thousands of words out of a few hundred."""
    text = "\n\n".join(ESSAYS["en"][:30])
    for other in ESSAYS["en"][30:]:
        assert not lw.compare(Document.from_text(text), Document.from_text(other)).passages


def test_an_own_sentence_between_copied_ones_is_not_swallowed():
    sentences = RIVER.split(". ")
    own = "My grandmother sold umbrellas and never once complained about the noisy neighbours"
    mixed = ". ".join([*sentences[:2], own, *sentences[2:]])
    found = check(mixed, [RIVER, MARKET])
    assert not any("umbrellas" in part for part in counted(found))
    assert found.shares.similar > 0.6


def test_words_that_all_others_hold_say_less():
    text, other = (" ".join(ESSAYS["en"][i].split()[:80]) for i in (0, 1))
    lexicon = Lexicon(Settings())
    mine = side_of(Document.from_text(f"{text} {RIVER}"), lexicon)
    theirs = side_of(Document.from_text(f"{other} {RIVER}"), lexicon)
    draft = draft_of(mine, theirs)
    background = Background(mine)
    for essay in ESSAYS["en"][2:]:
        held = background.see(side_of(Document.from_text(f"{essay} {RIVER}"), lexicon))
        background.add(held)
    (stretch,) = draft.stretches
    alone, among = score_of(stretch.evidence), score_of(stretch.evidence, background, False)
    assert among < alone


def test_further_passages_of_a_source_need_not_be_found_again_among_all():
    """Once a document is a source beyond doubt, a weaker passage from it counts too."""
    sentences = MARKET.split(". ")
    weak = ". ".join(sentences[:2])
    alone = check(f"{OWN} {weak}", [f"{MARKET}", RIVER], searched=10**9)
    beside = check(f"{OWN} {weak} {OWN[::-1]} {RIVER}", [f"{MARKET} {RIVER}"], searched=10**9)
    assert sum(map(len, counted(beside))) > sum(map(len, counted(alone))) + len(RIVER) // 2


@pytest.mark.parametrize("words", [0, 1, 5, 19])
def test_a_text_of_a_few_words_is_too_short_to_check(words):
    text = " ".join(f"unheard{n}" for n in range(words))
    found = check(text, [RIVER])
    assert found.is_too_short


def test_a_short_text_that_was_copied_is_not_too_short():
    assert not check(RIVER, [RIVER]).is_too_short
    assert not check(OWN, [RIVER]).is_too_short
