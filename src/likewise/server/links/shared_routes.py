"""What a link opens, for whoever has it: the report, and for a commission what it says about it.

The token comes in a header of its own, which opens no other route.
"""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Header, Request, Response
from fastapi.concurrency import run_in_threadpool

from likewise.model import Span
from likewise.results import CommissionRow, plain
from likewise.server.checks import comments, commission
from likewise.server.checks.service import SavedCheck
from likewise.server.checks.shapes import AddComment
from likewise.server.http.addresses import address_of
from likewise.server.links import opening
from likewise.server.links.opening import OpenLink, open_link
from likewise.server.links.shapes import RecordDecision, SharedComment, SharedReport
from likewise.server.people.access import ContextDep, authenticate
from likewise.server.reports.files import WatermarkedFormat, describe_reports
from likewise.server.reports.routes import (
    ReportLanguage,
    TimeZone,
    answer_file,
    render_report,
)
from likewise.server.shapes import Id

router = APIRouter(prefix="/shared", tags=["links"])

Token = Annotated[
    str, Header(alias="Link-Token", max_length=100, description="what the address ends in")
]


def _opened(request: Request, context: ContextDep, token: Token = "") -> OpenLink:
    return open_link(context, token, address_of(request), lambda: authenticate(context, request))


Opened = Annotated[OpenLink, Depends(_opened)]


@router.get("", summary="What a link leads to")
def show_shared(context: ContextDep, link: Opened) -> SharedReport:
    """Without logging in, but for links that were made for one person."""
    with context.store.reading() as connection:
        report = opening.find_report(connection, link)
        is_check = isinstance(report, SavedCheck)
        links = comments.read_comment_links(connection, report.id) if is_check else {}
        said = comments.read_comments(connection, report.id) if is_check else []
        decided = commission.read_commission(connection, report.id) if is_check else []
    return SharedReport(
        kind="check" if is_check else "batch",
        name=report.name,
        label=report.label if isinstance(report, SavedCheck) else "",
        institution=context.settings.institution,
        shared_by=link.shared_by,
        recipient=link.recipient,
        is_personal=link.is_personal,
        is_commission=link.is_commission,
        made_on=report.made_on,
        ends_on=link.ends_on,
        comments=[
            SharedComment(**plain(one), is_mine=links.get(one.id) == link.id) for one in said
        ],
        decisions=decided,
    )


@router.get(
    "/view",
    summary="The report that a link shows, as its page draws it",
    response_model=dict[str, Any],
)
async def read_shared_view(context: ContextDep, link: Opened) -> Response:
    """It is counted that somebody opened the link."""
    render_input = await run_in_threadpool(opening.read_report, context, link)
    _, data = await render_report(context, render_input, "json", None, "UTC")
    return Response(data, media_type="application/json")


@router.get(
    "/report",
    summary="The report that a link shows, as a file",
    response_class=Response,
    responses=describe_reports(),
)
async def read_shared_report(
    context: ContextDep,
    link: Opened,
    format: WatermarkedFormat = "html",
    language: ReportLanguage = None,
    time_zone: TimeZone = "UTC",
) -> Response:
    """With the name of the recipient on every page."""
    render_input = await run_in_threadpool(opening.read_report, context, link)
    return await answer_file(context, render_input, format, language, time_zone)


# What a commission says


@router.post("/comments", status_code=201, summary="Comment by a link")
def add_shared_comment(
    body: AddComment, context: ContextDep, link: Opened, token: Token = ""
) -> SharedComment:
    """Of a commission: beside a place of the text, in the name that the link was made for."""
    added = opening.add_comment(context, link, token, Span(*body.span), body.comment)
    return SharedComment(**plain(added), is_mine=True)


@router.delete("/comments/{comment}", status_code=204, summary="Delete a comment by a link")
def delete_shared_comment(
    comment: Id, context: ContextDep, link: Opened, token: Token = ""
) -> None:
    """What was written by this link."""
    opening.delete_comment(context, link, token, comment)


@router.post("/decisions", status_code=201, summary="Record a decision of a commission")
def record_decision(
    body: RecordDecision, context: ContextDep, link: Opened, token: Token = ""
) -> CommissionRow:
    """It stands in every report from now on, with why; a later one stands below it."""
    return opening.record_decision(context, link, token, body.decision, body.comment)
