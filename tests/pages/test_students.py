"""A student: what is to be handed in, handing in, the receipt, and the own report."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tests.library.texts import invented

from .campus import ended, post, sent
from .conftest import Visit
from .keyboard import Keyboard
from .live_server import LiveServer
from .making import FILES, payload, zipped
from .speech import LANGUAGES, Language
from .visitor import Visitor

SHARED = invented(80, seed=8_001)
OWN = f"{invented(120, seed=8_002)}\n\n{SHARED}"
BETTER = f"{invented(150, seed=8_003)}\n\n{SHARED}"
OTHERS = f"{SHARED}\n\n{invented(90, seed=8_004)}"
CONSENT = "We keep your work for two years."
OF_TEACHERS = (
    *("/checks", "/checks/new", "/library", "/library/add", "/documents/1", "/classes"),
    *("/classes/new", "/students", "/administration/users"),
)


class Course:
    """A course of Aigul with Daniel and Emma in it, and assignments."""

    def __init__(self, live_server: LiveServer) -> None:
        live_server.people(
            aigul="teacher:Aigul", daniel="student:Daniel Carter", emma="student:Emma Clarke"
        )
        live_server.start()
        self._server = live_server
        with live_server.client("aigul") as aigul:
            self.id = sent(aigul.post("/courses", json={"name": "Essays of the steppe"}))["id"]
            members = [{"user_name": "daniel"}, {"user_name": "emma"}]
            sent(aigul.post(f"/courses/{self.id}/members", json={"members": members}))

    def ask_consent(self) -> None:
        """What the institution asks from now on, in one language alone."""
        self._server.people(dean="administrator:Dean")
        with self._server.client("dean") as dean:
            sent(dean.post("/consent-texts", json={"texts": {"en": CONSENT}}))

    def assign(self, name: str, due_in_days: float, **rules: Any) -> str:
        now = datetime.now(UTC)
        body = {
            "name": name,
            "instructions": "Write two pages on rain.",
            "opens_on": (now - timedelta(days=30)).isoformat(),
            "due_on": (now + timedelta(days=due_in_days, hours=1)).isoformat(),
            "closes_on": (now + timedelta(days=max(due_in_days, 0) + 5)).isoformat(),
            "rules": rules,
        }
        with self._server.client("aigul") as aigul:
            return str(sent(aigul.post(f"/courses/{self.id}/assignments", json=body))["id"])

    def hand_in(self, who: str, assignment: str, files: dict[str, bytes]) -> None:
        with self._server.client(who) as student:
            job = post(student, f"/assignments/{assignment}/submissions", files)["job"]
        with self._server.client("aigul") as aigul:
            ended(aigul, job)


def row(visitor: Visitor, name: str) -> Locator:
    return visitor.page.get_by_role("row").filter(has_text=name)


@pytest.mark.parametrize(("engine_name", "language"), [("sqlite", each) for each in LANGUAGES])
def test_a_student_hands_in_twice_keeps_the_receipts_and_reads_the_own_report(
    live_server: LiveServer, visit: Visit, language: Language
) -> None:
    course = Course(live_server)
    rain = course.assign("Rain", 2, most_attempts=3, may_name_group=True, student_report="always")
    course.assign("Wind", 9)
    course.hand_in("emma", rain, {"emma-clarke.txt": OTHERS.encode()})
    course.ask_consent()

    student = visit(live_server, language)
    page, words = student.page, student.words
    student.log_in("daniel")
    # What is to be done, the next first.
    to_do = page.get_by_role("region", name=words("own.to_do"))
    expect(to_do.get_by_role("heading", level=3)).to_have_text(["Rain", "Wind"])
    expect(to_do).to_contain_text(words("until.days", n=2))
    for place in ("checks", "classes", "library"):
        expect(student.link(f"place.{place}")).to_have_count(0)
    student.picture("home")

    # The assignment in plain words.
    to_do.get_by_role("link", name="Rain", exact=True).click()
    student.sees("terms.attempts_left", n=3, most=3)
    student.sees("terms.report.always")
    student.sees("terms.group")
    student.sees("own.not_yet")
    expect(page.get_by_text("Write two pages on rain.")).to_be_visible()
    student.picture("assignment")

    # One file that nobody takes does not keep the others away.
    student.follow("own.hand_in")
    student.give(payload("essay.txt", OWN), payload("all.zip", zipped({"a.txt": "a"})))
    expect(page.get_by_text(words("server.archive_alone", name="all.zip"))).to_be_visible()
    expect(student.button("own.hand_in")).to_be_disabled()
    student.picture("wrong-file")
    student.press("class.without", n=1)
    student.fill("own.group", "The two of us")
    student.sees("own.consent.first")
    expect(page.get_by_text(CONSENT)).to_be_visible()
    expect(student.button("own.hand_in")).to_be_disabled()
    student.field("consent.agree").check()
    student.press("own.hand_in")
    student.is_at(r"/submissions/\w+")
    receipt = page.locator("main")
    expect(receipt).to_contain_text("essay.txt")
    expect(receipt).to_contain_text("Daniel Carter")
    expect(receipt).to_contain_text("The two of us")
    student.sees("own.state.checked")  # it tells so by itself
    student.sees("receipt.safe")
    expect(receipt).to_contain_text(words("document.words", n=len(OWN.split())))
    student.picture("receipt")

    # The own report: what is similar stands there, and nobody's name.
    page.get_by_role("link", name=words("submission.report")).click()
    student.read_report()
    expect(page.locator("body")).to_contain_text(words("sources.another"))
    expect(page.locator("body")).not_to_contain_text("Emma")
    expect(page.locator("body")).not_to_contain_text("emma-clarke")
    page.get_by_text(words("ownreport.hidden"), exact=True).click()
    student.sees("ownreport.hidden.more")
    student.picture("own-report")
    page.keyboard.press("n")
    expect(page.locator("aside.panel.is-open")).to_be_visible()
    student.picture("own-passage")
    page.get_by_text(words("ownreport.hidden"), exact=True).click()
    with page.expect_download() as saved:
        student.press("checked.export.as", format="DOCX")
    assert saved.value.suggested_filename.endswith(".docx")
    page.locator(".shared-head").get_by_role("link", name=words("receipt.title")).click()

    # The same once more changes nothing; a better one does.
    student.follow("own.hand_in_again")
    student.give(payload("essay.txt", OWN))
    student.fill("own.group", "The two of us")
    student.field("consent.agree").check()
    student.press("own.hand_in")
    student.sees("own.nothing_new")
    student.follow("own.hand_in_again")
    locked = (FILES / "broken" / "locked.pdf").read_bytes()
    student.give(payload("essay.txt", BETTER), payload("locked.pdf", locked))
    student.field("consent.agree").check()
    student.press("own.hand_in")
    student.is_at(r"/submissions/\w+")
    student.sees("own.advice.unread")
    expect(receipt).to_contain_text(words("submission.attempt_of", n=2, all=2))
    student.picture("second-receipt")
    page.get_by_role("link", name="Rain").click()
    student.sees("terms.attempts_left", n=1, most=3)
    expect(row(student, "essay.txt")).to_have_count(2)
    student.follow("place.submissions")
    expect(row(student, "essay.txt")).to_have_count(2)
    student.picture("submissions")
    student.follow("place.home")
    still_open = page.get_by_role("region", name=words("own.open"))
    expect(still_open).to_contain_text(words("assignment.own_attempts", n=2))


@pytest.mark.parametrize("engine_name", ["sqlite"])
def test_every_page_of_teachers_says_kindly_that_it_is_not_for_students(
    live_server: LiveServer, visit: Visit
) -> None:
    course = Course(live_server)
    rain = course.assign("Rain", 2)
    student = visit(live_server)
    student.log_in("daniel")
    of_course = (f"/courses/{course.id}/members", f"/courses/{course.id}/new")
    of_assignment = (f"/assignments/{rain}/{each}" for each in ("add", "change", "class"))
    for path in (*OF_TEACHERS, *of_course, *of_assignment):
        student.page.goto(path)
        student.sees("notforstudents.title")
        student.is_at(path)  # it may be told to somebody for whom it is
    student.follow("missing.home")
    student.sees("own.to_do")
    # Another one logs in at the same browser.
    student.log_out()
    student.log_in("aigul", at="/")
    expect(student.page.get_by_role("region", name=student.words("home.drop"))).to_be_visible()
    student.page.goto("/library")
    expect(student.page.get_by_role("heading", level=1)).to_have_text(
        student.words("library.title")
    )


@pytest.mark.parametrize("engine_name", ["sqlite"])
def test_a_cancelled_upload_and_a_lost_server_lose_no_file(
    live_server: LiveServer, visit: Visit
) -> None:
    course = Course(live_server)
    rain = course.assign("Rain", -1, student_report="never")
    student = visit(live_server)
    page = student.page
    student.log_in("daniel", at=f"/assignments/{rain}/hand-in")
    expect(page.get_by_text("marked as late")).to_be_visible()
    student.sees("terms.report.never")
    page.route("**/submissions", lambda _route: None)  # on its way for ever
    student.give(payload("essay.txt", OWN))
    student.press("own.hand_in")
    student.press("app.cancel")
    expect(page.get_by_role("listitem").filter(has_text="essay.txt")).to_be_visible()
    page.unroute("**/submissions")
    page.route("**/submissions", lambda route: route.abort())
    student.press("own.hand_in")
    student.sees("problem.no connection")
    expect(page.get_by_role("listitem").filter(has_text="essay.txt")).to_be_visible()
    page.unroute("**/submissions")
    student.press("own.hand_in")
    student.is_at(r"/submissions/\w+")
    student.sees("submission.late")
    student.sees("terms.report.never")
    student.sees("own.state.checked")


@pytest.mark.parametrize(("engine_name", "language"), [("sqlite", each) for each in LANGUAGES])
def test_a_student_checks_a_text_and_then_hands_in_that_very_file(
    live_server: LiveServer, visit: Visit, language: Language
) -> None:
    course = Course(live_server)
    rain = course.assign("Rain", 2, self_checks=True, self_checks_a_day=2)
    course.hand_in("emma", rain, {"emma-clarke.txt": OTHERS.encode()})
    student = visit(live_server, language)
    page, words = student.page, student.words
    student.log_in("daniel", at=f"/assignments/{rain}")
    student.sees("terms.self_checks", n=2)
    student.follow("selfcheck.title")
    student.sees("selfcheck.left", n=2, most=2)
    student.sees("selfcheck.not_stored")
    student.give(payload("essay.txt", OWN))
    student.picture("self-check")
    student.press("selfcheck.go")
    student.is_at(r"/self-checks/\w+")
    student.read_report()  # it comes by itself
    expect(page.locator("body")).to_contain_text(words("sources.another"))
    expect(page.locator("body")).not_to_contain_text("Emma")
    student.picture("self-checked")
    page.locator(".shared-head").get_by_role("link", name=words("selfcheck.title")).click()
    student.sees("selfcheck.left", n=1, most=2)
    page.get_by_role("link", name="essay.txt").click()
    student.read_report()
    student.press("selfcheck.hand_in")
    student.is_at(r"/assignments/\w+/hand-in")
    expect(page.get_by_role("listitem").filter(has_text="essay.txt")).to_be_visible()
    student.press("own.hand_in")
    student.is_at(r"/submissions/\w+")
    student.sees("own.state.checked")
    # What was checked before is gone with it, and the report is not for students here.
    student.sees("terms.report.never")
    page.goto(f"/assignments/{rain}/self-checks")
    student.sees("selfcheck.left", n=1, most=2)
    expect(page.get_by_role("link", name="essay.txt")).to_have_count(0)


@pytest.mark.parametrize("engine_name", ["sqlite"])
def test_a_teacher_sees_a_report_as_its_student_does(live_server: LiveServer, visit: Visit) -> None:
    course = Course(live_server)
    rain = course.assign("Rain", 2, student_report="never")
    course.hand_in("emma", rain, {"emma-clarke.txt": OTHERS.encode()})
    course.hand_in("daniel", rain, {"essay.txt": OWN.encode()})
    teacher = visit(live_server)
    page, words = teacher.page, teacher.words
    teacher.log_in("aigul", at=f"/assignments/{rain}")
    row(teacher, "Daniel Carter").get_by_role(
        "link", name=words("submission.as_student.of", name="Daniel Carter, essay.txt")
    ).click()
    teacher.read_report()
    teacher.sees("ownreport.as_student")
    expect(page.locator("body")).to_contain_text(words("sources.another"))
    expect(page.locator("body")).not_to_contain_text("emma-clarke")
    teacher.picture("as-the-student")
    page.locator(".shared-head").get_by_role("link", name="Rain").click()
    teacher.is_at(r"/assignments/\w+")
    # Its student is told that there is nothing to read, and no more.
    report = page.get_by_role("link", name=words("submission.as_student")).first
    address = str(report.get_attribute("href"))
    teacher.log_out()
    teacher.log_in("daniel", at=address)
    teacher.sees("ownreport.not_shown")


@pytest.mark.parametrize("engine_name", ["sqlite"])
def test_the_keys_alone_hand_in_and_lead_to_the_receipt(
    live_server: LiveServer, visit: Visit
) -> None:
    course = Course(live_server)
    course.assign("Rain", 2)
    course.ask_consent()
    student = visit(live_server)
    page, keys, words = student.page, Keyboard(student.page), student.words
    student.log_in("daniel")
    keys.go(page.get_by_role("link", name=words("own.hand_in.of", name="Rain")))
    student.is_at(r"/assignments/\w+/hand-in")
    expect(page.locator("#main")).to_be_focused()
    keys.to(student.button("drop.files"))
    keys.choose_file().set_files([payload("essay.txt", OWN)])  # type: ignore[arg-type]
    keys.to(student.field("consent.agree"))
    keys.press(" ")
    keys.go(student.button("own.hand_in"))
    student.is_at(r"/submissions/\w+")
    expect(page.locator("#main")).to_be_focused()
    student.sees("own.state.checked")
    keys.to(student.button("receipt.print"))
    keys.to(student.link("own.hand_in_again"))
