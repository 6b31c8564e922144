"""Spreadsheets as LibreOffice writes them, CSV as everybody does, and traps."""

from __future__ import annotations

import csv
import io
import struct
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from likewise.errors import ReadingError
from likewise.model import Document
from likewise.reading.draft import Draft
from likewise.reading.office.compound import Compound
from likewise.reading.request import Limits, Request
from likewise.reading.sheet import looks_like_csv, read_csv, read_sheet
from tests.files.making.legacy import SOURCES, compound

from .mutations import mutated

FILES = Path(__file__).parents[1] / "files" / "sheet"
FORMS = ("xlsx", "xls", "ods")
MONTH, LEVEL = "Месяц", "Уровень, см"
FIRST = (
    (MONTH, LEVEL, LEVEL),
    (MONTH, "низший", "высший"),
    ("Апрель", "188", "0.3"),
    ("2019-05-01", "06:30:00", "TRUE"),
)
SECOND = (("Наблюдатель", "Дней"), ("Холтова Мария", "31"), ("Оспанов", "30"))


def read(data: bytes, limits: Limits | None = None) -> Document:
    return read_sheet(data, Request(limits=limits or Limits())).document("a")


def kinds(document: Document) -> list[str]:
    return [note.kind for note in document.notes]


@pytest.fixture(params=FORMS)
def levels(request: pytest.FixtureRequest) -> Document:
    return read((FILES / f"levels.{request.param}").read_bytes())


def test_every_sheet_is_told_under_its_name(levels: Document) -> None:
    assert levels.text.splitlines() == [
        "Уровни",
        "Водомерный пост у Ивовой излучины",
        f"{MONTH}\t{LEVEL}",
        "низший\tвысший",
        "Апрель\t188\t0.3",
        "2019-05-01\t06:30:00\tTRUE",
        "Наблюдатель\tДней",
        "Холтова Мария\t31",
        "Оспанов\t30",
        "Жасырын",
        "Бұл парақты ешкім көрмейді.",
    ]


def test_blank_rows_and_columns_part_tables_and_merged_cells_are_resolved(
    levels: Document,
) -> None:
    assert [table.rows for table in levels.tables] == [FIRST, SECOND]
    assert {table.caption for table in levels.tables} == {"Уровни"}
    assert levels.tables[1].span.of(levels.text).splitlines()[0] == "Наблюдатель\tДней"


def test_a_hidden_sheet_is_read_and_noted_with_its_place(levels: Document) -> None:
    note = next(note for note in levels.notes if note.kind == "hidden sheet")
    assert "Жасырын" in str(note.message)
    assert note.spans[0].of(levels.text).startswith("Жасырын\nБұл")


def test_what_the_workbook_says_about_itself_is_kept(levels: Document) -> None:
    assert levels.meta["title"] == "Деңгейлер"
    assert levels.meta["author"] == "Мәриям Қалиева"
    assert levels.meta["created"].startswith("2019-03-02T09:30:00")


@pytest.mark.parametrize("form", ["xlsx", "ods"])
def test_comments_on_cells_are_left_out_and_noted(form: str) -> None:
    document = read((FILES / f"levels.{form}").read_bytes())
    assert "Проверить" not in document.text
    assert "comments" in kinds(document)


@pytest.mark.parametrize("form", FORMS)
def test_a_locked_workbook_says_so(form: str) -> None:
    with pytest.raises(ReadingError, match="locked with a password"):
        read((FILES / f"locked.{form}").read_bytes())


def test_a_flat_ods_is_read_too() -> None:
    document = read((SOURCES / "levels.fods").read_bytes())
    assert [table.rows for table in document.tables] == [FIRST, SECOND]


def test_a_chart_of_an_xls_keeps_copies_of_figures_that_are_no_cells() -> None:
    workbook = Compound((FILES / "levels.xls").read_bytes()).stream("Workbook") or b""
    end = workbook.rindex(struct.pack("<HH", 0x000A, 0))
    chart = struct.pack("<HH8x", 0x0809, 8) + struct.pack("<HHHHHd", 0x0203, 14, 0, 0, 15, 77)
    chart += struct.pack("<HH", 0x000A, 0)
    document = read(compound({"Workbook": workbook[:end] + chart + workbook[end:]}))
    assert "77" not in document.text
    assert document.tables[0].rows == FIRST


def test_a_workbook_that_lost_its_table_of_contents_is_rescued_with_a_note() -> None:
    document = read((FILES / "levels.xlsx").read_bytes()[:8000])
    assert document.tables[0].rows == FIRST
    assert "damaged" in kinds(document)


