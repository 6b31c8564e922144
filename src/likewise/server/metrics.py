"""Figures of this process and of the database, as Prometheus reads them."""

from __future__ import annotations

import os
import threading
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import timedelta
from pathlib import Path

from sqlalchemy import Connection, func, select

from likewise.library import schema
from likewise.server.database import tables
from likewise.server.job_queue import moment_of
from likewise.server.jobs.present import killed_workers, present_workers
from likewise.server.site import Site
from likewise.version import version

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
BOUNDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
LOG_IN = "/api/v1/token"

Labels = tuple[tuple[str, str], ...]
Sample = tuple[str, Labels, float]


class Metrics:
    """What this process has answered since it started."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._requests: Counter[Labels] = Counter()
        self._seconds: Counter[Labels] = Counter()
        self._at_most: Counter[tuple[Labels, float]] = Counter()
        self._received = 0
        self._failed_log_ins = 0

    def answered(
        self, method: str, template: str, status: int, seconds: float, received: int
    ) -> None:
        """A request came to its end."""
        route: Labels = (("method", method if method in _METHODS else "other"), ("route", template))
        with self._lock:
            self._requests[*route, ("status", str(status))] += 1
            self._seconds[route] += seconds  # type: ignore[assignment]
            bound = next((bound for bound in BOUNDS if seconds <= bound), float("inf"))
            self._at_most[route, bound] += 1
            self._received += received
            self._failed_log_ins += template == LOG_IN and status in (401, 429)

    def families(self) -> Iterator[str]:
        """The text of all of them."""
        with self._lock:
            requests, seconds = dict(self._requests), dict(self._seconds)
            at_most, received = dict(self._at_most), self._received
            failed = self._failed_log_ins
        yield from family(
            "likewise_requests_total",
            "counter",
            "Requests that were answered.",
            [("", labels, count) for labels, count in requests.items()],
        )
        yield from family(
            "likewise_request_seconds",
            "histogram",
            "From the first byte of a request to the last of its answer.",
            [one for route, sum_ in seconds.items() for one in _histogram(route, sum_, at_most)],
        )
        yield from family(
            "likewise_received_bytes_total",
            "counter",
            "Bytes of requests, uploads for the most part.",
            [("", (), received)],
        )
        yield from family(
            "likewise_log_in_failures_total", "counter", "Refused log-ins.", [("", (), failed)]
        )


_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


def exposition(site: Site, metrics: Metrics) -> str:
    """Everything that Prometheus is told."""
    with site.store.reading() as connection:
        lines = [*metrics.families(), *_of_database(connection), *_of_process()]
    return "\n".join(lines) + "\n"


def _of_database(connection: Connection) -> Iterator[str]:
    """The same from every server of a library: sum over servers would count them twice."""
    jobs, moment = tables.jobs.c, moment_of(connection)
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


def family(name: str, kind: str, about: str, samples: Iterable[Sample]) -> Iterator[str]:
    """One family of samples in the text format.

    >>> print(*family("x_total", "counter", "Of x.", [("", (("of", 'a"b'),), 3)]), sep="\\n")
    # HELP x_total Of x.
    # TYPE x_total counter
    x_total{of="a\\"b"} 3
    """
    yield f"# HELP {name} {about}"
    yield f"# TYPE {name} {kind}"
    for suffix, labels, value in samples:
        told = ",".join(f'{key}="{_escaped(text)}"' for key, text in labels)
        shown = str(value) if isinstance(value, int) else repr(float(value))
        yield f"{name}{suffix}{{{told}}} {shown}" if told else f"{name}{suffix} {shown}"


def _histogram(
    route: Labels, total: float, at_most: dict[tuple[Labels, float], int]
) -> Iterator[Sample]:
    so_far = 0
    for bound in (*BOUNDS, float("inf")):
        so_far += at_most.get((route, bound), 0)
        shown = "+Inf" if bound == float("inf") else f"{bound:g}"
        yield "_bucket", (*route, ("le", shown)), so_far
    yield "_sum", route, total
    yield "_count", route, so_far


def _escaped(text: str) -> str:
    return text.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")


def _mean(values: list[float]) -> float:
    return sum(values) / len(values)


def resident_bytes(pid: int | str = "self") -> int:
    """The memory that a process holds now; 0 where the system does not say."""
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except (OSError, ValueError, IndexError):
        return 0
    return pages * int(os.sysconf("SC_PAGE_SIZE"))
