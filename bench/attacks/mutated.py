"""Damaged files of every format by the hundred thousand: no crash, no hang, no silent nothing.

Each file is made from its number and the seed alone, so that any of them can be made again. They
are read as every file is, in processes of their own, two at a time. What is done is appended to a
file in build/attacks; a run that was ended goes on from there.
"""

from __future__ import annotations

import json
import os
import queue
import random
import select
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from bench.attacks.corruption import corrupted
from bench.attacks.processes import descendants
from bench.corpus import say

ROOT = Path(__file__).parents[2]
FILES = ROOT / "tests" / "files"
SEEDS: dict[str, tuple[str, ...]] = {
    "pdf": ("essays/*/*.pdf", "pdf/*.pdf", "tricks/*.pdf"),
    "docx": ("essays/*/*.docx", "docx/*.docx", "tricks/*.docx"),
    "odt": ("essays/*/*.odt", "odt/*.odt", "tricks/*.odt"),
    "doc": ("essays/*/*.doc", "doc/*.doc", "tricks/*.doc"),
    "rtf": ("essays/*/*.rtf", "rtf/*.rtf", "tricks/*.rtf"),
    "html": ("essays/*/*.html", "html/*.html", "html/*.xhtml"),
    "mhtml": ("html/*.mhtml",),
    "flat": ("docx/*.xml", "odt/*.fodt"),
    "xlsx": ("sheet/levels.xlsx",),
    "ods": ("sheet/levels.ods",),
    "xls": ("sheet/levels.xls",),
    "csv": ("sheet/*.csv",),
    "text": ("essays/*/*.txt", "text/*.txt", "disguised/*/*.txt", "exclude/*.txt"),
    "picture": ("images/*.png", "images/*.tiff", "images/*.webp", "images/*.jpg"),
}
# How often a format is drawn: what people hand in most, and what has most code behind it.
WEIGHTS = {"pdf": 4, "docx": 4, "doc": 3, "odt": 3, "text": 3, "rtf": 2, "html": 2}
OCR_SHARE = 0.01  # of files in which pictures are read: that takes seconds, not milliseconds
CHUNK = 200
PAGE_SECONDS, TOTAL_SECONDS, MARGIN_SECONDS = 20.0, 40.0, 20.0
# What must never happen; what else is counted is a document, or a reason why there is none.
BAD = ("crash of the caller", "hang", "silent empty", "unsound document")
SAMPLED = (*BAD, "reader crashed", "reader's own error", "given up", "out of memory")


class Case(NamedTuple):
    """One damaged file."""

    number: int
    form: str
    seed: Path
    ocr: tuple[str, ...]
    data: bytes


@cache
def seeds_of(form: str) -> tuple[Path, ...]:
    """The sound files that damaged ones of a format are made from."""
    return tuple(sorted(path for pattern in SEEDS[form] for path in FILES.glob(pattern)))


def case(number: int, seed: int) -> Case:
    """The damaged file of a number; the same for the same seed."""
    dice = random.Random(f"{seed}:{number}")
    forms = list(SEEDS)
    form = dice.choices(forms, [WEIGHTS.get(form, 1) for form in forms])[0]
    path = dice.choice(seeds_of(form))
    ocr = ("en",) if dice.random() < OCR_SHARE else ()
    return Case(number, form, path, ocr, corrupted(path.read_bytes(), form, dice))


def run(
    *,
    count: int = 100_000,
    seed: int = 1,
    processes: int = 2,
    folder: str = "",
    fresh: bool = False,
) -> dict[str, Any]:
    """Read that many damaged files; what became of them, by format."""
    import likewise

    place = Path(likewise.__file__).parents[2].resolve()
    work = Path(folder) if folder else ROOT / "build" / "attacks"
    name = f"mutated-{seed}" if place == ROOT.resolve() else f"mutated-{seed}-{place.name}"
    journal = work / f"{name}.jsonl"
    journal.parent.mkdir(parents=True, exist_ok=True)
    if fresh:
        journal.unlink(missing_ok=True)
    done = {
        told["chunk"]: told
        for told in _journal(journal)
        if told["end"] == min(told["chunk"] + CHUNK, count)  # else of a run with another count
    }
    waiting: queue.SimpleQueue[range] = queue.SimpleQueue()
    for first in range(0, count, CHUNK):
        if first not in done:
            waiting.put(range(first, min(first + CHUNK, count)))
    progress = _Progress(journal, count, done)
    with ThreadPoolExecutor(processes) as threads:
        for ended in [
            threads.submit(_read_chunks, waiting, seed, work / "samples", progress)
            for _ in range(processes)
        ]:
            ended.result()
    return _figures(progress.chunks.values(), seed)


def _journal(path: Path) -> Iterator[dict[str, Any]]:
    if path.is_file():
        for line in path.read_text("utf-8").splitlines():
            try:
                yield json.loads(line)
            except ValueError:  # the run ended in the middle of a line
                continue


