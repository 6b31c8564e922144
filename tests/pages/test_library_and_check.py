"""A teacher adds an archive, finds its documents, and checks a thesis that copies from three."""

from __future__ import annotations

from pathlib import Path

import pypdfium2
import pytest
from playwright.sync_api import expect

from likewise.model import WORDINGS
from tests.texts import RIVER

from .conftest import Visit
from .live_server import LiveServer
from .making import BROKEN, COPIED, mixed_archive, payload, thesis
from .speech import Language

REASON = "Сілтемесі бар дәйексөз, source is named on page 2"


@pytest.mark.parametrize(("engine_name", "language"), [("sqlite", "ru"), ("postgresql", "kk")])
def test_an_archive_is_added_and_a_thesis_that_copies_from_it_is_checked_to_the_export(
    live_server: LiveServer, visit: Visit, language: Language, tmp_path: Path
) -> None:
    live_server.people(aigul="teacher:Айгүл Нұрланқызы")
    live_server.start()
    teacher = visit(live_server, language)
    page, words = teacher.page, teacher.words
    teacher.log_in("aigul")

    # The library is empty and says what to do.
    teacher.follow("place.library")
    teacher.sees("library.empty.more")
    page.get_by_role("link", name=words("library.add"), exact=True).first.click()
    teacher.is_at("/library/add")
    teacher.give(payload("old works.zip", mixed_archive()))
    page.get_by_label(words("library.organisation"), exact=True).fill("Turan")
    page.get_by_label(words("library.year"), exact=True).fill("2024")
    teacher.press("add.start", n=1)
    teacher.picture("sending")
    teacher.sees("add.inside", n=27)
    files = page.locator(".files")
    for name in BROKEN:
        expect(files).to_contain_text(name)
    teacher.picture("added")
    teacher.follow("add.see")

    # Found again by search and filters; the address shows the same view to whoever has it.
    teacher.sees("library.found", n=27)
    page.get_by_role("searchbox").fill("apple")
    teacher.sees("library.found", n=3)
    page.get_by_role("searchbox").fill("")
    teacher.sees("library.found", n=27)
    filters = page.get_by_role("search")
    filters.get_by_role("combobox", name=words("library.language")).select_option("en")
    teacher.is_at(r"/library\?language=en")
    shown = page.get_by_text(words("library.found", n=27))
    expect(shown).to_have_count(0)
    rows = page.get_by_role("table").get_by_role("row")
    page.get_by_role("button", name=words("library.name"), exact=False).first.click()
    teacher.is_at(r"/library\?language=en&sort=name")
    expect(rows.nth(1)).to_contain_text("alice-bees.txt")
    before = rows.all_inner_texts()
    page.reload()
    expect(rows.nth(1)).to_contain_text("alice-bees.txt")
    assert rows.all_inner_texts() == before
    teacher.picture("library")
    teacher.press("library.clear")
    teacher.sees("library.found", n=27)
    teacher.is_at(r"/library\?sort=name")
    page.get_by_role("link", name="steppe.odt").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("steppe.odt")
    teacher.sees("document.known")
    expect(page.locator("main")).to_contain_text("Turan")
    teacher.press("document.text.show")
    expect(page.locator(".text.scrolls")).to_be_visible()
    teacher.picture("document")

    # The thesis.
    teacher.follow("place.checks")
    page.get_by_role("link", name=words("checks.new"), exact=True).first.click()
    teacher.give(payload("thesis.docx", thesis()))
    teacher.picture("chosen")
    teacher.press("check.start")
    expect(page.get_by_role("heading", level=1)).to_contain_text("thesis.docx")
    teacher.read_report()
    sources = page.locator("article.source")
    for name in COPIED:
        expect(sources.filter(has_text=name)).to_have_count(1)
    first = sources.filter(has_text=COPIED[0])
    first.get_by_role("button", name=words("passage.heading")).click()
    expect(first.locator(".source-more")).to_be_visible()
    teacher.picture("report")
    verdict = page.locator(".verdict-sentence").inner_text()

    # Taken out with a reason; who and why are kept.
    first.get_by_role("button", name=words("exclude.source")).click()
    expect(page.locator(".verdict-sentence")).not_to_have_text(verdict)
    teacher.press("exclude.keep")
    teacher.fill("keep.reason", REASON)
    teacher.picture("why")
    teacher.press("keep.go")
    teacher.sees("decided.heading")
    kept = page.get_by_role("region", name=words("decided.heading"))
    for told in (COPIED[0], REASON, "Айгүл Нұрланқызы"):
        expect(kept).to_contain_text(told)
    expect(sources.filter(has_text=COPIED[0])).to_have_count(0)
    page.reload()
    teacher.read_report()
    expect(kept).to_contain_text(REASON)
    teacher.picture("kept")

    # And on paper.
    with page.expect_download() as download:
        teacher.press("checked.export.as", format="PDF")
    path = tmp_path / download.value.suggested_filename
    download.value.save_as(path)
    paper = " ".join(text_of(path).split())
    for told in (REASON, "Айгүл Нұрланқызы", *COPIED):
        assert told in paper
    assert path.name.startswith("thesis") and path.suffix == ".pdf"

    # Taken back, it counts again.
    kept.get_by_role("button", name=words("exclude.restore")).click()
    expect(sources.filter(has_text=COPIED[0])).to_have_count(1)
    teacher.follow("place.home")
    expect(page.get_by_role("link", name="thesis.docx")).to_be_visible()
    teacher.picture("home")


