"""Links to reports, for those who make them."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from likewise.server.caller import Caller
from likewise.server.context import ServerContext, read_settings
from likewise.server.links import service
from likewise.server.links.service import PAGE
from likewise.server.links.shapes import (
    Links,
    LinkShape,
    MadeLink,
    MakeLink,
    OpeningShape,
    Reported,
)
from likewise.server.mail.addresses import sends_mail
from likewise.server.people.access import ChecksRead, ChecksWrite, ContextDep
from likewise.server.reports.routes import page_address
from likewise.server.shapes import Id, Limit, Page

router = APIRouter(tags=["links"])


@router.get("/checks/{id}/links", summary="Links to the report of a check")
def list_check_links(id: Id, context: ContextDep, caller: ChecksRead) -> Links:
    """For the owner of the check; the newest first, with how often each was opened."""
    return _list(context, caller, "check", id)


@router.post("/checks/{id}/links", status_code=201, summary="Show a check by a link")
def make_check_link(id: Id, body: MakeLink, context: ContextDep, caller: ChecksWrite) -> MadeLink:
    """To a colleague, a commission, or whoever has the address. It is told this once."""
    return _make(context, caller, "check", id, body)


@router.get("/batches/{id}/links", summary="Links to the report of a batch")
def list_batch_links(id: Id, context: ContextDep, caller: ChecksRead) -> Links:
    """For the owner of the batch; the newest first, with how often each was opened."""
    return _list(context, caller, "batch", id)


@router.post("/batches/{id}/links", status_code=201, summary="Show a batch by a link")
def make_batch_link(id: Id, body: MakeLink, context: ContextDep, caller: ChecksWrite) -> MadeLink:
    """To a colleague, or whoever has the address. It is told this once."""
    return _make(context, caller, "batch", id, body)


@router.post("/links/{id}/revoke", summary="Revoke a link")
def revoke_link(id: Id, context: ContextDep, caller: ChecksWrite) -> LinkShape:
    """By whoever made it; for good."""
    return LinkShape.model_validate(service.revoke_link(context, caller, id))


@router.get("/links/{id}/openings", summary="Who opened a link")
def list_openings(
    id: Id,
    context: ContextDep,
    caller: ChecksRead,
    limit: Limit = 50,
    offset: Annotated[int, Query(ge=0, le=1_000_000)] = 0,
) -> Page[OpeningShape]:
    """When, from which network, and who where it was made for one person."""
    with context.store.reading() as connection:
        rows, total = service.list_openings(connection, caller, id, limit, offset)
    return Page(items=[OpeningShape(**row) for row in rows], total=total)


def _list(context: ServerContext, caller: Caller, kind: Reported, id: str) -> Links:
    with context.store.reading() as connection:
        items = service.list_links(connection, caller, kind, id)
        settings = read_settings(connection)
    return Links(
        sends_mail=sends_mail(context.config),
        items=[LinkShape.model_validate(one) for one in items],
        usual_days=min(settings.link_days, settings.most_link_days),
        most_days=settings.most_link_days,
    )


def _make(
    context: ServerContext, caller: Caller, kind: Reported, id: str, body: MakeLink
) -> MadeLink:
    link, token = service.make_link(context, caller, kind, id, body)
    address = page_address(context, PAGE) if token else ""
    return MadeLink(
        link=LinkShape.model_validate(link),
        token=token,
        address=f"{address}#{token}" if address else "",
    )
