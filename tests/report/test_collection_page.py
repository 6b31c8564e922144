"""The page of a collection in a real browser: threshold, pairs, clusters, and each pair's page."""

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random

import pypdfium2
import pytest
from playwright.sync_api import Page, expect

from likewise import Document, find
from likewise.catalogue import LANGUAGES, LanguageCode, Words, texts
from likewise.model import Span
from likewise.report import view_of_matches

from .collection_views import HOSTILE, clusters_of, collection, prose, reaching
from .conftest import Opened

FOUND = ".said"
EN = Words("en")


def move_to(page: Page, hundredth: int) -> None:
    """The threshold by keyboard, a hundredth a key."""
    slider = page.get_by_role("slider")
    slider.focus()
    steps = hundredth - int(slider.input_value())
    for _ in range(abs(steps)):
        page.keyboard.press("ArrowRight" if steps > 0 else "ArrowLeft")


def said_at(threshold: float, pairs: int, clusters: int) -> str:
    return EN(
        "collection.at_threshold",
        threshold=EN.share(threshold),
        pairs=EN("count.pairs", n=pairs),
        clusters=EN("count.clusters", n=clusters),
    )


def rows(page: Page) -> int:
    return page.locator("#pairs tbody tr").count()


def sideways(page: Page) -> int:
    """How far the page scrolls to the side."""
    return int(page.evaluate("document.documentElement.scrollWidth - innerWidth"))


# The threshold


def test_moving_the_threshold_shows_the_pairs_and_clusters_that_python_counts(
    opened: Opened,
) -> None:
    view = collection(groups=(5, 4, 3, 2))
    page = opened(view)
    for hundredth in (50, 75, 88, 93, 99, 100, 90):
        move_to(page, hundredth)
        threshold = hundredth / 100
        pairs = reaching(view.pairs, threshold)
        clusters = clusters_of(view.pairs, threshold)
        expect(page.locator(FOUND)).to_have_text(said_at(threshold, len(pairs), len(clusters)))
        assert rows(page) == min(len(pairs), 25)
        for at, (members, weakest) in enumerate(clusters):
            choice = page.locator("#clusters .choice").nth(at)
            expect(choice).to_contain_text(EN("count.documents", n=len(members)))
            expect(choice).to_contain_text(EN("collection.weakest", share=EN.share(weakest)))
            expect(choice).to_contain_text(view.texts[members[0]].name)


def test_the_view_and_the_page_agree_on_the_clusters_at_the_threshold_searched_with(
    opened: Opened,
) -> None:
    view = collection()
    page = opened(view)
    expect(page.locator(FOUND)).to_have_text(
        said_at(view.threshold, view.all_pairs, view.all_clusters)
    )
    expect(page.locator("#clusters .choice")).to_have_count(len(view.clusters))


def test_the_threshold_does_not_go_below_the_one_searched_with(opened: Opened) -> None:
    view = collection(threshold=0.625)
    page = opened(view)
    move_to(page, 70)
    page.keyboard.press("Home")
    expect(page.get_by_role("slider")).to_have_value("62")
    expect(page.locator(FOUND)).to_contain_text(EN.share(0.625))
    page.keyboard.press("ArrowLeft")
    expect(page.locator(FOUND)).to_contain_text(EN.share(0.625))


def test_the_threshold_is_dragged_on_the_chart_too(opened: Opened) -> None:
    page = opened(collection())
    box = page.locator("svg.chart").bounding_box()
    assert box
    page.mouse.move(box["x"] + 60, box["y"] + 100)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 100)
    page.mouse.up()
    value = int(page.get_by_role("slider").input_value())
    assert 70 < value < 80
    page.mouse.move(box["x"] + box["width"] - 20, box["y"] + 100)
    expect(page.get_by_role("slider")).to_have_value(str(value))


def test_the_count_is_told_to_those_who_listen_once_the_threshold_rests(opened: Opened) -> None:
    view = collection()
    page = opened(view)
    heard = page.locator("p.unseen[role=status]").first
    expect(heard).to_have_text("")
    move_to(page, 80)
    at = said_at(0.8, len(reaching(view.pairs, 0.8)), len(clusters_of(view.pairs, 0.8)))
    expect(heard).to_have_text(at)
    expect(page.get_by_role("slider")).to_have_attribute("aria-valuetext", "80.0%")


