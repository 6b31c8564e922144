"""The dashboard of a batch in a real browser: the class at a glance, and each of its documents."""

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pypdfium2
import pytest
from playwright.sync_api import Locator, Page, expect

from likewise.catalogue import LANGUAGES, LanguageCode, Words, texts
from likewise.report.batch import members_of, similar_from, with_order
from likewise.report.figures import four_shares
from likewise.report.view import BatchView

from .batch_views import batch_of, large_batch, small_batch
from .collection_views import HOSTILE
from .conftest import Opened
from .reading import wait_for_text
from .texts import MARKET, OWN, RIVER, document

EN = Words("en")


def rows(page: Page) -> Locator:
    return page.locator("#documents tbody tr")


def row_of(page: Page, name: str) -> Locator:
    return rows(page).filter(has=page.locator("td.who", has_text=name))


def names(page: Page) -> list[str]:
    return rows(page).locator("td.who a").all_inner_texts()


def tile(page: Page, choice: str | int) -> Locator:
    return page.locator(f".tile[data-choice='{choice}']")


THRESHOLDS = {"notice": 20, "high": 40}


def show(page: Page, tab: str) -> None:
    page.locator(f"#part-{tab}").click()
    expect(page.locator(f"#panel-{tab}")).to_be_visible()


def similar(view: BatchView, number: int) -> str:
    return EN.percent(four_shares(view.checks[number].shares)[1])


def sideways(page: Page) -> int:
    """How far the page scrolls to the side."""
    return int(page.evaluate("document.documentElement.scrollWidth - innerWidth"))


# The dashboard


def test_each_document_stands_in_a_row_with_its_share_its_source_and_who_is_closest(
    opened: Opened,
) -> None:
    view = small_batch()
    page = opened(view)
    expect(page.get_by_role("heading", level=1)).to_have_text("5 documents")
    expect(page.locator("main")).to_contain_text("campus")
    assert names(page) == [check.document.name for check in view.checks]
    for number, member in enumerate(members_of(view)):
        row = rows(page).nth(number)
        expect(row.locator(".similar b")).to_have_text(similar(view, number))
        if member.best is not None:
            source = member.check.sources[member.best]
            expect(row.locator(".best")).to_contain_text(source.text.name)
            share = EN.share(source.covered / member.check.shares.whole)
            expect(row.locator(".best")).to_contain_text(share)
            is_beside = row.locator(".best").get_by_text(EN("batch.of_the_group"))
            expect(is_beside).to_have_count(int(member.is_best_of_batch))
        if member.closest is not None:
            expect(row.locator(".closest")).to_contain_text(member.closest.text.name)
            expect(row.locator(".closest")).to_contain_text(EN.share(member.closest.share))
    expect(row_of(page, "aigerim").locator(".tricks")).to_have_text(EN("note.foreign letters"))
    expect(row_of(page, "boris").locator(".who")).to_contain_text(EN("unchecked.in_part"))


def test_who_was_checked_first_stands_beside_who_came_later(opened: Opened) -> None:
    first, later = document("first.txt", OWN, RIVER), document("later.txt", MARKET, RIVER)
    view = batch_of([first, later], [])
    # When the first was checked, the other was not there.
    checks = tuple(
        replace(check, sources=()) if check.document.name == "first.txt" else check
        for check in view.checks
    )
    view = with_order(replace(view, checks=checks), {"first.txt": 0, "later.txt": 1})
    page = opened(view)
    expect(row_of(page, "first").locator(".closest")).to_contain_text("later.txt")
    expect(row_of(page, "first").locator(".closest")).to_contain_text(EN("batch.later"))
    expect(row_of(page, "later").locator(".closest")).not_to_contain_text(EN("batch.later"))
    text = view.collection.texts
    (pair,) = view.collection.pairs
    assert {text[pair.a].name, text[pair.b].name} == {"first.txt", "later.txt"}
    assert min(pair.containment_a, pair.containment_b) > 0.2


