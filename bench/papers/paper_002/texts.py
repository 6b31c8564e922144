"""The documents that paper 002's tests are made from, in three languages."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bench.making.disguises import Disguised, first_words, sentences_of
from bench.making.word_forms import WordForms
from bench.papers import Tell
from bench.quality.disguised import CORPORA, SEED, TEXTS, chosen_documents, disguise

TESTS = ("T1", "T2", "T3", "T4")
IN_HALF = 0.5  # words in more documents of the corpus than this are common
SMALL_TEXTS = 4

Sentences = list[str]


@dataclass(frozen=True, slots=True)
class Collection:
    """Documents of a language, the texts made from them, and what the corpus tells of its words."""

    language: str
    documents: list[Sentences]
    texts: dict[str, list[Disguised]]  # by test
    frequent: frozenset[str]


def collections(folder: Path, small: bool, tell: Tell) -> Iterator[Collection]:
    """One for each language whose texts are there."""
    for language, read in CORPORA.items():
        if small:
            corpus = [invented(language, number) for number in range(SMALL_TEXTS)]
        else:
            corpus = [sentences_of(paragraphs) for paragraphs in read(folder)]
        documents = chosen_documents(corpus, random.Random(f"{SEED}:{language}"))
        if len(documents) < (SMALL_TEXTS if small else TEXTS):
            tell(f"{language} is left out: too few documents in {folder}")
            continue
        forms = WordForms(language, (sentence for sentences in corpus for sentence in sentences))
        cut = [first_words(sentences) for sentences in documents]
        each = 1 if small else len(cut)
        texts = {
            test: [disguise(test, language, cut, number, forms) for number in range(each)]
            for test in TESTS
        }
        yield Collection(language, documents, texts, _frequent(corpus))


def _frequent(corpus: list[Sentences]) -> frozenset[str]:
    holders: Counter[str] = Counter()
    for sentences in corpus:
        holders.update(set(re.findall(r"[^\W\d_]+", " ".join(sentences).lower())))
    # In a handful of documents no word is common for what it means.
    least = max(IN_HALF * len(corpus), 10)
    return frozenset(word for word, number in holders.items() if number > least)


_STEMS = {
    "English": "garden harbour signal paint record visit plant answer travel market window wander "
    "gather whisper borrow anchor lantern shelter murmur scatter blanket quarrel follow "
    "thunder ladder hammer pocket feather corner copper",
    "Russian": "завод город народ поход закон вопрос ответ сигнал мотор театр базар магазин диван "
    "стакан самовар караван океан барабан топор забор узор договор разговор коридор",
    "Kazakh": "бала қала дала аға апа ана ата қанша тарта жаға сана баға арба алма шана қара "
    "мақала халва арна жарна шара пара",
}
_BEGINNINGS = {
    "English": "re over under out mis fore",
    "Russian": "пере под за на вы про",
    "Kazakh": "ба та са қа жа ма",
}
_ENDINGS = {
    "English": ("", "s", "ed", "ing"),
    "Russian": ("", "а", "у", "ом", "е", "ы", "ов", "ам", "ами", "ах"),
    "Kazakh": ("", "лар", "ның", "ны", "ға", "да", "дан", "лардан", "ларға"),
}


def invented(language: str, number: int) -> Sentences:
    """A document of words drawn by a seed, in whatever forms: for the small version."""
    dice = random.Random(f"invented:{language}:{number}")
    parts = _BEGINNINGS[language].split(), _STEMS[language].split(), _ENDINGS[language]
    return [
        " ".join("".join(map(dice.choice, parts)) for _ in range(12)).capitalize() + "."
        for _ in range(36)
    ]
