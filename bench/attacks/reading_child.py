"""A process that reads damaged files, as a program of somebody: `bench.attacks.mutated` starts it.

On its input it gets lines of a first and a last number; for each file it answers with a line.
"""

from __future__ import annotations

import json
import os
import re
import sys
import time
from functools import cache
from pathlib import Path
from typing import Any

from bench.attacks.mutated import PAGE_SECONDS, TOTAL_SECONDS, Case, case
from likewise.errors import ReadingError
from likewise.model import Document
from likewise.reading.read import read_with_options
from likewise.reading.request import Limits, ReadOptions

LIMITS = Limits(seconds=PAGE_SECONDS, total_seconds=TOTAL_SECONDS)
# How a reason is counted: what a reader says of itself, else it is just a reason.
_COUNTED = (
    ("the reader crashed", "reader crashed"),
    ("answered with nonsense", "reader crashed"),
    ("it cannot be read (", "reader's own error"),
    ("given up", "given up"),
    ("more memory than", "out of memory"),
)


def main() -> None:
    """Read what is asked for until the input ends."""
    seed = int(sys.argv[1])
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what a library prints is no answer
    for line in sys.stdin:
        first, end = map(int, line.split())
        for number in range(first, end):
            answers.write(json.dumps(told_of(case(number, seed))) + "\n")
            answers.flush()


def told_of(damaged: Case) -> dict[str, Any]:
    """What becomes of one damaged file."""
    began, error = time.monotonic(), ""
    try:
        document = _read(damaged.data, damaged.seed.name, damaged.ocr)
    except ReadingError as reason:
        error = str(reason)
        found = (outcome for said, outcome in _COUNTED if said in error)
        outcome = next(found, "a reason") if error else "unsound document"
    except Exception as problem:  # nothing else may come out of reading
        outcome, error = "crash of the caller", f"{type(problem).__name__}: {problem}"[:300]
    else:
        outcome = "a document"
        if not is_sound(document):
            outcome = "unsound document"
        elif is_silent(document) and has_text(damaged.seed, damaged.ocr):
            outcome = "silent empty"
    seconds = round(time.monotonic() - began, 2)
    told = {"number": damaged.number, "form": damaged.form, "outcome": outcome, "seconds": seconds}
    return told | ({"error": error, "file": damaged.seed.name} if error else {})


def _read(data: bytes, name: str, ocr: tuple[str, ...]) -> Document:
    return read_with_options(data, name, ReadOptions(limits=LIMITS, cache=False, ocr=ocr))


@cache
def has_text(path: Path, ocr: tuple[str, ...]) -> bool:
    """Whether a sound file has words."""
    try:
        return bool(re.search(r"\w", _read(path.read_bytes(), path.name, ocr).text))
    except ReadingError:
        return False


def is_silent(document: Document) -> bool:
    """Whether there is nothing to compare and nobody says so."""
    return not re.search(r"\w", document.text) and not document.notes


def is_sound(document: Document) -> bool:
    """Every span lies in the text, every table is even, and the text can be written."""
    try:
        document.text.encode()
    except UnicodeEncodeError:
        return False
    spans = [page.span for page in document.pages]
    spans += [table.span for table in document.tables]
    spans += [picture.span for picture in document.pictures]
    spans += [span for note in document.notes for span in note.spans]
    spans += [span for span, _ in document.left_out]
    is_even = all(len({len(row) for row in table.rows}) == 1 for table in document.tables)
    return is_even and all(span.end <= len(document.text) for span in spans)


if __name__ == "__main__":
    main()
