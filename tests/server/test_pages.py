"""The page and its files, and nothing else of the disk."""

from __future__ import annotations

from pathlib import Path

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from likewise.server.http.error_handlers import add_error_handlers
from likewise.server.http.pages import Pages, SecureHeaders

SCRIPT = "console.log('likewise')\n"


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
