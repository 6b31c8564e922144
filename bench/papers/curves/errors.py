"""How far a signature's estimate is from the truth, by slots and by bits, ours and others'."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.papers import Tell
from bench.papers.curves.pairs import known_pairs
from likewise.settings import Settings
from likewise.sketch import Sets, signatures_of

UNIONS = (60, 1000)  # distinct elements of a pair: a short paragraph, a few pages
JACCARDS = (0.2, 0.5, 0.8, 0.95)
SLOTS = (16, 32, 64, 128, 256, 512, 1024)
BITS = (1, 2, 4, 8, 16, 32, 64)
SLOTS_FOR_BITS, UNION_FOR_BITS = 256, 10_000
ROOM_BYTES = 512  # of a signature, where slots are given up for bits
PAIRS, SEEDS = 1000, 4
SLOW = ("datasketch",)  # one seed is enough for it
SMALL_PAIRS, SMALL_SEEDS = 100, 2

Signatures = NDArray[np.generic]
Maker = Callable[[Sets, int, int], Signatures]  # of sets, with so many slots, from a seed


def errors_by_slots(small: bool, tell: Tell) -> list[dict[str, Any]]:
    """The root of the mean square error of every maker, for every number of slots."""
    pairs, seeds = (SMALL_PAIRS, SMALL_SEEDS) if small else (PAIRS, SEEDS)
    figures = []
    for union in UNIONS:
        for jaccard in JACCARDS:
            known = known_pairs(pairs, union, jaccard)
            for name, make in makers().items():
                turns = 1 if name in SLOW else seeds
                for slots in SLOTS[1:5] if small else SLOTS:
                    shares = [
                        known.agreement(make(known.sets, slots, seed))
                        for seed in range(1, turns + 1)
                    ]
                    figures.append(
                        {
                            "maker": name,
                            "union": union,
                            "jaccard": known.jaccard,
                            "slots": slots,
                            "estimates": pairs * turns,
                            "rmse": _rmse(np.concatenate(shares) - known.jaccard),
                            "theory": round(sqrt(jaccard * (1 - jaccard) / slots), 5),
                        }
                    )
        tell(f"errors against slots, {union} elements")
    return figures


def errors_by_bits(small: bool) -> list[dict[str, Any]]:
    """Our error with few bits a slot: with as many slots, and in as much room."""
    pairs, seeds = (SMALL_PAIRS, SMALL_SEEDS) if small else (PAIRS, SEEDS)
    union = UNIONS[1] if small else UNION_FOR_BITS
    figures = []
    for jaccard in JACCARDS:
        known = known_pairs(pairs, union, jaccard)
        for bits in BITS:
            for kept, slots in (("slots", SLOTS_FOR_BITS), ("room", ROOM_BYTES * 8 // bits)):
                errors = []
                for seed in range(1, seeds + 1):
                    # The first bits of 64 are what fewer bits would have been.
                    whole = _fast(known.sets, slots, seed)
                    share = known.agreement(whole >> np.uint64(64 - bits))
                    by_chance = 2.0**-bits
                    estimate = np.maximum(share - by_chance, 0) / (1 - by_chance)
                    errors.append(estimate - known.jaccard)
                figures.append(
                    {
                        "kept": kept,
                        "union": union,
                        "jaccard": known.jaccard,
                        "bits": bits,
                        "slots": slots,
                        "bytes": slots * bits // 8,
                        "rmse": _rmse(np.concatenate(errors)),
                        "theory": round(theory_of_bits(jaccard, slots, bits), 5),
                    }
                )
    return figures


def theory_of_bits(jaccard: float, slots: int, bits: int) -> float:
    """The standard error of b-bit minwise hashing (Li and König 2010) for independent slots.

    >>> round(theory_of_bits(0.5, 256, 64), 5), round(theory_of_bits(0.5, 256, 1), 5)
    (0.03125, 0.05413)
    """
    by_chance = 2.0**-bits
    agree = jaccard + (1 - jaccard) * by_chance
    return sqrt(agree * (1 - agree) / slots) / (1 - by_chance)


def makers() -> dict[str, Maker]:
    """Ours, and those of others that are installed."""
    others = {"rensa": _rensa, "FastSketchLSH": _fastsketch, "datasketch": _datasketch}
    there = {name: make for name, make in others.items() if find_spec(name)}
    return {"likewise": _fast, "classic": _classic, **there}


def _fast(sets: Sets, slots: int, seed: int) -> NDArray[np.uint64]:
    made: NDArray[np.uint64] = signatures_of(sets, Settings(slots=slots, bits=64, seed=seed))
    return made


def _classic(sets: Sets, slots: int, seed: int) -> Signatures:
    settings = Settings(slots=slots, bits=64, seed=seed, scheme="minhash")
    return np.asarray(signatures_of(sets, settings))


def _rensa(sets: Sets, slots: int, seed: int) -> Signatures:
    from rensa import RMinHash

    flat = RMinHash.digest_matrix_from_flat_token_hashes
    offsets = sets.offsets.astype(np.uint64)
    return np.array(flat(sets.hashes, offsets, num_perm=slots, seed=seed).to_rows(), np.uint32)


def _fastsketch(sets: Sets, slots: int, seed: int) -> Signatures:
    from FastSketchLSH import FastSimilaritySketch

    sketch = FastSimilaritySketch(size=slots, seed=seed)
    offsets = sets.offsets.astype(np.uint64)
    return np.asarray(sketch.batch_csr(sets.hashes, offsets, prehashed=True, num_threads=1))


def _datasketch(sets: Sets, slots: int, seed: int) -> Signatures:
    from datasketch import MinHash

    hashed = [(sets[i] >> np.uint64(32)).tolist() for i in range(len(sets))]  # it takes 32 bits
    made = MinHash.bulk(hashed, num_perm=slots, seed=seed, hashfunc=int)
    return np.stack([sketch.hashvalues for sketch in made])


def _rmse(error: NDArray[np.float64]) -> float:
    return round(float(np.sqrt(np.mean(error**2))), 5)
