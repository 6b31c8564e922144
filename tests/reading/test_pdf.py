"""PDFs as people hand them in: printed by a browser or an office program, scanned, locked, cut."""

from __future__ import annotations

import re
from pathlib import Path

import pypdfium2
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from likewise.errors import ReadingError
from likewise.model import Document
from likewise.reading.draft import Draft
from likewise.reading.pdf import pdf_text, read_pdf
from likewise.reading.pdf.page import PageText
from likewise.reading.pdf.running_lines import EdgeLine, running_lines
from likewise.reading.pdf.writing import write_pages
from likewise.reading.pictures import SAME_BITS, picture_in
from likewise.reading.request import Limits, Request

FILES = Path(__file__).parent.parent / "files" / "pdf"


def data_of(name: str) -> bytes:
    return (FILES / name).read_bytes()


def document_in(data: bytes, **request: object) -> Document:
    return read_pdf(data, Request(**request)).document("a.pdf")  # type: ignore[arg-type]


def document_of(name: str, **request: object) -> Document:
    return document_in(data_of(name), **request)


def left_out(document: Document, reason: str) -> list[str]:
    return [span.of(document.text).strip() for span, why in document.left_out if why == reason]


def notes_of(document: Document) -> dict[str, str]:
    return {note.kind: str(note.message) for note in document.notes}


# Text


def test_two_columns_are_read_one_after_the_other() -> None:
    text = document_of("two-columns.pdf").text
    ends = [
        text.index(end)
        for end in (
            "boats used to turn.",
            "still there.",
            "seed.",
            "without walls.",
            "another look",
        )
    ]
    assert ends == sorted(ends)


def test_words_divided_at_the_end_of_a_line_are_whole() -> None:
    words = re.findall(r"[\w-]+", document_of("two-columns.pdf").text)
    assert {"Saturday", "difficulty", "without", "everybody", "produced", "opposite"} <= {*words}
    assert words.count("well-known") == 2
    assert not [word for word in words if word.endswith("-")]


def test_hyphens_that_pdfium_marks_are_gone() -> None:
    text = document_of("six-pages.pdf").text
    assert "She writes down every crossing" in text
    assert not re.search("[\x02\ufffe\xad\r]", text)


def test_a_word_divided_at_the_end_of_a_page_is_finished_there() -> None:
    draft = Draft()
    pages = [
        PageText(1, "The ferry-"),
        PageText(2, "man waits, and the boat\ufffe"),
        PageText(3, "7"),
    ]
    write_pages(draft, pages)
    assert draft.document("a").text.split() == "The ferryman waits, and the boat- 7".split()


def test_kazakh_letters_drawn_in_another_font_stand_in_their_words() -> None:
    document = document_of("chapters-kk.pdf")
    assert document.language == "kk"
    for words in ("Таңертең Алатаудың баурайына", "қышқыл жеміс өссе", "Дүкендегі алма"):
        assert words in document.text
    assert not re.search(r"(?<!\S)[ғқңөұүһә](?!\S)", document.text)


def test_text_alone_is_the_same_text() -> None:
    for name in ("table-ru.pdf", "chapters-kk.pdf", "pictures.pdf"):
        alone = pdf_text(data_of(name), Request()).document("a.pdf")
        everything = document_of(name)
        assert (alone.text, alone.pages, alone.left_out) == (
            everything.text,
            everything.pages,
            everything.left_out,
        )
        assert not alone.tables and not alone.pictures


def test_what_was_typed_into_a_form_is_text() -> None:
    assert document_of("form.pdf").text.splitlines() == [
        "Why were you late? Please write one line.",
        "The gate was already locked",
    ]


def test_title_author_and_date_are_known() -> None:
    meta = document_of("table-ru.pdf").meta
    assert meta["title"] == "Тетрадь артели"
    assert meta["author"] == "Пётр Лугин"
    assert meta["producer"].startswith("LibreOffice")
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d", meta["created"])


