"""Damaged files by the thousand: only documents or reasons come out, and nothing hangs."""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path
from typing import Any

from likewise.errors import ReadingError
from likewise.reading.formats import sniff
from likewise.reading.request import Limits, Request
from likewise.reading.sandbox import Sandbox
from tests.reading.mutations import mutated

FILES = Path(__file__).parents[2] / "tests" / "files"
FOLDERS = ("essays", "pdf", "docx", "odt", "doc", "rtf", "sheet", "html", "tricks")
EACH = 60  # mutations of a file
LIMITS = Limits(pages=50, cells=200_000, unpacked_bytes=32 << 20, pixels=4_000_000)


def damaged_files(_folder: Path) -> list[dict[str, Any]]:
    """Every small document of the tests, damaged in many ways; by format."""
    sandbox = Sandbox(LIMITS)
    counts: dict[str, Counter[str]] = {}
    slowest: dict[str, float] = {}
    for path in sorted(path for name in FOLDERS for path in (FILES / name).rglob("*.*")):
        original = path.read_bytes()
        for seed in range(EACH):
            data = mutated(original, seed)
            began = time.monotonic()
            form, outcome = "refused", "a reason"
            try:
                form = sniff(data, path.name)
                if form not in ("archive", "image"):
                    sandbox.read(data, Request(path.name, LIMITS, ocr=()))
                    outcome = "a document"
            except ReadingError as error:
                if "crashed" in str(error):
                    outcome = "a crash in the sandbox"
                elif "given up" in str(error):
                    outcome = "given up"
            counts.setdefault(form, Counter())[outcome] += 1
            slowest[form] = max(slowest.get(form, 0.0), time.monotonic() - began)
    sandbox.close()
    return [
        {"format": form, **counts[form], "slowest_s": round(slowest[form], 2)}
        for form in sorted(counts)
    ]
