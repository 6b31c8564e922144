"""The report as a reader: the text and what stands beside it in one screen."""

import base64
import gzip
import json
import re
from dataclasses import replace
from pathlib import Path

import pypdfium2
import pytest
from playwright.sync_api import expect

import likewise as lw
from likewise.catalogue import Words
from likewise.model import Span
from likewise.report import view_of_check
from likewise.report.view import CheckView, ExclusionView
from tests.library.texts import invented

from .reading import choose_tab, wait_for_text
from .table_views import small_view
from .texts import MARKET, OWN, RIVER, document, edited

DATE = "2026-11-15T12:00:00Z"
EN = Words("en")
PHONE = {"viewport": {"width": 360, "height": 700}, "has_touch": True}
LAPTOP = {"viewport": {"width": 1280, "height": 800}}
BOOKS = "\n".join(f"{i}. Akhmetov, A. (19{i}). Rivers. Almaty: Steppe." for i in range(30, 60))
STORY = (
    "Nobody in the office could explain why the clocks of the third floor ran ahead of the others. "
    "A plumber blamed the pipes, two accountants blamed the moon, and caretakers wound them back."
)


@pytest.fixture
def view() -> CheckView:
    """Six pages that are the author's own, then what was copied, then the books that were read."""
    own = [f"{STORY} That was reported on day {i} of the great audit." for i in range(60)]
    mine = document(
        "thesis.pdf",
        *own,
        RIVER,
        f"{OWN} {STORY}",
        MARKET,
        f"References\n\n{BOOKS}",
        page_chars=2500,
    )
    sources = [
        document("both.txt", RIVER, "A wholly different sentence stands here.", MARKET),
        document("river.txt", edited(RIVER[:300])),
        document("market.txt", MARKET[:200]),
    ]
    return view_of_check(lw.check(mine, sources), DATE)


def open_with_comments(open_page, view, comments, tmp_path, **how):
    """As a report whose passages teachers have commented on."""
    page = open_page(view, **how)
    path = Path(page.url.removeprefix("file://"))
    html = path.read_text("utf-8")
    held = re.search(r'id="view">([^<]+)<', html)
    told = json.loads(gzip.decompress(base64.b64decode(held[1]))) | {"comments": comments}
    packed = base64.b64encode(gzip.compress(json.dumps(told).encode())).decode()
    path.write_text(html.replace(held[1], packed), "utf-8")
    page.reload()
    wait_for_text(page)
    return page


def test_comments_stand_in_the_margin_and_beside_their_passage(open_page, view, faults, tmp_path):
    place = next(each.a for each in view.passages if each.number)
    evil = "Her own essay of last year. <img src=x onerror=alert(1)>"
    about = {"id": "7", "span": [place.start, place.end], "by": "A. Nur", "on": DATE}
    page = open_with_comments(open_page, view, [about | {"comment": evil}], tmp_path, **LAPTOP)
    mark = page.get_by_role("button", name=EN("comments.mark", by="A. Nur"))
    expect(mark).to_have_count(1)
    mark.click()
    panel = page.locator("aside.panel.is-open")
    expect(panel.locator(".comment")).to_contain_text(evil)
    expect(panel.locator(".comment")).to_contain_text("A. Nur")
    assert panel.get_by_role("button", name=EN("comments.add")).count() == 0  # a file keeps nothing
    assert faults(page) == []
    page.keyboard.press("Escape")
    choose_tab(page, "comments")
    page.locator("section[aria-labelledby=comments] .passage-row").click()
    expect(panel).to_be_visible()
    paper = tmp_path / "paper.pdf"
    page.pdf(path=paper)
    with pypdfium2.PdfDocument(paper) as pdf:
        said = " ".join(" ".join(each.get_textpage().get_text_bounded() for each in pdf).split())
    assert said.count("Her own essay of last year.") == 2  # at its passage, and among all


@pytest.mark.parametrize("size", [(1280, 800), (1920, 1080)])
def test_the_first_passage_is_in_sight_and_the_beginning_a_click_away(
    open_page, view, picture, size
):
    width, height = size
    page = open_page(view, viewport={"width": width, "height": height})
    wait_for_text(page)
    first = page.locator("button.number").first
    expect(first).to_be_in_viewport()
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    picture(page)
    page.get_by_role("button", name=EN("text.to_start")).click()
    expect(page.locator("#the-text .block").first).to_be_in_viewport()
    expect(first).not_to_be_in_viewport()


