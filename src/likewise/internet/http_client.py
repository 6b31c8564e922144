"""One request, one answer, within limits: how everything here reaches the network.

The name is looked up here, every address is checked here, and the connection goes to the very
address that was checked: a name that leads elsewhere a moment later leads nobody astray. Host
header and TLS server name stay those of the URL. Connections end when their time is up or too much
has come.
"""

from __future__ import annotations

import errno
import os
import queue
import re
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import httpcore
import httpx

from likewise.internet.addresses import Resolver, system_resolver
from likewise.internet.decompression import accepted_codings, decompress
from likewise.internet.errors import NotFetched
from likewise.internet.model import FetchLimits
from likewise.model import Message
from likewise.version import version

_MOST_ADDRESSES = 4  # of one host are tried
_HEADERS = 1 << 18  # bytes that may come on top of the body

MayConnect = Callable[[str, int, str], bool]


class Meter:
    """What one exchange may still cost."""

    def __init__(self, seconds: float, most_bytes: int, whole_seconds: float) -> None:
        self._whole = whole_seconds  # of all hops that the exchange is part of
        self._until = time.monotonic() + seconds
        self._most_bytes = most_bytes
        self.received = 0

    def remaining_seconds(self, at_most: float | None = None) -> float:
        """Seconds; `NotFetched` where there are none."""
        remaining = self._until - time.monotonic()
        if remaining <= 0:
            raise NotFetched(self.too_late())
        return remaining if at_most is None else min(remaining, at_most)

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
        stream = self._sockets.connect_tcp(
            address, port, timeout=self._meter.remaining_seconds(seconds)
        )
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
            answer = answers.get(timeout=self._meter.remaining_seconds(self._connect_seconds))
        except queue.Empty:
            raise NotFetched("internet.lookup_late", host=host) from None
        if isinstance(answer, Exception):
            raise NotFetched(_lookup_failure(host, answer)) from answer
        if not answer:
            raise NotFetched("internet.no_host", host=host)
        return answer[:_MOST_ADDRESSES]


class _MeteredStream(httpcore.NetworkStream):
    """A connection whose every wait ends with the exchange's time."""

    def __init__(self, stream: httpcore.NetworkStream, meter: Meter) -> None:
        self._stream, self._meter = stream, meter

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._meter.count(
            self._stream.read(max_bytes, self._meter.remaining_seconds(timeout))
        )

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._stream.write(buffer, self._meter.remaining_seconds(timeout))

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,
    ) -> httpcore.NetworkStream:
        remaining = self._meter.remaining_seconds(timeout)
        return _MeteredStream(
            self._stream.start_tls(ssl_context, server_hostname, remaining), self._meter
        )

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)


def _lookup_failure(host: str, error: Exception) -> Message:
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


def failure_message(error: Exception, meter: Meter) -> Message:
    """Why an exchange failed; nothing of the request is in it."""
    if isinstance(error, httpcore.ConnectTimeout):
        return Message("internet.no_connection_in_time")
    if isinstance(error, httpcore.TimeoutException):
        return meter.too_late()
    error_text = str(error)
    if isinstance(error, httpcore.ConnectError):
        key = next((key for sign, key in _SIGNS if sign in error_text), "internet.no_connection")
        return Message(key)
    if isinstance(error, httpcore.RemoteProtocolError):
        if "too long" in error_text:
            return Message("internet.headers")
        if "complete" in error_text or "without sending" in error_text:
            return Message("internet.broke")
        return Message("internet.no_http")
    return Message("internet.broke")


PRODUCT = "Likewise"  # what robots.txt files know us by


@dataclass(frozen=True, slots=True)
class Response:
    """What a server said; header names in small letters, the body unpacked."""

    status: int
    headers: Mapping[str, str] = field(repr=False)
    body: bytes = field(repr=False)
    received: int  # bytes over the network


