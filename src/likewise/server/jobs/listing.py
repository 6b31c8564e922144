"""Jobs as people look at them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, func, select

from likewise.catalogue import Message
from likewise.server.caller import Caller, Scope, ensure_scope
from likewise.server.database import tables
from likewise.server.jobs.queue import (
    COLUMNS,
    Job,
    JobError,
    Kind,
    State,
    error_of,
    job_of,
    jobs,
    read_job,
    uploads_of,
)
from likewise.server.jobs.uploads import existing_uploads
from likewise.server.problems import Problem, not_found

CHANGING: dict[Kind, Scope] = {
    "add": "documents:write",
    "check": "checks:write",
    "batch": "checks:write",
    "rebuild": "administer",
    "tidy": "administer",
    "erase": "administer",
    "duplicates": "documents:read",
}


READING: dict[Kind, frozenset[Scope]] = {
    "add": frozenset({"documents:read", "documents:write", "administer"}),
    "check": frozenset({"checks:read", "checks:write", "administer"}),
    "batch": frozenset({"checks:read", "checks:write", "administer"}),
    "rebuild": frozenset({"administer"}),
    "tidy": frozenset({"administer"}),
    "erase": frozenset({"administer"}),
    "duplicates": frozenset({"documents:read", "administer"}),
}
# What came of these is long, and listed at an address of its own.
_LISTED_ELSEWHERE: frozenset[Kind] = frozenset({"duplicates"})
# Errors that the machine is to blame for; others quote the names of files.
_OF_THE_MACHINE = frozenset(
    {
        *("server.process_ended", "server.process_ended_twice", "server.process_ended_thrice"),
        *("server.job_minutes", "server.job_seconds", "server.job_memory"),
        *("server.job_database", "server.job_internal"),
    }
)
_UNTOLD_TO_STUDENT = JobError(Message("server.check_untold"))
_UNTOLD = JobError(Message("server.job_untold"))


def readable_kinds(caller: Caller) -> tuple[Kind, ...]:
    """Jobs that a key's scopes are about; people see all kinds. Refuses keys that see none."""
    if caller.scopes is None:
        return tuple(READING)
    kinds = tuple(kind for kind, scopes in READING.items() if scopes & caller.scopes)
    if not kinds:
        raise Problem("not allowed", "server.no_scope_for_jobs")
    return kinds


def outcome_for(caller: Caller, job: Job) -> dict[str, Any] | None:
    """What came of a job. Of another's job only figures: names are what private collections hold.

    Administrators see all jobs, and nothing that others keep to themselves.
    """
    if job.outcome is None:
        return None
    if job.user_id == caller.id and job.kind not in _LISTED_ELSEWHERE:
        return dict(job.outcome)
    return {name: value for name, value in job.outcome.items() if _is_figure(value)}


def _is_figure(value: Any) -> bool:
    values = value.values() if isinstance(value, dict) else [value]
    return all(isinstance(one, int | float) for one in values)


def error_for(caller: Caller, job: Job) -> JobError | None:
    """Why a job failed; of another's job without the names of files."""
    if job.error is None or job.user_id == caller.id:
        return job.error
    message = job.error.message
    return JobError(message) if message.key in _OF_THE_MACHINE else _UNTOLD


def error_for_student(text: str | None) -> JobError:
    """Why something of a student's failed, where the machine is to blame; else that it did.

    The error may be about a file of somebody else, which was checked in the same job.
    """
    error = error_of("failed", text)
    if error is None or error.message.key not in _OF_THE_MACHINE:
        return _UNTOLD_TO_STUDENT
    return JobError(error.message)


def may_see(caller: Caller, job: Job) -> bool:
    """One's own; administrators see all."""
    return caller.is_administrator or (job.user_id is not None and job.user_id == caller.id)


def visible_job(connection: Connection, caller: Caller, id: str) -> Job:
    """A job that the caller may see."""
    kinds = readable_kinds(caller)
    job = read_job(connection, id)
    if job is None or job.kind not in kinds or not may_see(caller, job):
        raise not_found("server.noun_job")
    return job


