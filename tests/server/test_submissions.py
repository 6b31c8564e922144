"""Submissions: attempts, groups, archives, and a class that goes on."""

from __future__ import annotations

import csv
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from io import StringIO

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import func, select, update

from likewise.server.context import ServerContext
from likewise.server.database import tables
from tests.library.texts import invented
from tests.server.checking import APPLES, MARKET, OWN, RIVER, add, post, zipped
from tests.server.teaching import (
    handed_in,
    join,
    made_assignment,
    made_course,
    moodle,
    of,
    sources_of,
    submissions,
)

LogIn = Callable[..., TestClient]
WorkOff = Callable[[], int]


@pytest.fixture
def student(log_in: LogIn) -> TestClient:
    return log_in("dana", "student")


@pytest.fixture
def course(teacher: TestClient, student: TestClient) -> str:
    id = made_course(teacher)
    join(teacher, id, "student", "dana")
    return id


@pytest.fixture
def assignment(teacher: TestClient, course: str) -> str:
    return made_assignment(teacher, course)


def essay(seed: int, *more: str) -> str:
    return "\n\n".join((invented(60, seed=seed), *more))


def checks_made(context: ServerContext) -> int:
    """How many checks there are, of all attempts."""
    with context.store.reading() as connection:
        return connection.execute(select(func.count()).select_from(tables.checks)).scalar_one()


def test_an_archive_of_moodle_fills_an_assignment(
    teacher: TestClient, assignment: str, work_off: WorkOff
) -> None:
    archive = zipped(
        {
            moodle("Asel Nur", 701): essay(1),
            moodle("Dana Lee", 702): essay(2, RIVER),
            moodle("Dana Lee", 703): essay(3, RIVER),
            moodle("Omar", 704, "broken.pdf"): "%PDF-1.7 broken",
        }
    )
    receipt = handed_in(teacher, assignment, {"class.zip": archive}, work_off)
    assert (receipt["attempt"], receipt["files"]) == (None, [])
    found = submissions(teacher, assignment)
    assert [one["student"] for one in found] == ["Asel Nur", "Dana Lee", "Dana Lee", "Omar"]
    assert [one["state"] for one in found] == ["checked", "checked", "checked", "unread"]
    assert len({one["number"] for one in found}) == 4  # namesakes are two
    assert of(found, "Omar")["receipt"]["unread"]["key"].startswith("reading.")
    assert of(found, "Asel Nur")["receipt"]["words"] == len(essay(1).split())
    one = teacher.get(f"/assignments/{assignment}").json()
    assert one["counts"] == {"students": 4, "files": 4, "late": 0, "waiting": 0, "unread": 1}
    assert (one["summary"]["pairs"], one["summary"]["documents"]) == (1, 3)
    assert len(one["summary"]["unread"]) == 1 and one["state"] == "done"
    view = teacher.get(f"/batches/{one['batch']}/view").json()
    labels = {check["document"]["label"] for check in view["checks"]}
    assert "Asel Nur" in labels


@pytest.mark.parametrize(
    ("members", "students"),
    [
        (
            {"nurasel_LATE_4711_90210_essay.txt": 1, "leedana_4712_90211_essay.txt": 2},
            {"nurasel": True, "leedana": False},
        ),
        (
            {"week 3/Asel Nur/essay.txt": 1, "week 3/Dana Lee/essay.txt": 2},
            {"Asel Nur": False, "Dana Lee": False},
        ),
        ({"Asel Nur.txt": 1, "Dana Lee.txt": 2}, {"Asel Nur": False, "Dana Lee": False}),
    ],
    ids=["canvas", "folders", "files"],
)
def test_archives_of_canvas_and_folders_fill_one_too(
    teacher: TestClient,
    assignment: str,
    work_off: WorkOff,
    members: dict[str, int],
    students: dict[str, bool],
) -> None:
    archive = zipped({name: essay(seed) for name, seed in members.items()})
    handed_in(teacher, assignment, {"class.zip": archive}, work_off)
    found = submissions(teacher, assignment)
    assert {one["student"]: one["is_late"] for one in found} == students
    assert {one["state"] for one in found} == {"checked"}


