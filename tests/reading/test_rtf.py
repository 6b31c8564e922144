"""RTF as LibreOffice writes it, and as Word, WordPad, a Mac and old programs do."""

from __future__ import annotations

from pathlib import Path

import pytest

from likewise.errors import ReadingError
from likewise.model import Document
from likewise.reading.draft import Draft
from likewise.reading.request import Request
from likewise.reading.rtf import read_rtf
from tests.files.making.legacy import REPORTS

from .mutations import mutated

FILES = Path(__file__).parents[1] / "files" / "rtf"
LANGUAGES = ("en", "ru", "kk")
RUSSIAN = "Рейку снимают каждое утро"


def read(rtf: str | bytes) -> Document:
    data = rtf.encode("latin-1") if isinstance(rtf, str) else rtf
    return read_rtf(data, Request()).document("a.rtf")


def lines(rtf: str | bytes) -> list[str]:
    return [line for line in read(rtf).text.splitlines() if line.strip()]


def kinds(document: Document) -> list[str]:
    return [note.kind for note in document.notes]


def as_bytes(text: str, encoding: str) -> str:
    return "".join(f"\\'{byte:02x}" for byte in text.encode(encoding))


@pytest.fixture(params=LANGUAGES)
def language(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def report(language: str) -> Document:
    return read((FILES / f"report_{language}.rtf").read_bytes())


def test_the_question_of_a_field_is_dropped_and_its_answer_kept(report: Document) -> None:
    assert ": 1958." in report.text
    assert "HYPERLINK" not in report.text
    assert "example.org" not in report.text


def test_labels_that_the_program_counts_are_no_text(report: Document, language: str) -> None:
    assert REPORTS[language]["item"] in report.text.splitlines()


@pytest.mark.parametrize(
    ("head", "encoding"),
    [
        (r"\ansi\ansicpg1251{\fonttbl{\f0\fcharset204 Arial Cyr;}}\f0 ", "cp1251"),
        (r"\ansi{\fonttbl{\f0\fcharset0 Arial;}{\f1\fcharset204 Arial;}}\f1 ", "cp1251"),
        (r"\ansi\ansicpg1251{\fonttbl{\f0\fcharset0 Arial;}}\f0 ", "cp1251"),
        (r"\ansi\ansicpg1251 ", "cp1251"),
        (r"\mac\ansicpg10007 ", "mac-cyrillic"),
        (r"\ansi\ansicpg20866 ", "koi8-r"),
        (r"\ansi\deff3{\fonttbl{\f3\fcharset84 Geneva;}}\plain ", "mac-cyrillic"),
    ],
)
def test_cyrillic_bytes_are_read_by_code_page_and_font(head: str, encoding: str) -> None:
    assert lines(f"{{\\rtf1{head}{as_bytes(RUSSIAN, encoding)}\\par}}") == [RUSSIAN]


@pytest.mark.parametrize("encoding", ["cp1251", "koi8-r", "cp866", "mac-cyrillic"])
def test_a_file_that_names_no_code_page_is_read_by_its_letters(encoding: str) -> None:
    text = f"{RUSSIAN} вот уже шестьдесят один год."
    assert lines(f"{{\\rtf1\\ansi {as_bytes(text, encoding)}\\par}}") == [text]


def test_accents_stay_accents_in_a_western_file() -> None:
    assert lines(r"{\rtf1\ansi le caf\'e9 o\'f9 il est all\'e9\par}") == ["le café où il est allé"]


def test_a_font_of_the_west_is_western_beside_a_russian_one() -> None:
    fonts = r"{\fonttbl{\f0\fcharset0 Arial;}{\f1\fcharset204 Arial Cyr;}}"
    rtf = rf"{{\rtf1\ansi\ansicpg1251{fonts}\f0 caf\'e9 \f1 {as_bytes('чай', 'cp1251')}\par}}"
    assert lines(rtf) == ["café чай"]


@pytest.mark.parametrize(
    "written",
    [
        r"\u1076?\u1072?\u1083?\u1072?",
        r"\u1076\'e4\u1072\'e0\u1083\'eb\u1072\'e0",
        r"\uc0\u1076 \u1072 \u1083 \u1072 ",
        r"{\uc2\u1076\'d0\'b4\u1072 ab\u1083??\u1072\'d0\'b0}",
        r"\u1076  \u1072{}\u1083\'3f\b0\u1072 ",
    ],
)
def test_unicode_is_read_and_what_stands_in_for_it_is_not(written: str) -> None:
    assert lines(rf"{{\rtf1\ansi {written}\par}}") == ["дала"]


def test_a_character_of_two_halves_is_one() -> None:
    assert lines(r"{\rtf1\ansi\uc1\u-10187?\u-8896?\par}") == ["\U0001d540"]


def test_characters_of_two_bytes_may_be_cut_by_markup() -> None:
    text = (
        r"{\rtf1\ansi\ansicpg932{\fonttbl{\f0\fcharset128 Mincho;}}\f0 \'93\'fa{\b \'96}\'7b\par}"
    )
    assert lines(text) == ["日本"]


def test_greek_of_a_font_of_symbols_is_greek_and_dingbats_are_nothing() -> None:
    fonts = r"{\fonttbl{\f1\fcharset2 Symbol;}{\f2\fcharset2 Wingdings;}}"
    assert lines(rf"{{\rtf1\ansi{fonts} {{\f1 a}} = {{\f2 x}}\'b1 1\par}}") == ["α = ± 1"]


def test_special_characters_are_what_they_look_like() -> None:
    rtf = r"{\rtf1 a\~b\_c\-d \{x\} \\ \ldblquote q\rdblquote\emdash\tab\bullet e\line f\par}"
    assert read(rtf).text == "a\u00a0b\u2011cd {x} \\ “q”—\t•e\nf\n"


def test_cells_are_joined_across_and_down_as_word_says() -> None:
    rows = (
        r"\trowd\clvmgf\cellx1000\clmgf\cellx2000\clmrg\cellx3000"
        r"\pard\intbl Plant\cell Length\cell\cell\row"
        r"\trowd\clvmrg\cellx1000\cellx2000\cellx3010"
        r"\pard\intbl\cell above\cell below\cell\row"
        r"\trowd\cellx1000\cellx3000\pard\intbl Tulip\cell 35\par and more\cell\row\pard End\par"
    )
    document = read(rf"{{\rtf1\ansi {rows}}}")
    assert document.tables[0].rows == (
        ("Plant", "Length", "Length"),
        ("Plant", "above", "below"),
        ("Tulip", "35 and more", "35 and more"),
    )
    assert document.text.endswith("End\n")


def test_a_row_without_edges_and_a_table_without_an_end_are_read() -> None:
    assert read(r"{\rtf1 a\cell b\cell\row c\cell d\cell}").tables[0].rows == (
        ("a", "b"),
        ("c", "d"),
    )


def test_notes_follow_the_whole_text_and_text_boxes_their_paragraph() -> None:
    rtf = (
        r"{\rtf1 One{\footnote Below.} sentence{\*\footnote\ftnalt At the end.} here.\par"
        r"{\shp{\*\shpinst{\sp{\sn x}{\sv y}}{\shptxt In a box.\par}}{\shprslt old}}Next.\par}"
    )
    assert lines(rtf) == ["One sentence here.", "Next.", "In a box.", "Below.", "At the end."]


def test_groups_without_words_for_people_are_skipped() -> None:
    rtf = (
        r"{\rtf1{\*\generator X 1;}{\colortbl;\red0;}{\*\unknown secret{\b more}}"
        r"{\pntext 1.\tab}{\xe index}{\*\bkmkstart a}text\bin4 {{}}{\object{\*\objdata 00ff}"
        r"{\result shown}}\par}"
    )
    assert lines(rtf) == ["textshown"]


def test_a_file_that_breaks_off_is_read_up_to_there_with_a_note() -> None:
    data = (FILES / "report_ru.rtf").read_bytes()
    document = read(data[: len(data) * 2 // 3])
    assert REPORTS["ru"]["second"] in document.text
    assert "damaged" in kinds(document)


def test_what_follows_the_end_is_not_read_and_noted() -> None:
    document = read(r"{\rtf1 shown\par}}{\rtf1 hidden\par}")
    assert document.text == "shown\n"
    assert kinds(document) == ["damaged"]


@pytest.mark.parametrize("data", [b"", b"text", b"{\\html"])
def test_what_is_no_rtf_is_refused(data: bytes) -> None:
    with pytest.raises(ReadingError, match="not an RTF"):
        read(data)


def test_groups_without_end_are_refused() -> None:
    with pytest.raises(ReadingError, match="nested too deeply"):
        read(b"{\\rtf1 " + b"{" * 100_000)


def test_damage_of_any_kind_gives_a_draft_or_a_reason(language: str) -> None:
    data = (FILES / f"report_{language}.rtf").read_bytes()
    for seed in range(100):
        try:
            assert isinstance(read_rtf(mutated(data, seed), Request()), Draft)
        except ReadingError as error:
            assert str(error)
