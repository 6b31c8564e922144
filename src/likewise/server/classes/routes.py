"""Batches: a class checked in one go."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.concurrency import run_in_threadpool

from likewise.server.caller import Caller
from likewise.server.checks.request import BatchRequest
from likewise.server.checks.routes import Sort
from likewise.server.checks.service import FACTS
from likewise.server.checks.service import list_checks as list_saved_checks
from likewise.server.checks.shapes import CheckShape, check_fields
from likewise.server.classes import service
from likewise.server.classes.shapes import BatchDetail, BatchShape
from likewise.server.context import ServerContext
from likewise.server.forms import receive_form
from likewise.server.http.openapi import describe_form
from likewise.server.jobs.queue import State
from likewise.server.people.access import ChecksRead, ChecksWrite, ContextDep
from likewise.server.reports.routes import (
    Limit,
    Offset,
    RenderInput,
    Search,
    add_report_routes,
    page_address,
)
from likewise.server.reports.saved import Share, ensure_done, note_reading, report_fields
from likewise.server.shapes import Accepted, Id, Page

router = APIRouter(prefix="/batches", tags=["batches"])


@router.post(
    "",
    status_code=202,
    summary="Check many documents",
    openapi_extra=describe_form(
        BatchRequest, "documents, archives of them, and templates that the request names"
    ),
)
async def start_batch(request: Request, context: ContextDep, caller: ChecksWrite) -> Accepted:
    """Each against everything that the caller may read, and all against each other."""
    async with receive_form(request, context, caller) as form:
        options = BatchRequest.model_validate(form.request)
        id, job = await run_in_threadpool(
            service.enqueue_batch, context, caller, options, form.files
        )
    return Accepted(id=id, job=job)


@router.get("", summary="List batches")
def list_batches(
    context: ContextDep,
    caller: ChecksRead,
    state: State | None = None,
    search: Search = "",
    limit: Limit = 50,
    offset: Offset = 0,
) -> Page[BatchShape]:
    """The caller's own, and those that others share; the newest first."""
    with context.store.reading() as connection:
        items, total = service.list_batches(
            connection, caller, state=state, search=search, limit=limit, offset=offset
        )
    return Page(items=[BatchShape(**report_fields(batch, caller)) for batch in items], total=total)


@router.get("/{id}", summary="Show a batch")
def show_batch(id: Id, context: ContextDep, caller: ChecksRead) -> BatchDetail:
    with context.store.reading() as connection:
        batch = service.find_batch(connection, caller, id)
    return BatchDetail(**report_fields(batch, caller), request=dict(batch.request))


@router.delete("/{id}", status_code=204, summary="Delete a batch")
def delete_batch(id: Id, context: ContextDep, caller: ChecksWrite) -> None:
    """With all its checks. A batch that is running is given up."""
    service.delete_batch(context, caller, id)


@router.post("/{id}/share", summary="Let other teachers open a batch")
def share_batch(id: Id, body: Share, context: ContextDep, caller: ChecksWrite) -> BatchShape:
    """And all its checks; or no longer."""
    batch = service.share_batch(context, caller, id, body.shared)
    return BatchShape(**report_fields(batch, caller))


@router.get("/{id}/checks", summary="The checks of a batch")
def list_checks(
    id: Id,
    context: ContextDep,
    caller: ChecksRead,
    search: Search = "",
    sort: Sort = "-similar",
    limit: Limit = 50,
    offset: Offset = 0,
) -> Page[CheckShape]:
    """One for each document: ordinary checks."""
    with context.store.reading() as connection:
        service.find_batch(connection, caller, id)
        items, total = list_saved_checks(
            connection, caller, search=search, batch=id, sort=sort, limit=limit, offset=offset
        )
    return Page(items=[CheckShape(**check_fields(check, caller)) for check in items], total=total)


def _load_report(context: ServerContext, caller: Caller, id: str) -> RenderInput:
    """A batch that has a result, and those of its checks about which somebody decided something."""
    with context.store.reading() as connection:
        batch = service.find_batch(connection, caller, id)
        ensure_done(batch)
        packed, members, parts = service.read_packed_batch(connection, id)
    note_reading(context, caller, batch, "batch of another read")
    metadata = batch.request.get("metadata", {})
    order = {
        "members": members,
        "date": (batch.summary or {}).get("done_on"),
        # The author is each document's own.
        "facts": {name: metadata.get(name) for name in FACTS if name != "author"},
        "address": page_address(context, f"/classes/{id}"),
    }
    return RenderInput(batch, order, [packed, *parts])


add_report_routes(
    router,
    _load_report,
    "batch",
    of_view="Documents, pairs, clusters and histogram; counted as people decided.",
    of_report="All documents in one file, with who decided what and why.",
)
