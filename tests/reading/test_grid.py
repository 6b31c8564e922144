"""Cells that span others stand in every place they cover."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from likewise.errors import ReadingError
from likewise.reading.grid import Grid

cells = st.tuples(st.sampled_from("abcdef"), st.integers(0, 4), st.integers(0, 4))


@given(st.lists(st.lists(cells, max_size=4), max_size=6))
def test_every_row_is_as_long_and_every_cell_is_somewhere(table) -> None:
    grid = Grid()
    for row in table:
        grid.row()
        for text, across, down in row:
            grid.cell(text, across, down)
    rows = grid.rows()
    assert len(rows) == len(table)
    assert len({len(row) for row in rows}) <= 1
    for row, given_cells in zip(rows, table, strict=True):
        assert {text for text, *_ in given_cells} <= set(row)


def test_grouped_headings_are_read_downwards() -> None:
    grid = Grid()
    grid.row()
    grid.cell("Region", down=2)
    grid.cell("2023", across=2)
    grid.cell("2024", across=2)
    grid.row()
    for half in ("first", "second") * 2:
        grid.cell(half)
    grid.row()
    for cell in ("Abay", "1", "2", "3", "4"):
        grid.cell(cell)
    assert grid.rows() == (
        ("Region", "2023", "2023", "2024", "2024"),
        ("Region", "first", "second", "first", "second"),
        ("Abay", "1", "2", "3", "4"),
    )


def test_a_span_of_a_billion_is_an_attack() -> None:
    grid = Grid(most_cells=10_000)
    grid.row()
    with pytest.raises(ReadingError, match="more cells"):
        grid.cell("a", across=10**9, down=10**9)
