"""How long and how deep a request may be: counted while it comes in, whatever it says of itself."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from likewise.server.http.error_handlers import BodyError, problem_response
from likewise.server.problems import Problem

MOST_DEPTH = 32


def is_too_deep(data: bytes) -> bool:
    """Whether JSON nests deeper than it may; what is no JSON is told by whoever reads it.

    >>> is_too_deep(b'{"a": [1]}'), is_too_deep(b"[" * 99 + b"]" * 99), is_too_deep(b"[" * 99)
    (False, True, False)
    """
    if data.count(b"[") + data.count(b"{") <= MOST_DEPTH:
        return False
    try:
        level: list[Any] = [json.loads(data)]
    except RecursionError:
        return True
    except ValueError:
        return False
    for _ in range(MOST_DEPTH):
        level = [
            inner
            for outer in level
            for inner in (outer.values() if isinstance(outer, dict) else outer)
            if isinstance(inner, dict | list)
        ]
        if not level:
            return False
    return True


MOST_BYTES = 1_000_000
MOST_HEADERS = 100
MOST_HEADER_BYTES = 16_384  # of all names and values together
MOST_ADDRESS_BYTES = 8_192  # of the path, and of the query


class HeadLimit:
    """Refuses requests with too many or too long headers, or too long an address."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and (why := _why_too_long(scope)):
            await problem_response(why)(scope, receive, send)
            return
        await self._app(scope, receive, send)


def _why_too_long(scope: Scope) -> Problem | None:
    headers = scope["headers"]
    if len(headers) > MOST_HEADERS:
        return Problem("too large", "server.headers", n=MOST_HEADERS)
    if sum(len(name) + len(value) for name, value in headers) > MOST_HEADER_BYTES:
        return Problem("too large", "server.header_bytes", most=MOST_HEADER_BYTES)
    if len(scope["query_string"]) > MOST_ADDRESS_BYTES:
        return Problem("too large", "server.query_bytes", most=MOST_ADDRESS_BYTES)
    if len(scope.get("raw_path") or b"") > MOST_ADDRESS_BYTES:
        return Problem("too large", "server.path_bytes", most=MOST_ADDRESS_BYTES)
    return None


class BodyLimit:
    """Refuses long requests; those that bring files are counted where the files are received."""

    def __init__(self, app: ASGIApp, *, takes_files: Callable[[Scope], bool]) -> None:
        self._app = app
        self._takes_files = takes_files

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        is_form = headers.get("content-type", "").lower().startswith("multipart/form-data")
        if is_form and self._takes_files(scope):
            await self._app(scope, receive, send)
            return
        announced = headers.get("content-length", "")
        if announced.isdecimal() and int(announced[:20]) > MOST_BYTES:
            await problem_response(_too_large())(scope, receive, send)
            return
        received = bytearray()

        async def counted() -> Message:
            message = await receive()
            if message["type"] == "http.request":
                received.extend(message.get("body", b""))
                if len(received) > MOST_BYTES:
                    raise BodyError(_too_large())
                if not message.get("more_body") and is_too_deep(bytes(received)):
                    raise BodyError(Problem("bad request", "server.json_depth", n=MOST_DEPTH))
            return message

        await self._app(scope, counted, send)


def _too_large() -> Problem:
    return Problem("too large", "server.body_bytes", most=MOST_BYTES)
