"""Assignments: made, listed, changed, unveiled, deleted."""

from __future__ import annotations

import json
import secrets
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import ColumnElement, Connection, Row, and_, func, insert, or_, select, update

from likewise.server.assignments.counts import count_own_attempts, count_submissions
from likewise.server.assignments.files import list_rows
from likewise.server.assignments.newest_jobs import newest_jobs
from likewise.server.assignments.rules import (
    Assignment,
    ensure_visible,
    refusal_of_hand_in,
)
from likewise.server.assignments.shapes import (
    AssignmentChange,
    AssignmentDetail,
    AssignmentInput,
    AssignmentShape,
    RulesInput,
    SelfCheckQuota,
)
from likewise.server.caller import Caller, ensure_scope
from likewise.server.checks.request import CheckingRequest
from likewise.server.checks.start import ensure_may_keep
from likewise.server.checks.web import ensure_may_ask_web
from likewise.server.classes.service import BatchCounts, count_documents
from likewise.server.context import ServerContext, SiteSettings, read_settings, utc_now
from likewise.server.courses.deletion import delete_assignments
from likewise.server.courses.permissions import (
    assignments,
    courses,
    ensure_teaches,
    find_course,
    members,
    standings,
    taught_by,
)
from likewise.server.courses.service import ensure_open, is_visible_to_students
from likewise.server.courses.shapes import Standing
from likewise.server.database import tables
from likewise.server.people.audit import record_act
from likewise.server.permissions import select_collections
from likewise.server.privacy.self_checks import count_left
from likewise.server.problems import Problem, not_found
from likewise.server.reports.saved import Progress
from likewise.server.shapes import contains_text, to_stored_time

batches, jobs, submissions = tables.batches, tables.jobs, tables.submissions
_DATES = ("opens_on", "due_on", "closes_on")
When = Literal["open", "past"]


def find_assignment(connection: Connection, caller: Caller, id: str) -> Assignment:
    """One of a course that the caller belongs to, where the caller sees it by now."""
    row = connection.execute(select(assignments).where(assignments.c.id == id)).first()
    if row is None:
        raise not_found("server.noun_assignment")
    try:
        course, standing = find_course(connection, caller, row.course_id)
    except Problem:
        raise not_found("server.noun_assignment") from None
    assignment = assignment_of(row, standing, course)
    ensure_visible(assignment, utc_now())
    return assignment


def find_taught(connection: Connection, caller: Caller, id: str) -> Assignment:
    """One that the caller teaches; refuses its students and administrators."""
    assignment = find_assignment(connection, caller, id)
    ensure_teaches(assignment.standing)
    return assignment


def assignment_of(row: Row[Any], standing: Standing, course: Row[Any]) -> Assignment:
    """With what is known of its course."""
    return Assignment(
        row=row,
        standing=standing,
        rules=RulesInput.model_validate_json(row.rules),
        course_name=course.name,
        is_course_closed=course.closed_on is not None,
    )


def list_of_course(
    context: ServerContext, caller: Caller, course: str, search: str, limit: int, offset: int
) -> tuple[list[AssignmentShape], int]:
    """One page of a course's assignments, the next deadline last, those without behind."""
    with context.store.reading() as connection:
        _, standing = find_course(connection, caller, course)
        conditions = [assignments.c.course_id == course, *_named(search)]
        if standing == "student":
            conditions.append(is_visible_to_students())
        order = (assignments.c.due_on.asc().nulls_last(), assignments.c.made_on.desc())
        each = {course: standing}
        return _page(context, connection, caller, each, conditions, order, limit, offset)


def list_own(
    context: ServerContext,
    caller: Caller,
    when: When | None,
    search: str,
    limit: int,
    offset: int,
) -> tuple[list[AssignmentShape], int]:
    """One page of the assignments of all courses that the caller belongs to."""
    with context.store.reading() as connection:
        own = select(members.c.course_id).where(members.c.user_id == caller.id)
        conditions = [
            assignments.c.course_id.in_(own),
            or_(assignments.c.course_id.in_(taught_by(caller)), is_visible_to_students()),
            *_named(search),
        ]
        if when is not None:
            conditions.append(_is_over() if when == "past" else ~_is_over())
        due_on = assignments.c.due_on
        first = due_on.desc() if when == "past" else due_on.asc()
        order = (first.nulls_last(), assignments.c.made_on.desc())
        each = dict(standings(connection, caller))
        return _page(context, connection, caller, each, conditions, order, limit, offset)