def test_where_not_all_pairs_are_in_the_report_it_says_so(opened: Opened) -> None:
    whole = collection(groups=(9, 8, 7))
    view = collection(groups=(9, 8, 7), kept_pairs=20)
    page = opened(view)
    expect(page.locator("#pairs")).to_contain_text(
        EN("collection.shown_pairs", n=20, all=whole.all_pairs)
    )
    expect(page.locator(FOUND)).to_have_text(
        said_at(view.threshold, whole.all_pairs, whole.all_clusters)
    )
    in_part = page.get_by_text(EN("collection.in_part"))
    expect(in_part).to_have_count(0)  # the view itself knows the clusters at its threshold
    move_to(page, 55)
    expect(page.locator(FOUND)).to_contain_text(
        EN("count.pairs", n=len(reaching(whole.pairs, 0.55)))
    )
    expect(in_part).to_be_visible()
    page.keyboard.press("End")  # all that reach 100 % are among the strongest
    strongest = len(reaching(whole.pairs, 1.0))
    expect(page.locator(FOUND)).to_have_text(
        said_at(1.0, strongest, len(clusters_of(whole.pairs, 1.0)))
    )
    expect(in_part).to_have_count(0)


@pytest.mark.parametrize("threshold", [0.0, 0.07, 0.99, 1.0])
def test_any_threshold_can_have_been_searched_with(opened: Opened, threshold: float) -> None:
    view = replace(collection(groups=(3,), threshold=0.5), threshold=threshold)
    view = replace(view, pairs=tuple(replace(pair, similarity=1.0) for pair in view.pairs))
    view = replace(view, histogram=(0,) * 100 + (3,))
    page = opened(view)
    expect(page.locator(FOUND)).to_have_text(said_at(threshold, 3, 1))
    move_to(page, 100)
    expect(page.locator(FOUND)).to_have_text(said_at(1.0, 3, 1))


# Pairs


def test_a_pair_opens_from_its_row_and_back_finds_the_collection_as_it_was(opened: Opened) -> None:
    view = collection()
    page = opened(view)
    move_to(page, 60)
    before = rows(page)
    page.locator("#pairs tbody tr").nth(2).locator("td").nth(2).click()
    expect(page).to_have_url(re.compile("#pair-3$"))
    pair = view.pairs[2]
    expect(page.get_by_role("heading", level=1)).to_have_text("Pair 3")
    expect(page.locator(".pair-page .similarity b")).to_have_text(EN.share(pair.similarity))
    for text in (pair.a, pair.b):
        expect(page.locator(".sides")).to_contain_text(view.texts[text].name)
    page.go_back()
    expect(page.locator("#pairs")).to_be_visible()
    expect(page.get_by_role("slider")).to_have_value("60")
    assert rows(page) == before


def test_the_passages_of_a_pair_stand_side_by_side_with_what_differs_and_their_pages(
    opened: Opened,
) -> None:
    view = collection()
    page = opened(view, "#pair-1")
    pair = view.pairs[0]
    first = page.locator("[data-passage='1']")
    for side, text, place, differs in (
        (0, pair.a, pair.passages[0].a, pair.passages[0].differs_a),
        (1, pair.b, pair.passages[0].b, pair.passages[0].differs_b),
    ):
        whole = view.texts[text].stretches[0][1]
        figure = first.locator("figure").nth(side)
        assert figure.locator(".pair-passage").inner_text() == place.of(whole).strip("\n")
        marks = [each.of(whole) for each in differs]
        assert figure.locator("ins").all_inner_texts() == [mark.strip("\n") for mark in marks]
    expect(first.locator("figure").nth(0)).to_contain_text(EN("page.one", n=1))
    expect(first.locator("figure").nth(1)).to_contain_text(EN("page.several", first=1, last=2))


