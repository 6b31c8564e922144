"""The page in a real browser: what a reader sees, and what the reader does with it."""

import random
import re
from dataclasses import replace

import pypdfium2
import pytest
from playwright.sync_api import expect

import likewise as lw
from likewise.align import without
from likewise.catalogue import LANGUAGES, Words
from likewise.errors import LikewiseError
from likewise.model import Check, Document, Message, Note, Span
from likewise.report import page as page_module
from likewise.report import view_of_check, view_of_pair, write_view
from likewise.report.figures import tenths
from likewise.report.paper.sentences import verdict
from likewise.report.view import (
    CheckView,
    PassageView,
    ProvenanceView,
    SegmentsView,
    SharesView,
    SourceView,
    TextView,
    UncheckedView,
)

from .reading import choose_tab, measures_of, unfold_sources, wait_for_text
from .texts import MARKET, OWN, QUOTED, RIVER, document, edited

DATE = "2026-11-15T12:00:00Z"
SHARES = ("original", "similar", "quoted", "excluded")
# The text as it stands in the page, without numbers of sources and of pages.
TEXT = """() => [...document.querySelectorAll("#the-text .block")].map((block) => {
  const copy = block.cloneNode(true);
  for (const each of copy.querySelectorAll("button, .page-mark")) each.remove();
  return copy.textContent;
}).join("")"""


@pytest.fixture
def checked() -> Check:
    """A document of three pages with sources that overlap, a quotation and a disguise."""
    mine = document("mine.pdf", OWN, RIVER, QUOTED, MARKET, page_chars=400)
    note = Note(
        "foreign letters", Message.verbatim("3 words"), tuple(Span(i, i + 5) for i in (10, 30, 70))
    )
    mine = replace(
        mine, notes=(note, Note("not read in full", Message.verbatim("A table was not read.")))
    )
    return lw.check(
        mine,
        [
            document("river.txt", OWN[::-1], edited(RIVER), page_chars=200),
            document("both.txt", RIVER[:250], "A wholly different sentence stands here.", MARKET),
            document("market.txt", edited(MARKET[:200])),
            document("half.txt", MARKET[:200]),
        ],
    )


@pytest.fixture
def view(checked: Check) -> CheckView:
    return view_of_check(checked, DATE)


def shown_shares(page, language="en") -> list[str]:
    return [page.inner_text(f"[data-share={kind}]") for kind in SHARES]


def shares_of(view: CheckView, language="en") -> list[str]:
    """As Python writes them."""
    counts = [getattr(view.shares, kind) for kind in SHARES]
    return [Words(language).percent(share) for share in tenths(counts, view.shares.whole)]


def stretch(text: TextView, span: Span) -> str:
    """What a view holds of a span."""
    start, end = span.start, span.end
    return next(t[start - s : end - s] for s, t in text.stretches if s <= start < s + len(t))


# What is there


def test_it_opens_from_a_file_with_the_verdict_the_shares_and_the_whole_text(
    open_page, view, picture
):
    page = open_page(view)
    wait_for_text(page)
    assert page.inner_text("h1") == "mine.pdf"
    assert "of the document stands in 2 sources" in page.inner_text(".verdict-sentence")
    assert shown_shares(page) == shares_of(view)
    assert page.evaluate(TEXT) == view.document.stretches[0][1]
    assert page.title() == "mine.pdf – Similarity report"
    picture(page, full_page=True)


def test_passages_are_marked_by_source_and_by_kind_with_the_number_of_the_source(open_page, view):
    page = open_page(view)
    wait_for_text(page)
    for passage in view.passages:
        marks = page.locator(f'mark[data-p="{view.passages.index(passage)}"]')
        if not marks.count():
            continue  # another source covers it
        kind = passage.kind if passage.counts else "fragment"
        assert f"is-{kind}" in marks.first.get_attribute("class")
        assert f"source-{passage.source % 12}" in marks.first.get_attribute("class")
        number = page.locator(f'button.number[data-p="{view.passages.index(passage)}"]')
        assert number.inner_text() == str(passage.source + 1)
        assert view.sources[passage.source].text.name in number.get_attribute("aria-label")
    assert page.locator("mark").count() > 2
    assert page.locator("#the-text .is-quoted").count()
    assert page.locator("#the-text .page-mark").all_inner_texts()[:2] == ["page 1", "page 2"]


