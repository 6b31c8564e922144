"""Batches: a class checked in one go."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request
from fastapi.concurrency import run_in_threadpool
from sqlalchemy import Connection

from likewise.server.caller import Caller
from likewise.server.checks.request import BatchRequest
from likewise.server.checks.selection import ChecksRequest, Sort
from likewise.server.checks.service import list_checks_of_batch
from likewise.server.checks.shapes import CheckShape, check_fields
from likewise.server.classes import service
from likewise.server.classes.service import SavedBatch
from likewise.server.classes.shapes import BatchDetail, BatchShape
from likewise.server.context import ServerContext
from likewise.server.forms import receive_form
from likewise.server.http.openapi import describe_form
from likewise.server.jobs.queue import State
from likewise.server.people.access import ChecksRead, ChecksWrite, ContextDep
from likewise.server.reports.routes import RenderInput, add_report_routes, page_address
from likewise.server.reports.saved import Share, note_reading, report_fields
from likewise.server.shapes import Accepted, Id, Limit, Offset, Page, Search

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
    whose: Literal["all", "mine", "shared"] = "all",
    is_open: Annotated[
        bool | None, Query(alias="open", description="only those not closed, or only those closed")
    ] = None,
    of_assignments: Annotated[
        bool | None, Query(description="only the classes of assignments, or only the others")
    ] = None,
    state: State | None = None,
    search: Search = "",
    limit: Limit = 50,
    offset: Offset = 0,
) -> Page[BatchShape]:
    """The caller's own, and those that others share; the newest first."""
    with context.store.reading() as connection:
        items, total = service.list_batches(
            connection,
            caller,
            whose=whose,
            is_open=is_open,
            of_assignments=of_assignments,
            state=state,
            search=search,
            limit=limit,
            offset=offset,
        )
        fields = _fields(connection, caller, items)
    return Page(items=[BatchShape(**each) for each in fields], total=total)


def _fields(
    connection: Connection, caller: Caller, some: Sequence[SavedBatch]
) -> list[dict[str, Any]]:
    """The fields of `BatchShape`."""
    counts = service.count_documents(connection, [batch.id for batch in some if batch.summary])
    assignments = service.assignments_of(connection, [batch.id for batch in some])
    return [
        report_fields(batch, caller)
        | {
            "closed_on": batch.closed_on,
            "assignment": assignments.get(batch.id),
            # A result without a single check has been counted too.
            "counts": counts.get(batch.id, service.BatchCounts()) if batch.summary else None,
        }
        for batch in some
    ]


@router.get("/{id}", summary="Show a batch")
def show_batch(id: Id, context: ContextDep, caller: ChecksRead) -> BatchDetail:
    with context.store.reading() as connection:
        batch = service.find_batch(connection, caller, id)
        (fields,) = _fields(connection, caller, [batch])
    return BatchDetail(**fields, request=dict(batch.request))


@router.delete("/{id}", status_code=204, summary="Delete a batch")
def delete_batch(id: Id, context: ContextDep, caller: ChecksWrite) -> None:
    """With all its checks. A batch that is running is given up."""
    service.delete_batch(context, caller, id)


@router.post("/{id}/share", summary="Let other teachers open a batch")
def share_batch(id: Id, body: Share, context: ContextDep, caller: ChecksWrite) -> BatchShape:
    """And all its checks; or no longer."""
    batch = service.share_batch(context, caller, id, body.shared)
    return _shape(context, caller, batch)


@router.post("/{id}/close", summary="Close a batch")
def close_batch(id: Id, context: ContextDep, caller: ChecksWrite) -> BatchShape:
    """Nothing in it needs to be looked at any more; nothing in it is changed."""
    return _shape(context, caller, service.close_batch(context, caller, id, True))


@router.post("/{id}/reopen", summary="Reopen a batch")
def reopen_batch(id: Id, context: ContextDep, caller: ChecksWrite) -> BatchShape:
    """It stands among the open ones again."""
    return _shape(context, caller, service.close_batch(context, caller, id, False))


def _shape(context: ServerContext, caller: Caller, batch: SavedBatch) -> BatchShape:
    with context.store.reading() as connection:
        (fields,) = _fields(connection, caller, [batch])
    return BatchShape(**fields)


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
        request = ChecksRequest(search=search, sort=sort, limit=limit, offset=offset)
        items, total = list_checks_of_batch(connection, id, request)
    return Page(items=[CheckShape(**check_fields(check, caller)) for check in items], total=total)


def _load_report(context: ServerContext, caller: Caller, id: str) -> RenderInput:
    """A batch that has a result, and those of its checks about which somebody decided something."""
    with context.store.reading() as connection:
        batch = service.find_batch(connection, caller, id)
        order, packed = service.read_report_input(connection, batch)
    note_reading(context, caller, batch, "batch of another read")
    order["address"] = page_address(context, f"/classes/{id}")
    return RenderInput(batch, order, packed)


add_report_routes(
    router,
    _load_report,
    "batch",
    of_view="Documents, pairs, clusters and histogram; counted as people decided.",
    of_report="All documents in one file, with who decided what and why.",
)
