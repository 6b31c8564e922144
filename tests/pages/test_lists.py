"""Lists keep their place, and what is chosen in them is all that matches, not what is loaded."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, expect

from likewise.library import Library
from likewise.server.config import Config
from likewise.server.context import ServerContext
from tests.server.test_triage import insert_batch, insert_checks

from .conftest import Visit
from .live_server import LiveServer
from .speech import Language


@pytest.mark.parametrize(("engine_name", "language"), [("sqlite", "en")])
def test_back_leads_to_the_place_and_all_that_match_are_chosen(
    live_server: LiveServer, visit: Visit, language: Language
) -> None:
    live_server.people(aigul="teacher:Aigul")
    live_server.texts(
        "aigul", {f"work-{i:03}.txt": f"Work {i} tells of {i} rivers." for i in range(240)}
    )
    with Library(live_server.place) as library:
        context = ServerContext(library, Config(workers=0))
        insert_checks(context, 57)
        insert_checks(context, 3, tricks=["hidden text"])
        class_4 = insert_batch(context)
        insert_checks(context, 2, similar=0.9, batch=class_4)
    live_server.start()
    teacher = visit(live_server, language)
    page, words = teacher.page, teacher.words
    teacher.log_in("aigul")

    # The class is closed when nothing in it needs a look any more.
    teacher.sees("home.classes")
    expect(page.locator(".counts")).to_contain_text(words("classes.above", n=2, share="40%"))
    teacher.picture("busy")
    page.get_by_role("button", name=words("classes.close.of", name="Class 4")).click()
    expect(page.get_by_role("heading", name=words("home.classes"))).to_have_count(0)

    # What needs attention leads to exactly these, however many others there are.
    page.get_by_role("link", name=re.compile(re.escape(words("home.needs.disguised", n=3)))).click()
    teacher.sees("checks.found", n=3)
    expect(page.locator("tbody tr")).to_have_count(3)
    teacher.picture("tricks")

    # All that match are chosen, on whatever page of the list they stand.
    teacher.follow("place.checks")
    teacher.sees("checks.found", n=60)
    everything = page.locator("thead input[type=checkbox]")
    everything.check()
    teacher.sees("checks.chosen", n=60)
    assert is_indeterminate(everything) is False
    page.locator("tbody input[type=checkbox]").first.uncheck()
    teacher.sees("checks.chosen", n=59)
    assert is_indeterminate(everything) is True
    teacher.picture("chosen")
    teacher.press("paging.after")
    expect(page.locator("tbody input[type=checkbox]").first).to_be_checked()
    with page.expect_download() as download:
        teacher.press("checks.chosen.export")
    assert len(download.value.path().read_text("utf-8-sig").splitlines()) == 60

    # Back in a list is where one was: the page of the list, and how far down.
    page.evaluate("scrollTo(0, 500)")
    before = page.evaluate("scrollY")
    assert before > 100
    page.locator("tbody a").nth(12).click()
    teacher.is_at("/checks/[0-9a-f]+")
    page.go_back()
    teacher.is_at(r"/checks\?from=25")
    expect(page.locator("tbody tr")).to_have_count(25)
    page.wait_for_function("top => Math.abs(scrollY - top) < 3", arg=before)

    everything.check()
    teacher.press("checks.chosen.delete")
    teacher.press("checks.chosen.delete.yes", n=60)
    teacher.sees("checks.empty")

    # The same in the library.
    teacher.follow("place.library")
    teacher.sees("library.found", n=240)
    frame = page.get_by_role("region", name=words("library.title"))
    frame.evaluate("frame => frame.scrollTo(0, 6000)")
    expect(page.locator('tr[aria-rowindex="141"] a')).to_be_visible()
    page.locator('tr[aria-rowindex="141"] a').click()
    teacher.is_at(r"/documents/\d+")
    page.go_back()
    expect(page.locator('tr[aria-rowindex="141"] a')).to_be_visible()
    assert frame.evaluate("frame => frame.scrollTop") == 6000
    everything.check()
    teacher.sees("chosen.number", n=240)
    page.locator("tbody input[type=checkbox]").first.uncheck()
    teacher.sees("chosen.number", n=239)
    assert is_indeterminate(everything) is True
    teacher.picture("library-chosen")
    teacher.press("chosen.remove")
    teacher.press("chosen.remove.yes", n=239)
    teacher.sees("library.found", n=1)


def is_indeterminate(box: Locator) -> bool:
    found: bool = box.evaluate("box => box.indeterminate")
    return found
