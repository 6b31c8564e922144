"""Room that is kept beside a library in a file, so that a full disk locks nobody out.

Every log in writes: a session, a count, a line of the audit. On a full disk none of it could be
kept, and nobody would get in to make room. So a file of some megabytes stands beside the library;
when one of the acts that make room, or lead to it, finds the disk full, the file is deleted and the
act done once more. Sessions are rows as ever: what was ended stays ended.
"""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from likewise.library.store import Store
from likewise.server.http.error_handlers import problem_response
from likewise.server.logs import log
from likewise.server.problems import Problem

RESERVE_BYTES = 16_000_000
_PIECE_BYTES = 1_000_000
_INSUFFICIENT_STORAGE = 507
# Besides everything that deletes.
_VITAL = frozenset(
    f"/api/v1/{path}" for path in ("token", "token/refresh", "token/end", "documents/delete")
)


class DiskReserve:
    """A file that is there to be deleted; PostgreSQL looks after its own disk."""

    def __init__(self, store: Store) -> None:
        self.path = Path(f"{Path(store.name).absolute()}.reserve") if store.is_file else None
        self._lock = threading.Lock()

    def fill(self) -> None:
        """Make the file where there is room for it, and as much again."""
        if self.path is None:
            return
        with self._lock, suppress(OSError):
            if self._size() == RESERVE_BYTES or self._free_bytes() < 2 * RESERVE_BYTES:
                return
            handle = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(handle, "wb") as file:
                for _ in range(RESERVE_BYTES // _PIECE_BYTES):
                    file.write(os.urandom(_PIECE_BYTES))  # zeros may take no room at all

    def give_up(self) -> bool:
        """Delete the file; whether there was one."""
        if self.path is None:
            return False
        with self._lock:
            try:
                self.path.unlink()
            except OSError:
                return False
        log("error", "the disk is full: its reserve was given up, make room", bytes=RESERVE_BYTES)
        return True

    def is_low(self) -> bool:
        """Whether there is no more room than people need who make some."""
        if self.path is None:
            return False
        try:
            return self._free_bytes() < RESERVE_BYTES
        except OSError:
            return False

    def _size(self) -> int:
        try:
            return self.path.stat().st_size if self.path else 0
        except OSError:
            return 0

    def _free_bytes(self) -> int:
        return shutil.disk_usage(self.path.parent).free if self.path else 0


class DiskSpaceLimit:
    """Refuses files on a full disk, and does once more what must be done even then."""

    def __init__(
        self, app: ASGIApp, *, reserve: DiskReserve, takes_files: Callable[[Scope], bool]
    ) -> None:
        self._app, self._reserve, self._takes_files = app, reserve, takes_files

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or self._reserve.path is None:
            await self._app(scope, receive, send)
        elif self._takes_files(scope) and self._reserve.is_low():
            await problem_response(Problem("out of room", "server.disk_full"))(scope, receive, send)
        elif scope["method"] == "DELETE" or scope["path"] in _VITAL:
            await self._twice(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _twice(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Nothing is kept of what is refused for want of room: it can be done again."""
        received: list[Message] = []
        is_refused = False

        async def recorded_receive() -> Message:
            received.append(await receive())
            return received[-1]

        async def withholding_send(message: Message) -> None:
            nonlocal is_refused
            if message["type"] == "http.response.start":
                is_refused = message["status"] == _INSUFFICIENT_STORAGE and self._reserve.give_up()
            if not is_refused:
                await send(message)

        await self._app(scope, recorded_receive, withholding_send)
        if is_refused:
            again = iter(received)

            async def replaying_receive() -> Message:
                return next(again, None) or await receive()

            await self._app(scope, replaying_receive, send)