def test_the_bar_of_a_row_tells_all_four_shares_in_words_too(opened: Opened) -> None:
    view = large_batch(60)
    page = opened(view)
    number = next(i for i, check in enumerate(view.checks) if check.shares.quoted)
    shares = four_shares(view.checks[number].shares)
    told = rows(page).nth(number).locator(".parts").get_attribute("title") or ""
    for share in shares:
        assert EN.percent(share) in told


def test_tiles_count_the_documents_and_choose_which_are_listed(opened: Opened) -> None:
    view = large_batch(200)
    page = opened(view)
    for step, percent in THRESHOLDS.items():
        count = sum(similar_from(check, percent) for check in view.checks)
        expect(tile(page, step).locator("b")).to_have_text(str(count))
        tile(page, step).click()
        expect(tile(page, step)).to_have_attribute("aria-pressed", "true")
        expect(rows(page)).to_have_count(min(count, 50))
    members = members_of(view)
    tile(page, "tricks").click()
    tricky = [m.check.document.name for m in members if m.tricks]
    assert names(page) == tricky and tricky
    tile(page, "in part").click()
    expect(rows(page)).to_have_count(sum(m.in_part for m in members))
    tile(page, "all").click()
    expect(rows(page)).to_have_count(50)


def test_the_histogram_says_how_the_shares_are_spread(opened: Opened) -> None:
    page = opened(small_batch())
    told = page.locator("svg[role=img]").first.get_attribute("aria-label") or ""
    assert EN("batch.by_share") in told
    assert EN("collection.bar", low="0.0%", high="5.0%", pairs="1 document") in told
    assert EN("collection.bar", low="95.0%", high="100.0%", pairs="2 documents") in told


def test_the_table_is_searched_and_sorted_by_any_column(opened: Opened) -> None:
    view = small_batch()
    page = opened(view)
    head = page.locator("#documents th").filter(has_text=EN("batch.student"))
    head.get_by_role("button").click()
    assert names(page) == sorted(check.document.name for check in view.checks)
    expect(head).to_have_attribute("aria-sort", "ascending")
    head.get_by_role("button").click()
    expect(head).to_have_attribute("aria-sort", "descending")
    assert names(page)[0] == "farida.txt"
    page.locator("#documents th").filter(has_text=EN("batch.tricks")).get_by_role("button").click()
    assert names(page)[0] == "aigerim.txt"
    expect(head).to_have_attribute("aria-sort", "none")
    page.locator("#documents").get_by_role("searchbox").fill(" DAN ")
    assert names(page) == ["dana.txt"]
    page.locator("#documents").get_by_role("searchbox").fill("nobody")
    expect(page.get_by_text(EN("batch.nobody"))).to_be_visible()


def test_a_thousand_documents_are_listed_as_they_are_asked_for(
    opened: Opened, tmp_path: Path
) -> None:
    view = large_batch(1000)
    page = opened(view)
    assert (tmp_path / "report-0.html").stat().st_size < 5_000_000
    expect(rows(page)).to_have_count(50)
    page.locator("#documents .foot").get_by_role("button").click()
    expect(rows(page)).to_have_count(250)
    page.locator("#documents").get_by_role("searchbox").fill("essay 777")
    expect(rows(page)).to_have_count(1)
    rows(page).click()
    expect(page.locator("h1.document-name")).to_have_text("group/essay 777.docx")


# A document


