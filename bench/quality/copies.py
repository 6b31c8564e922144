"""Copies that we plant ourselves, at Jaccard .3 to .6, searched at those thresholds."""

from __future__ import annotations

import random
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from bench.corpus import provide, texts_of
from bench.making.english import with_copies
from bench.making.truth import true_pairs
from bench.quality.search import as_array, search
from bench.speed.score import score
from likewise.settings import Settings

CORPORA = ("english", "cyrillic")
DOCUMENTS, COPIES = 3000, 2000
LOW, HIGH = 0.3, 0.65  # above .6, so that at .6 there is something to find
THRESHOLDS = (0.3, 0.4, 0.5, 0.6)
ASKED_RECALL = 0.99
SEED = 23


def planted_copies(folder: Path) -> list[dict[str, Any]]:
    """Recall and precision of exact and LSH against all pairs, counted one by one."""
    figures = []
    for corpus in CORPORA:
        provide(folder, corpus)
        base = list(islice(texts_of(folder, corpus), DOCUMENTS))
        records = list(with_copies(base, COPIES, random.Random(SEED), LOW, HIGH))
        texts = [str(record["text"]) for record in records]
        truth = true_pairs(texts, min(THRESHOLDS))
        for threshold in THRESHOLDS:
            reached = truth.at_least(threshold)
            true = np.stack((reached.left, reached.right), axis=1)
            planted = _planted(records, threshold)
            for method in ("exact", "lsh"):
                settings = Settings.plain(threshold=threshold, method=method, recall=ASKED_RECALL)
                pairs = search(texts, settings)
                found = as_array(pairs)
                of_planted = score(found, planted, len(texts))
                figures.append(
                    {
                        "corpus": corpus,
                        "documents": len(texts),
                        "threshold": threshold,
                        "method": method,
                        "how": pairs.method,
                        "compared": pairs.compared,
                        **score(found, true, len(texts)),
                        "planted": of_planted["true"],
                        "planted_found": of_planted["right"],
                    }
                )
    return figures


def _planted(records: list[dict[str, object]], threshold: float) -> np.ndarray[Any, Any]:
    """Copies that reach the threshold, each with its original."""
    pairs = [
        (record["of"], record["id"])
        for record in records
        if record["of"] is not None and record["jaccard"] >= threshold  # type: ignore[operator]
    ]
    return np.sort(np.array(pairs, np.int64).reshape(-1, 2), axis=1)
