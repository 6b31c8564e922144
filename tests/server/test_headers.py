"""What every answer says to the browser, and whom the server believes."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from fastapi import FastAPI, Request
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
