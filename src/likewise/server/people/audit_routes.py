"""What was done on this site, for administrators."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter, Query
from pydantic import Field

from likewise.server.fields import Line
from likewise.server.people.access import Administrator, TheSite
from likewise.server.people.audit import acts, noted
from likewise.server.shapes import Moment, Page, Shape, stored_moment

router = APIRouter(tags=["audit"])


class Act(Shape):
    """Something that somebody did."""

    id: str
    on: Moment
    user_id: str | None = Field(description="none where the person is gone, or nobody logged in")
    user_name: str | None = Field(description="as the person was called")
    act: str
    target: str | None
    address: str | None
    detail: dict[str, Any]


@router.get("/audit", summary="Read the audit log")
def list_audit(
    site: TheSite,
    caller: Administrator,
    person: Annotated[Line | None, Query(description="the name or id of who did it")] = None,
    act: Annotated[Line | None, Query(description="as /audit/acts lists them")] = None,
    start: Annotated[datetime | None, Query(alias="from")] = None,
    end: Annotated[datetime | None, Query(alias="to", description="before this moment")] = None,
    search: Annotated[Line | None, Query(description="anywhere")] = None,
    limit: Annotated[int, Query(ge=1, le=500)] = 50,
    offset: Annotated[int, Query(ge=0, le=1_000_000)] = 0,
) -> Page[Act]:
    """The newest first."""
    with site.store.reading() as connection:
        found, total = noted(
            connection,
            person=person,
            act=act,
            start=start and stored_moment(start),
            end=end and stored_moment(end),
            search=search,
            limit=limit,
            offset=offset,
        )
    return Page(items=[Act.model_validate(one) for one in found], total=total)


@router.get("/audit/acts", summary="What kinds of acts there are")
def list_acts(site: TheSite, caller: Administrator) -> list[str]:
    """In the order of the alphabet."""
    with site.store.reading() as connection:
        return acts(connection)
