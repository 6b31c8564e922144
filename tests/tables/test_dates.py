"""Dates are brought to one form."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from likewise.tables.dates import is_month_first, read_date

RUSSIAN = "января февраля марта апреля мая июня июля августа сентября октября ноября декабря"
KAZAKH = "қаңтар ақпан наурыз сәуір мамыр маусым шілде тамыз қыркүйек қазан қараша желтоқсан"
ENGLISH = "January February March April May June July August September October November December"


@pytest.mark.parametrize(
    ("written", "unified"),
    [
        ("2016-05-30", "2016-05-30"),
        ("2016–05–30", "2016-05-30"),
        ("2016.05.30", "2016-05-30"),
        ("30.05.2016", "2016-05-30"),
        ("30.05.2016 г.", "2016-05-30"),
        ("30.5.16", "2016-05-30"),
        ("5/30/2016", "2016-05-30"),
        ("30/5/2016", "2016-05-30"),
        ("30 мая 2016 года", "2016-05-30"),
        ("2016 жылғы 30 мамыр", "2016-05-30"),
        ("2016 ж. 30 мамырда", "2016-05-30"),
        ("May 30th, 2016", "2016-05-30"),
        ("30-May-2016", "2016-05-30"),
        ("май 2016", "2016-05"),
        ("2016-05", "2016-05"),
        ("2016-W23", "2016-W23"),
        ("23 неделя 2016", "2016-W23"),
        ("2016-05-30T14:05:00", "2016-05-30T14:05"),
        ("30.05.2016 14:05:07", "2016-05-30T14:05:07"),
        ("2016-05-30 00:00:00", "2016-05-30"),
        ("2:05 PM", "T14:05"),
    ],
)
def test_a_date_is_unified(written, unified):
    assert read_date(written) == unified


@pytest.mark.parametrize(
    "written", ["31.02.2016", "2016-13-01", "25:00", "1623", "мая", "1.5", "1/2"]
)
def test_what_is_no_date_is_not_read_as_one(written):
    assert read_date(written) is None


def test_year_and_week_are_read_where_the_column_is_of_weeks():
    assert read_date("1623", weeks=True) == "2016-W23"
    assert read_date("1699", weeks=True) is None


def test_days_come_first_where_the_column_says_so():
    assert not is_month_first(["25/12/2016", "01/02/2016"])
    assert read_date("01/02/2016", month_first=False) == "2016-02-01"


@given(st.dates(min_value=date(1950, 1, 1), max_value=date(2049, 12, 31)))
def test_a_date_written_in_any_form_is_read_back(day):
    iso = day.isoformat()
    month = day.month - 1
    for written in (
        iso,
        f"{day.day}.{day.month}.{day.year}",
        f"{day.day:02}.{day.month:02}.{day.year % 100:02}",
        f"{day.month}/{day.day}/{day.year}",
        f"{day.day} {RUSSIAN.split()[month]} {day.year} г.",
        f"{day.year} жылғы {day.day} {KAZAKH.split()[month]}",
        f"{ENGLISH.split()[month]} {day.day}, {day.year}",
        f"{day.day} {ENGLISH.split()[month][:3]} {day.year}",
    ):
        assert read_date(written) == iso, written
    year, week, _ = day.isocalendar()
    assert read_date(f"{year}-W{week:02}") == f"{year:04}-W{week:02}"


@given(st.text(max_size=50))
def test_no_text_is_too_strange(text):
    read_date(text)
    read_date(text, month_first=False, weeks=True)
