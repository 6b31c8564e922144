"""`likewise tables`, and the tables that `compare` and `check` show."""

import re
import zipfile

import pytest

import likewise as lw
from likewise.model import Document, Span, Table
from likewise.tables import LEAST_SCORE

from .conftest import CARAVAN, HARVEST, write

FIRMS = """\
Company,Income,Employees,City
Corporation TechBud,225750,560,Almaty
New Company,785960,1220,Astana
Alpha-Bud,895975,1150,Shymkent
Orken Trade,12455,87,Taraz
Jibek Joly,334120,412,Aktobe
"""
MOVED = """\
Company,City,Employees,Income
Alpha-Bud,Shymkent,1150,895975
Corporation TechBud,Almaty,560,225750
Jibek Joly,Aktobe,419,334120
New Company,Astana,1220,785960
Saryarqa,Pavlodar,99,77111
"""
RIVERS = "River,Length,Basin\nIrtysh,4248,1643000\nIshim,2450,177000\nUral,2428,231000\n"


def turned_page(caption: str = "Table 3. Firms") -> str:
    rows = [line.split(",") for line in FIRMS.splitlines()]
    cells = "".join(
        f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in zip(*rows, strict=True)
    )
    return f"<p>{HARVEST}</p><table><caption>{caption}</caption>{cells}</table>"


@pytest.fixture
def tables_folder(tmp_path):
    folder = tmp_path / "reports"
    write(folder / "firms.csv", FIRMS)
    write(folder / "moved.csv", MOVED)
    write(folder / "page.html", turned_page())
    write(folder / "rivers.csv", RIVERS)
    return folder


def test_pairs_are_ranked_and_the_best_are_drawn(likewise, tables_folder):
    ran = likewise("tables", tables_folder)
    assert ran.status == 0, ran.err
    lines = ran.out.splitlines()
    assert re.fullmatch(r"1 +100% ━+ +firms\.csv  table 1 +page\.html  Table 3\. Firms *", lines[1])
    assert "rivers.csv" not in ran.out
    assert "B is turned: its columns are the rows of A." in ran.out
    assert "4 documents · 4 tables · 3 pairs · likeness ≥ 0.36" in ran.out


def test_a_grid_marks_what_was_altered_moved_added_and_left_out(likewise, tables_folder):
    ran = likewise("tables", tables_folder / "firms.csv", tables_folder / "moved.csv")
    assert ran.status == 0, ran.err
    assert re.search(r"^ +1 +2 ↔ 4 +3 +4 *$", ran.out, re.M), "columns that stand elsewhere"
    assert re.search(r"2 ↔ 3 +Corporation TechBud +225750 +560 +Almaty", ran.out)
    assert re.search(r"^ +6 +Jibek Joly +334120 +412 → 419 +Aktobe", ran.out, re.M)
    assert re.search(r"− 5 +Orken Trade", ran.out)
    assert re.search(r"\+ 6 +Saryarqa +77111", ran.out)
    for meaning in ("altered from A to B", "moved, 2nd in A and 5th in B", "− only in A"):
        assert meaning in ran.out


def test_scaled_columns_are_said_in_words(likewise, tmp_path):
    a = write(tmp_path / "a.csv", FIRMS)
    scaled = FIRMS.replace("Income", "Income thousands")
    for number in ("225750", "785960", "895975", "12455", "334120"):
        scaled = scaled.replace(number, str(int(number) / 1000))
    b = write(tmp_path / "b.csv", scaled)
    ran = likewise("tables", a, b)
    assert "Numbers were scaled: column 2 of B is column 2 of A times 0.001." in ran.out


