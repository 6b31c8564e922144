"""Missing Java, or a wrong one, is told in a sentence."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from likewise.errors import BadInput
from likewise.scale.spark_session import ensure_java, ensure_reachable, session
from tests.cli.conftest import Ran, start
from tests.scale.cluster import cluster_on_loopback

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def _java_that_says(folder: Path, words: str) -> Path:
    program = folder / "bin" / "java"
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\necho '{words}' >&2\n")
    program.chmod(0o755)
    return folder


def test_no_java_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(BadInput, match="runs on Java, and there is none here; install Java 17"):
        ensure_java()


def test_a_java_home_without_java(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    with pytest.raises(BadInput, match=r"JAVA_HOME is .* no Java can be started"):
        ensure_java()


def test_too_old_a_java(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old = _java_that_says(tmp_path, 'openjdk version "1.8.0_392"')
    monkeypatch.setenv("JAVA_HOME", str(old))
    with pytest.raises(BadInput, match="is Java 8, and Spark 4 needs 17"):
        ensure_java()


def test_a_good_java(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JAVA_HOME", str(_java_that_says(tmp_path, 'openjdk version "21.0.1"')))
    ensure_java()


def test_without_pyspark_the_extra_is_named(tmp_path: Path) -> None:
    (tmp_path / "pyspark.py").write_text("raise ImportError('gone', name='pyspark')")
    words = (
        "from likewise.cli import main; main(['dedup', 'c', '--engine', 'spark', '--work', 'w'])"
    )
    source = Path(__file__).parents[2] / "src"
    ran = subprocess.run(
        [sys.executable, "-c", words],
        env=os.environ | {"PYTHONPATH": f"{tmp_path}{os.pathsep}{source}"},
        capture_output=True,
        text=True,
    )
    assert "needs pyspark: pip install 'likewise[spark]'" in ran.stderr
    assert ran.stderr.count("\n") == 1


def test_an_unreachable_master() -> None:
    with pytest.raises(BadInput, match=r"spark://127\.0\.0\.1:1: nobody answers there"):
        ensure_reachable("spark://127.0.0.1:1")
    with pytest.raises(BadInput, match="give it as spark://HOST:PORT"):
        ensure_reachable("spark://somewhere")


def test_no_log_is_named_where_spark_said_nothing(
    process: Callable[..., Ran], tmp_path: Path
) -> None:
    asked = ["dedup", "c.jsonl", "--engine", "spark", "--work", "w"]
    ran = process(*asked, env={"JAVA_HOME": str(tmp_path)})
    assert ran.status == 2
    assert "no Java can be started" in ran.err
    assert ".log" not in ran.err


def test_spark_connect_is_refused() -> None:
    words = "from likewise.scale import session; session({})"
    for master, remote in (("'sc://127.0.0.1'", ""), ("None", "sc://127.0.0.1")):
        ran = subprocess.run(
            [sys.executable, "-c", words.format(master)],
            env=os.environ | {"SPARK_REMOTE": remote},
            capture_output=True,
            text=True,
        )
        assert "this is a session of Spark Connect" in ran.stderr


def test_a_running_session_is_not_taken_for_one_elsewhere(spark: SparkSession) -> None:
    assert session() is spark
    with pytest.raises(BadInput, match=r"a session at local\[2\] is running here; stop it"):
        session("local[7]")


def test_what_sparks_own_files_say_holds(tmp_path: Path) -> None:
    said = "spark.sql.adaptive.enabled true\nspark.ui.enabled false\n"
    (tmp_path / "spark-defaults.conf").write_text(said)
    words = (
        "from likewise.scale import session; made = session('local[1]', {'spark.app.x': '1'})\n"
        "names = ('spark.sql.adaptive.enabled', 'spark.sql.codegen.wholeStage', 'spark.app.x')\n"
        "print([made.conf.get(name) for name in names]); made.stop()"
    )
    source = str(Path(__file__).parents[2] / "src")
    told = {"SPARK_CONF_DIR": str(tmp_path), "SPARK_LOCAL_IP": "127.0.0.1", "PYTHONPATH": source}
    ran = subprocess.run(
        [sys.executable, "-c", words], env=os.environ | told, capture_output=True, text=True
    )
    assert ran.stdout == "['true', 'false', '1']\n", ran.stderr[-2000:]


def test_a_cluster_without_workers_is_told(tmp_path: Path) -> None:
    corpus = tmp_path / "c.jsonl"
    corpus.write_text('{"id": 1, "text": "one two three"}\n')
    folder = tmp_path / "cluster"
    folder.mkdir()
    with cluster_on_loopback(folder, workers=0) as cluster:
        asked = ["dedup", corpus, "--engine", "spark", "--master", cluster.url, "--quiet"]
        asked += ["--work", tmp_path / "w", "--conf", "spark.ui.enabled=false"]
        running = start(*asked, env={"SPARK_LOCAL_IP": "127.0.0.1"})
        try:
            assert running.stderr is not None
            assert b"has given no executor; are workers running" in running.stderr.readline()
            running.send_signal(signal.SIGINT)
            running.communicate(timeout=60)
        finally:
            running.kill()
    assert running.returncode == 130
