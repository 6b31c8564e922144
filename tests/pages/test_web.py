"""An administrator allows the Internet, a teacher reads what is sent and asks it."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.align.rendered_texts import SEA
from tests.internet.world import world
from tests.server.checking import APPLES, MARKET, OWN

from .conftest import Visit
from .live_server import LiveServer
from .speech import Language


@pytest.mark.parametrize(("engine_name", "language"), [("sqlite", "kk")])
def test_the_internet_is_asked_after_it_was_said_what_is_sent(
    live_server: LiveServer,
    visit: Visit,
    language: Language,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    live_server.people(dean="administrator:Декан", aigul="teacher:Айгүл")
    texts = {"/market": MARKET * 2, "/apples": APPLES, "/sea": SEA["en"]}
    with world(texts, tmp_path / "pages") as web:
        monkeypatch.setenv("LIKEWISE_SEARXNG_URL", web.engine.url())
        monkeypatch.setenv("LIKEWISE_PRIVATE_HOSTS", web.web.place)
        live_server.start()
        teacher = visit(live_server, language)
        teacher.log_in("aigul", at="/checks/new")
        expect(teacher.page.locator("input[type=file]").first).to_be_attached()
        expect(teacher.page.get_by_text("SearXNG")).to_have_count(0)

        dean = visit(live_server, language)
        dean.log_in("dean", at="/administration/settings")
        dean.page.locator("[name=internet]").check()
        dean.press("app.save")
        dean.sees("app.saved")

        teacher.page.wait_for_timeout(6_000)  # another process hears of it within five seconds
        teacher.page.reload()
        expect(teacher.page.get_by_text("SearXNG")).to_be_visible()
        teacher.sees("web.nothing_else")
        teacher.picture("web")
        assert web.queries == []
        teacher.page.locator("[name=web]").check()
        given = {"name": "thesis.txt", "mimeType": "text/plain"}
        teacher.give(given | {"buffer": f"{OWN}\n\n{MARKET}".encode()})
        teacher.press("check.start")
        teacher.read_report()
        expect(teacher.page.get_by_text(web.web.url("/market")).first).to_be_visible()
        details = teacher.page.get_by_role("tab", name=teacher.words("side.details"))
        details.click()
        expect(teacher.page.get_by_text(web.queries[0]).first).to_be_visible()

        teacher.page.goto("/checks/new")
        teacher.page.locator("[name=web]").check()
        teacher.sees("web.languages_hint")
        teacher.page.locator("[name=other-languages]").check()
        teacher.give(given | {"buffer": SEA["ru"].encode()})
        teacher.press("check.start")
        teacher.read_report()
        expect(teacher.page.get_by_text(web.web.url("/sea")).first).to_be_visible()
