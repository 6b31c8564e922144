"""Texts of one line that come from outside: nothing in them moves a cursor or ends a header."""

from __future__ import annotations

import unicodedata
from typing import Annotated

from fastapi import Path
from pydantic import AfterValidator, StringConstraints
from sqlalchemy import Column, ColumnElement, func, or_

_UNSEEN = ("Cc", "Cf", "Cs", "Zl", "Zp")  # controls, marks that turn the writing round, breaks


def clean(text: str, longest: int) -> str:
    """The text without what the eye does not see, cut where it is too long.

    >>> clean("Mozilla\\r\\nSet-Cookie: a=b\\0", 100)
    'MozillaSet-Cookie: a=b'
    """
    return "".join(c for c in text if unicodedata.category(c) not in _UNSEEN)[:longest].strip()


def _seen(text: str) -> str:
    if any(unicodedata.category(c) in _UNSEEN for c in text):
        raise ValueError("it holds characters that cannot be seen")
    return text.strip()


def containing(column: Column[str], text: str) -> ColumnElement[bool]:
    """Rows that hold a text, in small letters or capitals; % and _ are themselves here.

    SQLite, and PostgreSQL in the C locale, know the capitals of English alone: each word is looked
    for as people write it too.
    """
    spellings = {text, text.casefold(), text.lower(), text.upper(), text.title()}
    spellings |= {text.capitalize()}
    lowered = func.lower(column).contains(text.casefold(), autoescape=True)
    return or_(lowered, *(column.contains(one, autoescape=True) for one in sorted(spellings)))


Line = Annotated[str, StringConstraints(max_length=200), AfterValidator(_seen)]
Id = Annotated[str, Path(pattern="^[0-9a-z]{1,64}$")]
