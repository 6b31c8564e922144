"""Checks: started, watched, read, reported, shared, decided about."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request, Response
from fastapi.concurrency import run_in_threadpool
from pydantic import BeforeValidator
from sqlalchemy import Connection

from likewise.catalogue import LanguageCode
from likewise.results import CheckResult, Level, plain
from likewise.server.caller import Caller
from likewise.server.checks import decisions
from likewise.server.checks import service as checks
from likewise.server.checks.request import CheckAsked
from likewise.server.checks.service import Kept
from likewise.server.checks.shapes import CheckDetail, CheckShape, Shared, shape_of
from likewise.server.checks.start import ask_for_check
from likewise.server.context import ServerContext
from likewise.server.forms import receive_form
from likewise.server.http.openapi import describe_form
from likewise.server.jobs.queue import State
from likewise.server.people.access import ChecksRead, ChecksWrite, ContextDep
from likewise.server.reports.files import Format, as_download, reports_described
from likewise.server.reports.renderer_pool import renderers
from likewise.server.shapes import Accepted, Id, Page, RequestBody

router = APIRouter(prefix="/checks", tags=["checks"])

_READ = "check of another read"
Sort = Literal["made_on", "-made_on", "name", "-name", "similar", "-similar"]
Limit = Annotated[int, Query(ge=1, le=500)]
Offset = Annotated[int, Query(ge=0, le=1_000_000_000)]
Search = Annotated[str, Query(max_length=200, description="words that its name holds")]


def _number(written: Any) -> Any:
    return int(written) if isinstance(written, str) and written.isdecimal() else written


LevelAsked = Annotated[
    Level, BeforeValidator(_number), Query(description="of the confidence interval, in percent")
]


@router.post(
    "",
    status_code=202,
    summary="Start a check",
    openapi_extra=describe_form(
        CheckAsked, "the document, and templates that the request names; none for one by number"
    ),
)
async def start_check(request: Request, site: ContextDep, caller: ChecksWrite) -> Accepted:
    """One document against everything that the caller may read, or against what is asked for."""
    async with receive_form(request, site, caller) as form:
        asked = CheckAsked.model_validate(form.request)
        id, job = await run_in_threadpool(ask_for_check, site, caller, asked, form.files)
    return Accepted(id=id, job=job)


@router.get("", summary="List checks")
def list_checks(
    site: ContextDep,
    caller: ChecksRead,
    whose: Literal["all", "mine", "shared"] = "all",
    state: State | None = None,
    search: Search = "",
    in_batches: Annotated[bool, Query(description="those of batches too")] = False,
    sort: Sort = "-made_on",
    limit: Limit = 50,
    offset: Offset = 0,
) -> Page[CheckShape]:
    """The caller's own, and those that others share."""
    with site.store.reading() as connection:
        found, total = checks.list_checks(
            connection,
            caller,
            whose=whose,
            state=state,
            search=search,
            in_batches=in_batches,
            sort=sort,
            limit=limit,
            offset=offset,
        )
    return Page(items=[CheckShape(**shape_of(kept, caller)) for kept in found], total=total)


@router.get("/{id}", summary="Show a check")
def show_check(id: Id, site: ContextDep, caller: ChecksRead) -> CheckDetail:
    """How far it is, and when it is done what it came to."""
    with site.store.reading() as connection:
        kept = checks.find_check(connection, caller, id)
        confirming = decisions.read_confirming(connection, id)
        return CheckDetail(
            **shape_of(kept, caller),
            request=dict(kept.request),
            exclusions=decisions.read_decisions(connection, id),
            confirmations=decisions.read_confirmations(connection, id),
            may_confirm=kept.state == "done"
            and kept.user_id != caller.id
            and caller.id not in confirming,
        )


@router.delete("/{id}", status_code=204, summary="Delete a check")
def delete_check(id: Id, site: ContextDep, caller: ChecksWrite) -> None:
    """With its result. A check that is running is given up."""
    checks.delete_check(site, caller, id)


@router.get(
    "/{id}/result",
    summary="The result of a check",
    response_model=CheckResult,
)
async def read_result(
    id: Id,
    site: ContextDep,
    caller: ChecksRead,
    level: LevelAsked = 99,
    min_percentage: Annotated[
        float | None, Query(ge=0, le=100, description="else as the check was asked")
    ] = None,
) -> Response:
    """Shares, sources with all measures and passages, and what was not checked and why."""

    def order() -> tuple[dict[str, Any], bytes]:
        with site.store.reading() as connection:
            kept, told, packed = _done(connection, caller, id)
            readable = checks.readable_sources(connection, caller, kept)
        checks.note_reading(site, caller, kept, _READ)
        asked = kept.request.get("options", {}).get("min_percentage", 0)
        return told | {
            "what": "result",
            "readable": readable,
            "level": level,
            "min_percentage": asked if min_percentage is None else min_percentage,
        }, packed

    asked_for, packed = await run_in_threadpool(order)
    made = await renderers().made(asked_for, packed)
    return Response(made, media_type="application/json")


@router.get(
    "/{id}/view",
    summary="The report of a check, as its page draws it",
    response_model=dict[str, Any],
)
async def read_view(id: Id, site: ContextDep, caller: ChecksRead) -> Response:
    """The same values as in every report; nothing in them is a word for people."""
    _, made = await _made(site, caller, id, "json", None)
    return Response(made, media_type="application/json")


@router.get(
    "/{id}/report",
    summary="The report of a check, as a file",
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
    """Counted as people decided, with who decided what and why."""
    kept, made = await _made(site, caller, id, format, language)
    return as_download(made, kept.name, format)


async def _made(
    site: ServerContext, caller: Caller, id: str, format: Format, language: LanguageCode | None
) -> tuple[Kept, bytes]:
    def order() -> tuple[Kept, dict[str, Any], bytes]:
        with site.store.reading() as connection:
            found = _done(connection, caller, id)
        checks.note_reading(site, caller, found[0], _READ)
        return found

    kept, told, packed = await run_in_threadpool(order)
    asked = {"what": "report", "format": format, "language": language}
    return kept, await renderers().made(told | asked, packed)


def _done(connection: Connection, caller: Caller, id: str) -> tuple[Kept, dict[str, Any], bytes]:
    """A check that has a result, what people decided about it, and the result."""
    kept = checks.find_check(connection, caller, id)
    checks.ensure_done(kept)
    told = {
        "decisions": plain(decisions.read_decisions(connection, id)),
        "confirmations": plain(decisions.read_confirmations(connection, id)),
        "date": (kept.summary or {}).get("done_on"),
    }
    return kept, told, checks.packed_result(connection, id)


class Share(RequestBody):
    """Said in so many words: who says nothing shares nothing."""

    shared: bool


@router.post("/{id}/share", summary="Let other teachers open a check")
def share_check(id: Id, given: Share, site: ContextDep, caller: ChecksWrite) -> Shared:
    """Or no longer. The report shows what was found in private collections too: that is noted."""
    kept, hidden = checks.share_check(site, caller, id, given.shared)
    return Shared(**shape_of(kept, caller), private_sources=hidden)
