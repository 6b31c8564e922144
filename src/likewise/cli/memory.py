"""How much memory a job was given."""

from __future__ import annotations

import re

from likewise.errors import BadInput
from likewise.machine import memory_budget

_UNITS = {"": 1, "k": 1e3, "m": 1e6, "g": 1e9, "t": 1e12}
_BINARY_UNITS = {"ki": 1 << 10, "mi": 1 << 20, "gi": 1 << 30, "ti": 1 << 40}


def memory_allowed(asked: str | None) -> int | None:
    """The budget in bytes: what was asked for (64 MB at least), else half of what there is.

    >>> memory_allowed("500MB"), memory_allowed("1.5 GiB"), memory_allowed("4096")
    (500000000, 1610612736, 64000000)
    """
    if asked is None:
        return memory_budget()
    units = _UNITS | _BINARY_UNITS
    parts = re.fullmatch(r"(\d+(?:\.\d+)?|\.\d+)\s*([kmgt]?i?)b?", asked.strip().lower())
    if parts is None or parts[2] not in units or (count := float(parts[1]) * units[parts[2]]) < 1:
        raise BadInput("cli.memory", value=asked)
    return memory_budget(int(count))
