"""What every format of a word processor must give: one document saved in several of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from likewise.errors import ReadingError
from likewise.model import Document
from likewise.reading.formats import read_as
from likewise.reading.request import Request
from tests.files.making.legacy import REPORTS

FILES = Path(__file__).parents[1] / "files"

# Notes of a road surveyor, by LibreOffice. With the form: the lines that it alone adds, where the
# document has a break, and how it writes a time.
FEATURES = {form: (FILES / form / f"features.{form}").read_bytes() for form in ("docx", "odt")}
LINES_OF_BREAKS = {"docx": [""], "odt": []}
ZONES = {"docx": "Z", "odt": "", "doc": "Z", "rtf": ""}


def read(form: Any, data: bytes) -> Document:
    return read_as(form, data, Request(f"a.{form}"))


@pytest.fixture(params=FEATURES)
def form(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def features(form: str) -> Document:
    return read(form, FEATURES[form])


def test_the_body_is_read_in_order_and_boxes_follow_their_paragraphs_and_notes_the_whole_text(
    features: Document, form: str
) -> None:
    assert features.text.splitlines() == [
        "Notes of a road surveyor",
        "Wells of the old road",
        "The caravan road kept  its course because of water and not because of hills.",
        "Between two wells lies a day of walking, and\tthe seventh well still holds cold sweet "
        "water.",
        "a rope of forty arms",
        "a leather bucket",
        "mended twice",
        "See the register of wells",
        "for the names.",
        "Ask the shepherd before drinking.",
        "Table 1. Depth of the wells in metres",
        "Well\tDepth",
        "spring\tautumn",
        "Kosagash (old)\t12\t17",
        "Tasquduq\tstone clay",
        "The depth grows as  with the days of drought.",
        "The picture shows the ring of the fourth well.",
        "In Japan such a road is called 旧道.",
        *LINES_OF_BREAKS[form],
        "Дорога кончается у переправы, где река делится на рукава.",
        "Жол өткелге жеткенде бітеді, сол жерде өзен тарамдалады.",
        *LINES_OF_BREAKS[form],
        "On the second sheet the surveyor signed his name.",
        "The first survey counted nineteen springs.",
        "A loaded camel walks about thirty kilometres.",
        "Measured after a dry summer.",
        "Sheet 2",
    ]


def test_headers_and_footers_stay_in_the_text_and_out_of_comparison(features: Document) -> None:
    assert [(span.of(features.text), reason) for span, reason in features.left_out] == [
        ("Notes of a road surveyor", "running header"),
        ("Sheet 2", "running footer"),
    ]


def test_deletions_and_comments_are_left_out_with_a_note(features: Document) -> None:
    assert [(note.kind, str(note.message)) for note in features.notes] == [
        ("tracked changes", "1 deletion of tracked changes left out, insertions kept"),
        ("comments", "1 comment left out"),
    ]
    assert "nobody visits" not in features.text
    assert "Which year" not in features.text


def test_a_table_keeps_merged_cells_its_caption_and_the_table_inside_it(features: Document) -> None:
    depths, inner = features.tables
    assert depths.caption == "Table 1. Depth of the wells in metres"
    assert depths.rows == (
        ("Well", "Depth", "Depth"),
        ("Well", "spring", "autumn"),
        ("Kosagash (old)", "12", "17"),
        ("Tasquduq", "stone clay", "stone clay"),
    )
    assert inner.rows == (("stone", "clay"),)


def test_a_picture_is_seen_where_it_stands(features: Document) -> None:
    (picture,) = features.pictures
    assert (picture.width, picture.height) == (96, 64)
    assert features.text[: picture.span.start].endswith(
        "The picture shows the ring of the fourth well."
    )


def test_who_wrote_it_and_when_is_kept(features: Document, form: str) -> None:
    meta = features.meta
    assert meta["title"] == "Wells of the old road"
    assert meta["author"] == "Aigerim Sadykova"
    assert meta["created"] == f"2024-03-05T09:00:00{ZONES[form]}"
    assert meta["producer"].startswith("LibreOffice")


@pytest.mark.parametrize("name", ["docx/captions.docx", "odt/captions.odt", "odt/captions.fodt"])
def test_captions_are_told_from_sentences_and_figures_in_three_languages(name: str) -> None:
    form, _, _ = name.partition("/")
    tables = read(form, (FILES / name).read_bytes()).tables
    assert [table.caption for table in tables] == [
        "Таблица 1 — Урожай яблок по годам",
        "Таблица 2 Саженцы по садам",
        "3-кесте. Алма ағаштарының биіктігі",
        "",
        "Table 6. Hives and their bees",
    ]


def test_a_locked_document_says_so(form: str) -> None:
    with pytest.raises(ReadingError, match="locked with a password"):
        read(form, (FILES / "broken" / f"locked.{form}").read_bytes())


@pytest.mark.parametrize("form", FEATURES)
@given(data=st.data())
def test_damage_anywhere_gives_a_document_or_a_reason(form: str, data: st.DataObject) -> None:
    content = bytearray(FEATURES[form])
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(content) - 1))
        content[at : at + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=4))
    try:
        read(form, bytes(content))
    except ReadingError as error:
        assert str(error)


# A report on the level of a river in three languages, in the formats of older programs.


@pytest.fixture(params=("doc", "rtf"))
def old_form(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(params=("en", "ru", "kk"))
def language(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def report(old_form: str, language: str) -> Document:
    return read(old_form, (FILES / old_form / f"report_{language}.{old_form}").read_bytes())


def test_the_text_stands_in_its_order(report: Document, language: str) -> None:
    words = REPORTS[language]
    names = "first second added item further_item third caption month april box very_last"
    positions = [report.text.index(words[n]) for n in [*names.split(), "footnote", "endnote"]]
    assert positions == sorted(positions)


def test_a_deletion_and_a_comment_are_left_out_and_noted(report: Document, language: str) -> None:
    assert REPORTS[language]["gone"].strip() not in report.text
    assert REPORTS[language]["remark"] not in report.text
    assert [note.kind for note in report.notes] == ["tracked changes", "comments"]


def test_running_headers_and_footers_stand_once_and_are_not_compared(
    report: Document, language: str
) -> None:
    words = REPORTS[language]
    assert [(span.of(report.text), reason) for span, reason in report.left_out] == [
        (words["header"], "running header"),
        (f"{words['footer']} 1", "running footer"),
    ]
    assert words["header"] not in report.compared_text


def test_merged_cells_stand_in_every_place_they_cover(report: Document, language: str) -> None:
    words = REPORTS[language]
    month, level = words["month"], words["level"]
    table = report.tables[0]
    assert table.rows == (
        (month, level, level),
        (month, words["lowest"], words["highest"]),
        (words["april"], "188", f"212 {words['twice']}"),
        (words["may"], "171", "196 203 198 201"),
    )
    assert table.caption == words["caption"]
    first, _, third, *_ = table.span.of(report.text).splitlines()
    assert first == f"{month}\t{level}"
    assert third.split("\t")[0] == words["april"]


def test_a_table_inside_a_cell_is_a_table_too(report: Document) -> None:
    assert report.tables[1].rows == (("196", "203"), ("198", "201"))


def test_pictures_are_seen_once_each_in_the_line_and_floating(report: Document) -> None:
    assert [(picture.width, picture.height) for picture in report.pictures] == [(64, 64)] * 2
    first, second = report.pictures
    assert first.bits_apart(second) > 8
    assert 0 < first.span.start <= second.span.start


def test_what_the_file_says_about_itself_is_kept(
    report: Document, old_form: str, language: str
) -> None:
    words = REPORTS[language]
    assert report.meta["title"] == words["title"]
    assert report.meta["author"] == words["author"]
    assert report.meta["created"] == f"2019-03-02T09:30:00{ZONES[old_form]}"
