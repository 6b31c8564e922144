"""Paper 002, Table 1: T1 to T4 again, with each step of the preparation left out in turn.

Sharapova and Sharapov: The problem of fuzzy duplicate detection of large texts (AVTOR.NET). Its
essays are not published, so the tests are made from documents of ours by its recipe: ten texts of
some 400 words each, T1 sentences reordered, T2 word forms changed, T3 reordered with own text
between, T4 compiled from several documents. Two detectors are asked: the published one (shingles
of five prepared words) and Likewise.

A character is right where it was copied; recall is the share of the copied ones reported,
precision the share of copied ones among those reported. Letters and digits count, tags do not.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from bench.making.disguises import Disguised
from bench.papers import MissingCorpus, Sections, Tell
from bench.papers.paper_002.preparing import STEPS, Steps, decoded, prepared, without_tags
from bench.papers.paper_002.shingling import shared_spans, shingles
from bench.papers.paper_002.texts import TESTS, Collection, collections
from bench.papers.paper_002.tricks import TRICKS, tricked
from bench.quality.disguised import reported
from likewise.model import Span
from likewise.settings import NO_LIMIT, Settings

Find = Callable[[str], list[Span]]
Figure = dict[str, Any]

ALL = "nothing"  # is left out
# What Likewise can be told to leave out; case and punctuation are part of what a word is to it.
SWITCHES: dict[str, Settings] = {
    ALL: Settings(),
    "look_alikes": Settings(homoglyphs=False),
    "stop_words": Settings(stop_words=False),
    "filtration": Settings(drop_symbols=False, drop_urls=False, max_length=NO_LIMIT),
    "stems": Settings(stem=False),
    "all of them": Settings.plain(),
}


def measure(folder: Path, small: bool, tell: Tell) -> Sections:
    """Recall and precision of both detectors, by test, language and step left out."""
    published: list[Figure] = []
    ours: list[Figure] = []
    tricks: list[Figure] = []
    for collection in collections(folder, small, tell):
        tell(f"{collection.language}: {len(collection.documents)} documents")
        published += _published(collection)
        ours += _ours(collection)
        tricks += _tricks(collection)
    if not published:
        raise MissingCorpus(
            "neither nsf-cise-2003.jsonl (or pan13-train, planted-pairs) nor ru-revisions nor "
            f"kazakh is in {folder}: unpack one of them there"
        )
    return {"published method": published, "likewise": ours, "tricks": tricks}


def _published(collection: Collection) -> list[Figure]:
    chosen = {ALL: Steps()} | {step: Steps.without(step) for step in STEPS}
    chosen["all of them"] = Steps.none()
    figures = []
    for without, steps in chosen.items():
        find = _by_shingles(collection, steps)
        for test in TESTS:
            texts = collection.texts[test]
            words = [
                _recall_of_words(text, find(text.text), steps, collection.frequent)
                for text in texts
            ]
            figures.append(
                _figure(collection, test, without, texts, find)
                | {"recall_of_words": round(math.fsum(words) / len(words), 4)}
            )
    return figures


def _ours(collection: Collection) -> list[Figure]:
    return [
        _figure(collection, test, without, collection.texts[test], find)
        for without, settings in SWITCHES.items()
        for test in TESTS
        for find in [_by_likewise(collection, settings, test)]
    ]


def _tricks(collection: Collection) -> list[Figure]:
    """T1 once more, with a trick on top: the step that is for it on, and off."""
    figures = []
    for name, (step, trick) in TRICKS.items():
        if step == "encoding" and collection.language == "English":
            continue  # ASCII is the same in all of them
        texts = [
            tricked(text, trick, collection.language, random.Random(f"{name}:{number}"))
            for number, text in enumerate(collection.texts["T1"])
        ]
        finds: dict[str, tuple[Find, Find | None]] = {
            "published": (
                _by_shingles(collection, Steps()),
                _by_shingles(collection, Steps.without(step)),
            ),
            "likewise": _likewise_on_and_off(collection, step),
        }
        for method, (on, off) in finds.items():
            figures += [
                {"trick": name, "method": method} | _figure(collection, "T1", without, texts, find)
                for without, find in ((ALL, on), (step, off))
                if find is not None
            ]
    return figures


def _likewise_on_and_off(collection: Collection, step: str) -> tuple[Find, Find | None]:
    plain = _by_likewise(collection, Settings(), "T1")
    if step == "encoding":  # reading does both of these
        return lambda text: plain(decoded(text)), plain
    if step == "tags":
        return lambda text: plain(without_tags(text)), plain
    if step == "filtration":  # numbers are words to Likewise, unless it is told otherwise
        return _by_likewise(collection, Settings(drop_digits=True), "T1"), plain
    return plain, _by_likewise(collection, SWITCHES[step], "T1") if step in SWITCHES else None


def _by_shingles(collection: Collection, steps: Steps) -> Find:
    """The published detector, against all documents of the collection."""
    known: set[tuple[str, ...]] = set()
    for sentences in collection.documents:
        known |= shingles(prepared(" ".join(sentences), steps, collection.frequent))
    return lambda text: shared_spans(prepared(text, steps, collection.frequent), known)


def _by_likewise(collection: Collection, settings: Settings, test: str) -> Find:
    by_check = test == "T4"
    return lambda text: [
        span for span, _ in reported(text, collection.documents, by_check, settings)
    ]


def _figure(
    collection: Collection, test: str, without: str, texts: list[Disguised], find: Find
) -> Figure:
    judged = [_judged(text, find(text.text)) for text in texts]
    return {
        "language": collection.language,
        "test": test,
        "without": without,
        "texts": len(texts),
        "recall": round(math.fsum(recall for recall, _ in judged) / len(judged), 4),
        "precision": round(math.fsum(precision for _, precision in judged) / len(judged), 4),
    }


def _judged(text: Disguised, found: Iterable[Span]) -> tuple[float, float]:
    letters = {at for at, char in enumerate(without_tags(text.text)) if char.isalnum()}
    copied = letters & _places(span for span, _ in text.copied)
    shown = letters & _places(found)
    return len(copied & shown) / len(copied), len(copied & shown) / len(shown) if shown else 1.0


def _recall_of_words(
    text: Disguised, found: Iterable[Span], steps: Steps, frequent: frozenset[str]
) -> float:
    """The share of the copied words found, of those that the preparation has left."""
    copied, shown = _places(span for span, _ in text.copied), _places(found)
    words = [w.start for w in prepared(text.text, steps, frequent) if w.start in copied]
    return sum(at in shown for at in words) / len(words)


def _places(spans: Iterable[Span]) -> set[int]:
    return {at for span in spans for at in range(span.start, span.end)}
