"""What numbers are measured in: units that are written beside them, brought to one of a kind."""

from __future__ import annotations

import re
from dataclasses import dataclass


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
