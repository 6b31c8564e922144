"""Cells are told apart by what they hold."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from likewise.tables.cells import Style, read_cell


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("895 975", "number"),
        ("12 kg", "number"),
        ("Alpha-Bud", "text"),
        ("B52", "text"),
        ("30.05.2016", "date"),
        ("$E = mc^2$", "formula"),
        ("<math><mi>x</mi></math>", "formula"),
        ("\ufffc", "picture"),
        ("560 employees", "combined"),
        ("12 (34)", "combined"),
        ("area $a^2$", "combined"),
        ("", "empty"),
        ("—", "empty"),
        ("NaN", "empty"),
        ("-inf", "empty"),
        ("н/д", "empty"),
    ],
)
def test_a_cell_has_a_kind(text, kind):
    assert read_cell(text).kind == kind


def test_a_combined_cell_is_split_into_its_parts():
    cell = read_cell("Income 225 750 on 30.05.2016, see $\\frac{a}{b}$")
    assert [number.value for number in cell.numbers] == [225750]
    assert cell.dates == ("2016-05-30",)
    assert len(cell.formulas) == 1
    assert cell.text.startswith("Income")
    assert not any(char.isdigit() for char in cell.text)


def test_the_column_decides_how_a_number_is_meant():
    style = Style.of(["1,5", "1.250"])
    assert read_cell("1.250", style).numbers[0].value == 1250


@given(st.text(max_size=100))
def test_any_text_is_a_cell(text):
    cell = read_cell(text)
    assert (
        (cell.kind == "empty")
        or cell.text
        or cell.numbers
        or cell.dates
        or (cell.formulas or cell.kind in ("picture", "combined"))
    )