def test_a_row_opens_the_report_of_its_document_and_back_finds_the_dashboard_as_it_was(
    opened: Opened,
) -> None:
    view = small_batch()
    page = opened(view)
    page.locator("#documents").get_by_role("searchbox").fill("a")
    before = names(page)
    row_of(page, "erlan").locator(".similar").click()
    number = [check.document.name for check in view.checks].index("erlan.txt") + 1
    expect(page).to_have_url(re.compile(f"#document-{number}$"))
    expect(page.locator("h1.document-name")).to_be_focused()
    expect(page.locator("#the-text")).to_contain_text(
        view.checks[number - 1].document.stretches[0][1][:60]
    )
    expect(page).to_have_title(re.compile("^erlan.txt"))
    page.go_back()
    expect(page.locator("#documents")).to_be_visible()
    assert names(page) == before
    expect(page).to_have_title(re.compile("^campus"))
    expect(page.locator("h1.document-name")).to_have_count(0)


def test_a_link_to_a_document_shows_it_and_escape_leads_to_the_dashboard(opened: Opened) -> None:
    page = opened(small_batch(), "#document-2")
    expect(page.locator("h1.document-name")).to_have_text("dana.txt")
    page.keyboard.press("n")  # opens a passage, which Escape closes first
    expect(page.locator(".panel.is-open")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".panel.is-open")).to_have_count(0)
    expect(page.locator("h1.document-name")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#documents")).to_be_visible()


@pytest.mark.parametrize(
    "fragment", ["#document-99", "#document-0", "#document-", "#<b>", "#pair-9"]
)
def test_a_link_to_nothing_shows_the_dashboard(opened: Opened, fragment: str) -> None:
    page = opened(small_batch(), fragment)
    expect(page.locator("#documents")).to_be_visible()


def test_documents_are_turned_in_the_order_of_the_table(opened: Opened) -> None:
    page = opened(small_batch())
    page.locator("#documents th").filter(has_text=EN("batch.student")).get_by_role("button").click()
    row_of(page, "boris").locator("td.who a").press("Enter")
    title = page.locator("h1.document-name")
    expect(title).to_have_text("boris.txt")
    page.get_by_role("button", name=EN("batch.next")).click()
    expect(title).to_have_text("dana.txt")
    page.keyboard.press("Shift+ArrowRight")
    expect(title).to_have_text("erlan.txt")
    page.keyboard.press("Shift+P")
    page.keyboard.press("Shift+ArrowLeft")
    expect(title).to_have_text("boris.txt")
    page.keyboard.press("Shift+ArrowLeft")
    expect(title).to_have_text("aigerim.txt")
    expect(page.get_by_role("button", name=EN("batch.previous"))).to_be_disabled()
    page.get_by_role("button", name=EN("batch.back")).click()  # one step back, however many turns
    expect(page.locator("#documents")).to_be_visible()
    expect(page).to_have_url(re.compile("html$"))


def test_what_the_reader_excludes_in_a_document_changes_its_row(opened: Opened) -> None:
    view = small_batch()
    page = opened(view, "#document-3")
    expect(page.locator("h1.document-name")).to_have_text("erlan.txt")
    before = similar(view, 2)
    page.get_by_role("button", name=EN("exclude.source")).first.click()
    expect(page.locator("[data-share=similar]")).to_have_text("0.0%")
    page.get_by_role("button", name=EN("batch.back")).click()
    row = row_of(page, "erlan")
    expect(row.locator(".similar b")).to_have_text("0.0%")
    expect(row.locator(".similar")).to_contain_text(EN("exclude.before", share=before))
    expect(tile(page, "notice").locator("b")).to_have_text("3")
    assert names(page)[-1] != "dana.txt" and "erlan.txt" in names(page)[-2:]
    row.locator("td.who a").click()  # and it is still excluded there
    page.locator(".taken").get_by_role("button", name=EN("exclude.restore")).click()
    page.get_by_role("button", name=EN("batch.back")).click()
    expect(row.locator(".similar b")).to_have_text(before)


def test_links_inside_a_document_stay_in_it(opened: Opened) -> None:
    page = opened(small_batch(), "#document-1")
    page.locator(".head-chip[data-tab=unchecked]").click()
    expect(page.locator("h1.document-name")).to_be_attached()
    expect(page.locator("#unchecked")).to_be_in_viewport()
    expect(page).to_have_url(re.compile("#document-1$"))


def test_a_passage_of_a_document_has_an_address_that_opens_it(opened: Opened) -> None:
    page = opened(small_batch(), "#document-1")
    wait_for_text(page)
    for _ in range(2):
        page.keyboard.press("n")
    expect(page).to_have_url(re.compile(r"#document-1-passage-2-\d+$"))
    address, at = page.url, page.inner_text(".panel-at")
    page.keyboard.press("Escape")
    expect(page).to_have_url(re.compile("#document-1$"))
    page.goto(address)
    page.reload()
    expect(page.locator(".panel-at")).to_have_text(at)
    expect(page.locator("h1.document-name")).to_have_text("boris.txt")
    page.get_by_role("button", name=EN("batch.back")).click()
    expect(page.locator("#documents")).to_be_visible()


# Who shares with whom


def test_the_closest_document_and_the_matrix_open_the_pair(opened: Opened) -> None:
    view = small_batch()
    page = opened(view)
    row_of(page, "erlan").locator(".closest a").click()
    expect(page).to_have_url(re.compile("#pair-1$"))
    expect(page.locator(".pair-page .sides")).to_contain_text("boris.txt")
    page.keyboard.press("Escape")
    expect(page.locator("#documents")).to_be_visible()
    show(page, "matrix")
    page.locator("#matrix td[data-pair='2']").first.click()
    expect(page).to_have_url(re.compile("#pair-2$"))
    page.go_back()
    expect(page.locator("#matrix")).to_be_visible()


def test_two_documents_have_one_figure_on_every_tab(opened: Opened) -> None:
    view = small_batch()
    page = opened(view)
    among = view.collection
    erlan = row_of(page, "erlan").locator(".closest .figure").inner_text()
    (pair,) = (each for each in among.pairs if among.texts[each.b].name == "erlan.txt")
    assert erlan == EN.share(pair.containment_b)
    show(page, "pairs")
    row = page.locator("#pairs tbody tr").filter(has_text="erlan")
    shares = row.locator(".amount").all_inner_texts()[:2]
    assert shares == [EN.share(pair.containment_a), EN.share(pair.containment_b)]
    expect(row.locator(".similarity b")).to_have_text(EN.share(pair.similarity))
    show(page, "matrix")
    cells = page.locator("#matrix tbody tr").filter(has_text="erlan").locator("td.filled")
    expect(cells.first).to_have_attribute("title", re.compile(re.escape(erlan)))


def test_tabs_are_walked_by_keyboard_and_stand_in_the_address(opened: Opened) -> None:
    page = opened(small_batch())
    students = page.get_by_role("tab", name=EN("batch.students"))
    expect(students).to_have_attribute("aria-selected", "true")
    students.focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("tab", name=EN("collection.pairs"))).to_be_focused()
    expect(page.get_by_role("tabpanel")).to_have_count(1)
    expect(page.locator("#pairs")).to_be_visible()
    expect(page).to_have_url(re.compile("#pairs$"))
    page.keyboard.press("End")
    expect(page).to_have_url(re.compile("#details$"))
    expect(page.locator("section[aria-labelledby=made]")).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(students).to_be_focused()
    page.keyboard.press("Tab")
    assert (
        page.evaluate("document.activeElement.closest('[role=tabpanel]')?.id") == "panel-students"
    )
    page = opened(small_batch(), "#clusters")
    expect(page.locator("#clusters")).to_be_visible()