def test_what_was_not_checked_how_it_was_made_and_every_measure_are_told(open_page, view):
    page = open_page(view)
    page.click(".head-chip[data-tab=unchecked]")
    unchecked = page.inner_text("section[aria-labelledby=unchecked]")
    assert "The Internet was not searched." in unchecked and "Not read in full" in unchecked
    choose_tab(page, "details")
    made = page.inner_text("section[aria-labelledby=made]")
    for told in (view.document.sha256, view.made.recipe, view.made.version, "length of a shingle"):
        assert told in made
    more = measures_of(page, 0)
    measures = view.sources[0].measures
    for value in (measures.agreement, measures.low, measures.dice, measures.containment_b):
        assert Words("en").share(value) in more


def test_sources_are_listed_by_agreement_and_from_a_least_one_on_request(open_page, view):
    page, words = open_page(view), Words("en")
    numbers = """() => [...document.querySelectorAll("article.source")]
      .map((each) => Number(each.dataset.source))"""
    unfold_sources(page)
    usual = page.evaluate(numbers)
    agreements = [source.measures.agreement for source in view.sources]
    by_agreement = sorted(range(len(agreements)), key=lambda n: (-agreements[n], n))
    assert sorted(usual) == sorted(by_agreement) and len(usual) == 4
    before = page.inner_text(".verdict-sentence")
    order = page.get_by_label(words("sources.order"))
    order.select_option("agreement")
    assert page.evaluate(numbers) == by_agreement
    first = page.locator("article.source").first
    assert words.share(max(agreements)) in first.locator(".source-shares").inner_text()
    least = round(100 * sorted(agreements)[1], 2)
    page.get_by_label(words("sources.min_agreement")).fill(f"{least}".replace(".", ","))
    assert page.evaluate(numbers) == by_agreement[:3]
    assert words("sources.below", n=1) in page.inner_text(".source-order")
    order.select_option("share")
    assert set(page.evaluate(numbers)) == set(by_agreement[:3])
    assert page.inner_text(".verdict-sentence") == before, "what counts does not change"
    page.get_by_label(words("sources.min_agreement")).fill("nonsense")
    assert page.evaluate(numbers) == usual


def test_what_does_not_count_is_shaded_with_its_reason(open_page):
    books = "\n".join(f"{i}. Akhmetov, A. (19{i}). Rivers. Almaty: Steppe." for i in range(30, 40))
    mine = document("mine", OWN, QUOTED, RIVER, f"References\n\n{books}")
    view = view_of_check(lw.check(mine, [document("a", RIVER)]), DATE)
    page = open_page(view)
    wait_for_text(page)
    for exclusion in view.exclusions:
        said = Words("en")(f"reason.{exclusion.reason}")
        start = page.locator(f"#the-text [data-reason='{said}']").first
        assert mine.text[exclusion.place.start :].startswith(start.text_content()[:20])
        choose_tab(page, "details")
        assert said in page.inner_text("section[aria-labelledby=exclusions]")
    assert {each.reason for each in view.exclusions} == {"quotation", "bibliography"}
    # In the list of them a reason is a word like others, with nothing drawn over it.
    choose_tab(page, "details")
    drawn = "(one) => getComputedStyle(one, '::before').content"
    for each in page.locator(".facts > [data-reason]").all():
        assert each.evaluate(drawn) == '"·"'
    assert shown_shares(page) == shares_of(view) and shown_shares(page)[3] != "0.0%"


def test_without_anything_to_compare_with_there_are_no_figures(open_page, picture):
    page = open_page(view_of_check(lw.check(document("mine", RIVER), []), DATE))
    assert page.inner_text(".verdict-sentence") == "There was nothing to compare with."
    assert shown_shares(page) == ["–"] * 4
    assert "100.0%" not in page.inner_text("main")
    assert page.inner_text("section[aria-labelledby=sources]").endswith("nothing to compare with.")
    picture(page)


def test_documents_without_anything_in_common_have_no_short_runs_either(open_page):
    page = open_page(view_of_pair(lw.compare(document("a", OWN), document("b", MARKET)), DATE))
    assert "No text in common was found." in page.inner_text(".verdict-sentence")
    assert Words("en")("sources.fragments_only") not in page.inner_text("main")


