"""Encodings by the numbers that Office files have for them."""

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
