"""What the machine offers us."""

from __future__ import annotations

import os
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")


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


def data_folder() -> Path:
    """Where this user's own things belong."""
    if os.name == "nt":
        above = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        above = Path.home() / "Library" / "Application Support"
    else:
        above = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    return above / "likewise"


LEAST_MEMORY = 64_000_000  # below it a job would cut its work into countless little parts


def memory_budget(asked: int | None = None) -> int | None:
    """What a job may use: what was asked for, if that is enough to work, else half of all."""
    there = memory_bytes()
    if asked is None:
        return there and there // 2
    return max(asked, LEAST_MEMORY)


def on_threads(work: Callable[[T], R], items: Iterable[T], jobs: int) -> list[R]:
    """What `work` makes of each item, in order; with one job no thread is started.

    >>> on_threads(str.upper, ["a", "b"], 2)
    ['A', 'B']
    """
    if jobs == 1:
        return [work(item) for item in items]
    with ThreadPoolExecutor(jobs) as pool:
        return list(pool.map(work, items))


AHEAD_PER_JOB = 4


def in_order(work: Callable[[T], R], items: Iterable[T], jobs: int) -> Iterator[R]:
    """What `work` makes of each item, in order, as it comes; only a few items are worked ahead.

    >>> list(in_order(str.upper, ["a", "b", "c"], 2))
    ['A', 'B', 'C']
    """
    pool = ThreadPoolExecutor(jobs)
    waiting: deque[Future[R]] = deque()
    try:
        for item in items:
            waiting.append(pool.submit(work, item))
            if len(waiting) > jobs * AHEAD_PER_JOB:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)  # whoever stops us stops the work too
        raise
    pool.shutdown()
