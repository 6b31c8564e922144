"""What the machine offers us."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Literal, TypeVar

T = TypeVar("T")
R = TypeVar("R")


def cores() -> int:
    """How many cores there are for us."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def memory_bytes() -> int | None:
    """The machine's memory, where the system tells; of a container what that may use."""
    if not hasattr(os, "sysconf"):
        return None
    there = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return min(there, cgroup_bytes() or there)


def cgroup_bytes(
    groups: Path = Path("/sys/fs/cgroup"), own: Path = Path("/proc/self/cgroup")
) -> int | None:
    """The least memory limit of the control groups that this process is in, of either version."""
    limits = []
    for folder, name in _memory_groups(groups, own):
        with suppress(OSError, ValueError):  # not there, or "max"
            limits.append(int((folder / name).read_text()))
    return min(limits, default=None)


def _memory_groups(groups: Path, own: Path) -> Iterator[tuple[Path, str]]:
    """The own group and all above it; in a container the topmost may be the only one to see."""
    try:
        lines = own.read_text().splitlines()
    except OSError:  # not Linux
        return
    for line in lines:
        _number, controllers, path = line.split(":", 2)
        if controllers and "memory" not in controllers.split(","):
            continue
        top, name = (
            (groups / "memory", "memory.limit_in_bytes") if controllers else (groups, "memory.max")
        )
        folder = top / path.strip("/")
        while True:
            yield folder, name
            if folder == top or top not in folder.parents:
                break
            folder = folder.parent


def data_folder() -> Path:
    """Where this user's own things belong."""
    return _user_folder("data")


def user_cache_folder() -> Path:
    """Where what can be made again belongs."""
    return _user_folder("cache")


def _user_folder(kind: Literal["data", "cache"]) -> Path:
    from platformdirs import PlatformDirs  # takes 2 ms, and `--help` asks for no folder

    folders = PlatformDirs("likewise", appauthor=False, opinion=False)
    try:
        return folders.user_data_path if kind == "data" else folders.user_cache_path
    except RuntimeError:  # a service that runs under a bare number has no home and needs none
        return Path("/nonexistent/likewise")


LEAST_MEMORY = 64_000_000  # below it a job would cut its work into countless little parts


def memory_budget(limit_bytes: int | None = None) -> int | None:
    """What a job may use: what was asked for, if that is enough to work, else half of all."""
    total = memory_bytes()
    if limit_bytes is None:
        return total and total // 2
    return max(limit_bytes, LEAST_MEMORY)


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
