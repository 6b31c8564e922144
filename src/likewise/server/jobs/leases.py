"""How workers share the table: a job is taken under a lease, kept alive, ended or given back.

On PostgreSQL a row that another is taking is passed over, on SQLite one writes at a time; what is
written about a job names the worker and the attempt, so that nobody writes who has lost the lease.
"""

from __future__ import annotations

import time
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    and_,
    exists,
    func,
    or_,
    select,
    update,
)

from likewise.catalogue import Message
from likewise.library import schema
from likewise.library.conflicts import insert_if_new
from likewise.library.store import Store
from likewise.server.jobs.queue import (
    COLUMNS,
    Job,
    JobError,
    database_now,
    end_job,
    enqueue,
    job_of,
    jobs,
)

MOST_ATTEMPTS = 3
MOST_SILENT_ATTEMPTS = 2  # a job that kept its process from answering would do it again
RETRY_SECONDS = (1.0, 4.0)  # before the second attempt, and before the third
# A moment further ahead than this was written by a clock that has been set back since.
FARTHEST_START = timedelta(seconds=60)
FARTHEST_LEASE = timedelta(minutes=10)
FELL_SILENT = Message("server.end_silent")
_ENDED = {2: "server.process_ended_twice", 3: "server.process_ended_thrice"}
TIDY_EVERY = timedelta(hours=1)
_TIDIED = "server.tidied_on"
_is_running = jobs.c.state == "running"


@dataclass(frozen=True, slots=True)
class JobProgress:
    """How far a job is."""

    stage: str | None = None
    done: int = 0
    total: int = 0


Served = dict[str | None, float]  # when a worker last took a job of a person


def take_job(
    store: Store,
    worker: str,
    lease_seconds: float,
    *,
    served: Served | None = None,
    even_delayed: bool = False,
) -> Job | None:
    """The next job, which is the worker's for the length of a lease; None where none waits.

    Whoever has fewest jobs running comes first, then whom this worker has `served` longest ago, so
    that nobody with five hundred files keeps another from being served.
    """
    served = {} if served is None else served
    with store.reading() as connection:  # most of the time nobody waits, and nobody is kept
        people = _whose_turn(connection, _waits(connection, even_delayed), served)
    if not people:
        return None
    with store.beside() as connection:
        now, waits = database_now(connection), _waits(connection, even_delayed)
        for person in people:
            job_id = connection.execute(_first_of(person, waits)).scalar()
            if job_id is not None:
                break
        else:
            return None  # others were quicker
        connection.execute(
            update(jobs)
            .where(jobs.c.id == job_id)
            .values(
                state="running",
                worker=worker,
                leased_until=now + timedelta(seconds=lease_seconds),
                started_on=now,
                attempts=jobs.c.attempts + 1,
                stage=None,
                done=0,
                total=0,
            )
        )
        served[person] = time.monotonic()
        return job_of(connection.execute(select(*COLUMNS).where(jobs.c.id == job_id)).one())


def _waits(connection: Connection, even_delayed: bool) -> ColumnElement[bool]:
    queued = jobs.c.state == "queued"
    return queued if even_delayed else and_(queued, is_due(database_now(connection)))


def is_due(now: datetime) -> ColumnElement[bool]:
    """Jobs whose pause is over, and those that a clock which was ahead would keep waiting."""
    start = jobs.c.not_before
    return or_(start <= now, start > now + FARTHEST_START)


def _whose_turn(
    connection: Connection, waits: ColumnElement[bool], served: Served
) -> list[str | None]:
    """Those with a job that waits, in the order in which they are served."""
    person, first = jobs.c.user_id, func.min(jobs.c.made_on)
    waiting = connection.execute(select(person, first).where(waits).group_by(person)).all()
    busy = select(person, func.count()).where(_is_running).group_by(person)
    running = {row[0]: row[1] for row in connection.execute(busy)} if waiting else {}
    order = sorted(
        (running.get(user, 0), served.get(user, 0.0), since, user or "", user)
        for user, since in waiting
    )
    return [user for *_, user in order]


def _first_of(person: str | None, waits: ColumnElement[bool]) -> Select[tuple[str]]:
    return (
        select(jobs.c.id)
        .where(waits, jobs.c.user_id.is_not_distinct_from(person))
        .order_by(jobs.c.made_on, jobs.c.id)
        .limit(1)
        .with_for_update(skip_locked=True)
    )


def _held_by(job: Job, worker: str) -> ColumnElement[bool]:
    return and_(
        jobs.c.id == job.id,
        jobs.c.state == "running",
        jobs.c.worker == worker,
        jobs.c.attempts == job.attempts,
    )


def keep_alive(
    store: Store, job: Job, worker: str, lease_seconds: float, progress: JobProgress
) -> bool:
    """Renew a lease and say how far the job is; False where it is not the worker's any more."""
    with store.beside() as connection:
        until = database_now(connection) + timedelta(seconds=lease_seconds)
        renewed = connection.execute(
            update(jobs)
            .where(_held_by(job, worker))
            .values(
                leased_until=until,
                stage=progress.stage,
                done=progress.done,
                total=progress.total,
            )
        ).rowcount
        return bool(renewed)


def is_still_wanted(store: Store, job: Job, worker: str) -> bool | None:
    """Whether nobody asked to cancel a job; None where it is not the worker's any more."""
    with store.reading() as connection:
        unwanted = connection.execute(
            select(jobs.c.is_unwanted).where(_held_by(job, worker))
        ).scalar_one_or_none()
        return None if unwanted is None else not unwanted


