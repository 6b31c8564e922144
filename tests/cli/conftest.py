"""The command line as people and programs meet it: words in, words and a status out."""

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from likewise.cli import main

ROOT = Path(__file__).parent.parent.parent
EXAMPLES = ROOT / "examples"

CARAVAN = (
    "The caravan left the old city before dawn and crossed the river at the narrow ford. "
    "Seven merchants walked beside their camels, counting the stars until the mountains hid them. "
    "Nobody spoke, because sound carries far over cold sand and robbers listen for bells."
)
HARVEST = (
    "Wheat ripens late on the northern slopes, where frost may return in the middle of June. "
    "Farmers there plant barley first and wait for swallows before they trust the weather."
)


@dataclass(frozen=True)
class Ran:
    """What a command left behind."""

    status: int
    out: str
    err: str

    @property
    def lines(self) -> list[dict]:
        return [json.loads(line) for line in self.out.splitlines()]

    def of_type(self, kind: str) -> list[dict]:
        return [line for line in self.lines if line["type"] == kind]

    @property
    def summary(self) -> dict:
        assert self.lines[-1]["type"] == "summary"
        return self.lines[-1]


@pytest.fixture
def likewise(monkeypatch) -> Callable[..., Ran]:
    """Run a command in this process, its output going to no terminal."""

    def run(*arguments: object) -> Ran:
        out, err = (io.TextIOWrapper(io.BytesIO(), "ascii") for _ in range(2))
        with monkeypatch.context() as context:
            context.setattr(sys, "stdout", out)
            context.setattr(sys, "stderr", err)
            status = main([str(argument) for argument in arguments])
        written = []
        for stream in (out, err):
            stream.flush()
            written.append(stream.buffer.getvalue().decode("utf-8"))
        return Ran(status, *written)

    return run


def start(*arguments: object, **options) -> subprocess.Popen:
    """The same in a process of its own, for what only a process can show."""
    environment = os.environ | {"PYTHONPATH": str(ROOT / "src")} | options.pop("env", {})
    command = [sys.executable, "-m", "likewise.cli", *map(str, arguments)]
    return subprocess.Popen(
        command,
        stdout=options.pop("stdout", subprocess.PIPE),
        stderr=subprocess.PIPE,
        env=environment,
        **options,
    )


@pytest.fixture
def process() -> Callable[..., Ran]:
    def run(*arguments: object, **options) -> Ran:
        started = start(*arguments, **options)
        out, err = started.communicate(timeout=60)
        return Ran(started.returncode, (out or b"").decode("utf-8"), err.decode("utf-8"))

    return run


@pytest.fixture
def folder(tmp_path) -> Path:
    """Three documents, two of them alike."""
    texts = tmp_path / "texts"
    write(texts / "caravan.txt", CARAVAN)
    write(texts / "copies/caravan.txt", CARAVAN + " Morning broke.")
    write(texts / "harvest.txt", HARVEST)
    return texts


@pytest.fixture
def corpus(tmp_path) -> Path:
    """Four records in JSON Lines, two of them alike."""
    path = tmp_path / "crawl.jsonl"
    texts = [CARAVAN, HARVEST, CARAVAN + " Morning broke.", ""]
    return write_jsonl(path, [{"id": f"r{i}", "text": text} for i, text in enumerate(texts)])


def write(path: Path, text: str | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode("utf-8") if isinstance(text, str) else text)
    return path


def write_jsonl(path: Path, records: list[dict]) -> Path:
    return write(path, "".join(json.dumps(record) + "\n" for record in records))
