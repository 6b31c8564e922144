"""Self-checks: what a student checks before handing in; no text stays, others are not told of."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import func, select, update

from likewise.reading.cache import cache_folder
from likewise.server.context import ServerContext, utc_now
from likewise.server.database import tables
from likewise.server.jobs.queue import enqueue
from tests.server.checking import APPLES, MARKET, OWN, RIVER, add, post, zipped
from tests.server.teaching import handed_in, join, made_assignment, made_course, submissions
from tests.server.test_own_reports import SECRET, end, essay, own_of, past, soon, words_of

LogIn = Callable[..., TestClient]
WorkOff = Callable[[], int]
RULES = {"self_checks": True, "self_checks_a_day": 3}


@pytest.fixture
def dana(log_in: LogIn) -> TestClient:
    return log_in("dana", "student")


@pytest.fixture
def omar(log_in: LogIn) -> TestClient:
    return log_in("omar", "student")


@pytest.fixture
def course(teacher: TestClient, dana: TestClient, omar: TestClient) -> str:
    id = made_course(teacher)
    join(teacher, id, "student", "dana", "omar")
    return id


@pytest.fixture
def assignment(teacher: TestClient, course: str) -> str:
    return made_assignment(teacher, course, rules=RULES, due_on=soon())


def ask(client: TestClient, assignment: str, text: str | bytes, name: str = "draft.txt") -> Any:
    return post(client, f"/assignments/{assignment}/self-checks", {name: text})


def checked(client: TestClient, assignment: str, text: str, work_off: WorkOff) -> dict[str, Any]:
    """A self-check that is done."""
    answer = ask(client, assignment, text)
    assert answer.status_code == 202, answer.text
    work_off()
    found: dict[str, Any] = client.get(f"/self-checks/{answer.json()['id']}").json()
    assert found["state"] == "checked", found
    return found


def view_of(client: TestClient, id: str) -> dict[str, Any]:
    answer = client.get(f"/self-checks/{id}/view")
    assert answer.status_code == 200, answer.text
    view: dict[str, Any] = answer.json()
    return view


def left(client: TestClient, assignment: str) -> int:
    answer = client.get(f"/assignments/{assignment}/self-checks").json()
    quota = client.get(f"/assignments/{assignment}").json()["self_checks"]
    assert quota == {name: answer[name] for name in ("a_day", "left_today", "until")}
    n: int = answer["left_today"]
    return n


def count(context: ServerContext, table: Any) -> int:
    with context.store.reading() as connection:
        return int(connection.execute(select(func.count()).select_from(table)).scalar_one())


def test_a_student_checks_before_handing_in_and_learns_what_is_in_the_own_text(
    context: ServerContext, omar: TestClient, dana: TestClient, assignment: str, work_off: WorkOff
) -> None:
    handed_in(omar, assignment, {"works of omar.txt": essay(1, SECRET, RIVER, SECRET)}, work_off)
    own = essay(2, RIVER)
    asked = ask(dana, assignment, own).json()
    assert (asked["state"], asked["receipt"], asked["summary"]) == ("waiting", None, None)
    assert asked["size"] == len(own.encode()) and asked["name"] == "draft.txt"
    waiting = dana.get(f"/self-checks/{asked['id']}/view")
    assert (waiting.status_code, waiting.json()["code"]) == (409, "server.waits")
    work_off()
    found = dana.get(f"/self-checks/{asked['id']}").json()
    assert found["state"] == "checked" and found["receipt"]["words"] == len(own.split())
    view = view_of(dana, found["id"])
    (source,) = view["sources"]
    assert source["text"]["name"] == "another submission" and not source["text"]["stretches"]
    (passage,) = [one for one in view["passages"] if one["counts"]]
    assert own[slice(*passage["a"])].strip() == RIVER
    similar = view["shares"]["similar"] / view["shares"]["whole"]
    assert found["summary"]["shares"]["similar"] == pytest.approx(similar)
    told = json.dumps(view) + json.dumps(found)
    assert not words_of(told) & (words_of(SECRET) - words_of(own)) and "omar" not in told
    listed = dana.get(f"/assignments/{assignment}/self-checks").json()
    assert [one["id"] for one in listed["items"]] == [found["id"]]


def test_the_text_is_stored_nowhere_and_is_a_source_of_nobody(
    context: ServerContext,
    teacher: TestClient,
    omar: TestClient,
    dana: TestClient,
    assignment: str,
    work_off: WorkOff,
    own_cache: Path,
) -> None:
    before = count(context, tables.checks), count(context, tables.uploads)
    checked(dana, assignment, essay(1, MARKET), work_off)
    assert (count(context, tables.checks), count(context, tables.uploads)) == before
    assert context.library.list().total == 0
    assert cache_folder() == own_cache
    kept = [path.read_bytes() for path in own_cache.rglob("*") if path.is_file()]
    assert not any(b"market days" in data for data in kept)
    handed_in(omar, assignment, {"essay.txt": essay(2, MARKET)}, work_off)
    (theirs,) = submissions(teacher, assignment)
    assert teacher.get(f"/checks/{theirs['check']}/result").json()["sources"] == []
    jobs = teacher.get("/jobs").json()["items"]
    assert {job["kind"] for job in jobs} <= {"batch"}


def test_nobody_but_its_student_sees_a_self_check(
    administrator: TestClient,
    teacher: TestClient,
    omar: TestClient,
    dana: TestClient,
    assignment: str,
    work_off: WorkOff,
) -> None:
    found = checked(dana, assignment, essay(1, MARKET), work_off)
    for client in (administrator, teacher, omar):
        for path in ("", "/view", "/report", "/report?format=docx"):
            assert client.get(f"/self-checks/{found['id']}{path}").status_code == 404
        assert client.delete(f"/self-checks/{found['id']}").status_code == 404
    path = f"/assignments/{assignment}/self-checks"
    assert omar.get(path).json()["items"] == []
    assert {each.get(path).status_code for each in (administrator, teacher)} == {403}
    assert ask(teacher, assignment, essay(3)).json()["code"] == "server.no_self_checks"
    for job in administrator.get("/jobs").json()["items"]:
        assert "draft" not in json.dumps(job)


def test_passages_with_others_of_less_than_thirty_words_are_neither_shown_nor_counted(
    administrator: TestClient,
    context: ServerContext,
    omar: TestClient,
    dana: TestClient,
    assignment: str,
    work_off: WorkOff,
) -> None:
    short, long = " ".join(RIVER.split()[:29]), " ".join(MARKET.split()[:30])
    handed_in(omar, assignment, {"essay.txt": essay(1, short, essay(2), long)}, work_off)
    add(context, textbook=" ".join(APPLES.split()[:20]))
    administrator.patch("/collections/library", json={"is_open_to_students": True})
    own = "\n\n".join((OWN, short, OWN[:60], long, " ".join(APPLES.split()[:20])))
    found = checked(dana, assignment, own, work_off)
    view = view_of(dana, found["id"])
    names = sorted(source["text"]["name"] for source in view["sources"])
    assert names == ["another submission", "textbook.txt"]
    marked = " ".join(own[slice(*one["a"])] for one in view["passages"])
    assert "market days" in marked and "orchard" in marked and "river rises" not in marked
    whole = view["shares"]["whole"]
    assert found["summary"]["shares"]["similar"] == pytest.approx(view["shares"]["similar"] / whole)
    assert found["summary"]["passages"] == sum(one["counts"] for one in view["passages"]) == 2
    # A short one alone is as if there were nothing.
    nothing = view_of(dana, checked(dana, assignment, f"{OWN}\n\n{short}", work_off)["id"])
    alone = view_of(dana, checked(dana, assignment, f"{OWN}\n\n{essay(9)}", work_off)["id"])
    for view in (nothing, alone):
        assert (view["sources"], view["passages"], view["shares"]["similar"]) == ([], [], 0)
        assert view["exclusions"] == [] and view["documents"] == 1


def test_own_earlier_attempts_are_no_sources(
    dana: TestClient, assignment: str, work_off: WorkOff
) -> None:
    handed_in(dana, assignment, {"essay.txt": essay(1, RIVER)}, work_off)
    found = checked(dana, assignment, essay(1, RIVER, MARKET), work_off)
    assert found["summary"]["sources"] == 0


def test_they_are_counted_by_day_even_when_deleted_or_damaged(
    context: ServerContext, dana: TestClient, omar: TestClient, assignment: str, work_off: WorkOff
) -> None:
    assert left(dana, assignment) == 3
    first = checked(dana, assignment, essay(1), work_off)
    assert dana.delete(f"/self-checks/{first['id']}").status_code == 204
    assert dana.get(f"/self-checks/{first['id']}").status_code == 404
    assert left(dana, assignment) == 2
    damaged = ask(dana, assignment, b"%PDF-1.7 broken", "draft.pdf").json()
    work_off()
    unread = dana.get(f"/self-checks/{damaged['id']}").json()
    assert unread["state"] == "unread" and unread["receipt"]["unread"]["key"]
    answer = dana.get(f"/self-checks/{damaged['id']}/view")
    assert (answer.status_code, answer.json()["code"]) == (409, "server.work_unread")
    assert left(dana, assignment) == 1 and left(omar, assignment) == 3
    # Not when the server failed.
    failing = ask(dana, assignment, essay(2)).json()
    with context.store.beside() as connection:
        jobs = tables.jobs
        own = update(jobs).where(jobs.c.state == "queued")
        connection.execute(own.values(state="failed", ended_on=utc_now()))
    assert dana.get(f"/self-checks/{failing['id']}").json()["state"] == "failed"
    assert left(dana, assignment) == 1
    checked(dana, assignment, essay(3), work_off)
    refused = ask(dana, assignment, essay(4))
    assert (refused.status_code, refused.json()["code"]) == (429, "server.many_self_checks")
    assert refused.json()["values"] == {"n": 3}
    with context.store.beside() as connection:  # tomorrow
        for id, made_on in connection.execute(
            select(tables.self_checks.c.id, tables.self_checks.c.made_on)
        ).all():
            own = update(tables.self_checks).where(tables.self_checks.c.id == id)
            connection.execute(own.values(made_on=made_on - timedelta(days=1)))
    assert left(dana, assignment) == 3


def test_one_waits_at_a_time(dana: TestClient, assignment: str, work_off: WorkOff) -> None:
    assert ask(dana, assignment, essay(1)).status_code == 202
    again = ask(dana, assignment, essay(2))
    assert (again.status_code, again.json()["code"]) == (409, "server.self_check_waits")
    work_off()
    assert ask(dana, assignment, essay(2)).status_code == 202


def test_what_is_refused(
    context: ServerContext,
    administrator: TestClient,
    teacher: TestClient,
    dana: TestClient,
    course: str,
    assignment: str,
) -> None:
    path = f"/assignments/{assignment}/self-checks"
    two = post(dana, path, {"a.txt": "a", "b.txt": "b"})
    assert (two.status_code, two.json()["code"]) == (422, "server.one_file")
    assert post(dana, path, {}).json()["code"] == "server.one_file"
    packed = post(dana, path, {"a.zip": zipped({"a.txt": essay(1)})})
    assert (packed.status_code, packed.json()["code"]) == (415, "server.archive_alone")
    without = made_assignment(teacher, course)
    refused = ask(dana, without, essay(1))
    assert (refused.status_code, refused.json()["code"]) == (403, "server.no_self_checks")
    assert dana.get(f"/assignments/{without}").json()["self_checks"] is None
    end(context, assignment)
    late = ask(dana, assignment, essay(1))
    assert (late.status_code, late.json()["code"]) == (409, "server.self_checks_over")
    assert left(dana, assignment) == 0
    other = made_assignment(teacher, course, rules=RULES)
    consent = administrator.post("/consent-texts", json={"texts": {"en": "I agree."}}).json()
    assert ask(dana, other, essay(1)).json()["code"] == "server.consent_changed"
    path = f"/assignments/{other}/self-checks"
    agreed = post(dana, path, {"a.txt": essay(1)}, consent=consent["id"])
    assert agreed.status_code == 202, agreed.text
    closed = made_assignment(teacher, course, rules=RULES, due_on=past(2), closes_on=past(1))
    assert ask(dana, closed, essay(1)).json()["code"] == "server.self_checks_over"


def test_the_answer_goes_after_a_day_and_when_it_is_handed_in(
    context: ServerContext, dana: TestClient, assignment: str, work_off: WorkOff
) -> None:
    table = tables.self_checks
    text = essay(1, MARKET)
    found = checked(dana, assignment, text, work_off)
    handed_in(dana, assignment, {"final.txt": text}, work_off)
    assert dana.get(f"/self-checks/{found['id']}").status_code == 404
    with context.store.reading() as connection:
        (row,) = connection.execute(select(table)).all()
    assert (row.name, row.packed, row.summary, bytes(row.sha256)) == ("", None, None, bytes(32))
    # One that waits is given up with its file.
    waiting = ask(dana, assignment, essay(2)).json()
    handed_in(dana, assignment, {"final.txt": essay(2)}, work_off)
    assert dana.get(f"/self-checks/{waiting['id']}").status_code == 404
    assert count(context, tables.uploads) == 0
    found = checked(dana, assignment, essay(3), work_off)
    with context.store.beside() as connection:
        gone = {"ends_on": utc_now() - timedelta(minutes=1)}
        connection.execute(update(table).where(table.c.id == found["id"]).values(**gone))
        enqueue(connection, "tidy", None, {})
    assert dana.get(f"/self-checks/{found['id']}").status_code == 404
    assert left(dana, assignment) == 0
    work_off()
    with context.store.reading() as connection:
        rows = connection.execute(select(table)).all()
    assert {(row.name, row.packed, row.summary) for row in rows} == {("", None, None)}
    with context.store.beside() as connection:
        connection.execute(update(table).values(made_on=utc_now() - timedelta(days=2)))
        enqueue(connection, "tidy", None, {})
    work_off()
    assert count(context, table) == 0


def test_it_goes_with_its_assignment_and_with_a_job_that_fails_or_is_cancelled(
    context: ServerContext,
    administrator: TestClient,
    teacher: TestClient,
    dana: TestClient,
    course: str,
    assignment: str,
    work_off: WorkOff,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = ask(dana, assignment, essay(1)).json()
    (job,) = administrator.get("/jobs").json()["items"]
    assert administrator.post(f"/jobs/{job['id']}/cancel").status_code in (200, 202, 204)
    assert dana.get(f"/self-checks/{asked['id']}").json()["state"] == "cancelled"
    assert count(context, tables.uploads) == 0
    # Templates that cannot be read any more make the job fail; which ones is not told.
    answer = teacher.post(
        f"/assignments/{assignment}/files",
        files=[("file", ("hidden template.pdf", b"%PDF-1.7 broken"))],
    )
    assert answer.status_code == 201, answer.text
    asked = ask(dana, assignment, essay(2)).json()
    work_off()
    failed = dana.get(f"/self-checks/{asked['id']}").json()
    assert (failed["state"], failed["error_code"]) == ("failed", "server.check_untold")
    assert "hidden template" not in json.dumps(failed)
    assert count(context, tables.uploads) == 0
    assert teacher.delete(f"/assignments/{assignment}").status_code == 204
    assert count(context, tables.self_checks) == 0
    other = made_assignment(teacher, course, rules=RULES)
    ask(dana, other, essay(3))
    assert teacher.delete(f"/courses/{course}").status_code == 204
    assert (count(context, tables.self_checks), count(context, tables.uploads)) == (0, 0)
    assert work_off() == 0


def test_what_fails_for_a_student_names_no_file_of_others(
    teacher: TestClient, dana: TestClient, assignment: str, work_off: WorkOff
) -> None:
    broken = [("file", ("hidden template.pdf", b"%PDF-1.7 broken"))]
    assert teacher.post(f"/assignments/{assignment}/files", files=broken).status_code == 201
    handed_in(dana, assignment, {"essay.txt": essay(1)}, work_off)
    own = own_of(dana, assignment)
    assert (own["state"], own["error_code"]) == ("failed", "server.check_untold")
    assert own["number"] == 0
    (theirs,) = submissions(teacher, assignment)
    assert theirs["error_code"] == "server.template_unread" and theirs["number"] == 1


def test_an_answer_goes_with_an_open_document_that_is_erased(
    context: ServerContext,
    administrator: TestClient,
    dana: TestClient,
    assignment: str,
    work_off: WorkOff,
) -> None:
    add(context, textbook=MARKET)
    administrator.patch("/collections/library", json={"is_open_to_students": True})
    found = checked(dana, assignment, essay(1, MARKET), work_off)
    other = checked(dana, assignment, essay(2), work_off)
    view = view_of(dana, found["id"])
    assert [source["text"]["name"] for source in view["sources"]] == ["textbook.txt"]
    (entry,) = context.library.list().entries
    asked = administrator.post("/erasures", json={"documents": [entry.id]})
    assert asked.status_code in (200, 202), asked.text
    work_off()
    assert dana.get(f"/self-checks/{found['id']}").status_code == 404
    assert dana.get(f"/self-checks/{other['id']}").status_code == 200
    with context.store.reading() as connection:
        rows = connection.execute(select(tables.self_checks)).all()
    assert sorted(row.packed is None for row in rows) == [False, True]