def test_passages_and_pairs_are_turned_by_keyboard(opened: Opened) -> None:
    page = opened(collection())
    page.locator("#pairs tbody a").nth(1).press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Pair 2")
    current = page.locator("[aria-current]")
    for key, address, passage in (
        ("n", "#pair-2", "1"),
        ("ArrowRight", "#pair-2-2", "2"),
        ("n", "#pair-2-2", "2"),
        ("p", "#pair-2", "1"),
        ("Shift+ArrowRight", "#pair-3", None),
        ("n", "#pair-3", "1"),
        ("Shift+P", "#pair-2", None),
        ("Shift+ArrowLeft", "#pair-1", None),
        ("Shift+ArrowLeft", "#pair-1", None),
    ):
        page.keyboard.press(key)
        expect(page).to_have_url(re.compile(f"{address}$"))
        if passage:
            expect(current).to_have_attribute("data-passage", passage)
    page.keyboard.press("Escape")
    expect(page.locator("#pairs")).to_be_visible()
    expect(page.locator("#pairs tbody a").nth(0)).to_be_focused()  # of the pair that was open last
    expect(page).to_have_url(re.compile("html$"))


def test_escape_leads_back_to_the_row_that_was_clicked(opened: Opened) -> None:
    page = opened(collection())
    page.locator("#pairs tbody tr").nth(3).locator(".similarity").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Pair 4")
    page.keyboard.press("Escape")
    expect(page.locator("#pairs tbody a").nth(3)).to_be_focused()
    linked = opened(collection(), "#pair-3")
    linked.keyboard.press("Escape")
    expect(linked.locator("#pairs tbody a").nth(2)).to_be_focused()


def test_a_short_run_of_words_has_no_number_in_a_pair(opened: Opened) -> None:
    view = collection()
    first, *rest = view.pairs
    passages = (replace(first.passages[0], counts=False, number=None), first.passages[1])
    shown = (first.passages[0], replace(passages[0], a=Span(200, 230)), passages[1])
    page = opened(replace(view, pairs=(replace(first, passages=shown), *rest)), "#pair-1")
    headings = page.locator(".aligned h3").all_inner_texts()
    assert [said.split("\n")[0].strip() for said in headings] == [
        "Passage 1",
        "too short to count",
        "Passage 2",
    ]


def test_of_a_corpus_records_are_spoken_of_everywhere(opened: Opened) -> None:
    page = opened(collection("dedup"))
    for fragment in ("", "#pair-1"):
        page.goto(page.url.partition("#")[0] + fragment)
        expect(page.locator("main")).to_be_visible()
        said = page.inner_text("main").lower()
        assert "record" in said and not re.search(r"\bdocuments?\b", said)


def test_clusters_have_the_same_numbers_on_the_page_and_on_paper(opened: Opened) -> None:
    texts = {name: prose(Random(i), 40) for i, name in enumerate("abcdef")}
    named = [("z", "a"), ("y", "b"), ("a", "a"), ("m", "c"), ("b", "c"), ("k", "b")]
    view = view_of_matches(find([Document(n, texts[t]) for n, t in named], threshold=0.5))
    page = opened(view)
    members = page.locator("#clusters .choice .members").all_inner_texts()
    on_paper = [[view.texts[i].name for i in each.members] for each in view.clusters]
    assert [sorted(said.split()) for said in members] == [sorted(names) for names in on_paper]


def test_a_link_to_a_pair_shows_it_and_escape_leads_to_the_collection(opened: Opened) -> None:
    page = opened(collection(), "#pair-4-2")
    expect(page.get_by_role("heading", level=1)).to_have_text("Pair 4")
    expect(page.locator("[aria-current]")).to_have_attribute("data-passage", "2")
    page.keyboard.press("Escape")
    expect(page.locator("#pairs")).to_be_visible()
    expect(page.locator(".pair-page")).to_have_count(0)


@pytest.mark.parametrize("fragment", ["#pair-99999", "#pair-0", "#pair-1e3", "#pair-", "#<b>"])
def test_a_link_to_no_pair_shows_the_collection(opened: Opened, fragment: str) -> None:
    page = opened(collection(), fragment)
    expect(page.locator("#pairs")).to_be_visible()


