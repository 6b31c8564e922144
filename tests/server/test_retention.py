"""What is old is forgotten, and what is needed stays."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from fastapi.testclient import TestClient
from sqlalchemy import func, insert, select, update

from likewise.server.context import ServerContext, utc_now
from likewise.server.database import tables
from likewise.server.jobs.queue import enqueue
from tests.server.handing_in import RIVER, STEPPE, hand_in, text
from tests.server.teaching import handed_in, made_assignment, made_course, submissions

WorkOff = Callable[[], int]


def ids(context: ServerContext, table: Any) -> set[str]:
    with context.store.reading() as connection:
        return set(connection.execute(select(table.c.id)).scalars())


def user_of(context: ServerContext) -> str:
    with context.store.reading() as connection:
        query = select(tables.users.c.id).where(tables.users.c.name == "aigul")
        found: str = connection.execute(query).scalar_one()
        return found


def tidied(context: ServerContext, work_off: WorkOff) -> dict[str, int]:
    with context.store.beside() as connection:
        job = enqueue(connection, "tidy", None, {})
    work_off()
    with context.store.reading() as connection:
        row = connection.execute(select(tables.jobs).where(tables.jobs.c.id == job)).one()
    assert row.state == "done", row.error
    forgotten: dict[str, int] = json.loads(row.outcome)["forgotten"]
    return forgotten


def test_old_checks_are_forgotten_if_the_site_says_so(
    context: ServerContext, teacher: TestClient, administrator: TestClient, work_off: WorkOff
) -> None:
    user, now = user_of(context), utc_now()
    with context.store.beside() as connection:
        connection.execute(
            insert(tables.batches).values(
                id="b1",
                user_id=user,
                job_id="j",
                name="class",
                request="{}",
                made_on=now - timedelta(days=40),
                is_shared=False,
                summary="{}",
            )
        )
        for id, days, batch in (("old", 40, None), ("young", 5, None), ("of batch", 40, "b1")):
            connection.execute(
                insert(tables.checks).values(
                    id=id,
                    user_id=user,
                    name="a",
                    request="{}",
                    summary="{}",
                    made_on=now - timedelta(days=days),
                    is_shared=False,
                    batch_id=batch,
                )
            )
            connection.execute(insert(tables.check_results).values(check_id=id, packed=b"x"))
    assert "checks" not in tidied(context, work_off)
    assert ids(context, tables.checks) == {"old", "young", "of batch"}
    administrator.patch("/settings", json={"keep_checks_days": 30})
    forgotten = tidied(context, work_off)
    assert (forgotten["batches"], forgotten["checks"]) == (1, 1)
    assert ids(context, tables.checks) == {"young"}
    with context.store.reading() as connection:
        count = select(func.count()).select_from(tables.check_results)
        assert connection.execute(count).scalar_one() == 1


def test_classes_of_assignments_go_once_nothing_new_comes(
    context: ServerContext, teacher: TestClient, administrator: TestClient, work_off: WorkOff
) -> None:
    course = made_course(teacher)
    ended, goes_on = made_assignment(teacher, course), made_assignment(teacher, course)
    for assignment in (ended, goes_on):
        handed_in(teacher, assignment, {"Asel Nur.txt": "The wide steppe lies bare."}, work_off)
        handed_in(teacher, assignment, {"Asel Nur.txt": "A river of snow runs down."}, work_off)
    handed_in(teacher, goes_on, {"Dana Lee.txt": "Apples grow on every slope."}, work_off)
    old = utc_now() - timedelta(days=40)
    with context.store.beside() as connection:
        for table in (tables.batches, tables.checks):
            connection.execute(update(table).values(made_on=old))
        is_old = tables.submissions.c.student == "Asel Nur"
        connection.execute(update(tables.submissions).where(is_old).values(handed_in_on=old))
    administrator.patch("/settings", json={"keep_checks_days": 30})
    forgotten = tidied(context, work_off)
    assert {name: forgotten[name] for name in ("batches", "submissions", "checks")} == {
        "batches": 1,
        "submissions": 2,
        "checks": 1,
    }
    assert submissions(teacher, ended, attempts="all") == []
    assert len(submissions(teacher, goes_on, attempts="all", state="checked")) == 3


def test_old_jobs_and_uploads_go_but_not_those_that_are_needed(
    context: ServerContext, teacher: TestClient, work_off: WorkOff
) -> None:
    done = hand_in(teacher, {"a.txt": text(STEPPE)}).json()["job"]
    work_off()
    lost = hand_in(teacher, {"b.txt": text(RIVER)}).json()["job"]
    long_ago = utc_now() - timedelta(days=60)
    with context.store.beside() as connection:
        jobs = tables.jobs
        connection.execute(update(jobs).where(jobs.c.id == done).values(ended_on=long_ago))
        connection.execute(
            update(jobs).where(jobs.c.id == lost).values(state="failed", ended_on=utc_now())
        )
    waiting = hand_in(teacher, {"c.txt": text(RIVER)}).json()["job"]
    with context.store.beside() as connection:
        connection.execute(update(tables.uploads).values(made_on=long_ago))
        # It waits for longer than this test takes.
        later = utc_now() + timedelta(days=1)
        connection.execute(
            update(tables.jobs)
            .where(tables.jobs.c.id == waiting)
            .values(state="running", worker="another", leased_until=later)
        )
    forgotten = tidied(context, work_off)
    assert (forgotten["jobs"], forgotten["uploads"]) == (1, 1)
    assert {lost, waiting} <= ids(context, tables.jobs)
    assert done not in ids(context, tables.jobs)
    assert len(ids(context, tables.uploads)) == 1


def test_old_notes_and_sessions_go(
    context: ServerContext, teacher: TestClient, work_off: WorkOff
) -> None:
    long_ago = utc_now() - timedelta(days=3_000)
    with context.store.beside() as connection:
        connection.execute(update(tables.audit).values(on=long_ago))
        connection.execute(
            insert(tables.sessions).values(
                id="s1",
                user_id=user_of(context),
                made_on=long_ago,
                used_on=long_ago,
                ends_on=long_ago,
                ended_on=long_ago,
            )
        )
    forgotten = tidied(context, work_off)
    assert forgotten["audit"] >= 1 and forgotten["sessions"] == 1
    assert "s1" not in ids(context, tables.sessions)
    assert teacher.get("/usage").status_code == 200
