"""What students hand in, and what teachers hand in for them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request, Response
from fastapi.concurrency import run_in_threadpool

from likewise.server.forms import receive_form
from likewise.server.http.openapi import describe_form
from likewise.server.people.access import (
    CampusRead,
    CampusWrite,
    ContextDep,
    CoursesRead,
    CoursesWrite,
)
from likewise.server.reports.files import WatermarkedFormat, describe_reports
from likewise.server.reports.routes import (
    ReportLanguage,
    TimeZone,
    answer_file,
    answer_view,
)
from likewise.server.shapes import Id, Limit, Offset, Page, Search
from likewise.server.submissions import listing, own_reports, service
from likewise.server.submissions.listing import Sort, SubmissionFilters
from likewise.server.submissions.shapes import (
    CheckedAgain,
    HandInInput,
    HandInReceipt,
    HistoryItem,
    StudentShape,
    SubmissionDetail,
    SubmissionShape,
    SubmissionState,
)

router = APIRouter(tags=["submissions"])


@router.post(
    "/assignments/{id}/submissions",
    status_code=202,
    summary="Hand in",
    openapi_extra=describe_form(
        HandInInput, "documents; from teachers archives of platforms and folders too"
    ),
)
async def hand_in(
    id: Id, request: Request, context: ContextDep, caller: CampusWrite
) -> HandInReceipt:
    """The next attempt of a student, or the works of many; what is there already stays as it is."""
    await run_in_threadpool(service.ensure_may_hand_in, context, caller, id)
    async with receive_form(request, context, caller) as form:
        body = HandInInput.model_validate(form.request)
        return await run_in_threadpool(
            service.hand_in, context, caller, id, body, form.files, form.received_on
        )


@router.get("/assignments/{id}/submissions", summary="What was handed in")
def list_of_assignment(
    id: Id,
    context: ContextDep,
    caller: CampusRead,
    attempts: Annotated[
        Literal["last", "all"], Query(description="last attempts stand in the class")
    ] = "last",
    late: bool | None = None,
    state: SubmissionState | None = None,
    search: Search = "",
    sort: Sort = "student",
    limit: Limit = 50,
    offset: Offset = 0,
) -> Page[SubmissionShape]:
    """To teachers of all students, to a student of the own ones; a file each."""
    filters = SubmissionFilters(attempts, late, state, search, sort)
    items, total = listing.list_of_assignment(context, caller, id, filters, limit, offset)
    return Page(items=items, total=total)


@router.post("/assignments/{id}/check", status_code=202, summary="Check again what failed")
def check_again(id: Id, context: ContextDep, caller: CoursesWrite) -> CheckedAgain:
    """Or was cancelled, as long as its files are there."""
    return CheckedAgain(jobs=service.check_again(context, caller, id))


@router.get("/submissions", summary="What the caller has handed in")
def list_own(
    context: ContextDep,
    caller: CampusRead,
    search: Search = "",
    limit: Limit = 50,
    offset: Offset = 0,
) -> Page[HistoryItem]:
    """In all courses; the newest first."""
    items, total = listing.list_own(context, caller, search, limit, offset)
    return Page(items=items, total=total)


@router.get("/submissions/{id}", summary="Show a submission")
def show_submission(id: Id, context: ContextDep, caller: CampusRead) -> SubmissionDetail:
    """To its student and to teachers of its course, with the other attempts."""
    return listing.show_submission(context, caller, id)


@router.get(
    "/submissions/{id}/view",
    summary="The report of a submission as its student sees it, for a page",
    response_model=dict[str, Any],
)
async def read_own_view(id: Id, context: ContextDep, caller: CampusRead) -> Response:
    """Of others' works neither name nor text; teachers see exactly what their student would."""
    render_input = await run_in_threadpool(own_reports.read_own_report, context, caller, id)
    return await answer_view(context, render_input)


@router.get(
    "/submissions/{id}/report",
    summary="The report of a submission as its student sees it, as a file",
    response_class=Response,
    responses=describe_reports(),
)
async def read_own_report(
    id: Id,
    context: ContextDep,
    caller: CampusRead,
    format: WatermarkedFormat = "html",
    language: ReportLanguage = None,
    time_zone: TimeZone = "UTC",
) -> Response:
    """With the name of whoever reads it on every page."""
    render_input = await run_in_threadpool(own_reports.read_own_report, context, caller, id)
    return await answer_file(context, render_input, format, language, time_zone)


@router.delete("/submissions/{id}", status_code=204, summary="Delete an attempt")
def delete_attempt(id: Id, context: ContextDep, caller: CoursesWrite) -> None:
    """All files of the attempt to which it belongs, with their checks; one before counts again."""
    service.delete_attempt(context, caller, id)


@router.get("/students", summary="Students of the caller's courses")
def list_students(
    context: ContextDep,
    caller: CoursesRead,
    search: Search = "",
    limit: Limit = 50,
    offset: Offset = 0,
) -> Page[StudentShape]:
    """Those who have an account, by name."""
    items, total = listing.list_students(context, caller, search, limit, offset)
    return Page(items=items, total=total)


@router.get("/students/{id}/submissions", summary="The history of a student")
def list_of_student(
    id: Id,
    context: ContextDep,
    caller: CampusRead,
    limit: Limit = 50,
    offset: Offset = 0,
) -> Page[HistoryItem]:
    """In the courses that the caller teaches, without what is blind still; the newest first."""
    items, total = listing.list_of_student(context, caller, id, limit, offset)
    return Page(items=items, total=total)