def test_next_goes_through_the_pairs_that_were_searched_for(opened: Opened) -> None:
    view = collection()
    name = view.texts[view.pairs[-1].a].name
    page = opened(view)
    page.get_by_role("searchbox").fill(f"  {name.upper()} ")
    ranks = [
        rank
        for rank, pair in enumerate(view.pairs, 1)
        if name in (view.texts[pair.a].name, view.texts[pair.b].name)
    ]
    assert 1 < len(ranks) < len(view.pairs)
    expect(page.locator("#pairs tbody tr")).to_have_count(len(ranks))
    page.locator("#pairs tbody a").first.click()
    page.get_by_role("button", name=EN("collection.next_pair")).click()
    expect(page).to_have_url(re.compile(f"#pair-{ranks[1]}$"))


def test_a_name_that_no_pair_has_is_said_to_be_missing(opened: Opened) -> None:
    page = opened(collection())
    page.get_by_role("searchbox").fill("nobody wrote this")
    expect(page.get_by_text(EN("collection.no_such_name"))).to_be_visible()


def test_every_measure_of_a_pair_is_shown_with_the_interval(opened: Opened) -> None:
    view = collection()
    page = opened(view, "#pair-1")
    page.get_by_role("button", name=EN("measures.more")).click()
    measures = view.pairs[0].measures
    assert measures
    expect(page.locator(".measures")).to_contain_text(
        EN("measures.interval", level="99", low=EN.share(0.5), high=EN.share(1.0))
    )
    expect(page.locator(".measures")).to_contain_text(EN.share(measures.dice))
    expect(page.locator(".measures")).to_contain_text(EN("measures.outside"))


def test_text_that_the_report_does_not_hold_is_said_not_to_be_held(opened: Opened) -> None:
    page = opened(collection(is_held=False), "#pair-1")
    expect(page.get_by_text(EN("passage.not_held")).first).to_be_visible()


# Clusters


def test_the_graph_draws_each_document_and_each_tie_of_the_chosen_cluster(opened: Opened) -> None:
    view = collection(groups=(5, 3, 2))
    page = opened(view)
    graph = page.locator(".graph")
    expect(graph.locator(".node")).to_have_count(5)
    expect(graph.locator(".tie")).to_have_count(10)
    page.locator("#clusters .choice").nth(1).click()
    expect(graph.locator(".node")).to_have_count(3)
    expect(graph.locator(".tie")).to_have_count(3)
    expect(page.locator(".ties li")).to_have_count(3)


def test_a_tie_opens_its_pair(opened: Opened) -> None:
    page = opened(collection(groups=(2, 2)))
    tie = page.locator(".graph .tie")
    number = tie.get_attribute("data-pair")
    page.locator(".graph").scroll_into_view_if_needed()
    box = tie.locator(".seen").bounding_box()
    assert box
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(page).to_have_url(re.compile(f"#pair-{number}$"))


def test_documents_of_the_graph_are_reached_and_chosen_by_keyboard(opened: Opened) -> None:
    view = collection(groups=(4, 2))
    page = opened(view)
    nodes = page.locator(".graph .node")
    nodes.first.focus()
    page.keyboard.press("ArrowRight")
    expect(nodes.nth(1)).to_be_focused()
    page.keyboard.press("End")
    expect(nodes.nth(3)).to_be_focused()
    page.keyboard.press("Enter")
    expect(nodes.nth(3)).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".ties li")).to_have_count(3)
    page.keyboard.press("Escape")
    expect(page.locator(".ties li")).to_have_count(6)


def test_of_a_large_cluster_150_documents_are_drawn_and_the_rest_is_told(opened: Opened) -> None:
    view = collection(groups=(160,), threshold=0.8, words=20)
    page = opened(view)
    expect(page.locator(".graph .node")).to_have_count(150)
    expect(page.locator("#clusters")).to_contain_text(EN("count.documents", n=10))
    drawn = page.locator(".graph .tie").count()
    expect(page.locator("#clusters")).to_contain_text(EN("count.ties", n=view.all_pairs - drawn))


