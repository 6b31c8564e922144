"""Paper 002's tests T1 to T4 in three languages: is disguised copying found, and only that?

A character counts as copied if its sentence came from a source, changed or not; white space counts
nowhere. Recall is the share of the copied characters that are reported, precision the share of
copied ones among those reported. `of_its_source` is the stricter recall: reported as coming from
where it came from. `of_others` is the share of the text that is reported as coming from those of
the ten documents that nothing was taken from.
"""

from __future__ import annotations

import csv
import json
import math
import random
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from bench.corpus import say
from bench.making.cutting import visible_text
from bench.making.disguises import (
    WORDS,
    Disguised,
    compiled,
    first_words,
    interrupted,
    reordered,
    reworded,
    sentences_of,
)
from bench.making.word_forms import WordForms
from likewise.align import align_sides, check_against, side_of
from likewise.language import Lexicon
from likewise.model import Document, Span
from likewise.settings import Settings

TEXTS = 10
TESTS = ("T1", "T2", "T3", "T4", "T4 in blocks")
SEED = 2
_MOST_SHARED = 3  # runs of five words; more, and two documents hold one text
_RUN = 5

Sentences = list[str]


def disguised(folder: Path) -> list[dict[str, Any]]:
    """A figure for each test, language and length of the sources."""
    figures = []
    for language, texts in CORPORA.items():
        corpus = [sentences_of(paragraphs) for paragraphs in texts(folder)]
        documents = chosen_documents(corpus, random.Random(f"{SEED}:{language}"))
        if len(documents) < TEXTS:
            say(f"{language}: fewer than {TEXTS} documents of {WORDS} words in {folder}")
            continue
        forms = WordForms(language, (sentence for sentences in corpus for sentence in sentences))
        cut = [first_words(sentences) for sentences in documents]
        for sources, lengths in ((cut, "as long as the copy"), (documents, "whole")):
            for test in TESTS:
                judged = [
                    _judged(test, disguise(test, language, cut, number, forms), sources, number)
                    for number in range(TEXTS)
                ]
                figures.append(
                    {"test": test, "language": language, "sources": lengths, **_figure(judged)}
                )
    return figures


def disguise(
    test: str, language: str, documents: list[Sentences], number: int, forms: WordForms
) -> Disguised:
    """One text of a test, made from one of the documents, or from several."""
    dice = random.Random(f"{SEED}:{test}:{language}:{number}")
    if test == "T1":
        return reordered(documents[number], language, dice)
    if test == "T2":
        return reworded(documents[number], language, forms, dice)
    if test == "T3":
        return interrupted(documents[number], language, dice)
    return compiled(documents, language, dice, in_blocks=test == "T4 in blocks")


def reported(
    text: str, sources: list[Sentences], by_check: bool, settings: Settings | None = None
) -> list[tuple[Span, int]]:
    """What is reported of a text, and the number of the source."""
    settings = settings or Settings()
    document = Document.from_text(text, "text")
    others = [Document.from_text(" ".join(s), str(k)) for k, s in enumerate(sources)]
    if by_check:
        check = check_against(document, others, settings)
        return [(span, int(source.name)) for source in check.sources for span in source.spans]
    lexicon = Lexicon(settings)
    side = side_of(document, lexicon)
    return [
        (passage.a, number)
        for number, other in enumerate(others)
        for passage in align_sides(side, side_of(other, lexicon)).passages
    ]


def _judged(test: str, text: Disguised, sources: list[Sentences], number: int) -> dict[str, float]:
    is_compiled = test.startswith("T4")
    true = text.copied if is_compiled else [(span, number) for span, _ in text.copied]
    copied = characters(text.text, true)
    found = characters(text.text, reported(text.text, sources, by_check=is_compiled))
    asked = {source for _, source in copied}
    places = {at for at, _ in copied}
    shown = {at for at, source in found if source in asked}
    visible = sum(not letter.isspace() for letter in text.text)
    return {
        "words": len(text.text.split()),
        "changed": text.words_changed / len(text.text.split()),
        "recall": len(places & shown) / len(places),
        "precision": len(places & shown) / len(shown) if shown else 1.0,
        "of_its_source": len(copied & found) / len(copied),
        "of_others": len({at for at, source in found if source not in asked}) / visible,
    }


