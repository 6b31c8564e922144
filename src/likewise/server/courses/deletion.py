"""What goes with an assignment: submissions, its class, the checks of all attempts, jobs."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection, delete, select

from likewise.server.database import tables
from likewise.server.jobs.queue import discard_job
from likewise.server.privacy.self_checks import delete_self_checks

assignments, submissions = tables.assignments, tables.submissions
checks, batches = tables.checks, tables.batches


def delete_assignments(connection: Connection, ids: Sequence[str]) -> None:
    """With everything that was handed in to them."""
    delete_submissions(connection, ids)
    connection.execute(delete(assignments).where(assignments.c.id.in_(ids)))


def delete_submissions(connection: Connection, ids: Sequence[str]) -> None:
    """All of some assignments, with their classes; jobs that wait or run are given up."""
    query = select(submissions.c.job_id, submissions.c.check_id).where(
        submissions.c.assignment_id.in_(ids)
    )
    rows = connection.execute(query).all()
    owned = select(batches.c.id, batches.c.job_id).join_from(batches, assignments)
    classes = connection.execute(owned.where(assignments.c.id.in_(ids))).all()
    for job in sorted({row.job_id for row in (*rows, *classes)} - {None}):
        discard_job(connection, job)
    delete_self_checks(connection, ids)
    connection.execute(delete(submissions).where(submissions.c.assignment_id.in_(ids)))
    for check in sorted({row.check_id for row in rows} - {None}):
        connection.execute(delete(checks).where(checks.c.id == check))
    for row in classes:
        connection.execute(delete(batches).where(batches.c.id == row.id))