class _Progress:
    """What is done, appended to the journal and told now and then."""

    def __init__(self, journal: Path, count: int, done: dict[int, dict[str, Any]]) -> None:
        self.chunks = done
        self._journal, self._count = journal, count
        self._lock = threading.Lock()
        self._began, self._new = time.monotonic(), 0

    def add(self, told: dict[str, Any]) -> None:
        with self._lock:
            self.chunks[told["chunk"]] = told
            with self._journal.open("a", encoding="utf-8") as file:
                file.write(json.dumps(told) + "\n")
            self._new += told["end"] - told["chunk"]
            files = sum(chunk["end"] - chunk["chunk"] for chunk in self.chunks.values())
            rate = self._new / max(time.monotonic() - self._began, 1e-3)
            left = (self._count - files) / max(rate, 1e-3) / 60
            bad = sum(
                number
                for chunk in self.chunks.values()
                for outcomes in chunk["outcomes"].values()
                for outcome, number in outcomes.items()
                if outcome in BAD
            )
            say(f"  {files:,} files, {rate:.0f} a second, {left:.0f} minutes left; bad: {bad}")


def _read_chunks(
    waiting: queue.SimpleQueue[range], seed: int, samples: Path, progress: _Progress
) -> None:
    reader = None
    try:
        while True:
            try:
                numbers = waiting.get_nowait()
            except queue.Empty:
                return
            outcomes: dict[str, Counter[str]] = {}
            samples_of, slowest, at = [], 0.0, numbers.start
            while at < numbers.stop:
                reader = reader or _Caller(seed)
                for told in reader.read(range(at, numbers.stop)):
                    at = told["number"] + 1
                    outcomes.setdefault(told["form"], Counter())[told["outcome"]] += 1
                    slowest = max(slowest, told["seconds"])
                    if told["outcome"] in SAMPLED:
                        samples_of.append(told)
                        _save(samples, case(told["number"], seed), told)
                if reader.is_ended:
                    reader = None
            progress.add(
                {
                    "chunk": numbers.start,
                    "end": numbers.stop,
                    "outcomes": outcomes,
                    "samples": samples_of,
                    "slowest_s": round(slowest, 2),
                }
            )
    finally:
        if reader is not None:
            reader.end()


def _save(folder: Path, damaged: Case, told: dict[str, Any]) -> None:
    """The file itself, for whoever mends it."""
    at = folder / told["outcome"].replace(" ", "-").replace("'", "")
    at.mkdir(parents=True, exist_ok=True)
    (at / f"{damaged.number}-{damaged.seed.name}").write_bytes(damaged.data)


class _Caller:
    """A process that reads damaged files one after the other, as a program of somebody would."""

    def __init__(self, seed: int) -> None:
        self._seed, self.is_ended = seed, False
        self._process = subprocess.Popen(
            [sys.executable, "-m", "bench.attacks.reading_child", str(seed)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=ROOT,
        )
        self._heard = b""

    def read(self, numbers: range) -> Iterator[dict[str, Any]]:
        """What became of each; after a crash or a hang, which is the last, the process is gone."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(f"{numbers.start} {numbers.stop}\n".encode())
            self._process.stdin.flush()
        except OSError:
            pass  # it has died; reading its answer tells so
        for number in numbers:
            began = time.monotonic()
            line = self._line(TOTAL_SECONDS + MARGIN_SECONDS)
            if line:
                yield json.loads(line)
                continue
            is_hung = self._process.poll() is None and line is None
            self.end()
            form = case(number, self._seed).form
            yield {
                "number": number,
                "form": form,
                "outcome": "hang" if is_hung else "crash of the caller",
                "seconds": round(time.monotonic() - began, 2),
                "error": f"exit status {self._process.returncode}",
            }
            return

    def _line(self, seconds: float) -> bytes | None:
        """A line; empty where the process ended, None where the time is over."""
        assert self._process.stdout is not None
        pipe, end = self._process.stdout.fileno(), time.monotonic() + seconds
        while b"\n" not in self._heard:
            left = end - time.monotonic()
            if left <= 0:
                return None
            if select.select([pipe], [], [], left)[0]:
                more = os.read(pipe, 1 << 16)
                if not more:
                    self._process.wait()
                    return b""
                self._heard += more
        line, _, self._heard = self._heard.partition(b"\n")
        return line

    def end(self) -> None:
        """End it and the readers that it started."""
        self.is_ended = True
        readers = descendants(self._process.pid)
        self._process.kill()
        for reader in readers:
            try:
                os.kill(reader, signal.SIGKILL)
            except ProcessLookupError:
                continue
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                try:
                    pipe.close()
                except OSError:
                    continue


def _figures(chunks: Any, seed: int) -> dict[str, Any]:
    formats: dict[str, Counter[str]] = {}
    samples: list[dict[str, Any]] = []
    for chunk in sorted(chunks, key=lambda told: told["chunk"]):
        for form, outcomes in chunk["outcomes"].items():
            formats.setdefault(form, Counter()).update(outcomes)
        samples += chunk["samples"]
    total: Counter[str] = sum(formats.values(), Counter())
    files = sum(total.values())
    rows = [
        {
            "attack": f"a damaged file: {what}",
            "attempts": files,
            "got_through": total[what],
            "asked": 0,
        }
        for what in BAD
    ]
    return {
        "rows": rows,
        "files": files,
        "seed": seed,
        "outcomes": dict(total.most_common()),
        "formats": {form: dict(formats[form]) for form in sorted(formats)},
        "slowest_s": max((chunk["slowest_s"] for chunk in chunks), default=0.0),
        "samples": samples[:60],
        "samples_in_all": len(samples),
    }
