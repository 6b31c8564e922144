"""Figures of this process and of the database, as Prometheus reads them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

from fastapi import APIRouter, Request, Response
from sqlalchemy import Connection, func, select

from likewise.library import schema
from likewise.server.context import ServerContext
from likewise.server.database import tables
from likewise.server.http.request_log import Metrics, family
from likewise.server.jobs.presence import killed_workers, present_workers
from likewise.server.jobs.queue import database_now
from likewise.server.people.access import ContextDep, MetricsReader
from likewise.server.problems import Problem
from likewise.version import version

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"


def exposition(site: ServerContext, metrics: Metrics) -> str:
    """Everything that Prometheus is told."""
    with site.store.reading() as connection:
        lines = [*metrics.families(), *_of_database(connection), *_of_process()]
    return "\n".join(lines) + "\n"


def _of_database(connection: Connection) -> Iterator[str]:
    """The same from every server of a library: sum over servers would count them twice."""
    jobs, moment = tables.jobs.c, database_now(connection)
    counts = connection.execute(
        select(jobs.kind, jobs.state, func.count()).group_by(jobs.kind, jobs.state)
    ).all()
    yield from family(
        "likewise_jobs",
        "gauge",
        "Jobs in the table, by kind and state.",
        [("", (("kind", kind), ("state", state)), count) for kind, state, count in counts],
    )
    ended = connection.execute(
        select(jobs.kind, jobs.started_on, jobs.ended_on).where(
            jobs.ended_on > moment - timedelta(hours=1), jobs.started_on.is_not(None)
        )
    ).all()
    took: dict[str, list[float]] = {}
    for kind, started_on, ended_on in ended:
        took.setdefault(kind, []).append((ended_on - started_on).total_seconds())
    for name, about, of in (
        (
            "likewise_job_seconds_mean",
            "Mean seconds of the jobs that ended in the last hour.",
            _mean,
        ),
        ("likewise_job_seconds_most", "The longest job that ended in the last hour.", max),
    ):
        samples = [("", (("kind", kind),), of(seconds)) for kind, seconds in took.items()]
        yield from family(name, "gauge", about, samples)
    oldest = connection.execute(
        select(func.min(jobs.not_before)).where(jobs.state == "queued", jobs.not_before <= moment)
    ).scalar()
    age = (moment - oldest).total_seconds() if oldest else 0.0
    yield from family(
        "likewise_queue_age_seconds",
        "gauge",
        "How long the oldest job that could run has been waiting.",
        [("", (), age)],
    )
    yield from family(
        "likewise_workers",
        "gauge",
        "Workers on all machines that have been heard of in the last minute.",
        [("", (), len(present_workers(connection)))],
    )
    yield from family(
        "likewise_workers_killed_total",
        "counter",
        "Workers that were killed because they no longer answered, or their jobs did not end.",
        [("", (("why", why),), count) for why, count in killed_workers(connection).items()],
    )
    documents = connection.execute(select(func.count()).select_from(schema.documents)).scalar_one()
    waiting = connection.execute(
        select(func.coalesce(func.sum(tables.uploads.c.size), 0))
    ).scalar_one()
    yield from family(
        "likewise_documents", "gauge", "Documents in the library.", [("", (), documents)]
    )
    yield from family(
        "likewise_uploads_waiting_bytes",
        "gauge",
        "Bytes of accepted files whose jobs have not ended.",
        [("", (), int(waiting))],
    )


def _of_process() -> Iterator[str]:
    yield from family(
        "process_resident_memory_bytes",
        "gauge",
        "Memory of this server process.",
        [("", (), resident_bytes())],
    )
    yield from family(
        "likewise_info", "gauge", "The version.", [("", (("version", version()),), 1)]
    )


def _mean(values: list[float]) -> float:
    return sum(values) / len(values)


def resident_bytes(pid: int | str = "self") -> int:
    """The memory that a process holds now; 0 where the system does not say."""
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except (OSError, ValueError, IndexError):
        return 0
    return pages * int(os.sysconf("SC_PAGE_SIZE"))


router = APIRouter(tags=["metrics"])

_TEXT = {200: {"content": {"text/plain": {"schema": {"type": "string"}}}}}


@router.get(
    "/metrics",
    summary="Figures for Prometheus",
    response_class=Response,
    responses=_TEXT,  # type: ignore[arg-type]
)
def metrics(request: Request, site: ContextDep, caller: MetricsReader) -> Response:
    if caller.scopes is None and not caller.is_administrator:
        raise Problem("not allowed", "server.no_scope_for_metrics", scope="metrics")
    return Response(exposition(site, request.app.state.metrics), media_type=CONTENT_TYPE)
