"""What a student sees of the report of the own work, and of other people's works: nothing."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import update

from likewise.server.context import ServerContext
from likewise.server.database import tables
from tests.library.texts import invented
from tests.server.checking import APPLES, MARKET, OWN, RIVER, add, post
from tests.server.teaching import handed_in, join, made_assignment, made_course, of, submissions

LogIn = Callable[..., TestClient]
WorkOff = Callable[[], int]
SHOWN = {"student_report": "always"}
SECRET = "Zhanbolat quietly hides seven turquoise lanterns behind Aunt Ulpan's granary."


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


def past(days: int = 1) -> str:
    return (datetime.now(UTC) - timedelta(days=days)).isoformat()


def soon(days: int = 1) -> str:
    return (datetime.now(UTC) + timedelta(days=days)).isoformat()


def end(context: ServerContext, assignment: str) -> None:
    """Let the deadline have passed."""
    with context.store.beside() as connection:
        own = update(tables.assignments).where(tables.assignments.c.id == assignment)
        connection.execute(own.values(due_on=datetime(2020, 1, 1)))


def essay(seed: int, *more: str) -> str:
    return "\n\n".join((invented(60, seed=seed), *more))


def own_of(client: TestClient, assignment: str) -> dict[str, Any]:
    (one,) = submissions(client, assignment)
    return one


def view_of(client: TestClient, submission: str) -> dict[str, Any]:
    answer = client.get(f"/submissions/{submission}/view")
    assert answer.status_code == 200, answer.text
    view: dict[str, Any] = answer.json()
    return view


def words_of(text: str) -> set[str]:
    return set(re.findall(r"\w{4,}", text.casefold()))


def test_a_student_reads_the_own_report_when_the_assignment_allows(
    teacher: TestClient, dana: TestClient, omar: TestClient, course: str, work_off: WorkOff
) -> None:
    never = made_assignment(teacher, course)
    handed_in(dana, never, {"essay.txt": essay(1, RIVER)}, work_off)
    one = own_of(dana, never)
    assert (one["may_read_report"], one["summary"]) == (False, None)
    answer = dana.get(f"/submissions/{one['id']}/view")
    assert (answer.status_code, answer.json()["code"]) == (403, "server.report_not_shown")

    later = made_assignment(
        teacher, course, due_on=soon(), rules={"student_report": "after_deadline"}
    )
    handed_in(dana, later, {"essay.txt": essay(1, RIVER)}, work_off)
    one = own_of(dana, later)
    for path in ("view", "report?format=pdf"):
        answer = dana.get(f"/submissions/{one['id']}/{path}")
        assert (answer.status_code, answer.json()["code"]) == (403, "server.report_not_yet")
    shown = dana.get(f"/assignments/{later}").json()
    assert shown["report_from"] == shown["due_on"]

    always = made_assignment(teacher, course, rules=SHOWN)
    handed_in(dana, always, {"essay.txt": essay(1, RIVER)}, work_off)
    one = own_of(dana, always)
    view = view_of(dana, one["id"])
    assert (view["document"]["name"], view["document"]["label"]) == ("essay.txt", "")
    assert view["made"]["recipient"] == "dana" and view["is_for_student"]
    assert omar.get(f"/submissions/{one['id']}/view").status_code == 404
    assert dana.get(f"/checks/{one['id']}/view").status_code == 403


def test_before_it_is_checked_it_is_said_that_it_waits(
    teacher: TestClient, dana: TestClient, course: str
) -> None:
    id = made_assignment(teacher, course, rules=SHOWN)
    handed_in(dana, id, {"essay.txt": essay(1)})
    answer = dana.get(f"/submissions/{own_of(dana, id)['id']}/view")
    assert (answer.status_code, answer.json()["code"]) == (409, "server.waits")


def test_of_another_student_only_the_marked_words_of_the_own_text_are_told(
    context: ServerContext,
    teacher: TestClient,
    dana: TestClient,
    omar: TestClient,
    course: str,
    work_off: WorkOff,
) -> None:
    id = made_assignment(teacher, course, rules=SHOWN, due_on=soon())
    handed_in(omar, id, {"river of omar.txt": essay(1, SECRET, RIVER, SECRET)}, work_off)
    own = essay(2, RIVER)
    handed_in(dana, id, {"essay.txt": own}, work_off)
    for is_over in (False, True):
        if is_over:
            end(context, id)
        one = own_of(dana, id)
        view = view_of(dana, one["id"])
        (source,) = view["sources"]
        assert source["text"] == {
            "name": "another submission",
            "language": None,
            "sha256": "",
            "is_file": False,
            "length": 0,
            "words": 0,
            "pages": [],
            "stretches": [],
            "author": "",
            "title": "",
            "fetched": "",
            "advisor": "",
            "year": None,
            "type": "",
            "label": "",
        }
        assert (source["measures"], source["covered_b"], source["whole_b"]) == (None, 0, 0)
        (passage,) = [one for one in view["passages"] if one["counts"]]
        assert own[slice(*passage["a"])].strip() == RIVER
        assert (passage["b"], passage["pages_b"], passage["expected"]) == ([0, 0], None, None)
        assert (view["documents"], view["partners"], view["unchecked"]["skipped"]) == (1, [], [])
        told = json.dumps(view, ensure_ascii=False)
        assert not words_of(told) & (words_of(SECRET) - words_of(own))
        assert "omar" not in told.casefold()
        # The figures are those of the report.
        shares, whole = one["summary"]["shares"], view["shares"]["whole"]
        assert shares["similar"] == pytest.approx(view["shares"]["similar"] / whole)
        assert (one["summary"]["documents"], one["summary"]["top"]) == (1, [])
    # Teachers see the same, and their own report with everything.
    theirs = of(submissions(teacher, id), "dana")
    assert view_of(teacher, theirs["id"])["sources"] == view["sources"]
    full = teacher.get(f"/checks/{theirs['check']}/view").json()
    assert "omar" in full["sources"][0]["text"]["name"]
    assert full["shares"] == view["shares"]


def test_a_short_passage_is_shown_after_the_deadline_alone(
    context: ServerContext,
    teacher: TestClient,
    dana: TestClient,
    omar: TestClient,
    course: str,
    work_off: WorkOff,
) -> None:
    id = made_assignment(teacher, course, rules=SHOWN)
    short = " ".join(RIVER.split()[:24])
    handed_in(omar, id, {"essay.txt": essay(1, short)}, work_off)
    handed_in(dana, id, {"essay.txt": essay(2, short)}, work_off)
    one = own_of(dana, id)
    view = view_of(dana, one["id"])
    assert (view["sources"], view["passages"], view["shares"]["similar"]) == ([], [], 0)
    assert one["summary"]["shares"]["similar"] == one["summary"]["sources"] == 0
    end(context, id)
    view = view_of(dana, one["id"])
    assert [source["text"]["name"] for source in view["sources"]] == ["another submission"]
    assert own_of(dana, id)["summary"]["shares"]["similar"] > 0


def test_a_document_of_the_library_is_told_where_its_collection_is_open(
    context: ServerContext,
    administrator: TestClient,
    teacher: TestClient,
    dana: TestClient,
    course: str,
    work_off: WorkOff,
) -> None:
    made = teacher.post("/collections", json={"name": "Textbooks", "is_shared": True}).json()
    assert made["is_open_to_students"] is False
    add(context, collection=made["id"], textbook=MARKET)
    add(context, dissertation=RIVER)
    id = made_assignment(teacher, course, rules=SHOWN)
    handed_in(dana, id, {"essay.txt": f"{OWN}\n\n{RIVER}\n\n{MARKET}"}, work_off)
    one = own_of(dana, id)

    def names() -> list[str]:
        return sorted(each["text"]["name"] for each in view_of(dana, one["id"])["sources"])

    assert names() == ["another submission", "another submission (2)"]
    path, opened = f"/collections/{made['id']}", {"is_open_to_students": True}
    assert teacher.patch(path, json=opened).json()["is_open_to_students"] is True
    assert names() == ["another submission", "textbook.txt"]
    # The shared library is administrators' to open.
    assert teacher.patch("/collections/library", json=opened).status_code == 403
    assert administrator.patch("/collections/library", json={"name": "x"}).status_code == 403
    assert administrator.patch("/collections/library", json=opened).status_code == 200
    assert names() == ["dissertation.txt", "textbook.txt"]
    closed = {"is_open_to_students": False}
    for each in (path, "/collections/library"):
        assert administrator.patch(each, json=closed).json()["is_open_to_students"] is False
    assert names() == ["another submission", "another submission (2)"]


def test_a_submission_in_an_open_collection_stays_another_submission(
    administrator: TestClient,
    teacher: TestClient,
    dana: TestClient,
    omar: TestClient,
    course: str,
    work_off: WorkOff,
) -> None:
    opened = {"is_open_to_students": True}
    assert administrator.patch("/collections/library", json=opened).status_code == 200
    for is_blind in (False, True):
        first = made_assignment(teacher, course, request={"keep": True}, is_blind=is_blind)
        handed_in(omar, first, {"essay.txt": essay(1 + is_blind, SECRET, MARKET)}, work_off)
        second = made_assignment(teacher, course, rules=SHOWN)
        handed_in(dana, second, {"essay.txt": essay(4 + is_blind, MARKET)}, work_off)
        view = view_of(dana, own_of(dana, second)["id"])
        names = [source["text"]["name"] for source in view["sources"]]
        assert names and all(name.startswith("another submission") for name in names)
        assert "Zhanbolat" not in json.dumps(view)


def test_what_a_teacher_takes_out_is_not_counted_and_nobody_is_named(
    teacher: TestClient, dana: TestClient, omar: TestClient, course: str, work_off: WorkOff
) -> None:
    id = made_assignment(teacher, course, rules=SHOWN)
    handed_in(omar, id, {"essay.txt": essay(1, RIVER)}, work_off)
    handed_in(dana, id, {"essay.txt": essay(2, RIVER, APPLES)}, work_off)
    theirs = of(submissions(teacher, id), "dana")
    (name,) = [
        source["name"]
        for source in teacher.get(f"/checks/{theirs['check']}/result").json()["sources"]
    ]
    decided = {"source": name, "reason": "agreed with Omar beforehand"}
    answer = teacher.post(f"/checks/{theirs['check']}/exclusions", json=decided)
    assert answer.status_code in (200, 201), answer.text
    comment = {"span": [0, 5], "comment": "a word of a teacher"}
    assert teacher.post(f"/checks/{theirs['check']}/comments", json=comment).status_code == 201
    one = own_of(dana, id)
    view = view_of(dana, one["id"])
    assert view["sources"] == view["taken_out"] == view["decisions"] == view["comments"] == []
    assert one["summary"]["shares"]["similar"] == 0
    assert not re.search("omar|aigul|a word of a teacher", json.dumps(view).casefold())


def test_while_an_assignment_is_blind_the_report_names_nobody_to_teachers(
    teacher: TestClient, dana: TestClient, course: str, work_off: WorkOff
) -> None:
    id = made_assignment(teacher, course, rules=SHOWN, is_blind=True)
    handed_in(dana, id, {"dana's essay.txt": essay(1, RIVER)}, work_off)
    own = own_of(dana, id)
    assert own["name"] == "dana's essay.txt"
    assert view_of(dana, own["id"])["document"]["name"] == "dana's essay.txt"
    for path in ("view", "report?format=html"):
        answer = teacher.get(f"/submissions/{own['id']}/{path}")
        assert answer.status_code == 200
        assert "dana" not in answer.text.casefold()
        assert "dana" not in json.dumps(dict(answer.headers)).casefold()
    view = view_of(teacher, own["id"])
    assert view["document"]["name"] == f"{own['number']}.txt"
    assert view["made"]["recipient"] == "aigul"


def test_students_agree_to_the_text_of_now(
    administrator: TestClient, teacher: TestClient, dana: TestClient, course: str
) -> None:
    id = made_assignment(teacher, course)
    assert dana.get("/consent-texts/current").status_code == 404
    first, second = (
        administrator.post("/consent-texts", json={"texts": {"en": text}}).json()["id"]
        for text in ("I wrote this.", "I wrote this alone.")
    )
    current = dana.get("/consent-texts/current").json()
    assert (current["id"], current["texts"]) == (second, {"en": "I wrote this alone."})
    assert current.keys() == {"id", "texts", "made_on"}
    path, files = f"/assignments/{id}/submissions", {"essay.txt": essay(1)}
    for consent in (None, first, "0" * 24):
        answer = post(dana, path, files, consent=consent)
        assert (answer.status_code, answer.json()["code"]) == (409, "server.consent_changed")
    assert post(dana, path, files, consent=second).status_code == 202
    assert post(teacher, path, {"Asel Nur.txt": essay(2)}).status_code == 202
    # How many have agreed is nothing for students.
    assert {one["submissions"] for one in dana.get("/consent-texts").json()["items"]} == {0}
    counts = administrator.get("/consent-texts").json()["items"]
    assert [one["submissions"] for one in counts] == [1, 0]
    administrator.post("/consent-texts", json={"texts": {}})
    assert dana.get("/consent-texts/current").status_code == 404
    assert post(dana, path, {"essay.txt": essay(3)}).status_code == 202


def test_a_program_of_a_student_reads_the_report_too_and_the_log_says_so(
    administrator: TestClient,
    anybody: TestClient,
    teacher: TestClient,
    dana: TestClient,
    course: str,
    work_off: WorkOff,
) -> None:
    id = made_assignment(teacher, course, rules=SHOWN)
    handed_in(dana, id, {"essay.txt": essay(1, RIVER)}, work_off)
    one = own_of(dana, id)
    key = dana.post("/keys", json={"name": "reader", "scopes": ["submissions:read"]})
    assert key.status_code == 201, key.text
    anybody.headers["Authorization"] = f"Bearer {key.json()['secret']}"
    assert view_of(anybody, one["id"])["document"]["name"] == "essay.txt"
    assert anybody.get("/consent-texts/current").status_code == 404
    assert post(anybody, f"/assignments/{id}/submissions", {"a.txt": "b"}).status_code == 403
    acts = administrator.get("/audit", params={"act": "own report opened"}).json()["items"]
    assert [act["target"] for act in acts] == [one["id"]]
