"""`likewise dedup`: both engines say the same of the same files."""

from __future__ import annotations

import json
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.cli.conftest import Ran, start
from tests.scale.corpora import planted

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

Run = Callable[..., Ran]
RECORDS = planted(120, seed=8)


def _as_jsonl(folder: Path) -> Path:
    folder.mkdir()
    for part, name in ((RECORDS[:70], "a.jsonl"), (RECORDS[70:], "b.jsonl")):
        (folder / name).write_text("".join(json.dumps(record) + "\n" for record in part))
    (folder / "README.md").write_text("not a part of it")
    return folder


def _as_parquet(folder: Path) -> Path:
    folder.mkdir()
    for part, name in ((RECORDS[:70], "a.parquet"), (RECORDS[70:], "b.parquet")):
        pq.write_table(pa.Table.from_pylist(part), folder / name)
    return folder


def _as_texts(folder: Path) -> Path:
    for number, record in enumerate(RECORDS):
        path = folder / f"part {number % 3}" / f"{record['id']}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(record["text"])
    return folder


def _ids_in(folder: Path) -> list[str]:
    """What stands in a cleaned corpus, however it was written."""
    ids: list[str] = []
    for path in folder.rglob("*"):
        if path.suffix == ".jsonl":
            ids += [json.loads(line)["id"] for line in path.read_text().splitlines()]
        elif path.suffix == ".parquet":
            ids += pq.read_table(path)["id"].to_pylist()
        elif path.suffix == ".txt":
            ids.append(path.relative_to(folder).as_posix())
    return sorted(ids)


def _lines(ran: Ran) -> list[str]:
    return sorted(json.dumps(line, sort_keys=True) for line in ran.lines[:-1])


@pytest.mark.parametrize("make", [_as_jsonl, _as_parquet, _as_texts], ids=["jsonl", "pq", "text"])
def test_both_engines_give_the_same_lines_and_the_same_cleaned_corpus(
    spark: SparkSession,
    likewise: Run,
    make: Callable[[Path], Path],
    tmp_path: Path,
) -> None:
    corpus = make(tmp_path / "corpus")
    asked = ["dedup", corpus, "-t", "0.7", "--keep", "longest", "--json"]
    local = likewise(*asked, "--output", tmp_path / "local", "--kept", tmp_path / "local.txt")
    on_spark = likewise(
        *asked,
        *("--engine", "spark", "--work", tmp_path / "work"),
        *("--output", tmp_path / "spark", "--kept", tmp_path / "spark.txt"),
    )
    assert (local.status, on_spark.status) == (0, 0), on_spark.err
    assert _lines(on_spark) == _lines(local)
    same = ("records", "wordless", "bad", "thresholds", "settings", "recipe", "method")
    assert {name: on_spark.summary[name] for name in same} == {
        name: local.summary[name] for name in same
    }
    assert _ids_in(tmp_path / "spark") == _ids_in(tmp_path / "local")
    assert (tmp_path / "spark.txt").read_text() == (tmp_path / "local.txt").read_text()
    assert on_spark.err.splitlines()[0].endswith(" s  sketches")


def test_many_copies_are_given_as_their_group_by_both_engines(
    spark: SparkSession,
    likewise: Run,
    tmp_path: Path,
) -> None:
    text = RECORDS[-1]["text"] + " and some more words that are enough to make a shingle of"
    records = [{"id": f"c{number}", "text": text} for number in range(150)]
    records.append({"id": "near", "text": f"{text} indeed"})
    corpus = tmp_path / "c.jsonl"
    corpus.write_text("".join(json.dumps(record) + "\n" for record in records))
    local = likewise("dedup", corpus, "-t", "0.5", "--json")
    on_spark = likewise(
        *("dedup", corpus, "-t", "0.5", "--json", "--engine", "spark", "--work", tmp_path / "w")
    )
    assert on_spark.status == 0, on_spark.err
    assert _lines(on_spark) == _lines(local)
    (copies,) = local.of_type("copies")
    assert copies["members"] == [f"c{number}" for number in range(150)]
    assert [(pair["a"], pair["b"]) for pair in local.of_type("pair")] == [("c0", "near")]
    assert local.summary["thresholds"][0]["pairs"] == 150 * 149 // 2 + 150


