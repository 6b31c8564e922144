from __future__ import annotations

from fastapi import APIRouter, Request, Response

from likewise.server.metrics import CONTENT_TYPE, exposition
from likewise.server.people.access import MetricsReader, TheSite
from likewise.server.problems import Problem

router = APIRouter(tags=["metrics"])

_TEXT = {200: {"content": {"text/plain": {"schema": {"type": "string"}}}}}


@router.get(
    "/metrics",
    summary="Figures for Prometheus",
    response_class=Response,
    responses=_TEXT,  # type: ignore[arg-type]
)
def metrics(request: Request, site: TheSite, caller: MetricsReader) -> Response:
    if caller.scopes is None and not caller.is_administrator:
        raise Problem("not allowed", "server.no_scope_for_metrics", scope="metrics")
    return Response(exposition(site, request.app.state.metrics), media_type=CONTENT_TYPE)
