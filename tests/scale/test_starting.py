"""Missing Java, or a wrong one, is told in a sentence."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from likewise.errors import BadInput
from likewise.scale.starting import ensure_java, ensure_reachable


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
