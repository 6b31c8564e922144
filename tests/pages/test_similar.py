"""A teacher asks which documents are most like a file."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from .conftest import Visit
from .live_server import LiveServer
from .making import EXAMPLES
from .speech import Language

ESSAY = EXAMPLES / "essays" / "aigerim-aral.txt"


@pytest.mark.parametrize(("engine_name", "language"), [("sqlite", "en"), ("postgresql", "kk")])
def test_similar_documents_are_found_by_a_least_agreement_and_a_level(
    live_server: LiveServer, visit: Visit, language: Language
) -> None:
    live_server.people(aigul="teacher:Айгүл Нұрланқызы")
    archive = sorted((EXAMPLES / "archive").glob("*.txt"))
    live_server.texts("aigul", {path.name: path.read_text("utf-8") for path in archive})
    live_server.start()
    teacher = visit(live_server, language)
    page, words = teacher.page, teacher.words
    teacher.log_in("aigul", at="/library")
    teacher.follow("similar.title")
    teacher.is_at("/library/similar")
    expect(teacher.button("similar.search")).to_be_disabled()

    # Without a minimum, what shares text.
    teacher.give(ESSAY)
    teacher.press("similar.search")
    teacher.sees("similar.found", n=1)
    teacher.sees("similar.measured_all", n=len(archive))
    rows = page.get_by_role("table", name=words("similar.title")).get_by_role("row")
    expect(rows).to_have_count(2)
    expect(rows.nth(1)).to_contain_text("asel-aral.txt")
    rows.nth(1).get_by_role("button", name=words("measures.more")).click()
    measures = page.locator(".measures")
    expect(measures).to_contain_text(words("measures.heading"))
    expect(measures).to_contain_text(words("measures.tfidf"))
    teacher.picture("similar")
    page.reload()
    teacher.sees("similar.found", n=1)

    # A minimum is of percent; every document is measured, and the level decides what agrees.
    teacher.give(ESSAY)
    for wrong in ("101", "half", "-1"):
        teacher.fill("similar.min_percentage", wrong)
        teacher.sees("similar.min_percentage.wrong")
        expect(teacher.button("similar.search")).to_be_disabled()
    teacher.fill("similar.min_percentage", "0,5")
    teacher.field("similar.level").select_option("95")
    teacher.press("similar.search")
    expect(rows.nth(0)).to_contain_text(words("paper.interval", level="95"))
    expect(rows.nth(1)).to_contain_text("asel-aral.txt")
    assert rows.count() > 2
    teacher.fill("similar.min_percentage", "100")
    teacher.press("similar.search")
    teacher.sees("similar.found", n=0)
    expect(rows).to_have_count(0)
