"""Checks against the Internet: which pages are found that documents were compiled from.

A small Internet is served on loopback by another process; each document is checked as
`likewise check --web` does it, queries, snippets, fetching and alignment together.

    python -m bench.quality.internet [--corpus .data] [--limit N] [--documents "held out"]
        [--strict] [--other-languages]
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from bench.corpus import DEFAULT_FOLDER, say
from bench.making.web_documents import Compiled, Planted, World, compiled_documents
from bench.making.web_pages import make_world
from bench.making.web_server import STRICT
from likewise.internet import FetchedPage, Fetcher, check_on_web
from likewise.internet.providers import Provider, available
from likewise.model import Check, Source

DOCUMENTS = 100
SEEDS = {"seen": 1, "held out": 2}  # what was tuned on, and what was not
NEEDED = ("pan13-train", "nsf-2008.jsonl", "english", "ru-revisions", "kazakh")
_NUMBER = re.compile(r"/(\d+)\.\w+$")


def on_the_web(folder: Path, limit: int = DOCUMENTS) -> list[dict[str, Any]]:
    """What is found of both sets of documents; of one also with less, and by another engine."""
    if not all((folder / name).exists() for name in NEEDED):
        return []
    with served(folder) as (world, address):
        found = []
        for name, seed in SEEDS.items():
            documents = compiled_documents(world, DOCUMENTS, seed)[:limit]
            found.append(measured(documents, address, name))
        found.append(measured(documents, address, f"{name}, at most 1 query per 100 words", 1.0))
        found.append(measured(documents, address + STRICT, f"{name}, engine wants every word"))
        return found


@contextmanager
def served(folder: Path) -> Iterator[tuple[World, str]]:
    """The small Internet, and where it stands."""
    path = folder / "internet" / "world.db"
    if not path.is_file():
        say(f"making {path}")
        make_world(folder, path)
    command = [sys.executable, "-m", "bench.making.web_server", str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as web:
        assert web.stdin is not None and web.stdout is not None
        try:
            yield World(path), web.stdout.readline().strip()
        finally:
            web.stdin.close()


def measured(
    documents: Iterable[Compiled],
    address: str,
    name: str,
    per_100_words: float | None = None,
    *,
    other_languages: bool = False,
) -> dict[str, Any]:
    """Every document checked, by the usual budget or another, and the sums."""
    counts: Counter[str] = Counter()
    host = urlsplit(address).netloc
    with tempfile.TemporaryDirectory() as cache:
        fetcher = Counting(Fetcher(cache=Path(cache), allowed_hosts=(host,), delay_seconds=0.0))
        providers = available({"LIKEWISE_SEARXNG_URL": address})
        began, spent = time.monotonic(), time.process_time()
        for compiled in documents:
            budget = max(int(compiled.words * per_100_words / 100), 1) if per_100_words else None
            check = checked(compiled, providers, fetcher, budget, other_languages)
            counts.update(counted(compiled, check))
        counts["fetches"] = fetcher.asked
        seconds, spent = time.monotonic() - began, time.process_time() - spent
    return {"documents": name, **figures(counts), "seconds": round(seconds), "cpu_s": round(spent)}


def checked(
    compiled: Compiled,
    providers: list[Provider],
    fetcher: Counting,
    budget: int | None = None,
    other_languages: bool = False,
) -> Check:
    return check_on_web(
        compiled.document,
        providers=providers,
        fetcher=fetcher,
        budget=budget,
        other_languages=other_languages,
    )


class Counting:
    """A fetcher that counts the pages it is asked for, in vain or not."""

    def __init__(self, fetcher: Fetcher) -> None:
        self._fetcher = fetcher
        self.asked = 0

    def fetch(self, url: str) -> FetchedPage:
        self.asked += 1
        return self._fetcher.fetch(url)


def counted(compiled: Compiled, check: Check) -> Counter[str]:
    """What one check found, in whole numbers."""
    counts = Counter[str]()
    found = {number_of(s.name): s for s in check.sources if s.passages}
    unread = {number_of(file.name) for file in check.unread}
    for planted in compiled.planted:
        if planted.can_be_read:
            counts[f"{planted.treatment} planted"] += 1
            counts[f"{planted.treatment} found"] += _is_found(planted, found)
        else:
            counts["unreadable planted"] += 1
            counts["unreadable named"] += planted.page in unread or _is_found(planted, found)
    true = frozenset().union(*(planted.twins for planted in compiled.planted))
    counts["documents checked"] += 1
    counts["words"] += compiled.words
    counts["queries"] += len(check.asked)
    counts["reported"] += len(found)
    counts["reported rightly"] += len(found.keys() & true)
    return counts


def _is_found(planted: Planted, found: dict[int, Source]) -> bool:
    """Whether the page or a twin of it is named where its text stands."""
    return any(
        passage.a & planted.span
        for page in planted.twins & found.keys()
        for passage in found[page].passages
    )


def number_of(url: str) -> int:
    """The page of an address; -1 of what is none."""
    found = _NUMBER.search(url)
    return int(found[1]) if found else -1


def figures(counts: Counter[str]) -> dict[str, Any]:
    planted = counts["verbatim planted"] + counts["edited planted"]
    return {
        "checked": counts["documents checked"],
        "words": counts["words"],
        "verbatim": counts["verbatim planted"],
        "recall_verbatim": _share(counts["verbatim found"], counts["verbatim planted"]),
        "edited": counts["edited planted"],
        "recall_edited": _share(counts["edited found"], counts["edited planted"]),
        "reported": counts["reported"],
        "precision": _share(counts["reported rightly"], counts["reported"]),
        "queries": counts["queries"],
        "queries_per_100_words": _share(100 * counts["queries"], counts["words"]),
        "fetches": counts["fetches"],
        "fetches_per_source": _share(counts["fetches"], planted),
        "unreadable": counts["unreadable planted"],
        "unreadable_named": counts["unreadable named"],
    }


def _share(part: int, whole: int) -> float:
    return round(part / whole, 3) if whole else 0.0


def main() -> None:
    """Print the figures of one set of documents."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", type=Path, default=DEFAULT_FOLDER)
    parser.add_argument("--limit", type=int, default=DOCUMENTS)
    parser.add_argument("--documents", choices=SEEDS, default="seen")
    parser.add_argument("--strict", action="store_true", help="the engine wants every word")
    parser.add_argument("--other-languages", action="store_true", help="queries in those as well")
    asked = parser.parse_args()
    with served(asked.corpus) as (world, address):
        documents = compiled_documents(world, DOCUMENTS, SEEDS[asked.documents])[: asked.limit]
        address += STRICT if asked.strict else ""
        result = measured(
            documents, address, asked.documents, other_languages=asked.other_languages
        )
        print(json.dumps(result, indent=1))


if __name__ == "__main__":
    main()
