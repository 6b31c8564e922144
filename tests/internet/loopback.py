"""Real HTTP servers on loopback that answer as told, well or badly."""

from __future__ import annotations

import socket
import socketserver
import ssl
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

CERTIFICATE = Path(__file__).parent / "steppe.test.pem"  # of steppe.test, by itself, for 100 years
ARTICLE = " ".join(
    f"Sentence number {number} tells of the steppe, of its grass and of the wide sky above it."
    for number in range(1, 30)
)


@dataclass(frozen=True)
class Seen:
    """A request as it came."""

    method: str
    target: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def path(self) -> str:
        return urlsplit(self.target).path

    @property
    def asked(self) -> dict[str, str]:
        return {name: values[0] for name, values in parse_qs(urlsplit(self.target).query).items()}


Send = Callable[[bytes], None]
Page = bytes | Callable[[Seen, Send], None] | Callable[[Seen], bytes]


def answer(body: bytes | str = b"", status: int = 200, **headers: str) -> bytes:
    """A whole answer; `content_type="…"` becomes the header Content-Type."""
    body = body.encode() if isinstance(body, str) else body
    fields = {"content_length": str(len(body)), "connection": "close"} | headers
    lines = [f"{name.replace('_', '-')}: {value}" for name, value in fields.items() if value]
    return "\r\n".join([f"HTTP/1.1 {status} Told", *lines, "", ""]).encode() + body


def html(text: str = ARTICLE, title: str = "Steppe") -> bytes:
    whole = f"<!DOCTYPE html><html><head><title>{title}</title></head><body><article><h1>{title}"
    return f"{whole}</h1><p>{text}</p></article></body></html>".encode()


def redirect(to: str, status: int = 302) -> bytes:
    return answer(status=status, location=to)


@dataclass
class Site:
    """A server with some pages; whatever else is asked for is not there."""

    pages: Mapping[str, Page]
    port: int = 0
    seen: list[Seen] = field(default_factory=list)

    def url(self, path: str = "/", host: str = "127.0.0.1", scheme: str = "http") -> str:
        return f"{scheme}://{host}:{self.port}{path}"

    @property
    def place(self) -> str:
        return f"127.0.0.1:{self.port}"

    def paths(self) -> list[str]:
        return [seen.path for seen in self.seen]


@contextmanager
def serving(pages: Mapping[str, Page], *, secure: bool = False) -> Iterator[Site]:
    """A site, as long as the block lasts."""
    site = Site(pages)

    class Handler(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            with suppress(OSError):  # whoever asked may have gone
                seen = _request(self.request)
                if seen:
                    site.seen.append(seen)
                    _reply(site.pages.get(seen.path), seen, self.request.sendall)

    server = _Server(("127.0.0.1", 0), Handler)
    if secure:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(CERTIFICATE)
        server.socket = context.wrap_socket(
            server.socket, server_side=True, do_handshake_on_connect=False
        )
    site.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield site
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    block_on_close = False
    allow_reuse_address = True
    request_queue_size = 128

    def handle_error(self, request: object, client_address: object) -> None:
        """Who hangs up is no news."""


def _request(connection: socket.socket) -> Seen | None:
    connection.settimeout(10)
    data = b""
    while b"\r\n\r\n" not in data:
        piece = connection.recv(65536)
        if not piece:
            return None
        data += piece
    head, _, body = data.partition(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    method, target, _ = first.split(" ", 2)
    headers = {name.lower(): value.strip() for name, _, value in (x.partition(":") for x in lines)}
    while len(body) < int(headers.get("content-length", 0)):
        body += connection.recv(65536)
    return Seen(method, target, headers, body)


def _reply(page: Page | None, seen: Seen, send: Send) -> None:
    if page is None:
        send(answer("not here", 404))
    elif isinstance(page, bytes):
        send(page)
    elif page.__code__.co_argcount == 1:
        send(page(seen))  # type: ignore[call-arg]
    else:
        page(seen, send)  # type: ignore[call-arg]
