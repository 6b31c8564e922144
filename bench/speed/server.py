"""The server beside its targets: `./dev bench speed --only server`.

A real `likewise serve` with two workers over a library on PostgreSQL or SQLite, and people who use
it from a process of their own. The raw log of every call stays in the corpus' folder.
"""

from __future__ import annotations

import gzip
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from bench.corpus import say
from bench.speed.library import BLOCK, _place
from bench.speed.library_texts import Texts
from bench.speed.server_memory import growth

WORDS = 300
DOCUMENTS = 100_000
PEOPLE = {"postgresql": 50, "sqlite": 10}
WORKERS = 2
PASSWORD = "wormwood after rain"
PHASES = ("list", "check", "uploads", "mixed")
UPLOADING = ("upload check", "upload document")
_ROOT = Path(__file__).parents[2]
_START_SECONDS = 60


def server_figures(
    folder: Path, documents: int, minutes: float, quick: bool
) -> list[dict[str, Any]]:
    """Both engines, one after the other: what people wait for, and a little of everything."""
    how = {"seconds": 10 if quick else 60, "checks": 3 if quick else 20}
    return _of_both(folder, documents, minutes, how)


def hour_figures(folder: Path, documents: int, minutes: float) -> list[dict[str, Any]]:
    """The same people for a long time, with pauses as people make them."""
    return _of_both(folder, documents, minutes, {"phases": ("mixed",), "rest": 12.0})


def _of_both(
    folder: Path, documents: int, minutes: float, how: dict[str, Any]
) -> list[dict[str, Any]]:
    figures = []
    for engine, people in PEOPLE.items():
        answer = server_job(folder, engine, documents, people, minutes, **how)
        figures.append({"name": engine, "job": "server", "runs": [answer]})
        say(f"  {engine:12} {summary_line(answer)}")
    return figures


def server_job(
    folder: Path,
    engine: str,
    documents: int,
    people: int,
    minutes: float,
    *,
    seconds: float = 60,
    checks: int = 20,
    pages: int = 10,
    rest: float = 6.0,
    phases: tuple[str, ...] = PHASES,
    log: Path | None = None,
) -> dict[str, Any]:
    """Fill a library, start a server over it, let people use it, and read the log."""
    log = log or folder / f"server-{engine}.jsonl.gz"
    with _place(engine) as (place, _server_cpu):
        names = _fill(place, Texts(folder, WORDS), documents, people)
        with running_server(place, log.with_suffix(".server.log")) as (url, pid):
            question = {
                "url": f"{url}/api/v1",
                "pid": pid,
                "folder": str(folder),
                "words": WORDS,
                "documents": documents,
                "people": names,
                "password": PASSWORD,
                "phases": ["warm-up", *phases],
                "seconds": seconds,
                "checks": checks,
                "pages": pages,
                "minutes": minutes,
                "rest": rest,
                "log": str(log),
            }
            load = [sys.executable, "-m", "bench.speed.server_load", json.dumps(question)]
            subprocess.run(load, cwd=_ROOT, env=_environment(), check=True)
    facts = {"engine": engine, "documents": documents, "people": people, "minutes": minutes}
    return {**facts, "workers": WORKERS, "log": log.name, **read_log(log)}


def _fill(place: str, texts: Texts, documents: int, people: int) -> list[str]:
    """The library and its people, without a server."""
    from likewise.library import Library
    from likewise.server.context import ServerContext
    from likewise.server.people.users import add_person

    with Library(place) as library:
        for first in range(0, documents, BLOCK):
            numbers = range(first, min(first + BLOCK, documents))
            library.add_texts([(f"{number}.txt", texts.text(number)) for number in numbers])
        library.candidates("to be or not to be")  # the index is made once, not by the first caller
        names = [f"teacher{number}" for number in range(people)]
        for name in names:
            add_person(ServerContext(library), name, PASSWORD)
    return names


