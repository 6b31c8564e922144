"""Two teachers: what is shared, what is private, four eyes."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from .conftest import Visit
from .live_server import LiveServer
from .making import EXAMPLES, payload, thesis
from .speech import Language
from .test_library_and_check import text_of

COMMENT = "Прочитал оба места, согласен"
NOTE = "Это <b>цитата</b> из лекции"


@pytest.mark.parametrize(("engine_name", "language"), [("postgresql", "ru")])
def test_a_shared_report_is_confirmed_by_a_second_teacher_who_sees_no_private_collection(
    live_server: LiveServer, visit: Visit, language: Language, tmp_path: Path
) -> None:
    live_server.people(aigul="teacher:Айгуль Нурланова", boris="teacher:Борис Петров")
    texts = {p.name: p.read_text("utf-8") for p in (EXAMPLES / "archive").glob("*.txt")}
    live_server.texts("dean", texts)
    live_server.start()
    aigul, boris = visit(live_server, language), visit(live_server, language)

    # A private collection is its owner's alone.
    aigul.log_in("aigul", at="/library/collections")
    aigul.press("collections.new")
    aigul.fill("collections.name", "Мои черновики")
    aigul.press("app.save")
    expect(aigul.page.get_by_role("heading", name="Мои черновики")).to_be_visible()
    aigul.page.goto("/library/add")
    aigul.drop(draft="A draft that is nobody's business but mine, about geese.")
    aigul.field("options.collection").select_option(label="Мои черновики")
    aigul.press("add.start", n=1)
    expect(aigul.page.get_by_role("link", name="draft.txt")).to_be_visible()
    boris.log_in("boris", at="/library/collections")
    expect(boris.page.get_by_role("heading", level=2).first).to_be_visible()
    expect(boris.page.get_by_text("Мои черновики")).to_have_count(0)
    boris.page.goto("/library?q=draft")
    boris.sees("library.found", n=0)

    # A report is shared, and the second confirms it.
    aigul.page.goto("/checks/new")
    aigul.give(payload("thesis.docx", thesis()))
    aigul.press("check.start")
    aigul.read_report()
    boris.page.goto("/checks")
    boris.page.wait_for_load_state("networkidle")  # else leaving breaks off the renewal of a token
    expect(boris.page.get_by_role("link", name="thesis.docx")).to_have_count(0)
    boris.page.goto(aigul.page.url)
    boris.sees("problem.not found")
    aigul.press("checked.share")
    aigul.picture("share")
    aigul.page.get_by_role("dialog").get_by_role(
        "button", name=aigul.words("checked.share")
    ).click()
    aigul.sees("checked.shared")
    boris.follow("place.home")
    boris.page.get_by_role("link", name=boris.words("home.needs.shared", n=1)).click()
    boris.picture("shared-with-me")
    boris.page.get_by_role("link", name="thesis.docx").click()
    boris.read_report()
    boris.page.keyboard.press("n")
    boris.press("comments.add")
    boris.page.keyboard.type(NOTE)
    boris.press("comments.save")
    expect(boris.page.locator(".panel .comment-text")).to_have_text(NOTE)
    expect(boris.button("comments.add")).to_be_focused()
    boris.page.keyboard.press("Escape")
    expect(boris.page.locator(".panel.is-open")).to_have_count(0)
    boris.press("checked.confirm")
    boris.fill("checked.comment", COMMENT)
    boris.page.get_by_role("dialog").get_by_role(
        "button", name=boris.words("checked.confirm")
    ).click()
    expect(boris.page.locator(".verdict .confirmed")).to_contain_text("Борис Петров")
    boris.picture("confirmed")
    expect(boris.button("checked.confirm")).to_have_count(0)

    # It stands in what the first exports.
    with aigul.page.expect_download() as download:
        aigul.press("checked.export.as", format="PDF")
    path = tmp_path / "report.pdf"
    download.value.save_as(path)
    paper = " ".join(text_of(path).split())
    assert "Борис Петров" in paper and COMMENT in paper and NOTE in paper
