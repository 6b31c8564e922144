"""What goes on beside a running job: its lease is renewed, its progress told, a cancel noticed.

All of it is written by a thread of its own: a job may tell its progress in the middle of a
transaction, and on SQLite would wait for itself if it wrote there.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from types import TracebackType

from likewise.errors import LikewiseError
from likewise.server.context import ServerContext
from likewise.server.jobs.leases import JobProgress, give_back, is_still_wanted, keep_alive
from likewise.server.jobs.queue import Job, JobError, end_job
from likewise.server.jobs.work import Cancelled, LostLease, TookTooLong, WorkerShutdown
from likewise.server.logs import log
from likewise.server.workers.limits import most_seconds, took_too_long

WRITE_EVERY_SECONDS = 0.34
LOOK_EVERY_SECONDS = 0.3  # after a cancel
Reason = type[Cancelled] | type[WorkerShutdown]

# How long a job may take to notice that it is to stop, before its process ends under it.
GRACE_SECONDS: dict[Reason, float] = {
    Cancelled: 0.8,  # somebody waits for it
    TookTooLong: 2.0,
    LostLease: 10.0,
    WorkerShutdown: 2.0,
}


class LeaseKeeper:
    """Runs beside a job, for as long as the job runs."""

    def __init__(
        self, context: ServerContext, job: Job, worker: str, *, may_exit: bool = False
    ) -> None:
        self._context, self._job, self.worker, self._may_exit = context, job, worker, may_exit
        self._lease_seconds = float(context.config.job_lease_seconds)
        self.most_seconds = most_seconds(context.config, job.kind)
        self._ends = time.monotonic() + self.most_seconds
        self._progress = self._written = JobProgress()
        self._reason: Reason | None = None  # why the job should stop
        self._since = 0.0
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._beat, name="pulse", daemon=True)

    def __enter__(self) -> LeaseKeeper:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.end()

    def end(self) -> None:
        """Nothing is written about the job's progress any more."""
        self._over.set()
        self._thread.join()

    def report_progress(self, stage: str, done: int, total: int) -> None:
        """How far the job is; raises where it should stop."""
        self._progress = JobProgress(stage, int(done), int(total))
        if self._reason is not None:
            raise self._reason

    def stop(self, reason: Reason) -> None:
        """Have the job stop at the next thing it tells."""
        if self._reason is None:
            self._since, self._reason = time.monotonic(), reason

    def _beat(self) -> None:
        renewed = looked = time.monotonic()
        while not self._over.wait(WRITE_EVERY_SECONDS):
            progress, now = self._progress, time.monotonic()
            try:
                if progress != self._written or now - renewed > self._lease_seconds / 3:
                    self._write_progress(progress)
                    renewed = now
                if now - looked > LOOK_EVERY_SECONDS:
                    self._look()
                    looked = now
                if now > self._ends:
                    self.stop(TookTooLong)
                if self._may_exit and self._reason is not None:
                    self._end_process(self._reason)
            except (LikewiseError, MemoryError) as error:
                log("warning", "no pulse", job=self._job.id, error=type(error).__name__)

    def _write_progress(self, progress: JobProgress) -> None:
        store = self._context.store
        if not keep_alive(store, self._job, self.worker, self._lease_seconds, progress):
            self.stop(LostLease)
        self._written = progress

    def _look(self) -> None:
        is_wanted = is_still_wanted(self._context.store, self._job, self.worker)
        if is_wanted is None:
            self.stop(LostLease)
        elif not is_wanted:
            self.stop(Cancelled)

    def _end_process(self, reason: Reason) -> None:
        """End the process under a job that does not listen."""
        if time.monotonic() - self._since < GRACE_SECONDS[reason] or self._over.is_set():
            return
        if reason is Cancelled:
            with self._context.store.beside() as connection:
                end_job(connection, self._job, "cancelled", worker=self.worker)
        elif reason is TookTooLong:
            error = JobError(took_too_long(self.most_seconds))
            with self._context.store.beside() as connection:
                end_job(connection, self._job, "failed", worker=self.worker, error=error)
        elif reason is WorkerShutdown:
            give_back(self._context.store, self._job, self.worker, None, counts=False)
        log("warning", "a job did not stop", job=self._job.id, kind=self._job.kind)
        end_readers()
        os._exit(0)


def end_readers() -> None:
    """End the processes that this one has started, where it leads a group of its own."""
    if hasattr(os, "getsid") and os.getsid(0) == os.getpid():
        # We ourselves only hear that we are asked to stop, as we do.
        os.killpg(os.getpid(), signal.SIGTERM)