def test_of_more_files_only_the_new_ones_are_checked(
    context: ServerContext, teacher: TestClient, assignment: str, work_off: WorkOff
) -> None:
    first = {moodle("Asel Nur", 701): essay(1, RIVER), moodle("Dana Lee", 702): essay(2)}
    handed_in(teacher, assignment, {"class.zip": zipped(first)}, work_off)
    before = {one["student"]: one["check"] for one in submissions(teacher, assignment)}
    more = first | {moodle("Omar", 703): essay(3, RIVER)}
    handed_in(teacher, assignment, {"class.zip": zipped(more)}, work_off)
    found = submissions(teacher, assignment)
    assert {one["student"]: one["check"] for one in found}.items() >= before.items()
    assert checks_made(context) == 3 and {one["attempt"] for one in found} == {1}
    # The new one is checked against the class, and the class shows all of them.
    assert sources_of(teacher, of(found, "Omar")) == [
        f"Asel Nur_{of(found, 'Asel Nur')['number']}_assignsubmission_file_/essay.txt"
    ]
    summary = teacher.get(f"/assignments/{assignment}").json()["summary"]
    assert (summary["documents"], summary["pairs"], summary["clusters"]) == (3, 1, 1)
    # The same once more changes nothing at all.
    handed_in(teacher, assignment, {"class.zip": zipped(more)}, work_off)
    assert submissions(teacher, assignment) == found and checks_made(context) == 3


def test_a_class_that_grew_says_what_one_that_came_at_once_says(
    teacher: TestClient, course: str, work_off: WorkOff
) -> None:
    works = {moodle(f"Student {n}", 700 + n): essay(n) for n in range(1, 5)}
    works[moodle("Copy A", 801)] = essay(11, MARKET)
    works[moodle("Copy B", 802)] = essay(12, MARKET)
    at_once, grown = made_assignment(teacher, course), made_assignment(teacher, course)
    handed_in(teacher, at_once, {"class.zip": zipped(works)}, work_off)
    for path in sorted(works, key=lambda path: path.split("_")[1]):
        archive = zipped({path: works[path]})
        handed_in(teacher, grown, {"class.zip": archive}, work_off)

    def pairs(assignment: str) -> list[tuple[set[str], float]]:
        batch = teacher.get(f"/assignments/{assignment}").json()["batch"]
        view = teacher.get(f"/batches/{batch}/view").json()
        names = [text["label"] for text in view["collection"]["texts"]]
        return [
            ({names[pair["a"]], names[pair["b"]]}, pair["similarity"])
            for pair in view["collection"]["pairs"]
        ]

    assert len(pairs(at_once)) == 1 and pairs(at_once) == pairs(grown)


def test_another_attempt_never_matches_the_one_before(
    context: ServerContext,
    teacher: TestClient,
    student: TestClient,
    assignment: str,
    work_off: WorkOff,
) -> None:
    first = handed_in(student, assignment, {"essay.txt": essay(1, OWN)}, work_off)
    assert (first["attempt"], first["is_new"], first["is_late"]) == (1, True, False)
    handed_in(teacher, assignment, {"Asel Nur.txt": essay(2, MARKET)}, work_off)
    second = handed_in(student, assignment, {"essay.txt": essay(1, OWN, MARKET)}, work_off)
    assert second["attempt"] == 2
    found = submissions(teacher, assignment)
    own = of(found, "dana")
    assert (own["attempt"], own["attempts"], own["is_last"]) == (2, 2, True)
    assert [name.split("_")[0] for name in sources_of(teacher, own)] == ["Asel Nur"]
    everything = submissions(teacher, assignment, attempts="all")
    assert sorted(one["attempt"] for one in everything) == [1, 1, 2]
    # In the class stands the last attempt alone; the one before can still be read.
    one = teacher.get(f"/assignments/{assignment}").json()
    assert (one["summary"]["documents"], one["counts"]["files"]) == (2, 2)
    (earlier,) = [one for one in everything if not one["is_last"]]
    assert teacher.get(f"/checks/{earlier['check']}/result").status_code == 200
    listed = teacher.get(f"/batches/{one['batch']}/checks").json()["items"]
    assert {check["id"] for check in listed} == {one["check"] for one in found}
    assert teacher.get("/checks").json()["total"] == 0


def test_an_attempt_that_was_replaced_before_it_was_checked_can_be_read_too(
    teacher: TestClient, student: TestClient, assignment: str, work_off: WorkOff
) -> None:
    handed_in(teacher, assignment, {"Asel Nur.txt": essay(3, RIVER)})
    handed_in(student, assignment, {"essay.txt": essay(1, RIVER)})
    handed_in(student, assignment, {"essay.txt": essay(1, RIVER, OWN)})
    assert work_off() == 1
    everything = submissions(teacher, assignment, attempts="all")
    assert {one["state"] for one in everything} == {"checked"} and len(everything) == 3
    (first,) = [one for one in everything if not one["is_last"]]
    assert [name.split("_")[0] for name in sources_of(teacher, first)] == ["Asel Nur"]
    assert first["receipt"]["words"] == len(essay(1, RIVER).split())
    one = teacher.get(f"/assignments/{assignment}").json()
    assert (one["summary"]["documents"], one["summary"]["pairs"]) == (2, 1)
    listed = teacher.get(f"/batches/{one['batch']}/checks").json()["items"]
    assert first["check"] not in {check["id"] for check in listed}


