"""Whether a server can do its work, and what whoever looks after it wants to know."""

from __future__ import annotations

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Literal

from fastapi import APIRouter
from pydantic import Field
from sqlalchemy import ColumnElement, Connection, func, select, text

from likewise.errors import LikewiseError
from likewise.library import schema
from likewise.library.rebuild import count_waiting
from likewise.reading.cache import cache_folder
from likewise.reading.sandbox import reader_confinement
from likewise.server.context import ServerContext
from likewise.server.database import tables
from likewise.server.disks import Disk, read_disks
from likewise.server.http.error_handlers import RETRY_AFTER_SECONDS
from likewise.server.jobs.presence import (
    KilledFor,
    busy_workers,
    killed_workers,
    last_sign,
    present_workers,
)
from likewise.server.jobs.queue import database_now
from likewise.server.logs import log
from likewise.server.originals_probe import store_answers
from likewise.server.people.access import Administrator, ContextDep
from likewise.server.problems import Problem
from likewise.server.shapes import Shape
from likewise.version import version

PATIENCE_SECONDS = 2.0
ABSENT_AFTER = timedelta(seconds=90)  # without a sign of any worker
STANDS_AFTER = timedelta(minutes=15)  # without the end of any job, while one waits

HealthProblem = Literal[
    "the database does not answer",
    "no worker lives",
    "the queue stands",
    "the store of originals does not answer",
]
NO_DATABASE: HealthProblem = "the database does not answer"
NO_WORKER: HealthProblem = "no worker lives"
QUEUE_STANDS: HealthProblem = "the queue stands"
NO_STORE: HealthProblem = "the store of originals does not answer"
job = tables.jobs.c

# Its own threads: the others may all be waiting for the database that is asked after.
_askers = ThreadPoolExecutor(2, thread_name_prefix="health")


class Jobs(Shape):
    """The queue."""

    waiting: int
    running: int
    failed_today: int
    oldest_waiting_seconds: float


class MissingLayer(Shape):
    """A layer of the sandbox that this system does not have."""

    layer: str
    reason: str


class SandboxState(Shape):
    """How the processes that read files are confined on this server."""

    is_complete: bool = Field(description="whether all holds that --require-sandbox promises")
    layers: list[str]
    missing: list[MissingLayer]


class MailState(Shape):
    """Whether mail is sent, and by whom; set where the server is started."""

    is_set: bool
    host: str
    sender: str


class Details(Shape):
    """The state of a server and of its library."""

    problems: list[HealthProblem] = Field(description="why it cannot do its work; else none")
    version: str
    database: str
    library_version: str
    documents: int
    stale_documents: int
    database_bytes: int
    index_bytes: int
    needs_rebuild: bool
    workers: int = Field(description="that have been heard of in the last minute")
    busy_workers: int
    killed_workers: dict[KilledFor, int] = Field(description="ever, and why")
    jobs: Jobs
    disks: list[Disk]
    sandbox: SandboxState
    mail: MailState


async def health_problems(
    context: ServerContext, *, of_workers: bool = True
) -> list[HealthProblem]:
    """Why a server cannot do its work, if it cannot; told before whoever asks loses patience."""
    loop = asyncio.get_running_loop()
    try:
        answer = loop.run_in_executor(_askers, _ask, context, of_workers)
        problems = await asyncio.wait_for(answer, PATIENCE_SECONDS)
    except TimeoutError:
        problems = [NO_DATABASE]
    if of_workers and tuple(problems) != context.health_problems:
        context.health_problems = tuple(problems)
        log("warning" if problems else "info", "health", problems=problems)
    return problems


def _ask(context: ServerContext, of_workers: bool) -> list[HealthProblem]:
    try:
        with context.store.reading() as connection:
            connection.execute(text("SELECT 1"))
            return _problems(connection, context) if of_workers else []
    except LikewiseError:
        return [NO_DATABASE]


def _problems(connection: Connection, context: ServerContext) -> list[HealthProblem]:
    problems: list[HealthProblem] = []
    if not _has_worker(connection, context):
        problems.append(NO_WORKER)
    if _queue_stands(connection):
        problems.append(QUEUE_STANDS)
    if not store_answers():
        problems.append(NO_STORE)
    return problems


def _has_worker(connection: Connection, context: ServerContext) -> bool:
    """Whether a worker lives, here or on another machine; true where nobody ever started one."""
    if present_workers(connection):
        return True
    last = last_sign(connection)
    if last is not None:  # one may be making place for another just now
        return abs(database_now(connection) - last) < ABSENT_AFTER
    since = context.workers_since
    return since is None or time.monotonic() - since < ABSENT_AFTER.total_seconds()


