"""A page is photographed with a phone and checked there."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from .conftest import Visit
from .live_server import LiveServer
from .making import FILES
from .speech import Language

PHONE = {"viewport": {"width": 360, "height": 740}, "is_mobile": True, "has_touch": True}


@pytest.mark.parametrize(("engine_name", "language"), [("sqlite", "kk")])
def test_a_photo_from_a_phone_is_read_and_its_source_is_found(
    live_server: LiveServer, visit: Visit, language: Language
) -> None:
    live_server.people(aigul="teacher")
    live_server.texts("dean", {"printed.txt": (FILES / "images" / "en.txt").read_text("utf-8")})
    live_server.start()
    teacher = visit(live_server, language, device_scale_factor=2, **PHONE)
    page, words = teacher.page, teacher.words
    teacher.log_in("aigul")
    teacher.picture("home")
    teacher.press("app.menu")
    teacher.picture("menu")
    teacher.follow("place.checks")
    page.get_by_role("link", name=words("checks.new"), exact=True).first.tap()
    teacher.give(FILES / "images" / "photo-en.jpg")
    teacher.picture("chosen")
    teacher.press("check.start")
    teacher.read_report()
    expect(page.locator("article.source")).to_contain_text("printed.txt")
    teacher.picture("report")
    page.locator("mark").first.tap()
    expect(page.locator("aside.panel.is-open")).to_be_visible()
    teacher.picture("passage")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