def test_the_same_cluster_looks_the_same_every_time(opened: Opened) -> None:
    view = collection(groups=(12,))
    places = []
    for _ in range(2):
        page = opened(view)
        expect(page.locator(".graph .node")).to_have_count(12)
        places.append(
            page.locator(".graph circle").evaluate_all(
                "all => all.map(e => [e.cx, e.cy].map(v => v.baseVal.value))"
            )
        )
    assert places[0] == places[1]


# Kinds of collections


def test_documents_of_the_same_name_in_two_collections_are_told_apart(opened: Opened) -> None:
    names = [f"essay {i // 2}.docx" for i in range(8)]
    view = collection("cross", (4, 2, 2), names=names)
    page = opened(view)
    row = page.locator("#pairs tbody tr").first
    pair = view.pairs[0]
    expect(row.locator(".first")).to_contain_text(view.names[view.sides[pair.a]])
    expect(row.locator(".second")).to_contain_text(view.names[view.sides[pair.b]])
    expect(page.locator(".graph circle")).to_have_count(2)
    expect(page.locator(".graph .node rect")).to_have_count(2)


def test_a_deduplication_shows_its_thresholds_and_has_no_passages(opened: Opened) -> None:
    view = collection("dedup")
    page = opened(view)
    for row, found in zip(
        page.locator("section table").first.locator("tbody tr").all(), view.thresholds, strict=True
    ):
        expect(row).to_contain_text(EN.share(found.threshold))
        cells = row.locator("td").all_inner_texts()
        removed = EN.share(found.removed / (found.removed + found.kept))
        numbers = (found.pairs, found.clusters, found.kept, found.removed)
        assert cells == [*map(EN.number, numbers), removed]
    page.locator("#pairs tbody a").first.click()
    expect(page.get_by_text(EN("collection.no_passages"))).to_be_visible()


def test_a_collection_without_pairs_says_so(opened: Opened) -> None:
    page = opened(collection(groups=()))
    expect(page.get_by_text(EN("collection.no_pairs"))).to_be_visible()
    expect(page.get_by_role("slider")).to_have_count(0)


@pytest.mark.parametrize("language", LANGUAGES)
def test_where_pairs_were_looked_for_by_meaning_the_page_says_so(
    opened: Opened, language: LanguageCode
) -> None:
    words = Words(language)
    view = collection()
    by_meaning = replace(view.pairs[-1], similarity=0.0, by_meaning=True)
    pairs = (*view.pairs, by_meaning)
    view = replace(view, pairs=pairs, all_pairs=len(pairs), by_meaning=True)
    page = opened(view, language=language)
    threshold = words.share(view.threshold)
    hint = page.locator("#threshold-hint")
    expect(hint).to_have_text(words("collection.not_below.by_meaning", threshold=threshold))
    page.get_by_role("slider").focus()
    page.keyboard.press("End")
    mark = page.get_by_text(words("kind.by_meaning"))
    expect(mark).to_be_visible()  # at every threshold
    assert mark.evaluate("mark => mark.offsetWidth <= mark.closest('td').clientWidth")
    page = opened(replace(collection(groups=()), by_meaning=True), language=language)
    expect(page.get_by_text(words("collection.no_pairs.by_meaning"))).to_be_visible()


def test_where_they_were_not_looked_for_the_page_says_that(opened: Opened) -> None:
    page = opened(collection())
    hint = EN("collection.not_below", threshold=EN.share(0.5))
    expect(page.locator("#threshold-hint")).to_have_text(hint)


# Looks


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", ["find", "cross", "dedup"])
def test_every_word_is_in_the_language_of_the_page(
    opened: Opened, language: LanguageCode, kind: str
) -> None:
    page = opened(collection(kind), language=language)
    words = Words(language)
    expect(page.locator("html")).to_have_attribute("lang", language)
    expect(page.locator("#pairs-heading")).to_have_text(words("collection.pairs"))
    keys = set(texts("en"))
    for fragment in ("", "#pair-1"):
        page.evaluate(f"location.hash = {fragment!r}")
        if fragment:
            expect(page.locator(".pair-page")).to_be_visible()
        shown = page.locator("body").inner_text()
        labels = page.evaluate(
            "[...document.querySelectorAll('[aria-label],[placeholder],[data-called]')].map(e => "
            "[e.ariaLabel, e.placeholder, e.dataset.called].join(' ')).join(' ')"
        )
        assert not keys & set(re.findall(r"[\w.]+\.[\w.]+", f"{shown} {labels}"))
        assert not re.search(r"\{\w+\}", f"{shown} {labels}")


