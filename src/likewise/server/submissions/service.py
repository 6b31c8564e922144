"""Handing in, and taking back: what is accepted is kept whole, with the job that checks it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, delete, select, update

from likewise.server.assignments.counts import count_own_attempts
from likewise.server.assignments.rules import Assignment, refusal_of_hand_in
from likewise.server.assignments.service import find_assignment, find_taught, lock_assignment
from likewise.server.caller import Caller
from likewise.server.checks.start import ensure_checkable, is_archive
from likewise.server.context import ServerContext, utc_now
from likewise.server.courses.permissions import ensure_teaches, members
from likewise.server.database import tables
from likewise.server.http.form_parts import ReceivedFile
from likewise.server.jobs.queue import retry_job
from likewise.server.jobs.uploads import keep_upload
from likewise.server.people.audit import record_act
from likewise.server.people.users import person_by_id
from likewise.server.privacy.consent_texts import ensure_current_consent
from likewise.server.privacy.self_checks import forget_self_checks
from likewise.server.problems import Problem, not_found
from likewise.server.quotas import ensure_may_check
from likewise.server.shapes import to_stored_time
from likewise.server.submissions import attempts
from likewise.server.submissions.enqueueing import add_to_job, job_for
from likewise.server.submissions.shapes import (
    FileReceipt,
    HandInInput,
    HandInReceipt,
)

submissions, checks = tables.submissions, tables.checks


def ensure_may_hand_in(context: ServerContext, caller: Caller, id: str) -> None:
    """Refuse before a long upload comes in."""
    with context.store.reading() as connection:
        _find_open(connection, caller, id, utc_now())


def hand_in(
    context: ServerContext,
    caller: Caller,
    id: str,
    request: HandInInput,
    files: Sequence[ReceivedFile],
    arrived_on: datetime,
) -> HandInReceipt:
    """Accept files of one student, or of many: all of them with their job, or nothing.

    It counts when they came, not how long others, who came before, are waited for.
    """
    if not files:
        raise Problem("bad request", "server.no_files")
    with context.store.beside() as connection:
        lock_assignment(connection, id)
        assignment = _find_open(connection, caller, id, arrived_on)
        _ensure_may_say(connection, assignment, request, files)
        if assignment.teaches:
            ensure_may_check(connection, context, caller, len(files))
        for file in files:
            if file.kind == "plain":
                ensure_checkable(context, file.name, file.size)
        job = job_for(connection, assignment, caller.id)
        act = _act(caller, assignment, request, job, arrived_on)
        if any(is_archive(file) for file in files):
            uploads = [keep_upload(connection, caller, file) for file in files]
            add_to_job(connection, job, archives=[_archive(act, request, uploads)])
            ids: list[str] = []
        else:
            ids = _take_files(connection, caller, assignment, act, request, files)
        if not assignment.teaches:  # what is handed in need not be checked beside that
            theirs = tables.self_checks.c
            hashes = [file.sha256 for file in files]
            forget_self_checks(connection, theirs.user_id == caller.id, theirs.sha256.in_(hashes))
        record_act(connection, caller, "submissions handed in", id, files=len(files))
        return _receipt(connection, assignment, act, job, ids, files)


def _find_open(connection: Connection, caller: Caller, id: str, now: datetime) -> Assignment:
    """One to which the caller may hand in at a time."""
    assignment = find_assignment(connection, caller, id)
    own = count_own_attempts(connection, [id], caller.id).get(id, 0)
    refusal = refusal_of_hand_in(assignment, caller, now, own)
    if refusal is not None:
        raise refusal
    return assignment


def _ensure_may_say(
    connection: Connection,
    assignment: Assignment,
    request: HandInInput,
    files: Sequence[ReceivedFile],
) -> None:
    """Whether what goes with the files is the caller's to say."""
    if not assignment.teaches:
        of_teachers = (request.student, request.user, request.groups, request.handed_in_on)
        if any(of_teachers):
            raise Problem("not allowed", "server.teachers_only_fields")
        if request.group and not assignment.rules.may_name_group:
            raise Problem("not allowed", "server.no_group_here")
        if packed := next((file for file in files if is_archive(file)), None):
            raise Problem("unsupported file", "server.archive_alone", name=packed.name)
        ensure_current_consent(connection, request.consent)
    if request.user is not None:
        query = select(members.c.user_id).where(
            members.c.course_id == assignment.row.course_id, members.c.user_id == request.user
        )
        if connection.execute(query).first() is None:
            raise Problem("bad request", "server.no_such_person", name=request.user)
    if request.consent is not None:
        consents = tables.consent_texts.c
        query = select(consents.id).where(consents.id == request.consent)
        if connection.execute(query).first() is None:
            raise not_found("server.noun_consent_text")


