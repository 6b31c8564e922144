"""How many characters recognition gets wrong: by language, by severity, and without each step.

    python -m bench.quality.ocr [--corpus .data] [--pages 3] [--step-pages 2]

Pages are typeset from `bench.making.sentences` and photographed by `bench.making.photographs`.
The lines of real receipts are looked for in `receipts`, unpacked in the folder of
corpora: pictures beside files of transcribed lines.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from itertools import islice
from pathlib import Path
from statistics import fmean
from typing import Any

from bench.corpus import DEFAULT_FOLDER, say
from bench.making.photographs import SEVERITIES, photographed, typeset
from bench.making.sentences import OWN, page_texts
from bench.record import RESULTS, keep
from likewise.model import Document
from likewise.reading.image import read_image
from likewise.reading.image.page import ALL_STEPS, Steps
from likewise.reading.request import Request

PAGES = 3  # of each language and severity
STEP_PAGES = 1  # of each, without each step
FEWEST_ERRORS = 0.2  # of a receipt's line, up to which it counts as read


@dataclass(frozen=True, slots=True)
class Page:
    """A photographed page, and what stands on it."""

    language: str
    severity: int
    seed: int
    data: bytes
    text: str


def recognised_pages(folder: Path, pages: int = PAGES) -> list[dict[str, Any]]:
    """The error by language and severity."""
    figures = []
    for language in OWN:
        for severity in SEVERITIES:
            errors, seconds, characters = [], [], 0
            for page in photographs(folder, language, severity, pages):
                began = time.process_time()
                document = read(page.data)
                seconds.append(time.process_time() - began)
                errors.append(character_error(document.compared_text, page.text))
                characters += len(page.text)
            figures.append(
                {
                    "language": language,
                    "severity": severity,
                    "pages": len(errors),
                    "character_error": round(fmean(errors), 5),
                    "worst_page": round(max(errors), 5),
                    "cpu_seconds": round(fmean(seconds), 2),
                    "cpu_seconds_for_3000_characters": round(sum(seconds) / characters * 3000, 2),
                }
            )
            say(f"recognised pages: {figures[-1]}")
    return figures


def recognition_without_steps(folder: Path, pages: int = STEP_PAGES) -> list[dict[str, Any]]:
    """The error when one step is left out, over all languages, by severity."""
    figures = []
    switched = [("none", ALL_STEPS)] + [
        (step.name, replace(ALL_STEPS, **{step.name: False})) for step in fields(Steps)
    ]
    nothing = Steps(**{step.name: False for step in fields(Steps)})
    for severity in SEVERITIES:
        taken = [
            page for language in OWN for page in photographs(folder, language, severity, pages)
        ]
        for without, steps in [*switched, ("all of them", nothing)]:
            began = time.process_time()
            errors = [
                character_error(read(page.data, steps).compared_text, page.text) for page in taken
            ]
            figures.append(
                {
                    "severity": severity,
                    "without": without,
                    "pages": len(errors),
                    "character_error": round(fmean(errors), 5),
                    "cpu_seconds": round((time.process_time() - began) / len(errors), 2),
                }
            )
            say(f"without a step: {figures[-1]}")
    return figures


def receipts(folder: Path) -> list[dict[str, Any]]:
    """How many transcribed lines of real receipts are found with few errors."""
    figures: list[dict[str, Any]] = []
    for picture in sorted(folder.glob("receipts/*.jpg")):
        lines = [
            line.split(",", 8)[8].strip().upper()
            for line in picture.with_suffix(".csv").read_text("utf-8", "replace").splitlines()
            if line.count(",") >= 8
        ]
        began = time.process_time()
        text = " ".join(read(picture.read_bytes()).compared_text.upper().split())
        seconds = time.process_time() - began
        found = sum(errors_within(line, text) <= FEWEST_ERRORS * len(line) for line in lines)
        figures.append(
            {
                "receipt": picture.stem,
                "lines": len(lines),
                "found": found,
                "cpu_seconds": round(seconds, 2),
            }
        )
    if figures:
        lines_in_all = sum(figure["lines"] for figure in figures)
        found_in_all = sum(figure["found"] for figure in figures)
        figures.append({"receipt": "all", "lines": lines_in_all, "found": found_in_all})
    return figures


def photographs(folder: Path, language: str, severity: int, pages: int) -> Iterator[Page]:
    """Pages of one language, photographed; the same pages for every severity."""
    for seed, text in enumerate(islice(page_texts(folder, language), pages)):
        sheet = typeset(text, seed)
        data = photographed(sheet.image, severity, seed * 100 + ord(language[0]))
        yield Page(language, severity, seed, data, sheet.text)


def read(data: bytes, steps: Steps = ALL_STEPS) -> Document:
    return read_image(data, Request(), steps=steps).document("page")


def character_error(read_text: str, text: str) -> float:
    """Characters to change, add or drop, as a share of those on the page; white space is one."""
    from rapidfuzz.distance import Levenshtein

    text = " ".join(text.split())
    wrong = int(Levenshtein.distance(" ".join(read_text.split()), text))
    return wrong / len(text)


def errors_within(line: str, text: str) -> int:
    """The fewest errors of a line against any stretch of a text."""
    errors = list(range(len(line) + 1))  # against the stretches that end here, by part of the line
    fewest = errors[-1]
    for character in text:
        before, errors[0] = 0, 0
        for at, wanted in enumerate(line, start=1):
            change = before + (wanted != character)
            before = errors[at]
            errors[at] = min(change, before + 1, errors[at - 1] + 1)
        fewest = min(fewest, errors[-1])
    return fewest


def main() -> None:
    """Measure, and keep the figures."""
    parser = argparse.ArgumentParser(prog="python -m bench.quality.ocr", description=__doc__)
    parser.add_argument("--corpus", type=Path, default=DEFAULT_FOLDER, help="folder (.data)")
    parser.add_argument("--output", type=Path, default=RESULTS / "quality.json")
    parser.add_argument("--pages", type=int, default=PAGES)
    parser.add_argument("--step-pages", type=int, default=STEP_PAGES)
    asked = parser.parse_args()
    command = "python -m bench.quality.ocr"
    sections = {
        "recognised pages": recognised_pages(asked.corpus, asked.pages),
        "recognition without steps": recognition_without_steps(asked.corpus, asked.step_pages),
        "recognised receipts": receipts(asked.corpus),
    }
    for section, figures in sections.items():
        if figures:
            keep(asked.output, section, command, figures)
        else:
            say(f"{section}: nothing to measure in {asked.corpus}")


if __name__ == "__main__":
    main()
