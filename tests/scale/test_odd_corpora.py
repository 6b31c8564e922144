"""Corpora as they are in the world: odd names, odd columns, folders in folders."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard

import likewise as lw
from likewise import scale
from likewise.corpus import dedup_corpus, open_corpus
from likewise.errors import BadInput
from likewise.settings import Settings
from tests.scale.corpora import answer_of, local_answer, planted, spark_answer

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

EXACT = Settings(threshold=0.6)
RECORDS = planted(24, seed=3)


def _lines(path: Path, records: list[dict[str, Any]] = RECORDS) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    data = "".join(json.dumps(record) + "\n" for record in records).encode()
    packers: dict[str, Callable[[bytes], bytes]] = {
        ".gz": gzip.compress,
        ".zst": zstandard.compress,
    }
    pack = packers.get(path.suffix.lower())
    path.write_bytes(pack(data) if pack else data)
    return path


def _parquet(path: Path, **columns: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.table(columns), path)
    return path


def _frame(spark: SparkSession) -> DataFrame:
    return spark.createDataFrame(
        [(record["id"], record["text"]) for record in RECORDS], "id string, text string"
    )


def test_whatever_a_file_is_called_both_engines_read_the_same(
    spark: SparkSession, tmp_path: Path
) -> None:
    folder = tmp_path / "data [1] {a}"
    names = ["a b.jsonl", "B.JSONL", "50% é#.jsonl", "in/%41.Jsonl.GZ", "in/c.ndjson.zst"]
    for number, name in enumerate(names):
        _lines(folder / name, RECORDS[number :: len(names)])
    _lines(folder / "a b.jsonl.bak", [{"id": "no", "text": "a part of it"}])
    result = scale.dedup(spark, str(folder), EXACT, work=str(tmp_path / "w%20 x"))
    assert result.counted().documents == len(RECORDS)
    assert spark_answer(result) == local_answer(folder, EXACT)


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("a:b.jsonl", "cannot open a:b.jsonl, since it has a colon"),
        ("_part.jsonl", "passes over _part.jsonl, since its name begins with _"),
        ("b.jsonl.zstd", r"cannot unpack b\.jsonl\.zstd"),
    ],
)
def test_names_that_spark_cannot_read_are_refused(
    spark: SparkSession, name: str, told: str, tmp_path: Path
) -> None:
    _lines(tmp_path / "c" / "a.jsonl")
    _lines(tmp_path / "c" / name)
    with pytest.raises(BadInput, match=told):
        scale.dedup(spark, str(tmp_path / "c"), EXACT, work=str(tmp_path / "w"))


def test_odd_columns_are_no_harm_and_texts_that_are_not_utf8_can_be_left_out(
    spark: SparkSession, tmp_path: Path
) -> None:
    texts = [record["text"].encode() for record in RECORDS] + [b"\xff\xfe one two"]
    offsets = pa.array([0, *(sum(map(len, texts[: n + 1])) for n in range(len(texts)))], pa.int32())
    raw = pa.StringArray.from_buffers(
        len(texts), offsets.buffers()[1], pa.py_buffer(b"".join(texts))
    )
    numbers = pa.array(range(2**63, 2**63 + len(texts)), pa.uint64())
    given: dict[str, Any] = {"bad": numbers, "place`.x": raw, "row": numbers, "spelled": raw}
    corpus = _parquet(tmp_path / "c.parquet", **given)
    asked: dict[str, Any] = {"id": "bad", "text": "place`.x"}
    with pytest.raises(BadInput, match=rf"1 documents.*'{2**63 + 24}' \(its text is not valid"):
        scale.dedup(spark, str(corpus), EXACT, work=str(tmp_path / "w"), **asked)
    asked["skip_bad"] = True
    clean = tmp_path / "clean"
    result = scale.dedup(
        spark, str(corpus), EXACT, work=str(tmp_path / "w"), output=str(clean), **asked
    )
    local = dedup_corpus(open_corpus(corpus, **asked), EXACT)
    assert spark_answer(result) == answer_of(local)
    kept = pq.read_table(clean)
    assert kept.column_names == list(given)
    assert {str(id) for id in kept["bad"].to_pylist()} == set(local.kept_ids(local.results[0]))


def test_frames_that_cannot_be_used_are_refused(spark: SparkSession) -> None:
    from pyspark.sql import functions as sql

    twins = _frame(spark).select("id", "text", sql.lit(1).alias("TEXT"))
    with pytest.raises(BadInput, match="cannot tell the columns 'text' and 'TEXT' apart"):
        lw.scale.pairs(twins)
    stream = spark.readStream.format("rate").load().selectExpr("value id", "'x' text")
    with pytest.raises(BadInput, match="it never ends"):
        lw.scale.pairs(stream)


def test_ids_that_are_others_at_every_look_are_noticed(spark: SparkSession, tmp_path: Path) -> None:
    from pyspark.sql import functions as sql

    new_id = sql.udf(lambda: __import__("uuid").uuid4().hex).asNondeterministic()
    frame = _frame(spark).withColumn("id", new_id())
    clean = tmp_path / "clean"
    with pytest.raises(BadInput, match=r"the frame was another one when it was read again: 24 "):
        scale.dedup(spark, frame, EXACT, work=str(tmp_path / "w"), output=str(clean))
    assert not clean.exists()


def test_lines_cut_into_small_blocks_are_refused(spark: SparkSession, tmp_path: Path) -> None:
    name = "spark.sql.files.maxPartitionBytes"
    spark.conf.set(name, "100k")
    try:
        with pytest.raises(BadInput, match=f"{name} is 100k: lines need blocks of 4 MB"):
            scale.dedup(spark, str(_lines(tmp_path / "c.jsonl")), EXACT, work=str(tmp_path / "w"))
    finally:
        spark.conf.unset(name)


def test_folders_that_would_hold_one_another_are_refused(
    spark: SparkSession, tmp_path: Path
) -> None:
    corpus = _lines(tmp_path / "c" / "a.jsonl").parent
    old = _lines(tmp_path / "old" / "a.jsonl").parent
    hidden = tmp_path / "hidden" / ".git"
    hidden.mkdir(parents=True)
    (hidden / "config").write_text("precious")
    work = tmp_path / "w"

    def refused(told: str, work: Path = work, **given: Any) -> None:
        with pytest.raises(BadInput, match=told):
            scale.dedup(spark, str(corpus), EXACT, work=str(work), **given)

    refused("the stages of this job would lie in .*/c, which is read", corpus / "stages")
    refused("would lie in .*/w, which is read", against=str(work))  # its own stages as the old ones
    refused("would lie in .*/old, which is read", old / "w", against=str(old))
    refused("lies in the corpus", output=str(corpus / "clean"))
    refused("lies in the corpus", against=str(old), output=str(old / "clean"))
    refused("shares its folder with the stages", output=str(work / "clean"))
    refused("shares its folder with the stages", tmp_path / "out" / "w", output=f"{tmp_path}/out")
    refused("is not empty", output=str(hidden.parent))
    assert (hidden / "config").read_text() == "precious"


def test_stages_that_lost_a_file_are_made_anew_and_a_second_job_ends_the_first(
    spark: SparkSession, tmp_path: Path
) -> None:
    corpus, work = _lines(tmp_path / "c.jsonl"), tmp_path / "w"
    truth = local_answer(corpus, EXACT)
    made: list[str] = []

    def run(tell: Any = made.append) -> Any:
        made.clear()
        return scale.dedup(
            spark,
            str(corpus),
            EXACT,
            work=str(work),
            progress=lambda stage, _done, _total: tell(stage),
        )

    run()
    for part in (work / "pairs").glob("part-*"):
        part.unlink()
    assert spark_answer(run()) == truth
    assert made == ["pairs"]

    def another_begins(stage: str) -> None:
        if stage == "pairs":
            scale.sketch_corpus(spark, str(corpus), EXACT, work=str(work))

    (work / "pairs" / "_likewise.json").unlink()
    with pytest.raises(BadInput, match="another job has begun in this work folder"):
        run(another_begins)
    assert spark_answer(run()) == truth


def test_no_word_of_a_document_stands_in_a_message(spark: SparkSession, tmp_path: Path) -> None:
    corpus = tmp_path / "c.jsonl"
    corpus.write_text('{"id": 7, "text": ["secret"]}\n{"id": 8, "text": "secret"\n')
    with pytest.raises(BadInput, match=r"2 documents cannot be used: .*26 bytes") as told:
        scale.dedup(spark, str(corpus), EXACT, work=str(tmp_path / "w"))
    assert "'7' (c.jsonl" in str(told.value)
    assert "secret" not in str(told.value)