def test_students_are_called_by_name_everywhere_and_the_path_is_told_on_demand(
    opened: Opened,
) -> None:
    path = "{}_{}_assignsubmission_file_/essay.docx"
    asel, dana = path.format("Asel Nur", 701), path.format("Dana Lee", 702)
    page = opened(batch_of([document(asel, RIVER, OWN), document(dana, RIVER, MARKET)]))
    assert set(names(page)) == {"Asel Nur", "Dana Lee"}
    expect(row_of(page, "Asel Nur").locator(".who .name")).to_have_attribute("title", asel)
    expect(row_of(page, "Asel Nur").locator(".closest")).to_contain_text("Dana Lee")
    for tab in ("students", "pairs", "clusters", "matrix"):
        show(page, tab)
        expect(page.locator(f"#panel-{tab}")).to_contain_text("Dana Lee")
        assert "assignsubmission" not in page.locator("main").inner_text()
    show(page, "pairs")
    page.locator("#panel-pairs td a").first.click()
    expect(page.locator(".pair-name").first).to_be_visible()
    assert set(page.locator(".pair-name").all_inner_texts()) == {"Asel Nur", "Dana Lee"}
    assert "assignsubmission" not in page.locator("main").inner_text()
    page.go_back()
    show(page, "students")
    page.locator("#documents").get_by_role("searchbox").fill("702")  # the path is searched too
    assert names(page) == ["Dana Lee"]
    rows(page).click()
    expect(page.locator("h1.document-name")).to_have_text("Dana Lee")
    assert "assignsubmission" not in page.title()
    page.keyboard.press("n")
    expect(page.locator("aside.panel.is-open .pair-name").last).to_be_visible()
    # Nor is a path said to those who listen.
    assert "assignsubmission" not in page.locator("aside.panel.is-open").inner_text()
    labels = page.locator("#the-text button.number").evaluate_all(
        "all => all.map((one) => one.ariaLabel)"
    )
    assert "Asel Nur" in labels[0] and not any("assignsubmission" in label for label in labels)
    page.keyboard.press("Escape")
    page.click("#tab-details")
    made = page.locator("section[aria-labelledby=made]")
    expect(made).to_contain_text(dana)


