"""One attempt at a job, and what becomes of it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from sqlalchemy import update

from likewise.catalogue import Message
from likewise.errors import BadInput
from likewise.library.errors import LibraryError
from likewise.server.config import Config
from likewise.server.context import ServerContext
from likewise.server.jobs.leases import take_job
from likewise.server.jobs.queue import Job, cancel_job, jobs
from likewise.server.jobs.uploads import FileNeedsMemory
from likewise.server.jobs.work import Handler, Work
from likewise.server.workers import attempt, worker
from likewise.server.workers import lease_keeper as pulse
from likewise.server.workers.lease_keeper import LeaseKeeper
from likewise.server.workers.worker import Worker, work_off
from tests.server.jobbing import until
from tests.server.test_queue import ask, seen

Does = Callable[[Handler], None]


@pytest.fixture
def does(monkeypatch: pytest.MonkeyPatch) -> Does:
    """Has every job do this."""
    return lambda what: monkeypatch.setattr(attempt, "handler_of", lambda _job: what)


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pulse, "WRITE_EVERY_SECONDS", 0.02)
    monkeypatch.setattr(pulse, "LOOK_EVERY_SECONDS", 0.02)
    monkeypatch.setattr(worker, "LOOK_EVERY_SECONDS", 0.02)


@pytest.fixture
def library_of_one_second(context: ServerContext) -> ServerContext:
    return ServerContext(context.library, Config(workers=0, job_seconds=1))


def fail(error: BaseException) -> Handler:
    def failing(_work: Work) -> Mapping[str, Any]:
        raise error

    return failing


def for_ever(work: Work) -> Mapping[str, Any]:
    while True:
        work.report_progress("waiting", 0, 1)
        time.sleep(0.01)


def test_what_a_job_returns_is_its_outcome(context: ServerContext, does: Does) -> None:
    does(lambda work: {"attempt": work.job.attempts})
    id = ask(context)
    assert work_off(context) == 1
    assert (seen(context, id).state, seen(context, id).outcome) == ("done", {"attempt": 1})


def test_what_people_can_act_on_fails_at_once_with_its_sentence(
    context: ServerContext, does: Does
) -> None:
    does(fail(BadInput(Message.verbatim("the archive is empty"))))
    id = ask(context)
    assert work_off(context) == 1
    assert (seen(context, id).state, str(seen(context, id).error)) == (
        "failed",
        "the archive is empty",
    )


def test_where_the_library_is_stays_unsaid(context: ServerContext, does: Does) -> None:
    does(
        fail(LibraryError(Message.verbatim("there is no document 17"), about=context.library.name))
    )
    id = ask(context)
    work_off(context)
    assert str(seen(context, id).error) == "there is no document 17"


def test_anything_else_is_tried_three_times(context: ServerContext, does: Does) -> None:
    does(fail(ZeroDivisionError("about a document")))
    id = ask(context)
    assert work_off(context) == 3
    told = "an internal error (ZeroDivisionError)"
    assert (seen(context, id).state, str(seen(context, id).error)) == ("failed", told)


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (MemoryError(), "it takes more memory than a job may use ("),
        (FileNeedsMemory("a.pdf"), "a.pdf: it takes more memory than a job may use ("),
    ],
)
def test_what_takes_too_much_memory_is_not_tried_again(
    context: ServerContext, does: Does, error: Exception, told: str
) -> None:
    does(fail(error))
    id = ask(context)
    assert work_off(context) == 1
    assert seen(context, id).state == "failed"
    assert str(seen(context, id).error).startswith(told)
    assert "split it into smaller files" in str(seen(context, id).error)


@pytest.mark.usefixtures("quick")
def test_a_job_that_takes_longer_than_it_may_fails_and_says_so(
    library_of_one_second: ServerContext, does: Does
) -> None:
    context = library_of_one_second
    does(for_ever)
    id = ask(context)
    assert work_off(context) == 1
    assert seen(context, id).state == "failed"
    assert str(seen(context, id).error).startswith("it took longer than 1 second, the most that")


def test_the_log_says_where_and_not_what(
    context: ServerContext, does: Does, caplog: pytest.LogCaptureFixture
) -> None:
    does(fail(KeyError("once upon a time")))
    ask(context)
    work_off(context)
    fields = [getattr(record, "fields", {}) for record in caplog.records]
    assert any("test_worker.py" in str(one.get("trace")) for one in fields)
    assert "once upon" not in caplog.text + str(fields)


@pytest.mark.usefixtures("quick")
def test_progress_is_told_and_a_cancel_is_heard(context: ServerContext, does: Does) -> None:
    does(for_ever)
    id = ask(context)
    thread = threading.Thread(target=work_off, args=[context])
    thread.start()
    until(lambda: seen(context, id).stage == "waiting", "no progress is told")
    with context.store.beside() as connection:
        assert cancel_job(connection, id)
    thread.join()
    assert seen(context, id).state == "cancelled"


@pytest.mark.usefixtures("quick")
def test_whoever_lost_the_lease_stops_and_writes_nothing(
    context: ServerContext, does: Does
) -> None:
    does(for_ever)
    id = ask(context)
    thread = threading.Thread(target=work_off, args=[context])
    thread.start()
    until(lambda: seen(context, id).state == "running", "it is not taken")
    with context.store.beside() as connection:
        connection.execute(update(jobs).where(jobs.c.id == id).values(worker="another"))
    thread.join()
    assert (seen(context, id).state, seen(context, id).attempts) == ("running", 1)


@pytest.mark.usefixtures("quick")
def test_a_worker_that_is_stopped_gives_its_job_back_uncounted(
    context: ServerContext, does: Does, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker, "FINISH_SECONDS", 0.1)
    does(for_ever)
    id = ask(context)
    one = Worker(context, "one")
    thread = threading.Thread(target=one.run)
    thread.start()
    until(lambda: seen(context, id).state == "running", "it is not taken")
    one.stop()
    thread.join()
    assert (seen(context, id).state, seen(context, id).attempts) == ("queued", 0)


@pytest.mark.usefixtures("quick")
def test_a_worker_makes_place_for_another_after_many_jobs(
    context: ServerContext, does: Does, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker, "MOST_JOBS", 3)
    does(lambda _work: {})
    for _ in range(5):
        ask(context)
    Worker(context, "one").run()
    assert take_job(context.store, "other", 30) is not None


def test_progress_may_be_told_in_the_middle_of_a_transaction(context: ServerContext) -> None:
    ask(context)
    job: Job | None = take_job(context.store, "w", 30)
    assert job is not None
    with LeaseKeeper(context, job, "w") as beside, context.store.beside():
        for i in range(50):
            beside.report_progress("adding", i, 50)
