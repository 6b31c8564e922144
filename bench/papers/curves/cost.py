"""What mega-shingles cost as a collection grows, with LSH measured beside them.

The other engines are measured by `./dev bench speed`, on the same collections.
"""

from __future__ import annotations

from pathlib import Path
from statistics import median
from typing import Any

from bench.corpus import texts_of
from bench.making.growing import growing
from bench.papers import Tell, corpus
from bench.papers.curves.recall import mega_shingles
from bench.papers.paper_000.pdfs import invented_vocabulary
from bench.speed.meter import Reading
from likewise.search import similar
from likewise.settings import Settings
from likewise.sketch import build_sets

SIZES, SMALL_SIZES = (10_000, 20_000, 50_000, 100_000, 200_000), (500, 2_000)
TURNS = 3
THRESHOLD = 0.8


def cost(folder: Path, small: bool, tell: Tell) -> list[dict[str, Any]]:
    """CPU time from texts to pairs, the median of some turns."""
    sizes = SMALL_SIZES if small else SIZES
    if small:
        texts = list(growing(invented_vocabulary(), sizes[-1]))
    else:
        corpus(folder, "growing/vocabulary.json")
        texts = list(texts_of(folder, "growing", sizes[-1]))
    engines = {
        "lsh": Settings.plain(method="lsh", threshold=THRESHOLD),
        "mega-shingles": mega_shingles(THRESHOLD),
    }
    figures = []
    for size in sizes:
        for name, settings in engines.items():
            seconds = []
            for _ in range(TURNS):
                start = Reading.now()
                found = similar(build_sets(texts[:size], settings), settings)
                seconds.append(start.spent()["cpu_s"])
            figures.append(
                {
                    "engine": name,
                    "documents": size,
                    "cpu_s": round(median(seconds), 4),
                    "pairs": len(found),
                    "compared": found.compared,
                }
            )
        tell(f"cost of {size:,} documents")
    return figures
