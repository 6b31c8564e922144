"""Batches: a class checked in one go."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from fastapi.concurrency import run_in_threadpool
from pydantic import Field

from likewise.catalogue import LanguageCode
from likewise.results import UnreadResult
from likewise.server.caller import Caller
from likewise.server.checks import service as checks
from likewise.server.checks.request import Asked
from likewise.server.checks.routes import Limit, Offset, Search, Share, Sort
from likewise.server.checks.service import ensure_done
from likewise.server.checks.shapes import CheckShape, Progress, shape_of
from likewise.server.classes import service as batches
from likewise.server.classes.service import KeptBatch
from likewise.server.context import ServerContext
from likewise.server.forms import receive_form
from likewise.server.http.openapi import describe_form
from likewise.server.jobs.queue import State, error_fields
from likewise.server.people.access import ChecksRead, ChecksWrite, ContextDep
from likewise.server.reports.files import Format, as_download, reports_described
from likewise.server.reports.renderer_pool import renderers
from likewise.server.shapes import Accepted, Id, Page, Shape, Timestamp, WithError

router = APIRouter(prefix="/batches", tags=["batches"])


class MostSimilar(Shape):
    """The document with the largest similar share."""

    name: str
    similar: float


class BatchSummary(Shape):
    """A batch in a few figures."""

    documents: int
    unread: list[UnreadResult]
    pairs: int = Field(description="alike among themselves")
    clusters: int
    similar: int = Field(description="documents that are similar to a quarter or more")
    most_similar: MostSimilar | None
    done_on: str


class BatchShape(WithError):
    """Documents that were checked together."""

    id: str
    name: str
    state: State
    made_on: Timestamp
    owner: str
    owner_name: str
    is_mine: bool
    is_shared: bool
    job: str
    progress: Progress
    summary: BatchSummary | None


class BatchDetail(BatchShape):
    """A batch, with what was asked for."""

    request: dict[str, Any]


def _shape_of(kept: KeptBatch, caller: Caller) -> dict[str, Any]:
    return {
        "id": kept.id,
        "name": kept.name,
        "state": kept.state,
        "made_on": kept.made_on,
        "owner": kept.owner,
        "owner_name": kept.owner_name,
        "is_mine": kept.user_id == caller.id,
        "is_shared": kept.is_shared,
        "job": kept.job_id,
        "progress": Progress(stage=kept.stage, done=kept.done, total=kept.total),
        **error_fields(kept.error),
        "summary": kept.summary,
    }


@router.post(
    "",
    status_code=202,
    summary="Check many documents",
    openapi_extra=describe_form(
        Asked, "documents, archives of them, and templates that the request names"
    ),
)
async def start_batch(request: Request, site: ContextDep, caller: ChecksWrite) -> Accepted:
    """Each against everything that the caller may read, and all against each other."""
    async with receive_form(request, site, caller) as form:
        asked = Asked.model_validate(form.request)
        id, job = await run_in_threadpool(batches.ask_for_batch, site, caller, asked, form.files)
    return Accepted(id=id, job=job)


@router.get("", summary="List batches")
def list_batches(
    site: ContextDep,
    caller: ChecksRead,
    state: State | None = None,
    search: Search = "",
    limit: Limit = 50,
    offset: Offset = 0,
) -> Page[BatchShape]:
    """The caller's own, and those that others share; the newest first."""
    with site.store.reading() as connection:
        found, total = batches.list_batches(
            connection, caller, state=state, search=search, limit=limit, offset=offset
        )
    return Page(items=[BatchShape(**_shape_of(kept, caller)) for kept in found], total=total)


@router.get("/{id}", summary="Show a batch")
def show_batch(id: Id, site: ContextDep, caller: ChecksRead) -> BatchDetail:
    with site.store.reading() as connection:
        kept = batches.find_batch(connection, caller, id)
    return BatchDetail(**_shape_of(kept, caller), request=dict(kept.request))


@router.delete("/{id}", status_code=204, summary="Delete a batch")
def delete_batch(id: Id, site: ContextDep, caller: ChecksWrite) -> None:
    """With all its checks. A batch that is running is given up."""
    batches.delete_batch(site, caller, id)


@router.post("/{id}/share", summary="Let other teachers open a batch")
def share_batch(id: Id, given: Share, site: ContextDep, caller: ChecksWrite) -> BatchShape:
    """And all its checks; or no longer."""
    return BatchShape(**_shape_of(batches.share_batch(site, caller, id, given.shared), caller))


@router.get("/{id}/checks", summary="The checks of a batch")
def list_checks(
    id: Id,
    site: ContextDep,
    caller: ChecksRead,
    search: Search = "",
    sort: Sort = "-similar",
    limit: Limit = 50,
    offset: Offset = 0,
) -> Page[CheckShape]:
    """One for each document: ordinary checks."""
    with site.store.reading() as connection:
        batches.find_batch(connection, caller, id)
        found, total = checks.list_checks(
            connection, caller, search=search, batch=id, sort=sort, limit=limit, offset=offset
        )
    return Page(items=[CheckShape(**shape_of(kept, caller)) for kept in found], total=total)


@router.get(
    "/{id}/view",
    summary="The report of a batch, as its page draws it",
    response_model=dict[str, Any],
)
async def read_view(id: Id, site: ContextDep, caller: ChecksRead) -> Response:
    """Documents, pairs, clusters and histogram; counted as people decided."""
    _, made = await _made(site, caller, id, "json", None)
    return Response(made, media_type="application/json")


@router.get(
    "/{id}/report",
    summary="The report of a batch, as a file",
    response_class=Response,
    responses=reports_described(),
)
async def read_report(
    id: Id,
    site: ContextDep,
    caller: ChecksRead,
    format: Format = "html",
    language: Annotated[
        LanguageCode | None, Query(description="of a page: else its reader's")
    ] = None,
) -> Response:
    """All documents in one file, with who decided what and why."""
    kept, made = await _made(site, caller, id, format, language)
    return as_download(made, kept.name, format)


async def _made(
    site: ServerContext, caller: Caller, id: str, format: Format, language: LanguageCode | None
) -> tuple[KeptBatch, bytes]:
    def order() -> tuple[KeptBatch, dict[str, Any], list[bytes]]:
        with site.store.reading() as connection:
            kept = batches.find_batch(connection, caller, id)
            ensure_done(kept)
            packed, members, parts = batches.packed_batch(connection, id)
        checks.note_reading(site, caller, kept, "batch of another read")
        date = (kept.summary or {}).get("done_on")
        return kept, {"members": members, "date": date}, [packed, *parts]

    kept, told, parts = await run_in_threadpool(order)
    asked = {"what": "report", "format": format, "language": language}
    return kept, await renderers().made(told | asked, *parts)
