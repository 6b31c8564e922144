"""Copied tables in reports: aligned; altered, moved, missing and added parts told apart."""

import json
from collections.abc import Callable
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pypdfium2
import pytest
from hypothesis import given
from hypothesis import strategies as st
from playwright.sync_api import Locator, Page, expect

import likewise as lw
from likewise.catalogue import LANGUAGES, LanguageCode, Words
from likewise.catalogue import texts as catalogue_texts
from likewise.report import view_of_check, view_of_pair
from likewise.report.docx import docx_of
from likewise.report.json import json_of
from likewise.report.pdf import pdf_of
from likewise.report.tables import MOST_COLUMNS, MOST_ROWS, table_match_view
from likewise.report.view import CheckView, TableMatchView
from likewise.tables import matching_tables
from likewise.tables.match import TableMatch

from .collection_views import HOSTILE
from .reading import choose_tab
from .table_views import DOCTORED, RIVERS, Rows, check_of, small_view, table, turned, with_tables
from .texts import RIVER

EN = Words("en")


def view_of(theirs: Rows, ours: Rows = RIVERS) -> TableMatchView:
    (match,) = matching_tables([table(ours)], [table(theirs)])
    return table_match_view(match, table(ours), table(theirs), name="other")


def texts(view: TableMatchView, side: str) -> list[list[str]]:
    return [[getattr(cell, side) for cell in row.cells] for row in view.rows]


def states(view: TableMatchView) -> list[list[str]]:
    return [[cell.state for cell in row.cells] for row in view.rows]


# The view


def test_an_exact_copy_is_equal_in_every_cell():
    view = view_of(RIVERS)
    assert texts(view, "a") == texts(view, "b") == [list(row) for row in RIVERS]
    assert {state for row in states(view) for state in row} == {"equal"}
    assert not any(row.moved for row in view.rows)
    assert not any(column.moved for column in view.columns)
    assert (view.more_rows, view.more_columns, view.transposed) == (0, 0, False)


def test_ours_stands_in_its_order_with_theirs_beside_it():
    view = view_of(DOCTORED)
    ours = [row for row in view.rows if row.a is not None]
    assert [row.a for row in ours] == list(range(7))
    assert [[cell.a for cell in row.cells] for row in ours] == [list(row) for row in RIVERS]
    for row in view.rows:
        for cell, column in zip(row.cells, view.columns, strict=True):
            if row.b is not None and column.b is not None:
                assert cell.b == DOCTORED[row.b][column.b]


def test_altered_moved_missing_and_added_lines_are_told_apart():
    view = view_of(DOCTORED)
    by_name = {row.cells[1].a or row.cells[1].b: row for row in view.rows}
    assert [cell.state for cell in by_name["Ural"].cells][2] == "altered"
    assert (by_name["Ural"].cells[2].a, by_name["Ural"].cells[2].b) == ("2428", "2431")
    assert {row.cells[1].a for row in view.rows if row.moved} in ({"Irtysh"}, {"Ishim"})
    assert by_name["Chu"].b is None and {c.state for c in by_name["Chu"].cells} == {"missing"}
    added = by_name["Syr Darya"]
    assert added.a is None and [cell.b for cell in added.cells] == ["6", "Syr Darya", "2212", "219"]
    assert view.rows[-1] is added  # it follows the row that it follows there
    assert sum(column.moved for column in view.columns) == 1


def test_numbering_that_was_made_anew_is_neither_altered_nor_missing():
    view = view_of(DOCTORED)
    assert view.columns[0].a == view.columns[0].b == 0
    numbering = [row.cells[0].state for row in view.rows if row.a is not None and row.b is not None]
    assert set(numbering) <= {"equal", "empty"}


def test_a_column_of_one_side_alone_is_missing_or_added():
    view = view_of([[*row[:3], f"x{i}"] for i, row in enumerate(RIVERS)])
    (missing,) = (c for c in view.columns if c.b is None)
    assert missing.a == 3 and view.columns[-1].a is None and view.columns[-1].b == 3
    for row in view.rows:
        assert [cell.state for cell in row.cells][-2:] == ["missing", "added"]


