"""Tables are made ready: the head is known and the numbering gone."""

import pytest

from likewise.tables.layout import lay_out
from tests.tables.tables import ORIGINAL, table, turned


@pytest.mark.parametrize("sign", ["No.", "№", "р/с", "#", "№ п/п", ""])
def test_the_numbering_column_goes(sign):
    drawn = "\n".join(
        f"{sign if row == 0 else row} | {line}" for row, line in enumerate(ORIGINAL.splitlines())
    )
    layout = lay_out(table(drawn))
    assert layout.column_places == (1, 2, 3)
    assert layout.cells == lay_out(table(ORIGINAL)).cells
    across = lay_out(turned(table(drawn)))
    assert across.row_places == (1, 2, 3)


def test_a_column_that_counts_something_stays():
    assert lay_out(table("Year | Rain\n1 | 20\n2 | 30\n3 | 50")).column_places == (0, 1)


def test_the_head_is_recognised():
    assert lay_out(table(ORIGINAL)).head == 1
    assert lay_out(table("a | b\nx | 1\nc | 2\nd | 3")).head == 1
    assert (
        lay_out(table("Year | Rain | Rain\nYear | May | June\n1990 | 5 | 6\n1991 | 4 | 8")).head
        == 2
    )
    assert lay_out(table("1 | 2\n3 | 4\n5 | 6")).head == 0
    assert lay_out(table("City | 2015 | 2016\nAstana | 5 | 6\nAlmaty | 4 | 8")).head == 1


def test_a_title_as_wide_as_the_table_is_its_caption():
    layout = lay_out(table("Rivers | Rivers\nUral | 2428\nIshim | 2450"))
    assert layout.caption == "Rivers"
    assert layout.row_places == (1, 2)


def test_ragged_and_empty_tables_are_laid_out():
    assert lay_out(table("")).cells == ()
    assert lay_out(table("a | b\nc")).cells[1][1].kind == "empty"
    assert lay_out(table(" | \n | x")).column_places == (1,)
