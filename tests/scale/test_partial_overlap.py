"""Partial copies are those that counting every pair of documents finds."""

from __future__ import annotations

import random
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from likewise import scale
from likewise.errors import BadSettings
from likewise.language import Lexicon
from likewise.settings import Settings
from likewise.sketch.batches import sketched

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

PLAIN = Settings.plain()
Found = set[tuple[str, str, int, float, float]]


def _texts(seed: int, documents: int = 30) -> dict[str, str]:
    """Documents of which some hold parts of others, and many the same notice."""
    chance = random.Random(seed)
    notice = " ".join(f"notice{number}" for number in range(20))
    parts = [
        " ".join(f"part{number}x{word}" for word in range(chance.randint(10, 60)))
        for number in range(6)
    ]
    texts = {}
    for number in range(documents):
        own = " ".join(f"own{seed}x{number}x{word}" for word in range(chance.randint(5, 60)))
        chosen = chance.sample(parts, chance.randint(0, 2))
        texts[f"s{seed}d{number}"] = " ".join([own, *chosen, *([notice] if number % 2 else [])])
    return texts


def _prints(texts: dict[str, str]) -> dict[str, set[int]]:
    """Winnowing as the paper tells it: the least hash of each window of shingles."""
    found = {}
    for name, text in texts.items():
        (hashes,) = sketched([text], PLAIN, Lexicon(PLAIN), _runs)
        windows = [hashes[at : at + PLAIN.window] for at in range(len(hashes) - PLAIN.window + 1)]
        found[name] = {min(window) for window in windows or [hashes] if window}
    return found


def _runs(batch: tuple[Any, Any]) -> list[int]:
    from likewise.kernels import shingle_runs

    return shingle_runs(*batch, PLAIN.shingle)[0].tolist()


def _by_counting(
    new: dict[str, str], old: dict[str, str] | None, threshold: float, cap: int
) -> Found:
    ours = _prints(new)
    theirs = _prints(old) if old is not None else ours
    everyone = {**ours, **theirs}
    holders: dict[int, int] = {}
    for prints in everyone.values():
        for one in prints:
            holders[one] = holders.get(one, 0) + 1
    names = list(new)
    found: Found = set()
    for a in new:
        for b in theirs:
            if old is None and names.index(b) <= names.index(a):
                continue
            shared = sum(1 for one in ours[a] & theirs[b] if holders[one] <= cap)
            least = min(len(ours[a]), len(theirs[b]))
            if shared and shared / least >= threshold:
                found.add((a, b, shared, shared / len(ours[a]), shared / len(theirs[b])))
    return found


@pytest.mark.parametrize("against", [False, True], ids=["inside one", "new against old"])
def test_parts_are_found_as_by_counting(spark: SparkSession, against: bool, tmp_path: Path) -> None:
    new, old = _texts(1), _texts(2) if against else None
    cap = 24 if against else 12  # fewer than hold the notice
    frames = [
        spark.createDataFrame(list(texts.items()), "id string, text string").coalesce(1)
        for texts in (new, old)
        if texts is not None
    ]
    found = scale.partly_copied(
        spark,
        frames[0],
        PLAIN,
        work=str(tmp_path),
        against=frames[1] if against else None,
        threshold=0.2,
        cap=cap,
    )
    truth = _by_counting(new, old, 0.2, cap)
    assert len(truth) > 20
    assert {tuple(row) for row in found.collect()} == truth


def test_what_makes_no_sense_is_refused(spark: SparkSession, tmp_path: Path) -> None:
    for changes, told in (({"threshold": 0.0}, "threshold is 0"), ({"cap": 1}, "cap is 1")):
        with pytest.raises(BadSettings, match=told):
            scale.partly_copied(spark, "nowhere", PLAIN, work=str(tmp_path), **changes)