def test_the_page_itself_stays_where_it_is_while_its_panes_are_scrolled(open_page):
    texts = [invented(60, seed=each) for each in range(14)]
    sources = [document(f"source {i}.txt", text) for i, text in enumerate(texts)]
    view = view_of_check(lw.check(document("essay.txt", *texts), sources), DATE)
    page = open_page(view, **LAPTOP)
    wait_for_text(page)
    expect(page.locator("article.source").last).to_be_attached()
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    for _ in range(3):
        page.keyboard.press("p")
    expect(page.locator("mark.is-open").first).to_be_in_viewport()
    assert page.evaluate("scrollY") == 0
    expect(page.locator("h1")).to_be_in_viewport()


def test_lines_of_a_page_flow_and_keep_every_mark_in_its_place(open_page):
    words, lines = RIVER.split(), [""]
    for word in words:
        if len(lines[-1]) + len(word) > 60:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    assert len(lines) > 4
    listed = (
        "Levels of spring:\n- high\n- low\n- none\nThat is all.\n"
        "Introduction . . . . . . . . . . . . . . . . . . . . . . . . 3\n"
        "Chapter one . . . . . . . . . . . . . . . . . . . . . . . . . 5"
    )
    text = "\n".join(lines) + f"\n{listed}"
    mine = document("thesis.pdf", text, page_chars=len(text))
    view = view_of_check(lw.check(mine, [document("river.txt", RIVER)]), DATE)
    page = open_page(view, **LAPTOP)
    wait_for_text(page)
    read = page.locator("#the-text .block").inner_text()
    assert " ".join(words) in re.sub(r"\n?1\n?", "", read)
    assert listed in read
    number = page.locator("mark.passage").first
    assert number.inner_text().startswith(" ".join(words[:5]))


def test_pages_are_sheets_with_their_numbers(open_page, view):
    page = open_page(view, **LAPTOP)
    wait_for_text(page)
    sheets = page.locator("#the-text .sheet-top")
    assert sheets.count() == len(view.document.pages)
    page.keyboard.press("Home")
    expect(sheets.first.locator(".page-mark")).to_have_text(EN("page.one", n=1))


def test_a_link_to_a_passage_opens_it(open_page, view):
    page = open_page(view, **LAPTOP)
    wait_for_text(page)
    for _ in range(2):
        page.keyboard.press("n")
    expect(page).to_have_url(re.compile(r"#passage-\d+-\d+$"))
    address, shown = page.url, page.inner_text(".panel-at")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name=EN("passage.copy_link")).click()
    expect(page.locator(".panel-copied")).to_have_text(EN("passage.link_copied"))
    assert page.evaluate("navigator.clipboard.readText()") == address
    page.keyboard.press("Escape")
    assert "#passage" not in page.url
    page.goto(address)
    page.reload()
    expect(page.locator(".panel-at")).to_have_text(shown)
    expect(page.locator("mark.is-open").first).to_be_in_viewport()
    # Numbers change as something is excluded; the place in the text tells what is meant.
    place = address.rpartition("-")[2]
    page.evaluate(f"location.hash = '#passage-1-{place}'")
    expect(page.locator(".panel-at")).to_have_text(shown)
    page.evaluate("location.hash = '#passage-1'")
    expect(page.locator(".panel-at")).not_to_have_text(shown)
    # A link may be older than what was excluded since: it says so, and shows the place.
    page.keyboard.press("Escape")
    page.evaluate(f"location.hash = '#passage-99-{int(place) + 20}'")
    expect(page.get_by_text(EN("passage.outdated"))).to_be_visible()
    expect(page.locator("mark.passage").nth(1)).to_be_in_viewport()
    page.keyboard.press("n")
    expect(page.get_by_text(EN("passage.outdated"))).to_be_hidden()


def test_sources_with_nothing_counted_stand_behind_one_line(open_page, view):
    page = open_page(view, **LAPTOP)
    counted = [source for source in view.sources if source.counted]
    rest = len(view.sources) - len(counted)
    assert rest
    expect(page.locator("article.source:visible")).to_have_count(len(counted))
    page.get_by_text(EN("sources.uncounted", n=rest)).click()
    expect(page.locator("article.source:visible")).to_have_count(len(view.sources))


def test_a_bibliography_is_folded_until_it_is_asked_for(open_page, view):
    page = open_page(view, **LAPTOP)
    wait_for_text(page)
    fold = page.locator("#the-text .fold-button").first
    fold.scroll_into_view_if_needed()
    expect(fold).to_contain_text(EN("reason.bibliography"))
    expect(fold).to_have_attribute("aria-expanded", "false")
    text = page.locator("#the-text .folded").first
    assert text.bounding_box()["height"] == 0
    fold.click()
    expect(fold).to_have_attribute("aria-expanded", "true")
    assert text.bounding_box()["height"] > 100
    fold.press("Enter")
    expect(fold).to_have_attribute("aria-expanded", "false")


