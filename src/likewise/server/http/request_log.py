"""Every request from its arrival to its answer: numbered, timed, counted, written down."""

from __future__ import annotations

import logging
import secrets
import time
from collections.abc import Callable, Mapping
from typing import Any

from starlette.datastructures import MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from likewise.server.http.error_handlers import internal_error, refusal
from likewise.server.http.headers import is_of_the_api
from likewise.server.http.request_metrics import Metrics

_log = logging.getLogger("likewise.server.requests")

_SHOWN_CHARS = 20
LEFT = 499  # the caller did not wait for an answer


class Requests:
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
            status = LEFT
        except Exception:
            _log.exception("failed", extra={"fields": {"request": number}})
            if status:
                raise  # half an answer is gone out; the connection must not look whole
            await refusal(internal_error(number))(scope, receive, numbered)
        finally:
            seconds = time.perf_counter() - start
            template, answer = self._template(scope), status or LEFT
            self._metrics.answered(scope["method"], template, answer, seconds, received)
            _tell(scope, template, number, answer, seconds)

    def _template(self, scope: Scope) -> str:
        """The route with its {names}, so that there are as many as routes and not as addresses."""
        found = self._templates.get(scope.get("endpoint"))  # type: ignore[arg-type]
        return found or ("(unknown)" if is_of_the_api(scope["path"]) else "(page)")


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