def test_a_source_that_is_the_document_itself_is_called_so_and_has_its_hash(open_page):
    mine = replace(document("mine.pdf", OWN, RIVER), sha256="ab" * 32)
    copy = replace(document("copy.pdf", OWN, RIVER), sha256="ab" * 32)
    page = open_page(view_of_check(lw.check(mine, [copy, document("b", RIVER)]), DATE))
    assert page.locator(".source:has-text('the same file as the checked one')").count() == 1
    assert "ab" * 32 in measures_of(page, 0)


@pytest.mark.parametrize("language", LANGUAGES)
def test_settings_and_date_are_told_in_words(open_page, view, language):
    words = Words(language)
    counting = {"min_words": 12, "keep_quotations": True, "templates": ["form.docx"]}
    counted = replace(view, made=replace(view.made, counting=counting))
    page = open_page(counted, language, timezone_id="Asia/Almaty")
    choose_tab(page, "details")
    made = page.inner_text("section[aria-labelledby=made]")
    for key in ("setting.stem", "value.words", "counting.templates", "counting.min_words"):
        assert words(key) in made
    here = f"{words.day(DATE)}, 17:00"  # where the reader is, not in Greenwich
    assert here in made and here in page.inner_text(".verdict")
    assert page.inner_text("[data-setting=unit]").split("\n")[0] == words("setting.unit")
    assert page.locator("[data-setting=threshold]").count() == 0  # no check asks for it


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_share_that_is_hardly_there_is_not_called_none(open_page, view, language):
    words = Words(language)
    shares = SharesView(whole=100_000, original=99_997, similar=3, quoted=0, excluded=0)
    page = open_page(replace(view, shares=shares), language)
    less = words("share.less", share=words.percent(1))
    assert less in page.inner_text(".verdict-sentence")
    assert shown_shares(page) == [words.percent(each) for each in (1000, 0, 0, 0)]


# What the reader does


def test_after_everything_is_excluded_the_page_says_what_python_says(open_page, checked, view):
    page = open_page(view)
    for _ in view.sources:
        unfold_sources(page)
        page.click(".source-actions >> nth=0 >> text=Exclude this source")
    fewer = without(checked, sources=[source.name for source in checked.sources])
    said = verdict(view_of_check(fewer, DATE), Words("en"))
    assert page.inner_text(".verdict-sentence") == said == Words("en")("verdict.only_uncounted")


def test_the_source_is_on_the_screen_when_a_passage_is_opened(open_page, picture):
    mine = document("mine", OWN, RIVER + " " + MARKET, page_chars=400)
    view = view_of_check(lw.check(mine, [document("source", RIVER + " " + MARKET)]), DATE)
    page = open_page(view, viewport={"width": 1280, "height": 800})
    wait_for_text(page)
    page.keyboard.press("n")
    page.wait_for_function("() => document.querySelector('mark.is-open')")
    first = page.locator("aside.panel .pair-side").nth(0)
    box = first.locator("blockquote").bounding_box()
    assert box["y"] >= 0 and box["y"] + 100 < 800
    assert "Source" in first.inner_text() and RIVER[:60] in first.inner_text()
    picture(page)


def test_going_on_with_the_keys_is_told_with_number_source_and_kind(open_page, view):
    page = open_page(view)
    wait_for_text(page)
    for _ in range(2):
        page.keyboard.press("n")
    index = int(page.get_attribute("mark.is-open", "data-p"))
    passage = view.passages[index]
    told = page.inner_text("aside.panel [aria-live]")
    name = view.sources[passage.source].text.name
    kind = Words("en")(f"kind.{passage.kind}")
    for said in (f"Passage {passage.number}", f"Source {passage.source + 1}: {name}", kind):
        assert said in told
    label = page.get_attribute(f'button.number[data-p="{index}"]', "aria-label")
    assert f"Passage {passage.number}," in label


