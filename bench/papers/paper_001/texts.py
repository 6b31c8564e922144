"""The abstracts that the filters are tried on."""

from __future__ import annotations

import json
import random
from pathlib import Path

from bench.making.growing import growing
from bench.papers import corpus
from bench.papers.paper_000.pdfs import invented_vocabulary
from bench.papers.paper_001 import published

NEW, OLD = "nsf-2008", "nsf-cise-2003"
LIKE_THE_PAPER = f"{published.DOCUMENTS} of {OLD}"
INVENTED = "invented"


def collections(folder: Path, small: bool) -> dict[str, list[str]]:
    """Texts by the name of the collection; one is as large as the paper's."""
    if small:
        return {INVENTED: list(growing(invented_vocabulary(), 300))}
    old = _abstracts(folder, OLD)
    some = sorted(random.Random(LIKE_THE_PAPER).sample(range(len(old)), published.DOCUMENTS))
    return {LIKE_THE_PAPER: [old[i] for i in some], OLD: old, NEW: _abstracts(folder, NEW)}


def _abstracts(folder: Path, name: str) -> list[str]:
    with corpus(folder, f"{name}.jsonl").open(encoding="utf-8") as lines:
        return [json.loads(line)["abstract"] for line in lines]
