"""What holds when processes die and the database goes away; the bench server_faults does more."""

from __future__ import annotations

import os
import random
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from likewise.server.jobs import leases
from likewise.server.jobs.queue import cancel_job
from likewise.server.workers import supervisor
from tests.library.postgres import NoServer
from tests.server.jobbing import (
    WORDS,
    Running,
    essays_in,
    hand_in,
    hand_in_bytes,
    kill,
    running,
    until_at_work,
    until_ended,
    uploads_in,
)
from tests.server.stoppable import stoppable_server

MANY = 900  # files, that take a worker some seconds


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Between attempts, which the process that supervises decides about."""
    monkeypatch.setattr(leases, "RETRY_SECONDS", (0.1, 0.1))
    monkeypatch.setattr(supervisor, "_LIVED_SECONDS", 0.0)


@pytest.fixture
def workers(place: str, own_cache: Path) -> Iterator[Running]:
    with running(place) as started:
        yield started


def test_a_job_whose_worker_is_killed_runs_again_and_nothing_is_doubled(workers: Running) -> None:
    context = workers.context
    id = hand_in(context, workers.caller, 60, seed=1)
    process = until_at_work(context, id)
    time.sleep(random.uniform(0, 0.3))
    kill(process)
    job = until_ended(context, id)
    assert (job.state, job.error) == ("done", None)
    assert essays_in(context, 1) == 60
    assert uploads_in(context) == 0
    assert context.library.verify() == ()


def test_three_deaths_and_the_job_says_why(workers: Running) -> None:
    context = workers.context
    id = hand_in(context, workers.caller, MANY, seed=1)
    for attempt, how in enumerate((signal.SIGSEGV, signal.SIGKILL, signal.SIGSEGV), start=1):
        kill(until_at_work(context, id, attempt), how)
    job = until_ended(context, id)
    assert (job.state, job.attempts) == ("failed", 3)
    assert str(job.error) == "the process that did it ended three times: SIGSEGV"
    assert uploads_in(context) == 1  # it can be tried again


def test_a_running_job_is_cancelled_soon_and_another_follows(workers: Running) -> None:
    context = workers.context
    states: list[str] = []
    while "cancelled" not in states and len(states) < 5:  # a worker may be quicker than we are
        id = hand_in(context, workers.caller, MANY, 10 + len(states), WORDS << len(states))
        until_at_work(context, id)
        with context.store.beside() as connection:
            cancel_job(connection, id)
        states.append(until_ended(context, id).state)
    assert states[-1] == "cancelled"
    assert until_ended(context, hand_in(context, workers.caller, 3, seed=2)).state == "done"
    assert uploads_in(context) == 0
    assert context.library.verify() == ()


def test_stopping_gives_a_job_back_without_blame(place: str, own_cache: Path) -> None:
    with running(place) as workers:
        id = hand_in(workers.context, workers.caller, MANY, seed=1)
        process = until_at_work(workers.context, id)
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)
    with running(place) as workers:
        job = until_ended(workers.context, id)
        assert (job.state, job.attempts) == ("done", 1)
        assert essays_in(workers.context, 1) == MANY


def test_every_job_ends_when_the_database_was_away(own_cache: Path) -> None:
    try:
        with stoppable_server() as server, running(server.place, workers=2) as workers:
            context = workers.context
            ids = [hand_in(context, workers.caller, 150, seed) for seed in range(1, 5)]
            until_at_work(context, ids[0])
            server.stop()
            time.sleep(5)
            server.start()
            for seed, id in enumerate(ids, start=1):
                job = until_ended(context, id)
                assert (job.state, job.error) == ("done", None)
                assert essays_in(context, seed) == 150
            assert uploads_in(context) == 0
            assert context.library.verify() == ()
    except NoServer as problem:
        pytest.skip(str(problem))


def test_a_worker_may_use_so_much_memory_and_no_more(tmp_path: Path, own_cache: Path) -> None:
    with running(str(tmp_path / "library.db"), job_memory_mb=256) as workers:
        context = workers.context
        small = hand_in(context, workers.caller, 3, seed=1)
        assert until_ended(context, small).state == "done"
        large = until_ended(context, hand_in_bytes(context, workers.caller, bytes(160_000_000)))
        assert (large.state, large.attempts) == ("failed", 1)
        told = "essays.zip: it takes more memory than a job may use (256 MB); "
        assert str(large.error).startswith(told)
        assert until_ended(context, hand_in(context, workers.caller, 3, seed=2)).state == "done"
