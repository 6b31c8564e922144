"""What is kept about a person: as an archive, for oneself and for administrators."""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO, Any

from fastapi import APIRouter
from fastapi.responses import StreamingResponse

from likewise.server.context import ServerContext
from likewise.server.downloads import saving_headers
from likewise.server.people.access import ContextDep, RecentAdministrator, RecentPerson
from likewise.server.privacy.export import export_personal_data
from likewise.server.caller import Caller
from likewise.server.shapes import Id

router = APIRouter(tags=["privacy"])

_PIECE = 1 << 16
_ARCHIVE: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "a ZIP archive: data.json, and files",
        "content": {
            "application/octet-stream": {"schema": {"type": "string", "format": "binary"}}
        },
    }
}


@router.get(
    "/me/data",
    summary="All that is kept about me",
    response_class=StreamingResponse,
    responses=_ARCHIVE,
)
def export_own_data(context: ContextDep, caller: RecentPerson) -> StreamingResponse:
    """Rows of every table as JSON, texts and files beside them. Needs a password given lately."""
    return _archive(context, caller, caller.id)


@router.get(
    "/users/{id}/data",
    summary="All that is kept about a person",
    response_class=StreamingResponse,
    responses=_ARCHIVE,
)
def export_data(id: Id, context: ContextDep, caller: RecentAdministrator) -> StreamingResponse:
    """The same for somebody who asks on paper; the person is told, and the log says so."""
    return _archive(context, caller, id)


def _archive(context: ServerContext, caller: Caller, user: str) -> StreamingResponse:
    file, name = export_personal_data(context, caller, user)
    headers = saving_headers(f"likewise-{name}.zip")
    return StreamingResponse(
        _pieces(file), media_type="application/octet-stream", headers=headers
    )


def _pieces(file: IO[bytes]) -> Iterator[bytes]:
    with file:
        while piece := file.read(_PIECE):
            yield piece
