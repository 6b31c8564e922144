"""Figures of this process and of the database, as Prometheus reads them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from pathlib import Path
from statistics import fmean

from fastapi import APIRouter, Request, Response
from prometheus_client import Metric, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4
from prometheus_client.registry import Collector
from sqlalchemy import Connection, func, select

from likewise.library import schema
from likewise.reading.sandbox import reader_confinement
from likewise.server.context import ServerContext
from likewise.server.database import tables
from likewise.server.disks import read_disks
from likewise.server.http.draining import Drain
from likewise.server.http.request_log import RequestMetrics
from likewise.server.jobs.presence import busy_workers, killed_workers, present_workers
from likewise.server.jobs.queue import database_now
from likewise.server.people.access import ContextDep, MetricsReader
from likewise.server.problems import Problem
from likewise.server.readiness import readiness_problems
from likewise.version import version


class _AllMetrics(Collector):
    """Of the process that is asked, and of the database that all servers share."""

    def __init__(
        self, context: ServerContext, requests: RequestMetrics, connection: Connection, drain: Drain
    ) -> None:
        self._context, self._requests = context, requests
        self._connection, self._drain = connection, drain

    def collect(self) -> Iterator[Metric]:
        yield from self._requests.collect()
        yield from _database_metrics(self._connection)
        yield from _mail_metrics(self._connection)
        yield from _process_metrics(self._context, self._drain)


def exposition(context: ServerContext, requests: RequestMetrics, drain: Drain | None = None) -> str:
    """Everything that Prometheus is told."""
    with context.store.reading() as connection:
        of_all = _AllMetrics(context, requests, connection, drain or Drain(0))
        return generate_latest(of_all).decode()


def _database_metrics(connection: Connection) -> Iterator[Metric]:
    """The same from every server of a library: sum over servers would count them twice."""
    jobs, now = tables.jobs.c, database_now(connection)
    counts = connection.execute(
        select(jobs.kind, jobs.state, func.count()).group_by(jobs.kind, jobs.state)
    )
    yield _labelled(
        GaugeMetricFamily(
            "likewise_jobs", "Jobs in the table, by kind and state.", labels=("kind", "state")
        ),
        {(kind, state): count for kind, state, count in counts},
    )
    yield from _job_durations(connection, now)
    waiting = connection.execute(
        select(jobs.kind, func.count(), func.min(jobs.not_before))
        .where(jobs.state == "queued", jobs.not_before <= now)
        .group_by(jobs.kind)
    ).all()
    yield GaugeMetricFamily(
        "likewise_queue_age_seconds",
        "How long the oldest job that could run has been waiting.",
        max(((now - since).total_seconds() for _, _, since in waiting), default=0.0),
    )
    yield _labelled(
        GaugeMetricFamily(
            "likewise_queue_length", "Jobs that could run and wait for a worker.", labels=("kind",)
        ),
        {(kind,): count for kind, count, _ in waiting},
    )
    yield GaugeMetricFamily(
        "likewise_workers",
        "Workers on all machines that have been heard of in the last minute.",
        len(present_workers(connection)),
    )
    yield GaugeMetricFamily(
        "likewise_workers_busy", "Workers that are at a job.", len(busy_workers(connection))
    )
    yield _labelled(
        CounterMetricFamily(
            "likewise_workers_killed",
            "Workers that were killed because they no longer answered, or their jobs did not end.",
            labels=("why",),
        ),
        {(why,): count for why, count in killed_workers(connection).items()},
    )
    yield GaugeMetricFamily(
        "likewise_documents",
        "Documents in the library.",
        connection.execute(select(func.count()).select_from(schema.documents)).scalar_one(),
    )
    yield GaugeMetricFamily(
        "likewise_uploads_waiting_bytes",
        "Bytes of accepted files whose jobs have not ended.",
        int(
            connection.execute(
                select(func.coalesce(func.sum(tables.uploads.c.size), 0))
            ).scalar_one()
        ),
    )


def _job_durations(connection: Connection, now: datetime) -> Iterator[Metric]:
    jobs = tables.jobs.c
    ended = connection.execute(
        select(jobs.kind, jobs.started_on, jobs.ended_on).where(
            jobs.ended_on > now - timedelta(hours=1), jobs.started_on.is_not(None)
        )
    )
    durations: dict[tuple[str], list[float]] = {}
    for kind, started_on, ended_on in ended:
        durations.setdefault((kind,), []).append((ended_on - started_on).total_seconds())
    yield _labelled(
        GaugeMetricFamily(
            "likewise_job_seconds_mean",
            "Mean seconds of the jobs that ended in the last hour.",
            labels=("kind",),
        ),
        {kind: fmean(seconds) for kind, seconds in durations.items()},
    )
    yield _labelled(
        GaugeMetricFamily(
            "likewise_job_seconds_most",
            "The longest job that ended in the last hour.",
            labels=("kind",),
        ),
        {kind: max(seconds) for kind, seconds in durations.items()},
    )


def _mail_metrics(connection: Connection) -> Iterator[Metric]:
    mail, now = tables.mail_queue.c, database_now(connection)
    unsent = select(func.count(), func.min(mail.not_before)).where(
        mail.sent_on.is_(None), mail.failed_on.is_(None), mail.not_before <= now
    )
    waiting, since = connection.execute(unsent).one()
    failed = select(func.count()).where(mail.failed_on.is_not(None))
    yield _labelled(
        GaugeMetricFamily("likewise_mail", "Mail that waits or has failed.", labels=("state",)),
        {("waiting",): waiting, ("failed",): connection.execute(failed).scalar_one()},
    )
    yield GaugeMetricFamily(
        "likewise_mail_age_seconds",
        "How long the oldest mail that could be sent has been waiting.",
        (now - since).total_seconds() if since else 0.0,
    )


def _process_metrics(context: ServerContext, drain: Drain) -> Iterator[Metric]:
    yield GaugeMetricFamily(
        "likewise_ready",
        "Whether requests should be sent to this server.",
        not readiness_problems(context, drain),
    )
    yield _labelled(
        GaugeMetricFamily(
            "likewise_disk_free_bytes", "Free on the disk that holds it.", labels=("holds",)
        ),
        {(use,): disk.free_bytes for disk in read_disks(context) for use in disk.holds},
    )
    confinement = reader_confinement()
    layers: dict[tuple[str, ...], float] = {(layer,): 1 for layer in confinement.layers}
    layers |= {(layer,): 0 for layer, _ in confinement.missing}
    yield _labelled(
        GaugeMetricFamily(
            "likewise_reader_layers",
            "Layers of the sandbox of readers: 1 where this machine has it.",
            labels=("layer",),
        ),
        layers,
    )
    yield GaugeMetricFamily(
        "process_resident_memory_bytes", "Memory of this server process.", resident_bytes()
    )
    info = GaugeMetricFamily("likewise_info", "The version.", labels=("version",))
    yield _labelled(info, {(version(),): 1})


def _labelled(
    family: GaugeMetricFamily | CounterMetricFamily, values: Mapping[tuple[str, ...], float]
) -> Metric:
    for labels, value in values.items():
        family.add_metric(labels, value)
    return family


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
def metrics(request: Request, context: ContextDep, caller: MetricsReader) -> Response:
    if caller.scopes is None and not caller.is_administrator:
        raise Problem("not allowed", "server.no_scope_for_metrics", scope="metrics")
    return Response(
        exposition(context, request.app.state.metrics, request.app.state.drain),
        media_type=CONTENT_TYPE_PLAIN_0_0_4,
    )
