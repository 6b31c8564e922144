"""Characters by the numbers that Office files have for them: code pages, and fonts of symbols."""

from __future__ import annotations

import codecs
from functools import lru_cache
from typing import Final

_OF_PAGE: Final = {
    936: "gb18030",
    1361: "johab",
    10000: "mac-roman",
    10007: "mac-cyrillic",
    10029: "mac-latin2",
    20866: "koi8-r",
    21866: "koi8-u",
    65001: "utf-8",
}


@lru_cache(64)
def page_codec(page: int) -> str | None:
    """The encoding behind the number of a code page.

    >>> page_codec(1251), page_codec(10007), page_codec(0)
    ('cp1251', 'mac-cyrillic', None)
    """
    name = _OF_PAGE.get(page, f"cp{page}")
    try:
        return codecs.lookup(name).name
    except LookupError:
        return None


# Characters that a Word document takes from a font of symbols.

# Adobe's Symbol encoding, from 0x20 to 0x7E and from 0xA0 to 0xFE; a space where the font has
# a piece of a bracket or a sign of its own.
_LOW = (
    " !∀#∃%&∋()∗+,−./0123456789:;<=>?"
    "≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_"
    " αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼"
)
_HIGH = (
    "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓"
    "°±″≥×∝∂•÷≠≡≈…  ↵"
    "ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉"
    "∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓"
    "◊〈®©™∑          "
    " 〉∫⌠ ⌡         "
)
_SYMBOL = {0x20 + i: c for i, c in enumerate(_LOW)} | {0xA0 + i: c for i, c in enumerate(_HIGH)}


def symbol(font: str, code: str) -> str:
    """The character behind a code in a font; nothing where Unicode has none for it.

    >>> symbol("Symbol", "F061"), symbol("Wingdings", "F0FC"), symbol("Arial", "2264")
    ('α', '', '≤')
    """
    try:
        point = int(code, 16)
    except ValueError:
        return ""
    if font.strip().lower() in {"symbol", "standard symbols l", "opensymbol", "starsymbol"}:
        return _SYMBOL.get(point & 0xFF, "") if point >> 8 in {0x00, 0xF0} else ""
    is_private = 0xE000 <= point <= 0xF8FF or point >= 0xF0000
    is_impossible = point < 0x20 or 0xD800 <= point <= 0xDFFF
    return "" if is_private or is_impossible else chr(point)
