"""Classes of assignments when their owner goes: another teacher of the course has them then."""

from __future__ import annotations

import json

from sqlalchemy import Connection, insert, or_, select, update

from likewise.library.store import now
from likewise.server.database import tables

assignments, members = tables.assignments, tables.course_members
batches, checks, jobs = tables.batches, tables.checks, tables.jobs
submissions, uploads, users = tables.submissions, tables.uploads, tables.users


def hand_over_classes(
    connection: Connection,
    user: str,
    *,
    heir: str | None = None,
    keeper: str | None = None,
    course: str | None = None,
) -> int:
    """Give a person's classes to another teacher of each course, or of one; how many went.

    A course that would be left without a teacher is taught by the `heir`, where there is one. What
    no teacher can take goes to the `keeper`: works of students are nobody's to take along. What
    waits to be checked goes on in the name of whoever has the class then.
    """
    owned = (
        select(assignments.c.id, assignments.c.course_id, batches.c.id.label("batch_id"))
        .join_from(assignments, batches)
        .where(batches.c.user_id == user)
        .order_by(assignments.c.id)
    )
    if course is not None:
        owned = owned.where(assignments.c.course_id == course)
    handed_over = 0
    if heir is not None:
        _teach(connection, user, heir)
    for row in connection.execute(owned).all():
        teacher = _another_teacher(connection, row.course_id, user) or keeper
        if teacher is None:
            continue
        handed_over += 1
        of_batch = batches.c.id == row.batch_id
        connection.execute(update(batches).where(of_batch).values(user_id=teacher))
        own = select(submissions.c.check_id).where(submissions.c.assignment_id == row.id)
        connection.execute(
            update(checks)
            .where(or_(checks.c.batch_id == row.batch_id, checks.c.id.in_(own)))
            .values(user_id=teacher)
        )
        _hand_over_jobs(connection, row.id, user, teacher)
    return handed_over


def another_administrator(connection: Connection, user: str) -> str | None:
    """Whoever keeps what a person leaves to nobody."""
    query = (
        select(users.c.id)
        .where(users.c.role == "administrator", users.c.is_active, users.c.id != user)
        .order_by(users.c.made_on, users.c.id)
        .limit(1)
    )
    return connection.execute(query).scalar()


def _hand_over_jobs(connection: Connection, assignment: str, user: str, teacher: str) -> None:
    """What waits to be checked, with the files."""
    of_assignment = (
        jobs.c.kind == "batch",
        jobs.c.request.contains(f'"assignment": "{assignment}"', autoescape=True),
    )
    connection.execute(
        update(jobs).where(*of_assignment, jobs.c.user_id == user).values(user_id=teacher)
    )
    for request in connection.execute(select(jobs.c.request).where(*of_assignment)).scalars().all():
        files = uploads.c.id.in_(json.loads(request).get("uploads", []))
        own = update(uploads).where(files, uploads.c.user_id == user)
        connection.execute(own.values(user_id=teacher))


def _another_teacher(connection: Connection, course: str, user: str) -> str | None:
    query = (
        select(members.c.user_id)
        .join_from(members, users)
        .where(
            members.c.course_id == course,
            members.c.role == "teacher",
            members.c.user_id != user,
            users.c.is_active,
        )
        .order_by(members.c.made_on, members.c.user_id)
        .limit(1)
    )
    return connection.execute(query).scalar()


def _teach(connection: Connection, user: str, heir: str) -> None:
    """The heir teaches what nobody else would."""
    taught = select(members.c.course_id).where(
        members.c.user_id == user, members.c.role == "teacher"
    )
    for course in connection.execute(taught).scalars().all():
        if _another_teacher(connection, course, user) is not None:
            continue
        known = connection.execute(
            update(members)
            .where(members.c.course_id == course, members.c.user_id == heir)
            .values(role="teacher")
        ).rowcount
        if not known:
            new = insert(members).values(
                course_id=course, user_id=heir, role="teacher", made_on=now()
            )
            connection.execute(new)