def test_a_turned_table_is_shown_as_ours_stands():
    view, straight = view_of(turned(DOCTORED)), view_of(DOCTORED)
    assert view.transposed
    assert texts(view, "a") == texts(straight, "a") and texts(view, "b") == texts(straight, "b")


def test_of_a_long_and_wide_table_a_part_is_shown_with_what_was_altered_and_the_rest_counted():
    ours = [[f"r{i}c{j} {i * 37 + j * 101}" for j in range(30)] for i in range(300)]
    theirs = [list(row) for row in ours]
    theirs[250][3] = "another value"
    view = view_of(theirs, ours)
    assert len(view.rows) == MOST_ROWS and len(view.columns) == MOST_COLUMNS
    assert (view.more_rows, view.more_columns) == (300 - MOST_ROWS, 30 - MOST_COLUMNS)
    assert 250 in {row.a for row in view.rows} and view.rows[0].a == 0
    assert [row.a for row in view.rows] == sorted(row.a for row in view.rows)


def test_long_cells_are_cut_and_ragged_rows_are_filled():
    ours = [*RIVERS, ("7", "x" * 5000)]
    view = view_of([*DOCTORED[:6], ("7", "", "x" * 5000)], ours)
    assert max(len(cell.a) for row in view.rows for cell in row.cells) == 200
    assert {len(row.cells) for row in view.rows} == {len(view.columns)}


@given(st.data())
def test_every_row_and_column_of_both_tables_is_there_once(data):
    heights = data.draw(st.tuples(st.integers(1, 9), st.integers(1, 9)))
    widths = data.draw(st.tuples(st.integers(1, 6), st.integers(1, 6)))
    cell = st.sampled_from(["", "1", "2", "a", "b c"])
    ours, theirs = (
        data.draw(st.lists(st.lists(cell, min_size=w, max_size=w), min_size=h, max_size=h))
        for h, w in zip(heights, widths, strict=True)
    )
    is_turned = data.draw(st.booleans())
    shape_b = (widths[1], heights[1]) if is_turned else (heights[1], widths[1])

    def pairs(a: int, b: int) -> tuple[tuple[int, int], ...]:
        count = data.draw(st.integers(1, min(a, b)))
        beside = data.draw(st.permutations(range(b)))[:count]
        return tuple(zip(range(count), beside, strict=True))

    rows, columns = pairs(heights[0], shape_b[0]), pairs(widths[0], shape_b[1])
    cells = tuple(tuple("equal" for _ in columns) for _ in rows)
    match = TableMatch(0, 0, 0.5, 0.5, 0.5, is_turned, rows, columns, cells)  # type: ignore[arg-type]
    view = table_match_view(match, table(ours), table(theirs), name="other")
    for lines, a, b in (
        (view.rows, heights[0], shape_b[0]),
        (view.columns, widths[0], shape_b[1]),
    ):
        assert [line.a for line in lines if line.a is not None] == list(range(a))
        assert sorted(line.b for line in lines if line.b is not None) == list(range(b))


def test_a_check_names_the_other_document_and_its_number_among_the_sources():
    view = small_view()
    (found,) = view.tables
    assert (found.name, found.source) == ("archive/rivers.docx", 0)
    assert (found.caption_a, found.page_a) == ("Longest rivers", 3)
    assert (found.caption_b, found.page_b) == ("Rivers of Kazakhstan", 7)
    mine = with_tables("mine.txt", table(RIVERS))
    stranger = replace(with_tables("b", table(DOCTORED)), text=RIVER)  # shares no text
    (found,) = view_of_check(check_of(mine, stranger)).tables
    assert found.source is None


