"""Whether requests should be sent to a server, and how it stops without losing one."""

from __future__ import annotations

import json
import re
import signal
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from fastapi.testclient import TestClient
from sqlalchemy import make_url, text

from likewise.library import Library
from likewise.server.app import make_app
from likewise.server.config import Config
from likewise.server.context import ServerContext
from tests.server.jobbing import a_teacher, seen, until
from tests.server.serving import logged_in, started
from tests.server.test_health import Wire

SERVE = ("--port", "0", "--workers", "0", "--no-browser")


def test_everybody_may_ask_whether_a_server_is_ready(anybody: TestClient) -> None:
    ready, process = anybody.get("/health/ready"), anybody.get("/health/process")
    assert (ready.status_code, ready.json()) == (200, {"status": "ready"})
    assert (process.status_code, process.json()) == (200, {"status": "alive"})


def test_a_library_of_a_newer_version_is_gone_on_with_and_an_unfinished_one_is_not(
    anybody: TestClient, administrator: TestClient, context: ServerContext
) -> None:
    for version, status in (("1", 503), ("99", 200), ("unfinished copy", 503)):
        with context.store.beside() as connection:
            connection.execute(
                text("UPDATE likewise_version SET version_num = :version"), {"version": version}
            )
        answer = anybody.get("/health/ready")
        assert answer.status_code == status, version
        told = administrator.get("/metrics").text
        assert f"likewise_ready {int(status == 200)}.0" in told
    assert answer.json()["message"] == "this server takes no requests now: send them to another"
    assert int(answer.headers["retry-after"]) > 0
    assert "unfinished" not in answer.text


@pytest.mark.parametrize("engine_name", ["postgresql"])
def test_a_server_whose_database_is_away_is_not_ready_but_its_process_lives(
    place: str, own_cache: Path
) -> None:
    url = make_url(place)
    with Wire(str(url.host), int(url.port or 0)) as wire:
        through = url.set(host="127.0.0.1", port=wire.port).render_as_string(hide_password=False)
        with Library(through) as library:
            client = TestClient(
                make_app(ServerContext(library)), base_url="http://testserver/api/v1"
            )
            assert client.get("/health/ready").status_code == 200
            wire.hangs.set()
            assert client.get("/health/ready").status_code == 503
            assert client.get("/health/process").status_code == 200
            wire.hangs.clear()
            assert client.get("/health/ready").status_code == 200


@pytest.mark.parametrize("engine_name", ["postgresql"])
def test_a_server_without_room_for_uploads_is_not_ready_where_another_may_be(
    anybody: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Full:
        free = 1_000

    monkeypatch.setattr("likewise.server.readiness.shutil.disk_usage", lambda _: Full)
    assert anybody.get("/health/ready").status_code == 503


@pytest.fixture
def opened(place: str, own_cache: Path) -> Iterator[ServerContext]:
    with Library(place) as library:
        yield ServerContext(library, Config())


def address_in(line: str) -> tuple[str, int]:
    match = re.search(r"http://([\d.]+):(\d+)", line)
    assert match is not None
    return match[1], int(match[2])


def test_a_server_told_to_stop_says_that_it_is_not_ready_and_finishes_what_it_has(
    opened: ServerContext, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    a_teacher(opened)
    monkeypatch.setenv("LIKEWISE_DRAIN_SECONDS", "4")
    body = (
        '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n'
        + "the wind over the steppe carries the smell of wormwood " * 2_000
        + "\r\n--b--\r\n"
    ).encode()
    with started("serve", place, *SERVE) as (process, line), logged_in(line) as client:
        head = (
            "POST /api/v1/checks HTTP/1.1\r\nHost: here\r\n"
            f"Content-Length: {len(body)}\r\nAuthorization: {client.headers['Authorization']}\r\n"
            "Content-Type: multipart/form-data; boundary=b\r\n\r\n"
        )
        with socket.create_connection(address_in(line)) as upload:
            upload.sendall(head.encode() + body[:1_000])
            process.send_signal(signal.SIGTERM)
            until(
                lambda: client.get("/health/ready").status_code == 503, "it says that it is ready"
            )
            answer = client.get("/me")  # over a new connection, and it is still answered
            assert answer.status_code == 200
            assert answer.headers["connection"] == "close"
            time.sleep(1)
            upload.sendall(body[1_000:])
            accepted = b""
            while more := upload.recv(65_536):
                accepted += more
        assert accepted.startswith(b"HTTP/1.1 20"), accepted[:200]
        job = json.loads(accepted.partition(b"\r\n\r\n")[2])["job"]
        assert process.wait(30) == 0
        with pytest.raises(httpx.ConnectError):
            client.get("/health/ready")
    assert seen(opened, job).state == "queued"


def test_a_second_signal_ends_the_drain(
    opened: ServerContext, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LIKEWISE_DRAIN_SECONDS", "60")
    with started("serve", place, *SERVE) as (process, _):
        process.send_signal(signal.SIGTERM)
        time.sleep(1)
        assert process.poll() is None
        process.send_signal(signal.SIGTERM)
        assert process.wait(20) == 0
