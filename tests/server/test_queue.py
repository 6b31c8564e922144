"""The table of jobs, as people and workers share it."""

from __future__ import annotations

import threading
from collections import Counter
from datetime import timedelta

import pytest
from sqlalchemy import func, select, update

from likewise.catalogue import Message
from likewise.library import schema
from likewise.library.store import now
from likewise.server.context import ServerContext
from likewise.server.database import tables
from likewise.server.jobs import leases
from likewise.server.jobs.leases import (
    JobProgress,
    Served,
    WorkerEnd,
    give_back,
    is_still_wanted,
    keep_alive,
    release_expired,
    release_of,
    take_job,
    tidy_if_due,
)
from likewise.server.jobs.queue import (
    Job,
    JobError,
    cancel_job,
    end_job,
    enqueue,
    jobs,
    read_job,
    retry_job,
)

uploads = tables.uploads


def person(context: ServerContext, name: str) -> str:
    """A row of a person who need not log in."""
    with context.store.beside() as connection:
        connection.execute(
            tables.users.insert().values(
                id=name,
                name=name,
                shown_name=name,
                role="teacher",
                password="",
                must_change=False,
                is_active=True,
                made_on=now(),
            )
        )
    return name


def upload(context: ServerContext, user: str, id: str = "u1") -> str:
    with context.store.beside() as connection:
        connection.execute(
            uploads.insert().values(
                id=id, user_id=user, name="a.txt", size=1, sha256=b"", made_on=now()
            )
        )
    return id


def ask(
    context: ServerContext, user: str | None = None, kind: str = "tidy", **request: object
) -> str:
    with context.store.beside() as connection:
        return enqueue(connection, kind, user, request)  # type: ignore[arg-type]


def seen(context: ServerContext, id: str) -> Job:
    with context.store.reading() as connection:
        job = read_job(connection, id)
    assert job is not None
    return job


def uploads_kept(context: ServerContext) -> int:
    with context.store.reading() as connection:
        return connection.execute(select(func.count()).select_from(uploads)).scalar_one()


def taken(context: ServerContext, worker: str = "w") -> Job:
    job = take_job(context.store, worker, 30, even_delayed=True)
    assert job is not None
    return job


def expire(context: ServerContext, id: str) -> None:
    with context.store.beside() as connection:
        connection.execute(
            update(jobs).where(jobs.c.id == id).values(leased_until=now() - timedelta(hours=1))
        )


def end(context: ServerContext, job: Job, state: str, worker: str = "w", **how: object) -> bool:
    with context.store.beside() as connection:
        return end_job(connection, job, state, worker=worker, **how)  # type: ignore[arg-type]


def test_a_job_is_taken_once_and_ends(context: ServerContext) -> None:
    id = ask(context)
    job = taken(context)
    assert (job.id, job.state, job.attempts) == (id, "running", 1)
    assert take_job(context.store, "other", 30) is None
    assert end(context, job, "done", outcome={"removed": 3})
    assert (seen(context, id).state, seen(context, id).outcome) == ("done", {"removed": 3})


