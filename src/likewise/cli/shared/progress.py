"""A bar on standard error for whatever takes over two seconds."""

from __future__ import annotations

import os
import stat
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress as Drawing

    from likewise.progress import Progress


PATIENCE_SECONDS = 2.0
REDRAW_SECONDS = 0.1
IN_BYTES = {"reading", "writing"}  # the stages of a corpus count bytes, the others documents


@contextmanager
def progress(*, quiet: bool, as_json: bool) -> Iterator[Progress | None]:
    """Something to tell progress to, or None where nobody looks."""
    if quiet or not sys.stderr.isatty() or (as_json and _is_pipe()):
        yield None
        return
    bar = _Bar()
    patience = threading.Timer(PATIENCE_SECONDS, bar.show)
    patience.daemon = True
    patience.start()
    try:
        yield bar.update
    finally:
        patience.cancel()
        bar.close()


class _Bar:
    """Waits out of sight until it is shown; told by one thread, shown by another."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._drawing: Drawing | None = None
        self._closed = False
        self._stage, self._done, self._total = "", 0, 0
        self._stage_began = self._drawn_at = time.monotonic()

    def update(self, stage: str, done: int, total: int) -> None:
        now = time.monotonic()
        with self._lock:
            fresh = _name_of(stage) != _name_of(self._stage)
            self._stage = stage
            if fresh:
                self._stage_began = now
            self._done, self._total = done, total
            if self._drawing and (fresh or now - self._drawn_at >= REDRAW_SECONDS or done == total):
                self._draw(now)

    def show(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, TextColumn
        from rich.progress import Progress as Drawing

        with self._lock:
            if self._closed:
                return
            self._drawing = Drawing(
                TextColumn("{task.description}", markup=False),
                BarColumn(bar_width=30),
                TextColumn("{task.fields[figures]}", markup=False),
                console=Console(file=sys.stderr),
                transient=True,
            )
            self._drawing.add_task("", figures="", total=None)
            self._drawing.start()
            self._draw(time.monotonic())

    def close(self) -> None:
        with self._lock:
            self._closed = True
            if self._drawing:
                self._drawing.stop()

    def _draw(self, now: float) -> None:
        assert self._drawing is not None
        self._drawn_at = now
        self._drawing.update(
            self._drawing.task_ids[0],
            description=self._stage,
            completed=self._done,
            total=self._total or None,  # unknown: the bar only shows that there is life
            figures=figures(
                self._done, self._total, now - self._stage_began, self._stage in IN_BYTES
            ),
        )


def _name_of(stage: str) -> str:
    """A stage without what it is busy with, which stands in brackets behind."""
    return stage.partition(" (")[0]


def figures(done: int, total: int, seconds: float, in_bytes: bool) -> str:
    """Share, rate and time left.

    >>> figures(250_000_000, 1_000_000_000, 5, in_bytes=True)
    '25 %  50.0 MB/s  0:15 left'
    >>> figures(300, 400, 2, in_bytes=False)
    '75 %  150 documents/s  0:00 left'
    """
    if not total:
        return ""
    rate = done / seconds if seconds > 0 else 0.0
    rate_text = f"{rate / 1e6:,.1f} MB/s" if in_bytes else f"{rate:,.0f} documents/s"
    time_left = f"{_clock((total - done) / rate)} left" if rate else ""
    return f"{done / total:.0%}  {rate_text}  {time_left}".replace("%", " %").rstrip()


def _clock(seconds: float) -> str:
    """Minutes and seconds, with hours where there are any.

    >>> _clock(75), _clock(3600)
    ('1:15', '1:00:00')
    """
    minutes, seconds_of_minute = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return (
        f"{hours}:{minutes:02}:{seconds_of_minute:02}"
        if hours
        else f"{minutes}:{seconds_of_minute:02}"
    )


def _is_pipe() -> bool:
    try:
        return stat.S_ISFIFO(os.fstat(sys.stdout.fileno()).st_mode)
    except (OSError, ValueError):
        return True
