"""Who took what out of the count and why, and who agrees: the same in every report."""

from __future__ import annotations

import csv
import io
import json

import docx
import pytest

import likewise as lw
from likewise.align import without
from likewise.catalogue import LANGUAGES, Words
from likewise.model import Check, Span
from likewise.report import view_of_check
from likewise.report.check import apply_decisions, view_with_decisions
from likewise.report.csv import csv_of
from likewise.report.docx import docx_of
from likewise.report.json import json_of
from likewise.report.paper import paper_of
from likewise.report.paper.blocks import BothSides, Paragraph, Table
from likewise.report.storage import pack_view, unpack_view
from likewise.report.view import CheckView
from likewise.results import CommentRow, Confirmation, Decision

from .batch_views import DATE
from .texts import MARKET, OWN, RIVER, document

WHEN = "2026-11-14T09:30:00Z"
AGREES = Confirmation(by="B. Serik", on=WHEN, comment="Read all of it; I agree.")


def some_check() -> Check:
    mine = document("mine.txt", OWN, RIVER, MARKET, page_chars=300)
    return lw.check(mine, [document("river.txt", RIVER), document("market.txt", MARKET)])


def decided() -> CheckView:
    check = some_check()
    start = check.document.text.index(MARKET)
    return view_with_decisions(
        check,
        [
            Decision(by="A. Nur", on=WHEN, reason="her own lecture notes", source="river.txt"),
            Decision(by="A. Nur", on=WHEN, reason="a proverb", span=Span(start, start + 40)),
        ],
        [AGREES],
        DATE,
    )


def test_the_view_is_counted_without_what_was_taken_out():
    check, view = some_check(), decided()
    start = check.document.text.index(MARKET)
    fewer = without(check, sources=["river.txt"], spans=[Span(start, start + 40)])
    assert view.shares == view_of_check(fewer, DATE).shares
    assert view.shares_before == view_of_check(check, DATE).shares
    source, stretch = view.decisions
    assert (source.source, source.place, source.reason) == (
        *("river.txt", None),
        "her own lecture notes",
    )
    assert (stretch.place, stretch.by, stretch.on) == (Span(start, start + 40), "A. Nur", WHEN)
    assert stretch.pages == view.exclusions[-1].pages is not None
    assert apply_decisions(check, []) is check
    assert unpack_view(pack_view(view)) == view


@pytest.mark.parametrize("language", LANGUAGES)
def test_paper_lists_decisions_and_confirmations(language):
    words = Words(language)
    paper = paper_of(decided(), words)
    sections = {section.heading: section for section in paper.sections}
    table = next(b for b in sections[words("decided.heading")].blocks if isinstance(b, Table))
    moment = words.day_and_time(WHEN)
    assert table.rows[0] == (
        *(words("decided.source", name="river.txt"), "her own lecture notes", "A. Nur", moment),
    )
    assert MARKET[:30] in table.rows[1][0] and table.rows[1][1] == "a proverb"
    agreed = next(b for b in sections[words("confirmed.heading")].blocks if isinstance(b, Table))
    assert agreed.rows == (("B. Serik", moment, AGREES.comment),)
    nobody = {section.heading for section in paper_of(view_of_check(some_check()), words).sections}
    assert not nobody & {words("decided.heading"), words("confirmed.heading")}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_spreadsheet_has_rows_for_them_in_columns_of_their_own(language):
    delimiter = "," if language == "en" else ";"

    def rows(view: CheckView) -> list[list[str]]:
        return list(csv.reader(io.StringIO(csv_of(view, language)), delimiter=delimiter))

    plain, told = rows(view_of_check(some_check())), rows(decided())
    assert len(told[0]) == len(plain[0]) + 3
    assert {len(row) for row in told} == {len(told[0])}
    assert [row[-3:] for row in told[-3:]] == [
        ["A. Nur", WHEN, "her own lecture notes"],
        ["A. Nur", WHEN, "a proverb"],
        ["B. Serik", WHEN, AGREES.comment],
    ]
    assert told[-3][4] == "river.txt"


