"""The server goes away and comes back: the pages say so, once, and go on."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from .conftest import Visit
from .live_server import PASSWORD, LiveServer
from .speech import Language

NEW = "seven camels at the ford"
TEXT = "The river carries snow from the mountains down to the fields of wheat and of apples. "


@pytest.mark.parametrize(("engine_name", "language"), [("sqlite", "en"), ("sqlite", "kk")])
def test_a_check_goes_on_after_its_server_was_killed(
    live_server: LiveServer, visit: Visit, language: Language
) -> None:
    live_server.people(aigul="teacher")
    live_server.texts("aigul", {"river.txt": TEXT * 20})
    live_server.start(workers=0)
    teacher = visit(live_server, language)
    page, words = teacher.page, teacher.words
    lost = page.get_by_text(words("app.connection_lost"))
    teacher.log_in("aigul", at="/checks/new")
    teacher.drop(essay=TEXT * 10)
    teacher.press("check.start")
    teacher.sees("job.queued")
    live_server.kill()
    expect(lost).to_be_visible()
    expect(page.get_by_text(words("job.queued"))).to_have_count(0)
    teacher.picture("lost")
    # What somebody does meanwhile fails, and is not said a second time.
    teacher.press("job.cancel")
    expect(page.get_by_role("alert")).to_have_count(0)
    live_server.start(workers=1)
    teacher.read_report()
    expect(lost).to_have_count(0)


@pytest.mark.parametrize(("engine_name", "language"), [("sqlite", "ru")])
def test_a_list_stays_while_it_is_asked_for_again(
    live_server: LiveServer, visit: Visit, language: Language
) -> None:
    live_server.people(aigul="teacher")
    live_server.texts("aigul", {"river.txt": TEXT * 20})
    live_server.start(workers=0)
    with live_server.client("aigul") as client:
        answer = client.post("/checks", files={"file": ("essay.txt", TEXT.encode() * 9)})
        assert answer.status_code in (200, 201, 202), answer.text
    teacher = visit(live_server, language)
    page, words = teacher.page, teacher.words
    lost = page.get_by_role("status").get_by_text(words("app.connection_lost"))
    teacher.log_in("aigul", at="/checks")
    expect(page.locator("main").get_by_text("essay.txt")).to_be_visible()
    live_server.kill()
    expect(lost).to_be_visible()
    expect(page.locator("main").get_by_text("essay.txt")).to_be_visible()
    teacher.picture("list")
    live_server.start(workers=0)
    expect(lost).to_have_count(0)

    # A page that is opened meanwhile comes by itself, too.
    page.get_by_role("link", name=words("place.classes"), exact=True).click()
    expect(page.get_by_text(words("classes.empty"))).to_be_visible()
    live_server.kill()
    page.get_by_role("link", name=words("place.checks"), exact=True).click()
    refused = page.get_by_role("alert")
    expect(refused).to_contain_text(words("problem.no connection"))
    teacher.picture("opened")
    live_server.start(workers=0)
    expect(page.locator("main").get_by_text("essay.txt")).to_be_visible()
    expect(refused).to_have_count(0)

    # The long table of the library says it once too, and goes on by itself.
    teacher.follow("place.library")
    expect(page.locator(".long tbody a")).to_have_count(1)
    live_server.kill()
    page.locator(".long thead").get_by_role("button").first.click()
    expect(lost).to_be_visible()
    expect(page.get_by_role("alert")).to_have_count(0)
    live_server.start(workers=0)
    expect(lost).to_have_count(0)
    expect(page.locator(".long tbody a")).to_have_text("river.txt")


@pytest.mark.parametrize(("engine_name", "language"), [("sqlite", "kk")])
def test_a_page_that_is_asked_for_without_a_server_opens_when_it_is_back(
    live_server: LiveServer, visit: Visit, language: Language
) -> None:
    live_server.people(aigul="teacher")
    live_server.start(workers=0)
    teacher = visit(live_server, language)
    page, words = teacher.page, teacher.words
    lost = page.get_by_role("status").get_by_text(words("app.connection_lost"))
    teacher.log_in("aigul", at="/profile")
    teacher.sees("profile.sessions")
    page.wait_for_load_state("networkidle")  # no part of the page still asks for something
    live_server.kill()
    teacher.follow("place.library")
    expect(lost).to_be_visible()
    teacher.follow("place.classes")  # whoever asks for another page wants that one
    expect(page.get_by_role("alert")).to_have_count(0)
    expect(page.get_by_text(words("broken.outdated"))).to_have_count(0)
    teacher.is_at("/profile")  # with what was typed on it
    teacher.picture("page-asked-for")
    live_server.start(workers=0)
    teacher.is_at("/classes")
    expect(page.get_by_text(words("classes.empty"))).to_be_visible()
    expect(lost).to_have_count(0)


@pytest.mark.parametrize(("engine_name", "language"), [("sqlite", "en")])
def test_what_went_wrong_in_a_form_is_said_once_and_is_over_when_it_is_tried_again(
    live_server: LiveServer, visit: Visit, language: Language
) -> None:
    live_server.people(aigul="teacher")
    live_server.start(workers=0)
    guest = visit(live_server, language)
    page, words = guest.page, guest.words
    refused = page.get_by_role("alert")
    page.goto("/login")
    guest.fill("login.name", "aigul")
    guest.fill("login.password", "wrong")
    guest.press("login.go")
    expect(refused).to_be_visible()
    guest.picture("refused")
    guest.fill("login.password", PASSWORD)
    expect(refused).to_be_hidden()
    live_server.kill()
    guest.press("login.go")
    expect(refused).to_have_text(words("problem.no connection"))
    guest.picture("no-connection")
    live_server.start(workers=0)
    guest.press("login.go")
    guest.sees("home.title")
    expect(refused).to_have_count(0)


@pytest.mark.parametrize(("engine_name", "language"), [("sqlite", "kk")])
def test_the_page_that_was_asked_for_opens_after_a_forced_change_of_password(
    live_server: LiveServer, visit: Visit, language: Language
) -> None:
    live_server.people(dean="administrator")
    live_server.start(workers=0)
    with live_server.client("dean") as dean:
        made = dean.post("/users", json={"name": "aigul"})
        assert made.status_code == 201, made.text
        first = made.json()["password"]
    guest = visit(live_server, language)
    guest.page.goto("/checks/new?document=7")
    guest.fill("login.name", "aigul")
    guest.fill("login.password", first)
    guest.press("login.go")
    guest.sees("profile.must_change")
    guest.picture("must-change")
    guest.fill("profile.password.old", first)
    guest.fill("profile.password.new", NEW)
    guest.fill("profile.password.again", NEW)
    guest.press("profile.password.change")
    guest.is_at(r"/checks/new\?document=7")
