"""LSH: the recall that was asked for beside the one that came, and mega-shingles beside both."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.corpus import texts_of
from bench.making.growing import growing
from bench.papers import Tell, corpus
from bench.papers.paper_000.pdfs import invented_vocabulary
from bench.speed.meter import Reading
from likewise.search import Pairs, plan, similar
from likewise.settings import Settings
from likewise.sketch import Sets, build_sets

THRESHOLDS = (0.5, 0.6, 0.7, 0.8, 0.9)
ASKED = (0.9, 0.95, 0.99, 0.999)
NEAR = 0.02  # above the threshold, where the promise is hardest to keep
SEEDS, SMALL_SEEDS = (1, 2, 3), (1, 2)
SMALL_DOCUMENTS = 3000


def recall(folder: Path, small: bool, tell: Tell) -> dict[str, Any]:
    """Every recall asked at every threshold, over some seeds, with the exact join as the truth."""
    if small:
        texts = list(growing(invented_vocabulary(), SMALL_DOCUMENTS))
    else:
        corpus(folder, "english/docs.jsonl")
        texts = list(texts_of(folder, "english"))
    sets = build_sets(texts, Settings.plain())
    seeds = SMALL_SEEDS if small else SEEDS
    figures = []
    for threshold in THRESHOLDS[2:4] if small else THRESHOLDS:
        exact = Settings.plain(threshold=threshold)
        start = Reading.now()
        found = similar(sets, exact)
        spent = start.spent()["cpu_s"]
        truth = _Truth(found, len(sets), threshold)
        truth_facts = {"pairs": len(truth.keys), "near": int(truth.near.sum())}
        figures.append(
            {"engine": "exact", "threshold": threshold, **truth_facts, **_facts(found, spent)}
        )
        for asked in ASKED:
            settings = Settings.plain(method="lsh", threshold=threshold, recall=asked)
            figures.append(
                {"engine": "lsh", "asked": asked, **_tried(sets, settings, truth, seeds)}
            )
        mega = mega_shingles(threshold)
        figures.append({"engine": "mega-shingles", **_tried(sets, mega, truth, seeds)})
        tell(f"recall at {threshold}")
    return {"documents": len(sets), "shingles": len(sets.hashes), "near": NEAR, "runs": figures}


def mega_shingles(threshold: float) -> Settings:
    """Fetterly's preset over plain words."""
    preset = Settings.mega_shingles(threshold=threshold)
    plain = Settings.plain()
    return preset.but(**{name: getattr(plain, name) for name in _WORDS})


_WORDS = ("homoglyphs", "stop_words", "stem", "drop_urls", "join_hyphens", "max_length")


class _Truth:
    """The pairs of the exact join, as numbers that can be looked up."""

    def __init__(self, found: Pairs, documents: int, threshold: float) -> None:
        self._documents = documents
        pairs = np.array(list(found.documents()), dtype=np.int64).reshape(-1, 5)
        self.keys = np.sort(pairs[:, 0] * documents + pairs[:, 1])
        order = np.argsort(pairs[:, 0] * documents + pairs[:, 1])
        jaccard = pairs[:, 2] / (pairs[:, 3] + pairs[:, 4] - pairs[:, 2])
        self.jaccard: NDArray[np.float64] = jaccard[order]
        self.near: NDArray[np.bool_] = self.jaccard < threshold + NEAR

    def held(self, found: Pairs) -> NDArray[np.bool_]:
        """Which of the true pairs were found."""
        keys = np.array([a * self._documents + b for a, b, *_ in found.documents()], np.int64)
        return np.isin(self.keys, keys)


def _tried(sets: Sets, settings: Settings, truth: _Truth, seeds: tuple[int, ...]) -> dict[str, Any]:
    held, compared, seconds = [], [], []
    for seed in seeds:
        start = Reading.now()
        found = similar(sets, settings.but(seed=seed))
        seconds.append(start.spent()["cpu_s"])
        compared.append(found.compared)
        held.append(truth.held(found))
    all_held = np.array(held)
    cut = plan(settings)
    promised = [cut.chance(float(jaccard)) for jaccard in truth.jaccard]
    return {
        "threshold": settings.threshold,
        "bands": cut.bands,
        "rows": cut.rows,
        "slots": settings.slots,
        "seeds": len(seeds),
        "pairs": len(truth.keys),
        "near": int(truth.near.sum()),
        "chance_at_threshold": round(cut.chance(settings.threshold), 5),
        "promised": _mean(np.array(promised)),
        "recall": _mean(all_held),
        "promised_near": _mean(np.array(promised)[truth.near]),
        "recall_near": _mean(all_held[:, truth.near]),
        "compared": round(float(np.mean(compared))),
        "cpu_s": round(float(np.median(seconds)), 4),
    }


def _facts(found: Pairs, cpu_s: float) -> dict[str, Any]:
    return {"compared": found.compared, "cpu_s": round(cpu_s, 4)}


def _mean(values: NDArray[Any]) -> float | None:
    return round(float(values.mean()), 5) if values.size else None
