"""Connections to checked addresses, that end when their time is up or too much has come.

The name is looked up here, every address is checked here, and the connection goes to the very
address that was checked: a name that leads elsewhere a moment later leads nobody astray. Host
header and TLS server name stay those of the URL.
"""

from __future__ import annotations

import errno
import queue
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import httpcore

from likewise.internet.addresses import Resolver
from likewise.internet.errors import NotFetched
from likewise.model import Message

_MOST_ADDRESSES = 4  # of one host are tried
_HEADERS = 1 << 18  # bytes that may come on top of the body

MayConnect = Callable[[str, int, str], bool]


class Meter:
    """What one exchange may still cost."""

    def __init__(self, seconds: float, most_bytes: int, whole_seconds: float) -> None:
        self._whole = whole_seconds  # of the journey that the exchange is part of
        self._until = time.monotonic() + seconds
        self._most_bytes = most_bytes
        self.received = 0

    def left(self, at_most: float | None = None) -> float:
        """Seconds; `NotFetched` where there are none."""
        left = self._until - time.monotonic()
        if left <= 0:
            raise NotFetched(self.too_late())
        return left if at_most is None else min(left, at_most)

    def too_late(self) -> Message:
        key = "internet.not_whole" if self.received else "internet.no_answer"
        return Message(key, {"seconds": self._whole})

    def count(self, data: bytes) -> bytes:
        self.received += len(data)
        if self.received > self._most_bytes + _HEADERS:
            raise NotFetched(self.too_long())
        return data

    def too_long(self) -> Message:
        return Message("internet.long", {"n": round(self._most_bytes / 2**20)})


class CheckedBackend(httpcore.NetworkBackend):
    """Opens connections for one exchange."""

    def __init__(
        self, meter: Meter, resolve: Resolver, may_connect: MayConnect, connect_seconds: float
    ) -> None:
        self._meter, self._resolve, self._may_connect = meter, resolve, may_connect
        self._connect_seconds = connect_seconds
        self._sockets = httpcore.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.NetworkStream:
        host = host.strip("[]")
        addresses = self._looked_up(host, port)
        if not all(self._may_connect(host, port, address) for address in addresses):
            raise NotFetched("internet.not_public", host=host)
        for address in addresses[:-1]:
            try:
                return self._connected(address, port, self._connect_seconds / 2)
            except (httpcore.ConnectError, httpcore.ConnectTimeout):
                continue  # another address of the same host may answer
        return self._connected(addresses[-1], port, self._connect_seconds)

    def _connected(self, address: str, port: int, seconds: float) -> httpcore.NetworkStream:
        stream = self._sockets.connect_tcp(address, port, timeout=self._meter.left(seconds))
        return _MeteredStream(stream, self._meter)

    def _looked_up(self, host: str, port: int) -> Sequence[str]:
        """The addresses of a host; the system's look-up knows no time limit, we do."""
        answers: queue.SimpleQueue[Sequence[str] | Exception] = queue.SimpleQueue()

        def look_up() -> None:
            try:
                answers.put(self._resolve(host, port))
            except Exception as error:
                answers.put(error)

        threading.Thread(target=look_up, daemon=True).start()
        try:
            answer = answers.get(timeout=self._meter.left(self._connect_seconds))
        except queue.Empty:
            raise NotFetched("internet.lookup_late", host=host) from None
        if isinstance(answer, Exception):
            raise NotFetched(_why_unknown(host, answer)) from answer
        if not answer:
            raise NotFetched("internet.no_host", host=host)
        return answer[:_MOST_ADDRESSES]


class _MeteredStream(httpcore.NetworkStream):
    """A connection whose every wait ends with the exchange's time."""

    def __init__(self, stream: httpcore.NetworkStream, meter: Meter) -> None:
        self._stream, self._meter = stream, meter

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._meter.count(self._stream.read(max_bytes, self._meter.left(timeout)))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._stream.write(buffer, self._meter.left(timeout))

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,
    ) -> httpcore.NetworkStream:
        left = self._meter.left(timeout)
        return _MeteredStream(
            self._stream.start_tls(ssl_context, server_hostname, left), self._meter
        )

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)


def _why_unknown(host: str, error: Exception) -> Message:
    if isinstance(error, socket.gaierror) and error.errno == socket.EAI_AGAIN:
        return Message("internet.lookup", {"host": host})
    if isinstance(error, UnicodeError | ValueError):
        return Message("internet.url_bad")
    return Message("internet.no_host", {"host": host})


_SIGNS = (
    ("CERTIFICATE_VERIFY_FAILED", "internet.certificate"),
    ("SSL", "internet.not_secure"),
    (f"[Errno {errno.ECONNREFUSED}]", "internet.refuses_connections"),
    (f"[Errno {errno.ENETUNREACH}]", "internet.unreachable"),
    (f"[Errno {errno.EHOSTUNREACH}]", "internet.unreachable"),
)


def why_not(error: Exception, meter: Meter) -> Message:
    """Why an exchange failed; nothing of the request is in it."""
    if isinstance(error, httpcore.ConnectTimeout):
        return Message("internet.no_connection_in_time")
    if isinstance(error, httpcore.TimeoutException):
        return meter.too_late()
    said = str(error)
    if isinstance(error, httpcore.ConnectError):
        key = next((key for sign, key in _SIGNS if sign in said), "internet.no_connection")
        return Message(key)
    if isinstance(error, httpcore.RemoteProtocolError):
        if "too long" in said:
            return Message("internet.headers")
        if "complete" in said or "without sending" in said:
            return Message("internet.broke")
        return Message("internet.no_http")
    return Message("internet.broke")
