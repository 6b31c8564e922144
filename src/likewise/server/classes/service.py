"""Classes: many documents checked together, each against the library and all among themselves."""

from __future__ import annotations

import json
import secrets
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, insert, or_, select, update

from likewise.results import plain
from likewise.server.caller import Caller
from likewise.server.checks.comments import comments, read_comments
from likewise.server.checks.decisions import (
    confirmations,
    exclusions,
    read_confirmations,
    read_decisions,
)
from likewise.server.checks.request import BatchRequest
from likewise.server.checks.service import checks, results
from likewise.server.checks.start import ensure_may_enqueue, split_templates
from likewise.server.context import ServerContext, utc_now
from likewise.server.database import tables
from likewise.server.http.form_parts import ReceivedFile
from likewise.server.jobs.queue import State, discard_job, enqueue
from likewise.server.jobs.uploads import keep_upload
from likewise.server.people import audit
from likewise.server.problems import Problem, not_found
from likewise.server.reports.saved import SavedReport, SavedReports

batches, batch_results = tables.batches, tables.batch_results


class SavedBatch(SavedReport):
    """A batch without its result."""

    __slots__ = ()


saved_batches = SavedReports(batches, SavedBatch)


def find_batch(connection: Connection, caller: Caller, id: str, *, own: bool = False) -> SavedBatch:
    """A batch that the caller may open; with `own` one that the caller may change."""
    batch = saved_batches.find(connection, caller, id)
    if batch is None:
        raise not_found("server.noun_batch")
    if own and batch.user_id != caller.id:
        raise Problem("not allowed", "server.batch_owner")
    return batch


def list_batches(
    connection: Connection,
    caller: Caller,
    *,
    state: State | None = None,
    search: str = "",
    limit: int = 50,
    offset: int = 0,
) -> tuple[list[SavedBatch], int]:
    """One page of the batches that the caller may open, the newest first."""
    visible = saved_batches.visible_to(caller)
    newest = batches.c.made_on.desc()
    return saved_batches.page(
        connection, [visible], newest, state=state, search=search, limit=limit, offset=offset
    )


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
        }
        for row in rows
    ]
    return bytes(packed), members, [bytes(row.packed) for row in rows]


def share_batch(context: ServerContext, caller: Caller, id: str, is_shared: bool) -> SavedBatch:
    """Let other teachers open a batch and its checks, or no longer."""
    with context.store.beside() as connection:
        find_batch(connection, caller, id, own=True)
        saved_batches.set_shared(connection, id, is_shared)
        own = update(checks).where(checks.c.batch_id == id)
        connection.execute(own.values(is_shared=is_shared))
        act = "batch shared" if is_shared else "batch no longer shared"
        audit.record_act(connection, caller, act, id)
        return find_batch(connection, caller, id)


def delete_batch(context: ServerContext, caller: Caller, id: str) -> None:
    """Delete a batch with its checks; its job is given up."""
    with context.store.beside() as connection:
        batch = find_batch(connection, caller, id, own=True)
        if batch.job_id is not None:
            discard_job(connection, batch.job_id)
        connection.execute(batches.delete().where(batches.c.id == id))
        audit.record_act(connection, caller, "batch deleted", id)
