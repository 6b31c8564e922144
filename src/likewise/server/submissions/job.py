"""The job that checks what was handed in to an assignment; its class goes on from where it was.

One job of an assignment runs at a time, so that each finds what the one before has kept. It may be
killed at any moment: what archives hold is written down before anything is checked, and what has a
check is never checked again.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from sqlalchemy import Connection, Row, select, update

from likewise.catalogue import Message
from likewise.errors import BadInput, ReadingError
from likewise.front import CheckOptions
from likewise.library import Batch, BatchSoFar, Filters, batch_view, check_batch
from likewise.model import Check, Document, Unread
from likewise.reading import read_bytes
from likewise.reading.submissions import NAMELESS
from likewise.report.batch import with_order
from likewise.report.storage import unpack_check
from likewise.report.view import BatchView
from likewise.results import check_at_level
from likewise.server.assignments.files import read_all
from likewise.server.assignments.rules import Assignment
from likewise.server.assignments.service import assignment_of
from likewise.server.caller import Caller
from likewise.server.checks.job_inputs import job_progress, source_filters
from likewise.server.checks.request import CheckingRequest
from likewise.server.checks.service import read_packed_result
from likewise.server.checks.web import check_class_with_web
from likewise.server.courses.permissions import courses
from likewise.server.database import tables
from likewise.server.jobs.work import Cancelled, WaitsForTurn, Work
from likewise.server.people.users import person_by_id
from likewise.server.permissions import ensure_may_add
from likewise.server.problems import with_file
from likewise.server.submissions.attempts import is_unread, last_attempts
from likewise.server.submissions.earlier_attempts import note_earlier_attempts
from likewise.server.submissions.enqueueing import owner_of
from likewise.server.submissions.keeping import save
from likewise.server.submissions.naming import document_names, kept_ids, owners_of
from likewise.server.submissions.opening import Files, open_archives, read_documents

assignments, batches, jobs = tables.assignments, tables.batches, tables.jobs
submissions = tables.submissions
_OUR_LIBRARY = "Likewise"  # where the institution has not said what it is called


@dataclass(frozen=True, slots=True)
class ClassNow:
    """What was handed in until now."""

    rows: Sequence[Row[Any]]  # of all attempts
    last: Sequence[Row[Any]]  # of last attempts
    checked: Sequence[Row[Any]]  # of these, one for each check
    waiting: Sequence[Row[Any]]  # of these, those that this job has to check
    replaced: Sequence[Row[Any]]  # attempts that it has to check, and that others have followed


def check_submissions(work: Work) -> Mapping[str, Any]:
    """Open archives, check what is new, and show the class as it is with it."""
    assignment = _take_turn(work)
    with Files(work) as files:
        open_archives(work, assignment, files)
        with work.context.store.reading() as connection:
            now = _class_now(connection, assignment.id, files)
            names = document_names(assignment, now.rows, names_of_checks(connection, now.rows))
        documents, failed = read_documents(work, files, assignment, now.waiting, names)
        unread = [*_nameless(assignment, files.unread), *_unread_before(now.last, names), *failed]
        earlier = read_checks(work, now.checked)
        batch = _check(work, assignment, now, documents, unread, names, earlier)
        view = None if batch is None else batch_view(batch, job_progress(work))
        if view is not None:
            view = with_order(view, _turns(work, now, view))
        # What nobody will look at first is checked last, against the class as it is now.
        replaced, lost = read_documents(work, files, assignment, now.replaced, names)
        done = () if batch is None else batch.checks
        others = _check(work, assignment, now, replaced, lost, names, done) if replaced else None
        checks = {one.name: one for each in (batch, others) if each for one in each.checks}
        unreadable = [
            *unread,
            *lost,
            *(one for each in (batch, others) if each for one in each.unread),
        ]
        return save(
            work,
            assignment,
            files,
            [*now.waiting, *now.replaced],
            names,
            [*documents, *replaced],
            {one.name: one.reason for one in unreadable},
            checks,
            view,
        )


def _take_turn(work: Work) -> Assignment:
    """The assignment, once no other of its jobs runs."""
    with work.context.store.beside() as connection:
        id = work.job.request["assignment"]
        row = connection.execute(select(assignments).where(assignments.c.id == id)).first()
        if row is None or row.batch_id is None:
            raise Cancelled  # it was deleted
        batch = connection.execute(
            select(batches.c.job_id).where(batches.c.id == row.batch_id).with_for_update()
        ).first()
        if batch is None:
            raise Cancelled
        if batch.job_id != work.job.id:
            state = connection.execute(
                select(jobs.c.state).where(jobs.c.id == batch.job_id)
            ).scalar()
            if state == "running":
                raise WaitsForTurn
            own = update(batches).where(batches.c.id == row.batch_id)
            connection.execute(own.values(job_id=work.job.id))
        course = connection.execute(select(courses).where(courses.c.id == row.course_id)).one()
        return assignment_of(row, "teacher", course)


def _class_now(connection: Connection, assignment: str, files: Files) -> ClassNow:
    rows = connection.execute(
        select(submissions)
        .where(submissions.c.assignment_id == assignment)
        .order_by(submissions.c.number, submissions.c.attempt, submissions.c.name)
    ).all()
    last = last_attempts(rows)
    standing = {row.id for row in last}
    unchecked = [
        row
        for row in rows
        if row.check_id is None
        and row.withdrawn_on is None
        and not is_unread(row)
        and files.holds(bytes(row.sha256))
    ]
    checked = {row.check_id: row for row in last if row.check_id is not None}
    waiting = [row for row in unchecked if row.id in standing]
    replaced = [row for row in unchecked if row.id not in standing]
    return ClassNow(rows, last, list(checked.values()), waiting, replaced)


def names_of_checks(connection: Connection, rows: Sequence[Row[Any]]) -> dict[str, str]:
    if not rows:
        return {}
    check, own = tables.checks.c, submissions.c
    of_assignment = select(own.check_id).where(own.assignment_id == rows[0].assignment_id)
    query = select(check.id, check.name).where(check.id.in_(of_assignment))
    return {row.id: row.name for row in connection.execute(query)}


def _turns(work: Work, now: ClassNow, view: BatchView) -> dict[str, int]:
    """By name when each document of the class was checked; those of one job at the same time."""
    check = tables.checks.c
    ids = [row.check_id for row in now.checked]
    with work.context.store.reading() as connection:
        query = select(check.name, check.made_on).where(check.id.in_(ids))
        made_on = {row.name: row.made_on for row in connection.execute(query)}
    turn = {time: n for n, time in enumerate(sorted(set(made_on.values())))}
    return {
        each.document.name: turn.get(made_on.get(each.document.name), len(turn))
        for each in view.checks
    }


def _nameless(assignment: Assignment, unread: Sequence[Unread]) -> list[Unread]:
    """What archives hold that could not be opened; its path would tell whose it is."""
    if not assignment.row.is_blind:
        return list(unread)
    return [replace(one, name=f"{NAMELESS} {n}") for n, one in enumerate(unread, 1)]


def _unread_before(rows: Sequence[Row[Any]], names: Mapping[str, str]) -> list[Unread]:
    """What earlier jobs could not read of last attempts: the class's report names it too."""
    return [
        Unread(names[row.id], Message.from_plain(json.loads(row.receipt)["unread"]))
        for row in rows
        if row.check_id is None and is_unread(row)
    ]


