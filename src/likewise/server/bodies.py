"""How long a request may be: counted while it comes in, whatever it says of itself."""

from __future__ import annotations

from collections.abc import Callable

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from likewise.server.problems import Problem
from likewise.server.refusals import refusal

MOST_BYTES = 1_000_000
_TOO_LARGE = f"a request without files may have {MOST_BYTES:,} bytes; this one has more"


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
        said = headers.get("content-length", "")
        if said.isdecimal() and int(said) > MOST_BYTES:
            await refusal(Problem("too large", _TOO_LARGE))(scope, receive, send)
            return
        received = 0

        async def counted() -> Message:
            nonlocal received
            message = await receive()
            if message["type"] == "http.request":
                received += len(message.get("body", b""))
                if received > MOST_BYTES:
                    # The one kind of exception that comes through whoever reads the body.
                    raise HTTPException(413, _TOO_LARGE)
            return message

        await self._app(scope, counted, send)