def _is_over() -> ColumnElement[bool]:
    """Whether its dates are over, its course is closed, or its class is."""
    end = func.coalesce(assignments.c.closes_on, assignments.c.due_on)
    closed_courses = select(courses.c.id).where(courses.c.closed_on.is_not(None))
    closed_classes = select(batches.c.id).where(batches.c.closed_on.is_not(None))
    return or_(
        and_(end.is_not(None), end <= utc_now()),
        assignments.c.course_id.in_(closed_courses),
        and_(assignments.c.batch_id.is_not(None), assignments.c.batch_id.in_(closed_classes)),
    )


def show_assignment(context: ServerContext, caller: Caller, id: str) -> AssignmentDetail:
    """With its rules; to teachers with all that is known about it."""
    with context.store.reading() as connection:
        assignment = find_assignment(connection, caller, id)
        return _detail(context, connection, caller, assignment)


def make_assignment(
    context: ServerContext, caller: Caller, course: str, new: AssignmentInput
) -> AssignmentDetail:
    """A new one, which its teachers see at once and students when it opens."""
    values = {name: _stored(getattr(new, name)) for name in _DATES}
    _ensure_order(values)
    with context.store.beside() as connection:
        row, standing = find_course(connection, caller, course)
        ensure_teaches(standing)
        ensure_open(row)
        _ensure_may_check(context, connection, caller, new.request)
        id = secrets.token_hex(12)
        connection.execute(
            insert(assignments).values(
                id=id,
                course_id=course,
                batch_id=None,
                user_id=caller.id,
                name=new.name,
                instructions=new.instructions,
                made_on=utc_now(),
                rules=new.rules.model_dump_json(),
                request=json.dumps(new.request.model_dump(mode="json")),
                is_blind=new.is_blind,
                unveiled_on=None,
                keep_days=new.keep_days,
                **values,
            )
        )
        record_act(connection, caller, "assignment made", id, course=course)
    return show_assignment(context, caller, id)


def change_assignment(
    context: ServerContext, caller: Caller, id: str, change: AssignmentChange
) -> AssignmentDetail:
    """What is given; what checks are asked for holds for those that are still to come."""
    with context.store.beside() as connection:
        lock_assignment(connection, id)
        assignment = find_taught(connection, caller, id)
        values = _changed_values(change)
        if "is_blind" in values and values["is_blind"] != assignment.row.is_blind:
            handed_in = select(submissions.c.id).where(submissions.c.assignment_id == id).limit(1)
            if connection.execute(handed_in).first() is not None:
                raise Problem("conflict", "server.blind_too_late")
        _ensure_order({name: getattr(assignment.row, name) for name in _DATES} | values)
        if change.request is not None:
            _ensure_may_check(context, connection, caller, change.request)
        if values:
            connection.execute(update(assignments).where(assignments.c.id == id).values(**values))
            if "name" in values and assignment.row.batch_id is not None:
                own = update(batches).where(batches.c.id == assignment.row.batch_id)
                connection.execute(own.values(name=values["name"]))
            if "due_on" in values:
                _forgive(connection, id, values["due_on"])
            record_act(connection, caller, "assignment changed", id, fields=sorted(values))
    return show_assignment(context, caller, id)


def _forgive(connection: Connection, id: str, due_on: datetime | None) -> None:
    """What came before the new deadline is not late; what was in time stays so, as receipts say.

    Without a deadline only what students have handed in themselves: the rest a platform may mark.
    """
    own = submissions.c
    in_time = own.handed_in_by == own.user_id if due_on is None else own.handed_in_on < due_on
    change = update(submissions).where(own.assignment_id == id, own.is_late, in_time)
    connection.execute(change.values(is_late=False))