def xlsx(rows: bytes, after: bytes = b"", parts: dict[str, bytes] | None = None) -> bytes:
    """The workbook with other rows on its first sheet, and with other parts."""
    made = io.BytesIO()
    sheet = b'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">'
    sheet += b"<sheetData>" + rows + b"</sheetData>" + after + b"</worksheet>"
    changed = {"xl/worksheets/sheet1.xml": sheet, **(parts or {})}
    with (
        zipfile.ZipFile(FILES / "levels.xlsx") as old,
        zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as new,
    ):
        for name in {*old.namelist(), *changed}:
            new.writestr(name, changed.get(name) or old.read(name))
    return made.getvalue()


def number(place: str, value: str = "1") -> bytes:
    return f'<c r="{place}"><v>{value}</v></c>'.encode()


def test_cells_at_the_ends_of_a_sheet_are_refused_before_room_is_made_for_all() -> None:
    rows = b'<row r="1">' + number("A1") + b'</row><row r="1048576">'
    rows += number("XFD1048576") + b"</row>"
    with pytest.raises(ReadingError, match="too far apart"):
        read(xlsx(rows))


def test_blank_cells_at_the_ends_of_a_sheet_do_no_harm() -> None:
    rows = b'<row r="1">' + number("B1") + b'</row><row r="1048576">'
    rows += b'<c r="XFD1048576" s="1"/></row>'
    assert read(xlsx(rows)).text.splitlines()[1] == "1"


def test_cells_at_the_ends_of_an_xls_are_refused() -> None:
    workbook = bytearray(Compound((FILES / "levels.xls").read_bytes()).stream("Workbook") or b"")
    last = workbook.rindex(struct.pack("<HH", 0x00FD, 10))
    struct.pack_into("<HH", workbook, last + 4, 0xFFFF, 0xFFFF)
    first = workbook.index(struct.pack("<HH", 0x00FD, 10))
    workbook[last:last] = workbook[first : first + 14]
    with pytest.raises(ReadingError, match="too far apart"):
        read(compound({"Workbook": bytes(workbook)}))


def test_a_workbook_that_unpacks_to_too_much_is_refused() -> None:
    bomb = xlsx(b"<row>" + b"<c/>" * 3_000_000 + b"</row>")
    assert len(bomb) < 100_000
    with pytest.raises(ReadingError, match="unpacks to more"):
        read(bomb, Limits(unpacked_bytes=10 << 20))


def test_repeated_cells_of_an_ods_are_made_within_the_limit() -> None:
    source = (SOURCES / "levels.fods").read_text("utf-8")
    many = 'table:number-rows-repeated="1048576"'
    row = f'<table:table-row {many}><table:table-cell table:number-columns-repeated="16384" '
    row += 'office:value-type="string"><text:p>x</text:p></table:table-cell></table:table-row>'
    bomb = source.replace("<table:table-row>", row + "<table:table-row>", 1)
    document = read(bomb.encode(), Limits(cells=100_000))
    assert "not read in full" in kinds(document)
    assert document.text.count("x") <= 100_000


def test_more_cells_than_are_read_are_cut_with_a_note() -> None:
    rows = b"".join(
        f'<row r="{r}">'.encode() + number(f"A{r}") + number(f"B{r}") + b"</row>"
        for r in range(1, 101)
    )
    document = read(xlsx(rows), Limits(cells=50))
    assert len(document.tables[0].rows) == 25
    assert "not read in full" in kinds(document)


def test_merged_cells_that_cover_each_other_a_thousand_times_cost_little() -> None:
    rows = b"".join(
        f'<row r="{r}">'.encode() + number(f"A{r}") + number(f"Z{r}") + b"</row>"
        for r in range(1, 200)
    )
    merged = b"<mergeCells>" + b'<mergeCell ref="A1:Z199"/>' * 2000 + b"</mergeCells>"
    assert read(xlsx(rows, merged)).tables[0].rows[0] == ("1",) * 26


def test_text_boxes_and_pictures_of_a_workbook_are_read() -> None:
    from PIL import Image

    picture = io.BytesIO()
    Image.linear_gradient("L").save(picture, "PNG")
    drawing = (
        b'<xdr:wsDr xmlns:xdr="x" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main">'
        b"<a:p><a:r><a:t>In a </a:t></a:r><a:r><a:t>box</a:t></a:r></a:p></xdr:wsDr>"
    )
    parts = {"xl/drawings/drawing1.xml": drawing, "xl/media/image1.png": picture.getvalue()}
    document = read(xlsx(b'<row r="1">' + number("A1") + b"</row>", parts=parts))
    assert document.text.splitlines()[-1] == "In a box"
    assert [p.width for p in document.pictures] == [256]


@pytest.mark.parametrize("form", FORMS)
def test_damage_of_any_kind_gives_a_draft_or_a_reason(form: str) -> None:
    data = (FILES / f"levels.{form}").read_bytes()
    for seed in range(60):
        try:
            assert isinstance(read_sheet(mutated(data, seed), Request()), Draft)
        except ReadingError as error:
            assert str(error)