def test_passages_are_gone_through_with_keys_and_the_source_opens_beside(open_page, view, picture):
    page = open_page(view)
    wait_for_text(page)
    page.keyboard.press("n")
    panel = page.locator("aside.panel.is-open")
    first = panel.inner_text()
    assert re.search(r"1 of \d", first) and "This document" in first
    page.keyboard.press("ArrowRight")
    assert re.search(r"2 of \d", panel.inner_text())
    assert page.locator("#the-text .is-open").first.is_visible()
    picture(page)
    page.keyboard.press("p")
    assert panel.inner_text() == first
    page.keyboard.press("Escape")
    assert panel.count() == 0
    focused = page.evaluate("() => document.activeElement.className")
    assert "number" in focused  # the reader goes on where the passage stands
    page.keyboard.press("Enter")
    assert panel.inner_text() == first


def test_a_click_opens_the_passage_aligned_with_what_differs_marked(open_page, view):
    page = open_page(view)
    wait_for_text(page)
    mark = page.locator("mark.is-edited").first
    mark.scroll_into_view_if_needed()
    line = mark.evaluate("each => each.getClientRects()[0].toJSON()")
    page.mouse.click(line["x"] + line["width"] / 2, line["y"] + 5)
    panel = page.locator("aside.panel.is-open")
    index = int(page.get_attribute("mark.is-open", "data-p"))
    passage = view.passages[index]
    assert view.sources[passage.source].text.name in panel.inner_text()
    panel.locator(
        "summary.pair-caption"
    ).click()  # the source is there at once, the own side on demand
    for side, text, ends in (
        (1, view.document, passage.differs_a),
        (0, view.sources[passage.source].text, passage.differs_b),
    ):
        shown = panel.locator(".pair-side").nth(side)
        marked = shown.locator(".differs").all_inner_texts()
        assert marked == [stretch(text, each) for each in ends] and marked
        assert "page" in shown.inner_text()


def test_passages_under_another_are_reached_from_the_panel(open_page, view):
    page = open_page(view)
    wait_for_text(page)
    seen = {
        int(each) for each in page.eval_on_selector_all("mark", "all => all.map(m => m.dataset.p)")
    }
    under = next(i for i, p in enumerate(view.passages) if i not in seen and p.counts)
    top = next(
        i
        for i in seen
        if view.passages[i].a.start <= view.passages[under].a.start < view.passages[i].a.end
    )
    page.click(f'button.number[data-p="{top}"]')
    name = view.sources[view.passages[under].source].text.name
    page.click(f".panel-others button:has-text('{name}')")
    assert name in page.inner_text("aside.panel h3")


def test_excluding_a_source_counts_anew_as_python_does(open_page, checked, view, picture):
    page = open_page(view)
    for name in ("both.txt", "river.txt"):
        fewer = view_of_check(without(checked, sources=[name]), DATE)
        page.click(f".source:has-text('{name}') >> text=Exclude this source")
        assert shown_shares(page) == shares_of(fewer) != shares_of(view)
        unfold_sources(page)
        listed = page.locator(".source h3").all_inner_texts()
        assert listed == [source.text.name for source in fewer.sources]
        assert shares_of(view)[1] in page.inner_text(".taken")
        picture(page, name)
        page.click(".taken >> text=Include again")
        assert shown_shares(page) == shares_of(view)


def test_excluding_a_passage_counts_anew_as_python_does(open_page, checked, view):
    page = open_page(view)
    wait_for_text(page)
    page.keyboard.press("n")
    index = int(page.get_attribute("mark.is-open", "data-p"))
    page.click("aside.panel >> text=Exclude this passage")
    fewer = without(checked, spans=[view.passages[index].a])
    assert shown_shares(page) == shares_of(view_of_check(fewer, DATE)) != shares_of(view)
    assert shown_shares(page)[3] != "0.0%"
    assert page.locator("#the-text .is-excluded").count()
    said = page.inner_text("[role=status]")
    assert shown_shares(page)[1] in said  # told to those who do not see it change