def give_back(
    store: Store,
    job: Job,
    worker: str,
    error: Message | None,
    *,
    counts: bool = True,
    wait_seconds: float = 0,
) -> bool:
    """Let another try after a while; after three attempts the job has failed, for this reason.

    An attempt that does not count is forgotten: nobody is to blame, and the next one waits for
    `wait_seconds`. What is no longer wanted is cancelled. False where the job is not the worker's
    any more.
    """
    with store.beside() as connection:
        is_unwanted = connection.execute(
            select(jobs.c.is_unwanted).where(_held_by(job, worker)).with_for_update()
        ).scalar_one_or_none()
        if is_unwanted is None:
            return False
        return _release_job(
            connection, job, worker, bool(is_unwanted), error, counts, wait_seconds=wait_seconds
        )


def _release_job(
    connection: Connection,
    job: Job,
    worker: str,
    is_unwanted: bool,
    error: Message | None,
    counts: bool,
    most_attempts: int = MOST_ATTEMPTS,
    wait_seconds: float = 0,
) -> bool:
    if is_unwanted:
        return end_job(connection, job, "cancelled", worker=worker)
    if counts and job.attempts >= most_attempts:
        failed = None if error is None else JobError(error)
        return end_job(connection, job, "failed", worker=worker, error=failed)
    wait = RETRY_SECONDS[min(job.attempts, len(RETRY_SECONDS)) - 1] if counts else wait_seconds
    changed = connection.execute(
        update(jobs)
        .where(_held_by(job, worker))
        .values(
            state="queued",
            worker=None,
            leased_until=None,
            not_before=database_now(connection) + timedelta(seconds=wait),
            attempts=job.attempts if counts else job.attempts - 1,
            error=(error and JobError(error).text()) if counts else jobs.c.error,
        )
    ).rowcount
    return bool(changed)


def release_expired(store: Store, lease_seconds: float = 30.0) -> list[Job]:
    """Take back jobs whose workers have been silent for longer than their leases.

    A lease that is longer than anybody gives was given by a clock that has been set back since: it
    is shortened, and whoever holds it can renew it.
    """
    lease, until = timedelta(seconds=lease_seconds), jobs.c.leased_until
    with store.reading() as connection:
        now = database_now(connection)
        ahead = until > now + max(FARTHEST_LEASE, lease)
        expired = select(jobs.c.id).where(_is_running, or_(until < now, ahead))
        if connection.execute(expired).first() is None:
            return []
    end = WorkerEnd(FELL_SILENT, most_attempts=MOST_SILENT_ATTEMPTS)
    with store.beside() as connection:
        shortened = update(jobs).where(_is_running, ahead)
        connection.execute(shortened.values(leased_until=now + lease))
        return _release(connection, until < database_now(connection), end)


@dataclass(frozen=True, slots=True)
class WorkerEnd:
    """Why a worker ended, and what follows for the job that it held."""

    why: Message
    most_attempts: int = MOST_ATTEMPTS
    counts: bool = True  # as an attempt at the job
    error: Message | None = None  # of the job, where it is not the process that is spoken of
    job: str | None = None  # the only one that this is about; another goes back without blame


def release_of(store: Store, worker: str, end: WorkerEnd) -> list[Job]:
    """Take back the jobs of a worker that is known to have ended; as they were."""
    with store.beside() as connection:
        return _release(connection, jobs.c.worker == worker, end)


def _release(connection: Connection, which: ColumnElement[bool], end: WorkerEnd) -> list[Job]:
    query = select(*COLUMNS).where(_is_running, which).with_for_update(skip_locked=True)
    released = []
    for job in map(job_of, connection.execute(query).all()):
        worker = connection.execute(select(jobs.c.worker).where(jobs.c.id == job.id)).scalar_one()
        is_last = job.attempts >= end.most_attempts
        key = _ENDED.get(job.attempts if is_last else 1, "server.process_ended")
        error = end.error or Message(key, {"why": end.why})
        counts = end.counts and end.job in (None, job.id)
        unwanted, most = job.is_unwanted, end.most_attempts
        if _release_job(connection, job, str(worker), unwanted, error, counts, most):
            released.append(job)
    return released


def unwanted_jobs(store: Store, workers: Collection[str]) -> set[str]:
    """The jobs of these workers that somebody asked to cancel."""
    with store.reading() as connection:
        query = select(jobs.c.id).where(_is_running, jobs.c.is_unwanted, jobs.c.worker.in_(workers))
        return set(connection.execute(query).scalars())


def tidy_if_due(store: Store) -> str | None:
    """Ask for the hourly tidying, if nobody has; one is asked for at a time."""
    key = schema.key_values
    with store.reading() as connection:
        now = database_now(connection)
        due = (now - TIDY_EVERY).isoformat()
        last = connection.execute(select(key.c.value).where(key.c.key == _TIDIED)).scalar()
    is_ahead = last is not None and last > now.isoformat()  # a clock was set back since
    if last is not None and last > due and not is_ahead:
        return None
    with store.beside() as connection:
        if last is None:
            row = {"key": _TIDIED, "value": due}
            insert_if_new(connection, schema.key_values, row, key="key")
        still = key.c.value == last if is_ahead else key.c.value <= due
        mine = connection.execute(
            update(key).where(key.c.key == _TIDIED, still).values(value=now.isoformat())
        ).rowcount
        goes_on = connection.execute(
            select(exists().where(jobs.c.kind == "tidy", jobs.c.state.in_(("queued", "running"))))
        ).scalar()
        return enqueue(connection, "tidy", None, {}) if mine and not goes_on else None