class HttpClient:
    """Sends requests to whom `may_connect` lets it; follows no redirect, keeps no cookie.

    Proxies of the environment are not used: behind one, nobody could check whom we reach.
    """

    def __init__(
        self,
        limits: FetchLimits,
        may_connect: MayConnect,
        resolve: Resolver = system_resolver,
        contact: str = "",
    ) -> None:
        self.limits = limits
        self._may_connect, self._resolve = may_connect, resolve
        self._agent = user_agent(contact)

    def ask(
        self,
        url: httpx.URL,
        headers: Mapping[str, str] | None = None,
        *,
        method: str = "GET",
        content: bytes | None = None,
        most_bytes: int | None = None,
        cut: bool = False,
        seconds: float | None = None,
        check: Callable[[Mapping[str, str]], None] | None = None,
    ) -> Response:
        """The answer to one request; `NotFetched` says why there is none.

        `seconds` are those that are left of the limit; `cut` asks for the beginning of an answer
        that is too long; `check` sees the headers of a good one and may refuse its body.
        """
        most_bytes = most_bytes or self.limits.received_bytes
        whole = self.limits.seconds
        meter = Meter(whole if seconds is None else seconds, most_bytes, whole)
        backend = CheckedBackend(
            meter, self._resolve, self._may_connect, self.limits.connect_seconds
        )
        request_headers = {
            "Host": url.netloc.decode("ascii"),
            "User-Agent": self._agent,
            "Accept-Encoding": accepted_codings(),
            "Connection": "close",
        } | dict(headers or {})
        try:
            with (
                httpcore.ConnectionPool(_context(url), network_backend=backend) as pool,
                pool.stream(
                    method, _target(url), headers=_as_bytes(request_headers), content=content
                ) as response,
            ):
                return self._read(response, meter, most_bytes, cut, check)
        except (httpcore.NetworkError, httpcore.TimeoutException, httpcore.ProtocolError) as error:
            raise NotFetched(failure_message(error, meter)) from error

    def _read(
        self,
        response: httpcore.Response,
        meter: Meter,
        most_bytes: int,
        cut: bool,
        check: Callable[[Mapping[str, str]], None] | None,
    ) -> Response:
        headers: dict[str, str] = {}
        for raw_name, raw_value in response.headers:
            name, value = raw_name.decode("latin-1").lower(), raw_value.decode("latin-1").strip()
            headers[name] = f"{headers[name]}, {value}" if name in headers else value
        if check and response.status == 200:
            check(headers)
        declared = headers.get("content-length", "")
        is_declared_too_long = declared.isdigit() and int(declared[:20]) > most_bytes
        if is_declared_too_long and not cut and 200 <= response.status < 300:
            raise NotFetched(meter.too_long())
        body = bytearray()
        if response.status not in _WITHOUT_BODY:
            for piece in response.iter_stream():
                body += piece
                if len(body) > most_bytes:
                    if not cut:
                        raise NotFetched(meter.too_long())
                    del body[most_bytes:]
                    break
        codings = headers.get("content-encoding", "")
        plain = decompress(bytes(body), codings, self.limits.unpacked_bytes) if body else b""
        return Response(response.status, headers, plain, meter.received)


@lru_cache(maxsize=2)
def _secure(*_variables: str | None) -> ssl.SSLContext:
    """The certificates that are trusted; loading them takes longer than many an exchange."""
    return httpx.create_ssl_context()


def _context(url: httpx.URL) -> ssl.SSLContext | None:
    if url.scheme != "https":
        return None
    return _secure(os.environ.get("SSL_CERT_FILE"), os.environ.get("SSL_CERT_DIR"))


_WITHOUT_BODY = frozenset({301, 302, 303, 304, 307, 308})  # what they say stands in the headers


_UNSAID = re.compile(r"[^\x20-\x7e]|[()\\]")  # what a comment in this header cannot hold


def user_agent(contact: str = "") -> str:
    """How we name ourselves, and whom to write to.

    >>> user_agent("admin@example.org").endswith("(looks for copied text; admin@example.org)")
    True
    """
    number = version().split()[0]
    about = "; ".join(filter(None, ("looks for copied text", _UNSAID.sub("", contact).strip())))
    return f"{PRODUCT}/{number} ({about})"


def _as_bytes(headers: Mapping[str, str]) -> list[tuple[bytes, bytes]]:
    """As they came: a server's own mark may hold letters that are none of ASCII."""
    return [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers.items()]


def _target(url: httpx.URL) -> httpcore.URL:
    return httpcore.URL(
        scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path
    )
