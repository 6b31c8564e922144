"""Corpora made by chance, with everything odd that a text can hold: both engines agree."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from likewise import scale
from likewise.scale import near_duplicates
from likewise.settings import Settings
from tests.scale.corpora import local_answer, spark_answer

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

ODD = [
    "тілінің",
    "ә\u0301лем",
    "\ud800x",
    "\U0001f600",
    "a\0b",
    "ﬁre",
    "İstanbul",
    "\u2028",
    "中文",
]
NOTHING = ["", " ", "\0", "!!!", "\ud800", "a"]


def _by_chance(path: Path, chance: random.Random, texts: list[str], documents: int) -> Path:
    words = [f"w{number}" for number in range(chance.choice([6, 40]))] + ODD
    lines = []
    for number in range(documents):
        kind = chance.random()
        if kind < 0.1:
            text = chance.choice(NOTHING)
        elif kind < 0.6 and texts:
            edited = chance.choice(texts).split(" ")
            if kind > 0.25:
                edited[chance.randrange(len(edited))] = chance.choice(words)
            text = " ".join(edited)
        else:
            text = " ".join(chance.choices(words, k=chance.choice([1, 5, 8, 40])))
        texts.append(text)
        name = number if number % 2 else f" {number} ‘x’\t"
        lines.append(json.dumps({"id": name, "text": text}) + "\n" * chance.choice([1, 2]))
    path.write_text("".join(lines))
    return path


@pytest.mark.parametrize(
    ("seed", "settings", "across"),
    [
        (1, Settings(threshold=0.5, shingle=1, measure="containment"), True),
        (2, Settings(threshold=0.7, shingle=3, method="lsh"), False),
        (3, Settings(threshold=1.0, shingle=3), False),
    ],
)
def test_both_engines_agree_however_the_work_is_cut(
    spark: SparkSession,
    seed: int,
    settings: Settings,
    across: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    chance = random.Random(seed)
    texts: list[str] = []
    corpus = _by_chance(tmp_path / "new.jsonl", chance, texts, 60)
    old = _by_chance(tmp_path / "old.jsonl", chance, texts, 20) if across else None
    for method in ("lsh", "exact"):
        monkeypatch.setitem(near_duplicates._MOST_A_SLOT, method, chance.choice([7, 30]))
    batch = "spark.sql.execution.arrow.maxRecordsPerBatch"
    before = str(spark.conf.get(batch))
    spark.conf.set(batch, "3")
    try:
        result = scale.dedup(
            spark,
            str(corpus),
            settings,
            work=str(tmp_path / "w"),
            against=str(old) if old else None,
            keep="longest",
            sample=0,
        )
        assert spark_answer(result) == local_answer(corpus, settings, old, keep="longest")
    finally:
        spark.conf.set(batch, before)
