"""Honest texts against libraries of honest texts: who is accused, and of how much.

    ./dev bench quality 'innocent texts'

More than three thousand texts of 100 to 30,000 words in eight genres are checked against libraries
of 1,000, 6,000 and 100,000 documents (`bench/making/honest.py`). A text is accused if any passage
of it is counted; of reports and forms, if anything outside their common skeleton is.
"""

from __future__ import annotations

import math
import os
import random
import re
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

from bench.corpus import say
from bench.making.honest import (
    ESSAYS,
    Checked,
    Genre,
    Shared,
    checked_texts,
    genres,
    library,
)
from likewise.library import Library
from likewise.model import Document, Span

SIZES = (1_000, 6_000, 100_000)
TEXTS = 400  # of each genre
SEED_OF_LIBRARY, SEED_OF_TEXTS = 1, 2
MOST_SHARE, MOST_WORDS = 0.01, 30  # of a text, whichever is more
_BATCH = 20
COPIES, COPIED_WORDS = 120, 30


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a check said of an honest text."""

    words: int
    counted_words: int  # outside of the skeleton
    skeleton_words: int  # counted, though everybody has them
    passages: int

    @property
    def share(self) -> float:
        return self.counted_words / max(self.words, 1)

    @property
    def is_over(self) -> bool:
        return self.counted_words > max(MOST_SHARE * self.words, MOST_WORDS)


def innocent_texts(folder: Path) -> list[dict[str, Any]]:
    """A figure for each size of library and genre, and one for all genres of a size."""
    if not (folder / "nsf-2008.jsonl").is_file():
        return []
    sizes = os.environ.get("LIKEWISE_INNOCENT_SIZES", "")
    chosen = [int(size) for size in sizes.split(",")] if sizes else SIZES
    return measure(genres(folder), folder / "innocent", chosen, TEXTS)


def measure(
    kinds: Sequence[Genre], folder: Path, sizes: Iterable[int], count: int, jobs: int = 2
) -> list[dict[str, Any]]:
    """Check so many texts of each genre against a library of each size."""
    folder.mkdir(parents=True, exist_ok=True)
    figures: list[dict[str, Any]] = []
    for size in sizes:
        documents = list(library(kinds, size, SEED_OF_LIBRARY))
        path = folder / f"{size}-{SEED_OF_LIBRARY}.db"
        _provide(path, documents)
        shared = Shared(text for _, text in documents)
        of_all: list[Verdict] = []
        for genre in kinds:
            began = time.monotonic()
            texts = list(checked_texts(kinds, genre, shared, count, SEED_OF_TEXTS))
            verdicts = _judged(path, texts, genre.skeleton, jobs)
            figures.append(_figure(size, genre.name, verdicts))
            say(f"innocent texts: {figures[-1]}, {time.monotonic() - began:.0f} s")
            of_all += verdicts
        figures.append(_figure(size, "all", of_all))
        figures.append({"documents": size, **_copies(path, kinds)})
        say(f"innocent texts: {figures[-1]}")
    return figures


def _copies(path: Path, kinds: Sequence[Genre]) -> dict[str, Any]:
    """Thirty words of an essay in the library, copied into an honest one: are they found?"""
    dice = random.Random(SEED_OF_TEXTS)
    written = next(genre for genre in kinds if genre.name == ESSAYS)
    first = 1 + sum(len(g.shelved) for g in kinds[: list(kinds).index(written)] if g.whole)
    shown = counted = 0
    with Library(str(path)) as there:
        for _ in range(COPIES):
            own, source = dice.sample(range(len(written.shelved)), 2)
            words = re.findall(r"\S+\s*", written.shelved[source])
            start = dice.randrange(len(words) - COPIED_WORDS)
            copied = "".join(words[start : start + COPIED_WORDS]).strip()
            sentences = written.shelved[own].split(". ")
            sentences.insert(len(sentences) // 2, copied)
            text = ". ".join(sentences)
            check = there.check(Document.from_text(text, name="checked"), not_ids=(first + own,))
            spans = [span for source in check.sources for span in source.spans]
            short = [part.a for source in check.sources for part in source.fragments]
            counted += bool(spans)
            shown += bool(spans or short)
    return {"genre": "copies of 30 words", "texts": COPIES, "counted": counted, "shown": shown}


def upper_bound(accused: int, texts: int, confidence: float = 0.95) -> float:
    """The highest rate at which so few would still be seen in one of twenty such trials.

    >>> round(upper_bound(0, 3_000), 5), round(upper_bound(3, 3_000), 5)
    (0.001, 0.00258)
    """
    low, high = accused / texts, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        seen = sum(
            math.exp(
                math.lgamma(texts + 1)
                - math.lgamma(k + 1)
                - math.lgamma(texts - k + 1)
                + k * math.log(middle)
                + (texts - k) * math.log1p(-middle)
            )
            for k in range(accused + 1)
        )
        low, high = (middle, high) if seen > 1 - confidence else (low, middle)
    return high


def _figure(size: int, genre: str, verdicts: Sequence[Verdict]) -> dict[str, Any]:
    accused = sum(verdict.counted_words > 0 for verdict in verdicts)
    words = sum(verdict.words for verdict in verdicts)
    return {
        "documents": size,
        "genre": genre,
        "texts": len(verdicts),
        "words": words,
        "accused": accused,
        "rate_at_most": round(upper_bound(accused, len(verdicts)), 5),
        "over": sum(verdict.is_over for verdict in verdicts),
        "more_than_half": sum(verdict.share > 0.5 for verdict in verdicts),
        "worst": round(max(verdict.share for verdict in verdicts), 4),
        "false_share": sum(verdict.counted_words for verdict in verdicts) / max(words, 1),
        "with_skeleton_counted": sum(verdict.skeleton_words > 0 for verdict in verdicts),
    }


def _provide(path: Path, documents: Sequence[tuple[str, str]]) -> None:
    """Make a library unless it is there."""
    with Library(str(path)) as there:
        if not len(there):
            say(f"innocent texts: making a library of {len(documents):,} documents")
            there.add_texts(documents)


def _judged(path: Path, texts: Sequence[Checked], skeleton: str, jobs: int) -> list[Verdict]:
    """Every text checked, in processes of their own."""
    batches = [texts[at : at + _BATCH] for at in range(0, len(texts), _BATCH)]
    many = len(batches)
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        parts = pool.map(_check_batch, [str(path)] * many, batches, [skeleton] * many)
        return [verdict for part in parts for verdict in part]


def _check_batch(path: str, texts: Sequence[Checked], skeleton: str) -> list[Verdict]:
    with Library(path) as there:
        return [judge(there, text, skeleton) for text in texts]


def judge(there: Library, checked: Checked, skeleton: str = "") -> Verdict:
    """What a check counts of a text, in words, inside the skeleton and outside."""
    text = checked.text
    check = there.check(Document.from_text(text, name="checked"), not_ids=checked.not_ids)
    counted = np.zeros(len(text), dtype=bool)
    for source in check.sources:
        _mark(counted, source.spans)
    for exclusion in check.exclusions:
        counted[exclusion.span.start : exclusion.span.end] = False
    fixed = np.zeros(len(text), dtype=bool)
    for line in filter(str.strip, skeleton.splitlines()):
        _mark(fixed, (Span(m.start(), m.end()) for m in re.finditer(re.escape(line.strip()), text)))
    starts = np.array([match.start() for match in re.finditer(r"\w+", text)], dtype=np.int64)
    return Verdict(
        words=len(starts),
        counted_words=int((counted & ~fixed)[starts].sum()) if len(starts) else 0,
        skeleton_words=int((counted & fixed)[starts].sum()) if len(starts) else 0,
        passages=sum(bool(source.spans) for source in check.sources),
    )


def _mark(mask: np.ndarray, spans: Iterable[Span]) -> None:
    for span in spans:
        mask[span.start : span.end] = True
