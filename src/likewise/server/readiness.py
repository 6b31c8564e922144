"""Whether requests should be sent to this server: for whoever spreads them over several.

What all servers share (workers, the store of originals) is not part of it: without them every
server would be taken out, and nobody could even read a report. `health` tells of these.
"""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from concurrent.futures import ThreadPoolExecutor
from typing import Literal

from fastapi import APIRouter, Request

from likewise.errors import LikewiseError
from likewise.library.versions import is_usable, stored_version
from likewise.server.context import ServerContext
from likewise.server.http.disk_reserve import RESERVE_BYTES
from likewise.server.http.draining import Drain
from likewise.server.http.error_handlers import RETRY_AFTER_SECONDS
from likewise.server.logs import log
from likewise.server.people.access import ContextDep
from likewise.server.problems import Problem
from likewise.server.shapes import Shape

PATIENCE_SECONDS = 2.0

ReadinessProblem = Literal[
    "it is told to stop",
    "the database does not answer",
    "the library has another version",
    "no room for uploads",
]

# Its own threads: the others may all be waiting for the database that is asked after.
_askers = ThreadPoolExecutor(2, thread_name_prefix="readiness")


def readiness_problems(context: ServerContext, drain: Drain) -> list[ReadinessProblem]:
    """Why no requests should be sent here, if none should."""
    problems: list[ReadinessProblem] = ["it is told to stop"] if drain.has_begun else []
    if not _has_room(context):
        problems.append("no room for uploads")
    try:
        with context.store.autocommitting() as connection:
            if not is_usable(stored_version(connection)):
                problems.append("the library has another version")
    except LikewiseError:
        problems.append("the database does not answer")
    return problems


def _has_room(context: ServerContext) -> bool:
    """Whether uploads fit where they wait for a moment.

    A library in a file has one server: it goes on, so that somebody can log in and make room.
    """
    if context.store.is_file:
        return True
    return shutil.disk_usage(tempfile.gettempdir()).free >= RESERVE_BYTES


router = APIRouter(tags=["health"])


class Readiness(Shape):
    """That requests may be sent to the server."""

    status: Literal["ready"] = "ready"


class ProcessState(Shape):
    """That the process answers."""

    status: Literal["alive"] = "alive"


@router.get("/health/ready", summary="Whether requests should be sent to this server")
async def health_ready(request: Request, context: ContextDep) -> Readiness:
    """It is not told to stop, has room for uploads, and its database answers in a fit version."""
    drain: Drain = request.app.state.drain
    loop = asyncio.get_running_loop()
    try:
        asked = loop.run_in_executor(_askers, readiness_problems, context, drain)
        problems = await asyncio.wait_for(asked, PATIENCE_SECONDS)
    except TimeoutError:
        problems = ["the database does not answer"]
    if tuple(problems) != context.readiness_problems:
        context.readiness_problems = tuple(problems)
        log("warning" if problems else "info", "readiness", problems=problems)
    if problems:
        raise Problem(
            "unavailable", "server.not_ready", details={"retry_after": RETRY_AFTER_SECONDS}
        )
    return Readiness()


@router.get("/health/process", summary="Whether this process answers")
async def health_process() -> ProcessState:
    """Whatever becomes of the database: for whoever restarts processes that hang."""
    return ProcessState()
