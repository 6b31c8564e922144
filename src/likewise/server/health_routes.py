from __future__ import annotations

from typing import Literal

from fastapi import APIRouter

from likewise.server.context import Site
from likewise.server.health import NO_DATABASE, Details, details, health_problems
from likewise.server.http.error_handlers import RETRY_AFTER_SECONDS
from likewise.server.people.access import Administrator, TheSite
from likewise.server.problems import Problem
from likewise.server.shapes import Shape

router = APIRouter(tags=["health"])


class Health(Shape):
    """That the server can do its work."""

    status: Literal["ok"] = "ok"


@router.get("/health", summary="Whether the server can do its work")
async def health(site: TheSite) -> Health:
    """Its database answers, a worker lives and the queue moves; administrators read why not."""
    return await _health(site, of_workers=True)


@router.get("/health/live", summary="Whether the server can answer")
async def health_live(site: TheSite) -> Health:
    """Its database answers, whatever becomes of jobs: for whoever sends requests to servers."""
    return await _health(site, of_workers=False)


async def _health(site: Site, *, of_workers: bool) -> Health:
    problems = await health_problems(site, of_workers=of_workers)
    if problems:
        # What exactly is wrong is not everybody's business, but for what any request would tell.
        is_away = problems == [NO_DATABASE]
        key = "server.database_silent" if is_away else "server.cannot_work"
        raise Problem("unavailable", key, details={"retry_after": RETRY_AFTER_SECONDS})
    return Health()


@router.get("/health/details", summary="The state of the server and its library")
def health_details(site: TheSite, caller: Administrator) -> Details:
    return details(site)