REMARK = CommentRow(id="r", span=Span(0, 30), by="C. Omar", on=WHEN, comment="A fine question.")


def commented() -> CheckView:
    check = some_check()
    start = check.document.text.index(MARKET)
    place = Span(start + 5, start + len(MARKET))
    beside = CommentRow(id="b", span=place, by='C. "Omar"', on=WHEN, comment="Whose square?")
    return view_with_decisions(check, [], [], DATE, comments=[beside, REMARK])


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_comment_stands_beside_its_passage_or_else_in_a_table(language):
    view, words = commented(), Words(language)
    assert [one.id for one in view.comments] == ["r", "b"]
    assert unpack_view(pack_view(view)) == view
    sections = {section.heading: section for section in paper_of(view, words).sections}
    (table,) = sections[words("comments.heading")].blocks
    assert isinstance(table, Table)
    place, *row = table.rows[0]
    assert row == [REMARK.comment, "C. Omar", words.day_and_time(WHEN)] and len(table.rows) == 1
    assert OWN[:20] in place and words("page.one", n=1) in place
    blocks = sections[words("passage.heading")].blocks
    (remark,) = (b for b in blocks if isinstance(b, Paragraph) and b.look == "comment")
    before = [b for b in blocks[: blocks.index(remark)] if isinstance(b, BothSides)]
    assert "Whose square?" in remark.text and before[-1].here[0].text.startswith(MARKET[:30])


def test_a_docx_has_comments_in_its_margin_under_the_names_of_who_wrote_them():
    made = docx.Document(io.BytesIO(docx_of(commented())))
    told = {one.text: (one.author, one.timestamp.isoformat()) for one in made.comments}
    assert told["Whose square?"] == ('C. "Omar"', "2026-11-14T09:30:00+00:00")
    assert told["A fine question."][0] == "C. Omar"
    assert sum(author == "Likewise" for author, _ in told.values()) == 2


def test_a_spreadsheet_has_a_row_for_each_comment():
    rows = list(csv.reader(io.StringIO(csv_of(commented()))))
    assert {len(row) for row in rows} == {len(rows[0])}
    assert [row[-3:] for row in rows[-2:]] == [
        ["C. Omar", WHEN, "A fine question."],
        ['C. "Omar"', WHEN, "Whose square?"],
    ]


def test_what_makes_a_report_stands_behind_all_that_is_read():
    headings = [section.heading for section in paper_of(commented(), Words("en")).sections]
    appendix = headings.index("Appendix")
    assert headings[appendix + 1 :] == ["Agreement of four measures", "How this report was made"]
    assert headings.index("Passages") < headings.index("The text") < appendix


def test_json_tells_them_too():
    told = json.loads(json_of(decided()))
    assert [one["reason"] for one in told["decisions"]] == ["her own lecture notes", "a proverb"]
    assert told["confirmations"] == [{"by": "B. Serik", "on": WHEN, "comment": AGREES.comment}]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_shows_them(open_page, language):
    page, words = open_page(decided(), language), Words(language)
    shown = page.inner_text("section[aria-labelledby=decisions]")
    for told in (words("decided.heading"), "river.txt", "her own lecture notes", "a proverb"):
        assert told in shown
    assert "A. Nur" in shown and words.day(WHEN) in shown and MARKET[:30] in shown
    agreed = page.inner_text(".verdict .confirmed")
    assert "B. Serik" in agreed and AGREES.comment in agreed
    empty = open_page(view_of_check(some_check()), language)
    assert not empty.query_selector("section[aria-labelledby=decisions]")


def test_reasons_and_names_are_data_on_the_page(open_page):
    evil = "<img src=x onerror=alert(1)>"
    view = view_with_decisions(
        some_check(), [Decision(by=evil, on=WHEN, reason=evil, source="river.txt")]
    )
    page = open_page(view)
    assert page.inner_text("section[aria-labelledby=decisions]").count(evil) == 2
