"""Personal data for those whom they are about, and what a data-protection officer looks after."""

from __future__ import annotations

from collections.abc import Iterator
from os import SEEK_END
from typing import IO, Annotated, Any, Literal

from fastapi import APIRouter, Query, Response
from fastapi.responses import StreamingResponse
from pydantic import Field

from likewise.catalogue import LanguageCode
from likewise.server.caller import Caller
from likewise.server.context import ServerContext
from likewise.server.downloads import download, saving_headers
from likewise.server.people.access import (
    Administrator,
    CampusRead,
    ContextDep,
    DocumentsRead,
    PersonCaller,
    RecentAdministrator,
    RecentPerson,
)
from likewise.server.privacy import consent_texts, retention, statistics
from likewise.server.privacy.counts import PersonalKind, count_personal_data
from likewise.server.privacy.export import export_personal_data
from likewise.server.problems import not_found
from likewise.server.shapes import Id, Page, RequestBody, Shape, SingleLine, Timestamp

router = APIRouter(tags=["privacy"])

_PIECE = 1 << 16
_ARCHIVE: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "a ZIP archive: data.json, and files",
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
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


class PersonalCounts(Shape):
    """How much is kept about a person."""

    counts: dict[PersonalKind, int] = Field(description="rows of each kind; 0 where there is none")


@router.get("/me/data/counts", summary="How much is kept about me")
def count_own_data(context: ContextDep, caller: PersonCaller) -> PersonalCounts:
    """What the archive would hold, without making it."""
    return PersonalCounts(counts=count_personal_data(context, caller))


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
    size = file.seek(0, SEEK_END)
    file.seek(0)
    # With its length, so that a page can say how much of it is there.
    headers = saving_headers(f"likewise-{name}.zip") | {"Content-Length": str(size)}
    return StreamingResponse(_pieces(file), media_type="application/octet-stream", headers=headers)


def _pieces(file: IO[bytes]) -> Iterator[bytes]:
    with file:
        while piece := file.read(_PIECE):
            yield piece


class ConsentTextInput(RequestBody):
    """What is asked from now on, by language; without any text nothing is asked."""

    texts: dict[LanguageCode, Annotated[str, Field(max_length=10_000)]]


class ConsentTextShape(Shape):
    """One version of what students are asked to agree to when they hand in."""

    id: str
    texts: dict[LanguageCode, str]
    made_on: Timestamp
    submissions: int = Field(description="under which it was agreed to; 0 but for administrators")


class CurrentConsentText(Shape):
    """What a student agrees to with the next hand-in."""

    id: str = Field(description="to be sent as `consent` of what is handed in or checked")
    texts: dict[LanguageCode, str]
    made_on: Timestamp


@router.get("/consent-texts", summary="What students agree to")
def list_consent_texts(
    context: ContextDep,
    caller: PersonCaller,
    limit: Annotated[int, Query(ge=1, le=500)] = 50,
    offset: Annotated[int, Query(ge=0, le=1_000_000)] = 0,
) -> Page[ConsentTextShape]:
    """All versions, for whoever is logged in; the first is the one that is asked now."""
    texts, total = consent_texts.list_consent_texts(context, limit=limit, offset=offset)
    items = [ConsentTextShape.model_validate(one) for one in texts]
    if not caller.is_administrator:
        items = [one.model_copy(update={"submissions": 0}) for one in items]
    return Page(items=items, total=total)


@router.get("/consent-texts/current", summary="What students agree to now")
def show_current_consent_text(context: ContextDep, caller: CampusRead) -> CurrentConsentText:
    """It goes with everything that a student hands in or checks; none where nothing is asked."""
    with context.store.reading() as connection:
        current = consent_texts.current_consent_text(connection)
    if current is None:
        raise not_found("server.noun_consent_text")
    return CurrentConsentText.model_validate(current)


@router.post("/consent-texts", summary="Ask for another consent", status_code=201)
def add_consent_text(
    body: ConsentTextInput, context: ContextDep, caller: Administrator
) -> ConsentTextShape:
    """A new version: none is ever changed, since people have agreed to it as it was."""
    texts = consent_texts.add_consent_text(context, caller, dict(body.texts))
    return ConsentTextShape.model_validate(texts)


class DeletionShape(Shape):
    """What a rule of retention is going to delete."""

    kind: Literal["collection", "assignment"]
    id: str
    name: str | None = Field(description="null of another's private collection")
    keep_days: int
    first_on: Timestamp = Field(description="when the first of it goes")
    items: int = Field(description="documents or submissions that go in the next sixty days")
    announced_on: Timestamp | None = Field(description="null: within the hour")
    begins_on: Timestamp = Field(description="before, the rule deletes nothing")


@router.get("/retention", summary="What is going to be deleted")
def list_deletions(context: ContextDep, caller: DocumentsRead) -> list[DeletionShape]:
    """Of collections and assignments with an end: one's own; administrators see all."""
    return [DeletionShape.model_validate(one) for one in retention.list_deletions(context, caller)]


class CourseStatisticsShape(Shape):
    """One course in one term. Null is a number that would be about fewer than five people."""

    course: str
    code: str
    term: str
    assignments: int
    students: int | None
    submissions: int | None
    late: int | None
    levels: dict[Literal["low", "notice", "high"], int | None] = Field(
        description="last attempts by their similar share, at the thresholds of the site"
    )


@router.get("/statistics", summary="Courses in numbers")
def list_statistics(
    context: ContextDep,
    caller: Administrator,
    term: Annotated[SingleLine | None, Query(description="only this one")] = None,
) -> list[CourseStatisticsShape]:
    """Counts without names, by course and term; small numbers are left out."""
    rows = statistics.course_statistics(context, term=term)
    return [CourseStatisticsShape.model_validate(one) for one in rows]


@router.get(
    "/statistics/export",
    summary="Courses in numbers, as a table",
    response_class=Response,
    responses={
        200: {
            "description": "a table of CSV",
            "content": {
                "application/octet-stream": {"schema": {"type": "string", "format": "binary"}}
            },
        }
    },
)
def export_statistics(
    context: ContextDep,
    caller: Administrator,
    term: Annotated[SingleLine | None, Query(description="only this one")] = None,
    language: LanguageCode = "en",
) -> Response:
    """The same figures for a spreadsheet; small numbers are left out here too."""
    rows = statistics.course_statistics(context, term=term)
    table = statistics.statistics_as_csv(rows, language)
    return download(table.encode("utf-8-sig", "replace"), "statistics.csv")