def characters(text: str, spans: Iterable[tuple[Span, int]]) -> set[tuple[int, int]]:
    """Where each visible character of the spans stands, with the number of its source."""
    return {
        (at, source)
        for span, source in spans
        for at in range(span.start, span.end)
        if not text[at].isspace()
    }


def _figure(judged: list[dict[str, float]]) -> dict[str, Any]:
    figure: dict[str, Any] = {"texts": len(judged)}
    for name in ("words", "changed", "recall", "precision", "of_its_source", "of_others"):
        values = [one[name] for one in judged]
        figure[name] = round(math.fsum(values) / len(values), 4)
    figure["words"] = round(figure["words"])
    figure["least_recall"] = round(min(one["recall"] for one in judged), 4)
    figure["least_precision"] = round(min(one["precision"] for one in judged), 4)
    return figure


def chosen_documents(corpus: list[Sentences], dice: random.Random) -> list[Sentences]:
    """Ten documents that are long enough and have no text in common; fewer if there are fewer."""
    long_enough = [s for s in corpus if sum(len(one.split()) for one in s) >= WORDS]
    dice.shuffle(long_enough)
    chosen: list[Sentences] = []
    seen: set[tuple[str, ...]] = set()
    for sentences in long_enough:
        runs = _runs(sentences)
        if len(runs & seen) <= _MOST_SHARED:
            chosen.append(sentences)
            seen |= runs
        if len(chosen) == TEXTS:
            break
    return chosen


def _runs(sentences: Sentences) -> set[tuple[str, ...]]:
    words = " ".join(sentences).lower().split()
    return set(zip(*(words[k:] for k in range(_RUN)), strict=False))


# Where the texts come from: each yields documents as paragraphs of prose.


def _english(folder: Path) -> Iterator[list[str]]:
    abstracts = folder / "nsf-cise-2003.jsonl"
    sources = sorted(folder.glob("pan13-train/src/*.txt"))
    articles = folder / "planted-pairs" / "articles_1000.train"
    if abstracts.is_file():
        with abstracts.open(encoding="utf-8") as lines:
            for line in lines:
                yield _prose(re.sub(r"<br\s*/?>", "\n", json.loads(line)["abstract"]).splitlines())
    elif sources:
        for path in sources:
            yield _prose(re.split(r"\n\s*\n", path.read_text("utf-8", "replace")))
    elif articles.is_file():
        # An article has some 250 words: two make a document.
        texts = [line.partition(" ")[2] for line in articles.read_text("utf-8").splitlines()]
        yield from map(_prose, zip(texts[::2], texts[1::2], strict=False))


def _russian(folder: Path) -> Iterator[list[str]]:
    for path in sorted(folder.glob("ru-revisions/*/*_v0.txt")):
        text = re.sub(r"(?ms)^\s*```.*?^\s*```", "", path.read_text("utf-8", "replace"))
        text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)  # a link is its words
        text = re.sub(r"(?m)^\s*(#|:::).*$", "\n", text)  # headings and boxes
        text = re.sub(r"(?m)[*_`]+|^\s*(>+|-\s|\d+\.\s)\s*", "", text)
        yield _prose(re.split(r"\n\s*\n", text))


def _kazakh(folder: Path) -> Iterator[list[str]]:
    tales = folder / "kazakh" / "fairytales" / "dataset.csv"
    if tales.is_file():
        with tales.open(encoding="utf-8", newline="") as rows:
            for row in csv.DictReader(rows):
                yield _prose(row["text"].splitlines())
    for law in sorted(folder.glob("kazakh/kz_laws_html/*/*_kk.html")):
        yield _prose(visible_text(law.read_text("utf-8", "replace")).splitlines())


def _prose(paragraphs: Iterable[str]) -> list[str]:
    """Paragraphs that end as sentences do and are mostly letters."""
    kept = []
    for paragraph in paragraphs:
        paragraph = " ".join(unicodedata.normalize("NFC", paragraph).split())
        letters = sum(map(str.isalpha, paragraph))
        if re.search(r"[.!?…][\"»”’)]*$", paragraph) and letters > 0.7 * len(paragraph):
            kept.append(paragraph)
    return kept


CORPORA: dict[str, Callable[[Path], Iterator[list[str]]]] = {
    "English": _english,
    "Russian": _russian,
    "Kazakh": _kazakh,
}


if __name__ == "__main__":
    import sys

    for figure in disguised(Path(sys.argv[1])):
        print(figure)
