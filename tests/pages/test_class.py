"""A class hands in together, and some of them pass paragraphs around."""

from __future__ import annotations

import re
from itertools import combinations

import pytest
from playwright.sync_api import expect

from tests.library.texts import invented

from .conftest import Visit
from .live_server import LiveServer
from .making import RING, class_of_forty, payload
from .speech import Language

ASSIGNMENT = invented(60, seed=5_001)  # one of the paragraphs that are passed around


def pairs_of_ring() -> list[tuple[set[str], set[str]]]:
    """Those who share two paragraphs and more beside the assignment: a fifth of their essays."""
    essays = class_of_forty()
    ring = [set(essays[f"student-{i:02}.txt"].split("\n\n")) - {ASSIGNMENT} for i in RING]
    return [(one, other) for one, other in combinations(ring, 2) if len(one & other) > 1]


@pytest.mark.parametrize(("engine_name", "language"), [("sqlite", "ru")])
def test_a_copying_ring_is_found_among_forty_essays_and_looked_at_from_all_sides(
    live_server: LiveServer, visit: Visit, language: Language
) -> None:
    live_server.people(aigul="teacher")
    live_server.start()
    teacher = visit(live_server, language)
    page, words = teacher.page, teacher.words
    teacher.log_in("aigul", at="/classes")
    teacher.sees("classes.empty.more")
    page.get_by_role("link", name=words("classes.new"), exact=True).first.click()
    teacher.give(*(payload(name, text) for name, text in class_of_forty().items()))
    teacher.sees("app.more")
    teacher.fill("class.name", "11 Б, весна")
    page.get_by_text(words("template.title")).click()
    teacher.fill("template.text", ASSIGNMENT)
    teacher.picture("chosen")
    teacher.press("class.start")
    expect(page.locator("#documents")).to_be_visible()
    teacher.picture("dashboard")
    page.get_by_role("tab", name=words("batch.matrix_tab")).click()

    # Who shares with whom: the ring alone, by more than the text of the assignment.
    names = [f"student-{i:02}.txt" for i in RING]
    expect(page.locator("#matrix tbody tr")).to_have_count(len(RING))
    page.get_by_role("tab", name=words("collection.clusters")).click()
    clusters = page.get_by_role("region", name=words("collection.clusters"))
    for name in [f"student-{i:02}.txt" for i in RING]:
        expect(clusters).to_contain_text(name)
    page.get_by_role("tab", name=words("batch.matrix_tab")).click()
    for name in names:
        expect(page.locator("#matrix")).to_contain_text(name)
    cells = page.locator("#matrix td[data-pair]")
    expect(cells).to_have_count(2 * len(pairs_of_ring()))
    page.locator("#matrix").scroll_into_view_if_needed()
    teacher.picture("matrix")

    # A higher threshold leaves fewer pairs.
    slider = page.get_by_role("slider").first
    slider.focus()
    slider.press("End")
    expect(page.locator("#matrix")).to_have_count(0)
    slider.press("Home")
    expect(page.locator("#matrix")).to_be_visible()

    # A pair beside each other, with its place in the address; back to the class.
    cells.first.click()
    expect(page).to_have_url(re.compile(r"#pair"))
    expect(page.locator("main:visible")).to_contain_text("student-")
    teacher.picture("pair")
    page.go_back()
    expect(page.locator("#matrix")).to_be_visible()

    # The page of one student: one toolbar, with those around as the table lists them.
    page.get_by_role("tab", name=words("batch.students")).click()
    page.locator("#documents th.name").get_by_role("button").click()  # by name
    page.locator("#documents td.who a", has_text=names[0]).click()
    teacher.is_at(r"/checks/\w+")
    teacher.read_report()
    expect(page.locator("h1.document-name")).to_have_text(names[0])
    expect(page.locator(".report-actions")).to_have_count(1)
    page.locator("#tab-details").click()
    expect(page.locator("[data-reason=template]")).to_contain_text(words("reason.template"))
    teacher.picture("single")
    teacher.follow("batch.next")
    expect(page.locator("h1.document-name")).to_have_text("student-04.txt")
    page.keyboard.press("Shift+ArrowLeft")
    expect(page.locator("h1.document-name")).to_have_text(names[0])
    page.keyboard.press("Escape")
    expect(page.locator("#documents")).to_be_visible()
    teacher.follow("place.classes")
    expect(page.get_by_role("link", name="11 Б, весна")).to_be_visible()
