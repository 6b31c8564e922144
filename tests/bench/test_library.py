"""The benchmark of libraries: both indexes, and an earlier release in turn with this code."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bench.page.library import library_page
from bench.page.shortfalls import shortfalls
from bench.record import keep, read_results
from bench.speed.isolate import measured
from bench.speed.plan import Run, beside_release, library, library_million, release_of

ROOT = Path(__file__).parents[2]
RELEASE = "0.1.0 (abc1234)"


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    words = {f"word{chr(97 + n % 26)}{chr(97 + n // 26)}": 1 + n for n in range(400)}
    (tmp_path / "growing").mkdir()
    (tmp_path / "growing" / "vocabulary.json").write_text(json.dumps(words), "utf-8")
    return tmp_path


@pytest.mark.parametrize("source", [None, ROOT])
def test_a_library_is_measured_with_both_of_its_indexes(corpus, source):
    question = {"engine": "sqlite", "documents": 30, "words": 200, "checks": 4}
    answer = measured("library", source=source, folder=corpus, **question)
    assert "failed" not in answer, answer
    assert answer["eight"]["recall"] == answer["thirty"]["recall"] == 1
    blocks, adding, memory = answer["blocks"], answer["adding"], answer["memory"]
    assert blocks["keys"] > 30 and blocks["blocks"] >= 30
    assert blocks["rows_bytes"] > 0
    assert 0 < blocks["disk_share"] < 1
    assert adding["documents"] == 30
    assert adding["with_blocks_cpu_s"] > 0 and adding["without_cpu_s"] > 0
    assert {"warm_mb", "cold_mb", "meaning_warm_mb", "meaning_cold_mb"} <= set(memory)


def test_another_code_than_that_of_the_release_is_not_measured(corpus, tmp_path):
    source = tmp_path / "nothing"
    answer = measured(
        "library", source=source, folder=corpus, engine="sqlite", documents=1, words=200
    )
    assert "was to be measured" in answer["failed"]


def test_each_run_of_an_earlier_release_stands_behind_that_of_this_code(tmp_path):
    (tmp_path / "pyproject.toml").write_text('[project]\nversion = "0.0.7"\n')
    for section in (library, library_million):
        runs = section(quick=True)
        both = list(beside_release(runs, tmp_path))
        assert both[::2] == runs
        for own, earlier in zip(both[::2], both[1::2], strict=True):
            assert (own.source, own.release) == (None, "")
            assert (earlier.source, earlier.release) == (tmp_path, "0.0.7")
            assert (earlier.job, earlier.question) == (own.job, own.question)
            assert earlier.name == f"{own.name}, 0.0.7"


def test_a_release_is_named_by_version_and_commit(tmp_path):
    assert release_of(ROOT).startswith("0.")
    (tmp_path / "pyproject.toml").write_text('[project]\nversion = "0.0.7"\n')
    assert release_of(tmp_path) == "0.0.7"


# The page.


def run_of(engine: str, words: int, release: str = "", check_ms: float = 1.0) -> dict[str, Any]:
    check = {
        "recall": 1.0,
        "cpu_ms_median": check_ms,
        "cpu_ms_p99": 2 * check_ms,
        "server_cpu_ms_mean": 0.0,
    }
    run: dict[str, Any] = {
        "engine": engine,
        "words": words,
        "documents": 1_000,
        "added": 1_000,
        "add_cpu_s": 0.4,
        "index_cpu_s": 0.1,
        "server_add_cpu_s": 0.1,
        "bytes_per_posting": 19.0 if release else 12.4,
        "sketches_bytes": 1,
        "index_bytes": 5_000_000,
        "database_bytes": 9_000_000,
        "memory": {"opened_mb": 70, "warm_mb": 90, "cold_mb": 250 if release else 120},
        "eight": check,
        "thirty": check,
    }
    if not release:
        run["memory"] |= {"meaning_warm_mb": 110, "meaning_cold_mb": 210}
        run["adding"] = {"documents": 500, "with_blocks_cpu_s": 0.5, "without_cpu_s": 0.2}
        run["blocks"] = {
            "blocks": 3_000,
            "keys": 60_000,
            "rows_bytes": 400_000,
            "index_bytes": 200_000,
            "bytes_per_key": 10.0,
            "disk_share": 0.04,
            "index_cpu_s": 0.3,
        }
    return run


def figure_of(run: Run, answer: dict[str, Any]) -> dict[str, Any]:
    named = {"release": run.release} if run.release else {}
    return {"name": run.name, "job": run.job, **run.question, "runs": [answer], **named}


@pytest.fixture
def page(tmp_path: Path) -> list[str]:
    (tmp_path / "pyproject.toml").write_text('[project]\nversion = "0.1.0 (abc1234)"\n')
    for name, planned in (("library", library), ("library million", library_million)):
        figures = []
        for run in beside_release(planned(quick=True), tmp_path):
            engine, words = run.question["engine"], run.question["words"]
            is_slow = bool(run.release) and engine == "postgresql"
            answer = run_of(engine, words, run.release, 1.5 if is_slow else 1.0)
            figures.append(figure_of(run, answer))
        keep(tmp_path / "speed.json", name, "./dev bench speed", figures)
    return list(library_page(read_results(tmp_path, "speed"), {}))


def rows_of(table: str) -> dict[str, list[str]]:
    lines = [[cell.strip() for cell in line[1:-1].split("|")] for line in table.splitlines()]
    return {what: cells for what, *cells in lines}


def test_the_page_has_a_column_for_each_of_both(page):
    tables = [rows_of(one) for one in page if one.startswith("| what |") and RELEASE in one]
    short_and_long, million = tables
    assert short_and_long["what"][:2] == ["SQLite, short", f"SQLite, short, {RELEASE}"]
    assert len(short_and_long["what"]) == 8 and len(million["what"]) == 4
    for table in tables:
        assert table["bytes a posting, database and segments"][:2] == ["12.4", "19.0"]
        assert table["check on PostgreSQL, times SQLite's"][:4] == ["–", "–", "1.00", "1.50"]
        assert table["adding a document, CPU-ms"][0] == "0.600"
        assert table["adding without blocks of concepts"][:2] == ["0.400", "–"]
        assert table["memory of a check that makes the index first, MB"][:2] == ["120", "250"]


def test_what_was_asked_is_asked_of_this_code_alone(page):
    (asked,) = (rows_of(one) for one in page if one.startswith("| what | asked |"))
    assert asked["what"] == [
        *("asked", "short, SQLite", "short, PostgreSQL", "long, SQLite", "long, PostgreSQL")
    ]
    assert asked["bytes a posting, database and segments"] == ["at most 13", *["12.4"] * 4]
    assert asked["check on PostgreSQL, times SQLite's"] == ["at most 1.3", "–", "1.00", "–", "1.00"]
    assert asked["adding, times that without blocks"] == ["at most 2", *["**2.50**"] * 4]
    assert not any(RELEASE in one.figures for one in shortfalls({"library": page}))


def test_the_second_index_has_a_table_of_its_own(page):
    tables = [rows_of(one) for one in page if one.startswith("| library | keys |")]
    assert [len(table) for table in tables] == [2 + 4, 2 + 2]
    assert tables[0]["SQLite, 1,000 short"] == [
        *("60,000", "10.0", "0", "0", "4 %", "0.3", "1,000 / 2,500", "2.50", "110 / 210")
    ]
