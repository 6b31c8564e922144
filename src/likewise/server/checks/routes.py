"""Checks: started, watched, read, reported, shared, decided about."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from fastapi.concurrency import run_in_threadpool
from pydantic import BeforeValidator

from likewise.catalogue import LanguageCode, Words
from likewise.model import Span
from likewise.results import (
    CheckResult,
    ConfirmationRow,
    DecisionRow,
    Level,
    SourceOrder,
)
from likewise.server.caller import Caller
from likewise.server.checks import bulk, comments, commission, decisions, service
from likewise.server.checks.figures import figures_csv
from likewise.server.checks.report_input import read_done
from likewise.server.checks.request import CheckRequest
from likewise.server.checks.selection import CheckSelection, ChecksRequest
from likewise.server.checks.shapes import (
    AddComment,
    AttentionShape,
    BulkShape,
    CheckDetail,
    CheckShape,
    CommentShape,
    Confirm,
    Exclude,
    SharedCheck,
    ShareMany,
    check_fields,
    clean_comment,
    comment_shape,
)
from likewise.server.checks.start import enqueue_check
from likewise.server.checks.web import WebShape, describe_web
from likewise.server.context import ServerContext
from likewise.server.downloads import download
from likewise.server.forms import receive_form
from likewise.server.http.openapi import describe_form
from likewise.server.people.access import ChecksRead, ChecksWrite, ContextDep
from likewise.server.reports.renderer_pool import renderers
from likewise.server.reports.routes import RenderInput, add_report_routes, page_address
from likewise.server.reports.saved import Share, note_reading
from likewise.server.shapes import Accepted, Id, Page

router = APIRouter(prefix="/checks", tags=["checks"])
web_router = APIRouter(prefix="/web", tags=["checks"])

_READ = "check of another read"  # in the audit log


def _as_number(value: Any) -> Any:
    return int(value) if isinstance(value, str) and value.isdecimal() else value


LevelQuery = Annotated[
    Level | None,
    BeforeValidator(_as_number),
    Query(description="of the confidence interval, in percent; else as the check was asked"),
]
SourceSort = Annotated[
    SourceOrder,
    Query(
        description="the order of sources: by the text that they explain, or by the agreement of "
        "the measures; their numbers are those of reports"
    ),
]


@router.post(
    "",
    status_code=202,
    summary="Start a check",
    openapi_extra=describe_form(
        CheckRequest, "the document, and templates that the request names; none for one by number"
    ),
)
async def start_check(request: Request, context: ContextDep, caller: ChecksWrite) -> Accepted:
    """One document against everything that the caller may read, or against what is asked for."""
    async with receive_form(request, context, caller) as form:
        options = CheckRequest.model_validate(form.request)
        id, job = await run_in_threadpool(enqueue_check, context, caller, options, form.files)
    return Accepted(id=id, job=job)


@router.get("", summary="List checks")
def list_checks(
    context: ContextDep, caller: ChecksRead, query: Annotated[ChecksRequest, Query()]
) -> Page[CheckShape]:
    """The caller's own, and those that others share."""
    with context.store.reading() as connection:
        items, total = service.list_checks(connection, caller, query)
        batch_names = service.read_batch_names(connection, items)
    shapes = [
        CheckShape(**check_fields(check, caller), batch_name=batch_names.get(check.batch_id))
        for check in items
    ]
    return Page(items=shapes, total=total)


@router.get("/attention", summary="What needs the caller's attention")
def show_attention(context: ContextDep, caller: ChecksRead) -> AttentionShape:
    """Counted over all checks; each figure is that of a list with the same filters."""
    with context.store.reading() as connection:
        return AttentionShape.model_validate(service.count_attention(connection, caller))


# Of many checks


@router.post("/delete", summary="Delete several checks")
def delete_checks(body: CheckSelection, context: ContextDep, caller: ChecksWrite) -> BulkShape:
    """The caller's own; those of others and of batches are left as they are."""
    return BulkShape.model_validate(bulk.delete_checks(context, caller, body))


@router.post("/share", summary="Let other teachers open several checks")
def share_checks(body: ShareMany, context: ContextDep, caller: ChecksWrite) -> BulkShape:
    """The caller's own, or no longer; those of others and of batches are left as they are."""
    return BulkShape.model_validate(bulk.share_checks(context, caller, body, body.shared))


@router.post("/again", summary="Check several documents again")
def check_again(body: CheckSelection, context: ContextDep, caller: ChecksWrite) -> BulkShape:
    """What failed or was cancelled is tried again; what stands in the library is checked anew.

    Of what was uploaded for its check alone the file is gone: it is left as it is.
    """
    return BulkShape.model_validate(bulk.check_again(context, caller, body))


@router.post(
    "/figures",
    summary="Figures of several checks",
    response_class=Response,
    responses={
        200: {
            "description": "CSV: a row for each check, with its shares by kind",
            "content": {
                "application/octet-stream": {"schema": {"type": "string", "format": "binary"}}
            },
        }
    },
)
def export_figures(
    body: CheckSelection,
    context: ContextDep,
    caller: ChecksRead,
    language: Annotated[LanguageCode, Query(description="of heads and figures")] = "en",
) -> Response:
    """For a spreadsheet, to be saved."""
    with context.store.reading() as connection:
        selected = service.select_checks(connection, caller, body)
    name = Words(language)("server.figures_file")
    return download(figures_csv(selected, language).encode("utf-8-sig"), f"{name}.csv")


