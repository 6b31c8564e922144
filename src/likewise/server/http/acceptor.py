"""Takes connections in, one after the other, as long as there is room for them.

The event loop has an acceptor of its own. Where no descriptor is left it tries again two thousand
times in a row, writes a line for each, and starts itself as many times more.
"""

from __future__ import annotations

import asyncio
import errno
import json
import os
import socket
from collections.abc import Callable
from contextlib import suppress

from likewise.server.http.connections import ConnectionPool
from likewise.server.logs import log, trace_of
from likewise.server.problems import Problem

_EXHAUSTED = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)
_PAUSE_SECONDS = 0.2  # before the next try where the system has nothing left
_BLINK_SECONDS = 0.001
_GIVEN_UP_AT_ONCE = 8  # connections that wait, closed where descriptors are wanted
_FULL = json.dumps(Problem("unavailable", "server.connections").body()).encode()
REFUSED = (
    b"HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\nretry-after: 5\r\n"
    b"content-type: application/json\r\ncontent-length: %d\r\n\r\n%b" % (len(_FULL), _FULL)
)


class Acceptor:
    """One listening socket and the task that takes its connections."""

    def __init__(
        self,
        listener: socket.socket,
        pool: ConnectionPool,
        make_protocol: Callable[[], asyncio.Protocol],
    ) -> None:
        self._listener, self._pool, self._make_protocol = listener, pool, make_protocol
        self._spare: int | None = os.open(os.devnull, os.O_RDONLY)
        self._task: asyncio.Task[None] | None = None
        listener.setblocking(False)

    def start(self) -> None:
        self._task = asyncio.get_running_loop().create_task(self._accept())

    async def stop(self) -> None:
        """Take no more; those that were taken go on."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
        self._listener.close()
        if self._spare is not None:
            os.close(self._spare)
            self._spare = None

    async def _accept(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            try:
                connection, address = await loop.sock_accept(self._listener)
            except OSError as error:
                await self._failed(error)
                continue
            try:
                await self._take(connection, _host(address))
            except Exception as error:  # whatever is wrong with one caller, others are taken
                connection.close()
                if not isinstance(error, OSError):  # else the caller was gone already
                    log("error", "connection failed", **trace_of(error))
            await asyncio.sleep(0)  # others have their turn, however many call

    async def _take(self, connection: socket.socket, host: str) -> None:
        connection.setblocking(False)
        if self._pool.admit(host):
            # Else the second part of an answer waits for a caller who confirms the first one late.
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            loop = asyncio.get_running_loop()
            await loop.connect_accepted_socket(self._make_protocol, connection)
        else:
            _refuse(connection)
            log("warning", "connection refused", connections=len(self._pool))

    async def _failed(self, error: OSError) -> None:
        if error.errno not in _EXHAUSTED:  # a caller who left again
            await asyncio.sleep(_BLINK_SECONDS)
            return
        log("error", "no descriptor left for a connection", connections=len(self._pool))
        self._refuse_one()
        self._pool.give_up_some(_GIVEN_UP_AT_ONCE)
        await asyncio.sleep(_PAUSE_SECONDS)

    def _refuse_one(self) -> None:
        """With the descriptor that was kept for this: who waits is told, and not left waiting."""
        if self._spare is not None:
            os.close(self._spare)
            self._spare = None
        with suppress(OSError):
            _refuse(self._listener.accept()[0])
        with suppress(OSError):
            self._spare = os.open(os.devnull, os.O_RDONLY)


def _refuse(connection: socket.socket) -> None:
    with suppress(OSError), connection:
        connection.setblocking(False)
        connection.send(REFUSED)
        connection.shutdown(socket.SHUT_WR)
        connection.recv(65_536)  # unread bytes would make the system take the answer back


def _host(address: object) -> str:
    return str(address[0]) if isinstance(address, tuple) and address else ""
