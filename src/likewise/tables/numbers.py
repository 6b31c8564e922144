"""What numbers are measured in: units that are written beside them, brought to one of a kind."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from math import isfinite
from typing import Literal


@dataclass(frozen=True, slots=True)
class Unit:
    """How many of the base unit it is; a multiplier such as "million" has no base."""

    base: str
    factor: float


_NAMES: dict[tuple[str, float], str] = {
    ("", 1e3): "thousand thousands k тыс тысяч тысяча тысячи мың",
    ("", 1e6): "million millions mln mio млн миллион миллиона миллионов",
    ("", 1e9): "billion billions bn млрд миллиард миллиарда миллиардов",
    ("", 1e12): "trillion trillions трлн триллион",
    ("", 0.01): "% percent процент процента процентов пайыз",
    ("", 0.001): "‰",
    ("m", 1.0): "m м meter meters metre metres метр метров",
    ("m", 1e-3): "mm мм",
    ("m", 1e-2): "cm см",
    ("m", 1e3): "km км",
    ("m²", 1.0): "m² m2 м² м2",
    ("m²", 1e6): "km² km2 км² км2",
    ("m²", 1e4): "ha га",
    ("m³", 1.0): "m³ m3 м³ м3",
    ("m³", 1e-3): "l л litre litres liter liters литр литров",
    ("m³", 1e-6): "ml мл",
    ("kg", 1.0): "kg кг",
    ("kg", 1e-3): "g г",
    ("kg", 1e-6): "mg мг",
    ("kg", 1e3): "t т tonnes тонн",
    ("s", 1.0): "s с sec сек second seconds секунд",
    ("s", 1e-3): "ms мс",
    ("s", 60.0): "min мин minutes минут",
    ("s", 3600.0): "h ч hours час часа часов сағат",
    ("°C", 1.0): "°C °С ℃",
    ("°F", 1.0): "°F ℉",
    ("W", 1.0): "W Вт",
    ("W", 1e3): "kW кВт",
    ("W", 1e6): "MW МВт",
    ("Hz", 1.0): "Hz Гц",
    ("Hz", 1e3): "kHz кГц",
    ("Hz", 1e6): "MHz МГц",
    ("Hz", 1e9): "GHz ГГц",
    ("B", 1.0): "byte bytes байт",
    ("B", 1e3): "kB KB КБ",
    ("B", 1e6): "MB МБ",
    ("B", 1e9): "GB ГБ",
    ("V", 1.0): "V В",
    ("USD", 1.0): "$ USD US$ dollars долл",
    ("EUR", 1.0): "€ EUR euro euros евро",
    ("GBP", 1.0): "£ GBP",
    ("RUB", 1.0): "₽ RUB руб рублей рубль рубля",
    ("KZT", 1.0): "₸ KZT тг тенге теңге",
    ("UAH", 1.0): "₴ UAH грн",
    ("CNY", 1.0): "¥ CNY JPY",
    ("pieces", 1.0): "шт pcs дана",
    ("people", 1.0): "чел человек people persons адам",
    ("years", 1.0): "years yrs лет жас",
}
_UNITS = {
    name: Unit(base, factor) for (base, factor), names in _NAMES.items() for name in names.split()
}
# The longest first, so that "км" is not read as "к"; a letter after it would make another word.
UNIT = "(?:{})".format(
    "|".join(
        re.escape(name) + (r"\.?(?!\w)" if name[-1].isalpha() else "")
        for name in sorted(_UNITS, key=lambda name: (-len(name), name))
    )
)


def unit_called(name: str) -> Unit | None:
    """The unit of that name, with or without a full stop.

    >>> unit_called("тыс."), unit_called("км"), unit_called("parsnips")
    (Unit(base='', factor=1000.0), Unit(base='m', factor=1000.0), None)
    """
    name = name.strip().removesuffix(".")
    return _UNITS.get(name) or _UNITS.get(name.casefold())


# Numbers as people write them: either decimal sign, grouped digits, units, brackets, powers.


DecimalSign = Literal[".", ","]

SPACES = "\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u3000"
_PLAIN = str.maketrans(
    dict.fromkeys(SPACES, " ")
    | dict.fromkeys("\u2212\u2012\u2013\ufe63\uff0d", "-")
    | dict.fromkeys("\u2019\u02bc\u00b4`\u2032", "'")
    | {"\u066b": ".", "\u066c": "'", "\uff05": "%", "\u200b": None, "\u00ad": None}
)
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
_GROUPED = re.compile(r"\d{1,3}(?:([ ',.])\d{3})(?:\1\d{3})*")  # 1 234 567
_INDIAN = re.compile(r"\d{1,2}(?:,\d{2})+,\d{3}")  # 12,34,567
_BODY = r"\d(?:[\d.,']| (?=\d))*"
_POWER = (
    r"(?:[eE](?P<e>[+-]?\d{1,3})|\s?[×xх·*∙⋅]\s?10\s?(?:\^\s?)?(?P<ten>[+-]?[\d⁻⁺⁰¹²³⁴⁵⁶⁷⁸⁹]{1,4}))"
)
_NUMBER = re.compile(
    rf"(?P<open>\()?\s?(?P<before>{UNIT})?\s?(?P<sign>[+-]|±|~|≈|<|>)?\s?(?P<first>{UNIT})?\s?"
    rf"(?P<body>{_BODY}|[.,]\d+){_POWER}?\s?(?P<many>{UNIT})?\s?(?P<unit>{UNIT})?\s?(?P<close>\))?"
)
_DIGITS_ALONE = re.compile(r"-?\d{1,15}")
_DECIMAL_ALONE = re.compile(r"-?\d{1,12}\.\d{1,2}|-?\d{1,12}\.\d{4,12}|-?0\.\d{1,12}")


@dataclass(frozen=True, slots=True)
class Number:
    """A value, the size of its last written digit, and what it is measured in."""

    value: float
    grain: float = 1.0
    unit: str = ""


def read_number(text: str, decimal: DecimalSign | None = None) -> Number | None:
    """The number that a text writes, or None where it writes anything else.

    `decimal` decides what a lone sign before three digits is; unless it is known, a comma parts
    thousands and a full stop decimals.

    >>> [read_number(text).value for text in ("1 234,5", "1,234.5", "1'234", "(7)", "5 %", "2e3")]
    [1234.5, 1234.5, 1234.0, -7.0, 0.05, 2000.0]
    >>> read_number("1,234", decimal=",").value, read_number("1.2.3"), read_number("B52")
    (1.234, None, None)
    """
    if len(text) > 80:
        return None
    if _DIGITS_ALONE.fullmatch(text):
        return Number(float(text))
    if _DECIMAL_ALONE.fullmatch(text):
        return Number(float(text), 10.0 ** (text.index(".") + 1 - len(text)))
    match = _NUMBER.fullmatch(text.translate(_PLAIN).strip())
    return _number(match, decimal) if match else None


def numbers_in(text: str, decimal: DecimalSign | None = None) -> list[tuple[int, int, Number]]:
    """Every number that stands apart from letters, and where.

    >>> [(start, end, number.value) for start, end, number in numbers_in("560 (12 %) of B52")]
    [(0, 3, 560.0), (5, 9, 0.12)]
    """
    plain = text.translate(_KEEPING_LENGTH)
    numbers = []
    for match in _APART.finditer(plain):
        number = read_number(match[0].strip(), decimal)
        if number is not None:
            end = match.start() + len(match[0].rstrip())
            numbers.append((match.start(), end, number))
    return numbers


_KEEPING_LENGTH = {sign: to if to is not None else " " for sign, to in _PLAIN.items()}
_APART = re.compile(rf"(?<![\w.,'])[+-]?{_BODY}(?:[eE][+-]?\d{{1,3}})?(?:\s?[%‰])?(?!\w)")


def decimal_sign_in(texts: Iterable[str]) -> DecimalSign | None:
    """The decimal sign that some texts cannot do without; None where nothing tells.

    >>> decimal_sign_in(["12,5", "1.234"]), decimal_sign_in(["1,234", "5"])
    (',', None)
    """
    votes = {".": 0, ",": 0}
    for text in texts:
        for body in _SEPARATED.findall(text[:80].translate(_PLAIN)):
            sign = _certain_decimal(body)
            if sign is not None:
                votes[sign] += 1
    if votes["."] == votes[","]:
        return None
    return "." if votes["."] > votes[","] else ","


_SEPARATED = re.compile(r"(?<![\w.,'])\d(?:[\d.,']| (?=\d))*[.,]\d+(?![\w.,])")


def _certain_decimal(body: str) -> DecimalSign | None:
    """The decimal sign of one number, if it can be no other."""
    last: DecimalSign = "." if body.rfind(".") > body.rfind(",") else ","
    other: DecimalSign = "," if last == "." else "."
    whole, _, rest = body.rpartition(last)
    if other in whole or " " in whole or "'" in whole:
        return last if last not in whole else None
    if last in whole:  # it parts groups, unless these are no groups
        return other if _GROUPED.fullmatch(body) else None
    if len(rest) != 3 or len(whole) > 3 or whole.startswith("0"):
        return last
    return None


def _number(match: re.Match[str], decimal: DecimalSign | None) -> Number | None:
    if (match["open"] is None) != (match["close"] is None):
        return None
    if match["sign"] and match["first"] and match["before"]:
        return None
    digits = _settled(match["body"], decimal)
    if digits is None:
        return None
    exponent = int((match["e"] or match["ten"] or "0").translate(_SUPERSCRIPTS))
    factor, unit = 1.0, ""
    for name in (match["before"], match["first"], match["many"], match["unit"]):
        if name:
            known_unit = unit_called(name)
            if known_unit is None or (unit and known_unit.base and known_unit.base != unit):
                return None
            factor *= known_unit.factor
            unit = unit or known_unit.base
    decimals = len(digits.partition(".")[2])
    value = float(f"{digits}e{exponent}") * factor
    if not isfinite(value):
        return None
    if match["sign"] == "-" or match["open"]:  # accountants write losses in brackets
        value = -value
    return Number(value, 10.0 ** min(exponent - decimals, 300) * factor, unit)


def _settled(body: str, decimal: DecimalSign | None) -> str | None:
    """Digits with one full stop at most, or None where the signs make no sense."""
    if body.isdigit():
        return body
    signs = [char for char in body if char in ".,"]
    if not signs:
        return _joined(body)
    last = signs[-1]
    whole, _, rest = body.rpartition(last)
    if not rest.isdigit():
        return None
    if len(signs) == 1:
        grouped = _joined(whole) if whole else "0"
        if grouped is None:
            return None
        could_be_thousands = (
            len(rest) == 3 and whole.isdigit() and len(whole) <= 3 and whole[0] != "0"
        )
        if could_be_thousands and last != (decimal or "."):
            return whole + rest
        return f"{grouped}.{rest}"
    if set(signs) == {last}:
        in_groups = _GROUPED.fullmatch(body) or _INDIAN.fullmatch(body)
        return body.replace(last, "") if in_groups else None
    joined = _joined(whole)
    return f"{joined}.{rest}" if joined is not None and last not in whole else None


def _joined(whole: str) -> str | None:
    """Digits in groups of three by one kind of sign, joined."""
    if whole.isdigit():
        return whole
    if _GROUPED.fullmatch(whole) or _INDIAN.fullmatch(whole):
        return re.sub(r"\D", "", whole)
    return None