# Pages


def test_every_page_has_its_number_and_its_part_of_the_text() -> None:
    document = document_of("six-pages.pdf")
    assert [page.number for page in document.pages] == [1, 2, 3, 4, 5, 6]
    assert "".join(page.span.of(document.text) for page in document.pages) == document.text
    for page in document.pages:
        assert f"Page {page.number} of 6" in page.span.of(document.text)


def test_finished_pages_are_told() -> None:
    told: list[tuple[int, int]] = []
    document_of("six-pages.pdf", tell_page=lambda done, total: told.append((done, total)))
    assert told == [(done, 6) for done in range(1, 7)]


def test_pages_beyond_the_limit_are_named_and_not_read() -> None:
    document = document_of("six-pages.pdf", limits=Limits(pages=2))
    assert len(document.pages) == 2
    assert notes_of(document)["not read in full"] == "Only the first 2 of 6 pages were read."


def test_a_broken_page_costs_that_page_alone() -> None:
    data = data_of("six-pages.pdf").replace(b"/Type/Page/Parent", b"/Type/Rage/Parent", 1)
    document = document_in(data)
    assert len(document.pages) == 6
    assert "Page 2 of 6" in document.text
    assert notes_of(document)["not read in full"] == "Page 1 could not be read."


# Running lines


def test_headers_and_page_numbers_are_left_out_and_nothing_else() -> None:
    document = document_of("six-pages.pdf")
    assert left_out(document, "running header") == 6 * ["The ferryman's two clocks"]
    assert left_out(document, "page number") == [f"Page {n} of 6" for n in range(1, 7)]
    assert len(document.left_out) == 12
    assert document.compared_text.count("Crossing Weather Hands") == 6


def test_headers_of_left_and_right_pages_and_of_short_chapters_are_left_out() -> None:
    document = document_of("chapters-kk.pdf")
    book, chapter = "Алма ағашының жолы", "Болашақтың тұқымы"
    assert left_out(document, "running header") == [
        *(book, book, "Орманнан шыққан жеміс", book),
        *(chapter, book, chapter),
    ]
    assert left_out(document, "page number") == [f"{n}-бет" for n in range(1, 8)]
    assert chapter in document.compared_text  # the heading itself


def page(*lines: tuple[str, float]) -> list[EdgeLine]:
    return [EdgeLine(100 * i, 100 * i + 9, text, height) for i, (text, height) in enumerate(lines)]