def test_not_even_where_works_are_kept_in_the_library(
    context: ServerContext,
    teacher: TestClient,
    student: TestClient,
    course: str,
    work_off: WorkOff,
) -> None:
    id = made_assignment(teacher, course, request={"keep": True})
    handed_in(student, id, {"essay.txt": essay(1, OWN)}, work_off)
    assert [one.name for one in context.library.list().entries] == [
        "dana_1_assignsubmission_file_/essay.txt"
    ]
    handed_in(student, id, {"essay.txt": essay(1, OWN, MARKET)}, work_off)
    assert sources_of(teacher, submissions(teacher, id)[0]) == []
    # Who hands in the same elsewhere, or copies it, has it as a source.
    other = made_assignment(teacher, course)
    handed_in(teacher, other, {"Asel Nur.txt": essay(3, OWN)}, work_off)
    assert len(sources_of(teacher, submissions(teacher, other)[0])) > 0


def test_bytes_that_somebody_else_added_stay_a_source(
    context: ServerContext,
    student: TestClient,
    teacher: TestClient,
    assignment: str,
    work_off: WorkOff,
) -> None:
    add(context, stolen=essay(1, OWN))
    handed_in(student, assignment, {"essay.txt": essay(1, OWN)}, work_off)
    handed_in(student, assignment, {"essay.txt": essay(1, OWN, MARKET)}, work_off)
    assert sources_of(teacher, submissions(teacher, assignment)[0]) == ["stolen.txt"]


def test_a_group_is_no_source_of_itself(
    teacher: TestClient, assignment: str, work_off: WorkOff
) -> None:
    shared = essay(1, RIVER)
    works = {
        moodle("Asel Nur", 701): shared,
        moodle("Dana Lee", 702): f"{shared}\n\n{APPLES}",
        moodle("Omar", 703): essay(3, RIVER),
    }
    groups = {"Asel Nur": "Team 1", "Dana Lee": "Team 1"}
    handed_in(teacher, assignment, {"class.zip": zipped(works)}, work_off, groups=groups)
    found = submissions(teacher, assignment)
    assert of(found, "Asel Nur")["group"] == "Team 1" and of(found, "Omar")["group"] is None
    for name in ("Asel Nur", "Dana Lee"):
        sources = sources_of(teacher, of(found, name))
        assert [source.split("_")[0] for source in sources] == ["Omar"]
    batch = teacher.get(f"/assignments/{assignment}").json()["batch"]
    view = teacher.get(f"/batches/{batch}/view").json()["collection"]
    names = [text["label"] for text in view["texts"]]
    pairs = [{names[pair["a"]], names[pair["b"]]} for pair in view["pairs"]]
    assert {"Asel Nur", "Omar"} in pairs and {"Asel Nur", "Dana Lee"} not in pairs


def test_files_of_one_student_are_one_attempt_and_no_pair(
    context: ServerContext,
    student: TestClient,
    teacher: TestClient,
    assignment: str,
    work_off: WorkOff,
) -> None:
    files = {"essay.txt": essay(1, RIVER), "appendix.txt": essay(2, RIVER)}
    receipt = handed_in(student, assignment, files, work_off)
    assert [one["name"] for one in receipt["files"]] == ["appendix.txt", "essay.txt"]
    found = submissions(teacher, assignment)
    assert len(found) == 2 and {one["number"] for one in found} == {1}
    assert teacher.get(f"/assignments/{assignment}").json()["summary"]["pairs"] == 0
    # What has not changed keeps its check in the next attempt.
    files["essay.txt"] = essay(1, RIVER, OWN)
    handed_in(student, assignment, files, work_off)
    checks = {one["name"]: one["check"] for one in found}
    again = {one["name"]: one["check"] for one in submissions(teacher, assignment)}
    assert again["appendix.txt"] == checks["appendix.txt"]
    assert again["essay.txt"] != checks["essay.txt"]
    assert checks_made(context) == 3
    assert teacher.get(f"/assignments/{assignment}").json()["summary"]["documents"] == 2


