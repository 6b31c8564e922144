"""Submissions as they are sent: of an assignment, of one student, alone."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from sqlalchemy import ColumnElement, Connection, Row, and_, case, func, literal, or_, select

from likewise.server.assignments.counts import last_attempts
from likewise.server.assignments.rules import Assignment
from likewise.server.assignments.service import assignment_of, find_assignment
from likewise.server.caller import Caller
from likewise.server.checks.selection import similar_share
from likewise.server.checks.service import read_later_shares
from likewise.server.context import ServerContext, utc_now
from likewise.server.courses.permissions import (
    assignments,
    courses,
    members,
    standings,
    taught_by,
)
from likewise.server.database import tables
from likewise.server.jobs.listing import error_for_student
from likewise.server.jobs.queue import error_fields, error_of
from likewise.server.problems import Problem, not_found
from likewise.server.shapes import contains_text
from likewise.server.submissions.own_reports import read_own_summary
from likewise.server.submissions.service import find_submission
from likewise.server.submissions.shapes import (
    HistoryItem,
    ReadingReceipt,
    StudentShape,
    SubmissionDetail,
    SubmissionShape,
    SubmissionState,
)

submissions, checks, jobs = tables.submissions, tables.checks, tables.jobs
users = tables.users
Sort = Literal["student", "number", "-handed_in_on", "-similar"]

_LAST = last_attempts()
_IS_UNREAD = and_(submissions.c.receipt.is_not(None), submissions.c.receipt.contains('"unread": {'))
_STATE = case(
    (submissions.c.check_id.is_not(None), "checked"),
    (_IS_UNREAD, "unread"),
    (jobs.c.state.in_(("queued", "running")), "waiting"),
    (submissions.c.attempt < _LAST.c.attempt, "replaced"),
    (jobs.c.state == "cancelled", "cancelled"),
    else_="failed",
)
_COLUMNS = (
    *submissions.c,
    _LAST.c.attempt.label("last_attempt"),
    _STATE.label("state"),
    checks.c.summary.label("check_summary"),
    checks.c.name.label("check_name"),
    jobs.c.state.label("job_state"),
    jobs.c.error.label("job_error"),
)
_JOINED = (
    submissions.join(
        _LAST,
        and_(
            submissions.c.assignment_id == _LAST.c.assignment_id,
            submissions.c.number == _LAST.c.number,
        ),
    )
    .outerjoin(checks, checks.c.id == submissions.c.check_id)
    .outerjoin(jobs, jobs.c.id == submissions.c.job_id)
)
_PRESENT = submissions.c.withdrawn_on.is_(None)


@dataclass(frozen=True, slots=True)
class SubmissionFilters:
    """Which of an assignment's submissions are meant."""

    attempts: Literal["last", "all"] = "last"
    late: bool | None = None
    state: SubmissionState | None = None
    search: str = ""
    sort: Sort = "student"


def list_of_assignment(
    context: ServerContext,
    caller: Caller,
    id: str,
    filters: SubmissionFilters,
    limit: int,
    offset: int,
) -> tuple[list[SubmissionShape], int]:
    """One page: to teachers of all students, to a student of the own ones."""
    with context.store.reading() as connection:
        assignment = find_assignment(connection, caller, id)
        if assignment.standing == "administrator":
            raise Problem("not allowed", "server.course_teachers")
        conditions = [submissions.c.assignment_id == id, _PRESENT]
        if not assignment.teaches:
            conditions.append(submissions.c.user_id == caller.id)
        if filters.attempts == "last":
            conditions.append(submissions.c.attempt == _LAST.c.attempt)
        if filters.late is not None:
            conditions.append(submissions.c.is_late.is_(filters.late))
        if filters.state is not None:
            conditions.append(literal(filters.state) == _STATE)
        hides = assignment.teaches and assignment.hides_names
        for word in filters.search.split():
            conditions.append(_holds(word, hides=hides))
        order = _order(connection, filters.sort, hides=hides)
        rows, total = _page(connection, conditions, order, limit, offset)
        batch = assignment.row.batch_id if assignment.teaches else None
        later = read_later_shares(connection, batch)
        return [shape(connection, row, assignment, caller, later) for row in rows], total


