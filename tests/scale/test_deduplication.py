"""Spark on a real cluster gives the answer of the local engine, whatever happens to its workers."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import likewise as lw
from likewise import scale
from likewise.errors import BadInput, BadSettings
from likewise.scale import buckets
from likewise.settings import Settings
from tests.scale.corpora import local_answer, spark_answer

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

LSH = Settings(method="lsh", threshold=0.6)
EXACT = Settings(method="exact", threshold=0.6)


def test_a_worker_killed_in_the_middle_changes_nothing(corpus: Path, tmp_path: Path) -> None:
    root = Path(__file__).parents[2]
    ran = subprocess.run(
        [sys.executable, "-m", "tests.scale.killed", str(corpus), str(tmp_path)],
        cwd=root,
        env=os.environ | {"PYTHONPATH": str(root / "src")},
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stderr[-2000:]
    told = json.loads(ran.stdout.splitlines()[-1])
    assert told["lost"]
    truth = local_answer(corpus, LSH, keep="longest")
    assert {name: tuple(found) for name, found in told["answer"].items()} == truth


def test_large_buckets_are_cut_into_blocks_and_everything_is_counted(
    spark: SparkSession, corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(buckets, "LARGE", 20)
    result = scale.dedup(spark, str(corpus), LSH, work=str(tmp_path), keep="longest")
    assert spark_answer(result) == local_answer(corpus, LSH, keep="longest")
    counted = result.counted()
    assert counted.documents == 300
    assert counted.pairs == result.pairs().count()
    assert counted.candidates > counted.verified > 0
    assert counted.recall is not None
    assert counted.recall.pairs == counted.verified  # of so small a corpus the sample is all
    assert counted.recall.measured == counted.recall.found / counted.recall.pairs
    assert counted.recall.expected > counted.recall.promised > 0.99
    assert "recall measured" in counted.report()
    assert all(stage.bytes and stage.seconds for stage in counted.stages)


def test_containment_gives_pairs_clusters_and_survivors_of_the_local_engine(
    spark: SparkSession, corpus: Path, tmp_path: Path
) -> None:
    settings = EXACT.but(measure="containment")
    result = scale.dedup(spark, str(corpus), settings, work=str(tmp_path))
    assert spark_answer(result) == local_answer(corpus, settings)


def test_two_corpora_and_stored_sketches_of_the_old_one(
    spark: SparkSession, corpus: Path, old: Path, tmp_path: Path
) -> None:
    kept = tmp_path / "kept"
    scale.sketch_corpus(spark, str(old), LSH, work=str(kept))
    result = scale.dedup(
        spark, str(corpus), LSH, work=str(tmp_path / "w"), against=str(kept), sample=100
    )
    assert spark_answer(result) == local_answer(corpus, LSH, against=old)
    assert result.recall is not None
    assert 50 < result.recall.documents < 150
    assert 0 < result.recall.found <= result.recall.pairs < result.duplicates.pairs.count()
    with pytest.raises(BadInput, match="other settings"):
        scale.dedup(
            spark, str(corpus), LSH.but(shingle=3), work=str(tmp_path / "v"), against=str(kept)
        )


def test_a_second_run_goes_on_where_the_first_one_ended(
    spark: SparkSession, corpus: Path, tmp_path: Path
) -> None:
    made: list[str] = []

    def run(settings: Settings) -> list[str]:
        made.clear()
        scale.dedup(
            spark,
            str(corpus),
            settings,
            work=str(tmp_path),
            sample=0,
            progress=lambda stage, _done, _total: made.append(stage),
        )
        return list(made)

    class Enough(Exception):
        pass

    def stop(stage: str, _done: int, _total: int) -> None:
        if stage == "candidates":
            raise Enough

    with pytest.raises(Enough):
        scale.dedup(spark, str(corpus), LSH, work=str(tmp_path), sample=0, progress=stop)
    assert run(LSH) == ["candidates", "pairs", "clusters-0.6-first"]
    assert run(LSH) == []


def test_a_frame_of_ones_own_gives_pairs(spark: SparkSession) -> None:
    text = "one two three four five six seven eight"
    rows = [(1, text), (2, text + " nine"), (3, "something else altogether, in other words")]
    frame = spark.createDataFrame(rows, "number long, body string")
    found = lw.scale.pairs(frame, id="number", text="body", threshold=0.5)
    assert [(row.a, row.b) for row in found.collect()] == [("1", "2")]


def test_the_front_door_does_not_wait_for_spark() -> None:
    words = "import sys, likewise as lw; lw.scale; assert 'pyspark' not in sys.modules"
    assert subprocess.run([sys.executable, "-c", words]).returncode == 0


def test_nothing_is_read_where_the_settings_cannot_be_had(
    spark: SparkSession, tmp_path: Path
) -> None:
    for settings, told in ((EXACT.but(drop_common=0.5), "drop_common"),):
        with pytest.raises(BadSettings, match=told):
            scale.dedup(spark, "nowhere.jsonl", settings, work=str(tmp_path))
    with pytest.raises(BadSettings, match="belong together"):
        scale.dedup(spark, "nowhere.jsonl", EXACT, work=str(tmp_path), keep="prefer")
    with pytest.raises(BadInput, match="there is nothing there"):
        scale.dedup(spark, f"{tmp_path}/nowhere.jsonl", EXACT, work=str(tmp_path))
