"""What every answer says to the browser, and whom the server believes."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator

import pytest
from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse, Response, StreamingResponse
from fastapi.testclient import TestClient

from likewise.errors import BadSettings
from likewise.library import Library
from likewise.server.app import make_app
from likewise.server.config import Config
from likewise.server.context import ServerContext
from likewise.server.http.pages import ALWAYS, DATA_POLICY, PAGE_POLICY

ADDRESSES = ("/", "/checks/17", "/assets/none.js", "/api/v1/health", "/api/v1/me", "/api/v1/no")


@pytest.fixture
def library(tmp_path: object) -> Iterator[Library]:
    with Library(f"{tmp_path}/library.db") as library:
        yield library


def client_of(library: Library, client: str = "203.0.113.9", **config: str) -> TestClient:
    """A caller at an address, and a route that tells how the caller is seen."""
    app: FastAPI = make_app(ServerContext(library, Config(workers=0, **config)))  # type: ignore[arg-type]

    @app.get("/api/v1/seen")
    def seen(request: Request) -> list[str]:
        assert request.client is not None
        return [request.client.host, request.url.scheme]

    return TestClient(app, client=(client, 4711), raise_server_exceptions=False)


@pytest.mark.parametrize("path", ADDRESSES)
@pytest.mark.parametrize("method", ["GET", "POST", "DELETE", "OPTIONS", "TRACE"])
def test_every_answer_carries_the_security_headers(
    library: Library, path: str, method: str
) -> None:
    answer = client_of(library).request(method, path, headers={"Origin": "https://elsewhere.kz"})
    for name, value in ALWAYS.items():
        assert answer.headers[name] == value
    is_api = path.startswith("/api")
    assert answer.headers["content-security-policy"] == (DATA_POLICY if is_api else PAGE_POLICY)
    assert answer.headers["cache-control"] == ("no-store" if is_api else "no-cache")
    assert "strict-transport-security" not in answer.headers
    assert not [name for name in answer.headers if name.startswith("access-control")]
    assert "server" not in answer.headers


def test_no_policy_allows_foreign_or_inline_scripts() -> None:
    for policy in (PAGE_POLICY, DATA_POLICY):
        assert policy.startswith("default-src 'none'")
        assert "unsafe" not in policy
        assert "http" not in policy
        assert "*" not in policy


def test_browsers_are_kept_to_https_where_there_is_https(library: Library) -> None:
    told = client_of(library, public_url="https://likewise.kz").get("/")
    assert told.headers["strict-transport-security"] == "max-age=31536000"
    behind = client_of(library, client="127.0.0.1", trusted_proxies="127.0.0.1")
    answer = behind.get("/", headers={"X-Forwarded-Proto": "https"})
    assert answer.headers["strict-transport-security"] == "max-age=31536000"


@pytest.mark.parametrize(
    ("sender", "trusted", "forwarded", "seen"),
    [
        ("203.0.113.9", "", "198.51.100.1", ["203.0.113.9", "http"]),
        ("203.0.113.9", "127.0.0.1", "198.51.100.1", ["203.0.113.9", "http"]),
        ("127.0.0.1", "127.0.0.1", "198.51.100.1", ["198.51.100.1", "https"]),
        ("127.0.0.1", "127.0.0.1", "1.1.1.1, 198.51.100.1", ["198.51.100.1", "https"]),
        ("10.1.2.3", "10.0.0.0/8", "1.1.1.1, 198.51.100.1, 10.9.9.9", ["198.51.100.1", "https"]),
        ("127.0.0.1", "127.0.0.1", "1.1.1.1, nonsense", ["127.0.0.1", "https"]),
        ("127.0.0.1", "127.0.0.1", "", ["127.0.0.1", "https"]),
        ("::1", "::1", "2001:db8::7", ["2001:db8::7", "https"]),
    ],
)
def test_only_trusted_proxies_say_who_is_calling(
    library: Library, sender: str, trusted: str, forwarded: str, seen: list[str]
) -> None:
    client = client_of(library, client=sender, trusted_proxies=trusted)
    headers = {"X-Forwarded-For": forwarded, "X-Forwarded-Proto": "https"}
    assert client.get("/api/v1/seen", headers=headers).json() == seen


def test_a_proxy_that_is_no_address_is_refused_at_the_start(library: Library) -> None:
    with pytest.raises(BadSettings, match="trusted_proxies takes addresses"):
        client_of(library, trusted_proxies="proxy.campus.kz").get("/")


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("likewise.kz", 200),
        ("LIKEWISE.kz:8000", 200),
        ("[::1]:8000", 200),
        ("evil.kz", 422),
        ("likewise.kz.evil.kz", 422),
        ("", 422),
    ],
)
def test_only_the_names_of_the_server_are_answered(
    library: Library, host: str, status: int
) -> None:
    client = client_of(library, allowed_hosts="likewise.kz, [::1]")
    assert client.get("/api/v1/seen", headers={"Host": host}).status_code == status
    assert client.get("/api/v1/health", headers={"Host": "10.0.0.7"}).status_code == 200


def test_a_trailing_slash_is_not_redirected_to_whatever_host_was_asked(library: Library) -> None:
    answer = client_of(library).get("/api/v1/health/", headers={"Host": "evil.kz"})
    assert answer.status_code == 404
    assert "location" not in answer.headers


LONG = {"words": ["steppe", "river"] * 400}


def client_of_answers(library: Library) -> TestClient:
    """Routes whose answers are large, small, a stream, a secret, or compressed already."""
    app: FastAPI = make_app(ServerContext(library, Config(workers=0)))

    @app.get("/api/v1/long")
    def long() -> JSONResponse:
        return JSONResponse(LONG, headers={"ETag": '"seven"'})

    @app.get("/api/v1/report")
    def report() -> JSONResponse:
        return JSONResponse({"words": ["steppe"] * 20_000})

    @app.get("/api/v1/short")
    def short() -> JSONResponse:
        return JSONResponse({"word": "steppe"})

    @app.post("/api/v1/secret")
    def secret() -> JSONResponse:
        return JSONResponse(LONG)

    @app.get("/api/v1/refused")
    def refused() -> JSONResponse:
        return JSONResponse(LONG, 422)

    @app.get("/api/v1/picture")
    def picture() -> Response:
        return Response(bytes(5_000), media_type="image/png")

    @app.get("/api/v1/events")
    def events() -> StreamingResponse:
        return StreamingResponse(
            (f"data: {n}\n\n" for n in range(1_000)), media_type="text/event-stream"
        )

    @app.get("/api/v1/rows")
    def rows() -> StreamingResponse:
        return StreamingResponse((f"{n}\n" for n in range(1_000)), media_type="text/csv")

    return TestClient(app, raise_server_exceptions=False)


@pytest.mark.parametrize(
    ("method", "path", "accepted", "is_compressed"),
    [
        ("GET", "long", "gzip, br", True),
        ("GET", "report", "gzip", True),
        ("GET", "long", "identity", False),
        ("GET", "long", "gzip;q=0", False),
        ("GET", "short", "gzip", False),
        ("POST", "secret", "gzip", False),
        ("GET", "refused", "gzip", False),
        ("GET", "picture", "gzip", False),
        ("GET", "events", "gzip", False),
        ("GET", "rows", "gzip", False),
    ],
)
def test_large_whole_answers_of_text_travel_compressed_and_no_others(
    library: Library, method: str, path: str, accepted: str, is_compressed: bool
) -> None:
    client = client_of_answers(library)
    plain = client.request(method, f"/api/v1/{path}", headers={"Accept-Encoding": "identity"})
    asked = {"Accept-Encoding": accepted}
    with client.stream(method, f"/api/v1/{path}", headers=asked) as answer:
        sent = b"".join(answer.iter_raw())
    assert ("content-encoding" in answer.headers) == is_compressed
    assert answer.headers["cache-control"] == "no-store"
    if is_compressed:
        assert answer.headers["content-encoding"] == "gzip"
        assert gzip.decompress(sent) == plain.content
        assert len(sent) < len(plain.content) / 2
    else:
        assert sent == plain.content
    if "content-length" in answer.headers:
        assert int(answer.headers["content-length"]) == len(sent)


def test_an_answer_tells_caches_that_it_may_be_compressed(library: Library) -> None:
    client = client_of_answers(library)
    for accepted, tag in (("gzip", 'W/"seven"'), ("identity", '"seven"')):
        answer = client.get("/api/v1/long", headers={"Accept-Encoding": accepted})
        assert answer.headers["vary"] == "Accept-Encoding"
        assert answer.headers["etag"] == tag
        assert answer.json() == LONG
    assert "vary" not in client.get("/api/v1/events").headers


def test_the_same_answer_is_compressed_to_the_same_bytes(library: Library) -> None:
    client = client_of_answers(library)
    sent = set()
    for _ in range(2):
        with client.stream("GET", "/api/v1/long", headers={"Accept-Encoding": "gzip"}) as answer:
            sent.add(b"".join(answer.iter_raw()))
    assert len(sent) == 1
    assert json.loads(gzip.decompress(sent.pop())) == LONG
