"""Signature kernels alone, on the same prepared sets: how fast, and how far from the truth."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.corpus import texts_of, truth_of
from bench.speed.frontend import agreement
from bench.speed.meter import Reading
from likewise.kernels import ENGINE
from likewise.settings import Settings
from likewise.sketch import Sets, build_sets, signatures_of

SLOTS, BITS = 128, 16
SEEDS = tuple(range(1, 13))  # errors are taken over all of them
SMALL_SET = 100  # shingles

Kernel = Callable[[], Any]
Rows = Callable[[Any], NDArray[np.generic]]


def kernel_job(folder: Path, corpus: str, limit: int | None, repeat: int) -> dict[str, Any]:
    """Each kernel in turn, `repeat` times; a signature's estimate against the exact Jaccard."""
    sets = build_sets(texts_of(folder, corpus, limit), Settings.plain())
    truth = truth_of(folder, corpus, limit)
    pairs = np.stack((truth.left, truth.right), axis=1)
    small = np.maximum(sets.sizes[truth.left], sets.sizes[truth.right]) <= SMALL_SET
    kernels = _kernels(sets, SEEDS[0])
    seconds: dict[str, list[float]] = {name: [] for name in kernels}
    for _ in range(repeat):
        for name, (kernel, _) in kernels.items():
            start = Reading.now()
            kernel()
            seconds[name].append(start.spent()["cpu_s"])
    answer: dict[str, Any] = {}
    for name in kernels:
        error = _errors(name, sets, pairs, truth.jaccard)
        answer[name] = {
            "cpu_s": seconds[name],
            "million_shingles_per_cpu_s": round(len(sets.hashes) / min(seconds[name]) / 1e6, 1),
            "rmse_by_seed": [_rmse(row) for row in error],
            "rmse": _rmse(error),
            "rmse_small": _rmse(error[:, small]),
        }
    return {
        "engine": ENGINE,
        "documents": len(sets),
        "shingles": len(sets.hashes),
        "slots": SLOTS,
        "seeds": len(SEEDS),
        "pairs": len(pairs),
        "small_pairs": int(small.sum()),
        "kernels": answer,
    }


def _errors(
    name: str, sets: Sets, pairs: NDArray[np.int64], jaccard: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Estimate less truth: a row for each seed, a column for each pair."""
    rows = []
    for seed in SEEDS:
        kernel, as_rows = _kernels(sets, seed)[name]
        chance = 2.0**-BITS if name == "likewise" else 0.0  # the others keep 32 bits a slot
        agreeing = agreement(as_rows(kernel()), pairs)
        rows.append(np.maximum(agreeing - chance, 0) / (1 - chance) - jaccard)
    return np.array(rows)


def _kernels(sets: Sets, seed: int) -> dict[str, tuple[Kernel, Rows]]:
    from FastSketchLSH import FastSimilaritySketch
    from rensa import RMinHash

    settings = Settings.plain(slots=SLOTS, bits=BITS, seed=seed)
    offsets = sets.offsets.astype(np.uint64)
    hashes = np.array(sets.hashes)
    fast = FastSimilaritySketch(size=SLOTS, seed=seed)
    flat = RMinHash.digest_matrix_from_flat_token_hashes
    return {
        "likewise": (lambda: signatures_of(sets, settings), np.asarray),
        "rensa": (
            lambda: flat(hashes, offsets, num_perm=SLOTS, seed=seed),
            lambda matrix: np.array(matrix.to_rows(), dtype=np.uint32),
        ),
        "fastsketch": (
            lambda: fast.batch_csr(hashes, offsets, prehashed=True, num_threads=1),
            np.asarray,
        ),
    }


def _rmse(error: NDArray[np.float64]) -> float | None:
    return round(float(np.sqrt(np.mean(error**2))), 4) if error.size else None
