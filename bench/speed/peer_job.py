"""One peer on one corpus."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from bench.corpus import texts_of, truth_of
from bench.speed.meter import Reading, peak_mb
from bench.speed.peers import PEERS, Question
from bench.speed.score import score


def peer_job(
    folder: Path, engine: str, corpus: str, threshold: float, limit: int | None
) -> dict[str, Any]:
    """From a list of texts to pairs, and how many of them are right."""
    run = PEERS[engine]()
    texts = list(texts_of(folder, corpus, limit))
    loaded = peak_mb()
    start = Reading.now()
    pairs = run(texts, Question(threshold))
    spent = start.spent()
    peak = peak_mb()
    truth = truth_of(folder, corpus, limit).at_least(threshold)
    return {
        "documents": len(texts),
        "mb": sum(map(len, texts)) / 1e6,
        **spent,
        "loaded_mb": loaded,
        "peak_mb": peak,
        **score(pairs, np.stack((truth.left, truth.right), axis=1), len(texts)),
    }
