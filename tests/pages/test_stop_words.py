"""Stop words are changed and the library is rebuilt while others check."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.library.texts import invented

from .conftest import Visit
from .live_server import LiveServer
from .making import COPIED, EXAMPLES, payload, thesis
from .speech import Language


@pytest.mark.parametrize(("engine_name", "language"), [("postgresql", "en")])
def test_stop_words_are_changed_with_a_preview_and_the_library_is_rebuilt_while_checks_run(
    live_server: LiveServer, visit: Visit, language: Language
) -> None:
    live_server.people(aigul="teacher", dean="administrator")
    texts = {p.name: p.read_text("utf-8") for p in (EXAMPLES / "archive").glob("*.txt")}
    live_server.texts("dean", texts | {f"other-{i}.txt": invented(300, seed=i) for i in range(60)})
    live_server.start(workers=2)
    dean, teacher = visit(live_server, language), visit(live_server, language)
    dean.log_in("dean", at="/administration/stop-words")
    area = dean.page.get_by_role("textbox")
    before = area.input_value().split()
    area.fill("\n".join([*before, "bees", "printing"]))
    dean.press("stopwords.show")
    dean.sees("stopwords.preview")
    expect(dean.page.locator("main")).to_contain_text("bees, printing")
    dean.picture("preview")

    teacher.log_in("aigul", at="/checks/new")
    teacher.give(payload("thesis.docx", thesis()))
    teacher.press("check.start")
    dean.press("app.save")
    dean.press("stopwords.rebuild")
    dean.sees("stopwords.rebuilding")
    dean.picture("rebuilding")
    teacher.read_report()
    for name in COPIED:
        expect(teacher.page.locator("article.source").filter(has_text=name)).to_have_count(1)

    # When it has ended nothing is left to be done, and checks find the same.
    expect(dean.page.get_by_text(dean.words("stopwords.rebuilding"))).to_have_count(0)
    expect(dean.button("stopwords.rebuild")).to_have_count(0)
    dean.page.reload()
    expect(dean.page.get_by_role("textbox")).to_have_value(
        "\n".join(sorted([*before, "bees", "printing"]))
    )
    expect(dean.button("stopwords.rebuild")).to_have_count(0)
    teacher.page.goto("/checks/new")
    teacher.give(payload("thesis again.docx", thesis()))
    teacher.press("check.start")
    teacher.read_report()
    for name in COPIED:
        expect(teacher.page.locator("article.source").filter(has_text=name)).to_have_count(1)
