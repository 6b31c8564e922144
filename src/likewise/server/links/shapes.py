"""What is sent about links to reports, and what people send to make them and to answer by them."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from likewise.results import CommissionDecision, CommissionRow
from likewise.server.checks.shapes import LONGEST_REASON, CommentShape, clean_comment
from likewise.server.shapes import RequestBody, Shape, SingleLine, Timestamp

Reported = Literal["check", "batch"]
LinkState = Literal["open", "ended", "revoked"]
LONGEST_RECIPIENT = 100


class MakeLink(RequestBody):
    """For a colleague with an account, or for anybody who has the address."""

    colleague: SingleLine | None = Field(
        default=None, description="the name to log in by: nobody else can open it then"
    )
    recipient: Annotated[SingleLine, Field(max_length=LONGEST_RECIPIENT)] = Field(
        default="",
        description="who it is for, in the watermark; a colleague goes by their own name",
    )
    ends_on: datetime | None = Field(default=None, description="else after the site's usual days")
    is_commission: bool = Field(
        default=False, description="may comment and record decisions; of a check alone"
    )
    send: bool = Field(
        default=False, description="by mail, to a colleague or to `email`; nobody else is told it"
    )
    email: SingleLine | None = Field(default=None, description="of whom no account is known")


class LinkShape(Shape):
    """A link, without its address: that is told once."""

    id: str
    state: LinkState
    recipient: str
    colleague: str | None = Field(description="the name to log in by, of a link for one person")
    is_personal: bool
    is_commission: bool
    made_on: Timestamp
    ends_on: Timestamp
    revoked_on: Timestamp | None
    email: str | None = Field(description="where it was sent")
    openings: int
    opened_on: Timestamp | None = Field(description="when it was opened last")


class Links(Shape):
    """The links to a report, the newest first, and how long a new one may be good."""

    sends_mail: bool

    items: list[LinkShape]
    usual_days: int
    most_days: int


class MadeLink(Shape):
    """A new link. Its address is told this once; one that is sent by mail is told there alone."""

    link: LinkShape
    token: str | None
    address: str = Field(description="empty where the server was not told its public address")


class OpeningShape(Shape):
    """That somebody opened a link; once for each person and network within ten minutes."""

    id: str
    on: Timestamp
    person: str | None = Field(description="who was logged in, of a link for one person")
    address: str | None


class SharedComment(CommentShape):
    """A comment, as whoever opened the link sees it: `is_mine` was written by this link."""


class SharedReport(Shape):
    """What a link leads to."""

    kind: Reported
    name: str
    label: str = Field(description="what people call it; empty where that is its name")
    institution: str
    shared_by: str
    recipient: str
    is_personal: bool
    is_commission: bool
    made_on: Timestamp
    ends_on: Timestamp
    comments: list[SharedComment]
    decisions: list[CommissionRow]


def _words(text: str) -> str:
    comment = clean_comment(text)
    if not comment:
        raise ValueError("say why, in a few words")
    return comment


class RecordDecision(RequestBody):
    """What a commission came to, and why."""

    decision: CommissionDecision
    comment: Annotated[str, Field(max_length=LONGEST_REASON), AfterValidator(_words)]
