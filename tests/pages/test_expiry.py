"""A log in ends in the middle of something; nothing that was typed is lost."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from .conftest import Visit
from .live_server import PASSWORD, LiveServer
from .making import payload, thesis
from .speech import Language
from .visitor import Visitor


def log_in_over_the_page(teacher: Visitor) -> None:
    """The window that asks knows the name already."""
    asked = teacher.page.get_by_role("dialog", name=teacher.words("login.expired"))
    expect(asked).to_be_visible()
    teacher.picture("asked")
    asked.get_by_label(teacher.words("login.password")).fill(PASSWORD)
    asked.get_by_role("button", name=teacher.words("login.go")).click()
    expect(asked).to_have_count(0)


def end_every_session(live_server: LiveServer, name: str) -> None:
    with live_server.client(name) as elsewhere:
        assert elsewhere.post("/me/end-everywhere").status_code == 204


@pytest.mark.parametrize(("engine_name", "language"), [("sqlite", "ru")])
def test_a_form_goes_on_after_its_session_was_ended_elsewhere(
    live_server: LiveServer, visit: Visit, language: Language
) -> None:
    live_server.people(aigul="teacher")
    live_server.texts("aigul", {"river.txt": "The river carries snow down to the fields of wheat."})
    live_server.start()
    teacher = visit(live_server, language)
    page, words = teacher.page, teacher.words
    teacher.log_in("aigul", at="/library")
    page.get_by_role("link", name="river.txt").click()
    teacher.press("document.change")
    teacher.fill("library.author", "Сәуле Жандос")
    teacher.fill("library.advisor", "А. Петров")
    end_every_session(live_server, "aigul")
    teacher.press("app.save")
    log_in_over_the_page(teacher)
    expect(page.locator("main")).to_contain_text("Сәуле Жандос")
    expect(page.locator("main")).to_contain_text("А. Петров")

    # A file that was chosen is sent once somebody is logged in again.
    page.goto("/checks/new")
    teacher.give(payload("thesis.docx", thesis()))
    page.get_by_text(words("check.options")).click()
    teacher.fill("options.not_by", "Сәуле Жандос")
    end_every_session(live_server, "aigul")
    teacher.press("check.start")
    log_in_over_the_page(teacher)
    teacher.read_report()
    assert live_server.found("aigul", "/checks")["total"] == 1


@pytest.mark.parametrize(("engine_name", "language"), [("sqlite", "kk")])
def test_what_is_typed_stays_when_another_tab_logs_out(
    live_server: LiveServer, visit: Visit, language: Language
) -> None:
    live_server.people(aigul="teacher")
    live_server.start()
    teacher = visit(live_server, language)
    teacher.log_in("aigul", at="/library/collections")
    teacher.page.get_by_role("button", name=teacher.words("collections.new")).click()
    teacher.fill("collections.name", "2026 жылғы жұмыстар")
    teacher.fill("collections.what", "Тек менікі")
    other = Visitor(teacher.page.context.new_page(), language, "another tab")
    other.page.goto("/")
    other.log_out()
    teacher.press("app.save")
    log_in_over_the_page(teacher)
    expect(teacher.page.get_by_role("heading", name="2026 жылғы жұмыстар")).to_be_visible()
    expect(teacher.page.locator("main")).to_contain_text("Тек менікі")
    teacher.picture("kept")
