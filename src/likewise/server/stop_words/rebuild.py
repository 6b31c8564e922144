"""A rebuild of the library, while checks go on with what there is.

Fingerprints are made anew after a change of the recipe, and blocks of concepts are made for
documents that an older Likewise has added.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, select, text

from likewise.library.rebuild import count_waiting
from likewise.server.caller import Caller
from likewise.server.context import ServerContext
from likewise.server.jobs.queue import ENDED, enqueue, jobs
from likewise.server.jobs.work import Work
from likewise.server.people.audit import record_act
from likewise.server.permissions import permissions_of
from likewise.server.shapes import Shape

_STARTING = 0x4EB1  # the lock under which a rebuild is asked for on PostgreSQL


class RebuildState(Shape):
    """Whether documents wait for a rebuild, and the job that is at it."""

    is_needed: bool
    stale: int
    job: str | None


class RebuildStarted(Shape):
    """Its progress is at /jobs/{job}."""

    job: str


def rebuild_state(context: ServerContext, caller: Caller) -> RebuildState:
    """How many documents wait: of all to administrators, to others of those that they may read."""
    with context.store.reading() as connection:
        recipe = context.store.state(connection).next_recipe_id
        readable = None if caller.is_administrator else permissions_of(connection, caller).readable
        waiting = count_waiting(connection, recipe, readable)
        return RebuildState(
            is_needed=recipe is not None or waiting > 0,
            stale=waiting,
            job=running_rebuild(connection),
        )


def start_rebuild(context: ServerContext, caller: Caller) -> str:
    """Ask for a rebuild; the job that is at it already, if there is one."""
    with context.store.beside() as connection:
        return enqueue_rebuild(connection, caller)


def enqueue_rebuild(connection: Connection, caller: Caller) -> str:
    """The same in a transaction that is open; a job that is at work does what is asked for now."""
    if connection.dialect.name == "postgresql":  # two may ask at the same moment
        connection.execute(text(f"SELECT pg_advisory_xact_lock({_STARTING})"))
    if running := running_rebuild(connection):
        return running
    job = enqueue(connection, "rebuild", caller.id, {})
    record_act(connection, caller, "rebuild asked for", job)
    return job


def running_rebuild(connection: Connection) -> str | None:
    """The job that is asked for or at work."""
    query = select(jobs.c.id).where(jobs.c.kind == "rebuild", jobs.c.state.not_in(ENDED))
    job_id: str | None = connection.execute(query.order_by(jobs.c.made_on).limit(1)).scalar()
    return job_id


def rebuild_library(work: Work) -> Mapping[str, Any]:
    """Do a job of the kind `rebuild`; killed, the next attempt goes on where this one was."""
    work.report_progress("making fingerprints", 0, 0)
    return {"documents": work.context.library.rebuild(work.report_progress)}
