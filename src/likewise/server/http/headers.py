"""What every answer says to the browser, so that it refuses what a page of ours never asks for."""

from __future__ import annotations

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

# Our pages bring everything along: nothing foreign is loaded, nothing inline is run.
PAGE_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "font-src 'self'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)
# An answer of the API is data; opened as a page it may do nothing at all.
DATA_POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

ALWAYS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
_ONE_YEAR = 31_536_000


class SecureHeaders:
    """Adds them, also to refusals and to answers about our own errors."""

    def __init__(self, app: ASGIApp, *, is_always_https: bool = False) -> None:
        self._app = app
        self._is_always_https = is_always_https

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                self._add(MutableHeaders(scope=message), scope, message["status"])
            await send(message)

        await self._app(scope, receive, send_with_headers)

    def _add(self, headers: MutableHeaders, scope: Scope, status: int) -> None:
        path = scope["path"]
        for name, value in ALWAYS.items():
            headers[name] = value
        if self._is_always_https or scope["scheme"] == "https":
            headers["Strict-Transport-Security"] = f"max-age={_ONE_YEAR}"
        if is_of_the_api(path):
            headers["Cache-Control"] = "no-store"
            # A report as a page brings a policy of its own.
            headers.setdefault("Content-Security-Policy", DATA_POLICY)
            return
        headers["Content-Security-Policy"] = PAGE_POLICY
        is_named_by_content = path.startswith("/assets/") and status in (200, 206, 304)
        headers["Cache-Control"] = (
            f"public, max-age={_ONE_YEAR}, immutable" if is_named_by_content else "no-cache"
        )


def is_of_the_api(path: str) -> bool:
    """Whether an address is one of the API's, known or not.

    >>> is_of_the_api("/api/v1/documents"), is_of_the_api("/apiary")
    (True, False)
    """
    return path == "/api" or path.startswith("/api/")
