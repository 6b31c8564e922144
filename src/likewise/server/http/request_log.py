"""Every request from its arrival to its answer: numbered, timed, counted, written down."""

from __future__ import annotations

import logging
import secrets
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Histogram,
    Metric,
    disable_created_metrics,
)
from prometheus_client.registry import Collector
from prometheus_client.samples import Sample
from starlette.datastructures import MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from likewise.server.http.error_handlers import internal_error, problem_response
from likewise.server.http.pages import is_api_path

BOUNDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
LOG_IN = "/api/v1/token"
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})

# Else one more series for each, which nobody asked for.
disable_created_metrics()  # type: ignore[no-untyped-call]


class RequestMetrics(Collector):
    """What this process has answered since it started; each server process has its own."""

    def __init__(self) -> None:
        # Not the registry of the library, which brings figures of the interpreter along.
        self._registry = CollectorRegistry()
        self._requests = Counter(
            "likewise_requests",
            "Requests that were answered.",
            ("method", "route", "status"),
            registry=self._registry,
        )
        self._seconds = Histogram(
            "likewise_request_seconds",
            "From the first byte of a request to the last of its answer.",
            ("method", "route"),
            buckets=BOUNDS,
            registry=self._registry,
        )
        self._received_bytes = Counter(
            "likewise_received_bytes",
            "Bytes of requests, uploads for the most part.",
            registry=self._registry,
        )
        self._failed_log_ins = Counter(
            "likewise_log_in_failures", "Refused log-ins.", registry=self._registry
        )

    def count_answer(
        self, method: str, template: str, status: int, seconds: float, received_bytes: int
    ) -> None:
        """A request came to its end."""
        method = method if method in _METHODS else "other"
        self._requests.labels(method, template, str(status)).inc()
        self._seconds.labels(method, template).observe(seconds)
        self._received_bytes.inc(received_bytes)
        if template == LOG_IN and status in (401, 429):
            self._failed_log_ins.inc()

    def collect(self) -> Iterator[Metric]:
        """All of them; bounds are written as ever (1, not 1.0), so that series go on."""
        for metric in self._registry.collect():
            if metric.type == "histogram":
                metric.samples = [_with_short_bound(sample) for sample in metric.samples]
            yield metric


def _with_short_bound(sample: Sample) -> Sample:
    if "le" not in sample.labels:
        return sample
    return sample._replace(labels={**sample.labels, "le": sample.labels["le"].removesuffix(".0")})


_log = logging.getLogger("likewise.server.requests")

_METHOD_CHARS = 20
CLIENT_CLOSED_REQUEST = 499  # the caller did not wait for an answer


class RequestLog:
    """Catches what nobody else caught: the log gets all of it, the caller a number to ask by."""

    def __init__(
        self, app: ASGIApp, *, metrics: RequestMetrics, templates: Mapping[Callable[..., Any], str]
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
            self._metrics.count_answer(scope["method"], template, answer, seconds, received)
            _log_answer(scope, template, number, answer, seconds)

    def _template(self, scope: Scope) -> str:
        """The route with its {names}, so that there are as many as routes and not as addresses."""
        template = self._templates.get(scope.get("endpoint"))  # type: ignore[arg-type]
        return template or ("(unknown)" if is_api_path(scope["path"]) else "(page)")


def _log_answer(scope: Scope, template: str, number: str, status: int, seconds: float) -> None:
    """Neither what was asked for by name, nor who asked: the audit knows whose an id is."""
    caller = scope["state"].get("caller")
    fields = {
        "request": number,
        "method": scope["method"][:_METHOD_CHARS],
        "route": template,
        "status": status,
        "ms": round(1e3 * seconds, 1),
        "address": (scope.get("client") or ("",))[0],
        "user": caller.id if caller is not None else None,
    }
    _log.info("answered", extra={"fields": fields})
