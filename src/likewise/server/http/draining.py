"""A server that is told to stop says so first, and answers until nobody sends it requests any more.

Whoever balances the load asks now and then whether a server is ready. One that vanished between two
such questions would lose what is sent to it meanwhile: so it says that it is not ready, still
answers everything, and closes each connection behind its answer, so that the next one is made
elsewhere.
"""

from __future__ import annotations

import time

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send


class Drain:
    """From the first signal to the end of the time in which others learn of it."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._until: float | None = None

    def begin(self) -> bool:
        """Whether it begins now; not where nobody is to wait, or it had begun before."""
        if self._until is not None or self._seconds <= 0:
            return False
        self._until = time.monotonic() + self._seconds
        return True

    @property
    def has_begun(self) -> bool:
        return self._until is not None

    @property
    def is_over(self) -> bool:
        return self._until is not None and time.monotonic() >= self._until


class ConnectionClose:
    """Closes connections behind their answers, once a drain has begun."""

    def __init__(self, app: ASGIApp, *, drain: Drain) -> None:
        self._app, self._drain = app, drain

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def closing_send(message: Message) -> None:
            if message["type"] == "http.response.start" and self._drain.has_begun:
                MutableHeaders(scope=message)["Connection"] = "close"
            await send(message)

        await self._app(scope, receive, closing_send)
