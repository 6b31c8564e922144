"""What a worker process uses, and may use."""

from __future__ import annotations

import re
from pathlib import Path


def used_bytes() -> int:
    """The memory that is this process's alone; 0 where the system does not tell.

    Files that are mapped are left out: the index is one, and gives way when others need room.
    """
    try:
        status = Path("/proc/self/status").read_text()
    except OSError:
        return 0
    found = re.search(r"^RssAnon:\s+(\d+) kB", status, re.MULTILINE)
    return int(found[1]) * 1024 if found else 0


def limit_memory(megabytes: int) -> None:
    """Refuse this process more memory than that, where the system can.

    It limits data and not addresses: the index is mapped into memory, however large it is.
    """
    try:
        import resource
    except ImportError:  # Windows
        return
    most = megabytes * 1_000_000
    _soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    if hard != resource.RLIM_INFINITY:
        most = min(most, hard)
    resource.setrlimit(resource.RLIMIT_DATA, (most, hard))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # it would hold people's text
