"""Jobs have an end: a worker that hangs is killed from outside, and its job goes on or fails."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy import select

from likewise.library import Library, schema
from likewise.library.store import now
from likewise.server.config import Config
from likewise.server.context import ServerContext
from likewise.server.database import tables
from likewise.server.jobs import leases
from likewise.server.jobs.presence import killed_workers
from likewise.server.jobs.queue import cancel_job, enqueue
from likewise.server.workers.heartbeat import HeartbeatMonitor
from tests.server.jobbing import (
    Running,
    essays_in,
    hand_in,
    running,
    until,
    until_at_work,
    until_ended,
)
from tests.server.serving import is_gone
from tests.server.stuck_worker import HALF_WRITTEN

ROOT = Path(__file__).parents[2]
SOON = 30.0  # seconds, on a machine that others use too; a stuck job would take for ever


@pytest.fixture(autouse=True)
def stuck_workers(monkeypatch: pytest.MonkeyPatch, own_cache: Path) -> None:
    """Processes find the program of these tests, and do not wait between attempts."""
    paths = [str(ROOT), str(ROOT / "src"), os.environ.get("PYTHONPATH", "")]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, paths)))
    monkeypatch.setattr(leases, "RETRY_SECONDS", (0.1, 0.1))


def stuck(place: str, **config: int) -> AbstractContextManager[Running]:
    return running(place, program="tests.server.stuck_worker", **config)


@pytest.fixture
def workers(place: str) -> Iterator[Running]:
    with stuck(place) as started:
        yield started


def ask(context: ServerContext, do: str) -> str:
    with context.store.beside() as connection:
        return enqueue(connection, "tidy", None, {"do": do})


def cancel(context: ServerContext, id: str) -> None:
    """Give up a job that runs, and wait for its end."""
    with context.store.beside() as connection:
        assert cancel_job(connection, id)
    assert until_ended(context, id, SOON).state == "cancelled"


def killed(context: ServerContext) -> dict[str, int]:
    with context.store.reading() as connection:
        return {why: count for why, count in killed_workers(connection).items() if count}


def children_of(process: int) -> set[int]:
    found = set()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            after_name = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue  # it has ended meanwhile
        if int(after_name[1]) == process and after_name[0] != "Z":
            found.add(int(stat.parent.name))
    return found


def until_stuck(context: ServerContext, id: str, attempt: int = 1) -> int:
    """Until a process has been at a job for a moment."""
    process = until_at_work(context, id, attempt)
    time.sleep(1.0)
    return process


def test_a_worker_that_no_longer_answers_is_killed_and_its_job_tried_once_more(
    workers: Running,
) -> None:
    context = workers.context
    id = ask(context, "hold")
    first = until_at_work(context, id)
    second = until_at_work(context, id, attempt=2)
    assert is_gone(first) and second != first
    job = until_ended(context, id)
    error = "the process that did it ended twice: it no longer answered"
    assert (job.state, job.attempts, str(job.error)) == ("failed", 2, error)
    until(lambda: killed(context) == {"silent": 2}, "nobody has counted")
    until(lambda: is_gone(second), "it goes on")
    assert until_ended(context, hand_in(context, workers.caller, 3, seed=1)).state == "done"


@pytest.mark.parametrize("engine_name", ["sqlite"])
def test_a_job_that_kept_its_worker_from_answering_only_once_is_done(workers: Running) -> None:
    job = until_ended(workers.context, ask(workers.context, "hold once"))
    assert (job.state, job.attempts, job.error) == ("done", 2, None)


def test_what_a_killed_worker_was_writing_is_not_there(workers: Running) -> None:
    context = workers.context
    assert until_ended(context, ask(context, "hold in transaction")).state == "failed"
    with context.store.reading() as connection:
        key = schema.key_values.c
        found = connection.execute(select(key.value).where(key.key == HALF_WRITTEN)).first()
    assert found is None
    assert context.library.verify() == ()


def test_a_job_is_cancelled_soon_whatever_it_does(workers: Running) -> None:
    context = workers.context
    for do in ("tell", "sleep", "read", "hold"):
        id = ask(context, do)
        process = until_stuck(context, id)
        cancel(context, id)
        assert "silent" not in killed(context)
        if do == "tell":  # it has heard of it, and the process goes on
            assert not is_gone(process)
        else:
            until(partial(is_gone, process), "the process goes on")
    assert until_ended(context, hand_in(context, workers.caller, 3, seed=1)).state == "done"
    assert essays_in(context, 1) == 3
    assert "cancelled" in killed(context)


@pytest.mark.parametrize("engine_name", ["postgresql"])
def test_documents_of_a_killed_worker_go_with_their_collection(workers: Running) -> None:
    """Which was removed while they went in: the process itself can no longer look after them."""
    context, kept = workers.context, tables.collections
    with context.store.beside() as connection:
        values = {"id": "mine", "name": "mine", "about": "", "owner_id": workers.caller.id}
        made = kept.insert().values(**values, is_shared=False, made_on=now())
        connection.execute(made)
    id = hand_in(context, workers.caller, 900, seed=1, words=300, collection="mine")
    process = until_at_work(context, id)
    until(lambda: essays_in(context, 1), "nothing is added")
    os.kill(process, signal.SIGSTOP)  # it is silent from now on
    with context.store.beside() as connection:
        connection.execute(kept.delete())
    assert essays_in(context, 1)
    cancel(context, id)
    until(lambda: not essays_in(context, 1), "they stay")
    assert context.library.verify() == ()


@pytest.mark.parametrize("engine_name", ["sqlite"])
def test_a_job_that_takes_longer_than_it_may_fails_at_once(place: str) -> None:
    with stuck(place, job_seconds=2, job_lease_seconds=60) as workers:
        for do in ("tell", "sleep", "hold"):
            job = until_ended(workers.context, ask(workers.context, do))
            assert (job.state, job.attempts) == ("failed", 1)
            assert str(job.error).startswith("it took longer than 2 seconds, "), do
        assert until_ended(workers.context, ask(workers.context, "nothing")).state == "done"
        until(lambda: killed(workers.context) == {"too long": 1}, "nobody has counted")


@pytest.mark.parametrize("engine_name", ["sqlite"])
def test_the_readers_of_a_worker_die_with_it(place: str) -> None:
    with stuck(place) as workers:
        context = workers.context
        id = ask(context, "read")
        for attempt in (1, 2):
            process = until_at_work(context, id, attempt)
            readers = until(partial(children_of, process), "no reader is started")
            if attempt == 1:
                os.kill(process, signal.SIGKILL)
            else:
                cancel(context, id)
            for reader in readers:
                until(partial(is_gone, reader), "a reader outlives its worker")
        process = until_at_work(context, ask(context, "read"))
        readers = until(lambda: children_of(process), "no reader is started")
    until(lambda: all(map(is_gone, readers)), "a reader outlives the server")


@pytest.mark.parametrize("engine_name", ["sqlite"])
def test_a_worker_that_hangs_does_not_outlive_a_killed_server(place: str) -> None:
    """Nobody supervises it any more, and its own threads do not run."""
    with Library(place) as library:
        context = ServerContext(library, Config())
        server = subprocess.Popen([sys.executable, "-m", "tests.server.stuck_worker", place])
        try:
            process = until_stuck(context, ask(context, "hold"))
        finally:
            server.kill()
            server.wait()
        until(lambda: is_gone(process), "it goes on")


def test_a_supervisor_that_was_held_up_does_not_take_that_for_silence() -> None:
    monitor = HeartbeatMonitor()
    monitor.hear(b"begin 0f 60\n")
    assert monitor.job is not None and monitor.job.most_seconds == 60
    assert monitor.silence() == 0.0
    time.sleep(2.5)  # nobody has looked meanwhile
    assert monitor.silence() <= 1.0
    monitor.hear(b"end\n")
    assert (monitor.silence(), monitor.job) == (0.0, None)