def test_two_documents_show_the_tables_of_their_match():
    mine, other = (
        with_tables(name, table(rows)) for name, rows in (("a", RIVERS), ("b", DOCTORED))
    )
    match = lw.compare(mine, other)
    match = replace(match, tables=matching_tables(mine.tables, other.tables))
    (found,) = view_of_pair(match).tables
    assert found.name == "b" and found.source == 0


# On paper


def text_of_pdf(view: CheckView, language: LanguageCode = "en") -> str:
    with pypdfium2.PdfDocument(pdf_of(view, language)) as pdf:
        return " ".join(" ".join(p.get_textpage().get_text_bounded() for p in pdf).split())


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_pdf_and_the_docx_hold_the_grid(language: LanguageCode) -> None:
    words, view = Words(language), small_view(turned(DOCTORED))
    with ZipFile(BytesIO(docx_of(view, language))) as parts:
        docx = parts.read("word/document.xml").decode()
    for said in (text_of_pdf(view, language), docx):
        assert words("tables.heading") in said and words("tables.transposed") in said
        assert "≠ 2431" in said and "− Chu" in said and "+ Syr Darya" in said
        assert words("tables.moved") in said and words("tables.only_there") in said
        assert f"Longest rivers, {words('page.one', n=3)}" in said


def test_paper_tells_what_of_a_wide_table_it_does_not_show() -> None:
    rows = [[f"r{i}c{j} {i * 37 + j * 101}" for j in range(30)] for i in range(100)]
    mine, other = with_tables("a", table(rows)), with_tables("b", table(rows))
    said = text_of_pdf(view_of_check(check_of(mine, other)))
    what = f"{EN('count.rows', n=60)}, {EN('count.columns', n=21)}"
    assert EN("tables.not_shown", what=what) in said


def test_programs_get_the_grid() -> None:
    (found,) = json.loads(json_of(small_view()))["tables"]
    assert found["rows"][3]["cells"][2] == {"a": "2428", "b": "2431", "state": "altered"}


# The page


def section(page: Page) -> Locator:
    """The tables, which stand behind a tab."""
    if page.locator("#tab-copied[aria-selected=false]").count():
        choose_tab(page, "copied")
    return page.locator("section[aria-labelledby=tables]")


def test_the_page_shows_each_table_beside_the_other(open_page: Callable[..., Page]) -> None:
    view = small_view()
    page = open_page(view, "en")
    (found,) = view.tables
    for said in ("Longest rivers", "Rivers of Kazakhstan", "archive/rivers.docx"):
        expect(section(page)).to_contain_text(said)
    for said in (
        EN("page.one", n=3),
        EN("page.one", n=7),
        EN("tables.of_here", share=EN.share(found.share_a)),
        EN("tables.of_there", share=EN.share(found.share_b)),
        EN("tables.explained"),
    ):
        expect(section(page)).to_contain_text(said)
    rows = section(page).locator("tbody tr")
    expect(rows).to_have_count(len(found.rows))
    altered = section(page).locator(".cell-altered")
    expect(altered).to_have_count(1)
    expect(altered).to_contain_text("2428")
    expect(altered).to_contain_text("≠")
    expect(altered).to_contain_text("2431")
    moved = rows.nth(next(i for i, row in enumerate(found.rows) if row.moved))
    expect(moved).to_contain_text(EN("tables.moved"))
    expect(rows.filter(has_text="Chu")).to_contain_text(EN("tables.only_here"))
    expect(rows.filter(has_text="Syr Darya")).to_contain_text(EN("tables.only_there"))
    column = EN("tables.column_there") + " 3"
    expect(section(page).locator("thead")).to_contain_text(column)


def test_a_report_without_copied_tables_does_not_speak_of_them(
    open_page: Callable[..., Page],
) -> None:
    page = open_page(replace(small_view(), tables=()), "en")
    expect(section(page)).to_have_count(0)


