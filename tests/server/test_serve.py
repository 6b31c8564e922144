"""`likewise serve` and `likewise worker` as processes: started, streamed from, killed."""

from __future__ import annotations

import json
import signal
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from likewise.errors import BadSettings
from likewise.library import Library
from likewise.server.config import Config
from likewise.server.context import ServerContext
from likewise.server.run import serve
from tests.server.jobbing import (
    a_teacher,
    essays_in,
    hand_in,
    seen,
    until,
    until_at_work,
    until_ended,
    uploads_in,
)
from tests.server.serving import ended, is_gone, logged_in, started, upload_begun


@pytest.fixture
def opened(place: str, own_cache: Path) -> Iterator[ServerContext]:
    with Library(place) as library:
        yield ServerContext(library, Config())


SERVE = ("--port", "0", "--workers", "1", "--no-browser")


def test_a_job_is_watched_to_its_end_and_the_server_ends_cleanly(
    opened: ServerContext, place: str
) -> None:
    caller = a_teacher(opened)
    with started("serve", place, *SERVE) as (process, line), logged_in(line) as client:
        id = hand_in(opened, caller, 100, seed=1)
        with client.stream("GET", f"/jobs/{id}/events") as stream:
            lines = list(stream.iter_lines())
        events = [line[7:] for line in lines if line.startswith("event: ")]
        data = [json.loads(line[6:]) for line in lines if line.startswith("data: ")]
        assert events[-1] == "end" and set(events[:-1]) == {"progress"}
        assert data[-1]["state"] == "done"
        waiting = hand_in(opened, caller, 500, seed=2)
        worker = until_at_work(opened, waiting)
        with client.stream("GET", f"/jobs/{waiting}/events"):  # is no reason to stay
            assert ended(process) == 0
    assert is_gone(worker)
    assert seen(opened, waiting).state in ("queued", "done")


def test_a_killed_server_takes_its_workers_along_and_others_go_on(
    opened: ServerContext, place: str
) -> None:
    caller = a_teacher(opened)
    with started("serve", place, *SERVE) as (process, line):
        id = hand_in(opened, caller, 300, seed=1)
        worker = until_at_work(opened, id)
        with upload_begun(line):
            process.kill()
            process.wait()
        until(lambda: is_gone(worker), "the worker outlives its server")
    with started("worker", place, "--workers", "1") as (process, _):
        assert until_ended(opened, id).state == "done"
        assert essays_in(opened, 1) == 300
        assert uploads_in(opened) == 0  # nothing was half accepted
        assert ended(process, signal.SIGINT) == 0


def test_a_port_that_is_taken_is_told_and_the_process_stays_as_it_was(tmp_path: Path) -> None:
    made_before, made_after = tmp_path / "before", tmp_path / "after"
    made_before.touch()
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(BadSettings, match=f"{port}: another program does"):
            serve(str(tmp_path / "a.db"), Config(port=port, workers=0))
    assert not (tmp_path / "a.db").exists()
    made_after.touch()  # as readable as before: the umask is the server's alone
    assert made_after.stat().st_mode == made_before.stat().st_mode


def test_what_a_server_makes_is_its_own_to_read(tmp_path: Path) -> None:
    place = tmp_path / "new.db"
    with started("serve", str(place), *SERVE) as (process, _):
        assert place.stat().st_mode & 0o077 == 0
        assert ended(process) == 0
