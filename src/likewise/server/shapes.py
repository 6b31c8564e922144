"""What several routes send and receive."""

from __future__ import annotations

import unicodedata
from datetime import UTC, datetime
from typing import Annotated, Any, Generic, TypeVar

from fastapi import Path, Query
from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    PlainSerializer,
    StringConstraints,
)
from sqlalchemy import ColumnElement, func, or_

from likewise.server.problems import Problem

T = TypeVar("T")


def _in_utc(time: datetime) -> str:
    return _aware(time).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _aware(time: datetime) -> datetime:
    """In UTC; a moment without a zone is taken for it."""
    return (time if time.tzinfo else time.replace(tzinfo=UTC)).astimezone(UTC)


def to_stored_time(time: datetime) -> datetime:
    """In UTC and without a zone, as the database has it."""
    try:
        return _aware(time).replace(tzinfo=None)
    except OverflowError:
        raise Problem("bad request", "server.moment_too_far") from None


Timestamp = Annotated[datetime, PlainSerializer(_in_utc, return_type=str)]


class Shape(BaseModel):
    """Something that is sent."""

    model_config = ConfigDict(from_attributes=True)


class WithError(Shape):
    """Something that may have failed, and why."""

    error: str | None = Field(description="in English")
    error_code: str | None = Field(description="what it is, for programs: docs/codes.md")
    error_values: dict[str, Any] | None = Field(description="what stands in the sentence")
    error_about: str | None = Field(description="the file that it is about")


class RequestBody(BaseModel):
    """Something that is received; what it does not know it refuses."""

    model_config = ConfigDict(extra="forbid", str_max_length=10_000)


class Page(Shape, Generic[T]):
    """One page of a list, and how long all of it is."""

    items: list[T]
    total: int


class Accepted(Shape):
    """Work that goes on; its progress is at /jobs/{job}."""

    id: str
    job: str


_INVISIBLE = ("Cc", "Cf", "Cs", "Zl", "Zp")  # controls, marks that turn the writing round, breaks


def clean_line(text: str, longest: int) -> str:
    """The text without what the eye does not see, cut where it is too long.

    >>> clean_line("Mozilla\\r\\nSet-Cookie: a=b\\0", 100)
    'MozillaSet-Cookie: a=b'
    """
    return "".join(c for c in text if unicodedata.category(c) not in _INVISIBLE)[:longest].strip()


def _ensure_visible(text: str) -> str:
    if any(unicodedata.category(c) in _INVISIBLE for c in text):
        raise ValueError("it holds characters that cannot be seen")
    return text.strip()


def contains_text(column: ColumnElement[Any], text: str) -> ColumnElement[bool]:
    """Rows that hold a text, in small letters or capitals; % and _ are themselves here.

    SQLite, and PostgreSQL in the C locale, know the capitals of English alone: each word is looked
    for as people write it too.
    """
    spellings = {text, text.casefold(), text.lower(), text.upper(), text.title()}
    spellings |= {text.capitalize()}
    lowered = func.lower(column).contains(text.casefold(), autoescape=True)
    return or_(lowered, *(column.contains(one, autoescape=True) for one in sorted(spellings)))


SingleLine = Annotated[str, StringConstraints(max_length=200), AfterValidator(_ensure_visible)]
Title = Annotated[
    str,
    StringConstraints(min_length=1, max_length=200, strip_whitespace=True),
    AfterValidator(_ensure_visible),
]
Id = Annotated[str, Path(pattern="^[0-9a-z]{1,64}$")]
Limit = Annotated[int, Query(ge=1, le=500)]
Offset = Annotated[int, Query(ge=0, le=1_000_000_000)]
Search = Annotated[str, Query(max_length=200, description="words that its name holds")]
