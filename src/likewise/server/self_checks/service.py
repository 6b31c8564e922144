"""Self-checks: asked for, listed, shown and taken back by the student alone."""

from __future__ import annotations

import json
import secrets
from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, insert, select

from likewise.server.assignments.rules import Assignment
from likewise.server.assignments.service import find_assignment
from likewise.server.caller import Caller
from likewise.server.checks.start import ensure_checkable, is_archive
from likewise.server.context import ServerContext, utc_now
from likewise.server.database import tables
from likewise.server.http.form_parts import ReceivedFile
from likewise.server.jobs.listing import error_for_student
from likewise.server.jobs.queue import IS_SELF_CHECK, enqueue, error_fields
from likewise.server.jobs.uploads import keep_upload
from likewise.server.people.audit import record_act
from likewise.server.people.users import person_by_id
from likewise.server.privacy.consent_texts import ensure_current_consent
from likewise.server.privacy.self_checks import KEEP, count_left, forget_self_checks
from likewise.server.problems import Problem, not_found
from likewise.server.reports.routes import RenderInput
from likewise.server.self_checks.shapes import (
    SelfCheckInput,
    SelfCheckShape,
    SelfChecksShape,
    SelfCheckState,
)
from likewise.server.submissions.own_reports import note_reading

self_checks, jobs, users = tables.self_checks, tables.jobs, tables.users

_COLUMNS = (
    *(column for column in self_checks.c if column.name != "packed"),
    self_checks.c.packed.is_not(None).label("is_checked"),
    jobs.c.state.label("job_state"),
    jobs.c.error.label("job_error"),
)
_JOINED = self_checks.outerjoin(jobs, jobs.c.id == self_checks.c.job_id)


def ensure_may_self_check(context: ServerContext, caller: Caller, id: str) -> None:
    """Refuse before a long upload comes in."""
    with context.store.reading() as connection:
        _find_open(connection, caller, id)


def _find_open(connection: Connection, caller: Caller, id: str) -> Assignment:
    """An assignment of which the caller may check something now."""
    assignment, now = _find_studied(connection, caller, id), utc_now()
    rules = assignment.rules
    if not rules.self_checks:
        raise Problem("not allowed", "server.no_self_checks")
    if assignment.is_course_closed:
        raise Problem("conflict", "server.course_closed")
    if not assignment.takes_self_checks(now):
        raise Problem("conflict", "server.self_checks_over")
    waiting = (
        select(self_checks.c.id)
        .select_from(_JOINED)
        .where(self_checks.c.user_id == caller.id, jobs.c.state.in_(("queued", "running")))
    )
    if connection.execute(waiting.limit(1)).first() is not None:
        raise Problem("conflict", "server.self_check_waits")
    if not count_left(connection, id, caller.id, rules.self_checks_a_day, now):
        raise Problem("too many requests", "server.many_self_checks", n=rules.self_checks_a_day)
    return assignment


def _find_studied(connection: Connection, caller: Caller, id: str) -> Assignment:
    """For students of the course: others have nothing to do with what is not handed in."""
    assignment = find_assignment(connection, caller, id)
    if assignment.standing != "student":
        raise Problem("not allowed", "server.no_self_checks")
    return assignment


def ask_self_check(
    context: ServerContext,
    caller: Caller,
    id: str,
    request: SelfCheckInput,
    files: Sequence[ReceivedFile],
) -> SelfCheckShape:
    """Accept one file with its job, or nothing."""
    if len(files) != 1:
        raise Problem("bad request", "server.one_file")
    (file,) = files
    with context.store.beside() as connection:
        # Two at once wait for each other, so that nobody gets past the quota.
        connection.execute(select(users.c.id).where(users.c.id == caller.id).with_for_update())
        _find_open(connection, caller, id)
        ensure_current_consent(connection, request.consent)
        if is_archive(file):
            raise Problem("unsupported file", "server.archive_alone", name=file.name)
        ensure_checkable(context, file.name, file.size)
        upload, own, now = keep_upload(connection, caller, file), secrets.token_hex(12), utc_now()
        asked = {IS_SELF_CHECK: own, "assignment": id, "upload": upload}
        job = enqueue(connection, "check", caller.id, asked)
        connection.execute(
            insert(self_checks).values(
                id=own,
                assignment_id=id,
                user_id=caller.id,
                job_id=job,
                name=file.name or "file",
                sha256=file.sha256,
                made_on=now,
                ends_on=now + KEEP,
                summary=json.dumps({"size": file.size}),
                packed=None,
            )
        )
        record_act(connection, caller, "self-check asked", id)
        return _shape(_find(connection, caller, own))


