"""A worker killed in every stage of one job, and whether the answer is the same."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import Any

from bench.speed.spark_run import WORKERS, Running, job, running, with_events
from likewise.settings import Settings

PATIENCE_SECONDS = 60
TRIFLE_SECONDS = 0.15
_LOST = ("ExecutorLostFailure", "Resubmitted", "FetchFailed")


class Killer:
    """Waits until tasks of a stage run, kills the oldest worker, and starts a new one."""

    def __init__(self, on: Running) -> None:
        self._on = on
        self._alive = list(range(len(on.cluster.workers)))
        self._threads: list[threading.Thread] = []
        self._next = threading.Event()  # the stage is over, and was too short to be hit
        self.killed: list[str] = []

    def told(self, stage: str) -> None:
        """A stage begins; it begins only when what was killed before it is there again."""
        self._next.set()
        self.wait()
        self._next.clear()
        if stage in ("beginning", "outputs", "end"):
            return
        thread = threading.Thread(target=self._kill, args=[stage], daemon=True)
        self._threads.append(thread)
        thread.start()

    def wait(self) -> None:
        for thread in self._threads:
            thread.join()

    def _active(self) -> int:
        tracker = self._on.spark.sparkContext.statusTracker()
        infos = [tracker.getStageInfo(each) for each in tracker.getActiveStageIds()]
        return sum(info.numActiveTasks for info in infos if info is not None)

    def _kill(self, stage: str) -> None:
        until = time.monotonic() + PATIENCE_SECONDS
        # two tasks are on both executors, and those that stay for a moment are no trifles
        while not self._next.is_set() and time.monotonic() < until:
            if self._active() >= WORKERS:
                time.sleep(TRIFLE_SECONDS)
                if self._active() >= WORKERS:
                    break
            time.sleep(0.005)
        oldest = self._alive.pop(0)
        self._on.cluster.kill_worker(oldest)
        self.killed.append(stage)
        self._on.cluster.start_worker()
        self._alive.append(len(self._on.cluster.workers) - 1)
        self._on.watch.follow(self._on.cluster.workers[-1].pid)


def killed_in_every_stage(scratch: Path, data: Path, settings: Settings) -> dict[str, Any]:
    """For each stage what was lost, by Spark's event log, and the answer at the end."""
    with running(scratch, {"spark.task.maxFailures": "8"}) as on:
        killer = Killer(on)
        figures = job(on, data, settings, "killed", killer.told)
        killer.wait()
    with_events(on, "killed", figures)
    lost = {}
    for stage in killer.killed:
        events = figures["stages"][stage].get("events", {})
        ended = events.get("ended", {})
        lost[stage] = {
            "removed": events.get("removed", []),
            "tasks_lost": sum(ended.get(reason, 0) for reason in _LOST),
            "ended": ended,
        }
    return {"stages": lost, "answer": figures["answer"], "wall_s": figures["wall_s"]}
