"""Dates and times in the forms people use, brought to one: year-month-day, then the time."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date

_MONTHS = {
    1: "january jan январь января янв қаңтар қаң",
    2: "february feb февраль февраля фев февр ақпан ақп",
    3: "march mar март марта мар наурыз нау",
    4: "april apr апрель апреля апр сәуір сәу",
    5: "may май мая мамыр мам",
    6: "june jun июнь июня июн маусым мау",
    7: "july jul июль июля июл шілде шіл",
    8: "august aug август августа авг тамыз там",
    9: "september sep sept сентябрь сентября сен сент қыркүйек қыр",
    10: "october oct октябрь октября окт қазан қаз",
    11: "november nov ноябрь ноября ноя нояб қараша қар",
    12: "december dec декабрь декабря дек желтоқсан жел",
}
_MONTH_CALLED = {name: number for number, names in _MONTHS.items() for name in names.split()}
_CASES = r"(?:ның|нің|дың|дің|тың|тің|да|де|та|те|ында|інде)?"  # a Kazakh month is declined
_MONTH = "(?P<month>{}){}\\.?".format(
    "|".join(sorted(_MONTH_CALLED, key=lambda name: -len(name))), _CASES
)
_YEAR = r"(?P<year>\d{4})"
_YEAR_WORD = r"(?:\s?(?:года|год|г\.?|жылғы|жылы|жыл|ж\.?|y\.?))?"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th|-?го)?"
_TIME = (
    r"(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2})(?:[.,]\d{1,9})?)?"
    r"\s?(?P<half>[ap]\.?m\.?)?(?P<zone>z|[+-]\d{2}:?\d{2})?"
)
_DATES = [
    re.compile(form)
    for form in (
        rf"{_YEAR}([-./])(?P<m>\d{{1,2}})\2(?P<day>\d{{1,2}}){_YEAR_WORD}",
        rf"(?P<day>\d{{1,2}})([-.])(?P<m>\d{{1,2}})\2(?P<year>\d{{4}}|\d{{2}}){_YEAR_WORD}",
        r"(?P<first>\d{1,2})/(?P<then>\d{1,2})/(?P<year>\d{4}|\d{2})",
        rf"{_YEAR}-(?P<m>\d{{2}})",
        rf"{_DAY}[\s.-]?\s?{_MONTH}[\s,.-]\s?{_YEAR}{_YEAR_WORD}",
        rf"{_MONTH}\s{_DAY},?\s{_YEAR}{_YEAR_WORD}",
        rf"{_YEAR}{_YEAR_WORD},?\s(?P<day>\d{{1,2}})[\s.-]\s?{_MONTH}",
        rf"{_MONTH},?[\s.-]?\s?{_YEAR}{_YEAR_WORD}",
        rf"{_YEAR}{_YEAR_WORD}[\s,.-]\s?{_MONTH}",
        rf"{_YEAR}-?w(?P<week>\d{{2}})(?:-?[1-7])?",
        rf"(?P<week>\d{{1,2}})(?:-?я|-?ші)?\s(?:week|неделя|апта)\s{_YEAR}{_YEAR_WORD}",
        rf"(?:w|week|неделя|апта)\s?(?P<week>\d{{1,2}})[\s,/.-]\s?{_YEAR}{_YEAR_WORD}",
    )
]
_YEAR_AND_WEEK = re.compile(r"(?P<year>\d{2}|\d{4})[-/]?(?P<week>\d{2})")
_PLAIN_NUMBER = re.compile(r"[+-]?[\d ]*+(?:[.,]\d*+)?")
_ONLY_TIME = re.compile(_TIME)
_THEN_TIME = re.compile(rf"(?P<date>[^\d\n]*+\d.*?)(?:t|,?\s){_TIME}")
_DASHES = str.maketrans({**dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212", "-"), "\xa0": " "})


def read_date(text: str, month_first: bool = True, weeks: bool = False) -> str | None:
    """A date, a month, a week or a time in one form; None where the text is anything else.

    `month_first` says how 5/6/2016 is meant; `weeks`, that 1623 is the 23rd week of 2016.

    >>> [read_date(text) for text in ("30.05.2016", "5/30/2016", "30 мамыр 2016 ж.", "May 2016")]
    ['2016-05-30', '2016-05-30', '2016-05-30', '2016-05']
    >>> read_date("1623", weeks=True), read_date("7:05 pm"), read_date("31.02.2016")
    ('2016-W23', 'T19:05', None)
    """
    if len(text) > 50 or not any(char.isdigit() for char in text):
        return None
    if _PLAIN_NUMBER.fullmatch(text) and not weeks:  # most cells that are no date
        return None
    plain = " ".join(text.translate(_DASHES).casefold().split())
    if weeks and (match := _YEAR_AND_WEEK.fullmatch(plain)):
        return _week(match)
    if ":" in plain:
        if match := _ONLY_TIME.fullmatch(plain):
            return _time(match)
        timed = _THEN_TIME.fullmatch(plain)
        day = timed and _date(timed["date"], month_first)
        time = timed and _time(timed)
        if not day or not time:
            return None
        return day if time == "T00:00" and len(day) == 10 else day + time
    return _date(plain, month_first)


def is_month_first(texts: Iterable[str]) -> bool:
    """Whether dates with slashes name the month first; they do unless some month would be a 13th.

    >>> is_month_first(["5/30/2016", "6/1/2016"]), is_month_first(["30/5/2016", "1/6/2016"])
    (True, False)
    """
    firsts, thens = 0, 0
    for text in texts:
        match = _SLASHED.match(text)
        if match:
            firsts = max(firsts, int(match[1]))
            thens = max(thens, int(match[2]))
    return firsts <= 12 or thens > 12


_SLASHED = re.compile(r"\s*(\d{1,2})/(\d{1,2})/\d{2}")


def _date(plain: str, month_first: bool) -> str | None:
    for form in _DATES:
        match = form.fullmatch(plain)
        if match is None:
            continue
        parts = match.groupdict()
        if parts.get("week"):
            return _week(match)
        if parts.get("first"):
            first, then = int(parts["first"]), int(parts["then"])
            month, day = (first, then) if month_first else (then, first)
            if month > 12:
                month, day = day, month
        else:
            month = int(parts["m"]) if parts.get("m") else _MONTH_CALLED[parts["month"]]
            day = int(parts["day"]) if parts.get("day") else 0
        year = _full_year(parts["year"])
        try:
            iso_date = date(year, month, day or 1).isoformat()
        except ValueError:
            continue
        return iso_date if day else iso_date[:7]
    return None


def _full_year(digits: str) -> int:
    """Two digits are of the last hundred years or so."""
    year = int(digits)
    if len(digits) == 4:
        return year
    return 2000 + year if year < 50 else 1900 + year


def _week(match: re.Match[str]) -> str | None:
    week = int(match["week"])
    return f"{_full_year(match['year']):04}-W{week:02}" if 1 <= week <= 53 else None


def _time(match: re.Match[str]) -> str | None:
    hour, minute, second = int(match["hour"]), int(match["minute"]), int(match["second"] or 0)
    if half := match["half"]:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if half.startswith("p") else 0)
    if hour > 23 or minute > 59 or second > 59:
        return None
    return f"T{hour:02}:{minute:02}" + (f":{second:02}" if second else "")
