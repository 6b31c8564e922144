"""What the machine offers us."""

from __future__ import annotations

import os
import re

from likewise.errors import BadInput

_UNITS = {"": 1, "k": 1e3, "m": 1e6, "g": 1e9, "t": 1e12}
_BINARY_UNITS = {"ki": 1 << 10, "mi": 1 << 20, "gi": 1 << 30, "ti": 1 << 40}


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


def memory_allowed(asked: str | None) -> int | None:
    """The budget in bytes: what was asked for, else half of what there is.

    >>> memory_allowed("500MB"), memory_allowed("1.5 GiB"), memory_allowed("4096")
    (500000000, 1610612736, 4096)
    """
    if asked is None:
        there = memory_bytes()
        return there and there // 2
    units = _UNITS | _BINARY_UNITS
    parts = re.fullmatch(r"(\d+(?:\.\d+)?|\.\d+)\s*([kmgt]?i?)b?", asked.strip().lower())
    if parts is None or parts[2] not in units or (count := float(parts[1]) * units[parts[2]]) < 1:
        raise BadInput(f"--memory {asked}: give a size such as 500MB, 2GB or a number of bytes")
    return int(count)
