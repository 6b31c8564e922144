"""Keeps a number of worker processes going: replaces those that die, kills those that hang.

Two threads: one starts, watches and kills processes and never waits for the database; the other
takes back the jobs of those that ended and asks which jobs are no longer wanted.
"""

from __future__ import annotations

import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import deque
from contextlib import suppress
from dataclasses import asdict, dataclass, field

from likewise.catalogue import Message
from likewise.errors import LikewiseError
from likewise.server.context import ServerContext
from likewise.server.jobs.leases import (
    FELL_SILENT,
    MOST_SILENT_ATTEMPTS,
    WorkerEnd,
    release_of,
    unwanted_jobs,
)
from likewise.server.jobs.presence import KilledFor, count_killed, sign_off
from likewise.server.jobs.queue import Job, read_job
from likewise.server.logs import log
from likewise.server.workers.heartbeat import HeartbeatMonitor, JobAtWork, silent_seconds
from likewise.server.workers.limits import took_too_long
from likewise.server.workers.worker import FINISH_SECONDS

LOOK_EVERY_SECONDS = 0.1
ASK_EVERY_SECONDS = 0.3  # for jobs that are no longer wanted, while a worker is at one
CANCEL_SECONDS = 1.0  # for a job to notice that it is no longer wanted; then its process is killed
OVERTIME_SECONDS = 5.0  # for a job to notice that its time is over
START_SECONDS = 120.0  # for a process to be loaded, on a machine that is very busy
STOP_SECONDS = FINISH_SECONDS + 4.0  # then a worker is killed
_FIRST_WAIT, _LONGEST_WAIT = 0.5, 30.0  # seconds, before one that keeps dying is started again
_LIVED_SECONDS = 20.0  # after which a death says nothing about the next process


