"""Whether the server can do its work."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import make_url, text

from likewise.library import Library
from likewise.server.app import make_app
from likewise.server.context import ServerContext, utc_now
from likewise.server.jobs.leases import take_job
from likewise.server.jobs.presence import count_killed, sign, sign_off
from likewise.server.jobs.queue import enqueue
from likewise.server.workers.worker import Worker
from tests.server.jobbing import until


def test_health_is_told_to_everybody_and_nothing_else_is(anybody: TestClient) -> None:
    answer = anybody.get("/health")
    assert (answer.status_code, answer.json()) == (200, {"status": "ok"})


@pytest.mark.parametrize("engine_name", ["postgresql"])
def test_a_database_that_does_not_answer_is_unavailable_and_is_not_waited_for(
    place: str, own_cache: Path
) -> None:
    url = make_url(place)
    with Wire(str(url.host), int(url.port or 0)) as wire:
        through = url.set(host="127.0.0.1", port=wire.port).render_as_string(hide_password=False)
        with Library(through) as library:
            client = TestClient(
                make_app(ServerContext(library)), base_url="http://testserver/api/v1"
            )
            assert client.get("/health").status_code == 200
            assert client.get("/health/live").status_code == 200
            wire.hangs.set()
            answer = client.get("/health")
            assert answer.json()["kind"] == "unavailable"
            assert answer.status_code == 503
            assert int(answer.headers["retry-after"]) > 0
            assert client.get("/health/live").status_code == 503
            wire.hangs.clear()
            assert client.get("/health").status_code == 200


class Wire:
    """Passes everything on to a server, until it hangs."""

    def __init__(self, host: str, port: int) -> None:
        self.hangs = threading.Event()
        self._far = (host, port)
        self._door = socket.create_server(("127.0.0.1", 0))
        self.port = self._door.getsockname()[1]

    def __enter__(self) -> Wire:
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._door.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._door.accept()
                far = socket.create_connection(self._far)
                for pair in ((near, far), (far, near)):
                    threading.Thread(target=self._pass_on, args=pair, daemon=True).start()

    def _pass_on(self, source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError), source, target:
            while data := source.recv(1 << 16):
                while self.hangs.is_set():
                    time.sleep(0.01)
                target.sendall(data)


def test_administrators_see_the_state_of_everything(
    administrator: TestClient, context: ServerContext, engine_name: str
) -> None:
    context.library.add_texts(
        [("one.txt", "the wind over the steppe carries the smell of wormwood")]
    )
    with context.store.beside() as connection:
        enqueue(connection, "tidy", None, {})
        enqueue(connection, "rebuild", None, {})
        connection.execute(text("UPDATE jobs SET state = 'failed' WHERE kind = 'rebuild'"))
    seen = administrator.get("/health/details").json()
    is_file = engine_name == "sqlite"
    assert seen["database"] == engine_name
    assert seen["documents"] == 1
    assert seen["jobs"]["waiting"] == 1
    assert seen["jobs"]["running"] == 0
    assert seen["busy_workers"] == 0
    held = [use for disk in seen["disks"] for use in disk["holds"]]
    assert sorted(held) == sorted({"cache", "temporary", *(["library"] if is_file else [])})
    assert all(len(disk["folders"]) == len(disk["holds"]) for disk in seen["disks"])
    assert all(disk["free_bytes"] > 0 for disk in seen["disks"])


def turn_back(context: ServerContext, key: str, **ago: float) -> None:
    """Let what was noted have been noted earlier."""
    with context.store.beside() as connection:
        connection.execute(
            text("UPDATE key_values SET value = :on WHERE key = :key"),
            {"key": key, "on": (utc_now() - timedelta(**ago)).isoformat()},
        )


def problems_of(anybody: TestClient, administrator: TestClient) -> list[str]:
    """What administrators read, while everybody else learns that there is something."""
    answer, found = anybody.get("/health"), administrator.get("/health/details").json()["problems"]
    assert answer.status_code == (503 if found else 200)
    if found:
        assert answer.json()["message"] == "the server cannot do its work"
        assert int(answer.headers["retry-after"]) > 0
        assert not any(problem in answer.text for problem in found)
    assert anybody.get("/health/live").status_code == 200  # it still answers
    return list(found)


def test_health_fails_where_workers_were_and_none_lives(
    anybody: TestClient, administrator: TestClient, context: ServerContext
) -> None:
    sign(context.store, "one")
    assert problems_of(anybody, administrator) == []
    sign_off(context.store, "one")  # another is about to take its place
    assert problems_of(anybody, administrator) == []
    turn_back(context, "server.worker_signed_on", minutes=2)
    assert problems_of(anybody, administrator) == ["no worker lives"]
    sign(context.store, "two")
    assert problems_of(anybody, administrator) == []


def test_health_fails_where_workers_should_be_and_never_were(
    anybody: TestClient, administrator: TestClient, context: ServerContext
) -> None:
    context.workers_since = time.monotonic()
    assert problems_of(anybody, administrator) == []
    context.workers_since -= 120
    assert problems_of(anybody, administrator) == ["no worker lives"]


def test_a_busy_worker_lives_although_it_does_not_sign(
    anybody: TestClient, administrator: TestClient, context: ServerContext
) -> None:
    sign(context.store, "one")
    with context.store.beside() as connection:
        enqueue(connection, "tidy", None, {})
    job = take_job(context.store, "one", 30)
    assert job is not None
    for key in ("server.worker:one", "server.worker_signed_on"):
        turn_back(context, key, hours=1)
    assert problems_of(anybody, administrator) == []


def test_health_fails_where_the_queue_stands(
    anybody: TestClient,
    administrator: TestClient,
    context: ServerContext,
    work_off: Callable[[], int],
) -> None:
    sign(context.store, "one")
    long_ago = {"on": utc_now() - timedelta(minutes=20)}
    with context.store.beside() as connection:
        enqueue(connection, "tidy", None, {})
        connection.execute(text("UPDATE jobs SET made_on = :on, not_before = :on"), long_ago)
    assert problems_of(anybody, administrator) == ["the queue stands"]
    with context.store.beside() as connection:
        enqueue(connection, "rebuild", None, {})
        connection.execute(
            text("UPDATE jobs SET state = 'done', ended_on = :on WHERE kind = 'rebuild'"),
            {"on": utc_now() - timedelta(minutes=1)},
        )
    assert problems_of(anybody, administrator) == []  # it is long, and moves
    work_off()
    assert problems_of(anybody, administrator) == []


def test_killed_workers_are_counted(administrator: TestClient, context: ServerContext) -> None:
    with context.store.beside() as connection:
        count_killed(connection, "silent")
        count_killed(connection, "silent")
        count_killed(connection, "cancelled")
    counted = administrator.get("/health/details").json()["killed_workers"]
    assert counted == {"silent": 2, "too long": 0, "cancelled": 1}
    told = administrator.get("/metrics").text
    assert 'likewise_workers_killed_total{why="silent"} 2' in told


def test_teachers_see_no_details(teacher: TestClient) -> None:
    assert teacher.get("/health/details").status_code == 403


def test_workers_that_wait_are_counted_until_they_end(
    administrator: TestClient, context: ServerContext
) -> None:
    workers = [Worker(context, f"here:{number}") for number in range(2)]
    threads = [threading.Thread(target=worker.run) for worker in workers]
    for thread in threads:
        thread.start()
    try:
        until(lambda: _seen(administrator) == (2, 0), "nobody has signed")
    finally:
        for worker in workers:
            worker.stop()
        for thread in threads:
            thread.join()
    assert _seen(administrator) == (0, 0)


def test_a_worker_that_was_killed_is_not_counted_for_long(
    administrator: TestClient, context: ServerContext, work_off: Callable[[], int]
) -> None:
    sign(context.store, "gone")
    assert _seen(administrator) == (1, 0)
    with context.store.beside() as connection:
        long_ago = (utc_now() - timedelta(hours=2)).isoformat()
        connection.execute(
            text("UPDATE key_values SET value = :on WHERE key = 'server.worker:gone'"),
            {"on": long_ago},
        )
        enqueue(connection, "tidy", None, {})
    assert _seen(administrator) == (0, 0)
    work_off()
    with context.store.reading() as connection:
        left = connection.execute(text("SELECT key FROM key_values WHERE key LIKE '%gone'"))
        assert left.first() is None


def _seen(administrator: TestClient) -> tuple[int, int]:
    seen = administrator.get("/health/details").json()
    return seen["workers"], seen["busy_workers"]


@pytest.mark.parametrize("engine_name", ["sqlite"])
def test_a_disk_with_little_room_left_is_said_to_be_low(
    administrator: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    gigabyte = 1_000_000_000
    for free, total, is_low in ((1, 5, True), (40, 500, True), (60, 1000, False), (3, 10, False)):
        usage = SimpleNamespace(free=free * gigabyte, total=total * gigabyte)
        monkeypatch.setattr("likewise.server.disks.shutil.disk_usage", lambda _, u=usage: u)
        disks = administrator.get("/health/details").json()["disks"]
        assert {disk["is_low"] for disk in disks} == {is_low}
