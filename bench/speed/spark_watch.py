"""CPU seconds and memory of a cluster's processes, by what each of them is."""

from __future__ import annotations

import os
import threading
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

EVERY_SECONDS = 0.25
_DAEMONS = ("likewise.scale.daemon", "pyspark.daemon", "pyspark/daemon")
_STARTING = "scripts"  # a shell that will be something else, or helps to start it
_TICKS = os.sysconf("SC_CLK_TCK")
_PAGE_MB = os.sysconf("SC_PAGE_SIZE") / 1e6


class Watch:
    """Looks at some processes and all below them, until it is stopped."""

    def __init__(self, workers: list[int], driver: int) -> None:
        self._roots = [*workers, driver]
        self._cpu: dict[int, float] = {}  # of the dead, what was seen last
        self._kinds: dict[int, str] = {}
        self.peak_mb: dict[str, float] = {}  # of each executor with its Python processes
        self.peak_jvm_mb = self.peak_python_mb = 0.0  # of single processes
        self._recent_mb = 0.0
        self._now_mb: dict[int, float] = {}
        self._own = 0.0  # what looking costs, which no job should be charged with
        self._done = threading.Event()
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._look, daemon=True)
        self._thread.start()

    def follow(self, worker: int) -> None:
        """One more worker."""
        self._roots.append(worker)

    def cpu_seconds(self) -> dict[str, float]:
        """What each kind of process has used so far."""
        self._once()
        with self._lock:
            used: defaultdict[str, float] = defaultdict(float)
            for pid, seconds in self._cpu.items():
                used[self._kinds[pid]] += seconds
        used["driver Python"] -= self._own
        return dict(used)

    def take_peak_mb(self) -> float:
        """The most that one executor with its Python processes had since this was asked last."""
        self._once()
        with self._lock:
            most, self._recent_mb = self._recent_mb, 0.0
        return most

    def stop(self) -> None:
        self._done.set()
        self._thread.join()

    def _look(self) -> None:
        while not self._done.wait(EVERY_SECONDS):
            self._once()

    def _once(self) -> None:
        began = time.thread_time()
        with self._lock:
            below: dict[int, list[tuple[int, list[str]]]] = {}
            for pid, fields in _processes():
                below.setdefault(int(fields[1]), []).append((pid, fields))
                if pid in self._roots:
                    self._note(pid, fields, pid)
            for root in self._roots:
                self._look_below(root, below, root, 0)
            for executor, mb in self._now_mb.items():
                name = f"executor {executor}"
                self.peak_mb[name] = max(self.peak_mb.get(name, 0), round(mb, 1))
                self._recent_mb = max(self._recent_mb, round(mb, 1))
            self._now_mb.clear()
            self._own += time.thread_time() - began

    def _look_below(
        self, pid: int, below: dict[int, list[tuple[int, list[str]]]], root: int, executor: int
    ) -> None:
        for child, fields in below.get(pid, []):
            if child in self._roots:  # has its own turn: the benchmark started the workers too
                continue
            kind = self._note(child, fields, root)
            inside = executor or (child if kind == "executor JVM" else 0)
            # an executor that forks is there twice for a moment, with the same pages
            if inside and (child == inside or kind == "Python workers"):
                rss = int(fields[21]) * _PAGE_MB
                self._now_mb[inside] = self._now_mb.get(inside, 0) + rss
                if inside == child:
                    self.peak_jvm_mb = max(self.peak_jvm_mb, round(rss, 1))
                else:
                    self.peak_python_mb = max(self.peak_python_mb, round(rss, 1))
            self._look_below(child, below, root, inside)

    def _note(self, pid: int, fields: list[str], root: int) -> str:
        # of itself alone: its children are looked at while they live
        self._cpu[pid] = (int(fields[11]) + int(fields[12])) / _TICKS
        kind = self._kinds.get(pid)
        if kind is None or kind == _STARTING:
            kind = self._kinds[pid] = _kind(pid, root)
        return kind


def _processes() -> Iterator[tuple[int, list[str]]]:
    for entry in os.scandir("/proc"):
        if entry.name.isdecimal():
            with suppress(OSError), Path(entry.path, "stat").open() as stat:
                yield int(entry.name), stat.read().rsplit(")", 1)[1].split()


def _kind(pid: int, root: int) -> str:
    words = ""
    with suppress(OSError):
        words = Path(f"/proc/{pid}/cmdline").read_text()
    if "CoarseGrainedExecutorBackend" in words:
        return "executor JVM"
    if any(name in words for name in _DAEMONS):
        return "Python workers"
    if "SparkSubmit" in words:
        return "driver JVM"
    if pid == root and "java" not in words:
        return "driver Python"
    return "worker daemon" if "deploy.worker.Worker" in words else _STARTING
