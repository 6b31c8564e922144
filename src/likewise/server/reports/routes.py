"""The routes that checks and batches have alike: a report for the page, and as a file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, Protocol

from fastapi import APIRouter, Query, Response
from fastapi.concurrency import run_in_threadpool
from pydantic import AfterValidator

from likewise.catalogue import LanguageCode, time_zone_of
from likewise.server.caller import Caller
from likewise.server.context import ServerContext
from likewise.server.people.access import ChecksRead, ContextDep
from likewise.server.reports.files import Format, as_download, describe_reports
from likewise.server.reports.renderer_pool import renderers
from likewise.server.shapes import Id


def page_address(context: ServerContext, path: str) -> str:
    """Where browsers find a page, if an administrator has said where they reach the server."""
    url = context.config.public_url.rstrip("/")
    return f"{url}{path}" if url else ""


def _known(time_zone: str) -> str:
    time_zone_of(time_zone)
    return time_zone


TimeZone = Annotated[
    str,
    Query(max_length=64, description="in which times are told, by its IANA name: Asia/Almaty"),
    AfterValidator(_known),
]
ReportLanguage = Annotated[LanguageCode | None, Query(description="of a page: else its reader's")]


class Named(Protocol):
    """What is reported on, by the name that its files get."""

    @property
    def name(self) -> str: ...


@dataclass(frozen=True, slots=True)
class RenderInput:
    """A report that is done: what people decided about it, and the packed results."""

    report: Named
    order: dict[str, Any]
    packed: list[bytes]


# Reads what a report is made of, and notes who reads; refuses where there is none for the caller.
LoadInput = Callable[[ServerContext, Caller, str], RenderInput]


def add_report_routes(
    router: APIRouter, load: LoadInput, noun: str, *, of_view: str, of_report: str
) -> None:
    """Routes for the reports of a noun; `of_view` and `of_report` describe them."""

    @router.get(
        "/{id}/view",
        summary=f"The report of a {noun}, as its page draws it",
        description=of_view,
        response_model=dict[str, Any],
    )
    async def read_view(id: Id, context: ContextDep, caller: ChecksRead) -> Response:
        _, data = await _render(load, context, caller, id, "json", None)
        return Response(data, media_type="application/json")

    @router.get(
        "/{id}/report",
        summary=f"The report of a {noun}, as a file",
        description=of_report,
        response_class=Response,
        responses=describe_reports(),
    )
    async def read_report(
        id: Id,
        context: ContextDep,
        caller: ChecksRead,
        format: Format = "html",
        language: ReportLanguage = None,
        time_zone: TimeZone = "UTC",
    ) -> Response:
        name, data = await _render(load, context, caller, id, format, language, time_zone)
        return as_download(data, name, format)


async def _render(
    load: LoadInput,
    context: ServerContext,
    caller: Caller,
    id: str,
    format: Format,
    language: LanguageCode | None,
    time_zone: str = "UTC",
) -> tuple[str, bytes]:
    """The name of what is reported on, and the report."""
    render_input = await run_in_threadpool(load, context, caller, id)
    return await render_report(context, render_input, format, language, time_zone)


async def render_report(
    context: ServerContext,
    render_input: RenderInput,
    format: Format,
    language: LanguageCode | None,
    time_zone: str,
) -> tuple[str, bytes]:
    """The name of what is reported on, and the report."""
    order = render_input.order | {
        "what": "report",
        "format": format,
        "language": language,
        "time_zone": time_zone,
        "institution": (await run_in_threadpool(lambda: context.settings)).institution,
    }
    return render_input.report.name, await renderers().render_async(order, *render_input.packed)


async def answer_view(context: ServerContext, render_input: RenderInput) -> Response:
    """What a page draws, kept by no browser."""
    _, data = await render_report(context, render_input, "json", None, "UTC")
    return Response(data, media_type="application/json", headers={"Cache-Control": "no-store"})


async def answer_file(
    context: ServerContext,
    render_input: RenderInput,
    format: Format,
    language: LanguageCode | None,
    time_zone: str,
) -> Response:
    """The report, to be saved."""
    name, data = await render_report(context, render_input, format, language, time_zone)
    return as_download(data, name, format)
