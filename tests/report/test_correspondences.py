"""Which words correspond in a passage in other words: in the view, on the page and on paper."""

import re
from dataclasses import replace
from io import BytesIO
from zipfile import ZipFile

import pytest
from playwright.sync_api import Locator, Page

import likewise as lw
from likewise.catalogue import LANGUAGES, Words
from likewise.report import view_of_batch, view_of_check, view_of_matches
from likewise.report.docx import docx_of
from likewise.report.paper.passages import MOST_CORRESPONDENCES, corresponding_words
from likewise.report.passages import CHARS_OF_A_CORRESPONDENCE
from likewise.report.pdf import pdf_of
from likewise.report.redaction import redact_batch, redact_check
from likewise.report.storage import pack_view, unpack_view
from likewise.report.texts import TextBudget
from likewise.report.view import CheckView, PairView, PassageView, TextView

from .correspondence_views import DATE, check_in_other_words, view_in_other_words
from .test_page import stretch, wait_for_text
from .test_pdf import text as text_of_pdf


@pytest.fixture(scope="module")
def view() -> CheckView:
    return view_in_other_words()


def passage_of(view: CheckView, kind: str) -> PassageView:
    return next(each for each in view.passages if each.kind == kind)


def told(here: TextView, there: TextView, passage: PassageView) -> dict[str, list[str]]:
    return {
        stretch(here, word): [stretch(there, each) for each in others]
        for word, others, _, _ in passage.correspondences
    }


# The view


def test_a_passage_in_other_words_says_which_words_correspond(view):
    there = view.sources[passage_of(view, "translated").source].text
    translated = told(view.document, there, passage_of(view, "translated"))
    assert translated["мост"] == ["bridge"] and translated["1954"] == ["1954"]
    rewritten = told(view.document, there, passage_of(view, "rewritten"))
    assert rewritten["timber"] == ["wood"] and rewritten["bridge"] == ["bridge"]
    assert passage_of(view, "verbatim").correspondences == ()


def test_they_are_kept_with_the_report(view):
    assert unpack_view(pack_view(view)) == view


def test_they_have_as_much_room_as_the_report(view):
    rows = len(passage_of(view, "translated").correspondences)
    # The text of the sources is held whatever it takes, as long as its passages are short.
    budget = TextBudget(CHARS_OF_A_CORRESPONDENCE * rows)
    held = view_of_check(check_in_other_words(), DATE, budget=budget)
    assert passage_of(held, "translated").correspondences
    assert not passage_of(held, "rewritten").correspondences


def test_of_an_erased_source_nobody_learns_what_its_words_were(view):
    redacted, _ = redact_check(check_in_other_words(), lambda name, _: name == "english.txt")
    assert not any(each.correspondences for each in view_of_check(redacted, DATE).passages)
    english = next(each.text for each in view.sources if each.text.name == "english.txt")
    matches = lw.find([check_in_other_words().document])
    batch = replace(view_of_batch([], matches), checks=(view,))
    (checked,) = redact_batch(batch, {english.sha256}, {}).checks
    assert not any(each.correspondences for each in checked.passages)


# On the page


def open_passage(page: Page, kind: str) -> Locator:
    """The panel of a passage."""
    wait_for_text(page)
    page.locator(f"mark.is-{kind}").first.click()
    return page.locator("aside.panel.is-open")


def word(panel: Locator, spelled: str) -> Locator:
    return panel.locator(".partnered", has_text=re.compile(f"^{spelled}$"))


def marked(panel: Locator) -> list[str]:
    return panel.locator(".is-partner").all_inner_texts()


IN_THE_TEXT = "() => [...(CSS.highlights.get('partners') ?? [])].map((each) => each.toString())"


# Where a word of the open passage stands on the screen.
MIDDLE = """(word) => {
  const text = document.querySelector("mark.is-open").firstChild;
  const range = new Range();
  range.setStart(text, text.data.indexOf(word));
  range.setEnd(text, text.data.indexOf(word) + word.length);
  const { x, y, width, height } = range.getBoundingClientRect();
  return { x: x + width / 2, y: y + height / 2 };
}"""


def test_a_word_that_is_pointed_at_shows_its_partners_and_says_what_they_share(
    open_page, view, picture
):
    page = open_page(view)
    panel = open_passage(page, "translated")
    panel.locator("summary.pair-caption").click()
    told = panel.locator(".pair-told")
    assert marked(panel) == [] and "dotted line" in told.inner_text()
    word(panel, "bridge").hover()
    assert marked(panel) == ["bridge", "мост"]
    assert told.inner_text() == "bridge corresponds to: мост (the same meaning)"
    assert page.evaluate(IN_THE_TEXT) == ["мост"]
    picture(page)
    word(panel, "Хартфорд").hover()
    assert marked(panel) == ["Hartford", "Хартфорд"]
    assert told.inner_text().endswith("Hartford (the same name or term)")
    word(panel, "1954").first.hover()
    assert told.inner_text() == "1954 corresponds to: 1954 (the same number)"
    # In the text itself, as well as beside it.
    middle = page.evaluate(MIDDLE, "мост")
    page.mouse.move(middle["x"], middle["y"])
    assert marked(panel) == ["bridge", "мост"]
    assert told.inner_text() == "мост corresponds to: bridge (the same meaning)"
    panel.locator("h3").hover()
    assert marked(panel) == [] and page.evaluate(IN_THE_TEXT) == []