@pytest.mark.parametrize(("engine_name", "language"), [("sqlite", "kk")])
def test_a_teacher_says_what_counts_as_similar_and_the_last_choice_stays(
    live_server: LiveServer, visit: Visit, language: Language
) -> None:
    live_server.people(aigul="teacher")
    live_server.texts("aigul", {"river.txt": RIVER})
    live_server.start()
    teacher = visit(live_server, language)
    page, words = teacher.page, teacher.words
    # Dropped on the overview, which asks what it is; a second one does not vanish silently.
    teacher.log_in("aigul")
    teacher.picture("empty-server")
    teacher.drop(mine=f"{RIVER}\n\nNothing else is told by anybody here.")
    expect(page.get_by_role("heading", name=words("home.drop.what_one"))).to_be_focused()
    teacher.picture("asked")
    teacher.press("home.drop.check")
    teacher.is_at("/checks/new")
    expect(page.locator(".chosen")).to_contain_text("mine.txt")
    teacher.drop(other="Another text of another person.")
    teacher.sees("check.one_at_a_time", name="other.txt")
    teacher.picture("one-at-a-time")
    expect(teacher.button("check.all_as_class", n=2)).to_be_visible()
    teacher.drop(mine=f"{RIVER}\n\nNothing else is told by anybody here.")
    teacher.sees("check.one_at_a_time", name="mine.txt")
    teacher.press("check.only_this")
    expect(page.locator(".several")).to_have_count(0)
    page.get_by_text(words("check.options")).click()
    ticks = {name: page.get_by_label(words(f"options.{name}"), exact=True) for name in WORDINGS}
    for tick in ticks.values():
        expect(tick).to_be_checked()
    ticks["word_for_word"].uncheck()
    ticks["reworded"].uncheck()
    expect(ticks["translated"]).to_be_disabled()
    ticks["reworded"].check()
    by_meaning = page.get_by_label(words("options.by_meaning"), exact=True)
    expect(by_meaning).to_be_checked()
    by_meaning.uncheck()
    teacher.press("check.start")
    teacher.read_report()
    page.locator("#tab-details").click()
    expect(page.locator('[data-counting="by_meaning"]')).to_have_text(words("no"))
    expect(page.locator("[data-wordings]")).to_contain_text(words("wording.not_counted"))
    expect(page.locator(".legend")).to_contain_text(words("wording.not_counted"))
    page.goto("/checks")
    row = page.get_by_role("row").filter(has_text="mine.txt")
    expect(row).to_contain_text(words("wording.word_for_word"))
    expect(row).to_contain_text(words("wording.not_counted"))


def text_of(path: Path) -> str:
    pdf = pypdfium2.PdfDocument(path)
    try:
        return "\n".join(page.get_textpage().get_text_range() for page in pdf)
    finally:
        pdf.close()
