"""The recipe is changed with a word of what it costs, and the library is rebuilt."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.library.texts import invented

from .conftest import Visit
from .live_server import LiveServer
from .making import COPIED, EXAMPLES, payload, thesis
from .speech import Language


@pytest.mark.parametrize(("engine_name", "language"), [("postgresql", "en")])
def test_the_recipe_is_changed_after_a_question_and_checks_find_the_same(
    live_server: LiveServer, visit: Visit, language: Language
) -> None:
    live_server.people(aigul="teacher", dean="administrator")
    texts = {p.name: p.read_text("utf-8") for p in (EXAMPLES / "archive").glob("*.txt")}
    live_server.texts("dean", texts | {f"other-{i}.txt": invented(300, seed=i) for i in range(60)})
    live_server.start(workers=2)
    dean, teacher = visit(live_server, language), visit(live_server, language)
    dean.log_in("dean", at="/administration/recipe")
    used = dean.page.get_by_role("table")
    expect(used).to_contain_text("5 words")
    expect(dean.button("recipe.renew")).to_be_disabled()
    dean.page.locator("select[name=unit]").select_option("chars")
    expect(dean.page.locator("input[name=shingle]")).to_have_value("30")
    dean.page.locator("input[name=drop_digits]").check()
    dean.press("recipe.renew")
    dialog = dean.page.get_by_role("dialog")
    expect(dialog).to_contain_text(f"{60 + len(texts)} documents will be renewed.")
    dean.picture("cost")
    dialog.get_by_role("button", name=dean.words("recipe.renew")).click()
    expect(dialog).to_have_count(0)

    # When it has ended the new recipe is in use, and checks find the same.
    expect(used).to_contain_text("53 characters")
    expect(dean.page.get_by_text(dean.words("stopwords.rebuilding"))).to_have_count(0)
    expect(used).not_to_contain_text("5 words")
    expect(dean.button("recipe.renew")).to_be_disabled()
    teacher.log_in("aigul", at="/checks/new")
    teacher.give(payload("thesis.docx", thesis()))
    teacher.press("check.start")
    teacher.read_report()
    for name in COPIED:
        expect(teacher.page.locator("article.source").filter(has_text=name)).to_have_count(1)

    # What the server refuses is said where it was asked.
    dean.page.locator("input[name=shingle]").evaluate("field => field.removeAttribute('min')")
    dean.page.locator("input[name=shingle]").fill("7")
    dean.press("recipe.renew")
    dialog.get_by_role("button", name=dean.words("recipe.renew")).click()
    expect(dialog.get_by_role("alert")).to_contain_text("20 characters, not 7")
    dialog.get_by_role("button", name=dean.words("app.no")).click()
    dean.page.goto("/administration/audit")
    expect(dean.page.locator("main")).to_contain_text("recipe changed")
    expect(dean.page.locator("main")).to_contain_text("words → characters")
