"""The newest job of each assignment: what teachers watch."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Row, or_, select

from likewise.server.assignments.rules import Assignment
from likewise.server.database import tables

batches, jobs = tables.batches, tables.jobs


def newest_jobs(connection: Connection, some: Sequence[Assignment]) -> dict[str, Row[Any]]:
    """By assignment. What was handed in since waits in a job of its own, unless another runs."""
    assignment_of = {one.row.batch_id: one.id for one in some if one.row.batch_id is not None}
    if not assignment_of:
        return {}
    of_classes = (
        select(batches.c.id.label("batch_id"), jobs)
        .join_from(batches, jobs, jobs.c.id == batches.c.job_id)
        .where(batches.c.id.in_(assignment_of))
    )
    newest = {assignment_of[row.batch_id]: row for row in connection.execute(of_classes)}
    is_theirs = (
        jobs.c.request.contains(f'"assignment": "{id}"', autoescape=True)
        for id in assignment_of.values()
    )
    waiting = select(jobs).where(jobs.c.state == "queued", jobs.c.kind == "batch", or_(*is_theirs))
    for row in connection.execute(waiting.order_by(jobs.c.made_on, jobs.c.id)):
        id = json.loads(row.request)["assignment"]
        if id not in newest or newest[id].state != "running":
            newest[id] = row
    return newest
