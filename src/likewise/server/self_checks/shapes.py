"""What is sent about self-checks."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from likewise.results import CheckSummary
from likewise.server.shapes import RequestBody, Shape, Timestamp, WithError
from likewise.server.submissions.shapes import ReadingReceipt

SelfCheckState = Literal["waiting", "checked", "unread", "failed", "cancelled"]


class SelfCheckInput(RequestBody):
    """What goes with the file."""

    consent: Annotated[str, Field(pattern="^[0-9a-z]{1,64}$")] | None = Field(
        default=None, description="the consent text that the student has agreed to"
    )


class SelfCheckShape(WithError):
    """A file that a student has checked without handing it in."""

    id: str
    assignment: str
    name: str
    size: int
    sha256: str
    made_on: Timestamp
    ends_on: Timestamp = Field(description="when the answer is deleted")
    state: SelfCheckState
    receipt: ReadingReceipt | None = Field(description="once it is read")
    summary: CheckSummary | None = Field(description="once it is checked")


class SelfChecksShape(Shape):
    """The caller's own of an assignment, and how many more there may be."""

    items: list[SelfCheckShape]
    a_day: int
    left_today: int = Field(description="days are counted in UTC")
    until: Timestamp | None = Field(description="the deadline")
