"""Which answers travel compressed, and how a browser says what it can unpack.

The files of the pages are compressed when they are built (`ui/vite.compression.ts`); answers of the
API when they are sent. Of these only answers to GET: what is secret (a token, a key, a password) is
told in answers to POST alone, and never stands beside text that a stranger chose. Streams pass as
they are: a line of progress must not wait for a block to be full.
"""

from __future__ import annotations

import gzip
from collections.abc import Iterable

from anyio import to_thread
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

VARY = "Accept-Encoding"  # tells caches that the answer depends on what the browser can unpack
LEAST_BYTES = 1_000  # below, a packet is a packet
LEVEL = 5  # a megabyte of a report in some 20 ms, within 3 % of the best
ASIDE_BYTES = 50_000  # from here on it would hold up the other requests
TYPES = frozenset({"application/json", "text/html", "text/csv"})


def accepted_coding(accepted: str, offered: Iterable[str]) -> str | None:
    """The first of the codings on offer that a header `Accept-Encoding` allows.

    >>> accepted_coding("gzip, deflate, br", ("br", "gzip"))
    'br'
    >>> accepted_coding("gzip;q=0.5, br;q=0", ("br", "gzip"))
    'gzip'
    >>> accepted_coding("*, gzip;q=0", ("gzip",)) is None
    True
    """
    weights: dict[str, float] = {}
    for part in accepted.lower().split(","):
        name, _, parameters = part.partition(";")
        weights[name.strip()] = _weight(parameters)
    return next((each for each in offered if weights.get(each, weights.get("*", 0)) > 0), None)


def _weight(parameters: str) -> float:
    name, _, value = parameters.strip().partition("=")
    if name.strip() != "q":
        return 1.0
    try:
        return float(value)
    except ValueError:
        return 0.0


class Compression:
    """Compresses whole answers that are text, and large enough."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "GET":
            await self._app(scope, receive, send)
            return
        accepted = Headers(scope=scope).get("accept-encoding", "")
        sender = _Sender(send, accepted_coding(accepted, ("gzip",)) is not None)
        await self._app(scope, receive, sender)


class _Sender:
    """Holds the head of an answer back until it is known whether the body comes in one piece."""

    def __init__(self, send: Send, is_accepted: bool) -> None:
        self._send = send
        self._is_accepted = is_accepted
        self._head: Message | None = None

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start" and _is_text(message):
            MutableHeaders(scope=message)["Vary"] = VARY
            self._head = message
            return
        if self._head is not None:
            head, self._head = self._head, None
            if message["type"] == "http.response.body" and not message.get("more_body"):
                message = await self._compressed(head, message)
            await self._send(head)
        await self._send(message)

    async def _compressed(self, head: Message, body: Message) -> Message:
        whole = body.get("body", b"")
        if not self._is_accepted or len(whole) < LEAST_BYTES:
            return body
        if len(whole) < ASIDE_BYTES:
            packed = _gzipped(whole)
        else:
            packed = await to_thread.run_sync(_gzipped, whole)
        headers = MutableHeaders(scope=head)
        headers["Content-Encoding"] = "gzip"
        headers["Content-Length"] = str(len(packed))
        etag = headers.get("etag", "")
        if etag and not etag.startswith("W/"):
            headers["ETag"] = f"W/{etag}"  # the same answer, not the same bytes
        return {**body, "body": packed}


def _is_text(head: Message) -> bool:
    headers = Headers(scope=head)
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    # What varies already was chosen where it was made: the files of the pages.
    return kind in TYPES and "vary" not in headers and head["status"] == 200


def _gzipped(whole: bytes) -> bytes:
    return gzip.compress(whole, LEVEL, mtime=0)