def _check(
    work: Work,
    assignment: Assignment,
    now: ClassNow,
    documents: Sequence[Document],
    unread: Sequence[Unread],
    names: Mapping[str, str],
    done: Sequence[Check],
) -> Batch | None:
    """New documents against the library and the class; None where nothing can be compared."""
    if not done and not any(document.has_text for document in documents):
        return None
    request = CheckingRequest.model_validate_json(assignment.row.request)
    options = request.options.check_options(
        read_templates(work, assignment.id), work.context.settings.min_share
    )
    with work.context.store.reading() as connection:
        caller = checking_caller(connection, assignment, work.job.user_id)
        filters = source_filters(connection, caller, request.model_dump(mode="json"))
        if request.web is not None and request.web.keep_pages:
            ensure_may_add(connection, caller, request.collection)
        so_far = BatchSoFar(
            checks=done,
            owners=owners_of(now.rows, names),
            not_sources=kept_ids(connection, caller.name, now.rows, names),
        )
    batch = compare(work, caller, request, documents, filters, options, unread, so_far)
    new = {document.name for document in documents}
    row_of = {names[row.id]: row for row in now.rows}  # of several with one check, the last

    def completed(check: Check) -> Check:
        if check.name not in new:
            return check
        at_level = check_at_level(check, request.options.level)
        row = row_of[check.name]
        return note_earlier_attempts(at_level, row, now.rows, names, partial(_read_text, work))

    return replace(
        batch,
        checks=tuple(map(completed, batch.checks)),
        library=work.context.settings.institution or _OUR_LIBRARY,
    )


def compare(
    work: Work,
    caller: Caller,
    request: CheckingRequest,
    documents: Sequence[Document],
    filters: Filters,
    options: CheckOptions,
    unread: Sequence[Unread],
    so_far: BatchSoFar,
) -> Batch:
    """Documents against the library, their class, and the Internet where it is asked."""
    if request.web is not None and documents:
        return check_class_with_web(
            work.context,
            documents,
            request.web.model_dump(mode="json"),
            request.collection,
            caller.name,
            filters,
            options,
            unread,
            job_progress(work),
            so_far,
        )
    return check_batch(
        work.context.library,
        documents,
        filters,
        options,
        handed_in_by=caller.name,
        unread=unread,
        so_far=so_far,
        progress=job_progress(work),
    )


def read_checks(work: Work, rows: Sequence[Row[Any]]) -> list[Check]:
    """The checks that the class has."""
    with work.context.store.reading() as connection:
        packed = [read_packed_result(connection, row.check_id) for row in rows]
    return [unpack_check(one) for one in packed]


def _read_text(work: Work, row: Row[Any]) -> str:
    """What an attempt said, as its check keeps it."""
    return read_checks(work, [row])[0].document.text


def checking_caller(connection: Connection, assignment: Assignment, asked_by: str | None) -> Caller:
    """With whose rights it is checked: those of whoever may log in and teaches the course now."""
    owner = owner_of(connection, assignment, asked_by)
    person = person_by_id(connection, owner) if owner else None
    if person is None or not person.is_active:
        raise BadInput("server.asker_without_login")
    return Caller(person.id, person.name, person.role, address="")


def read_templates(work: Work, assignment: str) -> list[Document]:
    """The assignment's own text, and templates."""
    with work.context.store.reading() as connection:
        stored = read_all(connection, assignment)
    templates = []
    for name, data in stored:
        try:
            templates.append(read_bytes(data, name))
        except ReadingError as error:
            why = with_file(error.message, error.about)
            raise BadInput("server.template_unread", why=why) from error
    return templates
