"""The report of what a student handed in, as the student may see it, and its figures.

Both are made of the result that is kept, each time anew: what is open to students, and what
teachers have taken out of the count, is so at once. The library is asked for nothing but in which
collections sources stand.
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Row, select

from likewise.library import schema
from likewise.library.metadata import shorten_name
from likewise.reading.submissions import display_name
from likewise.report.student import FEWEST_WORDS
from likewise.results import plain
from likewise.server.assignments.rules import Assignment
from likewise.server.caller import Caller
from likewise.server.checks.decisions import read_decisions
from likewise.server.checks.service import SavedCheck, read_packed_result, saved_checks
from likewise.server.context import ServerContext, utc_now
from likewise.server.database import tables
from likewise.server.jobs.listing import error_for_student
from likewise.server.people import audit
from likewise.server.people.login_throttle import try_request
from likewise.server.people.users import person_by_id
from likewise.server.permissions import collections_open_to_students
from likewise.server.problems import Problem, not_found
from likewise.server.reports.renderer_pool import renderers
from likewise.server.reports.routes import RenderInput
from likewise.server.submissions.service import find_submission

submissions, checks, jobs = tables.submissions, tables.checks, tables.jobs

MOST_READS, SPELL = 600, timedelta(hours=1)  # by one person: reports are made anew each time
_MOST_SUMMARIES = 5_000
_AT_ONCE = 500  # numbers in one question
_NOT_DONE = {
    "queued": "server.waits",
    "running": "server.running",
    "cancelled": "server.cancelled_without_result",
}


def read_own_report(context: ServerContext, caller: Caller, id: str) -> RenderInput:
    """What the report is made of, with the reader's name; it is noted that somebody reads it."""
    with context.store.reading() as connection:
        row, assignment = find_submission(connection, caller, id)
        if row.withdrawn_on is not None:
            raise not_found("server.noun_submission")
        _ensure_shown(assignment)
        check = _find_check(connection, row)
        packed = read_packed_result(connection, check.id)
        name = _name(row, assignment, check)
        order = _order(connection, check, assignment, name)
        reader = person_by_id(connection, caller.id)
    recipient = caller.name if reader is None else reader.shown_name
    note_reading(context, caller, id)
    report = replace(check, name=name)
    return RenderInput(report, order | {"recipient": recipient}, [packed])


