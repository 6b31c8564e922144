"""Likewise on one corpus: cold, then warm if asked, in one process."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.corpus import texts_of, truth_of
from bench.speed.meter import Reading, peak_mb
from bench.speed.score import score
from likewise.kernels import ENGINE
from likewise.language import Lexicon
from likewise.search import similar
from likewise.settings import Method, Settings
from likewise.sketch import build_sets

Pairs = NDArray[np.int64]


def own_job(
    folder: Path,
    corpus: str,
    threshold: float,
    limit: int | None,
    method: Method = "exact",
    plain: bool = True,
    warm: int = 0,
    compare_with: str = "truth",
) -> dict[str, Any]:
    """From a list of texts to verified pairs, and how many of them are right.

    `warm` runs follow in the same process with the lexicon kept. The pairs are compared with the
    truth, or with the exact join under the same settings where words are stemmed or dropped.
    """
    make = Settings.plain if plain else Settings
    settings = make(threshold=threshold, method=method)
    texts = list(texts_of(folder, corpus, limit))
    loaded = peak_mb()
    lexicon, cold, pairs = None, None, np.zeros((0, 2), np.int64)
    warm_runs = []
    peak = 0.0
    for turn in range(1 + warm):
        start = Reading.now()
        if lexicon is None:
            lexicon = Lexicon(settings)
        sets = build_sets(texts, settings, lexicon, jobs=1)
        sets_cpu = start.spent()["cpu_s"]
        found = similar(sets, settings)
        pairs = np.array([(a, b) for a, b, *_ in found.documents()], np.int64).reshape(-1, 2)
        spent = {**start.spent(), "sets_cpu_s": sets_cpu}
        if turn == 0:
            cold, peak = spent, peak_mb()
        else:
            warm_runs.append(spent)
        shingles, compared, how = len(sets.hashes), found.compared, found.method
        del sets, found
    assert cold is not None
    return {
        "kernels": ENGINE,
        "documents": len(texts),
        "mb": sum(map(len, texts)) / 1e6,
        "shingles": shingles,
        **cold,
        "warm": warm_runs,
        "loaded_mb": loaded,
        "peak_mb": peak,
        "compared": compared,
        "method": how,
        **_score(pairs, texts, folder, corpus, settings, limit, compare_with),
    }


def _score(
    pairs: Pairs,
    texts: list[str],
    folder: Path,
    corpus: str,
    settings: Settings,
    limit: int | None,
    compare_with: str,
) -> dict[str, Any]:
    if compare_with == "nothing":
        return {"found": len(pairs)}
    if compare_with == "exact":
        exact = settings.but(method="exact")
        found = similar(build_sets(texts, exact), exact)
        true = np.array([(a, b) for a, b, *_ in found.documents()], np.int64).reshape(-1, 2)
    else:
        truth = truth_of(folder, corpus, limit).at_least(settings.threshold)
        true = np.stack((truth.left, truth.right), axis=1)
    return score(pairs, true, len(texts))
