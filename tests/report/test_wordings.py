"""Five kinds of passages and three wordings, on every face and in every language."""

import csv
from collections.abc import Iterable
from dataclasses import replace
from io import BytesIO, StringIO
from zipfile import ZipFile

import pytest
from lxml import etree

import likewise as lw
from likewise.align import Alignment, CountedText, wordings_of
from likewise.catalogue import LANGUAGES, Words
from likewise.cli.check.result import print_text
from likewise.model import WORDINGS, Check, Passage, Span
from likewise.report import view_of_check
from likewise.report.csv import csv_of
from likewise.report.docx import docx_of
from likewise.report.figures import four_shares, wording_tenths
from likewise.report.paper.sentences import kind_of, uncounted_part, verdict_wordings
from likewise.report.pdf import pdf_of
from likewise.report.view import CheckView
from likewise.results import check_result, check_summary, plain

from .test_docx import text as text_of_docx
from .test_pdf import text as text_of_pdf
from .texts import MARKET, OWN, RIVER, document

DATE = "2026-11-16T12:00:00Z"
STEPPE = (
    "Весной степь пахнет полынью и мокрой глиной. Старики говорят, что в такой день надо выйти к "
    "реке до рассвета и слушать, как трогается лёд."
)
ENGLISH = (
    "In spring the steppe smells of wormwood and wet clay. Old people say that on such a day one "
    "must go to the river before dawn and listen to the ice break."
)
RETOLD = "In a few words: bees on a roof, honey of smoke, and bakers who quarrel under the hives."


def checked(names: Iterable[str] = WORDINGS) -> Check:
    """A check with a passage of each kind; those by meaning are put in by hand."""
    count = wordings_of(names)
    changed = MARKET.split()
    changed[3::6] = ["azure"] * len(changed[3::6])
    mine = document("mine.txt", RIVER, " ".join(changed), STEPPE, OWN, RETOLD)
    check = lw.check(mine, [document("a", RIVER), document("c", MARKET)], count=count)

    def place(text: str) -> Span:
        start = mine.text.index(text)
        return Span(start, start + len(text))

    by_meaning = Passage(place(STEPPE), Span(0, len(ENGLISH)), "translated", 0.7, 0.0, 1e-6)
    translated = replace(by_meaning, languages=("ru", "en"), by_meaning=True)
    retold = replace(by_meaning, a=place(RETOLD), b=Span(0, 90), kind="summarised", by_meaning=True)
    rewritten = replace(retold, a=place(OWN), kind="rewritten")
    alignments = {s.name: Alignment(s.passages, s.fragments) for s in check.sources}
    alignments["d.docx"] = Alignment((translated,), ())
    alignments["e.docx"] = Alignment((retold, rewritten), ())
    counted = CountedText(mine.text, check.exclusions, count)
    sources = counted.sources(alignments)
    more = {"d.docx": document("d.docx", ENGLISH), "e.docx": document("e.docx", MARKET)}
    return replace(
        check,
        sources=sources,
        shares=counted.shares(sources),
        wordings=counted.wordings(sources),
        texts={**check.texts, **more},
    )


def viewed(count: Iterable[str] = WORDINGS) -> CheckView:
    return view_of_check(checked(count), DATE)


def one_line(text: str) -> str:
    return " ".join(text.split())


