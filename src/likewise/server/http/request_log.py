"""Every request from its arrival to its answer: numbered, timed, counted, written down."""

from __future__ import annotations

import logging
import secrets
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from starlette.datastructures import MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from likewise.server.http.error_handlers import internal_error, problem_response
from likewise.server.http.pages import is_api_path

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


_log = logging.getLogger("likewise.server.requests")

_SHOWN_CHARS = 20
CLIENT_CLOSED_REQUEST = 499  # the caller did not wait for an answer


class RequestLog:
    """Catches what nobody else caught: the log gets all of it, the caller a number to ask by."""

    def __init__(
        self, app: ASGIApp, *, metrics: Metrics, templates: Mapping[Callable[..., Any], str]
    ) -> None:
        self._app = app
        self._metrics = metrics
        self._templates = templates  # by the function that answers

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        number, start, status, received = secrets.token_hex(8), time.perf_counter(), 0, 0
        scope.setdefault("state", {})["request_id"] = number

        async def counted() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            return message

        async def numbered(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = MutableHeaders(scope=message)
                headers["X-Request-Id"] = number
                headers["Server-Timing"] = f"app;dur={1e3 * (time.perf_counter() - start):.1f}"
            await send(message)

        try:
            await self._app(scope, counted, numbered)
        except ClientDisconnect:
            status = CLIENT_CLOSED_REQUEST
        except Exception:
            _log.exception("failed", extra={"fields": {"request": number}})
            if status:
                raise  # half an answer is gone out; the connection must not look whole
            await problem_response(internal_error(number))(scope, receive, numbered)
        finally:
            seconds = time.perf_counter() - start
            template, answer = self._template(scope), status or CLIENT_CLOSED_REQUEST
            self._metrics.answered(scope["method"], template, answer, seconds, received)
            _tell(scope, template, number, answer, seconds)

    def _template(self, scope: Scope) -> str:
        """The route with its {names}, so that there are as many as routes and not as addresses."""
        found = self._templates.get(scope.get("endpoint"))  # type: ignore[arg-type]
        return found or ("(unknown)" if is_api_path(scope["path"]) else "(page)")


def _tell(scope: Scope, template: str, number: str, status: int, seconds: float) -> None:
    """Neither what was asked for by name, nor who asked: the audit knows whose an id is."""
    caller = scope["state"].get("caller")
    fields = {
        "request": number,
        "method": scope["method"][:_SHOWN_CHARS],
        "route": template,
        "status": status,
        "ms": round(1e3 * seconds, 1),
        "address": (scope.get("client") or ("",))[0],
        "user": caller.id if caller is not None else None,
    }
    _log.info("answered", extra={"fields": fields})
