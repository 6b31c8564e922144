"""The pages, their files, and what every answer says to the browser."""

from __future__ import annotations

import mimetypes
from pathlib import Path

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from likewise.server.http.compression import VARY, accepted_coding

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
        if is_api_path(path) or path.startswith("/shared"):
            headers["X-Robots-Tag"] = "noindex, nofollow"
        if is_api_path(path):
            headers["Cache-Control"] = "no-store"
            # A report as a page brings a policy of its own.
            headers.setdefault("Content-Security-Policy", DATA_POLICY)
            return
        headers["Content-Security-Policy"] = PAGE_POLICY
        is_named_by_content = path.startswith("/assets/") and status in (200, 206, 304)
        headers["Cache-Control"] = (
            f"public, max-age={_ONE_YEAR}, immutable" if is_named_by_content else "no-cache"
        )


def is_api_path(path: str) -> bool:
    """Whether an address is one of the API's, known or not.

    >>> is_api_path("/api/v1/documents"), is_api_path("/apiary")
    (True, False)
    """
    return path == "/api" or path.startswith("/api/")


# Codings that files are built in, the smallest first, and how such a file's name ends.
CODINGS = {"br": ".br", "gzip": ".gz"}
STATIC = Path(__file__).parents[1] / "static"
NOT_BUILT = (
    "Likewise is running, and its API answers under /api/v1.\n"
    "The page is not built: run `./dev ui`, or install the package from a wheel.\n"
)


class Pages:
    """Answers every address that is not the API's: with a file, or with the page itself.

    The page reads its address itself, so that a link to a report opens the report. Files are found
    in a list made once: no address, however written, leads out of the folder. Beside a file may lie
    the same one compressed; it has no address of its own.
    """

    def __init__(self, folder: Path = STATIC) -> None:
        every = {
            "/" + path.relative_to(folder).as_posix(): path
            for path in folder.rglob("*")
            if path.is_file() and not path.is_symlink()
        }
        endings = tuple(CODINGS.values())
        self._files = {name: path for name, path in every.items() if not name.endswith(endings)}
        self._compressed = {
            path: {
                coding: every[name + ending]
                for coding, ending in CODINGS.items()
                if name + ending in every
            }
            for name, path in self._files.items()
        }
        self._page = self._files.get("/index.html")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope["path"]
        if is_api_path(path):
            raise HTTPException(404)
        if scope["method"] not in ("GET", "HEAD"):
            raise HTTPException(405, headers={"Allow": "GET, HEAD"})
        file = self._files.get(path)
        if file is None and path.startswith("/assets/"):
            raise HTTPException(404)
        if file is None and self._page is None:
            await PlainTextResponse(NOT_BUILT, 200 if path == "/" else 404)(scope, receive, send)
            return
        page = file or self._page
        assert page is not None
        await self._answer(page, Headers(scope=scope))(scope, receive, send)

    def _answer(self, file: Path, asked: Headers) -> Response:
        codings = self._compressed[file]
        # Who asks for a part means a part of the file itself.
        is_whole = "range" not in asked
        coding = accepted_coding(asked.get("accept-encoding", ""), codings) if is_whole else None
        headers = {"Vary": VARY} | ({"Content-Encoding": coding} if coding else {})
        path = codings[coding] if coding else file
        answer = FileResponse(
            path,
            headers=headers,
            media_type=mimetypes.guess_type(file.name)[0] or "text/plain",
            stat_result=path.stat(),
        )
        if is_whole and answer.headers["etag"] in _tags(asked.get("if-none-match", "")):
            return Response(status_code=304, headers=headers | {"ETag": answer.headers["etag"]})
        return answer


def _tags(header: str) -> list[str]:
    return [tag.strip().removeprefix("W/") for tag in header.split(",")]
