"""Passages in other words or another language: found, told apart, and nobody accused."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import astuple
from itertools import permutations, product

import pytest

from bench.quality.one_subject import SUBJECTS
from likewise.align import Alignment, align, side_of
from likewise.align.evidence import BOUND
from likewise.align.meaning import (
    FEWEST_WORDS,
    Rendering,
    meaning_of,
    score_needed_by,
)
from likewise.align.pair import Box
from likewise.align.second_look import SecondLook
from likewise.kernels.relations import NAT
from likewise.language import Lexicon
from likewise.model import Document, Kind, Passage, Span
from likewise.settings import Settings
from tests.align.rendered_texts import (
    ANSWERS,
    COPIED,
    ESSAYS,
    LIVES,
    REPORTS,
    SEA,
    SEA_REWRITTEN,
    SEA_SUMMARISED,
    checked,
    sentences_of,
    source,
)
from tests.align.texts import ENGLISH, KAZAKH, RUSSIAN

LANGUAGES = ("en", "ru", "kk")
TRANSLATIONS = list(permutations(LANGUAGES, 2))
BOTH_LANGUAGES = list(product(LANGUAGES, repeat=2))
COPIES = {"en": ENGLISH, "ru": RUSSIAN, "kk": KAZAKH}


def aligned(
    a: str, b: str, settings: Settings | None = None, *, by_meaning: bool = True
) -> Alignment:
    one, other = Document.from_text(a), Document.from_text(b)
    return align(one, other, settings, by_meaning=by_meaning)


def is_about(span: Span, text: str, part: str) -> bool:
    """Whether a span is about some part of a text: four fifths of either in the other."""
    start = text.index(part)
    overlap = min(span.end, start + len(part)) - max(span.start, start)
    return 5 * overlap > 4 * max(len(part), span.end - span.start)


def assert_found(a: str, b: str, part_a: str, part_b: str, kind: Kind) -> Passage:
    [passage] = aligned(a, b).passages
    assert is_about(passage.a, a, part_a), passage.a.of(a)
    assert is_about(passage.b, b, part_b), passage.b.of(b)
    assert passage.kind == kind
    assert passage.by_meaning
    assert 0 < passage.score <= 1
    return passage


# What is found.


@pytest.mark.parametrize(("here", "there"), TRANSLATIONS)
def test_a_translated_paragraph_is_found_with_both_its_languages(here: str, there: str) -> None:
    a, b = checked(here, SEA[here]), source(there, SEA[there])
    passage = assert_found(a, b, SEA[here], SEA[there], "translated")
    assert passage.languages == (here, there)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_paragraph_in_other_words_is_found_from_either_side(language: str) -> None:
    original, rewritten = SEA[language], SEA_REWRITTEN[language]
    for one, other in permutations((original, rewritten)):
        passage = assert_found(
            checked(language, one), source(language, other), one, other, "rewritten"
        )
        assert passage.languages is None


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_summary_is_found_and_called_so(language: str) -> None:
    summary, original = SEA_SUMMARISED[language], SEA[language]
    a, b = checked(language, summary), source(language, original)
    assert assert_found(a, b, summary, original, "summarised").languages is None


@pytest.mark.parametrize(("here", "there"), TRANSLATIONS)
def test_words_alone_find_nothing_of_a_translation(here: str, there: str) -> None:
    a, b = checked(here, SEA[here]), source(there, SEA[there])
    assert aligned(a, b, by_meaning=False).passages == ()


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_is_found_by_meaning_if_that_is_not_asked_for(language: str) -> None:
    for part in (SEA_REWRITTEN[language], SEA_SUMMARISED[language], SEA[language]):
        a, b = checked(language, part), source(language, SEA[language])
        passages = aligned(a, b, by_meaning=False).passages
        assert not any(passage.by_meaning for passage in passages)
        assert not any(passage.kind == "translated" for passage in passages)


def test_a_translation_is_found_in_a_text_of_nothing_else() -> None:
    [passage] = aligned(SEA["kk"], source("en", SEA["en"])).passages
    assert passage.kind == "translated"
    assert is_about(passage.a, SEA["kk"], SEA["kk"])


# What was copied, and what stands beside it.


@pytest.mark.parametrize(("here", "there"), TRANSLATIONS)
def test_one_copied_sentence_does_not_hide_a_translated_page(here: str, there: str) -> None:
    half = sentences_of(SEA[here])
    amid = " ".join((*half[:3], COPIED[there], *half[3:]))
    b = source(there, SEA[there], COPIED[there])
    for text in (checked(here, COPIED[there], SEA[here]), checked(here, amid)):
        translated = [p for p in aligned(text, b).passages if p.kind == "translated"]
        told = set().union(*(range(p.a.start, p.a.end) for p in translated))
        for sentence in half:
            start = text.index(sentence)
            assert len(told.intersection(range(start, start + len(sentence)))) > len(sentence) / 2


@pytest.mark.parametrize(("here", "there"), TRANSLATIONS)
def test_a_copied_paragraph_stays_verbatim_beside_a_translated_one(here: str, there: str) -> None:
    copied = " ".join((COPIED[there], *COPIES[there][0].sentences[:3]))
    a, b = checked(here, copied, SEA[here]), source(there, SEA[there], copied)
    [first, second] = aligned(a, b).passages
    assert first.kind == "verbatim" and not first.by_meaning
    assert first.a.of(a) == first.b.of(b) == copied
    assert second.kind == "translated" and second.by_meaning
    assert is_about(second.a, a, SEA[here]) and is_about(second.b, b, SEA[there])


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_was_copied_or_edited_is_the_same_with_and_without_the_look_by_meaning(
    language: str,
) -> None:
    verbatim = " ".join(COPIES[language][0].sentences)
    edited = " ".join(
        second if k % 3 == 0 else first
        for k, (first, second) in enumerate(zip(*COPIES[language][0], strict=True))
    )
    b = source(language, verbatim)
    for part in (verbatim, edited):
        a = checked(language, part)
        passages = aligned(a, b).passages
        assert passages and passages == aligned(a, b, by_meaning=False).passages
        assert not any(passage.by_meaning for passage in passages)


def test_a_text_beside_itself_is_one_verbatim_passage() -> None:
    for language in LANGUAGES:
        [passage] = aligned(SEA[language], SEA[language]).passages
        assert (passage.kind, passage.by_meaning) == ("verbatim", False)


# What is nobody's copy.


@pytest.mark.parametrize("texts", [ESSAYS, REPORTS, LIVES], ids=["essays", "reports", "lives"])
@pytest.mark.parametrize(("here", "there"), BOTH_LANGUAGES)
def test_texts_on_one_subject_are_not_accused(
    texts: dict[str, tuple[str, str]], here: str, there: str
) -> None:
    assert aligned(texts[here][0], texts[there][1]).passages == ()
    assert aligned(texts[here][1], texts[there][0]).passages == ()


@pytest.mark.parametrize(("here", "there"), BOTH_LANGUAGES)
def test_the_neighbour_of_a_translation_is_no_translation(here: str, there: str) -> None:
    before, after = sentences_of(SEA[here])[:3], sentences_of(SEA[there])[3:]
    a, b = checked(here, " ".join(before)), source(there, " ".join(after))
    assert aligned(a, b).passages == ()


@pytest.mark.parametrize(("here", "there"), BOTH_LANGUAGES)
def test_texts_that_share_nothing_share_nothing(here: str, there: str) -> None:
    assert aligned(checked(here), source(there)).passages == ()
    assert aligned(checked(here, SEA[here]), source(there)).passages == ()


# The same, whoever asks and however.


def as_rows(alignment: Alignment) -> list[object]:
    return json.loads(json.dumps([astuple(passage) for passage in alignment.passages]))


PAIRS = [
    (checked("en", SEA["en"]), source("kk", SEA["kk"])),
    (checked("ru", SEA_REWRITTEN["ru"]), source("ru", SEA["ru"])),
    (checked("kk", SEA_SUMMARISED["kk"]), source("kk", SEA["kk"])),
    (checked("ru", COPIED["en"], SEA["ru"]), source("en", SEA["en"], COPIED["en"])),
    (ESSAYS["en"][0], ESSAYS["ru"][1]),
]

_IN_A_PROCESS = """
import json, sys
from dataclasses import astuple
from likewise import kernels
from likewise.align import align
from likewise.model import Document

