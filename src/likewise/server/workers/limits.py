"""How long a job may take and how much memory, and what is said of one that takes more."""

from __future__ import annotations

import re
from pathlib import Path

from likewise.catalogue import Message
from likewise.server.config import Config
from likewise.server.jobs.queue import Kind

# A class of scanned papers is read page by page, and a rebuild goes through the whole library.
TIMES: dict[Kind, int] = {
    "check": 1,
    "tidy": 1,
    "duplicates": 1,
    "add": 6,
    "batch": 6,
    "rebuild": 24,
    "erase": 24,
}


def most_seconds(config: Config, kind: Kind) -> int:
    """How long a job of a kind may take.

    >>> most_seconds(Config(job_seconds=600), "batch")
    3600
    """
    return config.job_seconds * TIMES[kind]


def took_too_long(seconds: int) -> Message:
    """Why a job was stopped after its time.

    >>> str(took_too_long(7200))[:32]
    'it took longer than 120 minutes,'
    """
    if seconds % 60 == 0:
        return Message("server.job_minutes", {"n": seconds // 60})
    return Message("server.job_seconds", {"n": seconds})


def took_too_much_memory(megabytes: int) -> Message:
    """Why a job was stopped for its memory.

    >>> str(took_too_much_memory(1024))[:50]
    'it takes more memory than a job may use (1,024 MB)'
    """
    return Message("server.job_memory", {"n": megabytes})


def used_bytes() -> int:
    """The memory that is this process's alone; 0 where the system does not tell.

    Files that are mapped are left out: the index is one, and gives way when others need room.
    """
    try:
        status = Path("/proc/self/status").read_text()
    except OSError:
        return 0
    match = re.search(r"^RssAnon:\s+(\d+) kB", status, re.MULTILINE)
    return int(match[1]) * 1024 if match else 0


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