def list_self_checks(context: ServerContext, caller: Caller, id: str) -> SelfChecksShape:
    """The caller's own of an assignment, the newest first."""
    with context.store.reading() as connection:
        assignment, now = _find_studied(connection, caller, id), utc_now()
        a_day = assignment.rules.self_checks_a_day
        left = count_left(connection, id, caller.id, a_day, now)
        rows = _rows(connection, caller, self_checks.c.assignment_id == id)
        return SelfChecksShape(
            items=[_shape(row) for row in rows],
            a_day=a_day,
            left_today=left if assignment.takes_self_checks(now) else 0,
            until=assignment.deadline,
        )


def show_self_check(context: ServerContext, caller: Caller, id: str) -> SelfCheckShape:
    """One of the caller's own."""
    with context.store.reading() as connection:
        return _shape(_find(connection, caller, id))


def delete_self_check(context: ServerContext, caller: Caller, id: str) -> None:
    """Take it back with its text and its answer; it still counts for the day."""
    with context.store.beside() as connection:
        row = _find(connection, caller, id)
        forget_self_checks(connection, self_checks.c.id == row.id)
        record_act(connection, caller, "self-check deleted", row.assignment_id)


def read_report(context: ServerContext, caller: Caller, id: str) -> RenderInput:
    """The answer, with the name of its reader."""
    with context.store.reading() as connection:
        row = _find(connection, caller, id)
        shape = _shape(row)
        if shape.state == "unread":
            raise Problem("not ready", "server.work_unread", details={"state": "unread"})
        if shape.state != "checked":
            key = "server.waits" if shape.state == "waiting" else "server.cancelled_without_result"
            raise Problem("not ready", key, details={"state": shape.state})
        query = select(self_checks.c.packed).where(self_checks.c.id == id)
        packed = bytes(connection.execute(query).scalar_one())
        reader = person_by_id(connection, caller.id)
    note_reading(context, caller, id)
    recipient = caller.name if reader is None else reader.shown_name
    order = {"is_view": True, "recipient": recipient}
    return RenderInput(row, order, [packed])


def _find(connection: Connection, caller: Caller, id: str) -> Row[Any]:
    rows = _rows(connection, caller, self_checks.c.id == id)
    if not rows:
        raise not_found("server.noun_self_check")
    return rows[0]


def _rows(
    connection: Connection, caller: Caller, *conditions: ColumnElement[bool]
) -> Sequence[Row[Any]]:
    """The caller's own whose time is not over."""
    return connection.execute(
        select(*_COLUMNS)
        .select_from(_JOINED)
        .where(self_checks.c.user_id == caller.id, self_checks.c.ends_on > utc_now(), *conditions)
        .order_by(self_checks.c.made_on.desc(), self_checks.c.id)
    ).all()


def _shape(row: Row[Any]) -> SelfCheckShape:
    known: dict[str, Any] = json.loads(row.summary or "{}")
    receipt = known.get("receipt")
    state = _state(row, receipt)
    return SelfCheckShape(
        id=row.id,
        assignment=row.assignment_id,
        name=row.name,
        size=known.get("size", 0),
        sha256=bytes(row.sha256).hex(),
        made_on=row.made_on,
        ends_on=row.ends_on,
        state=state,
        receipt=receipt,
        summary=known.get("figures"),
        **error_fields(
            error_for_student(row.job_error) if state in ("failed", "cancelled") else None
        ),
    )


def _state(row: Row[Any], receipt: dict[str, Any] | None) -> SelfCheckState:
    if row.is_checked:
        return "checked"
    if receipt and receipt.get("unread"):
        return "unread"
    if row.job_state in ("queued", "running"):
        return "waiting"
    return "cancelled" if row.job_state == "cancelled" else "failed"