def test_the_same_bytes_are_not_another_attempt(
    context: ServerContext, student: TestClient, assignment: str, work_off: WorkOff
) -> None:
    files = {"essay.txt": essay(1)}
    first = handed_in(student, assignment, files, work_off)
    again = handed_in(student, assignment, files, work_off)
    assert (again["is_new"], again["attempt"], again["files"]) == (False, 1, first["files"])
    assert checks_made(context) == 1


def test_late_is_what_comes_after_the_deadline_and_closed_is_closed(
    teacher: TestClient, student: TestClient, course: str, work_off: WorkOff
) -> None:
    now = datetime.now(UTC)
    due, closes = now - timedelta(hours=1), now + timedelta(hours=1)
    id = made_assignment(teacher, course, due_on=due.isoformat(), closes_on=closes.isoformat())
    assert handed_in(student, id, {"essay.txt": essay(1)}, work_off)["is_late"]
    in_time = (due - timedelta(days=1)).isoformat()
    works = {"Asel Nur.txt": essay(2)}
    assert not handed_in(teacher, id, works, work_off, handed_in_on=in_time)["is_late"]
    late = submissions(teacher, id, late=True)
    assert [one["student"] for one in late] == ["dana"]
    assert teacher.get(f"/assignments/{id}").json()["counts"]["late"] == 1
    teacher.patch(f"/assignments/{id}", json={"closes_on": (due + timedelta(1 / 1440)).isoformat()})
    refused = post(student, f"/assignments/{id}/submissions", {"essay.txt": essay(3)})
    assert refused.json()["code"] == "server.assignment_closed"
    assert not student.get(f"/assignments/{id}").json()["may_hand_in"]
    assert handed_in(teacher, id, {"Omar.txt": essay(4)}, work_off)["attempt"] == 1


def test_what_students_may_not_say(teacher: TestClient, student: TestClient, course: str) -> None:
    id = made_assignment(teacher, course, rules={"most_attempts": 1})
    path, work = f"/assignments/{id}/submissions", {"essay.txt": essay(1)}
    for said in ({"student": "Asel"}, {"handed_in_on": "2026-01-01T00:00:00Z"}):
        assert post(student, path, work, **said).json()["code"] == "server.teachers_only_fields"
    assert post(student, path, work, group="Team").json()["code"] == "server.no_group_here"
    assert post(student, path, {}).json()["code"] == "server.no_files"
    packed = post(student, path, {"all.zip": zipped({"a.txt": "a text"})})
    assert (packed.status_code, packed.json()["code"]) == (415, "server.archive_alone")
    unknown = post(student, path, work, consent="0" * 24)
    assert unknown.status_code == 404
    handed_in(student, id, work)
    assert post(student, path, {"b.txt": "b"}).json()["code"] == "server.many_attempts"
    assert not student.get(f"/assignments/{id}").json()["may_hand_in"]


def test_students_see_their_own_submissions_alone(
    teacher: TestClient, student: TestClient, log_in: LogIn, course: str, work_off: WorkOff
) -> None:
    other = log_in("omar", "student")
    join(teacher, course, "student", "omar")
    id = made_assignment(teacher, course)
    handed_in(student, id, {"essay.txt": essay(1, RIVER)}, work_off)
    handed_in(other, id, {"essay.txt": essay(2, RIVER)}, work_off)
    (own,) = submissions(student, id)
    assert (own["student"], own["check"], own["may_read_report"]) == ("dana", None, False)
    assert own["summary"] is None and own["receipt"]["words"] > 0
    (foreign,) = submissions(other, id)
    there = student.get(f"/submissions/{foreign['id']}")
    nowhere = student.get(f"/submissions/{'0' * 24}")
    assert there.status_code == 404 and there.json() == nowhere.json()
    assert student.get("/submissions").json()["total"] == 1
    assert student.get("/checks").status_code == 403
    teacher.patch(f"/assignments/{id}", json={"rules": {"student_report": "always"}})
    (own,) = submissions(other, id)
    assert own["may_read_report"] and own["summary"]["shares"]["similar"] > 0
    assert own["summary"]["sources"] == 1 and own["summary"]["top"] == []  # and not whose it is


