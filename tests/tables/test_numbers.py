"""Numbers are read however people write them."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from likewise.tables.numbers import decimal_sign_in, numbers_in, read_number

THOUSANDS = [" ", "\u00a0", "\u202f", "'", "’", ".", ","]


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("225 750", 225750),
        ("1\u00a0234\u00a0567,89", 1234567.89),
        ("1,234,567.89", 1234567.89),
        ("1.234.567,89", 1234567.89),
        ("12,34,567", 1234567),
        ("1'234.5", 1234.5),
        ("0,125", 0.125),
        ("0.125", 0.125),
        (",5", 0.5),
        ("−3", -3),
        ("(1,250.50)", -1250.5),
        ("12,5 %", 0.125),
        ("7‰", 0.007),
        ("$1,200", 1200),
        ("-$5", -5),
        ("1.2 млн тг", 1_200_000),
        ("5,3 тыс. руб.", 5300),
        ("12 мың теңге", 12000),
        ("1.5 km", 1500),
        ("250 см", 2.5),
        ("6.02e23", 6.02e23),
        ("6,02·10^23", 6.02e23),
        ("1.5 × 10⁻³", 0.0015),
        ("+4", 4),
        ("~15", 15),
    ],
)
def test_a_number_is_read(written, value):
    assert math.isclose(read_number(written).value, value)


@pytest.mark.parametrize(
    "written",
    [
        "",
        "B52",
        "1.2.3",
        "1,2,3",
        "nan",
        "inf",
        "five",
        "12 parsnips",
        "1-2",
        "(5",
        "1e999",
        "12 34",
    ],
)
def test_what_is_no_number_is_not_read_as_one(written):
    assert read_number(written) is None


def test_units_of_a_kind_are_brought_to_one():
    assert read_number("1500 m").unit == read_number("1,5 км").unit
    assert read_number("1500 m").value == read_number("1,5 км").value


def test_a_lone_sign_before_three_digits_is_settled_by_the_rest_of_the_column():
    assert decimal_sign_in(["1.234", "0,5", "x"]) == ","
    assert decimal_sign_in(["1,234", "5.75"]) == "."
    assert decimal_sign_in(["1.234.567", "1.234"]) == ","
    assert decimal_sign_in(["1,234", "text"]) is None
    assert read_number("1.234", ",").value == 1234
    assert read_number("1.234", ".").value == 1.234


def test_the_last_digit_written_is_known():
    assert read_number("3,140").grain == pytest.approx(1)
    assert read_number("3,14").grain == pytest.approx(0.01)
    assert read_number("12.5 %").grain == pytest.approx(0.001)


def test_numbers_among_words_are_found():
    found = numbers_in("from 1 200 to 3,5 % in B52")
    assert [number.value for *_, number in found] == [1200, 0.035]


def written(value: int, decimals: int, thousands: str, decimal: str) -> str:
    digits = f"{abs(value):,.0f}".replace(",", thousands)
    rest = f"{decimal}{'7' * decimals}" if decimals else ""
    return ("-" if value < 0 else "") + digits + rest


@given(
    st.integers(-(10**12), 10**12).filter(bool),
    st.integers(0, 6),
    st.sampled_from(THOUSANDS),
    st.sampled_from(".,"),
)
def test_a_number_written_in_any_style_is_read_back(value, decimals, thousands, decimal):
    if thousands == decimal:
        return
    exact = float(f"{value}.{'7' * decimals}" if decimals else value)
    assert read_number(written(value, decimals, thousands, decimal), decimal).value == exact


@given(st.text(max_size=60), st.sampled_from([None, ".", ","]))
def test_any_text_is_a_finite_number_or_none(text, decimal):
    number = read_number(text, decimal)
    assert number is None or math.isfinite(number.value)
    decimal_sign_in([text])
    for start, end, _ in numbers_in(text, decimal):
        assert 0 <= start < end <= len(text)
