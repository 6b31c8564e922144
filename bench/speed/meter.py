"""What a process has used: CPU seconds and memory."""

from __future__ import annotations

import os
import resource
import time
from pathlib import Path
from typing import NamedTuple

_KB_PER_MB = 1e6 / 1024


class Reading(NamedTuple):
    """Where the clocks stand."""

    user: float
    system: float
    wall: float

    @classmethod
    def now(cls) -> Reading:
        """User and system seconds of this process and its children, and the wall clock."""
        own = resource.getrusage(resource.RUSAGE_SELF)
        children = resource.getrusage(resource.RUSAGE_CHILDREN)
        return cls(
            own.ru_utime + children.ru_utime,
            own.ru_stime + children.ru_stime,
            time.perf_counter(),
        )

    def spent(self) -> dict[str, float]:
        """Seconds since this reading."""
        now = Reading.now()
        user, system = now.user - self.user, now.system - self.system
        return {
            "cpu_s": round(user + system, 4),
            "user_s": round(user, 4),
            "system_s": round(system, 4),
            "wall_s": round(now.wall - self.wall, 4),
        }


def peak_mb() -> float:
    """The most memory this process has had, in MB of 10⁶ bytes.

    Linux tells it for the process alone; what getrusage tells may be inherited from its parent.
    """
    status = Path("/proc/self/status")
    if status.is_file():
        for line in status.read_text().splitlines():
            if line.startswith("VmHWM:"):
                return round(int(line.split()[1]) / _KB_PER_MB, 1)
    return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / _KB_PER_MB, 1)


def stay_on_one_core() -> None:
    """Pin this process, where the system can."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
