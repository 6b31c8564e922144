"""How much one person may hold and ask for."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

from fastapi.testclient import TestClient
from sqlalchemy import select, update

from likewise.library.add import group_in_batches
from likewise.server.context import ServerContext
from likewise.server.documents.job import _Adding
from likewise.server.jobs.leases import take_job
from likewise.server.jobs.queue import jobs
from likewise.server.jobs.work import Work
from tests.server.handing_in import RIVER, STEPPE, added, hand_in, text, zipped

WorkOff = Callable[[], int]


def test_documents_are_counted_when_they_come_and_when_they_are_read(
    administrator: TestClient, teacher: TestClient, work_off: WorkOff
) -> None:
    administrator.patch("/settings", json={"most_documents": 3})
    added(teacher, work_off, {"a.txt": text(STEPPE)})
    many = {f"{n}.txt": text(f"{RIVER}{n} ") for n in range(3)}
    refused = hand_in(teacher, many)
    assert (refused.status_code, refused.json()["kind"]) == (403, "quota reached")
    assert refused.json()["details"] == {"what": "documents", "used": 1, "most": 3}
    outcome = added(teacher, work_off, {"all.zip": zipped(many)})
    assert [one["state"] for one in outcome["documents"]] == ["new", "new", "unread"]
    assert "more documents" in outcome["documents"][2]["reason"]
    usage = teacher.get("/usage").json()
    assert usage["documents"] == {"used": 3, "most": 3}


def test_a_person_may_have_more_than_others(
    administrator: TestClient, teacher: TestClient, work_off: WorkOff
) -> None:
    administrator.patch("/settings", json={"most_documents": 0})
    assert hand_in(teacher, {"a.txt": text(STEPPE)}).status_code == 403
    id = next(
        one["id"] for one in administrator.get("/users").json()["items"] if one["name"] == "aigul"
    )
    administrator.patch(f"/users/{id}", json={"most_documents": 5})
    assert hand_in(teacher, {"a.txt": text(STEPPE)}).status_code == 202
    work_off()
    assert administrator.get(f"/usage/{id}").json()["documents"] == {"used": 1, "most": 5}
    assert administrator.get("/usage/aigul").json()["name"] == "aigul"
    assert administrator.get("/usage/nobody").status_code == 404
    assert teacher.get("/usage/dean").status_code == 403


def test_bytes_that_wait_count_too(administrator: TestClient, teacher: TestClient) -> None:
    size = len(text(STEPPE))
    administrator.patch("/settings", json={"most_bytes": 2 * size})
    assert hand_in(teacher, {"a.txt": text(STEPPE)}).status_code == 202
    assert teacher.get("/usage").json()["bytes"] == {"used": size, "most": 2 * size}
    assert hand_in(teacher, {"b.txt": text(RIVER), "c.txt": text(STEPPE)}).status_code == 403


def ask(client: TestClient, path: str, *files: bytes) -> Any:
    parts = [("file", (f"{number}.txt", data)) for number, data in enumerate(files)]
    now = ("request", (None, json.dumps({"wait_seconds": 0} if path == "/similar" else {})))
    return client.post(path, files=[*parts, now])


def test_checks_are_counted_by_the_day(
    context: ServerContext, administrator: TestClient, teacher: TestClient
) -> None:
    administrator.patch("/settings", json={"most_checks_a_day": 2})
    assert ask(teacher, "/checks", text(STEPPE)).status_code == 202
    with context.store.beside() as connection:
        made_on = connection.execute(select(jobs.c.made_on)).scalar_one() - timedelta(days=2)
        connection.execute(update(jobs).values(made_on=made_on))
    assert teacher.get("/usage").json()["checks_a_day"] == {"used": 0, "most": 2}
    assert ask(teacher, "/checks", text(STEPPE)).status_code == 202
    assert ask(teacher, "/similar", text(STEPPE)).status_code == 202
    assert teacher.get("/usage").json()["checks_a_day"] == {"used": 2, "most": 2}
    for path in ("/checks", "/similar", "/batches"):
        refused = ask(teacher, path, text(STEPPE))
        assert (refused.status_code, refused.json()["kind"]) == (403, "quota reached"), path


def test_a_check_that_is_deleted_was_asked_for_all_the_same(
    administrator: TestClient, teacher: TestClient
) -> None:
    administrator.patch("/settings", json={"most_checks_a_day": 2})
    for _ in range(2):
        asked = ask(teacher, "/checks", text(STEPPE))
        assert asked.status_code == 202
        assert teacher.delete(f"/checks/{asked.json()['id']}").status_code == 204
    assert ask(teacher, "/checks", text(STEPPE)).status_code == 403


def test_a_batch_counts_as_many_checks_as_it_has_documents(
    administrator: TestClient, teacher: TestClient, work_off: WorkOff
) -> None:
    administrator.patch("/settings", json={"most_checks_a_day": 4})
    essays = [text(f"{RIVER}{n} ") for n in range(5)]
    assert ask(teacher, "/batches", *essays).status_code == 403
    accepted = ask(teacher, "/batches", *essays[:3])
    assert accepted.status_code == 202
    assert teacher.get("/usage").json()["checks_a_day"]["used"] == 3
    work_off()
    assert teacher.get("/usage").json()["checks_a_day"]["used"] == 3
    assert teacher.delete(f"/batches/{accepted.json()['id']}").status_code == 204
    assert teacher.get("/usage").json()["checks_a_day"]["used"] == 3
    packed = zipped({f"{n}.txt": essay for n, essay in enumerate(essays)})
    assert ask(teacher, "/batches", packed).status_code == 202  # not opened before its job
    work_off()
    assert teacher.get("/usage").json()["checks_a_day"]["used"] == 8
    assert ask(teacher, "/checks", text(STEPPE)).status_code == 403


def test_two_jobs_at_once_do_not_each_take_what_is_left(
    context: ServerContext, administrator: TestClient, teacher: TestClient
) -> None:
    administrator.patch("/settings", json={"most_documents": 3})
    for half in range(2):
        many = {f"{half}{n}.txt": text(f"{RIVER}{half}{n} ") for n in range(3)}
        assert hand_in(teacher, many).status_code == 202
    taken = [take_job(context.store, f"worker {n}", 30) for n in range(2)]
    attempts = []
    for job in taken:
        assert job is not None
        attempts.append(_Adding(Work(context, job, lambda *_: None)))
    batches = [next(iter(group_in_batches(attempt.items()))) for attempt in attempts]
    for attempt, batch in zip(attempts, batches, strict=True):
        attempt.add(batch)
    assert teacher.get("/usage").json()["documents"] == {"used": 3, "most": 3}
    told = attempts[1].outcome()["documents"]
    assert [one["state"] for one in told] == ["unread"] * 3
    assert "more documents" in told[0]["reason"]


def test_everybody_is_limited_unless_somebody_has_said_otherwise(
    administrator: TestClient, teacher: TestClient
) -> None:
    usage = teacher.get("/usage").json()
    assert all(usage[name]["most"] for name in ("documents", "bytes", "checks_a_day"))
    administrator.patch("/settings", json={"most_documents": None, "most_bytes": None})
    usage = teacher.get("/usage").json()
    assert (usage["documents"]["most"], usage["bytes"]["most"]) == (None, None)


def test_uploads_are_counted_by_the_hour(
    context: ServerContext, administrator: TestClient, teacher: TestClient
) -> None:
    administrator.patch("/settings", json={"most_uploads_an_hour": 3})
    assert hand_in(teacher, {"a.txt": text(STEPPE)}).status_code == 202
    assert ask(teacher, "/checks", text(STEPPE)).status_code == 202
    assert ask(teacher, "/similar", text(STEPPE)).status_code == 202
    for path in ("/documents", "/checks", "/similar", "/batches"):
        refused = ask(teacher, path, text(STEPPE))
        assert (refused.status_code, refused.json()["kind"]) == (403, "quota reached"), path
        assert refused.json()["details"] == {"what": "uploads an hour", "used": 3, "most": 3}
    assert hand_in(administrator, {"a.txt": text(STEPPE)}).status_code == 202  # another person
    with context.store.beside() as connection:
        made_on = connection.execute(select(jobs.c.made_on).limit(1)).scalar_one()
        connection.execute(update(jobs).values(made_on=made_on - timedelta(hours=2)))
    assert hand_in(teacher, {"b.txt": text(RIVER)}).status_code == 202


def test_files_of_checks_wait_within_the_limit_too(
    administrator: TestClient, teacher: TestClient
) -> None:
    administrator.patch("/settings", json={"most_bytes": 2 * len(text(STEPPE))})
    for _ in range(2):
        assert ask(teacher, "/checks", text(STEPPE)).status_code == 202
    assert ask(teacher, "/checks", text(STEPPE)).status_code == 403


def test_so_many_uploads_come_in_at_a_time(administrator: TestClient, teacher: TestClient) -> None:
    administrator.patch("/settings", json={"most_uploads_at_once": 2})
    head = b'--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n'
    kind = {"Content-Type": "multipart/form-data; boundary=b"}
    refused: list[Any] = []

    def body(depth: int) -> Iterator[bytes]:
        """A form in the middle of which the same person begins another."""
        yield head + text(STEPPE)
        if depth:
            refused.append(teacher.post("/checks", content=body(depth - 1), headers=kind))
        yield b"\r\n--b--\r\n"

    outer = teacher.post("/checks", content=body(2), headers=kind)
    assert outer.status_code == 202
    assert [answer.status_code for answer in refused] == [429, 202]
    assert refused[0].json()["kind"] == "too many requests"
    assert ask(teacher, "/checks", text(STEPPE)).status_code == 202  # all have ended
