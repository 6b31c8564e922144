"""Courses: made, listed, closed, deleted with all that belongs to them."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any, Literal

from sqlalchemy import ColumnElement, Connection, Row, delete, func, insert, or_, select, update

from likewise.server.caller import Caller
from likewise.server.context import ServerContext, utc_now
from likewise.server.courses.deletion import delete_assignments
from likewise.server.courses.permissions import (
    assignments,
    courses,
    ensure_manages,
    find_course,
    members,
    standings,
    submissions,
)
from likewise.server.courses.shapes import CourseChange, CourseInput, CourseShape, Standing
from likewise.server.database import tables
from likewise.server.people.audit import record_act
from likewise.server.problems import Problem
from likewise.server.shapes import contains_text

users = tables.users
MOST_COURSES = 2_000  # made by one person


def list_courses(
    context: ServerContext,
    caller: Caller,
    *,
    whose: Literal["mine", "all"] = "mine",
    is_open: bool | None = None,
    search: str = "",
    limit: int = 50,
    offset: int = 0,
) -> tuple[list[CourseShape], int]:
    """One page of the caller's courses, or to administrators of all; the newest first."""
    with context.store.reading() as connection:
        known = standings(connection, caller)
        conditions: list[ColumnElement[bool]] = []
        if whose == "mine" or not caller.is_administrator:
            own = select(members.c.course_id).where(members.c.user_id == caller.id)
            conditions.append(courses.c.id.in_(own))
        if is_open is not None:
            is_closed = courses.c.closed_on.is_not(None)
            conditions.append(~is_closed if is_open else is_closed)
        for word in search.split():
            named = (courses.c.name, courses.c.code, courses.c.term)
            conditions.append(or_(*(contains_text(column, word) for column in named)))
        total = connection.execute(
            select(func.count()).select_from(courses).where(*conditions)
        ).scalar_one()
        rows = connection.execute(
            select(courses)
            .where(*conditions)
            .order_by(courses.c.made_on.desc(), courses.c.id)
            .limit(limit)
            .offset(offset)
        ).all()
        each = {row.id: known.get(row.id, "administrator") for row in rows}
        return shapes(connection, rows, each), total


def show_course(context: ServerContext, caller: Caller, id: str) -> CourseShape:
    """One that the caller belongs to, or any to an administrator."""
    with context.store.reading() as connection:
        row, standing = find_course(connection, caller, id)
        return shapes(connection, [row], {id: standing})[0]


def make_course(context: ServerContext, caller: Caller, new: CourseInput) -> CourseShape:
    """A new course, in which the caller teaches."""
    with context.store.beside() as connection:
        made = select(func.count()).select_from(courses).where(courses.c.user_id == caller.id)
        if connection.execute(made).scalar_one() >= MOST_COURSES:
            raise Problem("quota reached", "server.courses", n=MOST_COURSES)
        id, now = secrets.token_hex(12), utc_now()
        connection.execute(
            insert(courses).values(
                id=id, user_id=caller.id, made_on=now, closed_on=None, **new.model_dump()
            )
        )
        connection.execute(
            insert(members).values(course_id=id, user_id=caller.id, role="teacher", made_on=now)
        )
        record_act(connection, caller, "course made", id)
    return show_course(context, caller, id)


def change_course(
    context: ServerContext, caller: Caller, id: str, change: CourseChange
) -> CourseShape:
    """Rename it, close it, open it again."""
    with context.store.beside() as connection:
        row, standing = find_course(connection, caller, id)
        ensure_manages(standing)
        values: dict[str, Any] = change.model_dump(exclude_none=True)
        is_closed = values.pop("is_closed", None)
        if is_closed is not None and is_closed != (row.closed_on is not None):
            values["closed_on"] = utc_now() if is_closed else None
        if values:
            connection.execute(update(courses).where(courses.c.id == id).values(**values))
            record_act(connection, caller, "course changed", id, fields=sorted(values))
    return show_course(context, caller, id)


def delete_course(
    context: ServerContext, caller: Caller, id: str, *, with_submissions: bool = False
) -> None:
    """With its assignments, what was handed in and every report of it."""
    with context.store.beside() as connection:
        _, standing = find_course(connection, caller, id)
        ensure_manages(standing)
        own = select(assignments.c.id).where(assignments.c.course_id == id)
        ids = list(connection.execute(own).scalars())
        n = count_submissions(connection, ids)
        if n and not with_submissions:
            raise Problem("conflict", "server.course_not_empty", details={"submissions": n})
        delete_assignments(connection, ids)
        connection.execute(delete(courses).where(courses.c.id == id))
        record_act(connection, caller, "course deleted", id, assignments=len(ids), submissions=n)


def ensure_open(row: Row[Any]) -> None:
    """Nothing new comes into a course that is closed."""
    if row.closed_on is not None:
        raise Problem("conflict", "server.course_closed")


def count_submissions(connection: Connection, ids: Sequence[str]) -> int:
    """How many files were handed in to some assignments."""
    query = select(func.count()).where(submissions.c.assignment_id.in_(ids))
    return int(connection.execute(query).scalar_one())


def shapes(
    connection: Connection, rows: Sequence[Row[Any]], each: dict[str, Standing]
) -> list[CourseShape]:
    """Courses as they are sent to somebody who is something in each of them."""
    ids = [row.id for row in rows]
    teaching: dict[str, list[str]] = {id: [] for id in ids}
    query = (
        select(members.c.course_id, users.c.shown_name)
        .join_from(members, users)
        .where(members.c.course_id.in_(ids), members.c.role == "teacher")
        .order_by(users.c.shown_name, users.c.id)
    )
    for member in connection.execute(query):
        teaching[member.course_id].append(member.shown_name)
    studying = _counts(
        connection,
        select(members.c.course_id, func.count())
        .where(members.c.course_id.in_(ids), members.c.role == "student")
        .group_by(members.c.course_id),
    )
    of_course = select(assignments.c.course_id, func.count()).where(
        assignments.c.course_id.in_(ids)
    )
    of_all = _counts(connection, of_course.group_by(assignments.c.course_id))
    visible = _counts(
        connection, of_course.where(is_visible_to_students()).group_by(assignments.c.course_id)
    )
    return [
        CourseShape(
            id=row.id,
            name=row.name,
            code=row.code,
            term=row.term,
            made_on=row.made_on,
            closed_on=row.closed_on,
            standing=each[row.id],
            teachers=teaching[row.id],
            students=None if each[row.id] == "student" else studying.get(row.id, 0),
            assignments=(visible if each[row.id] == "student" else of_all).get(row.id, 0),
        )
        for row in rows
    ]


def is_visible_to_students() -> ColumnElement[bool]:
    """Assignments that are open, or were."""
    opens_on = assignments.c.opens_on
    return or_(opens_on.is_(None), opens_on <= utc_now())


def _counts(connection: Connection, query: Any) -> dict[str, int]:
    return {id: int(n) for id, n in connection.execute(query)}
