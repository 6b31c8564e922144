"""How long a job may take and how much memory, and what is said of one that takes more."""

from __future__ import annotations

import re

from likewise.server.config import Config
from likewise.server.job_queue import Kind

# A class of scanned papers is read page by page, and a rebuild goes through the whole library.
TIMES: dict[Kind, int] = {"check": 1, "tidy": 1, "add": 6, "batch": 6, "rebuild": 24, "erase": 24}
TOO_LONG = "it took longer than"
TOO_MUCH_MEMORY = "it takes more memory than a job may use"
_MEMORY_ADVICE = "split it into smaller files, or ask an administrator"
_MEMORY = re.compile(rf"{TOO_MUCH_MEMORY} \([\d,]+ MB\); {_MEMORY_ADVICE}\Z")


def most_seconds(config: Config, kind: Kind) -> int:
    """How long a job of a kind may take.

    >>> most_seconds(Config(job_seconds=600), "batch")
    3600
    """
    return config.job_seconds * TIMES[kind]


def took_too_long(seconds: int) -> str:
    """
    >>> took_too_long(7200)[:32]
    'it took longer than 120 minutes,'
    """
    number, unit = (seconds // 60, "minute") if seconds % 60 == 0 else (seconds, "second")
    length = f"{number:,} {unit}{'' if number == 1 else 's'}"
    return (
        f"{TOO_LONG} {length}, the most that such a job may take; "
        "hand in less at a time, or ask an administrator"
    )


def took_too_much_memory(megabytes: int, file: str = "") -> str:
    """
    >>> took_too_much_memory(1024, "book.pdf")[:52]
    'book.pdf: it takes more memory than a job may use (1'
    """
    about = f"{file}: " if file else ""
    return f"{about}{TOO_MUCH_MEMORY} ({megabytes:,} MB); {_MEMORY_ADVICE}"


def without_file(error: str) -> str | None:
    """What is said about memory, without the name of the file; None of another error.

    >>> without_file(took_too_much_memory(512, "a.pdf")) == took_too_much_memory(512)
    True
    """
    found = _MEMORY.search(error)
    return found[0] if found else None
