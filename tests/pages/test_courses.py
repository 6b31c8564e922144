"""A course with an assignment: what a platform has collected is uploaded, again with more files."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

import pytest
from playwright.sync_api import Locator, expect

from tests.library.texts import invented

from .conftest import Visit
from .live_server import LiveServer
from .making import payload, zipped
from .speech import Language
from .visitor import Visitor

SHARED = invented(80, seed=7_001)
ESSAYS = {
    "Daniel Carter_204517": f"{invented(90, seed=7_010)}\n\n{SHARED}",
    "Emma Clarke_204518": f"{SHARED}\n\n{invented(90, seed=7_011)}",
    "Asel Nur_204519": invented(160, seed=7_012),
}
LATE = "Liam Moore_204520"


def of_moodle(essays: dict[str, str]) -> bytes:
    """Files of students as Moodle packs them."""
    names = {f"{who}_assignsubmission_file_/essay.txt": text for who, text in essays.items()}
    return zipped(names)


def row(visitor: Visitor, name: str) -> Locator:
    return visitor.page.get_by_role("row").filter(has_text=name)


def by_the_clock(days: int) -> str:
    """A time as a field of a date with a time takes it."""
    return f"{datetime.now() + timedelta(days=days):%Y-%m-%dT%H:%M}"


def upload(visitor: Visitor, archive: dict[str, object], handed_in_on: str = "") -> None:
    visitor.page.get_by_role("link", name=visitor.words("handin.title"), exact=True).first.click()
    visitor.give(archive)
    visitor.page.get_by_text(visitor.words("handin.whose")).click()
    visitor.fill("handin.handed_in_on", handed_in_on)
    visitor.picture("to-upload")
    visitor.press("handin.go")
    visitor.is_at(r"/assignments/\w+")  # once its job has ended


@pytest.mark.parametrize(("engine_name", "language"), [("sqlite", "en"), ("sqlite", "ru")])
def test_a_teacher_fills_an_assignment_from_moodle_twice_and_reads_a_report(
    live_server: LiveServer, visit: Visit, language: Language
) -> None:
    live_server.people(aigul="teacher:Aigul", daniel="student:Daniel Carter")
    live_server.start()
    teacher = visit(live_server, language)
    page, words = teacher.page, teacher.words
    teacher.log_in("aigul")
    teacher.follow("place.courses")
    teacher.sees("courses.empty.more")
    teacher.press("courses.new")
    teacher.fill("course.name", "Essays of the steppe")
    teacher.fill("course.code", "LIT-101")
    teacher.press("app.save")
    expect(page.get_by_role("heading", level=1)).to_have_text("Essays of the steppe")
    teacher.sees("assignments.empty")
    teacher.picture("course")

    # Who studies in it.
    teacher.follow("members.title")
    teacher.press("members.add")
    teacher.fill("members.candidates", "dan")
    page.get_by_role("checkbox", name="Daniel Carter").check()
    teacher.picture("candidates")
    teacher.press("members.add.go", n=1)
    expect(row(teacher, "Daniel Carter")).to_contain_text(words("role.student"))
    teacher.picture("members")

    # An assignment with a deadline and a text of its own.
    teacher.follow("assignments.title")
    teacher.follow("assignments.new")
    teacher.fill("assignment.name", "Two pages on rain")
    teacher.fill("assignment.instructions", "Write two pages.")
    teacher.fill("assignment.due_on", by_the_clock(-1))
    teacher.fill("assignment.closes_on", by_the_clock(9))
    teacher.fill("assignment.opens_on", by_the_clock(1))
    teacher.sees("assignment.dates.wrong")
    expect(teacher.button("assignment.make")).to_be_disabled()
    teacher.fill("assignment.opens_on", by_the_clock(-9))
    teacher.fill("assignment.high", "30")
    page.get_by_text(words("template.title")).click()
    teacher.fill("template.text", "Write two pages on rain, as you remember it from the steppe.")
    teacher.picture("assignment-form")
    teacher.press("assignment.make")
    teacher.sees("submissions.empty.more")
    teacher.picture("empty")

    # What the platform has collected before the deadline.
    upload(teacher, payload("moodle.zip", of_moodle(ESSAYS)), by_the_clock(-2))
    for name in ("Daniel Carter", "Emma Clarke", "Asel Nur"):
        expect(row(teacher, name)).to_contain_text(words("submission.state.checked"))
    expect(page.get_by_text(words("submission.late"), exact=True)).to_have_count(0)
    expect(row(teacher, "Daniel Carter").locator(".share")).to_be_visible()
    teacher.picture("handed-in")

    # The same archive with one more file and another attempt: both came too late.
    again = ESSAYS | {
        LATE: invented(150, seed=7_020),
        "Emma Clarke_204518": f"{SHARED}\n\n{invented(120, seed=7_021)}",
    }
    upload(teacher, payload("moodle.zip", of_moodle(again)), by_the_clock(0))
    expect(row(teacher, "Liam Moore")).to_contain_text(words("submission.late"))
    emma = row(teacher, "Emma Clarke")
    expect(emma).to_contain_text(words("submission.attempt_of", n=2, all=2))
    expect(emma).to_contain_text(words("submission.late"))
    expect(emma).to_contain_text(words("submission.state.checked"))
    expect(row(teacher, "Asel Nur")).to_contain_text(words("submission.attempt_of", n=1, all=1))
    # Daniel's report does not know of Emma's later attempt, so the list tells of it.
    later = re.escape(words("submission.later", share="SHARE")).replace("SHARE", r"\d+.\d+\s?%")
    expect(row(teacher, "Daniel Carter")).to_contain_text(re.compile(later))
    expect(row(teacher, "Asel Nur")).not_to_contain_text(re.compile(later))
    teacher.picture("again")
    page.get_by_role("combobox", name=words("submissions.show")).select_option("all")
    expect(row(teacher, "Emma Clarke")).to_have_count(2)
    expect(page).to_have_url(re.compile("show=all"))
    page.get_by_role("combobox", name=words("submissions.show")).select_option("late")
    expect(page.get_by_role("table").get_by_role("row")).to_have_count(3)

    # The report, and the class around it.
    page.goto(page.url.split("?")[0])
    row(teacher, "Daniel Carter").get_by_role("link", name=words("submission.report")).click()
    teacher.read_report()
    expect(page.locator(".later")).to_contain_text(re.compile(r"\d+.\d+\s?%"))
    expect(page.locator(".later").get_by_role("link")).to_have_text(words("checked.to_class"))
    teacher.press("certificate.title")
    expect(page.get_by_role("dialog").locator(".later")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.keyboard.press("Escape")
    teacher.is_at(r"/assignments/\w+/class")
    closest = page.locator("#documents td.closest").filter(has_text=words("batch.later"))
    expect(closest).to_contain_text("Emma Clarke")
    teacher.picture("class")
    page.locator(".report-actions .back").click()
    teacher.is_at(r"/assignments/\w+")

    # The overview knows it while it is open; classes of before lead here.
    page.goto("/")
    expect(page.get_by_role("region", name=words("home.assignments"))).to_contain_text(
        "Two pages on rain"
    )
    expect(page.get_by_role("link", name="Two pages on rain")).to_have_count(1)
    teacher.picture("overview")
    page.goto("/classes")
    page.get_by_role("link", name="Two pages on rain").click()
    teacher.is_at(r"/assignments/\w+")


@pytest.mark.parametrize("engine_name", ["sqlite"])
def test_names_are_hidden_until_an_assignment_is_unveiled(
    live_server: LiveServer, visit: Visit
) -> None:
    live_server.people(aigul="teacher:Aigul")
    live_server.start()
    with live_server.client("aigul") as client:
        course = client.post("/courses", json={"name": "Essays"}).json()["id"]
        made = client.post(f"/courses/{course}/assignments", json={"name": "1", "is_blind": True})
    teacher = visit(live_server)
    page, words = teacher.page, teacher.words
    teacher.log_in("aigul", at=f"/assignments/{made.json()['id']}")
    teacher.sees("assignment.blind.more")
    upload(teacher, payload("moodle.zip", of_moodle(ESSAYS)))
    checked = page.get_by_role("row").filter(has_text=words("submission.state.checked"))
    expect(checked).to_have_count(3)
    expect(checked.first).to_contain_text(re.compile(r"Number \d+"))
    expect(page.locator("main")).not_to_contain_text("Clarke")
    teacher.press("assignment.unveil")
    page.get_by_role("dialog").get_by_role("button", name=words("assignment.unveil")).click()
    expect(row(teacher, "Emma Clarke")).to_be_visible()
    expect(page.get_by_text(words("assignment.blind.more"))).to_have_count(0)


@pytest.mark.parametrize("engine_name", ["sqlite"])
def test_what_was_handed_in_is_deleted_only_where_that_is_said(
    live_server: LiveServer, visit: Visit
) -> None:
    live_server.people(aigul="teacher:Aigul")
    live_server.start()
    with live_server.client("aigul") as client:
        course = client.post("/courses", json={"name": "Essays"}).json()["id"]
        made = client.post(f"/courses/{course}/assignments", json={"name": "Rain"}).json()["id"]
    teacher = visit(live_server)
    page, words = teacher.page, teacher.words
    teacher.log_in("aigul", at=f"/assignments/{made}")
    upload(teacher, payload("essay.txt", invented(80, seed=7_030)))
    expect(page.get_by_role("table")).to_contain_text(words("submission.state.checked"))
    page.goto(f"/courses/{course}")
    teacher.press("course.remove")
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name=words("course.remove")).click()
    expect(dialog.get_by_role("alert")).to_be_visible()
    dialog.get_by_role("checkbox").check()
    dialog.get_by_role("button", name=words("course.remove")).click()
    teacher.is_at("/courses")
    teacher.sees("courses.empty")


@pytest.mark.parametrize("engine_name", ["sqlite"])
def test_a_colleague_is_let_in_by_keys_and_becomes_a_teacher_only_after_a_question(
    live_server: LiveServer, visit: Visit
) -> None:
    live_server.people(
        aigul="teacher:Aigul", carol="teacher:Carol Whitmore", dana="student:Dana Lee"
    )
    live_server.start()
    with live_server.client("aigul") as client:
        course = client.post("/courses", json={"name": "Essays"}).json()["id"]
    teacher = visit(live_server)
    page, words = teacher.page, teacher.words
    teacher.log_in("aigul", at=f"/courses/{course}/members")
    teacher.button("members.add").focus()
    page.keyboard.press("Enter")
    # One types at once, without looking for the field.
    expect(teacher.field("members.candidates")).to_be_focused()
    page.keyboard.type("carol")
    page.get_by_role("checkbox", name="Carol Whitmore").check()
    teacher.fill("members.list", "dana")
    teacher.press("members.add.go", n=2)
    carol = row(teacher, "Carol Whitmore")
    expect(carol).to_contain_text(words("role.student"))
    # An account of a student never teaches: nothing is offered that would be refused.
    expect(row(teacher, "Dana Lee").get_by_role("button")).to_have_count(1)
    carol.get_by_role("button", name=words("members.teaches")).click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text(words("members.teaches.more"))
    page.keyboard.press("Escape")
    expect(carol).to_contain_text(words("role.student"))
    carol.get_by_role("button", name=words("members.teaches")).click()
    dialog.get_by_role("button", name=words("members.teaches")).click()
    expect(carol).to_contain_text(words("role.teacher"))