def _holds(word: str, *, hides: bool) -> ColumnElement[bool]:
    number = int(word) if word.isascii() and word.isdigit() and len(word) < 9 else -1
    is_number = submissions.c.number == number
    if hides:
        return is_number
    named = (submissions.c.student, submissions.c.name, submissions.c.group_name)
    return or_(is_number, *(contains_text(column, word) for column in named))


def _order(connection: Connection, sort: Sort, *, hides: bool) -> list[ColumnElement[Any]]:
    own = submissions.c
    behind: list[Any] = [own.number.asc(), own.attempt.desc()]
    behind.append(own.id.asc() if hides else own.name.asc())
    if sort == "-handed_in_on":
        return [own.handed_in_on.desc(), *behind]
    if sort == "-similar":
        return [similar_share(connection).desc().nulls_last(), *behind]
    if sort == "number" or hides:
        return behind
    return [own.student.asc(), *behind]


def _page(
    connection: Connection,
    conditions: Sequence[ColumnElement[bool]],
    order: Sequence[ColumnElement[Any]],
    limit: int,
    offset: int,
) -> tuple[list[Row[Any]], int]:
    total = connection.execute(
        select(func.count()).select_from(_JOINED).where(*conditions)
    ).scalar_one()
    rows = connection.execute(
        select(*_COLUMNS)
        .select_from(_JOINED)
        .where(*conditions)
        .order_by(*order, submissions.c.id)
        .limit(limit)
        .offset(offset)
    ).all()
    return list(rows), total


def show_submission(context: ServerContext, caller: Caller, id: str) -> SubmissionDetail:
    """One file, and what else its student has handed in to the assignment."""
    with context.store.reading() as connection:
        found, assignment = find_submission(connection, caller, id)
        of_student = (
            submissions.c.assignment_id == found.assignment_id,
            submissions.c.number == found.number,
            _PRESENT,
        )
        order = (submissions.c.attempt.desc(), submissions.c.name.asc())
        rows, _ = _page(connection, of_student, order, 10_000, 0)
        each = {row.id: shape(connection, row, assignment, caller) for row in rows}
        own = each.pop(id, None)
        if own is None:
            raise not_found("server.noun_submission")
        return SubmissionDetail(
            **own.model_dump(),
            assignment_name=assignment.row.name,
            course=assignment.row.course_id,
            course_name=assignment.course_name,
            others=list(each.values()),
        )


def list_own(
    context: ServerContext, caller: Caller, search: str, limit: int, offset: int
) -> tuple[list[HistoryItem], int]:
    """One page of what the caller has handed in, in all courses; the newest first."""
    with context.store.reading() as connection:
        conditions = [submissions.c.user_id == caller.id]
        return _history(connection, caller, conditions, search, limit, offset)


def list_of_student(
    context: ServerContext, caller: Caller, user: str, limit: int, offset: int
) -> tuple[list[HistoryItem], int]:
    """One page of what a student has handed in to the courses that the caller teaches."""
    if user == caller.id:
        return list_own(context, caller, "", limit, offset)
    with context.store.reading() as connection:
        studies = select(members.c.user_id).where(
            members.c.user_id == user,
            members.c.role == "student",
            members.c.course_id.in_(taught_by(caller)),
        )
        handed_in = (
            select(submissions.c.id)
            .join_from(submissions, assignments)
            .where(submissions.c.user_id == user, assignments.c.course_id.in_(taught_by(caller)))
        )
        if not any(connection.execute(query.limit(1)).first() for query in (studies, handed_in)):
            raise not_found("server.noun_student")
        visible = select(assignments.c.id).where(
            assignments.c.course_id.in_(taught_by(caller)),
            or_(~assignments.c.is_blind, assignments.c.unveiled_on.is_not(None)),
        )
        conditions = [submissions.c.user_id == user, submissions.c.assignment_id.in_(visible)]
        return _history(connection, caller, conditions, "", limit, offset)


