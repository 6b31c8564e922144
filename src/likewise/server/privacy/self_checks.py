"""Self-checks as rows: counted for the day, and forgotten.

Of one that is forgotten nothing stays until the end of its day but that it was: it still counts.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Connection, delete, select, update

from likewise.server.context import utc_now
from likewise.server.database import tables
from likewise.server.jobs.queue import discard_job

self_checks, jobs = tables.self_checks, tables.jobs

KEEP = timedelta(hours=24)  # of an answer
_NO_HASH = bytes(32)


def begin_of_day(now: datetime) -> datetime:
    """Quotas count days in UTC."""
    return now.replace(hour=0, minute=0, second=0, microsecond=0)


def count_left(
    connection: Connection, assignment: str, user: str, a_day: int, now: datetime
) -> int:
    """How many self-checks somebody may still ask for today.

    What failed because of us does not count, but as often as there are checks in a day.
    """
    query = (
        select(jobs.c.state)
        .select_from(self_checks.outerjoin(jobs, jobs.c.id == self_checks.c.job_id))
        .where(
            self_checks.c.assignment_id == assignment,
            self_checks.c.user_id == user,
            self_checks.c.made_on >= begin_of_day(now),
        )
    )
    states = list(connection.execute(query).scalars())
    failed = states.count("failed")
    return max(0, a_day - (len(states) - failed) - max(0, failed - a_day))


def forget_self_checks(connection: Connection, *conditions: ColumnElement[bool]) -> int:
    """Forget texts, answers and names of some; how many there were."""
    query = select(self_checks.c.id, self_checks.c.job_id).where(
        *conditions, self_checks.c.name != ""
    )
    rows = connection.execute(query).all()
    for row in rows:
        if row.job_id is not None:
            discard_job(connection, row.job_id)
        nothing: dict[str, Any] = {"name": "", "sha256": _NO_HASH, "summary": None, "packed": None}
        own = update(self_checks).where(self_checks.c.id == row.id)
        connection.execute(own.values(ends_on=utc_now(), **nothing))
    return len(rows)


def delete_self_checks(connection: Connection, assignments: Collection[str]) -> None:
    """All of some assignments, with their jobs and files."""
    of_assignments = self_checks.c.assignment_id.in_(assignments)
    forget_self_checks(connection, of_assignments)
    connection.execute(delete(self_checks).where(of_assignments))


def tidy_self_checks(connection: Connection) -> int:
    """Forget answers whose time is over, and delete those of days that are over."""
    now = utc_now()
    ended = self_checks.c.ends_on <= now
    count = forget_self_checks(connection, ended)
    old = delete(self_checks).where(ended, self_checks.c.made_on < begin_of_day(now))
    connection.execute(old)
    return count
