"""One request, one answer, within limits: what everything here reaches the network by."""

from __future__ import annotations

import os
import re
import ssl
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

import httpcore
import httpx

from likewise.internet.addresses import Resolver, system_resolver
from likewise.internet.connection import CheckedBackend, MayConnect, Meter, why_not
from likewise.internet.errors import NotFetched
from likewise.internet.limits import FetchLimits
from likewise.internet.unpacking import accepted_codings, unpacked
from likewise.version import version

PRODUCT = "Likewise"  # what robots.txt files know us by


@dataclass(frozen=True, slots=True)
class Answer:
    """What a server said; header names in small letters, the body unpacked."""

    status: int
    headers: Mapping[str, str] = field(repr=False)
    body: bytes = field(repr=False)
    received: int  # bytes over the network


class Line:
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
    ) -> Answer:
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
        sent = {
            "Host": url.netloc.decode("ascii"),
            "User-Agent": self._agent,
            "Accept-Encoding": accepted_codings(),
            "Connection": "close",
        } | dict(headers or {})
        try:
            with (
                httpcore.ConnectionPool(_context(url), network_backend=backend) as pool,
                pool.stream(method, _target(url), headers=_as_bytes(sent), content=content) as got,
            ):
                return self._read(got, meter, most_bytes, cut, check)
        except (httpcore.NetworkError, httpcore.TimeoutException, httpcore.ProtocolError) as error:
            raise NotFetched(why_not(error, meter)) from error

    def _read(
        self,
        got: httpcore.Response,
        meter: Meter,
        most_bytes: int,
        cut: bool,
        check: Callable[[Mapping[str, str]], None] | None,
    ) -> Answer:
        headers: dict[str, str] = {}
        for raw_name, raw_value in got.headers:
            name, value = raw_name.decode("latin-1").lower(), raw_value.decode("latin-1").strip()
            headers[name] = f"{headers[name]}, {value}" if name in headers else value
        if check and got.status == 200:
            check(headers)
        declared = headers.get("content-length", "")
        is_told = declared.isdigit() and int(declared[:20]) > most_bytes
        if is_told and not cut and 200 <= got.status < 300:
            raise NotFetched(meter.too_long())
        body = bytearray()
        if got.status not in _WITHOUT_BODY:
            for piece in got.iter_stream():
                body += piece
                if len(body) > most_bytes:
                    if not cut:
                        raise NotFetched(meter.too_long())
                    del body[most_bytes:]
                    break
        codings = headers.get("content-encoding", "")
        plain = unpacked(bytes(body), codings, self.limits.unpacked_bytes) if body else b""
        return Answer(got.status, headers, plain, meter.received)


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