answers = [
    [astuple(p) for p in align(Document.from_text(a), Document.from_text(b)).passages]
    for a, b in json.load(sys.stdin)
]
json.dump([kernels.ENGINE, answers], sys.stdout)
"""


def test_both_kernels_give_the_same_passages() -> None:
    asking = subprocess.run(
        [sys.executable, "-c", _IN_A_PROCESS],
        input=json.dumps(PAIRS),
        env=os.environ | {"LIKEWISE_KERNELS": "numpy"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(asking.stdout) == ["numpy", [as_rows(aligned(*pair)) for pair in PAIRS]]


def test_threads_get_the_same_passages() -> None:
    expected = [as_rows(aligned(*pair)) for pair in PAIRS]
    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(lambda k: as_rows(aligned(*PAIRS[k % len(PAIRS)])), range(20)))
    assert results == [expected[k % len(PAIRS)] for k in range(20)]


@pytest.mark.parametrize(
    "settings",
    [Settings(stem=False), Settings(stop_words=False), Settings.plain()],
    ids=["no stems", "with stop words", "plain"],
)
@pytest.mark.parametrize(("here", "there"), TRANSLATIONS)
def test_a_translation_is_found_whatever_the_settings(
    settings: Settings, here: str, there: str
) -> None:
    a, b = checked(here, SEA[here]), source(there, SEA[there])
    [passage] = aligned(a, b, settings).passages
    assert passage.kind == "translated" and passage.languages == (here, there)
    assert is_about(passage.a, a, SEA[here]) and is_about(passage.b, b, SEA[there])


@pytest.mark.parametrize(
    "settings", [Settings(stem=False), Settings.plain()], ids=["bare", "plain"]
)
@pytest.mark.parametrize(("here", "there"), BOTH_LANGUAGES)
def test_nobody_is_accused_whatever_the_settings(settings: Settings, here: str, there: str) -> None:
    for texts in (ESSAYS, REPORTS, LIVES):
        assert aligned(texts[here][0], texts[there][1], settings).passages == ()


def test_two_honest_answers_to_one_question_are_no_renderings_of_each_other() -> None:
    for one, other in permutations(ANSWERS):
        assert not aligned(one, other).passages


@pytest.mark.parametrize("is_whole", [False, True], ids=["a part", "most of a text"])
@pytest.mark.parametrize("rivals", [0, 20 * NAT], ids=["alone", "as others of its genre"])
def test_chance_is_told_by_the_very_bound_that_was_passed(is_whole: bool, rivals: int) -> None:
    a, b = (
        side_of(Document.from_text(text), Lexicon(Settings()))
        for text in (SEA_REWRITTEN["en"], SEA["en"])
    )
    words = len(meaning_of(a).number) if is_whole else FEWEST_WORDS
    box = Box(0, len(a.hash), 0, len(b.hash))
    one = Rendering(box, 0, 0, words, words)
    others = [one._replace(score=rivals)] * 3
    needed = score_needed_by(one, meaning_of(a), meaning_of(b), 1, across=False) + rivals

    def expected(score: int) -> list[float | None]:
        look = SecondLook(a, b, [one._replace(score=score)], 1, None, others)
        return [look.passage(each).expected for each in look.accepted(())]

    assert expected(needed - 1) == []
    assert expected(needed) == [BOUND]
    assert expected(needed + 10 * NAT) == [pytest.approx(BOUND / math.e)]


@pytest.mark.parametrize("subject", ["abai", "water-cycle", "artificial-intelligence"])
def test_who_answers_the_same_question_in_another_language_has_translated_nobody(
    subject: str,
) -> None:
    paths = sorted((SUBJECTS / subject).glob("*.txt"))
    texts = [Document.from_text(path.read_text("utf-8"), path.stem) for path in paths]
    assert {text.name[:2] for text in texts} == set(LANGUAGES)
    assert [
        (one.name, other.name)
        for one, other in permutations(texts, 2)
        if align(one, other).passages
    ] == []
