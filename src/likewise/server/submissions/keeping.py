"""What a job of an assignment has made, kept in one transaction: checks, receipts, the class."""

from __future__ import annotations

import hashlib
import io
import json
import secrets
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, delete, insert, select, update

from likewise.catalogue import Message
from likewise.model import Check, Document
from likewise.report.batch import members_of
from likewise.report.storage import pack_check, pack_view
from likewise.report.view import BatchView
from likewise.server.assignments.rules import Assignment
from likewise.server.assignments.service import lock_assignment
from likewise.server.checks.decisions import report_time
from likewise.server.checks.job import summary_with_ids
from likewise.server.classes.job import class_summary
from likewise.server.context import utc_now
from likewise.server.database import tables
from likewise.server.http.form_parts import ReceivedFile
from likewise.server.jobs.queue import enqueue
from likewise.server.jobs.uploads import keep_bytes
from likewise.server.jobs.work import Cancelled, Work
from likewise.server.reports.saved import replace_result
from likewise.server.submissions.enqueueing import stored_request
from likewise.server.submissions.opening import Files
from likewise.server.submissions.service import bring_back

assignments, batches, submissions = tables.assignments, tables.batches, tables.submissions
checks, results, batch_results = tables.checks, tables.check_results, tables.batch_results


def save(
    work: Work,
    assignment: Assignment,
    files: Files,
    rows: Sequence[Row[Any]],
    names: Mapping[str, str],
    documents: Sequence[Document],
    unread: Mapping[str, Message],
    check_of: Mapping[str, Check],
    view: BatchView | None,
) -> Mapping[str, Any]:
    """All of it or nothing; whoever was quicker has kept the same already."""
    work.report_progress("keeping", 0, 0)
    document_of = {document.name: document for document in documents}
    packed = {
        names[row.id]: pack_check(check_of[names[row.id]])
        for row in rows
        if names[row.id] in check_of
    }
    packed_view = None if view is None else pack_view(view)
    now = utc_now()  # of all checks of this job: what was checked at once has one time
    done_on = report_time(now)
    # Before the transaction, for which everybody waits who hands in: a worker gives way to others.
    summaries = _summaries(check_of, view, done_on)
    receipts = {
        row.id: json.dumps(
            receipt_of(
                json.loads(row.receipt or "{}"),
                document_of.get(names[row.id]),
                unread.get(names[row.id]),
            ),
            ensure_ascii=False,
        )
        for row in rows
    }
    summary_text = None if view is None else _class_summary(view, done_on)
    outcome: dict[str, Any] = {"batch": work.job.request["batch"], "documents": 0}
    with work.context.store.beside() as connection:
        lock_assignment(connection, assignment.id)
        own = _own_batch(connection, assignment.id)
        kept: list[Row[Any]] = []
        for row in _still_waiting(connection, rows):
            name = names[row.id]
            check_id = None
            if name in packed:
                check_id = _insert_check(
                    connection, assignment, own, name, summaries[name], packed[name], now
                )
                kept.append(row)
            elif name not in unread:
                continue
            connection.execute(
                update(submissions)
                .where(submissions.c.id == row.id)
                .values(check_id=check_id, receipt=receipts[row.id])
            )
        outcome["documents"] = len(kept)
        if packed_view is None:
            connection.execute(delete(batch_results).where(batch_results.c.batch_id == own.id))
        else:
            replace_result(connection, batch_results, "batch_id", own.id, packed_view)
        connection.execute(
            update(batches).where(batches.c.id == own.id).values(summary=summary_text)
        )
        bring_back(connection, assignment)
        request = json.loads(assignment.row.request)
        if request.get("keep") and kept:
            outcome["adding"] = _add_to_library(connection, work, own, files, kept, names, request)
    return outcome


def _own_batch(connection: Connection, assignment: str) -> Row[Any]:
    query = select(batches).join_from(batches, assignments)
    own = query.where(assignments.c.id == assignment).with_for_update(of=batches)
    row = connection.execute(own).first()
    if row is None:
        raise Cancelled  # it was deleted
    return row


def _still_waiting(connection: Connection, rows: Sequence[Row[Any]]) -> list[Row[Any]]:
    """Those that were neither deleted meanwhile nor checked by another worker."""
    ids = [row.id for row in rows]
    query = select(submissions.c.id).where(
        submissions.c.id.in_(ids), submissions.c.check_id.is_(None)
    )
    waiting = set(connection.execute(query).scalars())
    return [row for row in rows if row.id in waiting]


def _insert_check(
    connection: Connection,
    assignment: Assignment,
    batch: Row[Any],
    name: str,
    summary: str,
    packed: bytes,
    now: datetime,
) -> str:
    id = secrets.token_hex(12)
    connection.execute(
        insert(checks).values(
            id=id,
            user_id=batch.user_id,
            job_id=None,
            batch_id=batch.id,
            name=name,
            request=json.dumps(stored_request(assignment)),
            made_on=now,
            is_shared=batch.is_shared,
            summary=summary,
        )
    )
    replace_result(connection, results, "check_id", id, packed)
    return id


def _summaries(
    check_of: Mapping[str, Check], view: BatchView | None, done_on: str
) -> dict[str, str]:
    """What lists show of every check, by its name."""
    shown = () if view is None else view.checks
    labels = {each.document.name: each.document.label for each in shown}
    return {
        name: summary_with_ids(check, done_on, labels.get(name, ""))
        for name, check in check_of.items()
    }


def _class_summary(view: BatchView, done_on: str) -> str:
    """What lists show of the class."""
    later = {
        member.check.document.name: (member.closest.text.name, member.closest.share)
        for member in members_of(view)
        if member.closest is not None and member.closest.is_later
    }
    return json.dumps(class_summary(view, done_on) | {"later": later})


def receipt_of(
    known: Mapping[str, Any], document: Document | None, unread: Message | None
) -> dict[str, Any]:
    """What was read of a file; beside it what a platform called its student."""
    receipt = dict(known)
    if document is not None:
        receipt |= {
            "pages": len(document.pages) or None,
            "words": len(document.text.split()),
            "characters": len(document.text),
            "notes": [note.message.plain() for note in document.notes],
        }
    return receipt | {"unread": None if unread is None else unread.plain()}


def _add_to_library(
    connection: Connection,
    work: Work,
    batch: Row[Any],
    files: Files,
    rows: Sequence[Row[Any]],
    names: Mapping[str, str],
    request: Mapping[str, Any],
) -> str:
    """Have what was checked added, each under the name of its check."""
    uploads = []
    for row in rows:
        data = files.load(bytes(row.sha256))
        file = ReceivedFile(
            name=names[row.id],
            size=len(data),
            sha256=hashlib.sha256(data).digest(),
            file=io.BytesIO(data),
        )
        uploads.append(keep_bytes(connection, batch.user_id, file))
    return enqueue(
        connection,
        "add",
        work.job.user_id,
        {
            "uploads": uploads,
            "collection": request.get("collection", ""),
            "metadata": request.get("metadata", {}),
            "table": None,
        },
    )
