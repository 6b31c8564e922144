"""What a server process has answered, counted for Prometheus."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterable, Iterator

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
