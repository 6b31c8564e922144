"""What Spark wrote down about a job, by our own stages: tasks, bytes, and who was lost."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

DESCRIPTION = "spark.job.description"  # under which the benchmark says whose turn it is


def stages_of(folder: Path) -> dict[str, dict[str, Any]]:
    """For each of our stages: Spark's stages and tasks, their bytes, and what went wrong."""
    names: dict[int, str] = {}
    found: dict[str, dict[str, Any]] = {}
    now = ""
    for event in _events(folder):
        kind = event["Event"].rsplit(".", 1)[-1]
        if kind == "SparkListenerJobStart":
            name = event.get("Properties", {}).get(DESCRIPTION, "")
            now = name or now
            for stage in event["Stage IDs"]:
                names[stage] = name
            if name:
                found.setdefault(name, _nothing())["jobs"] += 1
        elif kind == "SparkListenerTaskEnd":
            name = names.get(event["Stage ID"], "")
            if name:
                _add_task(found.setdefault(name, _nothing()), event)
        elif kind == "SparkListenerExecutorRemoved" and now:
            told = f"executor {event['Executor ID']}: {event['Removed Reason']}"
            found.setdefault(now, _nothing())["removed"].append(told)
    for figures in found.values():
        figures["ended"] = dict(figures["ended"])
    return found


def _nothing() -> dict[str, Any]:
    return {
        "jobs": 0,
        "tasks": 0,
        "jvm_cpu_s": 0.0,
        "input_bytes": 0,
        "input_rows": 0,
        "shuffle_bytes": 0,
        "shuffle_rows": 0,
        "output_bytes": 0,
        "output_rows": 0,
        "spilled_bytes": 0,
        "removed": [],
        "ended": Counter(),
    }


def _add_task(figures: dict[str, Any], event: dict[str, Any]) -> None:
    figures["ended"][event["Task End Reason"]["Reason"]] += 1
    metrics = event.get("Task Metrics")
    if not metrics or event["Task End Reason"]["Reason"] != "Success":
        return
    written = metrics["Shuffle Write Metrics"]
    figures["tasks"] += 1
    figures["jvm_cpu_s"] = round(figures["jvm_cpu_s"] + metrics["Executor CPU Time"] / 1e9, 3)
    figures["input_bytes"] += metrics["Input Metrics"]["Bytes Read"]
    figures["input_rows"] += metrics["Input Metrics"]["Records Read"]
    figures["shuffle_bytes"] += written["Shuffle Bytes Written"]
    figures["shuffle_rows"] += written["Shuffle Records Written"]
    figures["output_bytes"] += metrics["Output Metrics"]["Bytes Written"]
    figures["output_rows"] += metrics["Output Metrics"]["Records Written"]
    figures["spilled_bytes"] += metrics["Disk Bytes Spilled"]


def _events(folder: Path) -> Iterator[dict[str, Any]]:
    for path in sorted(folder.rglob("events_*")):
        with path.open(encoding="utf-8") as lines:
            for line in lines:
                yield json.loads(line)