def test_a_second_teacher_reads_and_decides(
    teacher: TestClient, log_in: LogIn, course: str, assignment: str, work_off: WorkOff
) -> None:
    works = {"Asel Nur.txt": essay(1, RIVER), "Dana Lee.txt": essay(2, RIVER)}
    handed_in(teacher, assignment, works, work_off)
    (one, _) = submissions(teacher, assignment)
    colleague = log_in("bolat")
    path = f"/checks/{one['check']}"
    assert colleague.get(path).status_code == 404
    join(teacher, course, "teacher", "bolat")
    batch = colleague.get(f"/assignments/{assignment}").json()["batch"]
    assert colleague.get(f"/batches/{batch}/report?format=csv").status_code == 200
    (source,) = sources_of(colleague, one)
    answer = colleague.post(f"{path}/exclusions", json={"source": source, "reason": "a quotation"})
    assert answer.status_code == 201, answer.text
    confirmed = colleague.post(f"{path}/confirmations", json={"comment": "so it is"})
    assert confirmed.status_code == 201
    refused = teacher.delete(path)
    assert (refused.status_code, refused.json()["code"]) == (409, "server.handed_in")
    members = teacher.get(f"/courses/{course}/members").json()["items"]
    (id,) = [member["id"] for member in members if member["name"] == "bolat"]
    teacher.delete(f"/courses/{course}/members/{id}")
    assert colleague.get(path).status_code == 404


def test_an_attempt_that_is_deleted_makes_room_for_the_one_before(
    context: ServerContext,
    teacher: TestClient,
    student: TestClient,
    assignment: str,
    work_off: WorkOff,
) -> None:
    handed_in(student, assignment, {"essay.txt": essay(1)}, work_off)
    handed_in(student, assignment, {"essay.txt": essay(2)}, work_off)
    (last,) = submissions(teacher, assignment)
    assert student.delete(f"/submissions/{last['id']}").status_code == 403
    assert teacher.delete(f"/submissions/{last['id']}").status_code == 204
    work_off()
    (one,) = submissions(teacher, assignment)
    assert (one["attempt"], one["is_last"]) == (1, True) and checks_made(context) == 1
    batch = teacher.get(f"/assignments/{assignment}").json()["batch"]
    (listed,) = teacher.get(f"/batches/{batch}/checks").json()["items"]
    assert listed["id"] == one["check"]
    view = teacher.get(f"/batches/{batch}/view").json()
    assert [check["document"]["name"] for check in view["checks"]] == [listed["name"]]
    assert teacher.get(f"/assignments/{assignment}").json()["summary"]["documents"] == 1


def test_the_history_of_a_student_is_for_those_who_teach_the_student(
    teacher: TestClient, student: TestClient, log_in: LogIn, course: str, work_off: WorkOff
) -> None:
    colleague = log_in("bolat")
    other = made_course(colleague, "Rhetoric")
    join(colleague, other, "student", "dana")
    handed_in(student, made_assignment(teacher, course), {"a.txt": essay(1)}, work_off)
    handed_in(student, made_assignment(colleague, other, "Speech"), {"b.txt": essay(2)}, work_off)
    handed_in(student, made_assignment(teacher, course, "Exam", is_blind=True), {"c.txt": essay(3)})
    me = student.get("/me").json()["id"]
    path = f"/students/{me}/submissions"
    seen = teacher.get(path).json()["items"]
    assert [one["assignment_name"] for one in seen] == ["Essay 1"]
    assert [one["course_name"] for one in colleague.get(path).json()["items"]] == ["Rhetoric"]
    assert student.get(path).json()["total"] == 3
    stranger = log_in("serik")
    assert stranger.get(path).json() == stranger.get(f"/students/{'0' * 24}/submissions").json()
    (known,) = teacher.get("/students", params={"search": "dan"}).json()["items"]
    assert (known["id"], known["courses"], known["submissions"]) == (me, 1, 2)


def test_files_of_platforms_find_the_accounts_of_their_students(
    teacher: TestClient, student: TestClient, assignment: str, work_off: WorkOff
) -> None:
    archive = zipped({moodle("Dana", 701): essay(1), moodle("Asel Nur", 702): essay(2)})
    handed_in(teacher, assignment, {"class.zip": archive}, work_off)
    (own,) = submissions(student, assignment)
    assert (own["student"], own["attempt"]) == ("Dana", 1)
    assert handed_in(student, assignment, {"essay.txt": essay(3)}, work_off)["attempt"] == 2