def test_the_matrix_has_each_pair_twice_and_is_walked_by_keyboard(opened: Opened) -> None:
    view = large_batch(200)
    page = opened(view, "#matrix")
    cells = page.locator("#matrix tbody td")
    pairs = view.collection.all_pairs
    expect(page.locator("#matrix tbody tr")).to_have_count(58)
    expect(page.locator("#matrix td[data-pair]")).to_have_count(2 * pairs)
    expect(page.locator("#matrix td[tabindex='0']")).to_have_count(1)
    page.locator("#matrix td[tabindex='0']").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Home")
    expect(cells.nth(58)).to_be_focused()
    number = cells.nth(58).get_attribute("data-pair")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(f"#pair-{number}$"))


def test_of_many_that_share_sixty_are_in_the_matrix_and_the_rest_is_told(opened: Opened) -> None:
    view = large_batch(200, (40, 30, 5))
    page = opened(view, "#matrix")
    expect(page.locator("#matrix tbody tr")).to_have_count(60)
    told = EN("batch.not_in_matrix", what=EN("count.documents", n=15))
    expect(page.locator("#matrix")).to_contain_text(told)


def test_the_matrix_follows_the_threshold(opened: Opened) -> None:
    page = opened(small_batch(), "#matrix")
    expect(page.locator("#matrix tbody tr")).to_have_count(3)
    page.get_by_role("slider").focus()
    page.keyboard.press("End")
    expect(page.locator("#matrix")).to_have_count(0)


def test_a_batch_in_which_nobody_shares_says_so(opened: Opened) -> None:
    view = batch_of([document("a.txt", OWN), document("b.txt", RIVER)])
    page = opened(view)
    expect(rows(page)).to_have_count(2)
    for tab in ("pairs", "clusters", "matrix"):
        show(page, tab)
        expect(page.locator(f"#panel-{tab}")).to_have_text(EN("collection.no_pairs"))


