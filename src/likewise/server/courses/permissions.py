"""Who may what in a course: its teachers, its students, administrators. Everybody asks here.

Whoever is none of them learns nothing, not even that the course is there. Administrators see that
courses are there and manage them; what students hand in they see where they teach.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Select, or_, select

from likewise.server.caller import Caller
from likewise.server.courses.shapes import Standing
from likewise.server.database import tables
from likewise.server.problems import Problem, not_found

courses, members = tables.courses, tables.course_members
assignments, submissions = tables.assignments, tables.submissions

MANAGING: frozenset[Standing] = frozenset(("teacher", "administrator"))


def standing_in(connection: Connection, caller: Caller, course: str) -> Standing:
    """What the caller is in a course that is there; refuses who has nothing to do with it."""
    known = standings(connection, caller).get(course)
    if known is not None:
        return known
    query = select(courses.c.id).where(courses.c.id == course)
    if caller.is_administrator and connection.execute(query).first() is not None:
        return "administrator"
    raise not_found("server.noun_course")


def standings(connection: Connection, caller: Caller) -> Mapping[str, Standing]:
    """What the caller is in each course that the caller belongs to."""
    query = select(members.c.course_id, members.c.role).where(members.c.user_id == caller.id)
    return {row.course_id: _standing(caller, row.role) for row in connection.execute(query)}


def _standing(caller: Caller, role: str) -> Standing:
    if role == "teacher" and caller.role != "student":
        return "teacher"
    return "administrator" if caller.is_administrator else "student"


def ensure_manages(standing: Standing) -> None:
    """Teachers of the course, and administrators: its name, its members, that it is there."""
    if standing not in MANAGING:
        raise Problem("not allowed", "server.course_teachers")


def ensure_teaches(standing: Standing) -> None:
    """Teachers of the course alone: what is handed in, and what is found in it."""
    if standing != "teacher":
        raise Problem("not allowed", "server.course_teachers")


def find_course(connection: Connection, caller: Caller, id: str) -> tuple[Row[Any], Standing]:
    """A course, and what the caller is in it."""
    standing = standing_in(connection, caller, id)
    row = connection.execute(select(courses).where(courses.c.id == id)).first()
    if row is None:
        raise not_found("server.noun_course")
    return row, standing


def taught_by(caller: Caller) -> Select[tuple[str]]:
    """The ids of the courses in which the caller teaches."""
    ids = select(members.c.course_id).where(
        members.c.user_id == caller.id, members.c.role == "teacher"
    )
    return ids if caller.role != "student" else ids.where(members.c.user_id.is_(None))


def taught_batches(caller: Caller) -> Select[tuple[str]]:
    """The ids of the classes of assignments that the caller teaches."""
    return select(assignments.c.batch_id).where(
        assignments.c.course_id.in_(taught_by(caller)), assignments.c.batch_id.is_not(None)
    )


def taught_checks(caller: Caller) -> Select[tuple[str]]:
    """The ids of the checks of what was handed in to the caller's courses, of all attempts."""
    return (
        select(submissions.c.check_id)
        .join_from(submissions, assignments)
        .where(assignments.c.course_id.in_(taught_by(caller)), submissions.c.check_id.is_not(None))
    )


def is_taught_check(caller: Caller) -> ColumnElement[bool]:
    """Checks of the caller's courses."""
    checks = tables.checks.c
    return or_(checks.id.in_(taught_checks(caller)), checks.batch_id.in_(taught_batches(caller)))


def is_taught_batch(caller: Caller) -> ColumnElement[bool]:
    """Classes of the caller's courses."""
    return tables.batches.c.id.in_(taught_batches(caller))