@contextmanager
def running_server(place: str, log: Path, workers: int = WORKERS) -> Iterator[tuple[str, int]]:
    """A `likewise serve` in a process of its own; its address and its number."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "likewise.cli", "serve", "--library", place]
    command += ["--port", str(port), "--workers", str(workers)]
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("wb") as said:
        server = subprocess.Popen(
            command,
            cwd=_ROOT,
            env=_environment(),
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=said,
            start_new_session=True,
        )
    url = f"http://127.0.0.1:{port}"
    try:
        _wait_for(url, server, log)
        yield url, server.pid
    finally:
        server.send_signal(signal.SIGTERM)
        try:
            server.wait(30)
        except subprocess.TimeoutExpired:
            os.killpg(server.pid, signal.SIGKILL)
            server.wait()


def _environment() -> dict[str, str]:
    path = os.pathsep.join([str(_ROOT / "src"), str(_ROOT), os.environ.get("PYTHONPATH", "")])
    # The first administrator's password belongs to this run, not among the user's own things.
    own = {"PYTHONPATH": path.rstrip(os.pathsep), "XDG_DATA_HOME": tempfile.gettempdir()}
    return {**os.environ, **own}


def _wait_for(url: str, server: subprocess.Popen[bytes], log: Path) -> None:
    end = time.monotonic() + _START_SECONDS
    while time.monotonic() < end:
        if server.poll() is not None:
            raise RuntimeError(f"the server ended: {log.read_text('utf-8', 'replace')[-2000:]}")
        try:
            with urllib.request.urlopen(f"{url}/api/v1/health", timeout=5) as answer:
                if answer.status == 200:
                    return
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
    raise RuntimeError(f"the server does not answer within {_START_SECONDS} s")


def read_log(path: Path) -> dict[str, Any]:
    """What the raw log says: times of each phase, errors, memory."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        lines = [json.loads(line) for line in file]
    calls = [line for line in lines if "status" in line]
    begun: list[str] = [line["phase"] for line in lines if line.get("what") == "begin"]
    errors = [line for line in lines if "error" in line]
    memory = [line for line in lines if line["what"] == "memory"]
    mixed_from = next((line["t"] for line in lines if line.get("phase") == "mixed"), 0.0)
    steady = [line for line in memory if line["t"] >= mixed_from] or memory
    found: dict[str, Any] = {
        "calls": len(calls),
        "errors": len(errors),
        "first_errors": [str(line["error"])[:200] for line in errors[:5]],
        "phases": {
            phase: _phase([line for line in lines if line.get("phase") == phase])
            for phase in dict.fromkeys(begun)
        },
    }
    if len(steady) > 2:
        moments = [line["t"] for line in steady]
        found["memory"] = {
            who: growth(moments, [line[f"{who}_mb"] for line in steady])
            for who in ("server", "workers")
        }
    return found


def _phase(lines: list[dict[str, Any]]) -> dict[str, Any]:
    calls = [line for line in lines if "status" in line]
    listed = [line for line in calls if line["what"] == "list"]
    others = [line for line in calls if line["what"] not in (*UPLOADING, "log in")]
    checks = [line["seconds"] for line in lines if line["what"] == "check"]
    seconds = lines[-1]["t"] - lines[0]["t"] if len(lines) > 1 else 0.0
    found: dict[str, Any] = {
        "calls": len(calls),
        "per_second": round(len(calls) / seconds, 1) if seconds else 0.0,
        "errors": sum("error" in line for line in lines),
    }
    if listed:
        found["list_server_ms"] = _spread([line["server_ms"] for line in listed])
        found["list_ms"] = _spread([line["ms"] for line in listed])
    if others:
        found["other_calls_ms"] = _spread([line["ms"] for line in others])
    if checks:
        found["check_s"] = _spread(checks)
    return found


def _spread(values: list[float | None]) -> dict[str, float]:
    known = [value for value in values if value is not None]
    if not known:
        return {}
    middle, high, higher = np.quantile(known, [0.5, 0.95, 0.99])
    return {
        "median": round(float(middle), 3),
        "p95": round(float(high), 3),
        "p99": round(float(higher), 3),
        "most": round(max(known), 3),
    }


def summary_line(answer: dict[str, Any]) -> str:
    """What was asked for, in one line."""
    phases = answer["phases"]
    parts = [f"{answer['calls']} calls, {answer['errors']} errors"]
    for phase, key, name in (
        ("list", "list_server_ms", "list, server ms"),
        ("check", "check_s", "check, s"),
        ("uploads", "other_calls_ms", "beside uploads, ms"),
        ("mixed", "list_server_ms", "mixed list, server ms"),
    ):
        if spread := phases.get(phase, {}).get(key):
            parts.append(f"{name}: {spread['median']:g} (95 %: {spread['p95']:g})")
    for who, grown in answer.get("memory", {}).items():
        parts.append(f"{who} {grown['second_half_mb']:g} MB, {grown['mb_per_hour']:+g} MB/h")
    return "; ".join(parts)