def test_the_tables_of_an_excluded_source_go_with_it(open_page: Callable[..., Page]) -> None:
    page = open_page(small_view(), "en")
    page.get_by_role("button", name=EN("exclude.source")).first.click()
    expect(section(page).locator("table")).to_have_count(0)
    choose_tab(page, "sources")
    page.get_by_role("button", name=EN("exclude.restore"), exact=True).first.click()
    expect(section(page).locator("table")).to_have_count(1)


def test_more_tables_are_shown_when_asked_for(open_page: Callable[..., Page]) -> None:
    view = small_view()
    many = tuple(replace(view.tables[0], caption_a=f"Table {i}") for i in range(5))
    page = open_page(replace(view, tables=many), "en")
    expect(section(page).locator("table")).to_have_count(2)
    section(page).get_by_role("button", name=EN("table.show_more", n=3)).click()
    expect(section(page).locator("table")).to_have_count(5)


def test_a_wide_table_scrolls_in_its_box_by_the_arrow_keys(open_page: Callable[..., Page]) -> None:
    rows = [[f"r{i}c{j} {i * 37 + j * 101}" for j in range(30)] for i in range(100)]
    mine, other = with_tables("a", table(rows)), with_tables("b", table(rows), text=RIVER)
    page = open_page(
        view_of_check(check_of(mine, other)), "en", viewport={"width": 390, "height": 800}
    )
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    box = section(page).locator(".scrolls")
    box.focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".panel.is-open")).to_have_count(0)  # no passage was opened
    moved = "async e => { for (let i = 0; i < 300 && !e.scrollLeft; i++) await new Promise("
    assert box.evaluate(f"{moved}requestAnimationFrame); return e.scrollLeft }}") > 0
    what = f"{EN('count.rows', n=40)}, {EN('count.columns', n=14)}"
    expect(section(page)).to_contain_text(EN("tables.not_shown", what=what))


@pytest.mark.parametrize(("width", "dark"), [(1280, False), (360, True)])
def test_nothing_is_out_of_reach(
    open_page: Callable[..., Page],
    faults: Callable[[Page], list[str]],
    picture: Callable[..., Path],
    width: int,
    dark: bool,
) -> None:
    view = small_view(turned(DOCTORED))
    page = open_page(
        view,
        "en",
        viewport={"width": width, "height": 900},
        color_scheme="dark" if dark else "light",
    )
    expect(section(page)).to_contain_text(EN("tables.transposed"))
    picture(page, full_page=True)
    assert faults(page) == []
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


def test_hostile_cells_and_captions_are_text(open_page: Callable[..., Page]) -> None:
    evil = [[*row[:1], HOSTILE[i % 3] + row[1], *row[2:]] for i, row in enumerate(RIVERS)]
    mine = with_tables(HOSTILE[2], table(evil, HOSTILE[0]))
    other = with_tables(HOSTILE[0], table(evil, HOSTILE[1]), text=RIVER)
    view = view_of_check(check_of(mine, other))
    page = open_page(view, "en", viewport={"width": 360, "height": 800})
    assert "<script>" in section(page).inner_text()
    assert "\u202e" not in section(page).inner_text()
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    assert page.title() != "run"
    assert "<script>" in text_of_pdf(view)
    with ZipFile(BytesIO(docx_of(view))) as parts:
        assert "&lt;script&gt;" in parts.read("word/document.xml").decode()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_word_is_in_the_language_of_the_page(
    open_page: Callable[..., Page], language: LanguageCode
) -> None:
    page = open_page(small_view(), language)
    shown = section(page).inner_text()
    assert Words(language)("tables.heading") in shown
    assert not [key for key in catalogue_texts("en") if key.startswith("tables.") and key in shown]


def test_the_grid_is_printed(open_page: Callable[..., Page]) -> None:
    page = open_page(small_view(), "en")
    with pypdfium2.PdfDocument(page.pdf()) as paper:
        said = " ".join(" ".join(p.get_textpage().get_text_bounded() for p in paper).split())
    assert "Syr Darya" in said and "2431" in said and EN("tables.go_to") not in said