@router.get("/{id}", summary="Show a check")
def show_check(id: Id, context: ContextDep, caller: ChecksRead) -> CheckDetail:
    """How far it is, and when it is done what it came to."""
    with context.store.reading() as connection:
        check = service.find_check(connection, caller, id)
        confirmer_ids = decisions.read_confirmer_ids(connection, id)
        document = service.find_checked_document(connection, caller, check)
        return CheckDetail(
            **check_fields(check, caller),
            request=dict(check.request),
            exclusions=decisions.read_decisions(connection, id),
            confirmations=decisions.read_confirmations(connection, id),
            commission=commission.read_commission(connection, id),
            may_confirm=check.state == "done"
            and check.user_id != caller.id
            and caller.id not in confirmer_ids,
            may_change=service.saved_checks.may_change(connection, caller, check),
            later_share=service.read_later_shares(connection, check.batch_id).get(check.name),
            comments=[
                comment_shape(comment, author == caller.id)
                for comment, author in comments.read_comments_with_authors(connection, id)
            ],
            document_id=None if document is None else document.id,
            documents=service.readable_source_ids(connection, caller, check),
        )


@router.delete("/{id}", status_code=204, summary="Delete a check")
def delete_check(id: Id, context: ContextDep, caller: ChecksWrite) -> None:
    """With its result. A check that is running is given up."""
    service.delete_check(context, caller, id)


@router.get(
    "/{id}/result",
    summary="The result of a check",
    response_model=CheckResult,
)
async def read_result(
    id: Id,
    context: ContextDep,
    caller: ChecksRead,
    level: LevelQuery = None,
    min_percentage: Annotated[
        float | None, Query(ge=0, le=100, description="else as the check was asked")
    ] = None,
    sort: SourceSort = "share",
) -> Response:
    """Shares, sources with all measures and passages, and what was not checked and why."""

    def load() -> tuple[dict[str, Any], bytes]:
        with context.store.reading() as connection:
            check, order, packed = read_done(connection, caller, id)
            readable = service.readable_sources(connection, caller, check)
        note_reading(context, caller, check, _READ)
        options = check.request.get("options", {})
        return order | {
            "what": "result",
            "readable": readable,
            "level": options.get("level", 99) if level is None else level,
            "min_percentage": options.get("min_percentage", 0)
            if min_percentage is None
            else min_percentage,
            "sort": sort,
        }, packed

    order, packed = await run_in_threadpool(load)
    data = await renderers().render_async(order, packed)
    return Response(data, media_type="application/json")


def _load_report(context: ServerContext, caller: Caller, id: str) -> RenderInput:
    with context.store.reading() as connection:
        check, order, packed = read_done(connection, caller, id)
        if check.batch_id is not None:
            order["handed_in"] = service.read_names(connection, check.batch_id)
    note_reading(context, caller, check, _READ)
    order["address"] = page_address(context, f"/checks/{id}")
    service.note_opening(context, caller, check)
    return RenderInput(check, order, [packed])


add_report_routes(
    router,
    _load_report,
    "check",
    of_view="The same values as in every report; nothing in them is a word for people.",
    of_report="Counted as people decided, with who decided what and why.",
)


@router.post("/{id}/share", summary="Let other teachers open a check")
def share_check(id: Id, body: Share, context: ContextDep, caller: ChecksWrite) -> SharedCheck:
    """Or no longer. The report shows what was found in private collections too: that is noted."""
    check, private = service.share_check(context, caller, id, body.shared)
    return SharedCheck(**check_fields(check, caller), private_sources=private)


# Decisions


@router.get("/{id}/exclusions", summary="What was taken out of the count")
def list_exclusions(id: Id, context: ContextDep, caller: ChecksRead) -> list[DecisionRow]:
    """With who did it, when and why."""
    with context.store.reading() as connection:
        service.find_check(connection, caller, id)
        return decisions.read_decisions(connection, id)


@router.post("/{id}/exclusions", status_code=201, summary="Take a source or a passage out")
def exclude(id: Id, body: Exclude, context: ContextDep, caller: ChecksWrite) -> DecisionRow:
    """Everything is counted anew, in every report; what others confirmed is withdrawn."""
    span = None if body.span is None else Span(*body.span)
    return decisions.exclude(context, caller, id, reason=body.reason, source=body.source, span=span)


@router.delete("/{id}/exclusions/{exclusion}", status_code=204, summary="Count it again")
def include(id: Id, exclusion: Id, context: ContextDep, caller: ChecksWrite) -> None:
    decisions.include(context, caller, id, exclusion)


@router.post("/{id}/confirmations", status_code=201, summary="Confirm a report")
def confirm(id: Id, body: Confirm, context: ContextDep, caller: ChecksWrite) -> ConfirmationRow:
    """Another teacher than the owner has read it and agrees; once."""
    return decisions.confirm(context, caller, id, clean_comment(body.comment))


@router.delete(
    "/{id}/confirmations/{confirmation}", status_code=204, summary="Withdraw a confirmation"
)
def withdraw(id: Id, confirmation: Id, context: ContextDep, caller: ChecksWrite) -> None:
    decisions.withdraw(context, caller, id, confirmation)


# Comments


@router.post("/{id}/comments", status_code=201, summary="Comment on a place of the text")
def add_comment(id: Id, body: AddComment, context: ContextDep, caller: ChecksWrite) -> CommentShape:
    """Whoever may open the check may; every report shows it beside its passage."""
    added = comments.add_comment(context, caller, id, Span(*body.span), body.comment)
    return comment_shape(added, is_mine=True)


@router.delete("/{id}/comments/{comment}", status_code=204, summary="Delete a comment")
def delete_comment(id: Id, comment: Id, context: ContextDep, caller: ChecksWrite) -> None:
    """One's own."""
    comments.delete_comment(context, caller, id, comment)


# The Internet


@web_router.get("", summary="Tell what a check on the Internet would send")
def tell_of_web(context: ContextDep, caller: ChecksRead) -> WebShape:
    """Nothing is sent by asking this."""
    return describe_web(context)
