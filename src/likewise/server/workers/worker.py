"""One process that does jobs, one after the other."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from likewise.errors import LikewiseError
from likewise.server.context import ServerContext
from likewise.server.erasures.service import LocalErasures
from likewise.server.jobs.leases import Served, release_expired, take_job, tidy_if_due
from likewise.server.jobs.presence import SIGN_EVERY_SECONDS, sign, sign_off
from likewise.server.jobs.queue import Job
from likewise.server.jobs.work import WorkerShutdown
from likewise.server.logs import log
from likewise.server.workers.attempt import do_job
from likewise.server.workers.heartbeat import Heartbeat
from likewise.server.workers.lease_keeper import LeaseKeeper
from likewise.server.workers.limits import used_bytes

MOST_JOBS = 200  # then a fresh process takes over, whatever the libraries leak
LOOK_EVERY_SECONDS = 0.2
FINISH_SECONDS = 4.0  # for a job to end when the worker is told to
_LEAST_GROWTH_MB = 128  # of a process, that says nothing about leaks
_AGAIN_SECONDS = 1.0  # after the database did not answer
_HERE = "in this process"


def work_off(context: ServerContext) -> int:
    """Do every job that waits, in this process; how many attempts there were."""
    attempts = 0
    while job := take_job(
        context.store, _HERE, context.config.job_lease_seconds, even_delayed=True
    ):
        do_job(context, job, LeaseKeeper(context, job, _HERE))
        attempts += 1
    return attempts


class Worker:
    """Takes jobs until it is told to stop, or has grown too old or too large."""

    def __init__(
        self, context: ServerContext, name: str, heartbeat: Heartbeat | None = None
    ) -> None:
        self._context, self._name, self._heartbeat = context, name, heartbeat
        self._lease_seconds = float(context.config.job_lease_seconds)
        self._most_growth = max(context.config.worker_memory_mb // 8, _LEAST_GROWTH_MB) * 1_000_000
        self._stopping = threading.Event()
        self._lease_keeper: LeaseKeeper | None = None
        self._served: Served = {}
        self._erasures = LocalErasures()
        self._signs = 0.0  # when to say that it is there
        self._looks_after = 0.0  # when to look after what others left
        self._jobs, self._first_bytes = 0, 0

    def stop(self) -> None:
        """Take no more jobs; a running one may finish, if it does so soon. For signal handlers."""
        if not self._stopping.is_set():
            self._stopping.set()
            threading.Thread(target=self._hurry, daemon=True).start()

    def run(self) -> None:
        """Work, until it is time to make place for another process."""
        is_fit = True
        while is_fit and not self._stopping.is_set():
            try:
                self._sign()
                self._look_after_others()
                job = take_job(
                    self._context.store, self._name, self._lease_seconds, served=self._served
                )
            except LikewiseError as error:
                log("warning", "the database does not answer", error=type(error).__name__)
                # Leases ran out while nobody could renew them: their holders come first.
                self._looks_after = time.monotonic() + self._lease_seconds / 2
                self._stopping.wait(_AGAIN_SECONDS)
                continue
            if job is None:
                self._stopping.wait(LOOK_EVERY_SECONDS)
            else:
                is_fit = self._do(job)
        with suppress(LikewiseError):
            sign_off(self._context.store, self._name)

    def _do(self, job: Job) -> bool:
        """Do a job; whether this process can do another."""
        with self._keep_lease(job) as lease_keeper:
            if self._heartbeat:
                self._heartbeat.begin(job.id, lease_keeper.most_seconds)
            ending = do_job(self._context, job, lease_keeper)
        if self._heartbeat:
            self._heartbeat.end()
        self._jobs += 1
        now = used_bytes()
        self._first_bytes = self._first_bytes or now
        has_grown = now - self._first_bytes > self._most_growth
        return ending != "hurt" and not has_grown and self._jobs < MOST_JOBS

    @contextmanager
    def _keep_lease(self, job: Job) -> Iterator[LeaseKeeper]:
        self._lease_keeper = LeaseKeeper(self._context, job, self._name, may_exit=True)
        try:
            yield self._lease_keeper
        finally:
            self._lease_keeper = None

    def _sign(self) -> None:
        if time.monotonic() >= self._signs:
            sign(self._context.store, self._name)
            self._signs = time.monotonic() + SIGN_EVERY_SECONDS

    def _look_after_others(self) -> None:
        if time.monotonic() < self._looks_after:
            return
        for job in release_expired(self._context.store, self._lease_seconds):
            log("warning", "a lease ran out", job=job.id, kind=job.kind, attempt=job.attempts)
        tidy_if_due(self._context.store)
        self._erasures.follow(self._context)
        self._looks_after = time.monotonic() + self._lease_seconds / 4

    def _hurry(self) -> None:
        time.sleep(FINISH_SECONDS)
        while True:  # one may have been taken at the last moment
            if self._lease_keeper is not None:
                self._lease_keeper.stop(WorkerShutdown)
            time.sleep(0.1)