def found_in(pages: list[list[EdgeLine]]) -> list[list[tuple[int, str]]]:
    return [[(line.start // 100, line.reason) for line in lines] for lines in running_lines(pages)]


def test_footnotes_that_differ_in_numbers_alone_are_text() -> None:
    notes = ["3 Ibid., p. 20", "4 Ibid., p. 31", "8 Ibid., p. 5", "9 Ibid., p. 77"]
    assert found_in([page((note, 0.05)) for note in notes]) == [[], [], [], []]


def test_a_header_that_counts_its_pages_is_running() -> None:
    pages = [page((f"{n} Reeds and rivers, part 2", 0.95)) for n in (14, 15, 16)]
    assert found_in(pages) == 3 * [[(0, "running header")]]


def test_text_below_the_first_line_that_does_not_repeat_is_text() -> None:
    pages = [page((f"Chapter about {word}", 0.95), ("Summary", 0.9)) for word in "abcd"]
    assert found_in(pages) == [[], [], [], []]


def test_in_the_middle_of_a_page_nothing_is_running() -> None:
    assert found_in(4 * [page(("Name Age City", 0.7), ("17", 0.5))]) == [[], [], [], []]


@pytest.mark.parametrize(
    "text", ["3", "- 3 -", "Page 3 of 9", "page 3", "стр. 3", "3-бет", "3 / 9", "— 3 —", "[3]"]
)
def test_a_letter_of_one_page_loses_its_page_number(text: str) -> None:
    assert found_in([page(("Dear Sir,", 0.8), (text, 0.04))]) == [[(1, "page number")]]


@pytest.mark.parametrize("text", ["Yours, Anna", "C", "12 May", "1984", "Page", "3.5 kg"])
def test_a_letter_of_one_page_keeps_its_last_line(text: str) -> None:
    assert found_in([page(("Dear Sir,", 0.8), (text, 0.04))]) == [[]]


def test_numbers_that_do_not_count_the_pages_are_text() -> None:
    pages = [page((number, 0.03)) for number in ("7", "140", "3", "22")]
    assert found_in(pages) == [[], [], [], []]


# Tables

CATCH = (
    ("Водоём", "Улов, тонн", "Улов, тонн", "Улов, тонн", "Примечание"),
    ("Водоём", "1-й год", "2-й год", "всего", "Примечание"),
    ("Тихий залив", "12,5", "14,0", "26,5", "весенний лов запрещён"),
    ("Камышовая протока", "3,1", "2,9", "6,0", ""),
    ("Старое русло", "0,8", "1,1", "1,9", "учёт неполный"),
)


@pytest.mark.parametrize("name", ["table-ru.pdf", "sideways.pdf"])
def test_a_ruled_table_is_read_with_its_merged_cells_and_caption(name: str) -> None:
    document = document_of(name)
    (table,) = document.tables
    assert table.rows == CATCH
    assert table.caption == "Таблица 3 – Улов сазана по водоёмам за два года"
    assert table.page == 1
    text = table.span.of(document.text)
    assert text.startswith("Водоём Улов") and text.endswith("учёт неполный")


def test_tables_beyond_the_limit_are_named() -> None:
    document = document_of("table-ru.pdf", limits=Limits(cells=10))
    assert not document.tables
    assert "page 1" in notes_of(document)["not read in full"]


# Pictures


def test_a_figure_is_known_by_its_hash_and_an_emblem_on_every_page_once() -> None:
    document = document_of("pictures.pdf")
    assert [picture.page for picture in document.pictures] == [1, 2]
    original = picture_in((FILES / "figure.png").read_bytes(), 0, 10**6)
    assert original
    figure = document.pictures[1]
    assert figure.bits_apart(original) <= SAME_BITS
    assert (figure.width, figure.height) == (original.width, original.height)
    assert figure.span.end == document.pages[1].span.end - 1


# Pages that must be looked at


def test_a_scanned_page_is_named_and_a_blank_one_is_not() -> None:
    document = document_of("scan-between.pdf", ocr=())
    assert notes_of(document)["no text layer"].startswith("Page 2 has no text layer")
    assert not document.pictures  # the picture is the page


def test_a_text_layer_of_unnamed_letters_is_left_out() -> None:
    document = document_of("garbage.pdf", ocr=())
    assert notes_of(document)["garbage text layer"].startswith("Pages 1-2 have a text layer")
    assert not document.compared_text.strip()


@pytest.mark.ocr
def test_pages_without_a_text_layer_are_read_from_what_they_show() -> None:
    document = document_of("scan-between.pdf")
    assert notes_of(document)["ocr"].startswith("page 2 was read from a picture")
    assert "no text layer" not in notes_of(document)
    page = document.pages[1].span.of(document.text)
    assert len(page.split()) > 20


@pytest.mark.ocr
def test_pages_of_unnamed_letters_are_read_from_what_they_show() -> None:
    document = document_of("garbage.pdf")
    assert notes_of(document)["ocr"].startswith("pages 1-2 were read from a picture")
    assert document.language in ("en", "ru", "kk")


# Locks and damage


def test_an_empty_password_opens() -> None:
    assert document_of("locked-empty.pdf").text == document_of("table-ru.pdf").text


def test_another_password_is_asked_for() -> None:
    with pytest.raises(ReadingError, match=r"^it is locked with a password; save a copy"):
        document_of("locked.pdf")


SOUND = data_of("six-pages.pdf")


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(SOUND[:-300], id="the end is missing"),
        pytest.param(b"HTTP/1.1 200 OK\r\n" * 300 + SOUND, id="junk before it"),
        pytest.param(b"From: press@example.org\n\n" + SOUND, id="a little junk before it"),
        pytest.param(SOUND[9:], id="no header"),
        pytest.param(SOUND.replace(b"startxref", b"startxxxx"), id="no way to the table"),
        pytest.param(re.sub(rb"xref\n.*trailer", b"trailer", SOUND, flags=re.S), id="no table"),
    ],
)
def test_a_damaged_file_is_rescued_with_a_note(data: bytes) -> None:
    document = document_in(data)
    assert document.text == document_of("six-pages.pdf").text
    assert notes_of(document)["damaged"].startswith("The file is damaged")


def test_what_pdfium_refuses_another_library_may_read() -> None:
    document = document_in(data_of("garbage.pdf")[:-300])
    assert "asks for the same coin as in summer" in document.text
    assert "damaged" in notes_of(document)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "it is empty"),
        (b"\x00" * 3000, "it is empty"),
        (b"A letter, not a PDF. " * 50, "it is not a PDF"),
        (b"%PDF-1.7\n", "it breaks off in the middle"),
        (SOUND[: len(SOUND) // 2], "it breaks off in the middle"),
        (b"%PDF-1.7\n" + b"nothing here\n" * 99 + b"%%EOF", "it is damaged beyond repair"),
    ],
)
def test_what_cannot_be_read_is_refused_with_a_reason(data: bytes, reason: str) -> None:
    with pytest.raises(ReadingError, match=f"^{reason}"):
        document_in(data)