@pytest.mark.parametrize(
    ("kind", "width", "dark"),
    [
        ("find", 1280, False),
        ("find", 360, True),
        ("cross", 1280, True),
        ("cross", 360, False),
        ("dedup", 1280, True),
        ("dedup", 360, False),
    ],
)
def test_nothing_is_out_of_reach(
    opened: Opened,
    faults: Callable[[Page], list[str]],
    picture: Callable[..., Path],
    kind: str,
    width: int,
    dark: bool,
) -> None:
    page = opened(collection(kind), dark=dark, width=width)
    expect(page.locator(".graph .node").first).to_be_visible()
    assert page.locator("html").get_attribute("data-theme") == ("dark" if dark else "light")
    picture(page, full_page=True)
    assert faults(page) == []
    assert sideways(page) <= 0
    page.locator("#pairs tbody a").first.click()
    expect(page.locator(".pair-page")).to_be_visible()
    if kind != "dedup":
        page.get_by_role("button", name=EN("measures.more")).click()
    picture(page, "pair", full_page=True)
    assert faults(page) == []
    assert sideways(page) <= 0


@pytest.mark.parametrize("width", [1280, 360])
@pytest.mark.parametrize("kind", ["find", "cross"])
def test_hostile_names_are_names(opened: Opened, kind: str, width: int) -> None:
    view = collection(kind, (3,), names=HOSTILE)
    if kind == "cross":
        view = replace(view, names=(HOSTILE[0], HOSTILE[2]))
    page = opened(view, width=width)
    expect(page.locator(".graph .node")).to_have_count(3)
    assert "<script>document.title='run'</script>" in page.locator("#pairs").inner_text()
    page.locator(".graph .node").first.click()
    assert sideways(page) <= 0
    for rank in range(len(view.pairs)):
        page.evaluate(f"location.hash = '#pair-{rank + 1}'")
        expect(page.get_by_role("heading", level=1)).to_have_text(f"Pair {rank + 1}")
        assert sideways(page) <= 0
    assert page.title() != "run"
    assert "\u202e" not in page.locator("body").inner_text()


def test_five_thousand_pairs_are_listed_as_they_are_asked_for(
    opened: Opened, tmp_path: Path
) -> None:
    view = collection(groups=(*[10] * 90, *[32] * 2, *[6] * 6), threshold=0.3, words=150)
    assert view.all_pairs > 5000 and len(view.texts) == 1000
    page = opened(view)
    assert (tmp_path / "report-0.html").stat().st_size < 5_000_000
    assert rows(page) == 25
    for _ in range(3):
        page.locator("#pairs").get_by_role("button").click()
    assert rows(page) == 325
    move_to(page, 60)
    expect(page.locator(FOUND)).to_have_text(
        said_at(0.6, len(reaching(view.pairs, 0.6)), len(clusters_of(view.pairs, 0.6)))
    )
    page.goto(page.url + f"#pair-{view.all_pairs}")
    expect(page.get_by_role("heading", level=1)).to_have_text(
        EN("collection.pair", n=view.all_pairs)
    )


def test_on_paper_stand_chart_pairs_and_clusters_and_no_controls(
    opened: Opened, tmp_path: Path
) -> None:
    view = collection(groups=(9, 3))
    page = opened(view)
    expect(page.locator(".graph .node")).to_have_count(9)
    paper = pypdfium2.PdfDocument(page.pdf())
    text = "\n".join(sheet.get_textpage().get_text_bounded() for sheet in paper)
    for key in ("collection.histogram", "collection.pairs", "collection.clusters", "made.heading"):
        assert EN(key) in text
    assert EN("collection.listed", n=view.all_pairs, all=view.all_pairs) in text
    assert EN("look.print") not in text
    assert EN("collection.search") not in text
