"""Documents of the library, checked many at a time: by their numbers, or all that fit."""

from __future__ import annotations

from fastapi import APIRouter
from pydantic import Field
from sqlalchemy import Connection, select

from likewise.library import schema
from likewise.library.filters import split_numbers
from likewise.server.checks.request import BatchRequest, CheckRequest
from likewise.server.checks.start import enqueue_documents
from likewise.server.documents.service import matching_numbers
from likewise.server.documents.shapes import DocumentSelection
from likewise.server.people.access import ChecksWrite, ContextDep
from likewise.server.people.audit import record_act
from likewise.server.permissions import select_collections
from likewise.server.problems import Problem
from likewise.server.shapes import RequestBody, Shape

router = APIRouter(prefix="/documents", tags=["checks"])

MOST_AT_ONCE = 10_000


class CheckDocuments(RequestBody):
    """Which documents, and what they are checked against."""

    documents: DocumentSelection
    request: BatchRequest = Field(default=BatchRequest(), description="as for a batch")


class StartedChecks(Shape):
    checks: int


@router.post("/check", status_code=202, summary="Check documents of the library")
def check_documents(
    body: CheckDocuments, context: ContextDep, caller: ChecksWrite
) -> StartedChecks:
    """A check for each, against everything else that the caller may read."""
    request = CheckRequest.model_validate(body.request.model_dump(exclude_unset=True))
    if request.keep or request.templates:
        raise Problem("bad request", "server.keeps_nothing")
    with context.store.beside() as connection:
        select_collections(connection, caller, request.collections)
        numbers = matching_numbers(context, connection, caller, body.documents)
        if len(numbers) > MOST_AT_ONCE:
            raise Problem("too large", "server.many_checks", most=MOST_AT_ONCE)
        names = _names_of(connection, numbers)
        wanted = [(number, names[number], request) for number in numbers]
        count = enqueue_documents(connection, context, caller, wanted)
        record_act(connection, caller, "documents checked", None, checks=count)
    return StartedChecks(checks=count)


def _names_of(connection: Connection, numbers: list[int]) -> dict[int, str]:
    document = schema.documents.c
    names: dict[int, str] = {}
    for part in split_numbers(numbers):
        query = select(document.id, document.name).where(document.id.in_(part))
        names.update((row.id, row.name) for row in connection.execute(query))
    return names
