"""The page and its files. What was not there when the server started is not served."""

from __future__ import annotations

from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.responses import FileResponse, PlainTextResponse
from starlette.types import Receive, Scope, Send

from likewise.server.http.headers import is_of_the_api

STATIC = Path(__file__).parents[1] / "static"
NOT_BUILT = (
    "Likewise is running, and its API answers under /api/v1.\n"
    "The page is not built: run `./dev ui`, or install the package from a wheel.\n"
)


class Pages:
    """Answers every address that is not the API's: with a file, or with the page itself.

    The page reads its address itself, so that a link to a report opens the report. Files are found
    in a list made once: no address, however written, leads out of the folder.
    """

    def __init__(self, folder: Path = STATIC) -> None:
        self._files = {
            "/" + path.relative_to(folder).as_posix(): path
            for path in folder.rglob("*")
            if path.is_file() and not path.is_symlink()
        }
        self._page = self._files.get("/index.html")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope["path"]
        if is_of_the_api(path):
            raise HTTPException(404)
        if scope["method"] not in ("GET", "HEAD"):
            raise HTTPException(405, headers={"Allow": "GET, HEAD"})
        file = self._files.get(path)
        if file is None and path.startswith("/assets/"):
            raise HTTPException(404)
        if file is None and self._page is None:
            await PlainTextResponse(NOT_BUILT, 200 if path == "/" else 404)(scope, receive, send)
            return
        chosen = file or self._page
        assert chosen is not None
        await FileResponse(chosen)(scope, receive, send)
