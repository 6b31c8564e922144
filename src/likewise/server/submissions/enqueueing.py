"""Jobs of an assignment: one waits at most, and takes along whatever is handed in meanwhile."""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, insert, select, update

from likewise.server.assignments.rules import Assignment
from likewise.server.checks.request import BatchRequest
from likewise.server.context import utc_now
from likewise.server.courses.permissions import members
from likewise.server.database import tables
from likewise.server.jobs.queue import enqueue
from likewise.server.problems import Problem

assignments, batches, jobs = tables.assignments, tables.batches, tables.jobs
users = tables.users


def stored_request(assignment: Assignment) -> dict[str, Any]:
    """What the class of an assignment is asked for, as classes keep it."""
    request = json.loads(assignment.row.request)
    return BatchRequest.model_validate(request | {"name": assignment.row.name}).model_dump(
        mode="json"
    )


def job_for(connection: Connection, assignment: Assignment, caller_id: str) -> str:
    """A job that waits for its turn, an old one or a new one; its class is made where none is.

    Call it in the transaction that holds the assignment's row.
    """
    waiting = _waiting_job(connection, assignment.id)
    if waiting is not None:
        return waiting
    owner = owner_of(connection, assignment, caller_id)
    batch = _batch_of(connection, assignment.id)
    request = {"batch": batch or secrets.token_hex(12), "assignment": assignment.id}
    job = enqueue(
        connection, "batch", owner, request | {"uploads": [], "files": {}, "archives": []}
    )
    if batch is None:
        connection.execute(
            insert(batches).values(
                id=request["batch"],
                user_id=owner,
                job_id=job,
                name=assignment.row.name,
                request=json.dumps(stored_request(assignment)),
                made_on=utc_now(),
                is_shared=False,
                summary=None,
            )
        )
        own = update(assignments).where(assignments.c.id == assignment.id)
        connection.execute(own.values(batch_id=request["batch"]))
    return job


def add_to_job(
    connection: Connection,
    job: str,
    *,
    files: Mapping[str, str] | None = None,
    archives: Sequence[Mapping[str, Any]] = (),
) -> None:
    """Give a job that waits more to do: uploads by submission, and hand-ins with archives."""
    text = connection.execute(select(jobs.c.request).where(jobs.c.id == job)).scalar_one()
    request: dict[str, Any] = json.loads(text)
    request["files"] |= files or {}
    request["archives"] += archives
    of_archives = [upload for one in archives for upload in one["uploads"]]
    request["uploads"] += [*(files or {}).values(), *of_archives]
    changed = connection.execute(
        update(jobs)
        .where(jobs.c.id == job, jobs.c.state == "queued")
        .values(request=json.dumps(request))
    ).rowcount
    if not changed:  # its row was held since it was found
        raise Problem("conflict", "server.at_once")


def _waiting_job(connection: Connection, assignment: str) -> str | None:
    query = (
        select(jobs.c.id)
        .where(
            jobs.c.state == "queued",
            jobs.c.kind == "batch",
            jobs.c.request.contains(f'"assignment": "{assignment}"', autoescape=True),
        )
        .order_by(jobs.c.made_on, jobs.c.id)
        .limit(1)
        .with_for_update(skip_locked=True)
    )
    return connection.execute(query).scalar()


def _batch_of(connection: Connection, assignment: str) -> str | None:
    query = select(assignments.c.batch_id).where(assignments.c.id == assignment)
    return connection.execute(query).scalar()


def owner_of(connection: Connection, assignment: Assignment, caller_id: str | None) -> str | None:
    """With whose rights it is checked: of whoever made it, else of the course's first teacher."""
    rows = connection.execute(
        select(members.c.user_id)
        .join_from(members, users)
        .where(
            members.c.course_id == assignment.row.course_id,
            members.c.role == "teacher",
            users.c.is_active,
        )
        .order_by(members.c.made_on, members.c.user_id)
    )
    teachers = list(rows.scalars())
    if assignment.row.user_id in teachers:
        return str(assignment.row.user_id)
    return teachers[0] if teachers else caller_id