def test_what_is_handed_in_while_a_job_waits_goes_with_it(
    context: ServerContext,
    teacher: TestClient,
    student: TestClient,
    assignment: str,
    work_off: WorkOff,
) -> None:
    first = handed_in(student, assignment, {"essay.txt": essay(1, RIVER)})
    second = handed_in(teacher, assignment, {"Asel Nur.txt": essay(2, RIVER)})
    third = handed_in(teacher, assignment, {"more.zip": zipped({moodle("Omar", 703): essay(3)})})
    assert first["job"] == second["job"] == third["job"]
    assert {one["state"] for one in submissions(teacher, assignment)} == {"waiting"}
    assert work_off() == 1
    found = submissions(teacher, assignment)
    assert {one["state"] for one in found} == {"checked"} and len(found) == 3
    assert teacher.get(f"/assignments/{assignment}").json()["summary"]["pairs"] == 1


def test_an_assignment_tells_of_the_job_of_the_newest_hand_in_before_it_begins(
    teacher: TestClient, assignment: str, work_off: WorkOff
) -> None:
    def told() -> tuple[str, str]:
        detail = teacher.get(f"/assignments/{assignment}").json()
        (listed,) = teacher.get("/assignments").json()["items"]
        assert listed["state"] == detail["state"]
        return detail["job"], detail["state"]

    first = handed_in(teacher, assignment, {"Asel Nur.txt": essay(1)}, work_off)["job"]
    assert told() == (first, "done")
    second = handed_in(teacher, assignment, {"Dana Lee.txt": essay(2)})["job"]
    assert second != first and told() == (second, "queued")
    work_off()
    assert told() == (second, "done")


def test_a_job_that_is_done_once_more_checks_nothing_twice(
    context: ServerContext, teacher: TestClient, assignment: str, work_off: WorkOff
) -> None:
    archive = zipped({moodle("Asel Nur", 701): essay(1), moodle("Dana Lee", 702): essay(2)})
    receipt = handed_in(teacher, assignment, {"class.zip": archive})
    from likewise.server.jobs.leases import take_job
    from likewise.server.jobs.work import Work
    from likewise.server.submissions.job import check_submissions

    job = take_job(context.store, "one that dies", 30)
    assert job is not None and job.id == receipt["job"]
    check_submissions(Work(context, job, lambda *_: None))  # and its end is never written down
    before = submissions(teacher, assignment, attempts="all")
    with context.store.beside() as connection:
        jobs = tables.jobs
        connection.execute(
            update(jobs).where(jobs.c.id == job.id).values(state="queued", worker=None)
        )
    work_off()
    assert teacher.get(f"/jobs/{job.id}").json()["state"] == "done"
    assert submissions(teacher, assignment, attempts="all") == before
    assert checks_made(context) == 2


def test_one_job_of_an_assignment_runs_at_a_time(
    context: ServerContext, teacher: TestClient, assignment: str, work_off: WorkOff
) -> None:
    from likewise.server.jobs.leases import take_job
    from likewise.server.jobs.work import WaitsForTurn, Work
    from likewise.server.submissions.job import _take_turn, check_submissions

    handed_in(teacher, assignment, {"Asel Nur.txt": essay(1)})
    first = take_job(context.store, "first", 30)
    assert first is not None
    _take_turn(Work(context, first, lambda *_: None))
    handed_in(teacher, assignment, {"Dana Lee.txt": essay(2)})
    second = take_job(context.store, "second", 30)
    assert second is not None and second.id != first.id
    with pytest.raises(WaitsForTurn):
        check_submissions(Work(context, second, lambda *_: None))
    assert teacher.get(f"/assignments/{assignment}").json()["job"] == first.id
    with context.store.beside() as connection:
        jobs = tables.jobs
        connection.execute(update(jobs).values(state="queued", worker=None))
    work_off()
    assert {one["state"] for one in submissions(teacher, assignment)} == {"checked"}


def test_what_failed_is_checked_once_more_as_long_as_its_files_are_there(
    context: ServerContext, teacher: TestClient, assignment: str, work_off: WorkOff
) -> None:
    refused = teacher.post(f"/assignments/{assignment}/check")
    assert (refused.status_code, refused.json()["code"]) == (409, "server.nothing_waits")
    job = handed_in(teacher, assignment, {"Asel Nur.txt": essay(1)})["job"]
    with context.store.beside() as connection:
        jobs = tables.jobs
        connection.execute(update(jobs).where(jobs.c.id == job).values(state="failed"))
    (one,) = submissions(teacher, assignment)
    assert one["state"] == "failed" and one["error_code"] is not None
    assert teacher.post(f"/assignments/{assignment}/check").json() == {"jobs": [job]}
    work_off()
    assert submissions(teacher, assignment, state="checked")