def _queue_stands(connection: Connection) -> bool:
    """Whether somebody has been waiting for long, and no job came to an end meanwhile."""
    now = database_now(connection)
    if _oldest_waiting_seconds(connection, now) < STANDS_AFTER.total_seconds():
        return False
    ended = select(job.id).where(job.ended_on > now - STANDS_AFTER, job.ended_on <= now)
    return connection.execute(ended.limit(1)).first() is None


def read_details(context: ServerContext) -> Details:
    """Everything, for administrators."""
    with context.store.reading() as connection:
        state = context.store.state(connection)
        documents = select(func.count()).select_from(schema.documents)
        waiting = count_waiting(connection, state.next_recipe_id)
        return Details(
            problems=_problems(connection, context),
            version=version(),
            database=connection.dialect.name,
            library_version=schema.VERSION,
            documents=connection.execute(documents).scalar_one(),
            stale_documents=waiting,
            database_bytes=_database_bytes(connection),
            index_bytes=_index_bytes(),
            needs_rebuild=state.next_recipe_id is not None or waiting > 0,
            workers=len(present_workers(connection)),
            busy_workers=len(busy_workers(connection)),
            killed_workers=killed_workers(connection),
            jobs=_jobs(connection),
            disks=read_disks(context),
            sandbox=_sandbox(),
            mail=MailState(
                is_set=bool(context.config.mail_host),
                host=context.config.mail_host,
                sender=context.config.mail_from,
            ),
        )


def _sandbox() -> SandboxState:
    confinement = reader_confinement()
    return SandboxState(
        is_complete=confinement.is_complete,
        layers=list(confinement.layers),
        missing=[MissingLayer(layer=layer, reason=reason) for layer, reason in confinement.missing],
    )


def _database_bytes(connection: Connection) -> int:
    if connection.dialect.name == "sqlite":
        pages = "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"
        return int(connection.exec_driver_sql(pages).scalar_one())
    size = select(func.pg_database_size(func.current_database()))
    return int(connection.execute(size).scalar_one())


def _index_bytes() -> int:
    """Of the files on this machine. A server that only answers has none: workers make them."""
    files = (cache_folder() / "libraries").rglob("*")
    sizes = []
    for path in files:
        with suppress(OSError):  # it was merged into another meanwhile
            sizes.append(path.stat().st_size if path.is_file() else 0)
    return sum(sizes)


def _jobs(connection: Connection) -> Jobs:
    now = database_now(connection)

    def how_many(*conditions: ColumnElement[bool]) -> int:
        return connection.execute(select(func.count(job.id)).where(*conditions)).scalar_one()

    return Jobs(
        waiting=how_many(job.state == "queued"),
        running=how_many(job.state == "running"),
        failed_today=how_many(
            job.state == "failed",
            job.ended_on > now - timedelta(days=1),
            job.dismissed_on.is_(None),
        ),
        oldest_waiting_seconds=_oldest_waiting_seconds(connection, now),
    )


def _oldest_waiting_seconds(connection: Connection, now: datetime) -> float:
    """How long the oldest job that could run has been waiting."""
    runnable = (job.state == "queued", job.not_before <= now)
    oldest = connection.execute(select(func.min(job.not_before)).where(*runnable)).scalar()
    return (now - oldest).total_seconds() if oldest else 0.0


router = APIRouter(tags=["health"])


class Health(Shape):
    """That the server can do its work."""

    status: Literal["ok"] = "ok"


@router.get("/health", summary="Whether the server can do its work")
async def health(context: ContextDep) -> Health:
    """Its database answers, a worker lives and the queue moves; administrators read why not."""
    return await _health(context, of_workers=True)


@router.get("/health/live", summary="Whether the server can answer")
async def health_live(context: ContextDep) -> Health:
    """Its database answers, whatever becomes of jobs: for whoever sends requests to servers."""
    return await _health(context, of_workers=False)


async def _health(context: ServerContext, *, of_workers: bool) -> Health:
    problems = await health_problems(context, of_workers=of_workers)
    if problems:
        # What exactly is wrong is not everybody's business, but for what any request would tell.
        is_away = problems == [NO_DATABASE]
        key = "server.database_silent" if is_away else "server.cannot_work"
        raise Problem("unavailable", key, details={"retry_after": RETRY_AFTER_SECONDS})
    return Health()


@router.get("/health/details", summary="The state of the server and its library")
def health_details(context: ContextDep, caller: Administrator) -> Details:
    return read_details(context)
