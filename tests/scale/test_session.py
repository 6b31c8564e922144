"""Missing Java, or a wrong one, is told in a sentence."""

from __future__ import annotations

from pathlib import Path

import pytest

from likewise.errors import BadInput
from likewise.scale.session import ensure_java


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
