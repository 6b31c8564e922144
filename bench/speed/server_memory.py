"""The memory of a server and of all that it started, over time."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

_SETTLED = 0.25  # of the time, after which a process has loaded what it needs


def memory_of(pid: int) -> dict[str, float | int]:
    """MB of the server, and of its workers together; pages that several share count in parts."""
    below = _below(pid)
    return {
        "server_mb": _mb(pid),
        "workers_mb": round(sum(_mb(child) for child in below), 1),
        "processes": 1 + len(below),
    }


def _below(pid: int) -> list[int]:
    """Children, their children, and so on."""
    parents: dict[int, list[int]] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(") ")[2].split()
        except OSError:
            continue
        parents.setdefault(int(fields[1]), []).append(int(path.parent.name))
    found, asked = [], [pid]
    while asked:
        children = parents.get(asked.pop(), [])
        found += children
        asked += children
    return found


def _mb(pid: int) -> float:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:  # it has ended meanwhile
        return 0.0
    kept = [int(line.split()[1]) for line in lines if line.startswith("Pss:")]
    return round(kept[0] * 1024 / 1e6, 1) if kept else 0.0


def growth(moments: Sequence[float], megabytes: Sequence[float]) -> dict[str, float]:
    """Where memory stood and how fast it grew, once everything was loaded.

    The slope is Theil and Sen's: the median over all pairs, which a few bursts do not move.

    >>> growth([0, 3600, 7200, 10800, 14400], [1, 9, 10, 11, 12])["mb_per_hour"]
    1.0
    """
    t, mb = np.asarray(moments, dtype=float), np.asarray(megabytes, dtype=float)
    settled = t >= t[0] + _SETTLED * (t[-1] - t[0])
    t, mb = t[settled], mb[settled]
    if len(t) > 400:  # as many pairs as are quickly looked at
        chosen = np.linspace(0, len(t) - 1, 400).astype(int)
        t, mb = t[chosen], mb[chosen]
    first, second = np.triu_indices(len(t), 1)
    apart = t[second] - t[first]
    slopes = (mb[second] - mb[first])[apart > 0] / apart[apart > 0]
    half = len(mb) // 2
    return {
        "first_half_mb": round(float(np.median(mb[:half])), 1),
        "second_half_mb": round(float(np.median(mb[half:])), 1),
        "most_mb": round(float(mb.max()), 1),
        "mb_per_hour": round(3600 * float(np.median(slopes)), 2) if len(slopes) else 0.0,
    }