@pytest.mark.parametrize("seed", range(3))
def test_whatever_is_excluded_the_figures_are_those_of_python(open_page, seed):
    chance = random.Random(seed)
    sentences = [f"{each.strip()}." for text in (RIVER, MARKET, OWN) for each in text.split(".")]
    sentences = [each for each in sentences if len(each) > 30]
    mine = document("mine", *sentences)
    others = [
        document(f"{i}", *chance.sample(sentences, chance.randint(1, 5)), *f"{i}" * i)
        for i in range(8)
    ]
    checked = lw.check(mine, others)
    view = view_of_check(checked, DATE)
    page = open_page(view)
    wait_for_text(page)
    numbers = {source.text.name: i for i, source in enumerate(view.sources)}
    taken, spans = [], []
    for _ in range(3):
        left = [name for name in numbers if name not in taken]
        taken.append(chance.choice(left))
        selector = f".source[data-source='{numbers[taken[-1]]}']"
        if page.locator("aside.panel.is-open").count():
            page.keyboard.press("Escape")
        unfold_sources(page)
        page.click(f"{selector} >> text=Exclude this source")
        if page.locator("button.number").count():
            page.click("button.number >> nth=0")
            index = int(page.get_attribute("button.number.is-open", "data-p"))
            spans.append(view.passages[index].a)
            page.click("aside.panel >> text=Exclude this passage")
        fewer = view_of_check(without(checked, sources=taken, spans=spans), DATE)
        assert shown_shares(page) == shares_of(fewer)
        page.keyboard.press("Escape")
        unfold_sources(page)
        listed = page.locator(".sources .source").all()
        order = [int(each.get_attribute("data-source")) for each in listed]
        counted = [each.locator("dd").all_inner_texts() for each in listed]
        expected = {
            numbers[source.text.name]: [
                Words("en").share(characters / view.shares.whole)
                for characters in (source.counted, source.covered)
            ]
            for source in fewer.sources
        }
        assert dict(zip(order, counted, strict=True)) == expected


def test_the_overview_is_reached_and_moved_with_keys(open_page, view):
    page = open_page(view, viewport={"width": 1280, "height": 300})
    wait_for_text(page)
    page.focus("[role=scrollbar]")
    page.keyboard.press("End")
    page.wait_for_function("() => document.querySelector('[role=scrollbar]').ariaValueNow > 40")
    page.keyboard.press("Home")
    page.wait_for_function("() => document.querySelector('[role=scrollbar]').ariaValueNow < 20")


def test_the_place_of_a_disguise_is_jumped_to(open_page, view):
    page = open_page(view, viewport={"width": 1280, "height": 500})
    wait_for_text(page)
    page.evaluate("() => document.querySelector('.text-scroller').scrollTo(0, 1e6)")
    page.click(".head-chip[data-tab=tricks]")
    assert "Letters of another alphabet" in page.inner_text("section[aria-labelledby=tricks]")
    page.click(".place >> nth=1")
    expect(page.locator("#the-text .is-trick").nth(1)).to_be_in_viewport()
    marked = page.locator("#the-text .is-trick")
    assert marked.all_inner_texts() == [
        view.document.stretches[0][1][i : i + 5] for i in (10, 30, 70)
    ]


# How it looks


def test_it_speaks_the_language_of_the_browser_the_given_one_and_the_chosen_one(open_page, view):
    page = open_page(view, locale="kk-KZ")
    assert page.get_attribute("html", "lang") == "kk"
    assert page.inner_text("#sources") == Words("kk")("sources.heading")
    assert shown_shares(page) == shares_of(view, "kk")
    for language in LANGUAGES:
        page.select_option("select[name=language]", language)
        assert page.get_attribute("html", "lang") == language
        choose_tab(page, "unchecked")
        assert page.inner_text("#unchecked") == Words(language)("unchecked.heading")
        assert shown_shares(page) == shares_of(view, language)
    page.reload()
    assert page.inner_text("#sources") == Words("kk")("sources.heading")  # the last one is kept
    given = open_page(view, "ru", locale="kk-KZ")
    assert given.inner_text("#sources") == Words("ru")("sources.heading")
    assert open_page(view, locale="de-DE").get_attribute("html", "lang") == "en"


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_word_is_missing_in_any_language(open_page, view, language, picture):
    page = open_page(view, language)
    wait_for_text(page)
    page.click(".source-actions button >> nth=0")
    page.keyboard.press("n")
    assert not re.search(r"\b[a-z_]+\.[a-z_]+\b(?<!\.txt)(?<!\.pdf)", labels(page))
    assert "{" not in labels(page)
    picture(page, full_page=True)