def _changed_values(change: AssignmentChange) -> dict[str, Any]:
    given = change.model_fields_set
    values: dict[str, Any] = {
        name: _stored(getattr(change, name)) for name in _DATES if name in given
    }
    for name in ("name", "instructions", "is_blind"):
        if getattr(change, name) is not None:
            values[name] = getattr(change, name)
    if "keep_days" in given:
        values["keep_days"] = change.keep_days
    if change.rules is not None:
        values["rules"] = change.rules.model_dump_json()
    if change.request is not None:
        values["request"] = json.dumps(change.request.model_dump(mode="json"))
    return values


def unveil(context: ServerContext, caller: Caller, id: str) -> AssignmentDetail:
    """Let teachers see whose the works of a blind assignment are; for good."""
    with context.store.beside() as connection:
        lock_assignment(connection, id)
        assignment = find_taught(connection, caller, id)
        if not assignment.hides_names:
            raise Problem("conflict", "server.not_blind")
        own = update(assignments).where(assignments.c.id == id)
        connection.execute(own.values(unveiled_on=utc_now()))
        record_act(connection, caller, "assignment unveiled", id)
    return show_assignment(context, caller, id)


def delete_assignment(
    context: ServerContext, caller: Caller, id: str, *, with_submissions: bool = False
) -> None:
    """With what was handed in and every report of it."""
    with context.store.beside() as connection:
        lock_assignment(connection, id)
        find_taught(connection, caller, id)
        query = select(func.count()).where(submissions.c.assignment_id == id)
        n = connection.execute(query).scalar_one()
        if n and not with_submissions:
            raise Problem("conflict", "server.assignment_not_empty", details={"submissions": n})
        delete_assignments(connection, [id])
        record_act(connection, caller, "assignment deleted", id, submissions=n)


def _self_checks(
    connection: Connection, caller: Caller, assignment: Assignment
) -> SelfCheckQuota | None:
    """How many self-checks a student has left; none where the assignment offers none."""
    if assignment.standing != "student" or not assignment.rules.self_checks:
        return None
    a_day, now = assignment.rules.self_checks_a_day, utc_now()
    left = 0
    if assignment.takes_self_checks(now):
        left = count_left(connection, assignment.id, caller.id, a_day, now)
    return SelfCheckQuota(a_day=a_day, left_today=left, until=assignment.deadline)


def lock_assignment(connection: Connection, id: str) -> None:
    """One after the other changes it; on SQLite one writes at a time in any case."""
    connection.execute(select(assignments.c.id).where(assignments.c.id == id).with_for_update())


def _ensure_may_check(
    context: ServerContext, connection: Connection, caller: Caller, request: CheckingRequest
) -> None:
    """Whether the caller may read and keep what the assignment's checks are asked for."""
    select_collections(connection, caller, request.collections)
    if request.keep:
        ensure_may_keep(connection, caller, request.collection)
    if request.web is not None:
        ensure_scope(caller, "checks:write")
        ensure_may_ask_web(context, for_class=True)
        if request.web.other_languages and not request.options.by_meaning:
            raise Problem("bad request", "internet.languages_by_meaning")
        if request.web.keep_pages:
            ensure_may_keep(connection, caller, request.collection)


def _stored(time: datetime | None) -> datetime | None:
    return None if time is None else to_stored_time(time)


def _ensure_order(dates: dict[str, Any]) -> None:
    given = [dates[name] for name in _DATES if dates.get(name) is not None]
    if given != sorted(given):
        raise Problem("bad request", "server.dates_order")


def _named(search: str) -> list[ColumnElement[bool]]:
    return [contains_text(assignments.c.name, word) for word in search.split()]


def _page(
    context: ServerContext,
    connection: Connection,
    caller: Caller,
    each: dict[str, Standing],
    conditions: Sequence[ColumnElement[bool]],
    order: Sequence[ColumnElement[Any]],
    limit: int,
    offset: int,
) -> tuple[list[AssignmentShape], int]:
    total = connection.execute(
        select(func.count()).select_from(assignments).where(*conditions)
    ).scalar_one()
    rows = connection.execute(
        select(assignments)
        .where(*conditions)
        .order_by(*order, assignments.c.id)
        .limit(limit)
        .offset(offset)
    ).all()
    query = select(courses).where(courses.c.id.in_({row.course_id for row in rows}))
    of_course = {course.id: course for course in connection.execute(query)}
    some = [assignment_of(row, each[row.course_id], of_course[row.course_id]) for row in rows]
    return [
        AssignmentShape.model_validate(fields) for fields in _fields(connection, caller, some)
    ], total


