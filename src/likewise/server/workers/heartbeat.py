"""The pipe from a worker process to its supervisor: that it lives, and which job it is at.

A job may hold the interpreter for good, inside a regular expression for instance: then no thread of
the process runs any more, none renews the lease, none notices a cancel. Only from outside can that
be seen, by heartbeats that do not come. They need no database, which may be away for a while.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from contextlib import suppress
from dataclasses import dataclass

from likewise.server.config import Config

BEAT_SECONDS = 0.5
_LEAST_SILENT_SECONDS = 5.0  # a machine that is very busy may keep a process waiting for that long


def silent_seconds(config: Config) -> float:
    """How long a worker may give no sign of life; its lease is then about to run out.

    >>> silent_seconds(Config(job_lease_seconds=30))
    20.0
    """
    return max(_LEAST_SILENT_SECONDS, config.job_lease_seconds * 2 / 3)


@dataclass(frozen=True, slots=True)
class JobAtWork:
    """What a worker says that it is at, since a moment of the supervisor's own clock."""

    id: str
    most_seconds: int
    since: float


class Heartbeat:
    """The worker's end of the pipe."""

    def __init__(self, pipe: int, silent_seconds: float) -> None:
        self._pipe = pipe
        self._alarm_seconds = 1.5 * silent_seconds
        self._thread = threading.Thread(target=self._beat, name="heartbeat", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def begin(self, job: str, most_seconds: int) -> None:
        """Say that a job is begun, and how long it may take."""
        self._send(f"begin {job} {most_seconds}\n".encode())

    def end(self) -> None:
        """Say that the job has ended."""
        self._send(b"end\n")

    def _beat(self) -> None:
        while True:
            self._send(b"beat\n")
            # Should nobody supervise us any more, the kernel ends a process that does not beat.
            if hasattr(signal, "setitimer"):
                signal.setitimer(signal.ITIMER_REAL, self._alarm_seconds)
            time.sleep(BEAT_SECONDS)

    def _send(self, line: bytes) -> None:
        # The supervisor may have ended, and a job may have taken all memory for a moment.
        with suppress(OSError, MemoryError):
            os.write(self._pipe, line)


class HeartbeatMonitor:
    """The supervisor's end: how long a worker has been silent, and what it is at.

    Silence is counted in the looks of the supervisor, each for a second at most: where the
    supervisor itself was kept from running, that is not the worker's silence.
    """

    def __init__(self) -> None:
        self.job: JobAtWork | None = None
        self.has_begun = False  # to beat; before it is being loaded
        self._has_beaten = False
        self._silence, self._looked = 0.0, time.monotonic()

    def hear(self, line: bytes) -> None:
        """Take a line of the worker."""
        word, *values = line.decode("ascii", "replace").split() or [""]
        if word == "begin" and len(values) == 2 and values[1].isdecimal():
            self.job = JobAtWork(values[0], int(values[1]), time.monotonic())
        elif word == "end":
            self.job = None
        self.has_begun = self._has_beaten = True

    def silence(self) -> float:
        """Seconds without a sign of life, as far as this was looked at."""
        now = time.monotonic()
        self._silence += min(now - self._looked, 1.0)
        self._looked = now
        if self._has_beaten:
            self._has_beaten, self._silence = False, 0.0
        return self._silence
