"""Tables that were copied and doctored are found and aligned cell by cell."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from likewise.errors import BadSettings
from likewise.model import Picture, Span, Table
from likewise.tables import TableIndex, index_of, matching_tables, pictures_in, same_pictures
from tests.tables.tables import MODIFIED, ORIGINAL, UNRELATED, table, turned

NAMES = "Irtysh Ishim Ural Ili Chu Talas Emba Tobol Nura Sarysu Turgai Karatal Aksu Lepsi".split()


def measured(seed: int = 0, rows: int = 14) -> list[list[str]]:
    """A table of rivers with three columns of numbers."""
    numbers = random.Random(seed)
    head = ["River", "Length, km", "Basin", "Flow"]
    body = [
        [name, f"{numbers.randint(200, 4999)}", f"{numbers.uniform(1, 900):.2f}",
         f"{numbers.uniform(5, 99):.1f}"]
        for name in NAMES[:rows]
    ]  # fmt: skip
    return [head, *body]


def as_table(rows) -> Table:
    return Table(tuple(map(tuple, rows)), Span(0, 0))


def score(a, b) -> float:
    found = matching_tables([as_table(a)], [as_table(b)], threshold=0.01)
    return found[0].score if found else 0.0


def test_the_papers_table_2_is_table_1_cell_by_cell():
    [match] = matching_tables([table(ORIGINAL)], [table(MODIFIED)])
    assert match.score > 0.8
    assert not match.transposed
    assert match.rows == ((0, 0), (1, 2), (2, 3), (3, 1))
    assert match.columns == ((0, 0), (1, 2), (2, 1))
    numbers = [row[1:] for row in match.cells[1:]]
    assert all(state in ("equal", "moved") for row in numbers for state in row)
    assert match.cells[1][0] == "altered"  # the corporation, abbreviated


def test_the_papers_table_2_is_found_turned_as_well():
    [match] = matching_tables([table(ORIGINAL)], [turned(table(MODIFIED))])
    assert match.score > 0.7
    assert match.transposed
    assert set(match.rows) >= {(1, 2), (2, 3), (3, 1)}


def test_unrelated_tables_do_not_match():
    assert matching_tables([table(ORIGINAL)], [table(UNRELATED)]) == ()


def test_a_table_explains_itself():
    [match] = matching_tables([table(UNRELATED)], [table(UNRELATED)])
    assert match.score == match.share_a == match.share_b == 1
    assert {state for row in match.cells for state in row} == {"equal"}


def test_other_numbers_about_the_same_things_are_another_table():
    assert score(measured(1), measured(2)) < 0.36


@pytest.mark.parametrize("factor", [1000, 0.01, 2.54, -1])
def test_scaled_columns_are_seen_through(factor):
    rows = measured()
    scaled = [rows[0]] + [
        [row[0], *(f"{float(x) * factor:.6g}" for x in row[1:])] for row in rows[1:]
    ]
    [match] = matching_tables([as_table(rows)], [as_table(scaled)])
    assert match.score > 0.8
    assert match.column_factors[1:] == pytest.approx([factor] * 3, rel=0.01)


def test_scaled_numbers_are_found_where_nothing_else_is_shared():
    rows = [row[1:] for row in measured()[1:]]
    scaled = [[f"{float(x) * 447.3:.2f}" for x in row] for row in reversed(rows)]
    assert score(rows, scaled) > 0.5


def test_rounded_numbers_are_equal():
    rows = measured()
    rounded = [rows[0]] + [[row[0], *(f"{float(x):.3g}" for x in row[1:])] for row in rows[1:]]
    [match] = matching_tables([as_table(rows)], [as_table(rounded)])
    assert match.score > 0.6


def test_altered_numbers_are_marked():
    rows = measured()
    altered = [list(row) for row in rows]
    altered[3][1] = "7777"
    [match] = matching_tables([as_table(rows)], [as_table(altered)])
    assert match.cells[3][1] == "altered"
    assert sum(state == "altered" for row in match.cells for state in row) == 1


def test_a_moved_row_is_marked():
    rows = measured()
    moved = [rows[0], *rows[2:], rows[1]]
    [match] = matching_tables([as_table(rows)], [as_table(moved)])
    assert set(match.cells[1]) == {"moved"}
    assert {state for row in match.cells[2:] for state in row} == {"equal"}


def test_half_of_the_rows_and_a_merged_table_are_found():
    rows = measured()
    other = [["Lake", "Depth"], ["Balkhash", "26"], ["Zaysan", "15"], ["Tengiz", "8"]]
    merged = rows + [[*row, "", ""] for row in other]
    assert score(rows, [rows[0], *rows[1::2]]) > 0.5
    assert score(rows, merged) > 0.7
    assert score(other, merged) > 0.36


def test_small_integers_and_years_prove_nothing():
    a = [["1990", "1", "2"], ["1991", "3", "1"], ["1992", "2", "2"]]
    b = [["1990", "2", "2"], ["1991", "1", "1"], ["1992", "2", "3"]]
    assert score(a, b) < 0.36


def test_an_index_finds_pairs_among_many():
    tables = [as_table(measured(seed)) for seed in range(20)]
    copy = turned(as_table(sorted(measured(7))))
    index = index_of([*tables, copy])
    assert len(index) == 21
    [(a, b, found)] = index.scored_pairs()
    assert (a, b) == (7, 20)
    [match] = index.pairs()
    assert match.score == found
    assert [match.b for match in index.search(copy)] == [7, 20]


def test_tables_of_one_document_are_compared_with_each_other():
    found = matching_tables([table(ORIGINAL), table(UNRELATED), table(MODIFIED)])
    assert [(match.a, match.b) for match in found] == [(0, 2)]


def test_a_senseless_threshold_is_refused():
    with pytest.raises(BadSettings, match="threshold"):
        matching_tables([table(ORIGINAL)], [table(MODIFIED)], threshold=0)


@settings(deadline=None)
@given(st.randoms(use_true_random=False), st.booleans())
def test_order_and_direction_do_not_matter(order, turn):
    rows = measured()
    mixed = [rows[0], *order.sample(rows[1:], len(rows) - 1)]
    columns = order.sample(range(4), 4)
    given = as_table([[row[c] for c in columns] for row in mixed])
    [match] = matching_tables([as_table(rows)], [turned(given) if turn else given])
    assert match.score > 0.99
    assert match.transposed == turn


def test_pictures_in_tables_are_compared_by_their_looks():
    pictures = [Picture(Span(5, 5), 0b1111, 9, 9), Picture(Span(50, 50), 0, 9, 9)]
    ours = pictures_in(Table((("a",),), Span(0, 10)), pictures)
    assert ours == (pictures[0],)
    other = Picture(Span(0, 0), 0b1011, 4, 4)
    assert same_pictures(ours, [Picture(Span(0, 0), 2**60 - 1, 4, 4), other]) == ((ours[0], other),)


def test_an_empty_index_finds_nothing():
    assert TableIndex().search(table(ORIGINAL)) == []
    assert list(TableIndex().pairs()) == []
