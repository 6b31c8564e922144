"""How far assignments have come: last attempts, counted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Subquery, and_, case, distinct, func, select

from likewise.server.assignments.shapes import AssignmentCounts
from likewise.server.database import tables

submissions = tables.submissions


def last_attempts() -> Subquery:
    """The last attempt of each student: assignment, number, attempt."""
    column = submissions.c
    return (
        select(column.assignment_id, column.number, func.max(column.attempt).label("attempt"))
        .where(column.withdrawn_on.is_(None))
        .group_by(column.assignment_id, column.number)
        .subquery("last_attempts")
    )


def is_of_last_attempt(last: Subquery) -> Any:
    """Files of the last attempt, to join the two by."""
    column = submissions.c
    return and_(
        column.assignment_id == last.c.assignment_id,
        column.number == last.c.number,
        column.attempt == last.c.attempt,
    )


def count_submissions(connection: Connection, ids: Sequence[str]) -> dict[str, AssignmentCounts]:
    """Of each assignment to which something was handed in."""
    column, last = submissions.c, last_attempts()
    has_receipt = column.receipt.is_not(None)
    is_unread = and_(has_receipt, column.receipt.contains('"unread": {'))
    is_waiting = and_(column.check_id.is_(None), ~func.coalesce(is_unread, False))
    rows = connection.execute(
        select(
            column.assignment_id,
            func.count(distinct(column.number)).label("students"),
            func.count().label("files"),
            func.count(distinct(case((column.is_late, column.number)))).label("late"),
            func.sum(case((is_waiting, 1), else_=0)).label("waiting"),
            func.sum(case((is_unread, 1), else_=0)).label("unread"),
        )
        .join_from(submissions, last, is_of_last_attempt(last))
        .where(column.assignment_id.in_(ids), column.withdrawn_on.is_(None))
        .group_by(column.assignment_id)
    )
    return {
        row.assignment_id: AssignmentCounts(
            students=row.students,
            files=row.files,
            late=row.late,
            waiting=int(row.waiting),
            unread=int(row.unread),
        )
        for row in rows
    }


def count_own_attempts(connection: Connection, ids: Sequence[str], user: str) -> dict[str, int]:
    """How often somebody has handed in to each of some assignments."""
    column = submissions.c
    rows = connection.execute(
        select(column.assignment_id, func.max(column.attempt))
        .where(column.assignment_id.in_(ids), column.user_id == user, column.withdrawn_on.is_(None))
        .group_by(column.assignment_id)
    )
    return {id: int(n) for id, n in rows}
