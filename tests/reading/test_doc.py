"""DOC as LibreOffice writes it, a file of Word 95, and damaged files."""

from __future__ import annotations

from pathlib import Path

import pytest

from likewise.errors import ReadingError
from likewise.model import Document
from likewise.reading.doc import read_doc
from likewise.reading.draft import Draft
from likewise.reading.request import Request
from tests.files.making.legacy import REPORTS, compound

from .mutations import mutated

FILES = Path(__file__).parents[1] / "files"
LANGUAGES = ("en", "ru", "kk")


def read(data: bytes) -> Document:
    return read_doc(data, Request()).document("a.doc")


def kinds(document: Document) -> list[str]:
    return [note.kind for note in document.notes]


@pytest.fixture(params=LANGUAGES)
def language(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def report(language: str) -> Document:
    return read((FILES / "doc" / f"report_{language}.doc").read_bytes())


def test_the_text_stands_in_its_order(report: Document, language: str) -> None:
    words = REPORTS[language]
    kept = "first second added item further_item third caption month april box very_last"
    places = [report.text.index(words[n]) for n in [*kept.split(), "footnote", "endnote"]]
    assert places == sorted(places)


def test_notes_follow_the_whole_text(report: Document, language: str) -> None:
    words = REPORTS[language]
    assert f"{words['third']}: 1958.\n{words['caption']}\n" in report.text
    end = [line for line in report.compared_text.splitlines() if line.strip()]
    assert end[-2:] == [words["footnote"], words["endnote"]]


def test_a_text_box_follows_the_paragraph_it_hangs_on(report: Document, language: str) -> None:
    words = REPORTS[language]
    assert f"{words['last']}\n{words['box']}\n" in report.text


def test_a_deletion_and_a_comment_are_left_out_and_noted(report: Document, language: str) -> None:
    assert REPORTS[language]["gone"].strip() not in report.text
    assert REPORTS[language]["remark"] not in report.text
    assert kinds(report) == ["tracked changes", "comments"]


def test_the_question_of_a_field_is_dropped(report: Document) -> None:
    assert "HYPERLINK" not in report.text
    assert "PAGE" not in report.text


def test_running_headers_and_footers_stand_once_and_are_not_compared(
    report: Document, language: str
) -> None:
    words = REPORTS[language]
    assert [(span.of(report.text), reason) for span, reason in report.left_out] == [
        (words["header"], "running header"),
        (f"{words['footer']} 1", "running footer"),
    ]


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
    assert table.span.of(report.text).splitlines()[2].split("\t")[0] == words["april"]


def test_a_table_inside_a_cell_is_a_table_too(report: Document) -> None:
    assert report.tables[1].rows == (("196", "203"), ("198", "201"))


def test_pictures_are_seen_in_the_line_and_floating(report: Document) -> None:
    first, second = report.pictures
    assert (first.width, second.width) == (64, 64)
    assert first.bits_apart(second) > 8


def test_what_the_file_says_about_itself_is_kept(report: Document, language: str) -> None:
    words = REPORTS[language]
    assert report.meta["title"] == words["title"]
    assert report.meta["author"] == words["author"]
    assert report.meta["created"] == "2019-03-02T09:30:00Z"


def test_word_95_is_read_in_its_code_page() -> None:
    document = read((FILES / "doc" / "word95.doc").read_bytes())
    words = REPORTS["ru"]
    assert document.text.splitlines() == [
        words["first"],
        f"{words['second']}{words['added']} 02.03.1996",
        f"{words['april']}\t188",
        f"{words['may']}\t171",
        words["last"],
    ]
    assert document.tables[0].rows == ((words["april"], "188"), (words["may"], "171"))
    assert kinds(document) == ["tracked changes"]


def test_a_locked_document_says_so() -> None:
    with pytest.raises(ReadingError, match="locked with a password"):
        read((FILES / "broken" / "locked.doc").read_bytes())


def test_a_document_under_rights_management_says_so() -> None:
    data = compound({"WordDocument": b"", "\tDRMContent": b""})
    with pytest.raises(ReadingError, match="rights management"):
        read(data)


def test_the_text_of_a_file_that_breaks_off_is_rescued_with_a_note(language: str) -> None:
    data = (FILES / "doc" / f"report_{language}.doc").read_bytes()
    document = read(data[: len(data) * 3 // 4])
    assert REPORTS[language]["first"] in document.text
    assert REPORTS[language]["last"] in document.text
    assert "damaged" in kinds(document)


@pytest.mark.parametrize("data", [b"", b"text", compound({"Workbook": b""})])
def test_what_is_no_word_document_is_refused(data: bytes) -> None:
    with pytest.raises(ReadingError):
        read(data)


def test_damage_of_any_kind_gives_a_draft_or_a_reason() -> None:
    for path in sorted((FILES / "doc").glob("*.doc")):
        data = path.read_bytes()
        for seed in range(150):
            try:
                assert isinstance(read_doc(mutated(data, seed), Request()), Draft)
            except ReadingError as error:
                assert str(error)
