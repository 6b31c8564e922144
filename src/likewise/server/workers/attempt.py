"""One attempt at a job: its pulse beside it, and what becomes of it in the end."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Literal

from sqlalchemy.exc import DBAPIError

from likewise.catalogue import Message
from likewise.errors import LikewiseError
from likewise.server.context import ServerContext
from likewise.server.http.error_handlers import problem_of
from likewise.server.jobs.leases import give_back
from likewise.server.jobs.queue import EndState, Job, JobError, end_job
from likewise.server.jobs.uploads import FileNeedsMemory
from likewise.server.jobs.work import (
    Cancelled,
    LostLease,
    TookTooLong,
    WaitsForTurn,
    Work,
    WorkerShutdown,
)
from likewise.server.logs import log, trace_of
from likewise.server.workers.handlers import handler_of
from likewise.server.workers.lease_keeper import LeaseKeeper
from likewise.server.workers.limits import took_too_long, took_too_much_memory

_TURN_SECONDS = 1.0  # before a job looks again whether its turn has come
_WAIT_SECONDS = (0.2, 0.5, 1.0, 2.0)  # for a database that does not answer

# How an attempt went: the job has ended, waits for another attempt, was lost to another worker,
# or has ended and hurt the process that did it.
Ending = Literal["ended", "waits", "lost", "hurt"]


def do_job(context: ServerContext, job: Job, lease_keeper: LeaseKeeper) -> Ending:
    """Do a job that was taken, and write down how it went."""
    began = time.monotonic()
    outcome, ending = None, _Ending(context, job, lease_keeper.worker)
    try:
        with lease_keeper:
            outcome = handler_of(job)(Work(context, job, lease_keeper.report_progress))
            lease_keeper.end()  # from here on it is done, whoever asks to cancel it
        result = ending.ended("done", outcome=outcome)
    except LostLease:
        result = "lost"
    except TookTooLong:
        result = ending.ended("failed", error=JobError(took_too_long(lease_keeper.most_seconds)))
    except Cancelled:
        result = ending.ended("cancelled")
    except WorkerShutdown:
        result = ending.back(None, counts=False)
    except WaitsForTurn:
        result = ending.back(None, counts=False, wait_seconds=_TURN_SECONDS)
    except MemoryError as error:  # it would need as much again
        file = str(error) if isinstance(error, FileNeedsMemory) else None
        message = took_too_much_memory(context.config.worker_memory_mb)
        ending.ended("failed", error=JobError(message, file))
        result = "hurt"
    except LikewiseError as error:
        if is_lost(error):
            result = ending.back(Message("server.job_database"))
        elif (job_error := _job_error(error)) is not None:
            result = ending.ended("failed", error=job_error)  # it would fail again
        else:
            result = ending.back(_internal_error(job, error))
    except Exception as error:
        result = ending.back(_internal_error(job, error))
    log(
        "info",
        "job",
        job=job.id,
        kind=job.kind,
        attempt=job.attempts,
        how=ending.state or result,
        seconds=round(time.monotonic() - began, 3),
    )
    return result


class _Ending:
    """Writes down how a job went, however long the database takes to answer."""

    def __init__(self, context: ServerContext, job: Job, worker: str) -> None:
        self._context, self._job, self._worker = context, job, worker
        self.state: str | None = None

    def ended(
        self,
        state: EndState,
        *,
        error: JobError | None = None,
        outcome: Mapping[str, Any] | None = None,
    ) -> Ending:
        def write() -> bool:
            with self._context.store.beside() as connection:
                return end_job(
                    connection, self._job, state, worker=self._worker, error=error, outcome=outcome
                )

        self.state = state
        return "ended" if _retry_until_written(write) else "lost"

    def back(
        self, error: Message | None, *, counts: bool = True, wait_seconds: float = 0
    ) -> Ending:
        store, job, worker = self._context.store, self._job, self._worker
        if not _retry_until_written(
            lambda: give_back(store, job, worker, error, counts=counts, wait_seconds=wait_seconds)
        ):
            return "lost"
        return "waits"


def _retry_until_written(write: Callable[[], bool]) -> bool:
    """Write, again and again while the database is away or its disk is full."""
    attempt = 0
    while True:
        try:
            return write()
        except LikewiseError as error:
            log("warning", "the database does not answer", error=type(error).__name__)
            time.sleep(_WAIT_SECONDS[min(attempt, len(_WAIT_SECONDS) - 1)])
            attempt += 1


def _job_error(error: LikewiseError) -> JobError | None:
    """What an error tells people, without where the library is; None where it is our own fault."""
    try:
        return JobError.of(problem_of(error))
    except LikewiseError:
        return None


def _internal_error(job: Job, error: Exception) -> Message:
    log("error", "internal error", job=job.id, kind=job.kind, **trace_of(error))
    name = type(error.__cause__ or error).__name__
    return Message("server.job_internal", {"error": Message.verbatim(name)})


# Of PostgreSQL: connections that fail, servers that stop or start, too many who want in, and two
# that stood in each other's way.
_AWAY = ("08", "57P", "53300", "40")


def is_lost(error: BaseException) -> bool:
    """Whether trying again later may help."""
    return any(isinstance(one, DBAPIError) and _is_away(one) for one in _causes(error))


def _is_away(error: DBAPIError) -> bool:
    if error.connection_invalidated:
        return True
    text, state = str(error.orig), getattr(error.orig, "sqlstate", None)
    if state is not None:
        return str(state).startswith(_AWAY)
    if "database is locked" in text:
        return True
    # psycopg gives no state where no connection came about.
    return (
        type(error.orig).__module__.startswith("psycopg")
        and "OperationalError" in type(error.orig).__name__
    )


def _causes(error: BaseException) -> Iterator[BaseException]:
    one: BaseException | None = error
    while one is not None:
        yield one
        one = one.__cause__