# CSV.


def csv_of(text: str | bytes, name: str = "a.csv", limits: Limits | None = None) -> Document:
    data = text.encode() if isinstance(text, str) else text
    return read_csv(data, Request(name=name, limits=limits or Limits())).document(name)


def test_a_csv_of_a_russian_spreadsheet_program_is_a_table() -> None:
    document = csv_of((FILES / "levels.csv").read_bytes())
    assert document.tables[0].rows[1] == (MONTH, LEVEL, "", "", "Наблюдатель", "Дней")
    assert document.tables[0].rows[2][4] == "Холтова Мария"
    assert document.text.splitlines()[3] == "Апрель\t188\t0.3\t\tОспанов\t30"


@pytest.mark.parametrize(
    ("text", "row"),
    [
        ("a,b\nc,d\n", ("c", "d")),
        ("a;b\n1,5;2,5\n", ("1,5", "2,5")),
        ("1,5;2,5;3,5\n4,5;5,5;6,5\n", ("4,5", "5,5", "6,5")),
        ("a\tb\nc, d\te\n", ("c, d", "e")),
        ("a|b\nc|d\n", ("c", "d")),
        ("sep=;\na;b\nc;d,e\n", ("c", "d,e")),
        ('"a ""q"" b",x\n"c\nd",y\n', ("c d", "y")),
        ("a,b\r\r\nc,d\r\r\n", ("c", "d")),
        ("a,b,c\nd,e\n", ("d", "e", "")),
        ("name,a;b\n1,2;3\n4,5;6\n7,8\n", ("7", "8")),
    ],
)
def test_delimiters_and_quotation_marks_are_understood(text: str, row: tuple[str, ...]) -> None:
    assert csv_of(text).tables[0].rows[-1] == row


def test_tabs_are_meant_by_a_name_that_says_so() -> None:
    assert csv_of("a,b\tc\nd,e\tf\n", "a.tsv").tables[0].rows[1] == ("d,e", "f")
    assert csv_of("a,b\nc,d\n", "a.tsv").tables[0].rows[1] == ("c", "d")


def test_one_column_is_text_and_no_table() -> None:
    document = csv_of("one\ntwo\nthree\n")
    assert (document.text, document.tables) == ("one\ntwo\nthree\n", ())


@pytest.mark.parametrize("last", ["", 'z"z,2\n'])
def test_a_lone_quotation_mark_does_not_swallow_the_file(last: str) -> None:
    rows = "".join(f"r{i},{i}\n" for i in range(50))
    document = csv_of(f'a,b\n"x,1\n{rows}{last}')
    assert ("r49", "49") in document.tables[0].rows
    assert kinds(document) == ["damaged"]


def test_a_field_of_ten_megabytes_is_read() -> None:
    document = csv_of('a,b\n"' + "x" * 10_000_000 + '",1\n')
    assert len(document.text) > 10_000_000


def test_a_table_of_more_cells_than_are_read_is_text() -> None:
    document = csv_of("x," * 500 + "\n" + "a,b\n" * 100, limits=Limits(cells=1000))
    assert document.tables == ()
    assert kinds(document) == ["not read in full"]


def test_nothing_gives_nothing() -> None:
    assert csv_of("").text == ""
    assert csv_of("\n\n,,\n").text == ""


@given(st.lists(st.lists(st.text("ab \"',;\n|", max_size=5), min_size=2, max_size=4), max_size=6))
def test_no_letter_is_ever_lost(rows: list[list[str]]) -> None:
    out = io.StringIO()
    csv.writer(out).writerows(rows)
    written = "".join(cell for row in rows for cell in row)
    found = csv_of(out.getvalue()).text
    assert (found.count("a"), found.count("b")) == (written.count("a"), written.count("b"))


@pytest.mark.parametrize(
    ("text", "is_table"),
    [
        ("month;rain;snow\nMay;12;0\nJune;31;0\n", True),
        ('"x",1,2\n"y, z",3,4\n"w",5,6\n', True),
        ("a\tb\tc\n1\t2\t3\n4\t5\t6\n", True),
        ("a;b\nc;d\ne;f\n", False),
        ("a,b,c\nd,e,f\n", False),
        ("red, green, blue\nbig, small, tiny\nhot, cold, mild\n", False),
        ("It rained, then snowed, then stopped.\n" * 5, False),
        ("Мороз и солнце; день чудесный!\nЕщё ты дремлешь, друг прелестный\n" * 3, False),
        ("Dear all,\n\nplease find, as agreed, the report.\n\nYours,\nM.\n", False),
        ("", False),
    ],
)
def test_a_text_is_a_table_only_beyond_doubt(text: str, is_table: bool) -> None:
    assert looks_like_csv(text) is is_table