def test_a_title_page_is_one_line_however_short_it_is(open_page, view):
    first = ExclusionView(Span(0, 90), "title page", "", 0, None)
    page = open_page(replace(view, exclusions=(first, *view.exclusions)), **LAPTOP)
    fold = page.locator("#the-text .fold-button").first
    expect(fold).to_contain_text(EN("reason.title page"))
    expect(page.locator("#the-text .folded").first).to_be_hidden()
    fold.click()
    expect(page.locator("#the-text .folded").first).to_be_visible()


def test_beside_the_text_there_are_tabs_that_keys_go_through(open_page, view):
    page = open_page(view, **LAPTOP)
    page.locator("#tab-sources").focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#tab-unchecked")).to_be_focused()
    expect(page.locator("section[aria-labelledby=unchecked]")).to_be_visible()
    expect(page.locator("aside.panel.is-open")).to_have_count(0)  # no passage was opened
    page.keyboard.press("End")
    expect(page.locator("#tab-details")).to_be_focused()
    expect(page.locator("section[aria-labelledby=made]")).to_be_visible()
    page.keyboard.press("n")
    expect(page.locator("aside.panel.is-open")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("section[aria-labelledby=made]")).to_be_visible()


def test_on_a_phone_sources_and_passages_are_sheets_from_below(open_page, view, faults, picture):
    page = open_page(view, "kk", **PHONE)
    wait_for_text(page)
    side = page.locator("aside.side")
    assert side.bounding_box()["height"] < 80
    choose_tab(page, "sources")
    box = side.bounding_box()
    assert box["x"] == 0 and box["width"] == 360 and abs(box["y"] + box["height"] - 700) < 2
    assert box["y"] > 200
    picture(page, "sources")
    assert faults(page) == []
    page.locator(".source-name").first.click()
    panel = page.locator("aside.panel.is-open")
    expect(panel).to_be_visible()
    expect(page.locator("mark.is-open").first).to_be_in_viewport()
    assert faults(page) == []
    page.keyboard.press("Escape")
    expect(panel).to_have_count(0)
    page.keyboard.press("Escape")
    assert side.bounding_box()["height"] < 80
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_sources_are_told_with_author_advisor_and_year_but_no_name_twice(open_page, view):
    who = {"author": "Hannah Lindqvist", "advisor": "A. Bek", "year": 2019, "title": "Rivers"}
    first, second, *rest = view.sources
    sources = (
        replace(first, text=replace(first.text, **who)),
        replace(second, text=replace(second.text, author="Emma Clarke", label="Emma Clarke")),
        *rest,
    )
    page = open_page(replace(view, sources=sources), **LAPTOP)
    heads = page.locator(".source .source-who")
    advisor = EN("head.advisor", name="A. Bek")
    expect(heads.nth(0).locator(".facts > span")).to_have_text(
        ["Hannah Lindqvist", advisor, "2019", "Rivers"]
    )
    expect(
        page.locator(".source", has_text="Emma Clarke").locator("p.facts.soft.small")
    ).to_have_count(0)


def test_the_head_says_how_much_was_not_checked_and_never_that_nothing_was(open_page, view):
    page = open_page(view, **LAPTOP)
    chip = page.locator(".head-chip[data-tab=unchecked]")
    expect(chip).to_have_text(f"{EN('head.unchecked')}: 0")


def test_copied_tables_stand_in_the_head_where_all_prose_is_original(open_page, view):
    page = open_page(small_view(), **LAPTOP)
    page.get_by_role("button", name=EN("head.tables", n=1)).click()
    expect(page.locator("section[aria-labelledby=tables]")).to_be_visible()
    assert open_page(view, **LAPTOP).locator(".head-chip[data-tab=copied]").count() == 0


def test_the_share_has_the_level_that_thresholds_give_it(open_page, view):
    shares = view.shares
    for part, level in ((0.1, "low"), (0.3, "notice"), (0.5, "high")):
        similar = int(shares.whole * part)
        some = replace(
            shares, similar=similar, original=shares.whole - similar, quoted=0, excluded=0
        )
        page = open_page(replace(view, shares=some), **LAPTOP)
        expect(page.locator(f".share-is-similar.level-{level}")).to_be_visible()
