"""Jobs: how far they are, and what is to become of them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import ExitStack
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request
from fastapi.concurrency import run_in_threadpool
from pydantic import Field
from sqlalchemy import Connection

from likewise.errors import LikewiseError
from likewise.server.caller import Caller
from likewise.server.context import ServerContext
from likewise.server.jobs.events import QUIET_SECONDS, EventStream, Follower, Watch, changes
from likewise.server.jobs.listing import (
    changeable_job,
    error_for,
    names_of,
    openable_reports,
    outcome_for,
    retriable,
    subjects_of,
    visible_job,
    visible_jobs,
)
from likewise.server.jobs.queue import (
    Job,
    Kind,
    State,
    cancel_job,
    dismiss_job,
    error_fields,
    read_job,
    retry_job,
)
from likewise.server.people import audit
from likewise.server.people.access import ContextDep, caller
from likewise.server.problems import Problem
from likewise.server.shapes import Page, Timestamp, WithError

router = APIRouter(prefix="/jobs", tags=["jobs"])

Anybody = Annotated[Caller, Depends(caller)]


class JobShape(WithError):
    """Work that goes on, or went on."""

    id: str
    kind: Kind
    state: State
    person: str | None  # who asked for it; None for the server itself
    made_on: Timestamp
    started_on: Timestamp | None
    ended_on: Timestamp | None
    attempts: int
    stage: str | None
    done: int
    total: int
    is_unwanted: bool
    may_retry: bool
    check: str | None  # what it is about
    batch: str | None
    erasure: str | None
    similar: bool = Field(description="it looks for similar documents; its number is the request's")
    subject: str | None = Field(description="the file or class; none where it is another's")
    may_open: bool = Field(description="whether the caller may open what it is about")
    is_dismissed: bool = Field(description="it failed, and somebody has seen to it")
    outcome: dict[str, Any] | None


def shapes_of(connection: Connection, caller: Caller, some: list[Job]) -> list[JobShape]:
    """Jobs as they are sent to a caller."""
    names, may_retry = names_of(connection, some), retriable(connection, some)
    subjects, openable = (
        subjects_of(connection, caller, some),
        openable_reports(caller, connection, some),
    )
    return [
        JobShape(
            **{name: getattr(job, name) for name in _FIELDS},
            person=names.get(job.user_id or ""),
            may_retry=job.id in may_retry,
            **error_fields(error_for(caller, job)),
            outcome=outcome_for(caller, job),
            check=job.request.get("check"),
            batch=job.request.get("batch"),
            erasure=job.request.get("erasure"),
            similar="similar" in job.request,
            subject=subjects.get(job.id),
            may_open=job.id in openable,
            is_dismissed=job.dismissed_on is not None,
        )
        for job in some
    ]


_FIELDS = (
    *("id", "kind", "state", "made_on", "started_on", "ended_on", "attempts", "stage", "done"),
    *("total", "is_unwanted"),
)


@router.get("", summary="List jobs, the newest first")
def list_jobs(
    context: ContextDep,
    caller: Anybody,
    state: Annotated[list[State], Query(description="only in these states")] = [],  # noqa: B006
    kind: Annotated[list[Kind], Query(description="only of these kinds")] = [],  # noqa: B006
    person: Annotated[str | None, Query(max_length=200, description="only of this name")] = None,
    dismissed: Annotated[bool | None, Query(description="only those that are, or are not")] = None,
    limit: Annotated[int, Query(ge=1, le=500)] = 50,
    offset: Annotated[int, Query(ge=0, le=1_000_000_000)] = 0,
) -> Page[JobShape]:
    """One's own; administrators see those of everybody."""
    with context.store.reading() as connection:
        items, total = visible_jobs(
            connection,
            caller,
            states=state,
            kinds=kind,
            person=person,
            is_dismissed=dismissed,
            limit=limit,
            offset=offset,
        )
        return Page(items=shapes_of(connection, caller, items), total=total)


@router.get("/{id}", summary="Show a job")
def show_job(id: str, context: ContextDep, caller: Anybody) -> JobShape:
    with context.store.reading() as connection:
        return shapes_of(connection, caller, [visible_job(connection, caller, id)])[0]