def test_a_class_deleted_by_itself_leaves_an_empty_assignment(
    teacher: TestClient, assignment: str, work_off: WorkOff
) -> None:
    handed_in(teacher, assignment, {"Asel Nur.txt": essay(1)}, work_off)
    batch = teacher.get(f"/assignments/{assignment}").json()["batch"]
    assert teacher.delete(f"/batches/{batch}").status_code == 204
    assert submissions(teacher, assignment) == []
    handed_in(teacher, assignment, {"Asel Nur.txt": essay(1)}, work_off)
    assert submissions(teacher, assignment, state="checked")


def test_what_is_erased_is_gone_from_submissions_and_the_class_goes_on(
    context: ServerContext,
    teacher: TestClient,
    student: TestClient,
    administrator: TestClient,
    assignment: str,
    work_off: WorkOff,
) -> None:
    (number,) = context.library.add_texts({"stolen.txt": RIVER}).ids
    handed_in(student, assignment, {"essay.txt": essay(1, RIVER)}, work_off)
    handed_in(student, assignment, {"essay.txt": essay(1, RIVER, OWN)}, work_off)
    (one,) = submissions(teacher, assignment)
    assert sources_of(teacher, one) == ["stolen.txt"]
    asked = administrator.post("/erasures", json={"documents": [number]})
    assert asked.status_code == 202, asked.text
    work_off()
    for row in submissions(teacher, assignment, attempts="all"):
        assert "stolen" not in teacher.get(f"/checks/{row['check']}/result").text
    handed_in(teacher, assignment, {"Asel Nur.txt": essay(2, OWN)}, work_off)
    found = submissions(teacher, assignment)
    assert {row["state"] for row in found} == {"checked"}
    assert len(sources_of(teacher, of(found, "Asel Nur"))) == 1


def test_a_student_who_is_erased_takes_the_account_and_not_the_class(
    teacher: TestClient,
    student: TestClient,
    administrator: TestClient,
    assignment: str,
    work_off: WorkOff,
) -> None:
    handed_in(student, assignment, {"essay.txt": essay(1, RIVER)}, work_off)
    asked = administrator.post("/erasures", json={"user": "dana"})
    assert asked.status_code == 202, asked.text
    work_off()
    handed_in(teacher, assignment, {"Asel Nur.txt": essay(2, RIVER)}, work_off)
    found = submissions(teacher, assignment)
    assert {row["user"] for row in found} == {None}
    assert of(found, "Asel Nur")["state"] == "checked"


def test_who_was_checked_first_is_shown_beside_who_came_later(
    teacher: TestClient, assignment: str, work_off: WorkOff
) -> None:
    works = {"Erlan": essay(1, MARKET), "Madi": essay(2, MARKET), "Zhanar": essay(3)}
    for name, text in works.items():
        handed_in(teacher, assignment, {f"{name}.txt": text}, work_off)
    one = teacher.get(f"/assignments/{assignment}").json()
    view = teacher.get(f"/batches/{one['batch']}/view").json()
    (pair,) = view["collection"]["pairs"]
    names = [view["collection"]["texts"][pair[side]]["label"] for side in ("a", "b")]
    assert names[pair["later"] == "b"] == "Madi"
    # The market is as large a part of one essay as of the other: no text is taken for none.
    assert pair["containment_a"] == pytest.approx(pair["containment_b"], abs=0.05)
    assert min(pair["containment_a"], pair["containment_b"]) > 0.2
    answer = teacher.get(f"/batches/{one['batch']}/report", params={"format": "csv"})
    reader = csv.DictReader(StringIO(answer.text.lstrip("\ufeff")))
    closest = {row["document"]: row["closest in the class"] for row in reader}
    assert closest == {"Erlan": "Madi", "Madi": "Erlan", "Zhanar": ""}
    found = submissions(teacher, assignment)
    earlier = "containment_a" if pair["later"] == "b" else "containment_b"
    assert of(found, "Erlan")["later_share"] == pair[earlier]
    assert [of(found, name)["later_share"] for name in ("Madi", "Zhanar")] == [None, None]
    # Whoever opens the report alone learns it there.
    shares = {
        name: teacher.get(f"/checks/{of(found, name)['check']}").json()["later_share"]
        for name in works
    }
    assert shares == {"Erlan": pair[earlier], "Madi": None, "Zhanar": None}
    # Where a teacher decides that it does not count, it counts for neither of them.
    madi = of(found, "Madi")
    decision = {"source": sources_of(teacher, madi)[0], "reason": "They wrote it together."}
    assert teacher.post(f"/checks/{madi['check']}/exclusions", json=decision).status_code == 201
    found = submissions(teacher, assignment)
    assert [of(found, name)["later_share"] for name in works] == [None, None, None]


