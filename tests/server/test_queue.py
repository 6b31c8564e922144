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


def person(site: ServerContext, name: str) -> str:
    """A row of a person who need not log in."""
    with site.store.beside() as connection:
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


def upload(site: ServerContext, user: str, id: str = "u1") -> str:
    with site.store.beside() as connection:
        connection.execute(
            uploads.insert().values(
                id=id, user_id=user, name="a.txt", size=1, sha256=b"", made_on=now()
            )
        )
    return id


def ask(site: ServerContext, user: str | None = None, kind: str = "tidy", **request: object) -> str:
    with site.store.beside() as connection:
        return enqueue(connection, kind, user, request)  # type: ignore[arg-type]


def seen(site: ServerContext, id: str) -> Job:
    with site.store.reading() as connection:
        job = read_job(connection, id)
    assert job is not None
    return job


def uploads_kept(site: ServerContext) -> int:
    with site.store.reading() as connection:
        return connection.execute(select(func.count()).select_from(uploads)).scalar_one()


def taken(site: ServerContext, worker: str = "w") -> Job:
    job = take_job(site.store, worker, 30, even_delayed=True)
    assert job is not None
    return job


def expire(site: ServerContext, id: str) -> None:
    with site.store.beside() as connection:
        connection.execute(
            update(jobs).where(jobs.c.id == id).values(leased_until=now() - timedelta(hours=1))
        )


def end(site: ServerContext, job: Job, state: str, worker: str = "w", **how: object) -> bool:
    with site.store.beside() as connection:
        return end_job(connection, job, state, worker=worker, **how)  # type: ignore[arg-type]


def test_a_job_is_taken_once_and_ends(site: ServerContext) -> None:
    id = ask(site)
    job = taken(site)
    assert (job.id, job.state, job.attempts) == (id, "running", 1)
    assert take_job(site.store, "other", 30) is None
    assert end(site, job, "done", outcome={"removed": 3})
    assert (seen(site, id).state, seen(site, id).outcome) == ("done", {"removed": 3})


