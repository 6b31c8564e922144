"""What stands in a cell, as people see it."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta

_EXACT = 1e15  # whole numbers are shown in full up to here, as spreadsheet programs do


def cell_text(value: object) -> str:
    """A value as text: whole numbers without a point, no artefacts of binary fractions, ISO dates.

    >>> [cell_text(value) for value in (3.0, 0.1 + 0.2, True, date(2019, 3, 2), None)]
    ['3', '0.3', 'TRUE', '2019-03-02', '']
    """
    if isinstance(value, str):
        return " ".join(value.split())
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, float):
        if value.is_integer() and abs(value) <= _EXACT:
            return str(int(value))
        return f"{value:.15g}"
    if isinstance(value, datetime):
        return value.isoformat(" ", "seconds")
    if isinstance(value, time):
        return value.isoformat("seconds")
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, timedelta):
        return _hours(value)
    return "" if value is None else str(value)


def _hours(span: timedelta) -> str:
    """A stretch of time in hours, minutes and seconds.

    >>> _hours(timedelta(days=1, minutes=5))
    '24:05:00'
    """
    seconds = round(span.total_seconds())
    sign = "-" if seconds < 0 else ""
    minutes, seconds = divmod(abs(seconds), 60)
    return f"{sign}{minutes // 60}:{minutes % 60:02}:{seconds:02}"
