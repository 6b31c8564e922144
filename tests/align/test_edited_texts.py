"""Copies that were reordered, put into other forms, mixed with own text, and compiled."""

from __future__ import annotations

import random

import pytest

from likewise.align import align
from likewise.model import Document, Span
from tests.align.texts import LANGUAGES, Sample

SAMPLES = [
    pytest.param(language, sample, id=f"{language}-{number}")
    for language, samples in LANGUAGES.items()
    for number, sample in enumerate(samples)
]


def shares(parts: list[tuple[str, bool]], sources: list[str]) -> tuple[float, float]:
    """Recall and precision in characters, for a text made of copied and own parts."""
    text = " ".join(part for part, _ in parts)
    copied: set[int] = set()
    position = 0
    for part, is_copied in parts:
        if is_copied:
            copied.update(range(position, position + len(part)))
        position += len(part) + 1
    found: set[int] = set()
    for source in sources:
        passages = align(Document.from_text(text), Document.from_text(source)).passages
        for passage in passages:
            found.update(range(passage.a.start, passage.a.end))
    blank = {i for i, char in enumerate(text) if char == " "}
    copied, found = copied - blank, found - blank
    return len(copied & found) / len(copied), len(copied & found) / max(len(found), 1)


def other_text(language: str, sample: Sample) -> Sample:
    return next(other for other in LANGUAGES[language] if other is not sample)


@pytest.mark.parametrize(("language", "sample"), SAMPLES)
def test_reordered_sentences_are_found(language, sample):
    shuffled = random.Random(1).sample(sample.sentences, len(sample.sentences))
    recall, precision = shares([(s, True) for s in shuffled], [" ".join(sample.sentences)])
    assert recall >= 0.99 and precision >= 0.97


@pytest.mark.parametrize(("language", "sample"), SAMPLES)
def test_other_word_forms_and_tenses_are_found(language, sample):
    recall, precision = shares([(s, True) for s in sample.reworded], [" ".join(sample.sentences)])
    assert recall >= 0.97 and precision >= 0.97


@pytest.mark.parametrize(("language", "sample"), SAMPLES)
def test_sentences_reordered_with_own_text_between_are_found(language, sample):
    shuffled = random.Random(2).sample(sample.sentences, len(sample.sentences))
    own = other_text(language, sample).sentences
    parts: list[tuple[str, bool]] = []
    for k, sentence in enumerate(shuffled):
        parts.append((sentence, True))
        if k % 2:
            parts.append((own[k], False))
    recall, precision = shares(parts, [" ".join(sample.sentences)])
    assert recall >= 0.95 and precision >= 0.97


@pytest.mark.parametrize(("language", "sample"), SAMPLES)
def test_a_text_compiled_from_several_documents_is_found(language, sample):
    other = other_text(language, sample)
    parts = [
        (" ".join(sample.sentences[2:8]), True),
        (" ".join(other.sentences[4:10]), True),
    ]
    sources = [" ".join(sample.sentences), " ".join(other.sentences)]
    recall, precision = shares(parts, sources)
    assert recall >= 0.99 and precision >= 0.97


@pytest.mark.parametrize(("language", "sample"), SAMPLES)
def test_single_sentences_of_several_documents_are_found(language, sample):
    other = other_text(language, sample)
    parts: list[tuple[str, bool]] = []
    for one, two in zip(sample.sentences[8:2:-2], other.sentences[2:8:2], strict=True):
        parts += [(one, True), (two, True)]
    sources = [" ".join(sample.sentences), " ".join(other.sentences)]
    recall, precision = shares(parts, sources)
    assert recall >= 0.99 and precision >= 0.97
    for source, first in zip(sources, (0, 1), strict=True):
        own = [(part, k % 2 == first) for k, (part, _) in enumerate(parts)]
        recall, precision = shares(own, [source])
        assert recall >= 0.99 and precision >= 0.97


@pytest.mark.parametrize(("language", "sample"), SAMPLES)
def test_scattered_sentences_of_a_long_document_are_found(language, sample):
    other = other_text(language, sample)
    parts: list[tuple[str, bool]] = []
    for copied, own in zip(sample.sentences[9:3:-1], other.sentences, strict=False):
        parts += [(copied, True), (own, False)]
    long_source = " ".join(
        (
            *(f"Предмет{k} лежит{k} рядом{k} сверху{k} снизу{k}." for k in range(300)),
            *sample.sentences,
            *(f"Object{k} stands{k} beside{k} above{k} below{k}." for k in range(300)),
        )
    )
    recall, precision = shares(parts, [long_source])
    assert recall >= 0.95 and precision >= 0.97


@pytest.mark.parametrize(("language", "sample"), SAMPLES)
def test_two_texts_on_different_things_share_nothing(language, sample):
    one = Document.from_text(" ".join(sample.sentences))
    other = Document.from_text(" ".join(other_text(language, sample).sentences))
    aligned = align(one, other)
    assert aligned.passages == () and aligned.fragments == ()


@pytest.mark.parametrize(("language", "sample"), SAMPLES)
def test_the_same_text_is_one_verbatim_passage_from_end_to_end(language, sample):
    document = Document.from_text(" ".join(sample.sentences))
    whole = Span(0, len(document.text))
    (passage,) = align(document, document).passages
    assert (passage.a, passage.b, passage.kind, passage.score) == (whole, whole, "verbatim", 1.0)
