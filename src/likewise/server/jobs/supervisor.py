"""Keeps a number of worker processes going; one that dies is noticed at once and replaced."""

from __future__ import annotations

import json
import secrets
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import suppress
from dataclasses import asdict, dataclass, field

from likewise.errors import LikewiseError
from likewise.server.jobs.leases import release_of
from likewise.server.jobs.present import sign_off
from likewise.server.jobs.worker import FINISH_SECONDS
from likewise.server.logs import log
from likewise.server.site import Site

LOOK_EVERY_SECONDS = 0.1
STOP_SECONDS = FINISH_SECONDS + 4.0  # then a worker is killed
_FIRST_WAIT, _LONGEST_WAIT = 0.5, 30.0  # seconds, before one that keeps dying is started again
_LIVED_SECONDS = 20.0  # after which a death says nothing about the next process


class Supervisor:
    """Worker processes, from `start` to `stop`."""

    def __init__(self, site: Site, place: str, workers: int) -> None:
        self._site, self._place = site, place
        self._places = [_Place() for _ in range(workers)]
        self._owed: list[tuple[str, str, bool]] = []  # leases to take back: worker, why, counts
        self._stopping = threading.Event()
        # One thread starts all: a process dies with the thread that started it (PDEATHSIG).
        self._thread = threading.Thread(target=self._run, name="supervisor", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Let jobs finish for a few seconds; what does not is given back."""
        self._stopping.set()
        if self._thread.is_alive():
            self._thread.join()

    @property
    def processes(self) -> list[int]:
        """The workers that live."""
        return [place.child.process.pid for place in self._places if place.child is not None]

    def _run(self) -> None:
        while not self._stopping.is_set():
            for place in self._places:
                self._look_at(place)
            self._settle()
            self._stopping.wait(LOOK_EVERY_SECONDS)
        self._end_all()

    def _look_at(self, place: _Place) -> None:
        if place.child is None:
            if time.monotonic() >= place.not_before:
                place.child = _Child.start(self._site, self._place)
            return
        status = place.child.process.poll()
        if status is None:
            return
        child, place.child = place.child, None
        child.close()
        self._owed.append((child.name, _how(status), True))
        if status == 0:
            place.wait = _FIRST_WAIT
            return  # it made place for a fresh one
        has_lived = time.monotonic() - child.began > _LIVED_SECONDS
        place.wait = _FIRST_WAIT if has_lived else min(2 * place.wait, _LONGEST_WAIT)
        place.not_before = time.monotonic() + (0 if has_lived else place.wait)
        log("error", "a worker died", worker=child.name, how=_how(status))

    def _settle(self) -> None:
        """Take back the jobs of those that died, as soon as the database answers."""
        while self._owed:
            worker, why, counts = self._owed[0]
            try:
                for job in release_of(self._site.store, worker, why, counts=counts):
                    log("warning", "a job was taken back", job=job.id, kind=job.kind, why=why)
                sign_off(self._site.store, worker)
            except LikewiseError:
                return
            del self._owed[0]

    def _end_all(self) -> None:
        children = [place.child for place in self._places if place.child is not None]
        for child in children:
            child.process.terminate()
        until = time.monotonic() + STOP_SECONDS
        for child in children:
            with suppress(subprocess.TimeoutExpired):
                child.process.wait(max(0.0, until - time.monotonic()))
            child.process.kill()
            child.process.wait()
            child.close()
            self._owed.append((child.name, "the server was stopped", False))
        for place in self._places:
            place.child = None
        self._settle()


@dataclass(slots=True)
class _Place:
    """Where a worker works; the process may change."""

    child: _Child | None = None
    wait: float = _FIRST_WAIT
    not_before: float = 0.0


@dataclass(slots=True)
class _Child:
    """One worker process."""

    name: str
    process: subprocess.Popen[bytes]
    began: float = field(default_factory=time.monotonic)

    @classmethod
    def start(cls, site: Site, place: str) -> _Child:
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", "likewise.server.jobs.process"],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C is for us; we end it
        )
        name = f"{socket.gethostname()}:{process.pid}:{secrets.token_hex(6)}"
        told = {"place": place, "config": asdict(site.config), "name": name}
        assert process.stdin is not None
        with suppress(OSError):  # it has died; the next look finds out
            process.stdin.write(json.dumps(told).encode() + b"\n")
            process.stdin.flush()
        log("info", "a worker started", worker=name)
        return cls(name, process)

    def close(self) -> None:
        assert self.process.stdin is not None
        with suppress(OSError):
            self.process.stdin.close()


def _how(status: int) -> str:
    """
    >>> _how(-9), _how(3)
    ('SIGKILL, which may mean that memory ran out', 'exit status 3')
    """
    if status < 0:
        with suppress(ValueError):
            name = signal.Signals(-status).name
            return f"{name}, which may mean that memory ran out" if status == -9 else name
    return f"exit status {status}"