def _fields(
    connection: Connection, caller: Caller, some: Sequence[Assignment]
) -> list[dict[str, Any]]:
    """The fields of `AssignmentShape`."""
    ids, now = [one.id for one in some], utc_now()
    counts = count_submissions(connection, [one.id for one in some if one.teaches])
    attempts = count_own_attempts(connection, ids, caller.id)
    newest = newest_jobs(connection, [one for one in some if one.teaches])
    settings = read_settings(connection)
    levels = _levels(connection, [one for one in some if one.teaches], settings)
    fields = []
    for one in some:
        row, is_student = one.row, one.standing == "student"
        own = attempts.get(row.id, 0)
        fields.append(
            {
                **{name: getattr(row, name) for name in ("id", "name", "made_on", *_DATES)},
                **{name: getattr(row, name) for name in ("is_blind", "unveiled_on")},
                "course": row.course_id,
                "course_name": one.course_name,
                "standing": one.standing,
                "may_hand_in": refusal_of_hand_in(one, caller, now, own) is None,
                "batch": row.batch_id if one.teaches else None,
                "state": _state_of(one, newest) if one.teaches else None,
                "counts": _counts_of(counts, one),
                **dict(zip(("notice_share", "high_share"), one.thresholds(settings), strict=True)),
                "levels": levels.get(row.batch_id),
                "own_attempts": own if is_student else None,
            }
        )
    return fields


def _levels(
    connection: Connection, some: Sequence[Assignment], settings: SiteSettings
) -> dict[str, BatchCounts]:
    """How many works need a look, by class, for those that have a result."""
    ids = [one.row.batch_id for one in some]
    query = select(batches.c.id).where(batches.c.id.in_(ids), batches.c.summary.is_not(None))
    ended = set(connection.execute(query).scalars())
    if not ended:
        return {}
    of_thresholds: dict[tuple[float, float], list[str]] = {}
    for one in some:
        if one.row.batch_id in ended:
            of_thresholds.setdefault(one.thresholds(settings), []).append(one.row.batch_id)
    found = {id: BatchCounts() for id in ended}
    for thresholds, batch_ids in of_thresholds.items():
        found |= count_documents(connection, batch_ids, thresholds)
    return found


def _counts_of(counts: dict[str, Any], one: Assignment) -> Any:
    nothing = {"students": 0, "files": 0, "late": 0, "waiting": 0, "unread": 0}
    return counts.get(one.id, nothing) if one.teaches else None


def _state_of(assignment: Assignment, newest: dict[str, Row[Any]]) -> str | None:
    """Of its newest job; what was checked and whose job is forgotten is done."""
    if assignment.row.batch_id is None:
        return None
    job = newest.get(assignment.id)
    return "done" if job is None else str(job.state)


def _detail(
    context: ServerContext, connection: Connection, caller: Caller, assignment: Assignment
) -> AssignmentDetail:
    (fields,) = _fields(connection, caller, [assignment])
    row, teaches = assignment.row, assignment.teaches
    batch, job = None, None
    if teaches and row.batch_id is not None:
        batch = connection.execute(select(batches).where(batches.c.id == row.batch_id)).first()
        job = newest_jobs(connection, [assignment]).get(row.id)
    has_summary = batch is not None and batch.summary is not None
    return AssignmentDetail.model_validate(
        fields
        | {
            "instructions": row.instructions,
            "rules": assignment.rules,
            "keep_days": row.keep_days,
            "files": list_rows(connection, row.id) if teaches else [],
            "request": json.loads(row.request) if teaches else None,
            "self_checks": _self_checks(connection, caller, assignment),
            "report_from": assignment.reports_from,
            "job": job.id if job is not None else batch and batch.job_id,
            "progress": None
            if job is None
            else Progress(stage=job.stage, done=job.done, total=job.total),
            "summary": json.loads(batch.summary) if batch is not None and has_summary else None,
        }
    )
