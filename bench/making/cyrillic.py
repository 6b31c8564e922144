"""The Russian and Kazakh corpus: real pages, tales and laws, enlarged by edited copies."""

from __future__ import annotations

import csv
import random
import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path

from bench.making.cutting import cut, visible_text
from bench.making.english import with_copies

CHARS = 40_000_000
SEED = 13
# Other scripts are left out, so that what a word is cannot be doubted here.
_FOREIGN = re.compile(r"[^\x00-\x7f\u0400-\u0482\u048a-\u04ff]+")


def cyrillic(data: Path) -> Iterator[dict[str, object]]:
    """The records of the corpus."""
    dice = random.Random(SEED)
    base = [
        document
        for text in _texts(data)
        for document in cut(_FOREIGN.sub(" ", unicodedata.normalize("NFC", text)), dice)
    ]
    if not base:
        raise SystemExit(
            f"the Russian and Kazakh corpus is made from ru-revisions/ and kazakh/ in {data}, "
            "and neither is there"
        )
    mean = sum(map(len, base)) / len(base)
    return with_copies(base, max(round(CHARS / mean) - len(base), 0), dice)


def _texts(data: Path) -> Iterator[str]:
    for page in sorted(data.glob("ru-revisions/*/*.txt")):
        yield page.read_text("utf-8", "replace")
    for law in sorted(data.glob("kazakh/kz_laws_html/*/*.html")):
        yield visible_text(law.read_text("utf-8", "replace"))
    for declaration in ("kaz", "rus"):
        path = data / "kazakh" / "udhr" / "udhr2" / f"{declaration}.txt"
        if path.is_file():
            yield path.read_text("utf-8", "replace")
    tales = data / "kazakh" / "fairytales" / "dataset.csv"
    if tales.is_file():
        with tales.open(encoding="utf-8", newline="") as rows:
            for row in csv.DictReader(rows):
                yield row["text"]
