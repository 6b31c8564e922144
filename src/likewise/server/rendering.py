"""Reports are made in processes of their own, so that the server answers others meanwhile.

A few processes wait for orders; they start when the first is needed, and one that hangs, crashes or
eats too much memory costs its own order and nothing else.
"""

from __future__ import annotations

import asyncio
import atexit
import contextlib
import json
import os
import struct
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from likewise.machine import cores
from likewise.server.problems import Problem

SECONDS = 120.0
MEMORY_BYTES = 3 << 30
MOST_WAITING = 100
ORDERS_PER_PROCESS = 100  # then a fresh one takes over, whatever the libraries leak
_KEPT_VARIABLES = (
    *("PATH", "LANG", "LC_ALL", "SYSTEMROOT", "LD_LIBRARY_PATH", "TMPDIR", "TEMP", "TMP"),
    *("LIKEWISE_KERNELS", "SOURCE_DATE_EPOCH"),
)


class Renderers:
    """The processes, and the orders that wait for them."""

    def __init__(
        self,
        most: int | None = None,
        *,
        seconds: float = SECONDS,
        memory_bytes: int = MEMORY_BYTES,
        program: str = "likewise.server.renderer",
    ) -> None:
        self._seconds, self._memory, self._program = seconds, memory_bytes, program
        self._threads = ThreadPoolExecutor(most or min(4, max(2, cores())), "rendering")
        self._idle: list[_Renderer] = []
        self._waiting = 0
        self._lock = threading.Lock()

    def make(self, order: Mapping[str, Any], *parts: bytes) -> bytes:
        """What an order asks for; waits until it is made."""
        return self._ordered(order, parts).result()

    async def made(self, order: Mapping[str, Any], *parts: bytes) -> bytes:
        """The same, for those who must not wait."""
        return await asyncio.wrap_future(self._ordered(order, parts))

    def close(self) -> None:
        self._threads.shutdown(cancel_futures=True)
        with self._lock:
            idle, self._idle = self._idle, []
        for renderer in idle:
            renderer.end()

    def _ordered(self, order: Mapping[str, Any], parts: Sequence[bytes]) -> Future[bytes]:
        with self._lock:
            if self._waiting >= MOST_WAITING:
                raise Problem(
                    "unavailable", "too many reports are being made; try again", retry_after=10
                )
            self._waiting += 1
        future = self._threads.submit(self._make, order, parts)
        future.add_done_callback(self._one_less)
        return future

    def _one_less(self, _future: Future[bytes]) -> None:
        with self._lock:
            self._waiting -= 1

    def _make(self, order: Mapping[str, Any], parts: Sequence[bytes]) -> bytes:
        with self._lock:
            renderer = self._idle.pop() if self._idle else None
        if renderer is None:
            renderer = _Renderer(self._program, self._memory)
        try:
            return renderer.make(order, parts, self._seconds)
        finally:
            if renderer.is_fit:
                with self._lock:
                    self._idle.append(renderer)
            else:
                renderer.end()


class _Renderer:
    """One process, one order at a time."""

    def __init__(self, program: str, memory_bytes: int) -> None:
        self._orders = 0
        self._process = subprocess.Popen(
            # Without the current folder on the path: a file there may be called json.py.
            [sys.executable, "-P", "-m", program, str(memory_bytes)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,  # a library's complaint may quote the document
            env=_environment(),
            start_new_session=True,
        )

    @property
    def is_fit(self) -> bool:
        return self._process.poll() is None and self._orders < ORDERS_PER_PROCESS

    def make(self, order: Mapping[str, Any], parts: Sequence[bytes], seconds: float) -> bytes:
        self._orders += 1
        line = json.dumps({**order, "sizes": [len(part) for part in parts]}).encode()
        hung = threading.Event()

        def give_up() -> None:
            hung.set()
            self._process.kill()

        watch = threading.Timer(seconds, give_up)
        watch.start()
        try:
            kind, answer = self._answer([line, b"\n", *parts])
        finally:
            watch.cancel()
            watch.join()
        if kind == b"d":
            return answer
        if kind == b"e":
            raise Problem("internal error", answer.decode())
        self.end()
        if hung.is_set():
            raise Problem("internal error", f"it was not made after {seconds:g} seconds; given up")
        raise Problem(
            "internal error", "the report could not be made: it needs more memory than it may use"
        )

    def end(self) -> None:
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            with contextlib.suppress(OSError):
                pipe.close()  # type: ignore[union-attr]

    def _answer(self, said: Sequence[bytes]) -> tuple[bytes, bytes]:
        """A letter and what belongs to it; nothing from a process that died."""
        asked, answers = self._process.stdin, self._process.stdout
        assert asked is not None and answers is not None
        with contextlib.suppress(OSError):
            for part in said:
                asked.write(part)
            asked.flush()
        head = answers.read(9)
        if len(head) == 9:
            (size,) = struct.unpack("<Q", head[1:])
            answer = answers.read(size)
            if len(answer) == size:
                return head[:1], answer
        self._process.kill()
        return b"", b""


def _environment() -> dict[str, str]:
    """What the process needs to start, and none of our secrets."""
    kept = {key: os.environ[key] for key in _KEPT_VARIABLES if key in os.environ}
    single = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    paths = os.pathsep.join(os.path.abspath(path) for path in sys.path if path)  # noqa: PTH100
    return kept | single | {"PYTHONPATH": paths, "PYTHONIOENCODING": "utf-8"}


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
