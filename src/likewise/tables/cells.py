"""What a cell of a table holds: a number, words, a date, a formula, a picture, or several."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Literal

from likewise.tables.dates import is_month_first, read_date
from likewise.tables.formulas import Formula, formulas_in, read_formula
from likewise.tables.numbers import DecimalSign, Number, decimal_sign_in, numbers_in, read_number

CellKind = Literal["empty", "number", "text", "date", "formula", "picture", "combined"]

_NOTHING = frozenset(
    "- -- --- — – − … ... . .. * / x n/a n.a. na nan null none nil inf -inf +inf infinity -infinity"
    " ∞ -∞ н/д н.д. нет жоқ #n/a #div/0! #value! #ref! #name? #num! ? ??".split()
)
# A picture ends before the next one begins, so that no character is looked at for two of them.
_PICTURE = re.compile(
    r"\ufffc+|!\[(?:(?!!\[)[^\]])*+\]\((?:(?!!\[)[^)])*+\)|<img\b(?:(?!<img\b)[^>])*+>",
    re.IGNORECASE,
)
_LONGEST = 20_000  # characters of a cell that are looked at


@dataclass(frozen=True, slots=True)
class Style:
    """How a table or column writes what could be read in two ways."""

    decimal: DecimalSign | None = None
    month_first: bool = True
    weeks: bool = False

    @classmethod
    def of(cls, texts: Iterable[str], heading: str = "") -> Style:
        """The style that some cells show.

        >>> Style.of(["1.234", "12,5"]), Style.of(["1623"], "Week")
        (Style(decimal=',', month_first=True, weeks=False),
         Style(decimal=None, month_first=True, weeks=True))
        """
        sample = list(islice(texts, 2_000))
        return cls(
            decimal_sign_in(text for text in sample if "," in text or "." in text),
            is_month_first(text for text in sample if "/" in text),
            bool(_WEEK.search(heading)),
        )


_WEEK = re.compile(r"\b(?:week|недел\w*|апта\w*)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell, with its parts told apart: `text` is what is left when the rest is taken out."""

    kind: CellKind
    text: str = ""
    numbers: tuple[Number, ...] = ()
    dates: tuple[str, ...] = ()
    formulas: tuple[Formula, ...] = ()


EMPTY = Cell("empty")


@lru_cache(maxsize=1 << 17)
def read_cell(text: str, style: Style = Style()) -> Cell:  # noqa: B008  frozen, so shared safely
    """What a cell holds.

    >>> read_cell("12,5 %").kind, read_cell("30.05.2016").dates, read_cell("n/a").kind
    ('number', ('2016-05-30',), 'empty')
    >>> cell = read_cell("560 employees")
    >>> cell.kind, cell.text, cell.numbers[0].value
    ('combined', 'employees', 560.0)
    """
    text = text[:_LONGEST].strip()
    if not text or text.casefold() in _NOTHING:
        return EMPTY
    if text.isalpha():
        return Cell("text", text)
    day = read_date(text, style.month_first, style.weeks)
    if day is not None:
        return Cell("date", dates=(day,))
    number = read_number(text, style.decimal)
    if number is not None:
        return Cell("number", numbers=(number,))
    return _parts(text, style)


def _parts(text: str, style: Style) -> Cell:
    rest, formulas = _without_formulas(text)
    pictures = len(_PICTURE.findall(rest))
    rest = _PICTURE.sub(" ", rest)
    dates: tuple[str, ...] = ()
    numbers: list[Number] = []
    if any(char.isdigit() for char in rest):
        rest, dates = _without_dates(rest, style)
        for start, end, number in reversed(numbers_in(rest, style.decimal)):
            numbers.append(number)
            rest = f"{rest[:start]} {rest[end:]}"
        numbers.reverse()
    rest = " ".join(rest.split())
    if not any(char.isalpha() for char in rest):
        has_content = bool(formulas or pictures or dates or numbers)
        rest = "" if has_content else rest
    kinds: list[tuple[CellKind, int]] = [
        ("formula", len(formulas)),
        ("picture", pictures),
        ("date", len(dates)),
        ("number", len(numbers)),
        ("text", int(bool(rest))),
    ]
    present = [(kind, count) for kind, count in kinds if count]
    kind = present[0][0] if len(present) == 1 and present[0][1] == 1 else "combined"
    return Cell(kind if present else "empty", rest, tuple(numbers), dates, formulas)


def _without_formulas(text: str) -> tuple[str, tuple[Formula, ...]]:
    places = formulas_in(text)
    formulas = tuple(read_formula(text[start:end]) for start, end in places)
    for start, end in reversed(places):
        text = f"{text[:start]} {text[end:]}"
    return text, formulas


_MAYBE_DATE = re.compile(r"(?<![\w.,/-])\d{1,4}[./-]\d{1,2}[./-]\d{1,4}(?![\w/-])")


def _without_dates(text: str, style: Style) -> tuple[str, tuple[str, ...]]:
    days = []

    def take_day(match: re.Match[str]) -> str:
        day = read_date(match[0], style.month_first)
        if day is None:
            return match[0]
        days.append(day)
        return " "

    return _MAYBE_DATE.sub(take_day, text), tuple(days)