def labels(page) -> str:
    """Everything said, but the texts and how it was made."""
    return page.evaluate(
        """() => {
      const copy = document.querySelector("main").cloneNode(true);
      for (const each of copy.querySelectorAll("#the-text, blockquote, .made, bdi")) each.remove();
      return copy.textContent;
    }"""
    )


def test_dark_follows_the_system_and_the_choice_is_kept(open_page, view, picture):
    page = open_page(view, color_scheme="dark")
    ground = "() => getComputedStyle(document.documentElement).backgroundColor"
    dark = page.evaluate(ground)
    wait_for_text(page)
    page.keyboard.press("n")
    picture(page)
    page.select_option("select[name=theme]", "light")
    light = page.evaluate(ground)
    assert (
        sum(map(int, re.findall(r"\d+", dark)))
        < 120
        < 600
        < sum(map(int, re.findall(r"\d+", light)))
    )
    page.reload()
    assert page.evaluate(ground) == light


def test_on_a_phone_nothing_is_wider_than_the_screen_and_the_source_rises_from_below(
    open_page, view, picture
):
    page = open_page(view, "ru", viewport={"width": 360, "height": 700}, has_touch=True)
    wait_for_text(page)
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 360
    picture(page, "top")
    page.tap("button.number >> nth=1")
    box = page.locator("aside.panel.is-open").bounding_box()
    assert box["x"] == 0 and box["width"] == 360 and abs(box["y"] + box["height"] - 700) < 2
    mark = page.locator("mark.is-open").first.bounding_box()
    assert 0 <= mark["y"] < box["y"]  # the passage can still be seen
    picture(page, "source")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("what", ["check", "pair", "one line", "long word"])
def test_nothing_scrolls_sideways_on_a_narrow_phone(open_page, view, what, language):
    line = " ".join((RIVER, MARKET, OWN)) * 4
    word = "щ" * 5000
    views = {
        "check": lambda: view,
        "pair": lambda: view_of_pair(
            lw.compare(document("a", OWN, RIVER), document("b", edited(RIVER))), DATE
        ),
        "one line": lambda: view_of_check(
            lw.check(document("one", line), [document("b", RIVER), document("c", MARKET)]), DATE
        ),
        "long word": lambda: view_of_check(
            lw.check(document("long", word, RIVER), [document("n" * 200, word, RIVER)]), DATE
        ),
    }
    page = open_page(views[what](), language, viewport={"width": 360, "height": 740})
    wait_for_text(page)
    wide = "() => document.documentElement.scrollWidth"
    assert page.evaluate(wide) <= 360
    choose_tab(page, "sources")
    if what != "pair":  # whose source shows all at once
        page.click(".source-actions button >> nth=0")
        assert page.evaluate(wide) <= 360
    page.keyboard.press("n")
    assert page.evaluate(wide) <= 360


def test_paper_has_everything_in_light_colours_and_no_controls(open_page, view, tmp_path, picture):
    page = open_page(view, color_scheme="dark")
    page.pdf(path=tmp_path / "printed.pdf")
    with pypdfium2.PdfDocument(tmp_path / "printed.pdf") as pdf:
        text = "\n".join(each.get_textpage().get_text_bounded() for each in pdf)
    text = " ".join(text.split())
    places = [
        text.index(each) for each in ("stands in 2 sources", "Sources", "The text", "Passages")
    ]
    assert places == sorted(places)
    assert (
        "thin grey priests" in text[places[2] : places[3]]
        and "thin grey priests" in text[places[3] :]
    )
    assert "The Internet was not searched" in text
    for control in ("Exclude this", "Show more", "Print", "Choose a passage"):
        assert control not in text
    page.emulate_media(media="print")
    page.wait_for_selector(".printed")
    assert "255" in page.evaluate(
        "() => getComputedStyle(document.querySelector('.top')).backgroundColor"
    )
    picture(page, full_page=True)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_nobody_is_kept_out(open_page, view, faults, theme):
    page = open_page(view, color_scheme=theme)
    wait_for_text(page)
    page.click(".source-actions button >> nth=0")
    page.click(".source-actions button >> nth=-1")  # something is excluded
    assert faults(page) == []
    page.keyboard.press("n")
    assert faults(page) == []
    page.set_viewport_size({"width": 360, "height": 700})
    assert faults(page) == []
    for tab in ("unchecked", "tricks", "details"):
        page.keyboard.press("Escape")
        choose_tab(page, tab)
        assert faults(page) == []