def test_many_workers_take_every_job_exactly_once(site: ServerContext) -> None:
    asked = {ask(site) for _ in range(30)}
    got: list[str] = []

    def work(name: str) -> None:
        while job := take_job(site.store, name, 30):
            got.append(job.id)

    threads = [threading.Thread(target=work, args=[f"w{i}"]) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(got) == sorted(asked)


def test_nobody_waits_behind_all_the_jobs_of_another(site: ServerContext) -> None:
    person(site, "many"), person(site, "few")
    for _ in range(20):
        ask(site, "many")
    for _ in range(2):
        ask(site, "few")
    first_four: list[str | None] = []
    served: Served = {}
    for _ in range(4):  # one worker, so that nothing is running when the next is taken
        job = take_job(site.store, "w", 30, served=served)
        assert job is not None
        first_four.append(job.user_id)
        end(site, job, "done")
    assert Counter(first_four) == {"many": 2, "few": 2}


def test_whoever_has_fewest_running_comes_first(site: ServerContext) -> None:
    person(site, "many"), person(site, "few")
    for _ in range(6):
        ask(site, "many")
    ask(site, "few")
    ask(site, "few")
    assert Counter(taken(site, f"w{i}").user_id for i in range(4)) == {"many": 2, "few": 2}


def test_a_worker_that_lost_its_lease_writes_nothing(site: ServerContext) -> None:
    id = ask(site)
    late = taken(site, "late")
    expire(site, id)
    assert [job.id for job in release_expired(site.store)] == [id]
    again = taken(site, "other")
    assert again.attempts == 2
    assert not keep_alive(site.store, late, "late", 30, JobProgress("reading", 5, 9))
    assert is_still_wanted(site.store, late, "late") is None
    assert not give_back(site.store, late, "late", Message.verbatim("no"))
    assert not end(site, late, "done", "late", outcome={"by": "late"})
    assert (seen(site, id).state, seen(site, id).stage, seen(site, id).outcome) == (
        *("running", None),
        None,
    )
    assert end(site, again, "done", "other")


def test_a_lease_that_is_kept_alive_does_not_run_out(site: ServerContext) -> None:
    id = ask(site)
    job = taken(site)
    expire(site, id)
    assert keep_alive(site.store, job, "w", 30, JobProgress("reading", 12, 80))
    assert release_expired(site.store) == []
    assert (seen(site, id).stage, seen(site, id).done, seen(site, id).total) == ("reading", 12, 80)


def test_after_three_attempts_a_job_has_failed_and_says_why(site: ServerContext) -> None:
    id = ask(site)
    for attempt in (1, 2, 3):
        assert taken(site).attempts == attempt
        release_of(site.store, "w", WorkerEnd(Message.verbatim("SIGSEGV")))
    job = seen(site, id)
    assert job.state == "failed"
    assert str(job.error) == "the process that did it ended three times: SIGSEGV"
    assert take_job(site.store, "w", 30, even_delayed=True) is None


def test_between_attempts_there_is_a_pause(site: ServerContext) -> None:
    id = ask(site)
    give_back(site.store, taken(site), "w", Message.verbatim("an internal error (KeyError)"))
    assert take_job(site.store, "w", 30) is None
    assert (seen(site, id).state, str(seen(site, id).error)) == (
        "queued",
        "an internal error (KeyError)",
    )


def test_an_attempt_that_nobody_is_to_blame_for_does_not_count(site: ServerContext) -> None:
    id = ask(site)
    give_back(site.store, taken(site), "w", None, counts=False)
    assert seen(site, id).attempts == 0
    assert take_job(site.store, "w", 30) is not None


@pytest.mark.parametrize("state", ["done", "cancelled"])
def test_uploads_go_with_the_end_of_their_job(site: ServerContext, state: str) -> None:
    person(site, "a")
    ask(site, "a", "add", uploads=[upload(site, "a")], table=upload(site, "a", "u2"))
    end(site, taken(site), state)
    assert uploads_kept(site) == 0


def test_what_failed_can_be_tried_again(site: ServerContext) -> None:
    person(site, "a")
    id = ask(site, "a", "check", upload=upload(site, "a"))
    end(site, taken(site), "failed", error=JobError(Message.verbatim("the disk is full")))
    assert uploads_kept(site) == 1
    with site.store.beside() as connection:
        assert retry_job(connection, id)
    job = seen(site, id)
    assert (job.state, job.attempts, job.error) == ("queued", 0, None)


def test_what_lost_its_files_cannot_be_tried_again(site: ServerContext) -> None:
    person(site, "a")
    id = ask(site, "a", "check", upload=upload(site, "a"))
    with site.store.beside() as connection:
        assert cancel_job(connection, id)
    with site.store.beside() as connection:
        assert not retry_job(connection, id)


def test_a_waiting_job_is_cancelled_at_once_and_a_running_one_hears_of_it(
    site: ServerContext,
) -> None:
    waiting = ask(site)
    with site.store.beside() as connection:
        assert cancel_job(connection, waiting)
    assert seen(site, waiting).state == "cancelled"
    running = ask(site)
    job = taken(site)
    with site.store.beside() as connection:
        assert cancel_job(connection, running)
    assert is_still_wanted(site.store, job, "w") is False
    release_of(site.store, "w", WorkerEnd(Message.verbatim("SIGKILL")))
    assert seen(site, running).state == "cancelled"
    with site.store.beside() as connection:
        assert not cancel_job(connection, running)


def test_tidying_is_asked_for_once_an_hour_and_once_at_a_time(
    site: ServerContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str | None] = []
    threads = [
        threading.Thread(target=lambda: asked.append(tidy_if_due(site.store))) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len([id for id in asked if id]) == 1
    monkeypatch.setattr(leases, "TIDY_EVERY", timedelta(0))
    assert tidy_if_due(site.store) is None  # the first still waits
    end(site, taken(site), "done")
    assert tidy_if_due(site.store) is not None


def write(site: ServerContext, id: str, **values: object) -> None:
    with site.store.beside() as connection:
        connection.execute(update(jobs).where(jobs.c.id == id).values(**values))


def test_a_job_that_was_asked_for_by_a_clock_that_is_ahead_does_not_wait_for_it(
    site: ServerContext,
) -> None:
    id = ask(site)
    ahead = now() + timedelta(hours=1)
    write(site, id, made_on=ahead, not_before=ahead)
    job = take_job(site.store, "w", 30)
    assert job is not None and job.id == id


def test_a_lease_by_a_clock_that_was_ahead_is_shortened_and_can_be_renewed(
    site: ServerContext,
) -> None:
    id = ask(site)
    job = taken(site)
    write(site, id, leased_until=now() + timedelta(hours=1))
    assert release_expired(site.store, 30) == []  # its worker may live
    with site.store.reading() as connection:
        until = connection.execute(select(jobs.c.leased_until).where(jobs.c.id == id)).scalar_one()
    assert until < now() + timedelta(minutes=2)
    assert keep_alive(site.store, job, "w", 30, JobProgress())
    expire(site, id)
    assert [one.id for one in release_expired(site.store, 30)] == [id]


def test_a_clock_that_was_ahead_does_not_keep_anybody_from_tidying(site: ServerContext) -> None:
    first = tidy_if_due(site.store)
    assert first is not None
    end(site, taken(site), "done")
    ahead = (now() + timedelta(hours=5)).isoformat()
    key = schema.key_values
    with site.store.beside() as connection:
        connection.execute(update(key).where(key.c.key == leases._TIDIED).values(value=ahead))
    assert tidy_if_due(site.store) is not None


def test_a_job_whose_worker_no_longer_answered_is_tried_once_more_and_not_again(
    site: ServerContext,
) -> None:
    id = ask(site)
    for attempt in (1, 2):
        assert taken(site).attempts == attempt
        expire(site, id)
        release_expired(site.store)
    job = seen(site, id)
    assert job.state == "failed"
    assert str(job.error) == "the process that did it ended twice: it no longer answered"


def test_a_job_that_another_is_to_blame_for_goes_back_without_blame(site: ServerContext) -> None:
    id = ask(site)
    taken(site)
    release_of(
        site.store, "w", WorkerEnd(Message.verbatim("too long"), most_attempts=1, job="another")
    )
    assert (seen(site, id).state, seen(site, id).attempts) == ("queued", 0)