def _history(
    connection: Connection,
    caller: Caller,
    conditions: Sequence[ColumnElement[bool]],
    search: str,
    limit: int,
    offset: int,
) -> tuple[list[HistoryItem], int]:
    named = [contains_text(submissions.c.name, word) for word in search.split()]
    order = (submissions.c.handed_in_on.desc(), submissions.c.name.asc())
    rows, total = _page(connection, [*conditions, *named, _PRESENT], order, limit, offset)
    assignment_rows = connection.execute(
        select(assignments).where(assignments.c.id.in_({row.assignment_id for row in rows}))
    ).all()
    course_of = {
        course.id: course
        for course in connection.execute(
            select(courses).where(courses.c.id.in_({one.course_id for one in assignment_rows}))
        )
    }
    known = standings(connection, caller)
    of_id = {
        one.id: assignment_of(one, known.get(one.course_id, "student"), course_of[one.course_id])
        for one in assignment_rows
    }
    return [
        HistoryItem(
            course=of_id[row.assignment_id].row.course_id,
            course_name=of_id[row.assignment_id].course_name,
            assignment=row.assignment_id,
            assignment_name=of_id[row.assignment_id].row.name,
            submission=shape(connection, row, of_id[row.assignment_id], caller),
        )
        for row in rows
    ], total


def list_students(
    context: ServerContext, caller: Caller, search: str, limit: int, offset: int
) -> tuple[list[StudentShape], int]:
    """One page of the accounts that study in the caller's courses, by name."""
    with context.store.reading() as connection:
        studying = (members.c.role == "student", members.c.course_id.in_(taught_by(caller)))
        conditions: list[ColumnElement[bool]] = [
            users.c.id.in_(select(members.c.user_id).where(*studying))
        ]
        for word in search.split():
            named = (users.c.name, users.c.shown_name)
            conditions.append(or_(*(contains_text(column, word) for column in named)))
        total = connection.execute(
            select(func.count()).select_from(users).where(*conditions)
        ).scalar_one()
        in_courses: Any = (
            select(func.count())
            .select_from(members)
            .where(*studying, members.c.user_id == users.c.id)
            .correlate(users)
            .scalar_subquery()
        )
        handed_in: Any = (
            select(func.count())
            .select_from(submissions.join(assignments))
            .where(
                submissions.c.user_id == users.c.id,
                assignments.c.course_id.in_(taught_by(caller)),
            )
            .correlate(users)
            .scalar_subquery()
        )
        rows = connection.execute(
            select(
                *(users.c.id, users.c.name, users.c.shown_name),
                in_courses.label("courses"),
                handed_in.label("submissions"),
            )
            .where(*conditions)
            .order_by(users.c.shown_name, users.c.id)
            .limit(limit)
            .offset(offset)
        )
        return [StudentShape.model_validate(row) for row in rows], total


def shape(
    connection: Connection,
    row: Row[Any],
    assignment: Assignment,
    caller: Caller,
    later_shares: Mapping[str, float] | None = None,
) -> SubmissionShape:
    """A file as its teachers may see it, or its student."""
    teaches = assignment.teaches
    hides = teaches and assignment.hides_names
    may_read = row.check_id is not None and (
        teaches or (row.user_id == caller.id and assignment.shows_reports_to_students(utc_now()))
    )
    failed = row.state in ("failed", "cancelled")
    error = None
    if failed:
        error = error_of("failed", row.job_error) if teaches else error_for_student(row.job_error)
    receipt = None
    if row.receipt is not None:
        known: dict[str, Any] = json.loads(row.receipt)
        receipt = ReadingReceipt(**{k: v for k, v in known.items() if k != "platform_id"})
        if not known.keys() - {"platform_id"}:
            receipt = None
    is_last = row.attempt == row.last_attempt
    return SubmissionShape(
        id=row.id,
        assignment=row.assignment_id,
        # One after the other they would tell how many have handed in.
        number=row.number if teaches or assignment.row.is_blind else 0,
        student=None if hides else row.student,
        user=None if hides else row.user_id,
        attempt=row.attempt,
        attempts=row.last_attempt,
        is_last=is_last,
        group=None if hides else row.group_name,
        name=None if hides else row.name,
        size=row.size,
        sha256=bytes(row.sha256).hex(),
        handed_in_on=row.handed_in_on,
        is_late=row.is_late,
        state=row.state,
        receipt=receipt,
        check=row.check_id if teaches else None,
        later_share=(later_shares or {}).get(row.check_name) if is_last else None,
        may_read_report=may_read,
        summary=_summary(connection, row, assignment) if may_read else None,
        **error_fields(error),
    )


def _summary(connection: Connection, row: Row[Any], assignment: Assignment) -> Any:
    """The figures of a check; to students those of the report that they see."""
    if not assignment.teaches:
        return read_own_summary(connection, row, assignment)
    return json.loads(row.check_summary) if row.check_summary else None
