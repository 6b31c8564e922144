from __future__ import annotations

from typing import Literal

from fastapi import APIRouter

from likewise.server.access import Administrator, TheSite
from likewise.server.health import Details, database_answers, details
from likewise.server.problems import Problem
from likewise.server.refusals import RETRY_AFTER_SECONDS
from likewise.server.shapes import Shape

router = APIRouter(tags=["health"])


class Health(Shape):
    """That the server can do its work."""

    status: Literal["ok"] = "ok"


@router.get("/health", summary="Whether the server can do its work")
async def health(site: TheSite) -> Health:
    if not await database_answers(site):
        raise Problem(
            "unavailable", "the database does not answer", retry_after=RETRY_AFTER_SECONDS
        )
    return Health()


@router.get("/health/details", summary="The state of the server and its library")
def health_details(site: TheSite, caller: Administrator) -> Details:
    return details(site)