def changeable_job(connection: Connection, caller: Caller, id: str) -> Job:
    """A job that the caller may cancel or try again."""
    job = visible_job(connection, caller, id)
    ensure_scope(caller, CHANGING[job.kind])
    return job


def visible_jobs(
    connection: Connection,
    caller: Caller,
    *,
    states: Sequence[State] = (),
    kinds: Sequence[Kind] = (),
    person: str | None = None,
    is_dismissed: bool | None = None,
    limit: int = 50,
    offset: int = 0,
) -> tuple[list[Job], int]:
    """The newest jobs that a caller may see, and how many there are in all."""
    conditions: list[ColumnElement[bool]] = [jobs.c.kind.in_(readable_kinds(caller))]
    if not caller.is_administrator:
        conditions.append(jobs.c.user_id == caller.id)
    if person is not None:
        named_users = select(tables.users.c.id).where(tables.users.c.name == person)
        conditions.append(jobs.c.user_id.in_(named_users))
    if is_dismissed is not None:
        has_date = jobs.c.dismissed_on.is_not(None)
        conditions.append(has_date if is_dismissed else ~has_date)
    if states:
        conditions.append(jobs.c.state.in_(states))
    if kinds:
        conditions.append(jobs.c.kind.in_(kinds))
    total = connection.execute(
        select(func.count()).select_from(jobs).where(*conditions)
    ).scalar_one()
    rows = connection.execute(
        select(*COLUMNS)
        .where(*conditions)
        .order_by(jobs.c.made_on.desc(), jobs.c.id)
        .limit(limit)
        .offset(offset)
    )
    return [job_of(row) for row in rows], total


def names_of(connection: Connection, some: Sequence[Job]) -> dict[str, str]:
    """The log in names of those who asked for some jobs."""
    users, ids = tables.users.c, {job.user_id for job in some if job.user_id}
    rows = connection.execute(select(users.id, users.name).where(users.id.in_(ids)))
    return {row.id: row.name for row in rows}


def openable_reports(caller: Caller, connection: Connection, some: Sequence[Job]) -> set[str]:
    """Those jobs whose check or batch the caller may open: one's own, and what is shared.

    What came of a search for similar documents is for whoever asked.
    """
    openable = {job.id for job in some if "similar" in job.request and job.user_id == caller.id}
    for name, table in (("check", tables.checks), ("batch", tables.batches)):
        by_report = {job.request[name]: job.id for job in some if job.request.get(name)}
        readable = (table.c.user_id == caller.id) | table.c.is_shared
        query = select(table.c.id).where(table.c.id.in_(by_report), readable)
        openable |= {by_report[id] for id in connection.execute(query).scalars()}
    return openable


def subjects_of(connection: Connection, caller: Caller, some: Sequence[Job]) -> dict[str, str]:
    """What the caller's own jobs are about, by name: a check, a class, the first file."""
    own = [job for job in some if job.user_id == caller.id]
    subjects: dict[str, str] = {}
    first_uploads = {job.id: next(uploads_of(job.request), None) for job in own}
    upload = tables.uploads.c
    names = select(upload.id, upload.name).where(
        upload.id.in_([one for one in first_uploads.values() if one])
    )
    by_upload = {row.id: row.name for row in connection.execute(names)}
    for name, table in (("check", tables.checks), ("batch", tables.batches)):
        by_report = {job.request[name]: job.id for job in own if job.request.get(name)}
        query = select(table.c.id, table.c.name).where(table.c.id.in_(by_report))
        subjects |= {by_report[row.id]: row.name for row in connection.execute(query)}
    for job in own:
        if job.id not in subjects and (upload_name := by_upload.get(first_uploads[job.id] or "")):
            subjects[job.id] = upload_name
    return subjects


def retriable(connection: Connection, some: Sequence[Job]) -> set[str]:
    """Those jobs that could be tried again: they did not succeed, and their files are there."""
    stopped = [job for job in some if job.state in ("failed", "cancelled")]
    needed = {job.id: set(uploads_of(job.request)) for job in stopped}
    existing = existing_uploads(connection, set().union(*needed.values()))
    return {id for id, uploads in needed.items() if uploads <= existing}
