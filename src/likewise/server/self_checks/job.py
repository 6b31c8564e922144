"""The job of a self-check: what a hand-in would be checked against, and an answer without others.

The text is written down nowhere: neither in the library nor in the cache of what was read. What is
kept for a day is the report as its student may see it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

from sqlalchemy import Row, select, update

from likewise.catalogue import Message
from likewise.errors import BadInput
from likewise.library import BatchSoFar
from likewise.model import Check, Document
from likewise.reading.folder import File, read_files
from likewise.reading.request import ReadOptions
from likewise.report.storage import pack_view
from likewise.report.student import (
    FEWEST_WORDS,
    check_for_student,
    view_for_student,
    web_pages,
)
from likewise.results import check_at_level, check_summary, plain
from likewise.server.assignments.rules import Assignment
from likewise.server.assignments.service import assignment_of
from likewise.server.checks.decisions import report_time
from likewise.server.checks.job_inputs import (
    page_progress,
    read_stored_upload,
    source_filters,
)
from likewise.server.checks.request import CheckingRequest
from likewise.server.context import utc_now
from likewise.server.courses.permissions import courses
from likewise.server.database import tables
from likewise.server.jobs.queue import IS_SELF_CHECK
from likewise.server.jobs.work import Cancelled, Work
from likewise.server.submissions.attempts import last_attempts, last_of
from likewise.server.submissions.job import (
    checking_caller,
    compare,
    names_of_checks,
    read_checks,
    read_templates,
)
from likewise.server.submissions.keeping import receipt_of
from likewise.server.submissions.naming import document_names, kept_ids, owners_of
from likewise.server.submissions.own_reports import open_names

assignments, submissions = tables.assignments, tables.submissions
self_checks = tables.self_checks

_OWN = "self-check"  # the id of what is not handed in, beside those of submissions


def check_unsubmitted(work: Work) -> Mapping[str, Any]:
    """Read, check, and keep what its student may see of it."""
    own = _own_row(work)
    if own.packed is not None:
        return {}
    document, unread = _read(work, own.name)
    receipt = receipt_of({}, document, unread)
    if document is None:
        _keep(work, {"receipt": receipt}, None)
        return {}
    check = _check(work, own, document)
    with work.context.store.reading() as connection:
        names = open_names(connection, dict(check.ids))
    date = report_time(utc_now())
    student_check = check_for_student(
        check, names | web_pages(check), name=own.name, fewest_words=FEWEST_WORDS
    )
    packed = pack_view(view_for_student(student_check, date))
    figures = plain(check_summary(student_check, date)) | {"top": []}
    _keep(work, {"receipt": receipt, "figures": figures}, packed)
    return {}


def _own_row(work: Work) -> Row[Any]:
    with work.context.store.reading() as connection:
        query = select(self_checks).where(
            self_checks.c.id == work.job.request[IS_SELF_CHECK], self_checks.c.ends_on > utc_now()
        )
        row = connection.execute(query).first()
    if row is None:
        raise Cancelled  # it was deleted, or handed in
    return row


def _read(work: Work, name: str) -> tuple[Document | None, Message | None]:
    """The document, or why there is none; what was read is not remembered."""
    _, data = read_stored_upload(work.context, work.job.request["upload"])
    work.report_progress("reading", 0, 0)
    tell_page = page_progress(work)
    documents, unread = read_files(
        [File(name, lambda: data)],
        ReadOptions(cache=False),
        lambda _stage, done, total: tell_page(done, total),
    )
    if not documents:
        return None, unread[0].reason if unread else Message("core.no_text")
    document, most = documents[0], work.context.config.most_text_bytes
    if len(document.text) > most:
        return None, Message("server.text_too_long", {"n": len(document.text), "most": most})
    return (document, None) if document.has_text else (None, Message("core.no_text"))


def _check(work: Work, own: Row[Any], document: Document) -> Check:
    """Against what a hand-in would be checked against, without the student's own and the group."""
    assignment, rows = _class_of(work, own.assignment_id)
    mine = [row for row in rows if row.user_id == own.user_id]
    asked = SimpleNamespace(
        id=_OWN,
        number=mine[-1].number if mine else 0,
        student="",
        group_name=last_of(mine)[0].group_name if last_of(mine) else None,
        name=own.name,
        sha256=own.sha256,
        check_id=None,
    )
    all_rows = [*rows, cast(Row[Any], asked)]
    request = CheckingRequest.model_validate_json(assignment.row.request)
    options = request.options.check_options(
        read_templates(work, assignment.id), work.context.settings.min_share
    )
    with work.context.store.reading() as connection:
        names = document_names(assignment, all_rows, names_of_checks(connection, rows))
        caller = checking_caller(connection, assignment, None)
        filters = source_filters(connection, caller, request.model_dump(mode="json"))
        not_sources = kept_ids(connection, caller.name, all_rows, names)
    checked = {row.check_id: row for row in last_attempts(rows) if row.check_id is not None}
    so_far = BatchSoFar(
        checks=read_checks(work, list(checked.values())),
        owners=owners_of(all_rows, names),
        not_sources=not_sources,
    )
    document = replace(document, name=names[_OWN])
    if request.web is not None:
        own_web = request.web.model_copy(update={"keep_pages": False})
        request = request.model_copy(update={"web": own_web})
    batch = compare(work, caller, request, [document], filters, options, (), so_far)
    found = next((one for one in batch.checks if one.name == document.name), None)
    if found is None:
        raise BadInput("core.nothing_to_check")
    return check_at_level(found, request.options.level)


def _class_of(work: Work, id: str) -> tuple[Assignment, list[Row[Any]]]:
    """The assignment, and what was handed in to it until now."""
    with work.context.store.reading() as connection:
        row = connection.execute(select(assignments).where(assignments.c.id == id)).first()
        if row is None:
            raise Cancelled
        course = connection.execute(select(courses).where(courses.c.id == row.course_id)).one()
        rows = connection.execute(
            select(submissions)
            .where(submissions.c.assignment_id == id)
            .order_by(submissions.c.number, submissions.c.attempt, submissions.c.name)
        ).all()
    return assignment_of(row, "teacher", course), list(rows)


def _keep(work: Work, known: Mapping[str, Any], packed: bytes | None) -> None:
    """Write the answer down, unless it was deleted or handed in meanwhile."""
    work.report_progress("keeping", 0, 0)
    with work.context.store.beside() as connection:
        query = select(self_checks).where(
            self_checks.c.id == work.job.request[IS_SELF_CHECK], self_checks.c.ends_on > utc_now()
        )
        row = connection.execute(query.with_for_update()).first()
        if row is None:
            raise Cancelled
        summary = json.loads(row.summary or "{}") | known
        own = update(self_checks).where(self_checks.c.id == row.id)
        connection.execute(
            own.values(summary=json.dumps(summary, ensure_ascii=False), packed=packed)
        )
