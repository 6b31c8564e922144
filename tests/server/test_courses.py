"""Courses: who makes them, who belongs to them, and who learns that they are there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from fastapi.testclient import TestClient

from tests.server.teaching import handed_in, join, made_assignment, made_course, submissions

LogIn = Callable[..., TestClient]


@pytest.fixture
def student(log_in: LogIn) -> TestClient:
    return log_in("dana", "student")


@pytest.fixture
def colleague(log_in: LogIn) -> TestClient:
    return log_in("bolat")


def listed(client: TestClient, **asked: Any) -> list[str]:
    return [course["name"] for course in client.get("/courses", params=asked).json()["items"]]


def test_whoever_makes_a_course_teaches_in_it(teacher: TestClient) -> None:
    made = teacher.post("/courses", json={"name": " Rhetoric ", "code": "R1", "term": "2026"})
    assert made.status_code == 201
    course = made.json()
    assert (course["name"], course["standing"], course["students"]) == ("Rhetoric", "teacher", 0)
    assert course["teachers"] == ["aigul"] and course["closed_on"] is None
    assert teacher.get(f"/courses/{course['id']}").json() == course


def test_students_make_no_courses_and_no_assignments(
    teacher: TestClient, student: TestClient
) -> None:
    course = made_course(teacher)
    join(teacher, course, "student", "dana")
    for answer in (
        student.post("/courses", json={"name": "mine"}),
        student.patch(f"/courses/{course}", json={"name": "mine"}),
        student.delete(f"/courses/{course}"),
        student.post(f"/courses/{course}/assignments", json={"name": "mine"}),
        student.get(f"/courses/{course}/members"),
    ):
        assert (answer.status_code, answer.json()["code"]) == (403, "server.not_for_students")


def test_nobody_else_learns_that_a_course_is_there(
    teacher: TestClient, colleague: TestClient, student: TestClient
) -> None:
    course = made_course(teacher)
    assignment = made_assignment(teacher, course)
    for client in (colleague, student):
        assert listed(client) == []
        for path in (f"/courses/{course}", f"/courses/{course}/assignments"):
            there, nowhere = client.get(path), client.get(path.replace(course, "0" * 24))
            assert there.status_code == nowhere.status_code == 404
            assert there.json() == nowhere.json()
        there = client.get(f"/assignments/{assignment}")
        nowhere = client.get(f"/assignments/{'0' * 24}")
        assert there.status_code == 404 and there.json() == nowhere.json()
    assert colleague.patch(f"/courses/{course}", json={"name": "mine"}).status_code == 404
    assert colleague.delete(f"/courses/{course}").status_code == 404


def test_teachers_of_a_course_share_it(teacher: TestClient, colleague: TestClient) -> None:
    course = made_course(teacher)
    join(teacher, course, "teacher", "bolat")
    assert listed(colleague) == ["History of the steppe"]
    made_assignment(colleague, course, "Essay of a colleague")
    changed = colleague.patch(f"/courses/{course}", json={"name": "History"})
    assert changed.json()["name"] == "History" and changed.json()["assignments"] == 1


def test_administrators_manage_courses_and_see_no_submission(
    teacher: TestClient, administrator: TestClient, work_off: Callable[[], int]
) -> None:
    course = made_course(teacher)
    assignment = made_assignment(teacher, course)
    handed_in(teacher, assignment, {"asel.txt": "The wide steppe lies under a sky."}, work_off)
    assert listed(administrator) == [] and len(listed(administrator, whose="all")) == 1
    assert administrator.get(f"/courses/{course}").json()["standing"] == "administrator"
    assert administrator.get(f"/courses/{course}/members").json()["total"] == 1
    refused = administrator.get(f"/assignments/{assignment}/submissions")
    assert (refused.status_code, refused.json()["code"]) == (403, "server.course_teachers")
    assert administrator.get(f"/assignments/{assignment}").json()["batch"] is None
    closed = administrator.patch(f"/courses/{course}", json={"is_closed": True})
    assert closed.json()["closed_on"] is not None


def test_all_lists_no_more_to_a_teacher(teacher: TestClient, colleague: TestClient) -> None:
    made_course(teacher)
    assert listed(colleague, whose="all") == []


def test_members_join_leave_and_change(
    teacher: TestClient, colleague: TestClient, student: TestClient
) -> None:
    course = made_course(teacher)
    join(teacher, course, "student", "dana", "bolat")
    members = teacher.get(f"/courses/{course}/members").json()["items"]
    assert [(one["shown_name"], one["role"]) for one in members] == [
        ("aigul", "teacher"),
        ("bolat", "student"),
        ("dana", "student"),
    ]
    id_of = {one["name"]: one["id"] for one in members}
    may_teach = {one["name"]: one["may_teach"] for one in members}
    assert may_teach["aigul"] and not may_teach["dana"]
    path = f"/courses/{course}/members"
    assert teacher.patch(f"{path}/{id_of['bolat']}", json={"role": "teacher"}).status_code == 200
    refused = teacher.patch(f"{path}/{id_of['dana']}", json={"role": "teacher"})
    assert refused.json()["code"] == "server.student_teaches"
    assert teacher.delete(f"{path}/{id_of['dana']}").status_code == 204
    assert student.get(f"/courses/{course}").status_code == 404
    assert teacher.delete(f"{path}/{id_of['dana']}").status_code == 404


def test_a_course_keeps_one_teacher(teacher: TestClient) -> None:
    course = made_course(teacher)
    me = teacher.get("/me").json()["id"]
    for answer in (
        teacher.delete(f"/courses/{course}/members/{me}"),
        teacher.patch(f"/courses/{course}/members/{me}", json={"role": "student"}),
    ):
        assert (answer.status_code, answer.json()["code"]) == (409, "server.last_teacher")


def test_all_join_or_nobody(teacher: TestClient, student: TestClient) -> None:
    course = made_course(teacher)
    members = [{"user_name": "dana"}, {"user_name": "nobody at all"}]
    refused = teacher.post(f"/courses/{course}/members", json={"members": members})
    assert (refused.status_code, refused.json()["code"]) == (422, "server.no_such_person")
    assert teacher.get(f"/courses/{course}/members").json()["total"] == 1
    assert student.get("/courses").json()["total"] == 0


def test_candidates_are_found_by_their_names(
    teacher: TestClient, student: TestClient, colleague: TestClient
) -> None:
    course = made_course(teacher)
    path = f"/courses/{course}/candidates"
    assert teacher.get(path, params={"search": "d"}).json() == []
    found = teacher.get(path, params={"search": "dan"}).json()
    assert [one["name"] for one in found] == ["dana"]
    join(teacher, course, "student", "dana")
    assert teacher.get(path, params={"search": "dan"}).json() == []
    assert colleague.get(path, params={"search": "dan"}).status_code == 404


def test_classes_stay_with_the_course_when_their_owner_goes(
    teacher: TestClient,
    colleague: TestClient,
    administrator: TestClient,
    work_off: Callable[[], int],
) -> None:
    course = made_course(teacher)
    join(teacher, course, "teacher", "bolat")
    assignment = made_assignment(teacher, course)
    handed_in(teacher, assignment, {"asel.txt": "The wide steppe lies under a sky."}, work_off)
    handed_in(teacher, assignment, {"dana.txt": "A river of snow runs down to the town."})
    gone = teacher.get("/me").json()["id"]
    for remove in (False, True):
        answer = administrator.delete(f"/users/{gone}", params={"remove": remove})
        assert answer.status_code == 204, answer.text
    work_off()
    listed = submissions(colleague, assignment)
    assert [one["state"] for one in listed] == ["checked", "checked"]
    assert colleague.get(f"/checks/{listed[0]['check']}").json()["is_mine"]


def test_an_heir_teaches_what_nobody_else_would(
    teacher: TestClient,
    colleague: TestClient,
    administrator: TestClient,
    work_off: Callable[[], int],
) -> None:
    course = made_course(teacher)
    assignment = made_assignment(teacher, course)
    handed_in(teacher, assignment, {"asel.txt": "The wide steppe lies under a sky."}, work_off)
    gone, heir = (client.get("/me").json()["id"] for client in (teacher, colleague))
    answer = administrator.delete(f"/users/{gone}", params={"remove": True, "heir": heir})
    assert answer.status_code == 204, answer.text
    (one,) = submissions(colleague, assignment)
    assert one["state"] == "checked" and listed(colleague) == ["History of the steppe"]


def test_a_closed_course_takes_nothing_new(teacher: TestClient) -> None:
    course = made_course(teacher)
    assignment = made_assignment(teacher, course)
    teacher.patch(f"/courses/{course}", json={"is_closed": True})
    assert listed(teacher, open=True) == [] and len(listed(teacher, open=False)) == 1
    made = teacher.post(f"/courses/{course}/assignments", json={"name": "Essay 2"})
    assert made.json()["code"] == "server.course_closed"
    late = teacher.post(
        f"/assignments/{assignment}/submissions", files=[("file", ("a.txt", b"a text"))]
    )
    assert late.json()["code"] == "server.course_closed"
    reopened = teacher.patch(f"/courses/{course}", json={"is_closed": False}).json()
    assert reopened["closed_on"] is None


def test_a_course_goes_with_everything_in_it_and_not_by_mistake(
    teacher: TestClient, administrator: TestClient, work_off: Callable[[], int]
) -> None:
    course = made_course(teacher)
    assignment = made_assignment(teacher, course)
    handed_in(teacher, assignment, {"asel.txt": "The wide steppe lies under a sky."}, work_off)
    batch = teacher.get(f"/assignments/{assignment}").json()["batch"]
    check = teacher.get(f"/batches/{batch}/checks").json()["items"][0]["id"]
    refused = teacher.delete(f"/courses/{course}")
    assert (refused.status_code, refused.json()["code"]) == (409, "server.course_not_empty")
    answer = teacher.delete(f"/courses/{course}", params={"with_submissions": True})
    assert answer.status_code == 204
    for path in (f"/courses/{course}", f"/batches/{batch}", f"/checks/{check}"):
        assert teacher.get(path).status_code == 404
    acts = administrator.get("/audit", params={"limit": 100}).json()["items"]
    assert {"course made", "assignment made", "submissions handed in", "course deleted"} <= {
        one["act"] for one in acts
    }
