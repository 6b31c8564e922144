"""Reports are made in processes of their own, so that the server answers others meanwhile.

A few processes wait for orders; they start when the first is needed, and one that hangs, crashes or
eats too much memory costs its own order and nothing else.
"""

from __future__ import annotations

import asyncio
import atexit
import json
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from likewise.catalogue import Message
from likewise.machine import cores
from likewise.process_pool import Child, Died, Patience, Pool, Program
from likewise.server.problems import Problem

SECONDS = 120.0
MEMORY_BYTES = 3 << 30
MOST_WAITING = 100
ORDERS_PER_PROCESS = 100  # then a fresh one takes over, whatever the libraries leak
_MOST_BYTES = MEMORY_BYTES  # of an answer
_VARIABLES = ("TMPDIR", "TEMP", "TMP", "SOURCE_DATE_EPOCH")


class Renderers:
    """The processes, and the orders that wait for them."""

    def __init__(
        self,
        most: int | None = None,
        *,
        seconds: float = SECONDS,
        memory_bytes: int = MEMORY_BYTES,
        program: str = "likewise.server.reports.renderer",
    ) -> None:
        self._patience = Patience(seconds)
        self._threads = ThreadPoolExecutor(most or min(4, max(2, cores())), "rendering")
        self._pool = Pool(lambda: _start_renderer(program, memory_bytes))
        self._waiting = 0
        self._lock = threading.Lock()

    def render(self, order: Mapping[str, Any], *parts: bytes) -> bytes:
        """What an order asks for; waits until it is rendered."""
        return self._submit(order, parts).result()

    async def render_async(self, order: Mapping[str, Any], *parts: bytes) -> bytes:
        """The same, for those who must not wait."""
        return await asyncio.wrap_future(self._submit(order, parts))

    def close(self) -> None:
        self._threads.shutdown(cancel_futures=True)
        self._pool.close()

    def _submit(self, order: Mapping[str, Any], parts: Sequence[bytes]) -> Future[bytes]:
        with self._lock:
            if self._waiting >= MOST_WAITING:
                raise Problem("unavailable", "server.reports", details={"retry_after": 10})
            self._waiting += 1
        future = self._threads.submit(self._render, order, parts)
        future.add_done_callback(self._count_down)
        return future

    def _count_down(self, _future: Future[bytes]) -> None:
        with self._lock:
            self._waiting -= 1

    def _render(self, order: Mapping[str, Any], parts: Sequence[bytes]) -> bytes:
        with self._pool.process() as renderer:
            renderer.usage += 1
            try:
                kind, answer = renderer.ask(
                    order, *parts, patience=self._patience, most_bytes=_MOST_BYTES
                )
            except Died as death:
                if death.expired:
                    seconds = self._patience.total_seconds
                    raise Problem("internal error", "server.report_late", seconds=seconds) from None
                kind, answer = b"m", b""
            if kind == b"d":
                return answer
            if kind == b"e":
                raise Problem("internal error", Message.from_plain(json.loads(answer)))
            renderer.kill()
            raise Problem("internal error", "server.report_memory")


def _start_renderer(program: str, memory_bytes: int) -> Child:
    arguments = (str(memory_bytes),)
    return Child(Program(program, arguments, _VARIABLES), ORDERS_PER_PROCESS)


_shared: list[Renderers] = []
_shared_lock = threading.Lock()


def renderers() -> Renderers:
    """Those of this server; they end with it."""
    with _shared_lock:
        if not _shared:
            _shared.append(Renderers())
        return _shared[0]


@atexit.register
def stop_rendering() -> None:
    """End the processes; the next order starts new ones."""
    with _shared_lock:
        closing = list(_shared)
        _shared.clear()
    for each in closing:
        each.close()