def test_json_has_a_line_for_each_pair_then_a_summary(likewise, tables_folder):
    ran = likewise("tables", tables_folder, "--json")
    best, *_ = pairs = ran.of_type("tables")
    assert best["a"] == {"name": "firms.csv", "table": 0, "page": None, "caption": ""}
    assert best["b"]["name"] == "page.html"
    assert best["b"]["caption"] == "Table 3. Firms"
    assert best["transposed"] is True
    assert best["score"] == best["share_a"] == best["share_b"] == 1
    assert len(best["cells"]) == len(best["rows"]) == 6
    assert {len(row) for row in best["cells"]} == {len(best["columns"])} == {4}
    assert [p["score"] for p in pairs] == sorted((p["score"] for p in pairs), reverse=True)
    assert ran.summary["tables"] == 4
    assert ran.summary["pairs"] == len(pairs) == 3
    assert ran.summary["threshold"] == LEAST_SCORE


def test_tables_of_one_document_are_compared_with_each_other(likewise, tmp_path):
    page = write(tmp_path / "page.html", turned_page("One") + turned_page("Two"))
    [pair] = likewise("tables", page, "--json").of_type("tables")
    assert [pair[side]["table"] for side in "ab"] == [0, 1]
    assert [pair[side]["caption"] for side in "ab"] == ["One", "Two"]
    assert likewise("tables", page, "--fail-on-match").status == 1


def test_archives_are_folders(likewise, tables_folder, tmp_path):
    with zipfile.ZipFile(tmp_path / "work.zip", "w") as archive:
        for path in sorted(tables_folder.iterdir()):
            archive.write(path, path.name)
    from_folder = likewise("tables", tables_folder, "--json").of_type("tables")
    assert likewise("tables", tmp_path / "work.zip", "--json").of_type("tables") == from_folder


def test_a_file_is_not_compared_with_itself_in_its_folder(likewise, tables_folder):
    ran = likewise("tables", tables_folder / "firms.csv", tables_folder, "--json")
    assert [pair["b"]["name"] for pair in ran.of_type("tables")] == ["page.html", "moved.csv"]


def test_files_of_one_name_are_told_apart(likewise, tmp_path):
    one, two = (write(tmp_path / name / "firms.csv", FIRMS) for name in ("one", "two"))
    [pair] = likewise("tables", one, two, "--json").of_type("tables")
    assert (pair["a"]["name"], pair["b"]["name"]) == (str(one), str(two))
    [pair] = likewise("tables", one.parent, two.parent, "--json").of_type("tables")
    assert (pair["a"]["name"], pair["b"]["name"]) == ("one/firms.csv", "two/firms.csv")


def test_the_threshold_and_the_limit_bound_what_is_shown(likewise, tables_folder):
    ran = likewise("tables", tables_folder, "--threshold", "0.99", "--json")
    assert [pair["score"] for pair in ran.of_type("tables")] == [1]
    assert len(likewise("tables", tables_folder, "--limit", 1, "--json").of_type("tables")) == 1
    ran = likewise("tables", tables_folder, "--limit", 1)
    assert "and 2 more pairs; --limit shows more, --json all" in ran.out
    for wrong in ("0", "1.5", "nan"):
        ran = likewise("tables", tables_folder, "--threshold", wrong)
        assert ran.status == 2
        assert "above 0 and at most 1" in ran.err


def test_the_help_tells_the_threshold_that_is_used(likewise):
    ran = likewise("tables", "--help")
    assert f"default {LEAST_SCORE:g}" in ran.out
    assert "likewise tables thesis.pdf archive/" in ran.out


def test_files_that_could_not_be_read_are_named(likewise, tables_folder):
    write(tables_folder / "broken.pdf", b"%PDF-1.7 nothing more")
    ran = likewise("tables", tables_folder, "--strict")
    assert ran.status == 2
    assert "Not compared" in ran.out
    assert "broken.pdf" in ran.out
    assert likewise("tables", tables_folder, "--json").summary["unread"] == 1
    assert likewise("tables", tables_folder / "broken.pdf").status == 2
    assert "No such file" in likewise("tables", tables_folder / "absent").err


