"""The page and its files, and nothing else of the disk."""

from __future__ import annotations

import gzip
import zlib
from pathlib import Path

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from likewise.server.http.error_handlers import add_error_handlers
from likewise.server.http.pages import Pages, SecureHeaders

SCRIPT = "console.log('likewise')\n"
LARGE = SCRIPT * 200


def client_of(folder: Path) -> TestClient:
    app = FastAPI(openapi_url=None, redirect_slashes=False)
    app.router.default = Pages(folder)
    add_error_handlers(app)
    app.add_middleware(SecureHeaders)
    return TestClient(app, raise_server_exceptions=False)


@pytest.fixture
def client(tmp_path: Path) -> TestClient:
    """A built page, and a secret beside its folder."""
    (tmp_path / "secret.txt").write_text("swordfish")
    static = tmp_path / "static"
    (static / "assets").mkdir(parents=True)
    (static / "index.html").write_text("<!doctype html><title>Likewise</title>")
    (static / "favicon.svg").write_text("<svg/>")
    (static / "assets" / "app-4f3a.js").write_text(SCRIPT)
    (static / "assets" / "large-77aa.js").write_text(LARGE)
    (static / "assets" / "large-77aa.js.gz").write_bytes(gzip.compress(LARGE.encode()))
    (static / "assets" / "large-77aa.js.br").write_bytes(b"as small as it gets")
    (static / "link.txt").symlink_to(tmp_path / "secret.txt")
    return client_of(static)


@pytest.mark.parametrize("path", ["/", "/index.html", "/checks/17", "/log-in?next=/checks"])
def test_every_address_opens_the_page(client: TestClient, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["cache-control"] == "no-cache"
    assert "<title>Likewise" in answer.text


def test_files_named_by_their_content_are_kept_for_a_year(client: TestClient) -> None:
    answer = client.get("/assets/app-4f3a.js")
    assert answer.text == SCRIPT
    assert answer.headers["content-type"].startswith("text/javascript")
    assert "immutable" in answer.headers["cache-control"]
    assert client.get("/favicon.svg").headers["cache-control"] == "no-cache"


@pytest.mark.parametrize(
    ("accepted", "coding"),
    [
        ("gzip, deflate, br, zstd", "br"),
        ("gzip", "gzip"),
        ("GZIP;q=0.8, br;q=0", "gzip"),
        ("*", "br"),
        ("br;q=nonsense, identity", None),
        ("deflate", None),
        ("", None),
    ],
)
def test_a_file_travels_as_small_as_the_browser_can_unpack(
    client: TestClient, accepted: str, coding: str | None
) -> None:
    with client.stream(
        "GET", "/assets/large-77aa.js", headers={"Accept-Encoding": accepted}
    ) as answer:
        sent = b"".join(answer.iter_raw())
    assert answer.headers.get("content-encoding") == coding
    assert answer.headers["vary"] == "Accept-Encoding"
    assert answer.headers["content-type"].startswith("text/javascript")
    assert "immutable" in answer.headers["cache-control"]
    assert int(answer.headers["content-length"]) == len(sent)
    unpacked = {
        None: sent,
        "gzip": zlib.decompress(sent, 31) if coding == "gzip" else b"",
        "br": LARGE.encode() if sent == b"as small as it gets" else b"",
    }
    assert unpacked[coding] == LARGE.encode()


def test_the_head_of_a_compressed_file_is_that_of_the_file(client: TestClient) -> None:
    asked = {"Accept-Encoding": "gzip"}
    head = client.head("/assets/large-77aa.js", headers=asked)
    with client.stream("GET", "/assets/large-77aa.js", headers=asked) as answer:
        assert dict(head.headers) == dict(answer.headers)
    assert head.content == b""


def test_a_part_of_a_file_is_a_part_of_the_file_itself(client: TestClient) -> None:
    asked = {"Accept-Encoding": "gzip, br", "Range": "bytes=8-17"}
    answer = client.get("/assets/large-77aa.js", headers=asked)
    assert (answer.status_code, answer.text) == (206, LARGE[8:18])
    assert "content-encoding" not in answer.headers


def test_a_compressed_file_has_no_address_of_its_own(client: TestClient) -> None:
    for ending in ("gz", "br"):
        assert client.get(f"/assets/large-77aa.js.{ending}").status_code == 404


def test_what_a_browser_has_already_is_not_sent_again(client: TestClient) -> None:
    tags = set()
    for accepted in ("br", "gzip", "identity"):
        asked = {"Accept-Encoding": accepted}
        with client.stream("GET", "/assets/large-77aa.js", headers=asked) as answer:
            tags.add(answer.headers["etag"])
            known = {"If-None-Match": f'"another", W/{answer.headers["etag"]}'}
        again = client.get("/assets/large-77aa.js", headers=asked | known)
        assert (again.status_code, again.content) == (304, b"")
        assert again.headers["etag"] == answer.headers["etag"]
        assert again.headers["vary"] == "Accept-Encoding"
        assert "immutable" in again.headers["cache-control"]
    assert len(tags) == 3  # what is unpacked otherwise is another representation
    page = client.get("/")
    assert client.get("/", headers={"If-None-Match": page.headers["etag"]}).status_code == 304
    assert client.get("/", headers={"If-None-Match": '"another"'}).status_code == 200


def test_a_file_that_is_not_there_is_no_page(client: TestClient) -> None:
    answer = client.get("/assets/gone.js")
    assert answer.status_code == 404
    assert "immutable" not in answer.headers["cache-control"]


@pytest.mark.parametrize(
    "path",
    [
        "/../secret.txt",
        "/%2e%2e/secret.txt",
        "/..%2fsecret.txt",
        "/assets/../../secret.txt",
        "/assets/%2e%2e/%2e%2e/secret.txt",
        "/..\\secret.txt",
        "/..%5csecret.txt",
        "//etc/passwd",
        "/%00",
        "/link.txt",
        "/assets",
    ],
)
def test_no_address_leads_out_of_the_folder(client: TestClient, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code in (200, 404)
    assert "swordfish" not in answer.text
    assert "root:" not in answer.text


def test_the_page_is_only_read(client: TestClient) -> None:
    assert client.head("/").status_code == 200
    answer = client.post("/", json={})
    assert answer.status_code == 405
    assert answer.headers["allow"] == "GET, HEAD"


def test_unknown_addresses_of_the_api_are_no_pages(client: TestClient) -> None:
    for path in ("/api", "/api/", "/api/v1/nothing", "/api/v2/documents"):
        answer = client.get(path)
        assert answer.status_code == 404
        assert answer.json()["kind"] == "not found"


def test_a_page_that_was_not_built_says_so(tmp_path: Path) -> None:
    answer = client_of(tmp_path / "nothing").get("/")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    assert "API answers under /api/v1" in answer.text