def _act(
    caller: Caller, assignment: Assignment, request: HandInInput, job: str, arrived_on: datetime
) -> attempts.HandIn:
    is_own = not assignment.teaches
    given: datetime | None = request.handed_in_on
    return attempts.HandIn(
        by=caller.id,
        user=caller.id if is_own else request.user,
        handed_in_on=arrived_on if given is None else to_stored_time(given),
        is_timed=is_own or given is not None,
        consent=request.consent,
        job=job,
    )


def _archive(act: attempts.HandIn, request: HandInInput, uploads: Sequence[str]) -> dict[str, Any]:
    """A hand-in whose files are known when its archives are opened, as its job is told."""
    return {
        "uploads": list(uploads),
        "by": act.by,
        "user": act.user,
        "on": act.handed_in_on.isoformat(),
        "is_timed": act.is_timed,
        "consent": act.consent,
        "student": request.student,
        "group": request.group,
        "groups": dict(request.groups),
    }


def _take_files(
    connection: Connection,
    caller: Caller,
    assignment: Assignment,
    act: attempts.HandIn,
    request: HandInInput,
    files: Sequence[ReceivedFile],
) -> list[str]:
    student = request.student
    if act.user is not None:
        person = person_by_id(connection, act.user)
        student = person.shown_name if person is not None else caller.name
    named = attempts.files_by_names(
        [file.name for file in files],
        [(file.size, file.sha256) for file in files],
        student=student,
        groups=request.groups,
        group=request.group,
    )
    ids = attempts.take(connection, assignment, act, named)
    rows = connection.execute(select(submissions).where(submissions.c.id.in_(ids))).all()
    upload_of: dict[bytes, str] = {}
    for file in files:
        wanted = any(bytes(row.sha256) == file.sha256 and row.check_id is None for row in rows)
        if wanted and file.sha256 not in upload_of:
            upload_of[file.sha256] = keep_upload(connection, caller, file)
    to_check = {
        row.id: upload_of[bytes(row.sha256)]
        for row in rows
        if row.check_id is None and bytes(row.sha256) in upload_of
    }
    if to_check:
        add_to_job(connection, act.job, files=to_check)
    return ids


def _receipt(
    connection: Connection,
    assignment: Assignment,
    act: attempts.HandIn,
    job: str,
    ids: Sequence[str],
    files: Sequence[ReceivedFile],
) -> HandInReceipt:
    query = select(submissions).where(submissions.c.assignment_id == assignment.id)
    if ids:
        query = query.where(submissions.c.id.in_(ids))
    else:  # what came again, as it was taken the first time
        query = query.where(submissions.c.sha256.in_([file.sha256 for file in files]))
        if act.user is not None:
            query = query.where(submissions.c.user_id == act.user)
    query = query.where(submissions.c.withdrawn_on.is_(None))
    rows = connection.execute(query.order_by(submissions.c.number, submissions.c.name)).all()
    if not ids and rows:
        last = max(row.attempt for row in rows)
        rows = [row for row in rows if row.attempt == last]
    of_one = len({row.number for row in rows}) == 1
    return HandInReceipt(
        job=job,
        handed_in_on=act.handed_in_on,
        is_late=any(row.is_late for row in rows),
        is_new=bool(ids) or not rows,
        attempt=rows[0].attempt if of_one else None,
        files=[
            FileReceipt(id=row.id, name=row.name, size=row.size, sha256=bytes(row.sha256).hex())
            for row in rows
        ],
    )