def test_where_there_is_nothing_to_compare_it_says_so(likewise, tmp_path):
    text = write(tmp_path / "texts/a.txt", CARAVAN)
    assert "No tables here" in likewise("tables", text).out
    rivers = write(tmp_path / "rivers.csv", RIVERS)
    assert "One table, and nothing to compare it with" in likewise("tables", rivers).out
    assert "No tables in B" in likewise("tables", rivers, text).out
    firms = write(tmp_path / "firms.csv", FIRMS)
    assert "No two tables reach the threshold of 0.36" in likewise("tables", rivers, firms).out


def test_names_and_cells_cannot_move_the_cursor(likewise, tmp_path):
    evil = FIRMS.replace("Alpha-Bud", "Alpha\x1b[31m\u202eBud [bold]")
    one = write(tmp_path / "one\x1b[2J.csv", evil)
    ran = likewise("tables", one, write(tmp_path / "two.csv", evil.replace("1150", "1151")))
    assert ran.status == 0, ran.err
    assert "\x1b" not in ran.out
    assert "\u202e" not in ran.out
    assert "[bold]" in ran.out


def test_what_does_not_fit_is_counted(likewise, tmp_path):
    head = ",".join(f"quantity{c}" for c in range(30))
    rows = [",".join(str(1000 * r + 37 * c * c) for c in range(30)) for r in range(3, 80)]
    a = write(tmp_path / "a.csv", "\n".join([head, *rows]))
    b = write(tmp_path / "b.csv", "\n".join([head, *reversed(rows)]))
    ran = likewise("tables", a, b)
    assert re.search(r"and \d+ more rows, \d+ more columns; --json tells all", ran.out)
    assert max(map(len, ran.out.splitlines())) <= 100


def test_compare_shows_the_tables_of_both(likewise, tables_folder):
    a, b = tables_folder / "firms.csv", tables_folder / "page.html"
    ran = likewise("compare", a, b)
    assert "Tables of A that stand in B: 1" in ran.out
    assert re.search(r"1 +100% ━+ +table 1 +Table 3\. Firms", ran.out)
    assert "B is turned" in ran.out
    [match] = likewise("compare", a, b, "--json").lines
    assert [(t["a"], t["b"], t["transposed"]) for t in match["tables"]] == [(0, 0, True)]
    assert "Tables of A" not in likewise("compare", a, tables_folder / "rivers.csv").out


def test_check_shows_tables_that_stand_elsewhere(likewise, tables_folder, tmp_path):
    thesis = write(tmp_path / "thesis.html", f"<p>{CARAVAN}</p>" + turned_page("Mine"))
    library = tmp_path / "library.db"
    assert likewise("add", tables_folder, "--library", library).status == 0
    for where in (("--against", tables_folder), ("--library", library)):
        ran = likewise("check", thesis, *where)
        assert ran.status == 0, ran.err
        assert "Tables of it (A) that stand elsewhere (B): 3" in ran.out
        assert re.search(r"100% ━+ +Mine +firms\.csv  table 1", ran.out)
        [check] = likewise("check", thesis, *where, "--json").lines
        names = [table["name"] for table in check["tables"]]
        assert sorted(names) == ["firms.csv", "moved.csv", "page.html"]
    assert "tables" in likewise("library", "stats", "--library", library).out


def test_the_same_in_python(tables_folder):
    found = lw.find_tables(tables_folder)
    assert (found[0].a, found[0].b) == ("firms.csv", "page.html")
    assert found[0].table_b.caption == "Table 3. Firms"
    assert (found.documents, found.tables, len(found)) == (4, 4, 3)
    rows = tuple(tuple(line.split(",")) for line in FIRMS.splitlines())
    given = Document("mine", "", tables=(Table(rows, Span(0, 0)),))
    [best, *_] = lw.find_tables(given, tables_folder)
    assert (best.a, best.match.score) == ("mine", 1)
    assert not lw.find_tables([given])
