"""Jobs as the API shows them."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import select, update

from likewise.catalogue import Message
from likewise.server.caller import Caller
from likewise.server.context import ServerContext
from likewise.server.database import tables
from likewise.server.jobs import events
from likewise.server.jobs.events import Watch, may_still_watch
from likewise.server.jobs.leases import WorkerEnd, release_of
from likewise.server.jobs.queue import JobError, jobs
from likewise.server.problems import Problem
from likewise.server.workers.limits import took_too_much_memory
from tests.server.checking import post
from tests.server.conftest import LogIn
from tests.server.handing_in import STEPPE, hand_in
from tests.server.test_queue import ask, end, taken, upload


def id_of(context: ServerContext, name: str) -> str:
    users = tables.users.c
    with context.store.reading() as connection:
        return connection.execute(select(users.id).where(users.name == name)).scalar_one()


def told(text: str) -> list[tuple[str, dict[str, object]]]:
    """The events of a stream."""
    found = []
    for block in text.strip().split("\n\n"):
        lines = dict(line.split(": ", 1) for line in block.splitlines() if line[0] != ":")
        if lines:
            found.append((lines["event"], json.loads(lines["data"])))
    return found


def test_a_job_is_shown_with_how_far_it_is(context: ServerContext, teacher: TestClient) -> None:
    id = ask(context, id_of(context, "aigul"), "check", check="c1")
    shown = teacher.get(f"/jobs/{id}").json()
    assert shown["id"] == id
    assert (shown["state"], shown["kind"], shown["person"]) == ("queued", "check", "aigul")
    assert (shown["stage"], shown["done"], shown["total"], shown["attempts"]) == (None, 0, 0, 0)
    assert (shown["check"], shown["batch"], shown["may_retry"]) == ("c1", None, False)
    assert shown["made_on"].endswith("Z")


def test_jobs_are_listed_by_state_and_kind(context: ServerContext, teacher: TestClient) -> None:
    aigul = id_of(context, "aigul")
    done = ask(context, aigul, "check")
    end(context, taken(context), "done")
    waiting = [ask(context, aigul, kind) for kind in ("check", "batch")]
    page = teacher.get("/jobs").json()
    assert (page["total"], {job["id"] for job in page["items"]}) == (3, {done, *waiting})
    assert teacher.get("/jobs", params={"state": "done"}).json()["items"][0]["id"] == done
    assert teacher.get("/jobs", params={"kind": ["batch", "add"]}).json()["total"] == 1
    paged = teacher.get("/jobs", params={"limit": 1, "offset": 1}).json()
    assert (len(paged["items"]), paged["total"]) == (1, 3)
    assert teacher.get("/jobs", params={"state": "lost"}).status_code == 422


def test_jobs_of_others_are_not_there(
    context: ServerContext, teacher: TestClient, administrator: TestClient, log_in: LogIn
) -> None:
    other = log_in("berik")
    own = ask(context, id_of(context, "aigul"))
    servers = ask(context, None)
    for id in (own, servers, "no-such-job"):
        for answer in (
            other.get(f"/jobs/{id}"),
            other.get(f"/jobs/{id}/events"),
            other.post(f"/jobs/{id}/cancel"),
            other.post(f"/jobs/{id}/retry"),
        ):
            assert (answer.status_code, answer.json()["kind"]) == (404, "not found")
    assert other.get("/jobs").json()["total"] == 0
    assert administrator.get("/jobs").json()["total"] == 2
    assert administrator.get("/jobs", params={"person": "aigul"}).json()["total"] == 1
    assert administrator.get(f"/jobs/{servers}").json()["person"] is None


def test_a_waiting_job_is_cancelled_and_only_once(
    context: ServerContext, teacher: TestClient
) -> None:
    aigul = id_of(context, "aigul")
    id = ask(context, aigul, "check", upload=upload(context, aigul))
    assert teacher.post(f"/jobs/{id}/cancel").json()["state"] == "cancelled"
    assert teacher.post(f"/jobs/{id}/cancel").json()["kind"] == "conflict"
    again = teacher.post(f"/jobs/{id}/retry")
    assert (again.status_code, again.json()["kind"]) == (409, "conflict")
    assert "gone" in again.json()["message"]


def test_a_running_job_is_marked(context: ServerContext, teacher: TestClient) -> None:
    id = ask(context, id_of(context, "aigul"), "check")
    taken(context)
    answer = teacher.post(f"/jobs/{id}/cancel").json()
    assert (answer["state"], answer["is_unwanted"]) == ("running", True)


def test_a_failed_job_is_tried_again(context: ServerContext, teacher: TestClient) -> None:
    aigul = id_of(context, "aigul")
    id = ask(context, aigul, "check", upload=upload(context, aigul))
    assert teacher.post(f"/jobs/{id}/retry").json()["kind"] == "conflict"
    end(context, taken(context), "failed", error=JobError(Message.verbatim("the disk is full")))
    assert teacher.get(f"/jobs/{id}").json()["may_retry"]
    answer = teacher.post(f"/jobs/{id}/retry").json()
    assert (answer["state"], answer["error"], answer["may_retry"]) == ("queued", None, False)


def test_a_teacher_does_not_touch_the_servers_own_work(
    context: ServerContext, teacher: TestClient
) -> None:
    id = ask(context, id_of(context, "aigul"), "rebuild")
    assert teacher.post(f"/jobs/{id}/cancel").json()["kind"] == "not allowed"


def test_the_stream_of_an_ended_job_ends(context: ServerContext, teacher: TestClient) -> None:
    id = ask(context, id_of(context, "aigul"), "check")
    end(context, taken(context), "done", outcome={"n": 1})
    answer = teacher.get(f"/jobs/{id}/events")
    assert answer.headers["content-type"].startswith("text/event-stream")
    assert [event for event, _ in told(answer.text)] == ["progress", "end"]
    assert told(answer.text)[1][1]["outcome"] == {"n": 1}


def test_who_may_watch_is_asked_again(
    context: ServerContext, teacher: TestClient, administrator: TestClient
) -> None:
    def session_of(name: str) -> Caller:
        sessions, id = tables.sessions.c, id_of(context, name)
        with context.store.reading() as connection:
            query = select(sessions.id).where(sessions.user_id == id)
            return Caller(id, name, "teacher", "", session=connection.execute(query).scalar_one())

    def may(caller: Caller, owner: str) -> bool:
        with context.store.reading() as connection:
            return may_still_watch(connection, caller, owner)

    aigul, dean = session_of("aigul"), session_of("dean")
    assert may(aigul, aigul.id) and may(dean, aigul.id) and not may(aigul, dean.id)
    with context.store.beside() as connection:
        connection.execute(tables.users.update().values(role="teacher"))
    assert not may(dean, aigul.id)
    with context.store.beside() as connection:
        connection.execute(tables.users.update().values(is_active=False))
    assert not may(aigul, aigul.id)


def test_one_person_watches_only_so_many(
    context: ServerContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    import asyncio

    monkeypatch.setattr(events, "MOST_STREAMS", 2)
    aigul = Caller("a", "aigul", "teacher", "")

    async def watch() -> None:
        watching = Watch(context)
        with watching.following("j", aigul), watching.following("j", aigul):
            with pytest.raises(Problem, match="at a time"), watching.following("j", aigul):
                pass
            with watching.following("j", Caller("b", "berik", "teacher", "")):
                pass
        with watching.following("j", aigul):
            pass
        await watching.closed()

    asyncio.run(watch())


def test_nobody_without_a_token_sees_jobs(anybody: TestClient) -> None:
    calls: list[Callable[[], object]] = [
        lambda: anybody.get("/jobs").status_code,
        lambda: anybody.get("/jobs/x").status_code,
        lambda: anybody.get("/jobs/x/events").status_code,
        lambda: anybody.post("/jobs/x/cancel").status_code,
        lambda: anybody.post("/jobs/x/retry").status_code,
    ]
    assert {call() for call in calls} == {401}


def test_of_jobs_of_others_administrators_see_figures_and_no_names(
    teacher: TestClient, administrator: TestClient, work_off: Callable[[], int]
) -> None:
    place = teacher.post("/collections", json={"name": "mine"}).json()["id"]
    added = hand_in(teacher, {"confession.txt": STEPPE.encode()}, collection=place).json()["job"]
    unread = teacher.post("/checks", files=[("file", ("confession.pdf", b"%PDF-1.4 broken"))])
    work_off()
    failed = unread.json()["job"]
    assert "confession" in teacher.get(f"/jobs/{added}").text
    assert "confession.pdf" in teacher.get(f"/jobs/{failed}").json()["error"]
    for address in ("/jobs", f"/jobs/{added}", f"/jobs/{failed}", f"/jobs/{added}/events"):
        answer = administrator.get(address)
        assert answer.status_code == 200
        assert "confession" not in answer.text, address
    assert administrator.get(f"/jobs/{added}").json()["outcome"]["counts"]["new"] == 1
    assert "whoever handed it in" in administrator.get(f"/jobs/{failed}").json()["error"]


def test_what_the_machine_is_to_blame_for_is_told_to_administrators(
    context: ServerContext, teacher: TestClient, administrator: TestClient
) -> None:
    id = ask(context, id_of(context, "aigul"), "check")
    taken(context)
    release_of(context.store, "w", WorkerEnd(Message.verbatim("SIGKILL")))
    assert "SIGKILL" in administrator.get(f"/jobs/{id}").json()["error"]


def test_an_error_has_a_code_and_the_file_stands_beside_it_for_whoever_handed_it_in(
    context: ServerContext, teacher: TestClient, administrator: TestClient
) -> None:
    id = ask(context, id_of(context, "aigul"), "check")
    end(
        context,
        taken(context),
        "failed",
        error=JobError(took_too_much_memory(512), "confession.pdf"),
    )
    own, others = teacher.get(f"/jobs/{id}").json(), administrator.get(f"/jobs/{id}").json()
    sentence = str(took_too_much_memory(512))
    assert (own["error"], own["error_about"]) == (f"confession.pdf: {sentence}", "confession.pdf")
    assert (others["error"], others["error_about"]) == (sentence, None)
    for shown in (own, others):
        assert (shown["error_code"], shown["error_values"]) == ("server.job_memory", {"n": 512})


def test_rows_of_before_hold_a_sentence_and_show_it(
    context: ServerContext, teacher: TestClient, administrator: TestClient
) -> None:
    id = ask(context, id_of(context, "aigul"), "check")
    end(context, taken(context), "failed")
    sentence = '{"key": confession.pdf: the file is empty'
    with context.store.beside() as connection:
        connection.execute(update(jobs).where(jobs.c.id == id).values(error=sentence))
    shown = teacher.get(f"/jobs/{id}").json()
    assert (shown["error"], shown["error_code"]) == (sentence, "core.verbatim")
    assert "confession" not in administrator.get(f"/jobs/{id}").text


def test_a_key_sees_the_jobs_that_its_scopes_are_about(
    context: ServerContext, teacher: TestClient, anybody: TestClient
) -> None:
    aigul = id_of(context, "aigul")
    of_kind = {kind: ask(context, aigul, kind) for kind in ("add", "check", "batch", "rebuild")}
    for scope, seen in (("documents:read", {"add"}), ("checks:write", {"check", "batch"})):
        made = teacher.post("/keys", json={"name": "one", "scopes": [scope]}).json()
        anybody.headers["Authorization"] = f"Bearer {made['secret']}"
        assert {job["kind"] for job in anybody.get("/jobs").json()["items"]} == seen
        for kind, id in of_kind.items():
            expected = 200 if kind in seen else 404
            assert anybody.get(f"/jobs/{id}").status_code == expected, (scope, kind)


def test_a_failed_job_that_is_dismissed_is_no_longer_counted(
    context: ServerContext, teacher: TestClient, administrator: TestClient
) -> None:
    id = ask(context, id_of(context, "aigul"), "check")
    assert administrator.post(f"/jobs/{id}/dismiss").json()["code"] == "server.job_dismiss"
    end(context, taken(context), "failed")
    failed = "/health/details"
    assert administrator.get(failed).json()["jobs"]["failed_today"] == 1
    assert administrator.get("/jobs", params={"dismissed": True}).json()["total"] == 0
    shown = administrator.post(f"/jobs/{id}/dismiss").json()
    assert (shown["state"], shown["is_dismissed"]) == ("failed", True)
    assert administrator.get(failed).json()["jobs"]["failed_today"] == 0
    assert administrator.get("/jobs", params={"dismissed": False}).json()["total"] == 0
    assert administrator.get("/jobs", params={"dismissed": True}).json()["total"] == 1
    again = teacher.post(f"/jobs/{id}/retry").json()
    assert (again["state"], again["is_dismissed"]) == ("queued", False)


def test_a_job_of_another_is_dismissed_by_administrators_alone(
    context: ServerContext, teacher: TestClient, log_in: LogIn
) -> None:
    id = ask(context, id_of(context, "aigul"), "check")
    end(context, taken(context), "failed")
    assert log_in("bolat").post(f"/jobs/{id}/dismiss").status_code == 404
    assert teacher.post(f"/jobs/{id}/dismiss").status_code == 200


def test_a_job_says_what_it_is_about_to_whom_it_belongs_to(
    teacher: TestClient, administrator: TestClient
) -> None:
    made = post(teacher, "/checks", {"confession.txt": STEPPE}).json()
    own = teacher.get(f"/jobs/{made['job']}").json()
    assert (own["subject"], own["may_open"], own["check"]) == ("confession.txt", True, made["id"])
    others = administrator.get(f"/jobs/{made['job']}").json()
    assert (others["subject"], others["may_open"]) == (None, False)
    assert teacher.post(f"/checks/{made['id']}/share", json={"shared": True}).status_code == 200
    assert administrator.get(f"/jobs/{made['job']}").json()["may_open"] is True


def test_a_search_for_similar_documents_is_opened_by_whoever_asked(
    teacher: TestClient, administrator: TestClient
) -> None:
    job = post(teacher, "/similar", {"confession.txt": STEPPE}).json()["job"]
    own = teacher.get(f"/jobs/{job}").json()
    assert (own["similar"], own["may_open"], own["check"]) == (True, True, None)
    others = administrator.get(f"/jobs/{job}").json()
    assert (others["similar"], others["may_open"]) == (True, False)
