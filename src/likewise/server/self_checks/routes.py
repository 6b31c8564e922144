"""What students check before they hand in; nobody else sees it."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.concurrency import run_in_threadpool

from likewise.server.forms import receive_form
from likewise.server.http.openapi import describe_form
from likewise.server.people.access import CampusRead, CampusWrite, ContextDep
from likewise.server.reports.files import WatermarkedFormat, describe_reports
from likewise.server.reports.routes import (
    ReportLanguage,
    TimeZone,
    answer_file,
    answer_view,
)
from likewise.server.self_checks import service
from likewise.server.self_checks.shapes import SelfCheckInput, SelfCheckShape, SelfChecksShape
from likewise.server.shapes import Id

router = APIRouter(tags=["self-checks"])


@router.get("/assignments/{id}/self-checks", summary="One's own self-checks")
def list_self_checks(id: Id, context: ContextDep, caller: CampusRead) -> SelfChecksShape:
    """Of a student of the course, and how many there may still be today."""
    return service.list_self_checks(context, caller, id)


@router.post(
    "/assignments/{id}/self-checks",
    status_code=202,
    summary="Check without handing in",
    openapi_extra=describe_form(SelfCheckInput, "one document"),
)
async def ask_self_check(
    id: Id, request: Request, context: ContextDep, caller: CampusWrite
) -> SelfCheckShape:
    """Until the deadline; the file is deleted once it is checked, the answer a day later."""
    await run_in_threadpool(service.ensure_may_self_check, context, caller, id)
    async with receive_form(request, context, caller) as form:
        body = SelfCheckInput.model_validate(form.request)
        return await run_in_threadpool(
            service.ask_self_check, context, caller, id, body, form.files
        )


@router.get("/self-checks/{id}", summary="Show a self-check")
def show_self_check(id: Id, context: ContextDep, caller: CampusRead) -> SelfCheckShape:
    """To whoever asked for it, and nobody else."""
    return service.show_self_check(context, caller, id)


@router.get(
    "/self-checks/{id}/view",
    summary="The report of a self-check, for a page",
    response_model=dict[str, Any],
)
async def read_self_check_view(id: Id, context: ContextDep, caller: CampusRead) -> Response:
    """Without others' works, and without passages with them that have fewer than 30 words."""
    render_input = await run_in_threadpool(service.read_report, context, caller, id)
    return await answer_view(context, render_input)


@router.get(
    "/self-checks/{id}/report",
    summary="The report of a self-check, as a file",
    response_class=Response,
    responses=describe_reports(),
)
async def read_self_check_report(
    id: Id,
    context: ContextDep,
    caller: CampusRead,
    format: WatermarkedFormat = "html",
    language: ReportLanguage = None,
    time_zone: TimeZone = "UTC",
) -> Response:
    """With the name of the student on every page."""
    render_input = await run_in_threadpool(service.read_report, context, caller, id)
    return await answer_file(context, render_input, format, language, time_zone)


@router.delete("/self-checks/{id}", status_code=204, summary="Delete a self-check")
def delete_self_check(id: Id, context: ContextDep, caller: CampusWrite) -> None:
    """With its text and its answer; it still counts for the day."""
    service.delete_self_check(context, caller, id)
