"""Russian pages that people revised: do the revisions of a page come together, and only they?"""

from __future__ import annotations

import csv
from itertools import combinations
from pathlib import Path
from typing import Any

from bench.quality.search import Pair, clustered_pairs, named_pairs, ordered, search
from bench.speed.score import share
from likewise.settings import Settings

THRESHOLDS = (0.2, 0.3, 0.4, 0.5, 0.7)


def revised_pages(folder: Path) -> list[dict[str, Any]]:
    """Precision, recall and F1 over pairs of pages, as found and as clustered."""
    figures = []
    for path in sorted(folder.glob("ru-revisions/truth_*.tsv")):
        collection = path.stem.removeprefix("truth_")
        cluster_of = {row["file"]: row["cluster"] for row in _rows(path)}
        grey = {
            ordered(row["file_a"], row["file_b"])
            for row in _rows(path.with_name(f"grey_pairs_{collection}.tsv"))
        }
        names = sorted(cluster_of)
        texts = [(path.parent / collection / name).read_text("utf-8") for name in names]
        true = {(a, b) for a, b in combinations(names, 2) if cluster_of[a] == cluster_of[b]} - grey
        for words, make in (("default", Settings), ("plain", Settings.plain)):
            for threshold in THRESHOLDS:
                pairs = search(texts, make(threshold=threshold))
                figures.append(
                    {
                        "collection": collection,
                        "documents": len(names),
                        "words": words,
                        "threshold": threshold,
                        "pairs": _rightness(named_pairs(pairs, names) - grey, true),
                        "clusters": _rightness(clustered_pairs(pairs, names) - grey, true),
                    }
                )
    return figures


def _rightness(found: set[Pair], true: set[Pair]) -> dict[str, Any]:
    right = len(found & true)
    return {
        "found": len(found),
        "true": len(true),
        "right": right,
        "precision": share(right, len(found)),
        "recall": share(right, len(true)),
        "f1": share(2 * right, len(found) + len(true)),
    }


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as lines:
        rows = csv.DictReader(lines, delimiter="\t")
        return [row for row in rows if all(value is not None for value in row.values())]
