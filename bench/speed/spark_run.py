"""A job on a real cluster on loopback: what it cost, stage by stage, and what it answered."""

from __future__ import annotations

import json
import os
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any

from bench.speed.spark_events import stages_of
from bench.speed.spark_watch import Watch
from likewise.settings import Settings
from tests.scale.cluster import Cluster, cluster_on_loopback

EXECUTOR_MB = 1074  # 1g as Spark counts it, half for Java's heap and half for all the rest
WORKERS = 2
OPTIONS = {
    "spark.ui.enabled": "false",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.memory": "1g",
    "spark.executor.memory": "512m",
    # so that an executor stays in 1 GB: a heap near what is in use, few arenas outside of it
    "spark.executor.extraJavaOptions": (
        "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:MinHeapFreeRatio=20 -XX:MaxHeapFreeRatio=40"
        " -Dio.netty.allocator.numDirectArenas=1"
    ),
    "spark.executorEnv.MALLOC_ARENA_MAX": "2",
    "spark.eventLog.enabled": "true",
    "spark.eventLog.compress": "false",
}


class Running:
    """A cluster with a session on it, and a watch over all its processes."""

    def __init__(self, cluster: Cluster, scratch: Path, options: dict[str, str]) -> None:
        from likewise import scale

        self.cluster, self.scratch = cluster, scratch
        self.events = scratch / "events"
        self.events.mkdir()
        self.watch = Watch([worker.pid for worker in cluster.workers], os.getpid())
        before = self.watch.cpu_seconds()
        asked = OPTIONS | {
            "spark.eventLog.dir": self.events.as_uri(),
            "spark.executorEnv.PYTHONPATH": cluster.environment["PYTHONPATH"],
        }
        self.spark = scale.session(cluster.url, asked | options)
        self.spark.sparkContext.setLogLevel("OFF")
        # the executors are there, and their Python processes too
        rows = self.spark.range(WORKERS).repartition(WORKERS)
        rows.mapInArrow(lambda batches: batches, "id long").count()
        self.start_cpu_s = _spent(before, self.watch.cpu_seconds())

    def stop(self) -> None:
        self.spark.stop()
        self.watch.stop()


@contextmanager
def running(scratch: Path, options: dict[str, str] | None = None) -> Iterator[Running]:
    """A master and two workers of one core each, until the end of the block."""
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    (scratch / "cluster").mkdir(parents=True)
    with cluster_on_loopback(scratch / "cluster", workers=WORKERS, memory="1g") as cluster:
        made = Running(cluster, scratch, options or {})
        try:
            yield made
        finally:
            made.stop()


def job(
    on: Running,
    data: Path,
    settings: Settings,
    name: str,
    told: Callable[[str], None] | None = None,
    pairs: bool = True,
) -> dict[str, Any]:
    """One job with its outputs written; `told` hears of every stage as it begins."""
    from likewise import scale

    work, out = on.scratch / f"work-{name}", on.scratch / f"out-{name}"
    marks: list[tuple[str, dict[str, float], float]] = []
    peaks: dict[str, float] = {}

    def mark(stage: str, _done: int = 0, _total: int = 0) -> None:
        if marks:
            peaks[marks[-1][0]] = on.watch.take_peak_mb()
        marks.append((stage, on.watch.cpu_seconds(), time.perf_counter()))
        on.spark.sparkContext.setJobDescription(f"{name} {stage}")
        if told:
            told(stage)

    on.watch.take_peak_mb()
    mark("beginning")
    # the measured recall of a job is work that the local engine does not do
    result = scale.dedup(
        on.spark, str(data), settings, format="jsonl", work=str(work), sample=0, progress=mark
    )
    mark("outputs")
    if pairs:
        result.pairs().write.json(f"{out}/pairs")
    result.clusters[settings.threshold].write.json(f"{out}/clusters")
    kept = result.duplicates.documents.join(result.removed(), "id", "left_anti").select("id")
    kept.write.text(f"{out}/kept")
    mark("end")
    on.spark.sparkContext.setJobDescription("")
    stages = {
        stage: {
            "seconds": round(ended - began, 3),
            "cpu_s": _spent(before, after),
            "peak_executor_mb": peaks.get(stage, 0.0),
        }
        for (stage, before, began), (_, after, ended) in pairwise(marks)
    }
    figures = {
        "stages": stages,
        "cpu_s": _spent(marks[0][1], marks[-1][1]),
        "wall_s": round(marks[-1][2] - marks[0][2], 2),
        "bytes": {each.name: each.bytes for each in result.work.finished},
        "candidates": result.duplicates.candidate_count,
        "answer": answer_of(out),
    }
    shutil.rmtree(work)
    return figures


def with_events(on: Running, name: str, figures: dict[str, Any]) -> dict[str, Any]:
    """The figures of a job with what the event log says; the session must have been stopped."""
    for told, events in stages_of(on.events).items():
        job_name, _, stage = told.partition(" ")
        if job_name == name and stage in figures["stages"]:
            figures["stages"][stage]["events"] = events
    return figures


def answer_of(out: Path) -> dict[str, Any]:
    """Hashes of the sorted pairs and clusters that were written."""
    pairs = [
        [row[key] for key in ("a", "b", "jaccard", "containment_a", "containment_b")]
        for row in _rows(out / "pairs")
    ]
    clusters: dict[int, list[Any]] = {}
    for row in sorted(_rows(out / "clusters"), key=lambda row: int(row["place"])):
        clusters.setdefault(row["cluster"], [[], row["weakest"]])[0].append(row["id"])
    kept = [line for path in (out / "kept").glob("part-*") for line in path.read_text().split()]
    return {
        "pairs": hashed(pairs),
        "clusters": hashed(clusters.values()),
        "kept": hashed(kept),
        "numbers": {"pairs": len(pairs), "clusters": len(clusters), "kept": len(kept)},
    }


def _rows(folder: Path) -> Iterator[dict[str, Any]]:
    for path in sorted(folder.glob("part-*")):
        with path.open(encoding="utf-8") as lines:
            yield from map(json.loads, lines)


def hashed(rows: Any) -> str:
    """The sum of sorted rows."""
    lines = sorted(json.dumps(row) for row in rows)
    return sha256("\n".join(lines).encode()).hexdigest()


def _spent(before: dict[str, float], after: dict[str, float]) -> dict[str, float]:
    kinds = {kind: round(after[kind] - before.get(kind, 0.0), 2) for kind in after}
    return {**kinds, "all": round(sum(after.values()) - sum(before.values()), 2)}
