"""Short answers that are copied, revised lightly or heavily, or own: which figure ranks them best.

Eighty-four answers to seven questions, written for the project (`bench/texts/answers.txt`), as
Clough and Stevenson (2011) collected theirs. Each is checked against the seven texts that the
questions are about.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import likewise as lw
from bench.making.honest import written
from likewise.model import Check, Document

DEGREES = ("own", "heavy", "light", "copy")


def _grams(text: str, size: int) -> list[tuple[str, ...]]:
    words = re.findall(r"\w+", text.lower())
    return [tuple(words[i : i + size]) for i in range(len(words) - size + 1)]


def _contained(text: str, source: str, size: int) -> float:
    """The share of a text's word n-grams that stand in its source: the usual baseline."""
    there = set(_grams(source, size))
    here = _grams(text, size)
    return sum(gram in there for gram in here) / max(len(here), 1)


def degrees(folder: Path) -> list[dict[str, Any]]:
    """How each figure ranks the answers: Spearman's coefficient, and its median by degree."""
    answers = written("answers")
    topics = sorted({name.split()[0] for name in answers})
    sources = {topic: answers[f"{topic} source"] for topic in topics}
    others = [Document.from_text(text, name=topic) for topic, text in sources.items()]
    of_check: dict[str, Callable[[Check], float]] = {
        "unchanged (literal)": lambda check: check.literal,
        "similar": lambda check: check.shares.similar,
    }
    ranks: list[int] = []
    values: dict[str, list[float]] = {}
    for name, text in answers.items():
        topic, degree = name.split()
        if degree == "source":
            continue
        ranks.append(DEGREES.index(degree.partition("-")[0]))
        check = lw.check(Document.from_text(text, name="answer"), others)
        for figure, value in of_check.items():
            values.setdefault(figure, []).append(value(check))
        for size in (1, 3, 5):
            share = _contained(text, sources[topic], size)
            values.setdefault(f"containment of {size}-grams", []).append(share)
    return [
        {
            "figure": figure,
            "answers": len(ranks),
            "spearman": round(spearman(found, ranks), 4),
            **{
                degree: _median([v for v, rank in zip(found, ranks, strict=True) if rank == k])
                for k, degree in enumerate(DEGREES)
            },
        }
        for figure, found in values.items()
    ]


def spearman(one: Sequence[float], other: Sequence[float]) -> float:
    """The correlation of ranks; equal values share the mean of theirs.

    >>> spearman([1, 2, 3], [10, 30, 20]), spearman([1, 1, 2], [1, 1, 5])
    (0.5, 1.0)
    """
    return round(float(np.corrcoef(_ranks(one), _ranks(other))[0, 1]), 12)


def _ranks(values: Sequence[float]) -> np.ndarray:
    found = np.array(values, dtype=float)
    below, equal = (found[:, None] > found).sum(axis=1), (found[:, None] == found).sum(axis=1)
    return np.asarray(below + equal / 2)


def _median(values: list[float]) -> float:
    return round(sorted(values)[len(values) // 2], 3)
