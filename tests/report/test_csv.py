"""The CSV: a row a passage or a pair, and nothing that a spreadsheet would run."""

import csv
import re
from dataclasses import replace

import pytest

import likewise as lw
from likewise.catalogue import LANGUAGES, Words
from likewise.model import Span
from likewise.report import view_of_check, view_of_matches
from likewise.report.csv import LONGEST_EXCERPT, csv_of, write_csv

from .collection_views import collection
from .texts import MARKET, OWN, RIVER, document, edited


def view(*sources, of=None):
    mine = of or document("mine.txt", OWN, RIVER, MARKET, page_chars=400)
    return view_of_check(lw.check(mine, sources))


def rows(said: str, language: str = "en") -> list[list[str]]:
    return list(csv.reader(said.splitlines(), delimiter="," if language == "en" else ";"))


def test_a_check_has_a_row_for_each_passage():
    found = view(document("a.txt", RIVER, page_chars=150), document("b.txt", edited(MARKET)))
    heads, *passages = rows(csv_of(found))
    told = [dict(zip(heads, row, strict=True)) for row in passages]
    assert len(told) == len(found.passages)
    (first,) = (row for row in told if row["source"] == "a.txt")
    (shown,) = (p for p in found.passages if found.sources[p.source].text.name == "a.txt")
    assert (first["pages here"], first["pages there"]) == ("1–2", "1–3")
    assert Span(int(first["start here"]), int(first["end here"])) == shown.a
    assert Span(int(first["start there"]), int(first["end there"])) == shown.b
    assert first["kind"] == "word for word" and float(first["alike"]) == 1.0
    assert first["text here"][:200] == first["text there"][:200] == RIVER[:200]
    assert len(first["text here"]) <= LONGEST_EXCERPT


def test_a_collection_has_a_row_for_each_pair():
    essays = [document("a.txt", RIVER, OWN), document("b.txt", edited(RIVER), OWN)]
    found = lw.find(essays, threshold=0.2)
    heads, pair = rows(csv_of(view_of_matches(found)))
    told = dict(zip(heads, pair, strict=True))
    assert (told["first document"], told["second document"]) == ("a.txt", "b.txt")
    assert float(told["similarity"]) == round(found[0].jaccard, 4)


def test_short_runs_of_words_are_no_passages_of_a_pair():
    view = collection()
    first, *rest = view.pairs
    fragment = replace(first.passages[0], counts=False, number=None)
    view = replace(view, pairs=(replace(first, passages=(fragment, *first.passages)), *rest))
    heads, row, *_ = rows(csv_of(view))
    assert dict(zip(heads, row, strict=True))["passages"] == "2"


def test_passages_have_the_numbers_of_the_report_and_short_runs_none():
    found = view(document("a.txt", RIVER), document("b.txt", edited(MARKET)))
    fragment = replace(found.passages[0], counts=False, number=None)
    heads, *told = rows(csv_of(replace(found, passages=(fragment, *found.passages))))
    assert [row[heads.index("passage")] for row in told] == ["", "1", "2"]
    assert {row[heads.index("document")] for row in told} == {"mine.txt"}
    similar = round(found.shares.similar / found.shares.whole, 4)
    assert {float(row[heads.index("similar share of the document")]) for row in told} == {similar}


@pytest.mark.parametrize("language", ["ru", "kk"])
def test_where_people_write_decimal_commas_cells_are_parted_by_semicolons(language):
    heads, *told = rows(csv_of(view(document("a.txt", RIVER)), language), language)
    figures = [row[heads.index(Words(language)("csv.similar"))] for row in told]
    assert figures and all(re.fullmatch(r"0,\d+", figure) for figure in figures)


@pytest.mark.parametrize("language", LANGUAGES)
def test_heads_are_translated_and_all_different(language):
    heads = rows(csv_of(view(), language), language)[0]
    assert len(set(heads)) == len(heads) == 23


@pytest.mark.parametrize("start", ["=", "+", "-", "@"])
def test_no_cell_begins_a_formula(start):
    mine = document("mine.txt", f"{start}cmd|' /C calc'!A0 {RIVER}")
    found = view(document(f"{start}1+1.txt", f"{start}cmd|' /C calc'!A0 {RIVER}"), of=mine)
    for row in rows(csv_of(found))[1:]:
        assert row[4] == f"'{start}1+1.txt"
        assert not any(cell.startswith(("=", "+", "-", "@", "\t", "\r")) for cell in row)


def test_line_ends_in_names_and_text_stay_inside_their_cells():
    found = view(document('a\r\n"b",c.txt', RIVER, MARKET), of=document("m", RIVER, MARKET))
    assert {len(row) for row in rows(csv_of(found))} == {23}


def test_spreadsheets_are_told_that_it_is_utf8(tmp_path):
    write_csv(view(document("қазақша.txt", RIVER)), tmp_path / "a.csv", "kk")
    written = (tmp_path / "a.csv").read_bytes()
    assert written.startswith(b"\xef\xbb\xbf") and "қазақша.txt" in written.decode("utf-8-sig")


def test_no_passages_leave_the_heads_alone():
    assert len(rows(csv_of(view(of=document("one line", "Just one line."))))) == 1


def test_a_lone_surrogate_is_written_as_a_sign(tmp_path):
    write_csv(view(document("\udcff.txt", RIVER)), tmp_path / "a.csv")
    assert "\ufffd.txt" in (tmp_path / "a.csv").read_text("utf-8-sig")