def test_what_was_not_checked_is_on_the_dashboard(opened: Opened) -> None:
    page = opened(small_batch())
    unchecked = page.locator("section[aria-labelledby=unchecked]")
    named = f"{EN('unchecked.unread')}: gulnara.pdf"
    page.get_by_role("link", name=named).click()
    expect(unchecked).to_be_in_viewport()
    expect(unchecked).to_contain_text("gulnara.pdf")
    expect(unchecked).to_contain_text("boris.txt")
    expect(page.get_by_role("tab", name=EN("batch.details"))).to_have_attribute(
        "aria-selected", "true"
    )


# Looks


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_word_is_in_the_language_of_the_page(opened: Opened, language: LanguageCode) -> None:
    page = opened(small_batch(), language=language)
    words = Words(language)
    expect(page.locator("#documents-heading")).to_have_text(words("batch.students"))
    keys = set(texts("en"))
    for fragment, seen in (
        *(("#students", "#documents"), ("#pairs", "#pairs"), ("#clusters", "#clusters")),
        *(("#matrix", "#matrix"), ("#details", "[aria-labelledby=made]")),
        ("#document-2", ".turns"),
    ):
        page.evaluate(f"location.hash = {fragment!r}")
        expect(page.locator(seen)).to_be_visible()
        shown = page.locator("body").inner_text()
        labels = page.evaluate(
            "[...document.querySelectorAll('[aria-label],[placeholder],[data-called],[title]')]"
            ".map(e => [e.ariaLabel, e.placeholder, e.dataset.called, e.title].join(' ')).join(' ')"
        )
        assert not keys & set(re.findall(r"[\w.]+\.[\w.]+", f"{shown} {labels}"))
        assert not re.search(r"\{\w+\}", f"{shown} {labels}")


@pytest.mark.parametrize(
    ("width", "dark"), [(1280, False), (1280, True), (360, False), (360, True)]
)
def test_nothing_is_out_of_reach(
    opened: Opened,
    faults: Callable[[Page], list[str]],
    picture: Callable[..., Path],
    width: int,
    dark: bool,
) -> None:
    page = opened(small_batch(), dark=dark, width=width)
    for tab in ("students", "pairs", "clusters", "matrix", "details"):
        show(page, tab)
        picture(page, tab, full_page=True)
        assert faults(page) == []
        assert sideways(page) <= 0
    page.evaluate("location.hash = '#document-1'")
    expect(page.locator("#the-text[aria-busy=false]")).to_be_visible()
    picture(page, "document")
    assert faults(page) == []
    assert sideways(page) <= 0


@pytest.mark.parametrize("width", [1280, 360])
def test_hostile_names_are_names(opened: Opened, width: int) -> None:
    view = batch_of([document(name, RIVER, OWN) for name in HOSTILE])
    page = opened(replace(view, against=HOSTILE[0] + HOSTILE[2]), width=width)
    expect(rows(page)).to_have_count(3)
    assert "<script>document.title='run'<" in page.locator("#documents").inner_text()
    show(page, "matrix")
    assert sideways(page) <= 0
    for number in (1, 2, 3):
        page.evaluate(f"location.hash = '#document-{number}'")
        expect(page.locator("h1.document-name")).to_be_visible()
        assert sideways(page) <= 0
    assert page.title() != "run"
    assert "\u202e" not in page.locator("body").inner_text()


def test_on_paper_stand_all_documents_and_no_controls(opened: Opened) -> None:
    view = large_batch(70)
    page = opened(view)
    expect(page.locator("#matrix")).to_be_attached()  # the hidden tabs are drawn a little later
    expect(page.locator("section[aria-labelledby=made]")).to_be_attached()
    paper = pypdfium2.PdfDocument(page.pdf())
    text = " ".join(sheet.get_textpage().get_text_bounded() for sheet in paper)
    text = "".join(text.split())  # of letters alone: blanks are drawn as gaps
    for check in view.checks:
        assert "".join(check.document.name.split()) in text
    for key in ("batch.students", "batch.matrix", "collection.clusters", "made.heading"):
        assert "".join(EN(key).split()) in text
    assert EN("look.print") not in text and EN("batch.choose") not in text
