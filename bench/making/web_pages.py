"""A small Internet: thousands of pages from the corpora, and a search engine's index of them.

The pages stand in one SQLite file, their texts in a full-text index beside them. What is planted in
documents is taken from them; what documents say themselves is taken from texts that are not there.
"""

from __future__ import annotations

import csv
import json
import random
import re
import sqlite3
import unicodedata
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from bench.making.cutting import visible_text

SEED = 47
NSF_PAGES, NSF_OWN, DEBIAN_PAGES = 3_000, 1_500, 2_000
OWN = 4  # of the Russian and Kazakh texts, one of so many is not on the Internet
FEWEST_WORDS, MOST_WORDS = 120, 3_000
# How a page is served, and how many of a hundred are.
KINDS = {
    "page": 55,  # HTML in UTF-8
    "old page": 10,  # HTML in an older encoding, named in it or nowhere
    "pdf": 10,
    "plain": 10,
    "slow": 2,
    "moved": 6,
    "gone": 2,
    "broken": 2,
    "private": 2,  # robots.txt asks not to fetch it
    "script": 1,  # nothing but a program
}
UNREADABLE = frozenset({"gone", "broken", "private", "script"})
_BLANK_LINE = re.compile(r"\n\s*\n")


def make_world(folder: Path, target: Path) -> None:
    """Write the pages, their index and the texts that are not there."""
    dice = random.Random(SEED)
    unfinished = target.with_suffix(".part")
    unfinished.unlink(missing_ok=True)
    target.parent.mkdir(parents=True, exist_ok=True)
    database = sqlite3.connect(unfinished)
    database.executescript(
        "CREATE TABLE pages"
        " (id INTEGER PRIMARY KEY, language TEXT, kind TEXT, title TEXT, text TEXT);"
        "CREATE TABLE own (id INTEGER PRIMARY KEY, language TEXT, text TEXT);"
        "CREATE VIRTUAL TABLE found USING fts5(title, text, content='pages', content_rowid='id',"
        " tokenize='unicode61 remove_diacritics 0');"
    )
    kinds, weights = list(KINDS), list(KINDS.values())
    for language, text, is_own in _texts(folder):
        text = _tidied(text)
        words = text.split()
        if not FEWEST_WORDS <= len(words) <= MOST_WORDS:
            continue
        if is_own:
            database.execute("INSERT INTO own (language, text) VALUES (?, ?)", (language, text))
            continue
        kind = dice.choices(kinds, weights)[0]
        title = " ".join(words[:8])
        row = (language, kind, title, text)
        database.execute("INSERT INTO pages (language, kind, title, text) VALUES (?, ?, ?, ?)", row)
    database.execute("INSERT INTO found(found) VALUES ('rebuild')")
    database.commit()
    database.close()
    unfinished.replace(target)


def _tidied(text: str) -> str:
    """Paragraphs on lines of their own, without characters that no page can show."""
    text = unicodedata.normalize("NFC", text).replace("\x0c", "\n")
    text = "".join(c for c in text if c == "\n" or c.isprintable())
    paragraphs = (" ".join(part.split()) for part in _BLANK_LINE.split(text))
    return "\n\n".join(part for part in paragraphs if part)


def _texts(folder: Path) -> Iterator[tuple[str, str, bool]]:
    """Language, text, and whether it is kept off the Internet."""
    for path in sorted((folder / "pan13-train" / "src").glob("*.txt")):
        yield "en", path.read_text("utf-8", "replace").replace("\n", "\n\n"), False
    with (folder / "nsf-2008.jsonl").open(encoding="utf-8") as lines:
        for number, line in enumerate(islice(lines, NSF_PAGES + NSF_OWN)):
            yield "en", json.loads(line)["abstract"], number >= NSF_PAGES
    with (folder / "english" / "docs.jsonl").open(encoding="utf-8") as lines:
        for line in islice(lines, 0, None, 44_000 // DEBIAN_PAGES):
            yield "en", json.loads(line)["text"], False
    for name in ("ru_react", "ru_vue"):
        clusters = json.loads(
            (folder / "ru-revisions" / f"clusters_{name}.json").read_text("utf-8")
        )
        for number, cluster in enumerate(clusters):
            path = folder / "ru-revisions" / name / cluster["files"][-1]["file"]
            yield "ru", path.read_text("utf-8", "replace"), number % OWN == 0
    for law in sorted(folder.glob("kazakh/kz_laws_html/*/*.html")):
        language = "ru" if law.stem.endswith("ru") else "kk"
        words = visible_text(law.read_text("utf-8", "replace")).split()
        for start in range(0, len(words), 500):
            yield language, " ".join(words[start : start + 500]), False
    with (folder / "kazakh" / "fairytales" / "dataset.csv").open(encoding="utf-8") as rows:
        for number, row in enumerate(csv.DictReader(rows)):
            yield "kk", row["text"], number % OWN == 0