def test_many_workers_take_every_job_exactly_once(context: ServerContext) -> None:
    asked = {ask(context) for _ in range(30)}
    got: list[str] = []

    def work(name: str) -> None:
        while job := take_job(context.store, name, 30):
            got.append(job.id)

    threads = [threading.Thread(target=work, args=[f"w{i}"]) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(got) == sorted(asked)


def test_nobody_waits_behind_all_the_jobs_of_another(context: ServerContext) -> None:
    person(context, "many"), person(context, "few")
    for _ in range(20):
        ask(context, "many")
    for _ in range(2):
        ask(context, "few")
    first_four: list[str | None] = []
    served: Served = {}
    for _ in range(4):  # one worker, so that nothing is running when the next is taken
        job = take_job(context.store, "w", 30, served=served)
        assert job is not None
        first_four.append(job.user_id)
        end(context, job, "done")
    assert Counter(first_four) == {"many": 2, "few": 2}


def test_whoever_has_fewest_running_comes_first(context: ServerContext) -> None:
    person(context, "many"), person(context, "few")
    for _ in range(6):
        ask(context, "many")
    ask(context, "few")
    ask(context, "few")
    assert Counter(taken(context, f"w{i}").user_id for i in range(4)) == {"many": 2, "few": 2}


def test_a_worker_that_lost_its_lease_writes_nothing(context: ServerContext) -> None:
    id = ask(context)
    late = taken(context, "late")
    expire(context, id)
    assert [job.id for job in release_expired(context.store)] == [id]
    again = taken(context, "other")
    assert again.attempts == 2
    assert not keep_alive(context.store, late, "late", 30, JobProgress("reading", 5, 9))
    assert is_still_wanted(context.store, late, "late") is None
    assert not give_back(context.store, late, "late", Message.verbatim("no"))
    assert not end(context, late, "done", "late", outcome={"by": "late"})
    assert (seen(context, id).state, seen(context, id).stage, seen(context, id).outcome) == (
        *("running", None),
        None,
    )
    assert end(context, again, "done", "other")


def test_a_lease_that_is_kept_alive_does_not_run_out(context: ServerContext) -> None:
    id = ask(context)
    job = taken(context)
    expire(context, id)
    assert keep_alive(context.store, job, "w", 30, JobProgress("reading", 12, 80))
    assert release_expired(context.store) == []
    assert (seen(context, id).stage, seen(context, id).done, seen(context, id).total) == (
        "reading",
        12,
        80,
    )


def test_after_three_attempts_a_job_has_failed_and_says_why(context: ServerContext) -> None:
    id = ask(context)
    for attempt in (1, 2, 3):
        assert taken(context).attempts == attempt
        release_of(context.store, "w", WorkerEnd(Message.verbatim("SIGSEGV")))
    job = seen(context, id)
    assert job.state == "failed"
    assert str(job.error) == "the process that did it ended three times: SIGSEGV"
    assert take_job(context.store, "w", 30, even_delayed=True) is None


def test_between_attempts_there_is_a_pause(context: ServerContext) -> None:
    id = ask(context)
    give_back(context.store, taken(context), "w", Message.verbatim("an internal error (KeyError)"))
    assert take_job(context.store, "w", 30) is None
    assert (seen(context, id).state, str(seen(context, id).error)) == (
        "queued",
        "an internal error (KeyError)",
    )


def test_an_attempt_that_nobody_is_to_blame_for_does_not_count(context: ServerContext) -> None:
    id = ask(context)
    give_back(context.store, taken(context), "w", None, counts=False)
    assert seen(context, id).attempts == 0
    assert take_job(context.store, "w", 30) is not None


@pytest.mark.parametrize("state", ["done", "cancelled"])
def test_uploads_go_with_the_end_of_their_job(context: ServerContext, state: str) -> None:
    person(context, "a")
    ask(context, "a", "add", uploads=[upload(context, "a")], table=upload(context, "a", "u2"))
    end(context, taken(context), state)
    assert uploads_kept(context) == 0


def test_what_failed_can_be_tried_again(context: ServerContext) -> None:
    person(context, "a")
    id = ask(context, "a", "check", upload=upload(context, "a"))
    end(context, taken(context), "failed", error=JobError(Message.verbatim("the disk is full")))
    assert uploads_kept(context) == 1
    with context.store.beside() as connection:
        assert retry_job(connection, id)
    job = seen(context, id)
    assert (job.state, job.attempts, job.error) == ("queued", 0, None)


def test_what_lost_its_files_cannot_be_tried_again(context: ServerContext) -> None:
    person(context, "a")
    id = ask(context, "a", "check", upload=upload(context, "a"))
    with context.store.beside() as connection:
        assert cancel_job(connection, id)
    with context.store.beside() as connection:
        assert not retry_job(connection, id)


def test_a_waiting_job_is_cancelled_at_once_and_a_running_one_hears_of_it(
    context: ServerContext,
) -> None:
    waiting = ask(context)
    with context.store.beside() as connection:
        assert cancel_job(connection, waiting)
    assert seen(context, waiting).state == "cancelled"
    running = ask(context)
    job = taken(context)
    with context.store.beside() as connection:
        assert cancel_job(connection, running)
    assert is_still_wanted(context.store, job, "w") is False
    release_of(context.store, "w", WorkerEnd(Message.verbatim("SIGKILL")))
    assert seen(context, running).state == "cancelled"
    with context.store.beside() as connection:
        assert not cancel_job(connection, running)


def test_tidying_is_asked_for_once_an_hour_and_once_at_a_time(
    context: ServerContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str | None] = []
    threads = [
        threading.Thread(target=lambda: asked.append(tidy_if_due(context.store))) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len([id for id in asked if id]) == 1
    monkeypatch.setattr(leases, "TIDY_EVERY", timedelta(0))
    assert tidy_if_due(context.store) is None  # the first still waits
    end(context, taken(context), "done")
    assert tidy_if_due(context.store) is not None


def write(context: ServerContext, id: str, **values: object) -> None:
    with context.store.beside() as connection:
        connection.execute(update(jobs).where(jobs.c.id == id).values(**values))


def test_a_job_that_was_asked_for_by_a_clock_that_is_ahead_does_not_wait_for_it(
    context: ServerContext,
) -> None:
    id = ask(context)
    ahead = now() + timedelta(hours=1)
    write(context, id, made_on=ahead, not_before=ahead)
    job = take_job(context.store, "w", 30)
    assert job is not None and job.id == id


def test_a_lease_by_a_clock_that_was_ahead_is_shortened_and_can_be_renewed(
    context: ServerContext,
) -> None:
    id = ask(context)
    job = taken(context)
    write(context, id, leased_until=now() + timedelta(hours=1))
    assert release_expired(context.store, 30) == []  # its worker may live
    with context.store.reading() as connection:
        until = connection.execute(select(jobs.c.leased_until).where(jobs.c.id == id)).scalar_one()
    assert until < now() + timedelta(minutes=2)
    assert keep_alive(context.store, job, "w", 30, JobProgress())
    expire(context, id)
    assert [one.id for one in release_expired(context.store, 30)] == [id]


def test_a_clock_that_was_ahead_does_not_keep_anybody_from_tidying(context: ServerContext) -> None:
    first = tidy_if_due(context.store)
    assert first is not None
    end(context, taken(context), "done")
    ahead = (now() + timedelta(hours=5)).isoformat()
    key = schema.key_values
    with context.store.beside() as connection:
        connection.execute(update(key).where(key.c.key == leases._TIDIED).values(value=ahead))
    assert tidy_if_due(context.store) is not None


def test_a_job_whose_worker_no_longer_answered_is_tried_once_more_and_not_again(
    context: ServerContext,
) -> None:
    id = ask(context)
    for attempt in (1, 2):
        assert taken(context).attempts == attempt
        expire(context, id)
        release_expired(context.store)
    job = seen(context, id)
    assert job.state == "failed"
    assert str(job.error) == "the process that did it ended twice: it no longer answered"


def test_a_job_that_another_is_to_blame_for_goes_back_without_blame(context: ServerContext) -> None:
    id = ask(context)
    taken(context)
    release_of(
        context.store, "w", WorkerEnd(Message.verbatim("too long"), most_attempts=1, job="another")
    )
    assert (seen(context, id).state, seen(context, id).attempts) == ("queued", 0)