# Bad input

HOSTILE = (
    "<script>window.pwned=1</script><img src=x onerror=window.pwned=2>",
    "\"'><svg onload=window.pwned=3></textarea></style></title></script><!--",
    "{{constructor.constructor('window.pwned=4')()}} ${window.pwned=5} `javascript:alert(1)`",
    "\u202eevil\u202c \u2066apart\u2069 \x01\x02\x1b[31m \x7f\x85 \u2028\u2029 ]]> &lt;b&gt;",
)


def test_nothing_in_names_or_texts_runs(open_page, picture):
    text = "\n".join((*HOSTILE, RIVER, *HOSTILE))
    note = Note("foreign letters", Message.verbatim(HOSTILE[0]), (Span(0, 40),))
    mine = Document(HOSTILE[0] + "\udc80", text, notes=(note,), meta={"title": HOSTILE[1]})
    others = [Document(f"{i}{name}", text) for i, name in enumerate(HOSTILE)]
    page = open_page(view_of_check(lw.check(mine, others), DATE))
    wait_for_text(page)
    page.keyboard.press("n")
    page.keyboard.press("Escape")
    unfold_sources(page)
    page.click(".source-actions button >> nth=0")
    page.click(".source-actions button >> nth=1")
    for tab in ("unchecked", "tricks", "details"):
        choose_tab(page, tab)
    assert page.evaluate("() => window.pwned") is None
    assert page.locator("main img, main script, main svg[onload], main textarea").count() == 0
    shown = page.evaluate(TEXT)
    assert "window.pwned=1</script>" in shown and "\u202e" not in shown and "\x1b" not in shown
    assert len(shown) == len(text)  # every character has its place
    picture(page, full_page=True)


def test_the_policy_allows_nothing_but_the_page_itself(browser, view, tmp_path):
    path = tmp_path / "report.html"
    write_view(view, path)
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', path.read_text("utf-8"))[1]
    assert "default-src 'none'" in policy and "unsafe" not in policy and "http" not in policy
    assert len(re.findall(r"'sha256-[\w+/=]+'", policy)) == 2
    page = browser.new_page()
    page.goto(path.as_uri())
    refused = page.evaluate(
        """() => new Promise((done) => {
      document.addEventListener("securitypolicyviolation", (e) => done(e.effectiveDirective));
      const script = document.createElement("script");
      script.textContent = "window.pwned = 1";
      document.body.append(script);
    })"""
    )
    assert refused == "script-src-elem" and page.evaluate("() => window.pwned") is None
    page.close()


def test_astral_characters_keep_every_mark_in_its_place(open_page):
    signs = "𝒜𝓈𝓉𝓇𝒶𝓁 😀👩‍🚀 "
    mine = document("mine", signs * 3, signs + RIVER + signs, OWN, signs + MARKET)
    source = document("source", "😀 own words before it all.", MARKET, "😀😀" + OWN[::-1], RIVER)
    view = view_of_check(lw.check(mine, [source]), DATE)
    page = open_page(view)
    wait_for_text(page)
    assert page.evaluate(TEXT) == mine.text
    for i, passage in enumerate(view.passages):
        marked = page.eval_on_selector_all(
            f'mark[data-p="{i}"]', "all => all.map((each) => each.textContent).join('')"
        )
        assert marked == passage.a.of(mine.text)
        page.click(f'button.number[data-p="{i}"]')
        sides = page.locator(".pair-passage").all_text_contents()
        assert sides == [passage.b.of(source.text), passage.a.of(mine.text)]
    assert len(view.passages) >= 2


@pytest.mark.parametrize("text", ["One line and no more.", "x" * 30_000, ""], ids=len)
def test_a_document_of_one_line_without_matches(open_page, text):
    view = view_of_check(lw.check(Document("one", text), [document("other", RIVER)]), DATE)
    page = open_page(view)
    said = "too short to check" if text else "holds no text"
    assert said in page.inner_text(".verdict-sentence")
    assert page.inner_text("section[aria-labelledby=sources]").endswith(
        "shares text with this one."
    )
    assert page.evaluate(TEXT) == text
    page.keyboard.press("n")
    assert page.locator("aside.panel").count() == 0
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 1280


