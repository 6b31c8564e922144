"""Duplicates of the library are found on a page, and lead to the documents."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.library.texts import invented

from .conftest import Visit
from .live_server import LiveServer
from .speech import Language

STORY = invented(300, seed=3)
NEARLY = STORY.replace(STORY.split()[150], "altogether", 1)


@pytest.mark.parametrize(("engine_name", "language"), [("sqlite", "kk"), ("postgresql", "en")])
def test_a_teacher_finds_duplicates_and_comes_back_to_them(
    live_server: LiveServer, visit: Visit, language: Language
) -> None:
    live_server.people(aigul="teacher", dean="administrator")
    live_server.texts("dean", {"story.txt": STORY, "other.txt": invented(300, seed=4)})
    live_server.texts("aigul", {"again.txt": f"{STORY}\n", "nearly.txt": NEARLY})
    live_server.start()
    teacher = visit(live_server, language)
    page = teacher.page
    teacher.log_in("aigul", at="/library")
    teacher.follow("duplicates.title")
    expect(page.get_by_role("heading", level=1)).to_have_text(teacher.words("duplicates.title"))
    expect(teacher.field("duplicates.threshold")).to_have_value("80")

    # By the keyboard alone: from the field to the button, which a form is sent with.
    teacher.field("duplicates.threshold").press("Enter")
    clusters = page.locator("li.card")
    expect(clusters).to_have_count(1)
    for name in ("story.txt", "again.txt", "nearly.txt"):
        expect(clusters.get_by_role("link", name=name)).to_be_visible()
    expect(clusters).to_contain_text("dean")
    expect(page.get_by_role("status").first).to_contain_text(teacher.words("count.pairs", n=3))
    teacher.picture("clusters")
    pairs = teacher.button("duplicates.view.pairs")
    expect(pairs).to_have_attribute("aria-pressed", "false")
    pairs.click()
    rows = page.get_by_role("table").get_by_role("row")
    expect(rows).to_have_count(4)
    expect(rows.nth(1)).to_contain_text(teacher.words("duplicates.same"))
    expect(rows.nth(1)).to_contain_text("story.txt")
    teacher.picture("pairs")

    # A link shows the same, and who comes without one finds the newest search.
    expect(page).to_have_url(re.compile("job=.*view=pairs"))
    page.reload()
    expect(rows).to_have_count(4)
    page.goto("/library/duplicates")
    expect(clusters).to_have_count(1)

    teacher.fill("duplicates.threshold", "100")
    teacher.press("duplicates.start")
    expect(clusters.get_by_role("link")).to_have_count(2)
    clusters.get_by_role("link", name="again.txt").click()
    teacher.is_at(r"/documents/\d+")
    page.goto("/library/duplicates?view=pairs")
    page.get_by_role("table").get_by_role("link", name=teacher.words("duplicates.check")).click()
    teacher.is_at(r"/checks/new\?document=\d+")


@pytest.mark.parametrize(("engine_name", "language"), [("sqlite", "ru")])
def test_where_there_are_none_or_a_rebuild_is_due_it_is_said(
    live_server: LiveServer, visit: Visit, language: Language
) -> None:
    live_server.people(dean="administrator")
    live_server.texts("dean", {"story.txt": STORY, "other.txt": invented(300, seed=4)})
    live_server.start()
    dean = visit(live_server, language)
    dean.log_in("dean", at="/library/duplicates")
    expect(dean.page.get_by_role("heading", level=2)).to_have_count(1)
    with live_server.client("dean") as client:
        changed = client.patch("/stop-words/en", json={"add": ["altogether"]})
        assert changed.status_code == 200, changed.text
    dean.press("duplicates.start")
    dean.sees("duplicates.none.more")
    dean.sees("duplicates.stale")
    dean.page.goto("/library/duplicates?job=nothing")
    expect(dean.page.get_by_role("alert")).to_be_visible()