def test_the_report_for_people_and_the_same_command_again(
    spark: SparkSession,
    likewise: Run,
    tmp_path: Path,
) -> None:
    corpus = _as_parquet(tmp_path / "corpus")
    asked = ["dedup", corpus, "--method", "lsh", "--engine", "spark", "--work", tmp_path / "w"]
    first = likewise(*asked, "-t", "0.7", "-t", "0.9", "--prefer", "score")
    assert first.status == 0, first.err
    for told in ("120 documents", "candidates:", "recall measured", "by the hash of the id"):
        assert told in first.out
    again = likewise(*asked, "-t", "0.7", "-t", "0.9", "--prefer", "score", "--json", "--no-pairs")
    assert again.err == ""
    assert all(stage["resumed"] for stage in again.summary["stages"])
    assert again.summary["recall"]["documents"] > 0
    scores = {record["id"]: record["score"] for record in RECORDS}
    kept = likewise(*asked, "-t", "0.7", "--prefer", "score", "--kept", tmp_path / "kept.txt")
    assert kept.status == 0, kept.err
    stays = set((tmp_path / "kept.txt").read_text().split())
    for cluster in again.of_type("cluster"):
        if cluster["threshold"] == 0.7:
            best = max(scores[id] for id in cluster["members"])
            assert [scores[id] for id in cluster["members"] if id in stays] == [best]


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--engine", "spark"], "needs --work"),
        (["--engine", "spark", "--work", "w", "--unit", "paragraph"], "--unit paragraph: on Spark"),
        (["--engine", "spark", "--work", "w", "--no-id"], "--no-id: on Spark"),
        (["--engine", "spark", "--work", "w", "--report", "r.html"], "--report: on Spark"),
        (["--engine", "spark", "--work", "w", "--jobs", "2"], "--jobs: on Spark"),
        (["--engine", "spark", "--work", "w", "--drop-common", "0.5"], "drop_common"),
        (["--engine", "spark", "--work", "w", "--conf", "x"], "NAME=VALUE"),
        (["--engine", "spark", "--work", "w", "--master", "spark://127.0.0.1:1"], "nobody answers"),
        (["--work", "w"], "--work belongs to --engine spark"),
        (["--prefer", "score"], "--prefer belongs to --engine spark"),
    ],
)
def test_what_an_engine_cannot_do_is_refused_before_anything_is_read(
    likewise: Run,
    options: list[str],
    told: str,
    tmp_path: Path,
) -> None:
    ran = likewise("dedup", tmp_path / "nowhere.jsonl", *options)
    assert (ran.status, ran.out) == (2, "")
    assert told in ran.err
    assert ran.err.count("\n") == 1


def test_bad_documents_end_the_command_with_one_line(
    spark: SparkSession,
    likewise: Run,
    tmp_path: Path,
) -> None:
    corpus = tmp_path / "c.jsonl"
    corpus.write_text('{"id": 1, "text": "one two three four five six"}\n{"id": 2, "text": null}\n')
    asked = ["dedup", corpus, "--engine", "spark", "--work", tmp_path / "w", "--quiet"]
    ran = likewise(*asked)
    assert (ran.status, ran.out) == (2, "")
    assert 'the field "text" holds null' in ran.err
    left_out = likewise(*asked, "--skip-bad", "--json")
    assert left_out.summary["bad"] == 1
    (bad,) = left_out.of_type("bad")
    assert 'the field "text" holds null' in bad["reason"]


def test_stopping_it_leaves_nothing_running_and_says_where_to_go_on(tmp_path: Path) -> None:
    corpus = _as_jsonl(tmp_path / "corpus")
    environment = {"PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    command: list[Any] = ["dedup", corpus, "--engine", "spark", "--master", "local[1]"]
    command += ["--work", tmp_path / "w", "--conf", "spark.ui.enabled=false"]
    running = start(*command, env=environment)
    try:
        assert running.stderr is not None
        assert b"sketches" in running.stderr.readline()
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=60)
    finally:
        running.kill()
    assert (running.returncode, out) == (130, b"")
    assert b"the same command goes on" in err
    assert err.endswith(b"likewise: stopped\n")
