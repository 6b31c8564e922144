"""Classes: many documents checked together, each against the library and all among themselves."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import Connection, and_, case, func, insert, or_, select, update

from likewise.results import plain
from likewise.server.caller import Caller, ensure_scope
from likewise.server.checks import commission
from likewise.server.checks.comments import comments, read_comments
from likewise.server.checks.decisions import (
    confirmations,
    exclusions,
    read_confirmations,
    read_decisions,
)
from likewise.server.checks.request import BatchRequest
from likewise.server.checks.selection import holds_tricks, similar_share
from likewise.server.checks.service import FACTS, checks, results
from likewise.server.checks.start import ensure_may_enqueue, split_templates
from likewise.server.context import ServerContext, read_settings, utc_now
from likewise.server.courses.deletion import delete_submissions
from likewise.server.courses.permissions import is_taught_batch
from likewise.server.database import tables
from likewise.server.http.form_parts import ReceivedFile
from likewise.server.jobs.queue import State, discard_job, enqueue
from likewise.server.jobs.uploads import keep_upload
from likewise.server.people import audit
from likewise.server.problems import Problem, not_found
from likewise.server.reports.saved import SavedReport, SavedReports, ensure_done

batches, batch_results = tables.batches, tables.batch_results


@dataclass(frozen=True, slots=True)
class SavedBatch(SavedReport):
    """A batch without its result."""

    closed_on: datetime | None


saved_batches = SavedReports(batches, SavedBatch, "closed_on", is_taught=is_taught_batch)


def find_batch(connection: Connection, caller: Caller, id: str, *, own: bool = False) -> SavedBatch:
    """A batch that the caller may open; with `own` one that the caller may change."""
    batch = saved_batches.find(connection, caller, id)
    if batch is None:
        raise not_found("server.noun_batch")
    if own and not saved_batches.may_change(connection, caller, batch):
        raise Problem("not allowed", "server.batch_owner")
    return batch


def list_batches(
    connection: Connection,
    caller: Caller,
    *,
    whose: Literal["all", "mine", "shared"] = "all",
    is_open: bool | None = None,
    of_assignments: bool | None = None,
    state: State | None = None,
    search: str = "",
    limit: int = 50,
    offset: int = 0,
) -> tuple[list[SavedBatch], int]:
    """One page of the batches that the caller may open, the newest first."""
    is_mine = batches.c.user_id == caller.id
    conditions = [saved_batches.visible_to(caller)]
    if whose != "all":
        conditions.append(is_mine if whose == "mine" else ~is_mine)
    if is_open is not None:
        is_closed = batches.c.closed_on.is_not(None)
        conditions.append(~is_closed if is_open else is_closed)
    if of_assignments is not None:
        own = tables.assignments.c.batch_id
        is_of_one = batches.c.id.in_(select(own).where(own.is_not(None)))
        conditions.append(is_of_one if of_assignments else ~is_of_one)
    newest = batches.c.made_on.desc()
    return saved_batches.page(
        connection, conditions, newest, state=state, search=search, limit=limit, offset=offset
    )


@dataclass(frozen=True, slots=True)
class BatchCounts:
    """How many documents of a batch need a look; those above both thresholds are in `high`."""

    notice: int = 0
    high: int = 0
    tricks: int = 0


def count_documents(
    connection: Connection, ids: Iterable[str], thresholds: tuple[float, float] | None = None
) -> dict[str, BatchCounts]:
    """Of every batch that has a result, counted as people decided until now.

    The `thresholds`, to be noticed and to be high, are those of the site where none are given.
    """
    if thresholds is None:
        settings = read_settings(connection)
        thresholds = (settings.notice_share, settings.high_share)
    share, tricks = similar_share(connection), holds_tricks(connection)
    is_notice, is_high = share >= thresholds[0], share >= thresholds[1]
    rows = connection.execute(
        select(
            checks.c.batch_id,
            func.sum(case((and_(is_notice, ~is_high), 1), else_=0)).label("notice"),
            func.sum(case((is_high, 1), else_=0)).label("high"),
            func.sum(case((tricks, 1), else_=0)).label("tricks"),
        )
        .where(checks.c.batch_id.in_(list(ids)), checks.c.summary.is_not(None))
        .group_by(checks.c.batch_id)
    )
    return {
        row.batch_id: BatchCounts(int(row.notice), int(row.high), int(row.tricks)) for row in rows
    }


def assignments_of(connection: Connection, ids: Sequence[str]) -> dict[str, str]:
    """The assignments whose classes some batches are."""
    column = tables.assignments.c
    rows = connection.execute(
        select(column.batch_id, column.id).where(column.batch_id.in_(ids))
    ).all()
    return {row.batch_id: row.id for row in rows}


def enqueue_batch(
    context: ServerContext, caller: Caller, request: BatchRequest, files: Sequence[ReceivedFile]
) -> tuple[str, str]:
    """Accept a batch with all its files, or nothing of it; its id and its job."""
    documents, templates = split_templates(request.templates, files)
    if not documents:
        raise Problem("bad request", "server.empty_batch")
    with context.store.beside() as connection:
        ensure_may_enqueue(context, connection, caller, request, documents)
        id, stored_request = secrets.token_hex(12), request.model_dump(mode="json")
        template_uploads = [keep_upload(connection, caller, file) for file in templates]
        document_uploads = [keep_upload(connection, caller, file) for file in documents]
        job = enqueue(
            connection,
            "batch",
            caller.id,
            {
                **stored_request,
                "batch": id,
                "uploads": [*document_uploads, *template_uploads],
                "template_uploads": template_uploads,
            },
        )
        connection.execute(
            insert(batches).values(
                id=id,
                user_id=caller.id,
                job_id=job,
                name=request.name or documents[0].name,
                request=json.dumps(stored_request),
                made_on=utc_now(),
                is_shared=False,
                summary=None,
            )
        )
    return id, job


def read_report_input(
    connection: Connection, batch: SavedBatch
) -> tuple[dict[str, Any], list[bytes]]:
    """What a renderer is told of a batch that has a result, and the results."""
    ensure_done(batch)
    packed, members, parts = read_packed_batch(connection, batch.id)
    metadata = batch.request.get("metadata") or {}
    order = {
        "members": members,
        "date": (batch.summary or {}).get("done_on"),
        # The author is each document's own.
        "facts": {name: metadata.get(name) for name in FACTS if name != "author"},
    }
    return order, [packed, *parts]


def read_packed_batch(
    connection: Connection, id: str
) -> tuple[bytes, list[dict[str, Any]], list[bytes]]:
    """The kept report, and those of its checks on which somebody said something."""
    query = select(batch_results.c.packed).where(batch_results.c.batch_id == id)
    packed = connection.execute(query).scalar()
    if packed is None:
        raise not_found("server.noun_batch_result")
    has_decisions = or_(
        checks.c.id.in_(select(exclusions.c.check_id)),
        checks.c.id.in_(select(confirmations.c.check_id)),
        checks.c.id.in_(select(comments.c.check_id)),
        checks.c.id.in_(select(commission.decisions.c.check_id)),
    )
    rows = connection.execute(
        select(checks.c.id, checks.c.name, results.c.packed)
        .select_from(checks.join(results))
        .where(checks.c.batch_id == id, has_decisions)
    ).all()
    members = [
        {
            "name": row.name,
            "decisions": plain(read_decisions(connection, row.id)),
            "confirmations": plain(read_confirmations(connection, row.id)),
            "comments": plain(read_comments(connection, row.id)),
            "commission": plain(commission.read_commission(connection, row.id)),
        }
        for row in rows
    ]
    return bytes(packed), members, [bytes(row.packed) for row in rows]


def share_batch(context: ServerContext, caller: Caller, id: str, is_shared: bool) -> SavedBatch:
    """Let other teachers open a batch and its checks, or no longer."""
    with context.store.beside() as connection:
        find_batch(connection, caller, id, own=True)
        assignment = assignments_of(connection, [id]).get(id)
        if is_shared and assignment is not None:  # the works of students are their course's
            raise Problem("conflict", "server.handed_in", details={"assignment": assignment})
        saved_batches.set_shared(connection, id, is_shared)
        own = update(checks).where(checks.c.batch_id == id)
        connection.execute(own.values(is_shared=is_shared))
        act = "batch shared" if is_shared else "batch no longer shared"
        audit.record_act(connection, caller, act, id)
        return find_batch(connection, caller, id)


def close_batch(context: ServerContext, caller: Caller, id: str, is_closed: bool) -> SavedBatch:
    """Say that nothing in a batch needs to be looked at any more, or that something does."""
    with context.store.beside() as connection:
        batch = find_batch(connection, caller, id, own=True)
        if is_closed and batch.state in ("queued", "running"):
            ensure_done(batch)
        if (batch.closed_on is not None) != is_closed:
            closed_on = utc_now() if is_closed else None
            own = update(batches).where(batches.c.id == id)
            connection.execute(own.values(closed_on=closed_on))
            act = "batch closed" if is_closed else "batch reopened"
            audit.record_act(connection, caller, act, id)
        return find_batch(connection, caller, id)


def delete_batch(context: ServerContext, caller: Caller, id: str) -> None:
    """Delete a batch with its checks; its job is given up. Its assignment stays, and is empty."""
    with context.store.beside() as connection:
        batch = find_batch(connection, caller, id, own=True)
        assignment = tables.assignments.c
        handed_in_to = select(assignment.id).where(assignment.batch_id == id)
        of_course = list(connection.execute(handed_in_to).scalars())
        if of_course:  # what students handed in is not a program's that only checks
            ensure_scope(caller, "courses:write")
        delete_submissions(connection, of_course)
        if batch.job_id is not None:
            discard_job(connection, batch.job_id)
        connection.execute(batches.delete().where(batches.c.id == id))
        audit.record_act(connection, caller, "batch deleted", id)
