"""The paper's three uses, with Likewise as it comes: in a folder, between two, one against many.

Copies with replaced lines are set as PDFs and put among the others; is their original named first?
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from pathlib import Path
from statistics import median
from typing import Any

import likewise
from bench.papers import Tell
from bench.papers.paper_000.pdfs import copied_lines, write_pdf
from bench.papers.paper_000.published import SIMILARITIES
from bench.speed.meter import Reading
from likewise.library import Library
from likewise.model import Match
from likewise.reading.sandbox import stop_reading

COPIES_EACH = 4  # of every similarity
LEAST = 0.01  # Jaccard of five-word shingles; lines that are replaced break most of them

Copies = dict[str, tuple[str, float]]  # original and similarity, by the name of the copy


def uses(
    database: Path, place: Path, texts: dict[str, str], small: bool, tell: Tell
) -> list[dict[str, Any]]:
    """Each use on the same PDFs: the time it took, and for how many copies it was right."""
    copies = _planted(place / "copies", texts, 1 if small else COPIES_EACH)
    done = []
    start = Reading.now()
    matches = likewise.find(place, threshold=LEAST, cache=False)
    best = _best_partners(matches, {f"copies/{name}" for name in copies})
    answers = {Path(name).name: Path(other).name for name, other in best.items()}
    done.append(_judged("find", copies, answers, len(texts) + len(copies), start))

    start = Reading.now()
    matches = likewise.cross(place / "copies", database, threshold=LEAST, cache=False)
    answers = {name: Path(other).name for name, other in _best_partners(matches, copies).items()}
    done.append(_judged("cross", copies, answers, len(texts) + len(copies), start))
    tell("found inside a folder and between two")

    start = Reading.now()
    with Library(place / "library.db") as library:
        library.add(database, cache=False)
        stop_reading()
        added, each, answers = start.spent(), [], {}
        start = Reading.now()
        for name in copies:
            before = Reading.now()
            check = library.check(place / "copies" / name, cache=False)
            each.append(before.spent()["wall_s"])
            if check.sources:
                answers[name] = Path(check.sources[0].name).name
    checked = _judged("check", copies, answers, len(texts), start)
    done.append({**checked, "adding": added, "median_check_wall_s": round(median(each), 4)})
    tell("checked against a library")
    return done


def _planted(folder: Path, texts: dict[str, str], each: int) -> Copies:
    """Copies of documents with lines replaced, as PDFs."""
    dice = random.Random("planted")
    lines = [text.splitlines() for text in texts.values()]
    names = list(texts)
    copies: Copies = {}
    for similarity in SIMILARITIES:
        for i in range(each):
            original = dice.randrange(len(names))
            name = f"copy-{int(100 * similarity)}-{i}.pdf"
            write_pdf(copied_lines(lines, original, similarity, dice), folder / name)
            copies[name] = Path(names[original]).name, similarity
    return copies


def _best_partners(matches: Iterable[Match], wanted: Iterable[str]) -> dict[str, str]:
    """The strongest match of each document that is asked for."""
    best: dict[str, str] = {}
    asked = set(wanted)
    for match in matches:  # strongest first
        for one, other in ((match.a, match.b), (match.b, match.a)):
            if one in asked:
                best.setdefault(one, other)
    return best


def _judged(
    use: str, copies: Copies, answers: dict[str, str], documents: int, start: Reading
) -> dict[str, Any]:
    stop_reading()
    spent = start.spent()
    right = [
        {
            "similarity": similarity,
            "copies": sum(1 for _, s in copies.values() if s == similarity),
            "right": sum(
                answers.get(name) == original
                for name, (original, s) in copies.items()
                if s == similarity
            ),
        }
        for similarity in SIMILARITIES
    ]
    return {"use": use, "documents": documents, "right": right, **spent}