def note_reading(context: ServerContext, caller: Caller, id: str) -> None:
    """Leave a line in the audit log; refuses whoever asks without end."""
    with context.store.beside() as connection:
        wait = try_request(connection, f"reports of {caller.id}", MOST_READS, SPELL)
        if not wait:
            audit.record_act(connection, caller, "own report opened", id)
    if wait:
        details = {"retry_after": wait}
        minutes = -(-wait // 60)
        raise Problem("too many requests", "server.report_often", details=details, n=minutes)


def _ensure_shown(assignment: Assignment) -> None:
    """Teachers see at any time what their students would see."""
    if assignment.teaches or assignment.shows_reports_to_students(utc_now()):
        return
    if assignment.reports_from is None:
        raise Problem("not allowed", "server.report_not_shown")
    raise Problem("not allowed", "server.report_not_yet")


def _find_check(connection: Connection, row: Row[Any]) -> SavedCheck:
    """The check of a submission; else it is said why there is none."""
    check = None if row.check_id is None else saved_checks.read(connection, row.check_id)
    if check is not None:
        return check
    unread = json.loads(row.receipt or "{}").get("unread")
    if unread:
        raise Problem("not ready", "server.work_unread", details={"state": "unread"})
    query = select(jobs.c.state, jobs.c.error).where(jobs.c.id == row.job_id)
    job = connection.execute(query).first()
    state = "failed" if job is None else job.state
    if state in _NOT_DONE:
        raise Problem("not ready", _NOT_DONE[state], details={"state": state})
    why = error_for_student(None if job is None else job.error).message
    raise Problem("not ready", "server.failed", details={"state": "failed"}, why=why)


def _name(row: Row[Any], assignment: Assignment, check: SavedCheck) -> str:
    """Students call it as they did; teachers of what is blind know a number."""
    is_hidden = assignment.teaches and assignment.row.is_blind
    return check.name if is_hidden else str(row.name)


def _order(
    connection: Connection, check: SavedCheck, assignment: Assignment, name: str
) -> dict[str, Any]:
    """What a renderer is told; of what people said about the report nothing but what counts."""
    return {
        "decisions": plain(read_decisions(connection, check.id)),
        "confirmations": [],
        "date": (check.summary or {}).get("done_on"),
        "student": {
            "open": sorted(open_sources(connection, check)),
            "name": name,
            "fewest_words": fewest_words(assignment, utc_now()),
        },
    }


def fewest_words(assignment: Assignment, now: datetime) -> int:
    """Of a passage with others' works: before the deadline who hands in again may ask again."""
    return FEWEST_WORDS if assignment.is_before_deadline(now) else 0


def open_sources(connection: Connection, check: SavedCheck) -> set[str]:
    """The names of those sources of a check in the library that students may see."""
    return open_names(connection, dict(check.source_ids))


def open_names(connection: Connection, ids: dict[str, int]) -> set[str]:
    """Of documents of the library, by their names, those that students may see.

    They stand in a collection that is open, and were not put there as somebody's submission.
    """
    collections = collections_open_to_students(connection)
    if not ids or not collections:
        return set()
    document = schema.documents.c
    by_id = {id: name for name, id in ids.items()}
    rows: list[Any] = []
    for some in _parts(sorted(by_id)):
        query = select(document.id, document.name, document.sha256).where(
            document.id.in_(some), document.collection.in_(collections)
        )
        rows += connection.execute(query).all()
    handed_in = _handed_in(connection, {bytes(row.sha256) for row in rows if row.sha256})
    return {
        by_id[row.id]
        for row in rows
        if display_name(row.name or "") == (row.name or "")
        and (bytes(row.sha256 or b""), row.name) not in handed_in
        and display_name(by_id[row.id]) == by_id[row.id]
    }


def _handed_in(connection: Connection, hashes: set[bytes]) -> set[tuple[bytes, str]]:
    """What was handed in, by its bytes and the name under which it was checked."""
    found: set[tuple[bytes, str]] = set()
    for some in _parts(sorted(hashes)):
        query = (
            select(submissions.c.sha256, checks.c.name)
            .join_from(submissions, checks, checks.c.id == submissions.c.check_id)
            .where(submissions.c.sha256.in_(some))
        )
        found |= {(bytes(row.sha256), shorten_name(row.name)) for row in connection.execute(query)}
    return found


def _parts(values: Sequence[Any]) -> list[Sequence[Any]]:
    return [values[start : start + _AT_ONCE] for start in range(0, len(values), _AT_ONCE)]


# Figures

_summaries: OrderedDict[str, dict[str, Any]] = OrderedDict()
_summaries_lock = threading.Lock()


def read_own_summary(
    connection: Connection, row: Row[Any], assignment: Assignment
) -> dict[str, Any] | None:
    """The figures of a report as its student sees them."""
    check = saved_checks.read(connection, row.check_id)
    if check is None or check.summary is None:
        return None
    order = _order(connection, check, assignment, row.name) | {"what": "student summary"}
    key = _key([check.id, check.summary, order])
    with _summaries_lock:
        if key in _summaries:
            _summaries.move_to_end(key)
            return _summaries[key]
    packed = read_packed_result(connection, check.id)
    try:
        rendered = renderers().render(order, packed)
    except Problem:  # a list is shown without figures rather than not at all
        return None
    # No names: what is remembered here is not erased with a document.
    summary: dict[str, Any] = json.loads(rendered) | {"top": []}
    with _summaries_lock:
        _summaries[key] = summary
        while len(_summaries) > _MOST_SUMMARIES:
            _summaries.popitem(last=False)
    return summary


def _key(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()