class Supervisor:
    """Worker processes, from `start` to `stop`."""

    def __init__(
        self,
        context: ServerContext,
        place: str,
        workers: int,
        program: str = "likewise.server.workers.process",
    ) -> None:
        self._context, self._place, self._program = context, place, program
        self._silent_seconds = silent_seconds(context.config)
        self._places = [_Place() for _ in range(workers)]
        self._ended: deque[_Ended] = deque()  # whose leases are to be taken back
        self._stopping, self._all_ended = threading.Event(), threading.Event()
        # One thread starts all: a process dies with the thread that started it (PDEATHSIG).
        self._thread = threading.Thread(target=self._run, name="supervisor", daemon=True)
        self._job_thread = threading.Thread(
            target=self._watch_jobs, name="supervisor-jobs", daemon=True
        )

    def start(self) -> None:
        if self._places:
            self._context.workers_since = time.monotonic()
        self._thread.start()
        self._job_thread.start()

    def stop(self) -> None:
        """Let jobs finish for a few seconds; what does not is given back."""
        self._stopping.set()
        if self._thread.is_alive():
            self._thread.join()
        self._all_ended.set()
        if self._job_thread.is_alive():
            self._job_thread.join(STOP_SECONDS)  # the database may never answer

    @property
    def processes(self) -> list[int]:
        """The workers that live."""
        return [child.process.pid for child in self._children()]

    def _children(self) -> list[_Child]:
        return [child for place in self._places if (child := place.child) is not None]

    # Processes

    def _run(self) -> None:
        while not self._stopping.is_set():
            for place in self._places:
                self._look_at(place)
            self._stopping.wait(LOOK_EVERY_SECONDS)
        self._end_all()

    def _look_at(self, place: _Place) -> None:
        if place.child is None:
            if time.monotonic() >= place.not_before:
                self._fill(place)
            return
        child = place.child
        status = child.status()
        if status is None:
            self._kill_if_stuck(child)
            return
        place.child = None
        self._ended.append(child.ended(status))
        if status == 0 or child.killed is not None:
            place.wait = _FIRST_WAIT
            return  # it made place for a fresh one, or its job is to blame
        has_lived = time.monotonic() - child.began > _LIVED_SECONDS
        place.wait = _FIRST_WAIT if has_lived else min(2 * place.wait, _LONGEST_WAIT)
        place.not_before = time.monotonic() + (0 if has_lived else place.wait)
        log("error", "a worker died", worker=child.name, how=str(_exit_reason(status)))

    def _fill(self, place: _Place) -> None:
        try:
            place.child = _Child.start(self._context, self._place, self._program)
        except OSError as error:  # no memory, or no more processes
            place.wait = min(2 * place.wait, _LONGEST_WAIT)
            place.not_before = time.monotonic() + place.wait
            log("error", "a worker could not be started", error=type(error).__name__)

    def _kill_if_stuck(self, child: _Child) -> None:
        if child.killed is not None:
            return  # it is dying
        job = child.monitor.job
        why = child.stuck(job, self._silent_seconds)
        if why is not None:
            child.kill(why, job)
            log("error", "a worker was killed", worker=child.name, why=why, job=job and job.id)

    def _end_all(self) -> None:
        children = self._children()
        for child in children:
            child.process.terminate()
        until = time.monotonic() + STOP_SECONDS
        while time.monotonic() < until and any(child.status() is None for child in children):
            time.sleep(LOOK_EVERY_SECONDS)
        for child in children:
            if child.status() is None:
                child.kill_group()
            child.process.wait()
            child.close()
            stopped = WorkerEnd(Message("server.end_stopped"), counts=False)
            self._ended.append(_Ended(child.name, stopped))
        for place in self._places:
            place.child = None

    # Their jobs

    def _watch_jobs(self) -> None:
        last_query = 0.0
        while not self._all_ended.wait(LOOK_EVERY_SECONDS):
            self._settle()
            if time.monotonic() - last_query >= ASK_EVERY_SECONDS:
                self._find_unwanted()
                last_query = time.monotonic()
        self._settle()

    def _find_unwanted(self) -> None:
        """Note which workers are at jobs that somebody gave up."""
        at_work = {child: job for child in self._children() if (job := child.monitor.job)}
        if not at_work:
            return
        try:
            unwanted = unwanted_jobs(self._context.store, [child.name for child in at_work])
        except LikewiseError:
            return  # the database will answer again
        for child, job in at_work.items():
            is_known = child.unwanted is not None and child.unwanted[0] is job
            if job.id in unwanted and not is_known:
                child.unwanted = (job, time.monotonic())

    def _settle(self) -> None:
        """Take back the jobs of those that ended, as soon as the database answers."""
        while self._ended:
            ended = self._ended[0]
            try:
                ended.jobs += release_of(self._context.store, ended.worker, ended.end)
                sign_off(self._context.store, ended.worker)
                self._count(ended)
                while ended.jobs:
                    self._clear_up(ended.jobs[-1])
                    job = ended.jobs.pop()
                    why = str(ended.end.why)
                    log("warning", "a job was taken back", job=job.id, kind=job.kind, why=why)
            except LikewiseError:
                return
            self._ended.popleft()

    def _count(self, ended: _Ended) -> None:
        if ended.killed_for is not None and not ended.is_counted:
            with self._context.store.beside() as connection:
                count_killed(connection, ended.killed_for)
            ended.is_counted = True

    def _clear_up(self, job: Job) -> None:
        """What the process itself does when a job ends before it is done."""
        from likewise.server.documents.job_rows import remove_orphans

        with self._context.store.reading() as connection:
            now = read_job(connection, job.id)
        if job.kind == "add" and now is not None and now.has_ended:
            remove_orphans(self._context.store, job.request["collection"], job.made_on)


@dataclass(slots=True)
class _Place:
    """Where a worker works; the process may change."""

    child: _Child | None = None
    wait: float = _FIRST_WAIT
    not_before: float = 0.0


@dataclass(slots=True)
class _Ended:
    """A worker that ended, and what is to become of its job."""

    worker: str
    end: WorkerEnd
    killed_for: KilledFor | None = None
    is_counted: bool = False
    jobs: list[Job] = field(default_factory=list)  # that it held