@router.post("/{id}/cancel", summary="Cancel a job")
def cancel(id: str, context: ContextDep, caller: Anybody) -> JobShape:
    """At once if it waits; a running one stops within two seconds, and is marked until then."""
    with context.store.beside() as connection:
        changeable_job(connection, caller, id)
        if not cancel_job(connection, id):
            raise Problem("conflict", "server.job_ended")
        audit.record_act(connection, caller, "job cancelled", id)
        return _read_shape(connection, caller, id)


@router.post("/{id}/retry", summary="Try a job again")
def retry(id: str, context: ContextDep, caller: Anybody) -> JobShape:
    """A job that failed or was cancelled, if its files are still there."""
    with context.store.beside() as connection:
        job = changeable_job(connection, caller, id)
        if job.state not in ("failed", "cancelled"):
            raise Problem("conflict", "server.job_retry")
        if not retry_job(connection, id):
            raise Problem("conflict", "server.job_files")
        audit.record_act(connection, caller, "job retried", id)
        return _read_shape(connection, caller, id)


@router.post("/{id}/dismiss", summary="Dismiss a failed job")
def dismiss(id: str, context: ContextDep, caller: Anybody) -> JobShape:
    """Somebody has seen to it: it is no longer counted among what failed today."""
    with context.store.beside() as connection:
        changeable_job(connection, caller, id)
        if not dismiss_job(connection, id):
            raise Problem("conflict", "server.job_dismiss")
        audit.record_act(connection, caller, "job dismissed", id)
        return _read_shape(connection, caller, id)


def _read_shape(connection: Connection, caller: Caller, id: str) -> JobShape:
    job = read_job(connection, id)
    assert job is not None
    return shapes_of(connection, caller, [job])[0]


@router.get(
    "/{id}/events",
    status_code=200,
    summary="Watch a job",
    response_class=EventStream,
    responses={
        200: {
            "description": "`progress` whenever the job changes and `end` when it has ended, each "
            "with the job as JSON; a comment now and then",
            "content": {"text/event-stream": {"schema": {"type": "string"}}},
        }
    },
)
async def watch_job(id: str, request: Request, context: ContextDep, caller: Anybody) -> EventStream:
    """A stream that ends with the job, or when the caller may not see it any more."""
    job = await run_in_threadpool(_read_visible, context, caller, id)
    with ExitStack() as stack:
        if job.has_ended:
            return EventStream(_events(context, Follower(), caller, job), stack.close)
        follower = stack.enter_context(_watch_of(request, context).following(id, caller))
        return EventStream(_events(context, follower, caller, job), stack.pop_all().close)


def _read_visible(context: ServerContext, caller: Caller, id: str) -> Job:
    with context.store.reading() as connection:
        return visible_job(connection, caller, id)


def _watch_of(request: Request, context: ServerContext) -> Watch:
    """Of this event loop: a server has one, tests have many."""
    stored: tuple[asyncio.AbstractEventLoop, Watch] | None
    stored, loop = getattr(request.app.state, "watch", None), asyncio.get_running_loop()
    if stored is None or stored[0] is not loop:
        stored = request.app.state.watch = (loop, Watch(context))
    return stored[1]


async def _events(
    context: ServerContext, follower: Follower, caller: Caller, job: Job
) -> AsyncIterator[str]:
    loop = asyncio.get_running_loop()
    last_event_at, last = loop.time(), None
    async for now in changes(context, follower, caller, job):
        if now != last:
            try:
                shape = await run_in_threadpool(_shape, context, caller, now)
            except LikewiseError:
                continue  # the database will answer again
            last, last_event_at = now, loop.time()
            yield f"event: progress\ndata: {shape}\n\n"
            if now.has_ended:
                yield f"event: end\ndata: {shape}\n\n"
        elif loop.time() - last_event_at >= QUIET_SECONDS:
            last_event_at = loop.time()
            yield ": still there\n\n"


def _shape(context: ServerContext, caller: Caller, job: Job) -> str:
    with context.store.reading() as connection:
        return shapes_of(connection, caller, [job])[0].model_dump_json()
