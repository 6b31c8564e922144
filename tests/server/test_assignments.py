"""Assignments: dates, rules, their own files, blind marking."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from fastapi.testclient import TestClient

from likewise.server.context import ServerContext
from tests.library.texts import invented
from tests.server.checking import MARKET, OWN, RIVER, post, thesis, zipped
from tests.server.teaching import (
    handed_in,
    join,
    made_assignment,
    made_course,
    moodle,
    sources_of,
    submissions,
)

LogIn = Callable[..., TestClient]
NOW = datetime.now(UTC)


def moment(**distance: float) -> str:
    return (NOW + timedelta(**distance)).isoformat()


@pytest.fixture
def student(log_in: LogIn) -> TestClient:
    return log_in("dana", "student")


@pytest.fixture
def course(teacher: TestClient, student: TestClient) -> str:
    id = made_course(teacher)
    join(teacher, id, "student", "dana")
    return id


def test_an_assignment_has_what_it_was_made_with(teacher: TestClient, course: str) -> None:
    rules = {"student_report": "after_deadline", "notice_share": 0.2, "high_share": 0.5}
    id = made_assignment(
        teacher,
        course,
        instructions="Write about water.",
        due_on=moment(days=7),
        closes_on=moment(days=8),
        rules=rules,
        request={"options": {"min_words": 12}},
    )
    one = teacher.get(f"/assignments/{id}").json()
    assert one["rules"] | rules == one["rules"]
    assert (one["notice_share"], one["high_share"]) == (0.2, 0.5)
    assert one["request"]["options"]["min_words"] == 12
    assert one["counts"] == {"students": 0, "files": 0, "late": 0, "waiting": 0, "unread": 0}
    assert (one["batch"], one["state"], one["may_hand_in"]) == (None, None, True)
    listed = teacher.get(f"/courses/{course}/assignments").json()["items"]
    assert [item["id"] for item in listed] == [id]
    assert teacher.get("/assignments", params={"when": "open"}).json()["total"] == 1
    assert teacher.get("/assignments", params={"when": "past"}).json()["total"] == 0


def test_thresholds_are_the_sites_where_none_are_given(
    context: ServerContext, teacher: TestClient, course: str
) -> None:
    one = teacher.get(f"/assignments/{made_assignment(teacher, course)}").json()
    site = context.settings
    assert (one["notice_share"], one["high_share"]) == (site.notice_share, site.high_share)


def test_dates_have_an_order(teacher: TestClient, course: str) -> None:
    dates = {"name": "Essay", "due_on": moment(days=2), "closes_on": moment(days=1)}
    refused = teacher.post(f"/courses/{course}/assignments", json=dates)
    assert (refused.status_code, refused.json()["code"]) == (422, "server.dates_order")
    id = made_assignment(teacher, course, due_on=moment(days=2))
    changed = teacher.patch(f"/assignments/{id}", json={"opens_on": moment(days=3)})
    assert changed.json()["code"] == "server.dates_order"


def test_what_is_left_out_of_a_change_stays(teacher: TestClient, course: str) -> None:
    id = made_assignment(teacher, course, due_on=moment(days=2), instructions="Write.")
    one = teacher.patch(f"/assignments/{id}", json={"name": "Essay 2"}).json()
    assert (one["name"], one["instructions"]) == ("Essay 2", "Write.")
    assert one["due_on"] is not None
    assert teacher.patch(f"/assignments/{id}", json={"due_on": None}).json()["due_on"] is None


def test_students_see_an_assignment_once_it_is_open(
    teacher: TestClient, student: TestClient, course: str
) -> None:
    id = made_assignment(teacher, course, opens_on=moment(days=1))
    assert student.get(f"/assignments/{id}").status_code == 404
    assert student.get(f"/courses/{course}/assignments").json()["total"] == 0
    assert student.get("/assignments").json()["total"] == 0
    assert student.get(f"/courses/{course}").json()["assignments"] == 0
    teacher.patch(f"/assignments/{id}", json={"opens_on": moment(days=-1)})
    seen = student.get(f"/assignments/{id}").json()
    assert (seen["standing"], seen["may_hand_in"], seen["own_attempts"]) == ("student", True, 0)
    hidden = ("batch", "state", "counts", "request", "job", "progress", "summary", "levels")
    assert {seen[name] for name in hidden} == {None} and seen["files"] == []
    for path in ("files", "unveil", "check"):
        method = "GET" if path == "files" else "POST"
        assert student.request(method, f"/assignments/{id}/{path}").status_code == 403


def test_the_assignments_own_text_and_templates_are_nobodys_copying(
    teacher: TestClient, course: str, work_off: Callable[[], int]
) -> None:
    with_text, without = made_assignment(teacher, course), made_assignment(teacher, course, "B")
    added = post(teacher, f"/assignments/{with_text}/files", {"task.txt": RIVER})
    assert added.status_code == 201, added.text
    (file,) = added.json()
    assert (file["name"], file["size"]) == ("task.txt", len(RIVER))
    assert teacher.get(f"/assignments/{with_text}/files/{file['id']}").text == RIVER
    works = {"asel.txt": thesis(OWN, RIVER), "dana.txt": thesis(MARKET, RIVER)}
    for id in (with_text, without):
        handed_in(teacher, id, works, work_off)
    found = [sources_of(teacher, one) for one in submissions(teacher, with_text)]
    assert found == [[], []]
    assert all(sources_of(teacher, one) for one in submissions(teacher, without))
    assert teacher.get(f"/assignments/{with_text}").json()["summary"]["pairs"] == 0


def test_files_of_one_name_take_each_others_place(teacher: TestClient, course: str) -> None:
    id = made_assignment(teacher, course)
    path = f"/assignments/{id}/files"
    post(teacher, path, {"task.txt": "first"})
    post(teacher, path, {"task.txt": "second", "more.txt": "third"})
    files = teacher.get(path).json()
    assert [(one["name"], one["size"]) for one in files] == [("more.txt", 5), ("task.txt", 6)]
    assert teacher.delete(f"{path}/{files[0]['id']}").status_code == 204
    assert teacher.get(f"{path}/{files[0]['id']}").status_code == 404
    refused = post(teacher, path, {"all.zip": zipped({"a.txt": "a text"})})
    assert (refused.status_code, refused.json()["code"]) == (415, "server.archive_alone")
    assert post(teacher, path, {}).json()["code"] == "server.no_files"


def test_whether_names_are_hidden_is_settled_before_anything_is_handed_in(
    teacher: TestClient, course: str
) -> None:
    id = made_assignment(teacher, course)
    assert teacher.patch(f"/assignments/{id}", json={"is_blind": True}).json()["is_blind"]
    handed_in(teacher, id, {"asel.txt": OWN})
    refused = teacher.patch(f"/assignments/{id}", json={"is_blind": False})
    assert (refused.status_code, refused.json()["code"]) == (409, "server.blind_too_late")


def test_a_blind_assignment_tells_numbers_until_it_is_unveiled(
    teacher: TestClient, course: str, work_off: Callable[[], int]
) -> None:
    id = made_assignment(teacher, course, is_blind=True)
    works = {"Asel Nur.txt": OWN, "Dana Lee.txt": thesis(MARKET, RIVER)}
    handed_in(teacher, id, works, work_off)
    hidden = submissions(teacher, id)
    assert {one["student"] for one in hidden} == {one["name"] for one in hidden} == {None}
    assert len({one["number"] for one in hidden}) == 2
    assert submissions(teacher, id, search="Asel") == []
    batch = teacher.get(f"/assignments/{id}").json()["batch"]
    told = "".join(
        teacher.get(path).text
        for path in (
            f"/batches/{batch}/view",
            f"/batches/{batch}/checks",
            f"/batches/{batch}/report?format=csv",
            *(f"/submissions/{one['id']}" for one in hidden),
            *(f"/checks/{one['check']}/result" for one in hidden),
        )
    )
    assert "Asel" not in told and "Dana" not in told
    assert teacher.post(f"/assignments/{id}/unveil").json()["unveiled_on"] is not None
    assert {one["student"] for one in submissions(teacher, id)} == {"Asel Nur", "Dana Lee"}
    again = teacher.post(f"/assignments/{id}/unveil")
    assert (again.status_code, again.json()["code"]) == (409, "server.not_blind")


def test_an_assignment_is_not_deleted_by_mistake(
    teacher: TestClient, course: str, work_off: Callable[[], int]
) -> None:
    id = made_assignment(teacher, course)
    handed_in(teacher, id, {"asel.txt": OWN}, work_off)
    refused = teacher.delete(f"/assignments/{id}")
    assert (refused.status_code, refused.json()["code"]) == (409, "server.assignment_not_empty")
    assert teacher.delete(f"/assignments/{id}?with_submissions=true").status_code == 204
    assert teacher.get(f"/assignments/{id}").status_code == 404
    assert teacher.get("/batches").json()["total"] == 0


def test_not_even_what_cannot_be_opened_tells_whose_a_blind_work_is(
    teacher: TestClient, course: str, work_off: Callable[[], int]
) -> None:
    id = made_assignment(teacher, course, is_blind=True)
    works = {
        moodle("Asel Nur", 701): OWN,
        moodle("Asel Nur", 701, "broken.pdf"): "%PDF-1.7 broken",
        moodle("Dana Lee", 702, "broken.zip"): "PK\x03\x04 broken",
    }
    job = handed_in(teacher, id, {"class.zip": zipped(works)}, work_off)["job"]
    one = teacher.get(f"/assignments/{id}")
    assert len(one.json()["summary"]["unread"]) == 2
    batch = one.json()["batch"]
    told = one.text + "".join(
        teacher.get(path).text
        for path in (f"/batches/{batch}", f"/batches/{batch}/view", f"/jobs/{job}")
    )
    assert "Asel" not in told and "Dana" not in told


def test_an_assignment_whose_class_or_course_is_closed_is_over(
    teacher: TestClient, work_off: Callable[[], int]
) -> None:
    course = made_course(teacher)
    first, second = made_assignment(teacher, course), made_assignment(teacher, course, "Essay 2")
    rules = {"notice_share": 0.05, "high_share": 0.9}
    assert teacher.patch(f"/assignments/{first}", json={"rules": rules}).status_code == 200
    works = {"Asel.txt": invented(60, seed=1), "Dana.txt": invented(60, seed=1) + OWN}
    handed_in(teacher, first, works, work_off)

    def listed(when: str) -> list[str]:
        items = teacher.get("/assignments", params={"when": when}).json()["items"]
        return [one["id"] for one in items]

    assert set(listed("open")) == {first, second}
    found = {one["id"]: one for one in teacher.get("/assignments").json()["items"]}
    # How many need a look is counted by the thresholds of the assignment, which are told with it.
    assert (found[first]["notice_share"], found[first]["high_share"]) == (0.05, 0.9)
    levels = found[first]["levels"]
    assert levels["notice"] + levels["high"] == 2 and found[second]["levels"] is None
    # The class of an assignment is not a second thing beside it.
    classes = {"open": True, "of_assignments": False}
    assert teacher.get("/batches", params=classes).json()["total"] == 0
    assert teacher.get("/batches", params={"of_assignments": True}).json()["total"] == 1
    assert teacher.post(f"/batches/{found[first]['batch']}/close").status_code == 200
    assert (listed("open"), listed("past")) == ([second], [first])
    assert teacher.patch(f"/courses/{course}", json={"is_closed": True}).status_code == 200
    assert listed("open") == [] and set(listed("past")) == {first, second}


def test_a_deadline_that_is_put_off_forgives_and_one_brought_forward_accuses_nobody(
    teacher: TestClient, student: TestClient, course: str, work_off: Callable[[], int]
) -> None:
    id = made_assignment(teacher, course, due_on=moment(hours=-1), closes_on=moment(days=9))
    assert handed_in(student, id, {"essay.txt": invented(60, seed=1)}, work_off)["is_late"]
    day_before = {"student": "Omar", "handed_in_on": moment(hours=-24)}
    handed_in(teacher, id, {"omar.txt": invented(60, seed=2)}, work_off, **day_before)
    archive = zipped({"nurasel_LATE_4711_90210_essay.txt": invented(60, seed=3)})
    handed_in(teacher, id, {"canvas.zip": archive}, work_off)

    def late_ones(**dates: str | None) -> set[str]:
        assert teacher.patch(f"/assignments/{id}", json=dates).status_code == 200
        return {one["student"] for one in submissions(teacher, id, late=True)}

    assert late_ones(name="Essay") == {"dana", "nurasel"}
    # The platform's mark is of its own deadline, which Likewise does not know.
    assert late_ones(due_on=None) == {"nurasel"}
    assert late_ones(due_on=moment(hours=-48)) == {"nurasel"}
    assert late_ones(due_on=moment(hours=48)) == set()
