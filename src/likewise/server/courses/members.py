"""Members of a course: who teaches in it and who studies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, delete, func, insert, or_, select, update

from likewise.server.caller import Caller
from likewise.server.context import ServerContext, utc_now
from likewise.server.courses.permissions import (
    assignments,
    courses,
    ensure_manages,
    find_course,
    members,
    submissions,
)
from likewise.server.courses.shapes import (
    CandidateShape,
    MemberInput,
    MemberRole,
    MemberShape,
)
from likewise.server.database import tables
from likewise.server.database.campus_owners import hand_over_classes
from likewise.server.people.audit import record_act
from likewise.server.people.users import Person, fold_name, person_by_id, person_by_name
from likewise.server.problems import Problem, not_found
from likewise.server.shapes import contains_text

users = tables.users
MOST_CANDIDATES = 20
FEWEST_SEARCHED_CHARS = 2


def list_members(
    context: ServerContext,
    caller: Caller,
    course: str,
    *,
    role: MemberRole | None = None,
    search: str = "",
    limit: int = 50,
    offset: int = 0,
) -> tuple[list[MemberShape], int]:
    """One page of them, by name."""
    with context.store.reading() as connection:
        _, standing = find_course(connection, caller, course)
        ensure_manages(standing)
        conditions: list[ColumnElement[bool]] = _named(search)
        if role is not None:
            conditions.append(members.c.role == role)
        return _page(connection, course, conditions, limit, offset)


def add_members(
    context: ServerContext, caller: Caller, course: str, new: Sequence[MemberInput]
) -> list[MemberShape]:
    """All of them join, or nobody; who is a member already stays what the person is."""
    with context.store.beside() as connection:
        _, standing = find_course(connection, caller, course)
        ensure_manages(standing)
        people = [(_person(connection, one), one.role) for one in new]
        now, ids = utc_now(), []
        present = set(
            connection.execute(
                select(members.c.user_id).where(members.c.course_id == course)
            ).scalars()
        )
        for person, role in people:
            _ensure_may_be(person, role)
            ids.append(person.id)
            if person.id in present:
                continue
            present.add(person.id)
            connection.execute(
                insert(members).values(course_id=course, user_id=person.id, role=role, made_on=now)
            )
            record_act(connection, caller, "course member added", course, of=person.id, role=role)
        found, _ = _page(connection, course, [members.c.user_id.in_(ids)], len(ids), 0)
        return found


def change_member(
    context: ServerContext, caller: Caller, course: str, user: str, role: MemberRole
) -> MemberShape:
    """Let a student teach, or the other way round."""
    with context.store.beside() as connection:
        _, standing = find_course(connection, caller, course)
        ensure_manages(standing)
        before = _require_member(connection, course, user)
        if before != role:
            person = person_by_id(connection, user)
            if person is not None:
                _ensure_may_be(person, role)
            if before == "teacher":
                _ensure_another_teacher(connection, course, user)
                hand_over_classes(connection, user, course=course)
            connection.execute(
                update(members)
                .where(members.c.course_id == course, members.c.user_id == user)
                .values(role=role)
            )
            record_act(connection, caller, "course member changed", course, of=user, role=role)
        (member,), _ = _page(connection, course, [members.c.user_id == user], 1, 0)
        return member


def remove_member(context: ServerContext, caller: Caller, course: str, user: str) -> None:
    """What the person has handed in stays; classes of a teacher are another teacher's then."""
    with context.store.beside() as connection:
        _, standing = find_course(connection, caller, course)
        ensure_manages(standing)
        if _require_member(connection, course, user) == "teacher":
            _ensure_another_teacher(connection, course, user)
            hand_over_classes(connection, user, course=course)
        connection.execute(
            delete(members).where(members.c.course_id == course, members.c.user_id == user)
        )
        record_act(connection, caller, "course member removed", course, of=user)


def list_candidates(
    context: ServerContext, caller: Caller, course: str, search: str
) -> list[CandidateShape]:
    """Some of those who could join, by name."""
    with context.store.reading() as connection:
        _, standing = find_course(connection, caller, course)
        ensure_manages(standing)
        if len(search.strip()) < FEWEST_SEARCHED_CHARS:
            return []
        inside = select(members.c.user_id).where(members.c.course_id == course)
        rows = connection.execute(
            select(users.c.id, users.c.name, users.c.shown_name)
            .where(users.c.is_active, users.c.id.not_in(inside), *_named(search))
            .order_by(users.c.shown_name, users.c.id)
            .limit(MOST_CANDIDATES)
        )
        return [CandidateShape.model_validate(row) for row in rows]


def _named(search: str) -> list[ColumnElement[bool]]:
    columns = (users.c.name, users.c.shown_name)
    return [or_(*(contains_text(one, word) for one in columns)) for word in search.split()]


def _person(connection: Connection, new: MemberInput) -> Person:
    if (new.user is None) == (new.user_name is None):
        raise Problem("bad request", "server.user_or_name")
    if new.user is not None:
        person = person_by_id(connection, new.user)
    else:
        person = person_by_name(connection, fold_name(new.user_name or ""))
    if person is None or not person.is_active:
        raise Problem("bad request", "server.no_such_person", name=new.user_name or new.user or "")
    return person


def _ensure_may_be(person: Person, role: MemberRole) -> None:
    if role == "teacher" and person.role == "student":
        raise Problem("bad request", "server.student_teaches", name=person.shown_name)


def _require_member(connection: Connection, course: str, user: str) -> str:
    role = connection.execute(
        select(members.c.role).where(members.c.course_id == course, members.c.user_id == user)
    ).scalar()
    if role is None:
        raise not_found("server.noun_member")
    return str(role)


def _ensure_another_teacher(connection: Connection, course: str, user: str) -> None:
    # Two who leave at once must not both see the other: one waits for the course's row.
    connection.execute(select(courses.c.id).where(courses.c.id == course).with_for_update())
    another = connection.execute(
        select(members.c.user_id)
        .where(
            members.c.course_id == course,
            members.c.role == "teacher",
            members.c.user_id != user,
        )
        .limit(1)
    ).first()
    if another is None:
        raise Problem("conflict", "server.last_teacher")


def _page(
    connection: Connection,
    course: str,
    conditions: Sequence[ColumnElement[bool]],
    limit: int,
    offset: int,
) -> tuple[list[MemberShape], int]:
    inside = (members.c.course_id == course, *conditions)
    joined = members.join(users)
    total = connection.execute(select(func.count()).select_from(joined).where(*inside)).scalar_one()
    handed_in: Any = (
        select(func.count())
        .select_from(submissions.join(assignments))
        .where(assignments.c.course_id == course, submissions.c.user_id == users.c.id)
        .correlate(users)
        .scalar_subquery()
    )
    rows = connection.execute(
        select(
            *(users.c.id, users.c.name, users.c.shown_name, members.c.role, members.c.made_on),
            handed_in.label("submissions"),
            (users.c.role != "student").label("may_teach"),
        )
        .select_from(joined)
        .where(*inside)
        .order_by(users.c.shown_name, users.c.id)
        .limit(limit)
        .offset(offset)
    )
    return [MemberShape.model_validate(row) for row in rows], total
