"""Near-duplicate articles planted among others, in `planted-pairs/articles_*.train`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from bench.quality.search import named_pairs, ordered, search
from likewise.settings import Settings

THRESHOLD = 0.5


def planted_articles(folder: Path) -> list[dict[str, Any]]:
    """For each collection, how many of the planted pairs are found, and what else is."""
    figures = []
    for path in sorted(folder.glob("planted-pairs/articles_*.train"), key=_size):
        lines = [line.split(maxsplit=1) for line in path.read_text("utf-8").splitlines() if line]
        names, texts = [line[0] for line in lines], [line[1] for line in lines]
        truth = {
            ordered(*line.split()) for line in path.with_suffix(".truth").read_text().splitlines()
        }
        for words, settings in (
            ("default", Settings(threshold=THRESHOLD)),
            ("plain", Settings.plain(threshold=THRESHOLD)),
        ):
            for method in ("exact", "lsh"):
                found = named_pairs(search(texts, settings.but(method=method)), names)
                figures.append(
                    {
                        "collection": path.stem,
                        "documents": len(names),
                        "words": words,
                        "method": method,
                        "threshold": THRESHOLD,
                        "planted": len(truth),
                        "found": len(truth & found),
                        "others": len(found - truth),
                    }
                )
    return figures


def _size(path: Path) -> int:
    return int(path.stem.rpartition("_")[2])
