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


def test_notes_follow_the_whole_text(report: Document, language: str) -> None:
    words = REPORTS[language]
    assert f"{words['third']}: 1958.\n{words['caption']}\n" in report.text
    end = [line for line in report.compared_text.splitlines() if line.strip()]
    assert end[-2:] == [words["footnote"], words["endnote"]]


def test_a_text_box_follows_the_paragraph_it_hangs_on(report: Document, language: str) -> None:
    words = REPORTS[language]
    assert f"{words['last']}\n{words['box']}\n" in report.text


def test_the_question_of_a_field_is_dropped(report: Document) -> None:
    assert "HYPERLINK" not in report.text
    assert "PAGE" not in report.text


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