def test_long_names_are_cut_and_break_nothing(open_page, picture):
    mine = document("m" * 300, RIVER, MARKET)
    others = [document("ұзын-атау " * 30, RIVER), document("n" * 300 + ".txt", MARKET, RIVER[:200])]
    page = open_page(
        view_of_check(lw.check(mine, others), DATE), viewport={"width": 360, "height": 800}
    )
    wait_for_text(page)
    page.keyboard.press("n")
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 360
    assert page.locator("h1").bounding_box()["height"] < 150
    assert page.locator("aside.panel h3").bounding_box()["height"] < 120
    picture(page, full_page=True)


def test_ten_thousand_passages_stay_usable(open_page):
    view = many_passages(10_000)
    page = open_page(view)
    wait_for_text(page)
    assert page.locator("button.number").count() == 10_000
    page.keyboard.press("p")
    assert "Passage 10,000 · 10,000 of 10,000" in page.inner_text("aside.panel")
    page.keyboard.press("Escape")
    page.click(".source-actions button >> nth=0")
    assert page.locator(".passage-row").count() < 60
    page.click(".source-actions button >> nth=1")
    assert shown_shares(page)[1] == "48.0%"


def many_passages(count: int) -> CheckView:
    """As many short passages as asked, of 25 sources in turn, each as long as what parts them."""
    line = "a passage of words\nwords that are own\n"
    visible = len("apassageofwords"), len("wordsthatareown")
    starts = [i * len(line) for i in range(count)]
    middle = line.index("\n")
    passage = PassageView(0, Span(0, 0), Span(0, middle), "verbatim", 1.0, 4, 1, None, None, (), ())
    sources = 25
    return CheckView(
        kind="check",
        made=ProvenanceView("1", DATE, "recipe", {}),
        document=TextView(
            "many", "en", "0" * 64, True, len(line) * count, 8 * count, (), ((0, line * count),)
        ),
        shares=SharesView(sum(visible) * count, visible[1] * count, visible[0] * count, 0, 0),
        sources=tuple(
            SourceView(
                text=TextView(f"{i}", "en", "0" * 64, True, 100, 20, (), ((0, line),)),
                covered=visible[0] * count // sources,
                counted=visible[0] * count // sources,
                under=None,
                measures=None,
                passages=count // sources,
                fragments=0,
            )
            for i in range(sources)
        ),
        passages=tuple(
            replace(passage, source=i % sources, a=Span(start, start + middle), number=i + 1)
            for i, start in enumerate(starts)
        ),
        exclusions=(),
        segments=SegmentsView(
            cuts=(*(cut for start in starts for cut in (start, start + middle)), len(line) * count),
            visible=visible * count,
            state=(0, 0) * count,  # type: ignore[arg-type]
        ),
        documents=sources,
        unchecked=UncheckedView((), (), ()),
        notes=(),
    )


def test_two_documents_say_how_much_of_each_stands_in_the_other(open_page, picture):
    mine, other = document("mine", OWN, RIVER), document("other", MARKET, edited(RIVER))
    view = view_of_pair(lw.compare(mine, other), DATE)
    page = open_page(view)
    (source,) = view.sources
    share = Words("en").share(source.covered_b / source.whole_b)
    assert f"{share} of \u2068other\u2069 stands in this document." in page.inner_text(".verdict")
    assert page.inner_text(".top-title") == "Comparison of two documents"
    picture(page, full_page=True)


def test_without_scripts_the_page_says_in_three_languages_what_it_needs(open_page, view):
    page = open_page(view, java_script_enabled=False)
    said = page.inner_text("#report")
    for language in LANGUAGES:
        assert Words(language)("look.no_script") in said


def test_a_page_that_was_not_built_is_told_clearly(view, tmp_path, monkeypatch):
    monkeypatch.setattr(page_module, "files", lambda package: tmp_path)
    page_module._bundle.cache_clear()
    with pytest.raises(LikewiseError, match=r"\./dev ui"):
        write_view(view, tmp_path / "report.html")
    assert not (tmp_path / "report.html").exists()
    page_module._bundle.cache_clear()
