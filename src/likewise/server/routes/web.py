"""Whether the Internet may be asked, and what would be sent where."""

from __future__ import annotations

from fastapi import APIRouter

from likewise.server.checks.web import WebShape, web_offered
from likewise.server.people.access import ChecksRead, ContextDep

router = APIRouter(prefix="/web", tags=["checks"])


@router.get("", summary="Tell what a check on the Internet would send")
def tell_of_web(site: ContextDep, caller: ChecksRead) -> WebShape:
    """Nothing is sent by asking this."""
    return web_offered(site)