TOLD = {
    "en": "translated from English into Russian",
    "ru": "переведено с английского на русский",
    "kk": "ағылшын тілінен орыс тіліне аударылған",
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_translated_passage_names_both_languages_the_source_first(language):
    (passage,) = (p for p in viewed().passages if p.kind == "translated")
    words = Words(language)
    assert kind_of(passage, words) == TOLD[language]
    assert kind_of(replace(passage, languages=("ru", "xx")), words) == words("kind.translated")
    assert kind_of(replace(passage, languages=None), words) == words("kind.translated")


@pytest.mark.parametrize("language", LANGUAGES)
def test_paper_tells_the_three_figures_both_languages_and_what_a_person_must_read(language):
    view, words = viewed(), Words(language)
    sentence = verdict_wordings(view, words)
    for wording, share in wording_tenths(view).items():
        assert f"{words(f'wording.{wording}')} {words.percent(share)}" in sentence
    made = docx_of(view, language)
    with ZipFile(BytesIO(made)) as package:
        comments = etree.fromstring(package.read("word/comments.xml"))
    docx = f"{text_of_docx(made)} {' '.join(comments.itertext())}"
    for told in map(one_line, (text_of_pdf(pdf_of(view, language)), docx)):
        for each in (sentence, TOLD[language], words("passage.by_meaning")):
            assert one_line(each) in told
        for kind in ("verbatim", "edited", "rewritten", "summarised", "translated"):
            assert words(f"kind.{kind}") in told


def test_figures_as_shown_add_up_to_the_similar_share_as_shown():
    for count in (WORDINGS, ("word_for_word",), ("reworded", "translated")):
        view = viewed(count)
        figures = wording_tenths(view)
        assert sum(figures[each] for each in view.count) == four_shares(view.shares)[1]
        assert figures["translated"] > 0


def test_what_does_not_count_is_marked_in_words():
    english = Words("en")
    some = wordings_of(["word-for-word"])
    assert uncounted_part("translated", some, english) == "not counted"
    assert uncounted_part("edited", some, english) == "only its unchanged words count"
    assert (
        uncounted_part("edited", wordings_of(["reworded"]), english)
        == "its unchanged words do not count"
    )
    assert uncounted_part("edited", wordings_of(["translated"]), english) == "not counted"
    assert not any(uncounted_part(each.kind, WORDINGS, english) for each in viewed().passages)
    view = viewed(some)
    told = " ".join(text_of_pdf(pdf_of(view, "en")).split())
    assert "(not counted)" in verdict_wordings(view, english)
    assert "translated from English into Russian · found by meaning · not counted" in told
    assert "what counts as similar word for word" in told


def test_programs_get_figures_languages_and_what_counts():
    told = plain(check_result(checked(("word_for_word", "reworded"))))
    assert told["count"] == ["word_for_word", "reworded"] == told["counting"]["count"]
    chars = {name: share * told["characters"] for name, share in told["wordings"].items()}
    assert all(abs(each - round(each)) < 1e-6 and each > 0 for each in chars.values())
    similar = round(told["shares"]["similar"] * told["characters"])
    assert round(chars["word_for_word"]) + round(chars["reworded"]) == similar
    passages = [p for source in told["sources"] for p in source["passages"]]
    assert {p["kind"] for p in passages if p["by_meaning"]} == {
        *("rewritten", "summarised", "translated")
    }
    assert [p["languages"] for p in passages if p["kind"] == "translated"] == [["ru", "en"]]
    assert plain(check_summary(checked(), DATE))["wordings"] == told["wordings"]


def test_the_command_line_tells_them_too(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "160")
    print_text(checked(("word_for_word",)), 5)
    told = " ".join(capsys.readouterr().out.split())
    assert "similar to a source" in told and "word for word" in told
    assert "% not counted translated" in told
    assert "translated from English into Russian not counted" in told
    assert "found by meaning: for a person to read" in told


def test_a_spreadsheet_has_a_column_for_each():
    view = viewed()
    rows = list(csv.DictReader(StringIO(csv_of(view, "en").removeprefix("\ufeff"))))
    for wording, name in zip(WORDINGS, ("word for word", "reworded", "translated"), strict=True):
        share = round(getattr(view.wordings, wording) / view.shares.whole, 4)
        assert {float(row[name]) for row in rows} == {share}
    kinds = {row["kind"] for row in rows}
    assert "translated from English into Russian, found by meaning" in kinds and "edited" in kinds


@pytest.mark.bundles
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_tells_them_in_every_language(open_page, faults, language):
    view, words = viewed(("word_for_word", "reworded")), Words(language)
    page = open_page(view, language=language)
    assert page.inner_text("[data-wordings]") == verdict_wordings(view, words)
    page.wait_for_selector("mark.is-translated")
    legend = page.inner_text(".legend")
    for kind in ("verbatim", "edited", "rewritten", "summarised"):
        assert words(f"kind.{kind}") in legend
    assert f"{words('kind.translated')} ({words('wording.not_counted')})" in legend
    lines = {
        kind: page.locator(f".legend .is-{kind}").evaluate(
            "each => getComputedStyle(each).textDecorationLine"
            " + getComputedStyle(each).textDecorationStyle"
        )
        for kind in ("verbatim", "edited", "rewritten", "summarised", "translated")
    }
    assert len(set(lines.values())) == 5  # by the line alone
    assert "is-excluded" in (page.get_attribute("mark.is-translated", "class") or "")
    page.locator("mark.is-translated").first.click()
    panel = page.inner_text("aside.panel.is-open")
    for each in (TOLD[language], words("wording.not_counted"), words("passage.by_meaning")):
        assert each in panel
    assert not faults(page)


@pytest.mark.bundles
def test_the_page_counts_wordings_anew_without_a_source(open_page):
    view = viewed()
    page = open_page(view)
    number = next(i for i, each in enumerate(view.sources) if each.text.name == "d.docx")
    page.locator(f"[data-source='{number}'] button", has_text="Exclude this source").click()
    assert "translated 0.0%" in page.inner_text("[data-wordings]")
