"""What several routes send and receive."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, Field, PlainSerializer

from likewise.server.problems import Problem

T = TypeVar("T")


def _in_utc(moment: datetime) -> str:
    return _aware(moment).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _aware(moment: datetime) -> datetime:
    """In UTC; a moment without a zone is taken for it."""
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)


def stored_moment(moment: datetime) -> datetime:
    """In UTC and without a zone, as the database has it."""
    try:
        return _aware(moment).replace(tzinfo=None)
    except OverflowError:
        raise Problem("bad request", "server.moment_too_far") from None


Moment = Annotated[datetime, PlainSerializer(_in_utc, return_type=str)]


class Shape(BaseModel):
    """Something that is sent."""

    model_config = ConfigDict(from_attributes=True)


class WithError(Shape):
    """Something that may have failed, and why."""

    error: str | None = Field(description="in English")
    error_code: str | None = Field(description="what it is, for programs: docs/codes.md")
    error_values: dict[str, Any] | None = Field(description="what stands in the sentence")
    error_about: str | None = Field(description="the file that it is about")


class Given(BaseModel):
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
