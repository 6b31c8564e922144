"""The table of jobs: put in, read, and changed by people. `leases` has what workers do with it."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any, Literal, cast, get_args

from sqlalchemy import Connection, Row, func, insert, select, update

from likewise.catalogue import Message
from likewise.errors import LikewiseError
from likewise.server.context import utc_now
from likewise.server.database import tables
from likewise.server.jobs.uploads import existing_uploads, forget_upload
from likewise.server.problems import with_file

Kind = Literal["add", "check", "batch", "rebuild", "tidy", "erase", "duplicates"]
State = Literal["queued", "running", "done", "failed", "cancelled"]
EndState = Literal["done", "failed", "cancelled"]
ENDED: tuple[EndState, ...] = get_args(EndState)

IS_SELF_CHECK = "self_check"  # in the request of a job that checks what is not handed in

jobs = tables.jobs


@dataclass(frozen=True, slots=True)
class JobError:
    """Why an attempt at a job failed, and the file that it is about.

    >>> error = JobError(Message("reading.empty_file"), "essay.pdf")
    >>> str(error), JobError.from_text(error.text()) == error
    ('essay.pdf: the file is empty', True)
    """

    message: Message
    about: str | None = None

    @classmethod
    def of(cls, error: LikewiseError) -> JobError:
        return cls(error.message, error.about)

    @classmethod
    def from_text(cls, text: str) -> JobError:
        """From a row; those of before hold a sentence."""
        try:
            plain = json.loads(text)
            return cls(Message.from_plain(plain), plain.get("about"))
        except (ValueError, TypeError, KeyError, AttributeError):
            return cls(Message.verbatim(text))

    def text(self) -> str:
        """For a row."""
        plain = self.message.plain() | ({} if self.about is None else {"about": self.about})
        return json.dumps(plain, ensure_ascii=False)

    @property
    def full_message(self) -> Message:
        """The whole of it in one message."""
        return with_file(self.message, self.about)

    def __str__(self) -> str:
        return str(self.full_message)


@dataclass(frozen=True, slots=True)
class Job:
    """A row of the table."""

    id: str
    kind: Kind
    user_id: str | None
    request: Mapping[str, Any]
    state: State
    made_on: datetime
    attempts: int  # begun, with the one that is running
    started_on: datetime | None
    ended_on: datetime | None
    stage: str | None
    done: int
    total: int
    is_unwanted: bool
    error: JobError | None  # of the last attempt
    outcome: Mapping[str, Any] | None
    dismissed_on: datetime | None  # it failed, and somebody has seen to it

    @property
    def has_ended(self) -> bool:
        return self.state in ENDED


def error_of(state: State, text: str | None) -> JobError | None:
    """Why what a job was asked for has no result; its row may be gone."""
    if state == "done":
        return None
    if text:
        return JobError.from_text(text)
    return JobError(Message("server.job_lost")) if state == "failed" else None


def error_fields(error: JobError | None) -> dict[str, Any]:
    """The fields of `shapes.WithError`."""
    if error is None:
        return dict.fromkeys(("error", "error_code", "error_values", "error_about"))
    values = error.message.plain()["values"]
    return {
        "error": str(error),
        "error_code": error.message.key,
        "error_values": values,
        "error_about": error.about,
    }


COLUMNS = tuple(jobs.c[field.name] for field in fields(Job))


def job_of(row: Row[Any]) -> Job:
    """A job from a row of `COLUMNS`."""
    values = dict(zip((column.name for column in COLUMNS), row, strict=True))
    outcome = None if values["outcome"] is None else json.loads(values["outcome"])
    error = None if values["error"] is None else JobError.from_text(values["error"])
    request = json.loads(values["request"])
    return Job(**values | {"request": request, "outcome": outcome, "error": error})


def database_now(connection: Connection) -> datetime:
    """The time by the clock that all workers share: the database's, where it has one."""
    if connection.dialect.name == "postgresql":
        clock = func.timezone("utc", func.clock_timestamp())
        return cast(datetime, connection.execute(select(clock)).scalar_one())
    return utc_now()


def enqueue(
    connection: Connection, kind: Kind, user_id: str | None, request: Mapping[str, Any]
) -> str:
    """Ask for a job, in the transaction that it is about; its name."""
    job, now = secrets.token_hex(12), database_now(connection)
    connection.execute(
        insert(jobs).values(
            id=job,
            kind=kind,
            user_id=user_id,
            request=json.dumps(request),
            state="queued",
            made_on=now,
            not_before=now,
            attempts=0,
            done=0,
            total=0,
            is_unwanted=False,
        )
    )
    return job