@dataclass(slots=True, eq=False)
class _Child:
    """One worker process."""

    name: str
    process: subprocess.Popen[bytes]
    monitor: HeartbeatMonitor = field(default_factory=HeartbeatMonitor)
    began: float = field(default_factory=time.monotonic)
    unwanted: tuple[JobAtWork, float] | None = None  # since when that is known
    killed: KilledFor | None = None
    killed_job: JobAtWork | None = None

    @classmethod
    def start(cls, context: ServerContext, place: str, program: str) -> _Child:
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", program],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,  # Ctrl-C is for us; we end it, and its readers with it
        )
        name = f"{socket.gethostname()}:{process.pid}:{secrets.token_hex(6)}"
        start_message = {"place": place, "config": asdict(context.config), "name": name}
        child = cls(name, process)
        threading.Thread(target=child._listen, name="heartbeats", daemon=True).start()
        assert process.stdin is not None
        with suppress(OSError):  # it has died; the next look finds out
            process.stdin.write(json.dumps(start_message).encode() + b"\n")
            process.stdin.flush()
        log("info", "a worker started", worker=name)
        return child

    def _listen(self) -> None:
        assert self.process.stdout is not None
        with self.process.stdout as lines:
            for line in lines:
                self.monitor.hear(line)

    def status(self) -> int | None:
        """How it ended, with all that it started; None while it lives."""
        if self.process.returncode is not None:
            return self.process.returncode
        if hasattr(os, "waitid"):
            ended = os.waitid(os.P_PID, self.process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
            if ended is None:
                return None
            self.kill_group()  # while its number is still its own
        return self.process.poll()

    def stuck(self, job: JobAtWork | None, silent_seconds: float) -> KilledFor | None:
        """Why it should be killed, with the job that it is at."""
        silence, now = self.monitor.silence(), time.monotonic()
        if silence > (silent_seconds if self.monitor.has_begun else START_SECONDS):
            return "silent"
        if job is None:
            return None
        if self.unwanted and self.unwanted[0] is job:
            return "cancelled" if now - self.unwanted[1] > CANCEL_SECONDS else None
        return "too long" if now - job.since > job.most_seconds + OVERTIME_SECONDS else None

    def kill(self, why: KilledFor, job: JobAtWork | None) -> None:
        self.killed, self.killed_job = why, job
        self.kill_group()

    def kill_group(self) -> None:
        """With its readers, which may hang as well."""
        with suppress(ProcessLookupError, PermissionError):
            if hasattr(os, "killpg"):
                os.killpg(self.process.pid, signal.SIGKILL)
            else:
                self.process.kill()

    def close(self) -> None:
        assert self.process.stdin is not None
        with suppress(OSError):
            self.process.stdin.close()

    def ended(self, status: int) -> _Ended:
        """What is to become of its job."""
        self.close()
        killed, job = self.killed, self.killed_job
        if killed is None and hasattr(signal, "SIGALRM") and status == -signal.SIGALRM:
            killed = "silent"  # it has noticed itself
        if killed is None:
            return _Ended(self.name, WorkerEnd(_exit_reason(status)))
        if killed == "silent":
            end = WorkerEnd(FELL_SILENT, most_attempts=MOST_SILENT_ATTEMPTS)
        elif killed == "too long" and job is not None:
            error = took_too_long(job.most_seconds)
            why = Message("server.end_too_long")
            end = WorkerEnd(why, most_attempts=1, error=error, job=job.id)
        else:
            end = WorkerEnd(Message("server.cancelled"), counts=False)
        return _Ended(self.name, end, killed)


def _exit_reason(status: int) -> Message:
    """How a worker ended: by a signal, or with a status.

    >>> str(_exit_reason(-9)), str(_exit_reason(3))
    ('SIGKILL, which may mean that memory ran out', 'exit status 3')
    """
    if status < 0:
        with suppress(ValueError):
            name = signal.Signals(-status).name
            if status == -9:
                return Message("server.end_memory", {"signal": name})
            return Message.verbatim(name)
    return Message("server.end_status", {"status": status})