def test_words_without_a_partner_are_plain_and_so_is_what_was_copied(open_page, view):
    page = open_page(view)
    panel = open_passage(page, "translated")
    assert word(panel, "bridge").count() == 1 and word(panel, "the").count() == 0
    english = view.sources[passage_of(view, "translated").source].text
    shown = panel.locator(".pair-side .pair-passage").first
    assert shown.text_content() == stretch(english, passage_of(view, "translated").b)
    page.keyboard.press("Escape")
    panel = open_passage(page, "verbatim")
    assert panel.locator(".partnered, .pair-told").count() == 0


def test_the_keys_go_from_word_to_word_and_leave_the_passage_open(open_page, view):
    page = open_page(view)
    panel = open_passage(page, "rewritten")
    at = panel.locator(".panel-at").inner_text()
    words = panel.locator(".pair-side").first.locator(".pair-passage")
    words.focus()
    assert "arrow keys" in words.get_attribute("aria-label")
    spelled = words.locator(".partnered").all_inner_texts()
    for pressed, expected in (
        ("ArrowRight", spelled[0]),
        ("ArrowRight", spelled[1]),
        ("ArrowLeft", spelled[0]),
        ("End", spelled[-1]),
        ("ArrowRight", spelled[-1]),
        ("Home", spelled[0]),
    ):
        page.keyboard.press(pressed)
        assert words.locator(".is-partner").all_inner_texts() == [expected]
        described = page.locator(f"[id='{words.get_attribute('aria-describedby')}']")
        assert described.inner_text().startswith(f"{expected} corresponds to: ")
        assert described.get_attribute("aria-live") == "polite"
    assert panel.locator(".panel-at").inner_text() == at
    page.keyboard.press("Escape")
    assert marked(panel) == [] and panel.count() == 1
    page.keyboard.press("Escape")
    assert panel.count() == 0


def test_a_word_is_tapped_on_a_small_screen(open_page, view, picture):
    small = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
    page = open_page(view, **small)
    panel = open_passage(page, "translated")
    word(panel, "fishermen").tap()
    assert marked(panel)[0] == "fishermen"
    assert "рыбаки" in panel.locator(".pair-told").inner_text()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    picture(page)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("dark", [False, True])
def test_nobody_is_kept_out(opened, faults, view, language, dark):
    page = opened(view, language=language, dark=dark)
    panel = open_passage(page, "translated")
    assert faults(page) == []
    word(panel, "bridge").hover()
    assert faults(page) == []
    said = Words(language)
    told = said(
        "correspondence.one", word="bridge", words="мост", reason=said("correspondence.concept")
    )
    assert panel.locator(".pair-told").inner_text() == told


def test_nothing_of_it_is_printed(open_page, view):
    page = open_page(view)
    open_passage(page, "translated")
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    printed = page.locator(".printed .pair").first
    assert printed.is_visible() and page.locator(".printed .partnered").count() == 0
    assert page.locator(".pair-told:visible").count() == 0


def test_two_documents_of_a_collection_show_them_too(opened, view, picture):
    texts = view.document, view.sources[passage_of(view, "translated").source].text
    passages = passage_of(view, "translated"), passage_of(view, "rewritten")
    pair = PairView(0, 1, 0.5, None, 0.5, 0.5, 0.5, passages)
    collection = view_of_matches(lw.find([check_in_other_words().document]), DATE)
    page = opened(replace(collection, texts=texts, sides=(0, 0), pairs=(pair,)), "#pair-1")
    side = page.locator(".aligned .pair").first
    word(side, "bridge").hover()
    assert marked(side) == ["мост", "bridge"]
    picture(page)


# On paper


@pytest.mark.parametrize("language", LANGUAGES)
def test_paper_lists_the_words_that_say_most(view, language):
    said = Words(language)
    english = view.sources[passage_of(view, "translated").source].text
    line = corresponding_words(view.document, english, passage_of(view, "translated"), said)
    head, _, pairs = line.partition(": ")
    assert head == said("correspondence.list")
    assert {"мост – bridge", "1954 – 1954", "Хартфорд – Hartford"} <= {*pairs.split("; ")}
    assert len(pairs.split("; ")) <= MOST_CORRESPONDENCES
    assert corresponding_words(view.document, english, passage_of(view, "verbatim"), said) == ""
    rewritten = corresponding_words(view.document, english, passage_of(view, "rewritten"), said)
    assert "timber – wood" in rewritten and "bridge" not in rewritten
    printed = " ".join(text_of_pdf(pdf_of(view, language)).split())
    assert head in printed and "Хартфорд – Hartford" in printed


def test_the_comments_of_a_docx_list_them_too(view):
    with ZipFile(BytesIO(docx_of(view, "en"))) as package:
        comments = package.read("word/comments.xml").decode()
    assert "Corresponding words: " in comments and "Хартфорд – Hartford" in comments
