"""Spark on a real cluster gives the answer of the local engine, whatever happens to its workers."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from likewise import scale
from likewise.errors import BadInput, BadSettings
from likewise.scale import buckets
from likewise.settings import Settings
from tests.scale.cluster import Cluster
from tests.scale.corpora import local_answer, planted, spark_answer, written

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

# PySpark leaves its own sockets to the garbage collector.
pytestmark = [
    pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

LSH = Settings(method="lsh", threshold=0.6)
EXACT = Settings(method="exact", threshold=0.6)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory.mktemp("corpus") / "new", planted(300))


@pytest.fixture(scope="module")
def old(tmp_path_factory: pytest.TempPathFactory) -> Path:
    records = [record | {"id": f"old-{record['id']}"} for record in planted(300)[::3]]
    return written(tmp_path_factory.mktemp("corpus") / "old", records, parts=1)


@pytest.mark.parametrize(
    "settings", [LSH, EXACT, EXACT.but(measure="containment")], ids=["lsh", "exact", "contained"]
)
def test_pairs_clusters_and_survivors_are_those_of_the_local_engine(
    spark: SparkSession,
    corpus: Path,
    settings: Settings,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(buckets, "LARGE", 20)  # so that there are buckets to cut into blocks
    result = scale.dedup(
        spark, str(corpus), settings, format="jsonl", work=str(tmp_path), keep="longest"
    )
    assert spark_answer(result) == local_answer(corpus, settings, keep="longest")
    counted = result.counted()
    assert counted.documents == 300
    assert counted.pairs == result.pairs().count()
    assert counted.candidates >= counted.verified > 0


def test_two_corpora_and_stored_sketches_of_the_old_one(
    spark: SparkSession, corpus: Path, old: Path, tmp_path: Path
) -> None:
    kept = tmp_path / "kept"
    scale.sketch_corpus(spark, str(old), EXACT, format="jsonl", work=str(kept))
    result = scale.dedup(
        spark, str(corpus), EXACT, format="jsonl", work=str(tmp_path / "w"), against=str(kept)
    )
    assert spark_answer(result) == local_answer(corpus, EXACT, against=old)
    with pytest.raises(BadInput, match="other settings"):
        scale.dedup(
            spark,
            str(corpus),
            EXACT.but(shingle=3),
            format="jsonl",
            work=str(tmp_path / "v"),
            against=str(kept),
        )


def test_a_worker_killed_in_the_middle_changes_nothing(
    spark: SparkSession, cluster: Cluster, events: Path, corpus: Path, tmp_path: Path
) -> None:
    killed = threading.Event()

    def kill(stage: str) -> None:
        if stage == "buckets":
            threading.Timer(0.5, lambda: (cluster.kill_worker(0), killed.set())).start()

    result = scale.dedup(spark, str(corpus), LSH, format="jsonl", work=str(tmp_path), progress=kill)
    assert killed.wait(60)
    assert spark_answer(result) == local_answer(corpus, LSH)
    told = "".join(path.read_text() for path in events.rglob("*") if path.is_file())
    assert "SparkListenerExecutorRemoved" in told
    cluster.start_worker()


def test_a_second_run_takes_every_stage_from_the_first(
    spark: SparkSession, corpus: Path, tmp_path: Path
) -> None:
    def run(settings: Settings) -> list[str]:
        made: list[str] = []
        scale.dedup(
            spark,
            str(corpus),
            settings,
            format="jsonl",
            work=str(tmp_path),
            progress=made.append,
        )
        return made

    assert run(LSH)[0] == "sketches"
    assert run(LSH) == []


def test_a_frame_of_ones_own_gives_pairs(spark: SparkSession, tmp_path: Path) -> None:
    text = "one two three four five six seven eight"
    rows = [(1, text), (2, text + " nine"), (3, "something else altogether, in other words")]
    frame = spark.createDataFrame(rows, "number long, body string")
    found = scale.pairs(frame, id="number", text="body", threshold=0.5, work=str(tmp_path))
    assert [(row.a, row.b) for row in found.collect()] == [("1", "2")]


def test_a_part_that_stands_in_another_document_is_found(
    spark: SparkSession, tmp_path: Path
) -> None:
    part = " ".join(f"shared{number}" for number in range(60))
    rest = " ".join(f"other{number}" for number in range(600))
    rows = [("short", part), ("long", f"{rest} {part}"), ("none", "nothing of that is in here")]
    frame = spark.createDataFrame(rows, "id string, text string")
    found = scale.partly_copied(spark, frame, Settings(), work=str(tmp_path), threshold=0.5)
    (row,) = found.collect()
    assert {row.a: row.containment_a, row.b: row.containment_b}["short"] > 0.8


@pytest.mark.parametrize(
    ("rows", "schema", "told"),
    [
        (
            [("a", "x"), ("b", None)],
            "id string, text string",
            r"1 documents.*'b' \(its text is null",
        ),
        ([("a", "x"), ("a", "y")], "id string, text string", r"ids must differ.*'a' \(2 times\)"),
        ([("a", "x")], "id string, txt string", r"did you mean 'txt'"),
        ([("a", 5)], "id string, text int", r"holds int, not strings"),
    ],
    ids=["null text", "an id twice", "another name", "numbers"],
)
def test_what_cannot_be_used_is_named(
    spark: SparkSession, rows: list[Any], schema: str, told: str, tmp_path: Path
) -> None:
    frame = spark.createDataFrame(rows, schema)
    with pytest.raises(BadInput, match=told):
        scale.dedup(spark, frame, EXACT, work=str(tmp_path))


def test_bad_lines_can_be_left_out_and_are_counted(spark: SparkSession, tmp_path: Path) -> None:
    corpus = tmp_path / "bad.jsonl"
    lines = [json.dumps({"id": n, "text": "one two three"}) for n in range(3)]
    corpus.write_text("\n".join([*lines, '{"id": 7', ""]))
    with pytest.raises(BadInput, match="not valid JSON"):
        scale.dedup(spark, str(corpus), EXACT, work=str(tmp_path / "w"))
    result = scale.dedup(spark, str(corpus), EXACT, work=str(tmp_path / "w"), skip_bad=True)
    counted = result.counted()
    assert (counted.documents, counted.bad, counted.removed) == (3, 1, 2)
    assert "1 left out as bad" in counted.report()


def test_nothing_is_read_where_the_settings_cannot_be_had(
    spark: SparkSession, tmp_path: Path
) -> None:
    with pytest.raises(BadSettings, match="drop_common"):
        scale.dedup(spark, "nowhere.jsonl", EXACT.but(drop_common=0.5), work=str(tmp_path))
    with pytest.raises(BadInput, match="there is nothing there"):
        scale.dedup(spark, f"{tmp_path}/nowhere.jsonl", EXACT, work=str(tmp_path))
