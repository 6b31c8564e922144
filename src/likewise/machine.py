"""What the machine offers us."""

from __future__ import annotations

import os


def cores() -> int:
    """How many cores there are for us."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def memory_bytes() -> int | None:
    """The machine's memory, where the system tells."""
    if not hasattr(os, "sysconf"):
        return None
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def memory_budget() -> int | None:
    """What a job may use unless told otherwise: half of it."""
    there = memory_bytes()
    return there and there // 2