def test_a_report_says_that_a_passage_stood_in_an_earlier_attempt_before_its_source_came(
    teacher: TestClient, administrator: TestClient, assignment: str, work_off: WorkOff
) -> None:
    for name, text in (
        ("Erlan", essay(1, MARKET)),
        ("Madi", essay(2, MARKET)),  # has copied
        ("Erlan", essay(1, MARKET, OWN)),  # a better one, to which the copy is a source
        ("Madi", essay(2, MARKET, RIVER)),
    ):
        handed_in(teacher, assignment, {f"{name}.txt": text}, work_off)
    notes = {}
    for name in ("Erlan", "Madi"):
        row = of(submissions(teacher, assignment), name)
        assert len(sources_of(teacher, row)) == 1
        view = teacher.get(f"/checks/{row['check']}/view").json()
        notes[name] = [one for one in view["notes"] if one["kind"] == "earlier attempt"]
    (note,) = notes["Erlan"]
    told = note["said"]["values"]
    assert (note["name"].partition("_")[0], told["n"]) == ("Madi", told["words"])
    assert told["own"] <= told["on"]
    assert notes["Madi"] == []
    # Whoever is erased is named in the note no longer.
    assert administrator.post("/erasures", json={"person": "Madi"}).status_code == 202
    work_off()
    (row,) = submissions(teacher, assignment)
    assert "Madi" not in teacher.get(f"/checks/{row['check']}/view").text


def test_every_teacher_of_the_course_decides_about_a_report(
    teacher: TestClient, log_in: LogIn, course: str, assignment: str, work_off: WorkOff
) -> None:
    works = {"Erlan.txt": essay(1, MARKET), "Madi.txt": essay(2, MARKET)}
    handed_in(teacher, assignment, works, work_off)
    check = of(submissions(teacher, assignment), "Madi")["check"]
    colleague = log_in("bolat")
    join(teacher, course, "teacher", "bolat")
    found = colleague.get(f"/checks/{check}").json()
    assert (found["may_change"], found["is_mine"]) == (True, False)
    source = colleague.get(f"/checks/{check}/view").json()["sources"][0]["text"]["name"]
    decision = {"source": source, "reason": "They were told to write together."}
    assert colleague.post(f"/checks/{check}/exclusions", json=decision).status_code == 201


def test_canvas_runs_names_together_and_their_accounts_are_found_all_the_same(
    teacher: TestClient, log_in: LogIn, course: str, assignment: str, work_off: WorkOff
) -> None:
    me = log_in("lee", "student").get("/me").json()
    assert log_in("lee").patch("/me", json={"shown_name": "Lee Anna O'Neil"}).status_code == 200
    join(teacher, course, "student", "lee")
    handed_in(log_in("lee"), assignment, {"essay.txt": essay(1, OWN)}, work_off)
    archive = zipped({"oneilleeanna_LATE_4711_90210_essay.txt": essay(1, OWN, MARKET)})
    handed_in(teacher, assignment, {"class.zip": archive}, work_off)
    first, second = sorted(
        submissions(teacher, assignment, attempts="all"), key=lambda one: one["attempt"]
    )
    # It is the student's next attempt, not the work of somebody who copied from the first.
    assert (second["user"], second["attempt"], second["is_late"]) == (me["id"], 2, True)
    assert (second["student"], second["number"]) == ("Lee Anna O'Neil", first["number"])
    assert sources_of(teacher, second) == []


def test_a_file_that_was_chosen_twice_is_one_work(
    student: TestClient, teacher: TestClient, assignment: str, work_off: WorkOff
) -> None:
    files = [("file", ("essay.txt", essay(1).encode()))] * 2
    files.append(("file", ("annex.txt", essay(2).encode())))
    answer = student.post(f"/assignments/{assignment}/submissions", files=files)
    assert answer.status_code == 202, answer.text
    assert sorted(one["name"] for one in answer.json()["files"]) == ["annex.txt", "essay.txt"]
    work_off()
    found = submissions(teacher, assignment)
    assert [(one["name"], one["state"]) for one in found] == [
        ("annex.txt", "checked"),
        ("essay.txt", "checked"),
    ]
    assert teacher.get(f"/assignments/{assignment}").json()["summary"]["documents"] == 2