EMPTIED = re.sub(rb"stream\r?\n.*?endstream", b"stream\nendstream", SOUND, flags=re.S)


def test_damage_that_leaves_nothing_to_read_or_see_is_told() -> None:
    for data in (EMPTIED, EMPTIED.replace(b"startxref", b"startxxxx")):
        with pytest.raises(ReadingError, match=r"^it is damaged beyond repair"):
            document_in(data)


@settings(max_examples=60, deadline=None, database=None, suppress_health_check=list(HealthCheck))
@given(
    name=st.sampled_from(["table-ru.pdf", "form.pdf", "garbage.pdf", "pictures.pdf"]),
    changes=st.lists(
        st.tuples(st.floats(0, 1, exclude_max=True), st.binary(max_size=12), st.integers(0, 40)),
        min_size=1,
        max_size=12,
    ),
    cut=st.one_of(st.just(1.0), st.floats(0, 1)),
)
def test_mutated_files_give_a_document_or_a_reason(
    name: str, changes: list[tuple[float, bytes, int]], cut: float
) -> None:
    data = bytearray(data_of(name))
    for place, put, taken in changes:
        start = int(place * len(data))
        data[start : start + taken] = put
    try:
        document = document_in(bytes(data[: int(cut * len(data))]))
    except ReadingError as error:
        assert str(error)
    else:
        assert all(span.end <= len(document.text) for span, _ in document.left_out)
        assert all(table.span.end <= len(document.text) for table in document.tables)


def test_ten_thousand_pages_are_read(tmp_path) -> None:
    made = pypdfium2.PdfDocument.new()
    for _ in range(10_000):
        made.new_page(300, 400).close()
    made.save(tmp_path / "long.pdf")
    made.close()
    told: list[int] = []
    data = (tmp_path / "long.pdf").read_bytes()
    document = document_in(data, tell_page=lambda done, _total: told.append(done))
    assert len(document.pages) == 10_000
    assert told == list(range(1, 10_001))
    some = document_in(data, limits=Limits(pages=100))
    assert len(some.pages) == 100
    assert notes_of(some)["not read in full"].startswith("Only the first 100 of 10,000 pages")
