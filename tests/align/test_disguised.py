"""Paper 002's tests T1 to T4 on texts of our own, edited by hand, in three languages.

`tests/files/disguised` has three sources a language and, for each test, two texts that copy them.
What was copied stands between ⟦ and ⟧, in whatever form it stands now; the rest is their own.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from bench.making import disguises
from bench.making.word_forms import WordForms
from likewise.align import align, check_against
from likewise.model import Document, Span
from likewise.settings import Settings

TEXTS = Path(__file__).parents[1] / "files" / "disguised"
LANGUAGES = ("en", "ru", "kk")
LEAST_PRECISION = 0.97

every_language = pytest.mark.parametrize("language", LANGUAGES)
both_texts = pytest.mark.parametrize("number", (1, 2))


def unmarked(marked: str) -> tuple[str, set[int]]:
    """A text without its marks, and which of its characters stood between them.

    >>> unmarked("So ⟦it is⟧.")
    ('So it is.', {3, 4, 5, 6, 7})
    """
    letters: list[str] = []
    copied: set[int] = set()
    inside = False
    for letter in marked:
        if letter in "⟦⟧":
            inside = letter == "⟦"
            continue
        if inside:
            copied.add(len(letters))
        letters.append(letter)
    return "".join(letters), copied


def source(language: str, number: int) -> Document:
    name = f"source-{number}.txt"
    return Document.from_text((TEXTS / language / name).read_text("utf-8"), name)


def disguised(language: str, test: str, number: int) -> tuple[Document, set[int]]:
    marked = (TEXTS / language / f"{test}-{number}.txt").read_text("utf-8")
    text, copied = unmarked(marked)
    return Document.from_text(text, f"{test}-{number}.txt"), copied


def recall_and_precision(
    document: Document, copied: set[int], reported: list[Span]
) -> tuple[float, float]:
    """By characters; white space counts nowhere."""
    visible = {at for at, letter in enumerate(document.text) if not letter.isspace()}
    copied = copied & visible
    found = {at for span in reported for at in range(span.start, span.end)} & visible
    return len(copied & found) / len(copied), len(copied & found) / max(len(found), 1)


def of_one_source(language: str, test: str, number: int) -> tuple[float, float]:
    document, copied = disguised(language, test, number)
    passages = align(document, source(language, number)).passages
    return recall_and_precision(document, copied, [passage.a for passage in passages])


@every_language
@both_texts
def test_reordered_sentences_are_found(language, number):
    recall, precision = of_one_source(language, "t1", number)
    assert recall >= 0.99 and precision >= LEAST_PRECISION


@every_language
@both_texts
def test_other_word_forms_and_tenses_are_found(language, number):
    recall, precision = of_one_source(language, "t2", number)
    assert recall >= 0.97 and precision >= LEAST_PRECISION


@every_language
@both_texts
def test_reordered_sentences_with_own_text_between_are_found(language, number):
    recall, precision = of_one_source(language, "t3", number)
    assert recall >= 0.95 and precision >= LEAST_PRECISION


@every_language
@both_texts
def test_sentences_compiled_from_three_documents_are_found(language, number):
    document, copied = disguised(language, "t4", number)
    sources = [source(language, each) for each in (1, 2, 3)]
    check = check_against(document, sources, Settings())
    reported = [span for found in check.sources for span in found.spans]
    recall, precision = recall_and_precision(document, copied, reported)
    assert recall >= 0.99 and precision >= LEAST_PRECISION


@every_language
def test_what_is_compiled_is_told_apart_by_source(language):
    document, _ = disguised(language, "t4", 1)
    sources = [source(language, each) for each in (1, 2, 3)]
    check = check_against(document, sources, Settings())
    for found in check.sources:
        (original,) = (each for each in sources if each.name == found.name)
        for span in found.spans:
            assert " ".join(span.of(document.text).split()) in " ".join(original.text.split())


@every_language
def test_the_own_sentences_alone_share_nothing_with_the_sources(language):
    document, copied = disguised(language, "t3", 1)
    own = "".join(letter for at, letter in enumerate(document.text) if at not in copied)
    for number in (1, 2, 3):
        aligned = align(Document.from_text(own), source(language, number))
        assert aligned.passages == () and aligned.fragments == ()


CORPUS = {
    "English": ("measure measures measured measuring news new", "measured", "news"),
    "Russian": ("ледник ледника ледники ледников измеряет измеряли измерял", "ледника", "прошлый"),
    "Kazakh": ("кітап кітапты кітаптар кітаптан барды барған барады", "барған", "бойынша"),
}


@pytest.mark.parametrize("language", CORPUS)
def test_a_word_is_changed_only_into_its_forms_in_the_corpus(language):
    corpus, word, without_forms = CORPUS[language]
    forms = WordForms(language, [corpus, corpus])
    assert len(forms.others(word)) >= 2
    assert set(forms.others(word)) < set(corpus.split()) - {word}
    assert forms.others(without_forms) == []


def test_a_changed_sentence_keeps_its_capitals_and_marks():
    forms = WordForms("English", ["Stations station", "stations station"])
    changed, count = forms.changed("Stations, an old station.", random.Random(1), share=1)
    assert (changed, count) == ("Station, an old stations.", 2)


def test_every_disguise_says_which_characters_it_copied():
    documents = [[f"Sentence {number} of text {text} goes on." for number in range(9)]
                 for text in range(6)]  # fmt: skip
    dice = random.Random(1)
    made = [
        disguises.reordered(documents[0], "English", dice),
        disguises.reworded(documents[0], "English", WordForms("English", []), dice),
        disguises.interrupted(documents[0], "English", dice),
    ]
    for text in made:
        copied = [span.of(text.text) for span, _ in text.copied]
        assert sorted(copied) == documents[0]
    for in_blocks in (False, True):
        text = disguises.compiled(documents, "English", dice, in_blocks=in_blocks)
        assert all(span.of(text.text) in documents[number] for span, number in text.copied)
        assert len({number for _, number in text.copied}) == disguises.COMPILED