def delete_attempt(context: ServerContext, caller: Caller, id: str) -> None:
    """Take the attempt out to which a file belongs, with its checks; one before it counts again."""
    with context.store.reading() as connection:
        assignment_id = find_submission(connection, caller, id)[0].assignment_id
    with context.store.beside() as connection:
        lock_assignment(connection, assignment_id)
        row, assignment = find_submission(connection, caller, id)
        ensure_teaches(assignment.standing)
        attempt = (
            submissions.c.assignment_id == row.assignment_id,
            submissions.c.number == row.number,
            submissions.c.attempt == row.attempt,
        )
        rows = connection.execute(select(submissions).where(*attempt)).all()
        connection.execute(delete(submissions).where(*attempt))
        delete_unused_checks(connection, [one.check_id for one in rows if one.check_id])
        bring_back(connection, assignment)
        job_for(connection, assignment, caller.id)
        record_act(connection, caller, "submission deleted", row.assignment_id, attempt=row.attempt)


def bring_back(connection: Connection, assignment: Assignment) -> None:
    """Let the checks of last attempts, and of them alone, stand in the class."""
    rows = connection.execute(
        select(submissions).where(submissions.c.assignment_id == assignment.id)
    ).all()
    batch = connection.execute(
        select(tables.assignments.c.batch_id).where(tables.assignments.c.id == assignment.id)
    ).scalar()
    current = {row.check_id for row in attempts.last_attempts(rows)}
    for check in sorted({row.check_id for row in rows} - {None}):
        stands = batch if check in current else None
        connection.execute(update(checks).where(checks.c.id == check).values(batch_id=stands))


def delete_unused_checks(connection: Connection, ids: Sequence[str]) -> None:
    """Checks that belong to no other attempt."""
    used = set(
        connection.execute(
            select(submissions.c.check_id).where(submissions.c.check_id.in_(ids))
        ).scalars()
    )
    for id in sorted(set(ids) - used):
        connection.execute(delete(checks).where(checks.c.id == id))


def check_again(context: ServerContext, caller: Caller, id: str) -> list[str]:
    """Try once more what failed or was cancelled, as long as its files are there; its jobs."""
    with context.store.beside() as connection:
        lock_assignment(connection, id)
        find_taught(connection, caller, id)
        query = select(submissions.c.job_id).where(
            submissions.c.assignment_id == id,
            submissions.c.check_id.is_(None),
            submissions.c.withdrawn_on.is_(None),
        )
        batch = select(tables.batches.c.job_id).join_from(tables.batches, tables.assignments)
        newest = batch.where(tables.assignments.c.id == id)
        ids = {*connection.execute(query).scalars(), *connection.execute(newest).scalars()}
        retried = [job for job in sorted(ids - {None}) if retry_job(connection, job)]
        if not retried:
            raise Problem("conflict", "server.nothing_waits")
        record_act(connection, caller, "submissions checked again", id, jobs=len(retried))
        return retried


def find_submission(connection: Connection, caller: Caller, id: str) -> tuple[Row[Any], Assignment]:
    """A file that was handed in, to teachers of its course and to its student."""
    row = connection.execute(select(submissions).where(submissions.c.id == id)).first()
    if row is None:
        raise not_found("server.noun_submission")
    try:
        assignment = find_assignment(connection, caller, row.assignment_id)
    except Problem:
        raise not_found("server.noun_submission") from None
    if not assignment.teaches and row.user_id != caller.id:
        raise not_found("server.noun_submission")
    return row, assignment