def read_job(connection: Connection, id: str) -> Job | None:
    """A job as it stands now."""
    row = connection.execute(select(*COLUMNS).where(jobs.c.id == id)).first()
    return None if row is None else job_of(row)


def uploads_of(request: Mapping[str, Any]) -> Iterator[str]:
    """The uploads that a job reads.

    >>> list(uploads_of({"uploads": ["a", "b"], "table": None, "collection": ""}))
    ['a', 'b']
    """
    for upload in (*(request.get("uploads") or ()), request.get("upload"), request.get("table")):
        if upload is not None:
            yield upload


def write_partial_outcome(connection: Connection, job: Job, outcome: Mapping[str, Any]) -> None:
    """What a job knows before it has ended; its outcome takes the place of it."""
    connection.execute(
        update(jobs)
        .where(jobs.c.id == job.id, jobs.c.state == "running")
        .values(outcome=json.dumps(outcome))
    )


def end_job(
    connection: Connection,
    job: Job,
    state: EndState,
    *,
    worker: str | None = None,
    error: JobError | None = None,
    outcome: Mapping[str, Any] | None = None,
) -> bool:
    """End a job and forget its uploads; False where it is not the worker's any more.

    What failed keeps its uploads, so that it can be tried again until it is tidied away; but for
    a self-check, whose text nobody has handed in.
    """
    query = update(jobs).where(jobs.c.id == job.id)
    if worker is None:
        query = query.where(jobs.c.state == job.state)
    else:  # whoever has lost the lease has nothing to say any more
        query = query.where(
            jobs.c.state == "running",
            jobs.c.worker == worker,
            jobs.c.attempts == job.attempts,
        )
    changed = connection.execute(
        query.values(
            state=state,
            ended_on=database_now(connection),
            worker=None,
            leased_until=None,
            error=None if error is None else error.text(),
            outcome=None if outcome is None else json.dumps(outcome),
        )
    ).rowcount
    if changed and (state != "failed" or IS_SELF_CHECK in job.request):
        _forget_uploads(connection, job)
    return bool(changed)


def cancel_job(connection: Connection, id: str) -> bool:
    """Cancel a job: at once if it waits, soon if it runs; False if it had ended or is not there.

    Call it in a transaction that writes.
    """
    for _again in range(3):  # a worker may take it or give it back meanwhile
        job = read_job(connection, id)
        if job is None or job.has_ended:
            return False
        if job.state == "queued":
            if end_job(connection, job, "cancelled"):
                return True
            continue
        unwanted = update(jobs).where(jobs.c.id == id, jobs.c.state == "running")
        if connection.execute(unwanted.values(is_unwanted=True)).rowcount:
            return True
    return False


def retry_job(connection: Connection, id: str) -> bool:
    """Put a job in again that failed or was cancelled; False if its files are gone or it has not.

    Call it in a transaction that writes.
    """
    job = read_job(connection, id)
    if job is None or job.state not in ("failed", "cancelled"):
        return False
    needed = set(uploads_of(job.request))
    if existing_uploads(connection, needed) != needed:
        return False
    query = update(jobs).where(jobs.c.id == id, jobs.c.state == job.state)
    again = query.values(
        state="queued",
        not_before=database_now(connection),
        attempts=0,
        started_on=None,
        ended_on=None,
        stage=None,
        done=0,
        total=0,
        is_unwanted=False,
        error=None,
        outcome=None,
        dismissed_on=None,
    )
    return bool(connection.execute(again).rowcount)


def dismiss_job(connection: Connection, id: str) -> bool:
    """Somebody has seen to a job that failed: it counts no longer; False if it has not failed.

    It can be tried again all the same, as long as its files are there.
    """
    failed = update(jobs).where(jobs.c.id == id, jobs.c.state == "failed")
    return bool(connection.execute(failed.values(dismissed_on=database_now(connection))).rowcount)


def _forget_uploads(connection: Connection, job: Job) -> None:
    for upload in uploads_of(job.request):
        forget_upload(connection, upload)


def discard_job(connection: Connection, id: str) -> None:
    """End a job, and forget the files of one that failed and could be tried again."""
    if cancel_job(connection, id):
        return
    ended = read_job(connection, id)
    if ended is not None:
        _forget_uploads(connection, ended)
