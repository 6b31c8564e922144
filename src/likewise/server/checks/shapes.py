"""What is sent about a check, and what people send when they decide about one."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import AfterValidator, Field, model_validator

from likewise.results import (
    CheckSummary,
    CommentRow,
    CommissionRow,
    ConfirmationRow,
    DecisionRow,
    plain,
)
from likewise.server.caller import Caller
from likewise.server.checks.selection import CheckSelection
from likewise.server.checks.service import SavedCheck
from likewise.server.jobs.queue import State
from likewise.server.reports.saved import Progress, report_fields
from likewise.server.shapes import RequestBody, Shape, Timestamp, WithError, clean_line


class CheckShape(WithError):
    """A check, as lists show it."""

    id: str
    name: str = Field(description="of the document")
    label: str = Field(description="what people call it; empty where that is its name")
    state: State
    made_on: Timestamp
    owner: str = Field(description="as people call the person")
    owner_name: str = Field(description="to log in by")
    is_mine: bool
    is_shared: bool
    is_opened: bool = Field(description="its owner has opened the report")
    batch: str | None
    batch_name: str | None = Field(default=None, description="in lists of checks")
    job: str | None
    progress: Progress
    summary: CheckSummary | None


class CommentShape(Shape):
    """What somebody wrote beside a place of the checked text."""

    id: str
    span: tuple[int, int] = Field(description="of the text, in code points")
    by: str = Field(description="as people call the person")
    on: str = Field(description="ISO 8601, UTC")
    comment: str
    is_mine: bool


class CheckDetail(CheckShape):
    """A check, with what was asked for and what people decided about it."""

    request: dict[str, Any]
    exclusions: list[DecisionRow]
    confirmations: list[ConfirmationRow]
    commission: list[CommissionRow]
    may_confirm: bool
    may_change: bool = Field(description="the caller decides about it: its owner, or who teaches")
    later_share: float | None = Field(
        description="how much of it stands in a work of its class that was handed in later, of "
        "which the report does not know"
    )
    comments: list[CommentShape]
    document_id: int | None = Field(
        description="of the checked document in the library, where the caller may read it"
    )
    documents: dict[str, int] = Field(
        description="numbers of sources in the library that the caller may read, by their names"
    )


class SharedCheck(CheckShape):
    """A check that others may open from now on."""

    private_sources: int = Field(
        description="sources in collections that others do not read; the report shows them"
    )


def comment_shape(comment: CommentRow, is_mine: bool) -> CommentShape:
    return CommentShape(**plain(comment), is_mine=is_mine)


class AttentionShape(Shape):
    """How many checks somebody should look at, each figure that of a list."""

    tricks: int = Field(description="own, not opened yet, whose file holds tricks")
    high: int = Field(description="own, not opened yet, from the high threshold on")
    unconfirmed: int = Field(description="of others, that wait for the caller as a second reader")
    failed: int = Field(description="own that failed")


class BulkShape(Shape):
    """What became of several checks."""

    checks: int
    skipped: int = Field(description="left as they are")


class ShareMany(CheckSelection):
    """Said in so many words: who says nothing shares nothing."""

    shared: bool


def check_fields(check: SavedCheck, caller: Caller) -> dict[str, Any]:
    """The fields of `CheckShape`."""
    return report_fields(check, caller) | {
        "label": check.label,
        "batch": check.batch_id,
        "is_opened": check.opened_on is not None,
    }


# What people decide

LONGEST_REASON = 1_000


def _reason(text: str) -> str:
    reason = clean_comment(text)
    if not reason:
        raise ValueError("say why, in a few words")
    return reason


def clean_comment(text: str) -> str:
    return clean_line(" ".join(text.split()), LONGEST_REASON)


Offset = Annotated[int, Field(ge=0, le=(1 << 31) - 1)]


def _forwards(span: tuple[int, int]) -> tuple[int, int]:
    if span[0] >= span[1]:
        raise ValueError("a span runs forwards")
    return span


Stretch = Annotated[tuple[Offset, Offset], AfterValidator(_forwards)]


class Exclude(RequestBody):
    """A source by its name, or a stretch of the checked text in code points; and why."""

    source: str | None = Field(default=None, min_length=1, max_length=1_000)
    span: Stretch | None = None
    reason: Annotated[str, Field(max_length=LONGEST_REASON), AfterValidator(_reason)]

    @model_validator(mode="after")
    def _one_of_them(self) -> Exclude:
        if (self.source is None) == (self.span is None):
            raise ValueError("give a source or a span, one of them")
        return self


class Confirm(RequestBody):
    comment: str = Field(default="", max_length=LONGEST_REASON)


def _comment(text: str) -> str:
    comment = clean_comment(text)
    if not comment:
        raise ValueError("write something")
    return comment


class AddComment(RequestBody):
    """A stretch of the checked text in code points, and what is to be said about it."""

    span: Stretch
    comment: Annotated[str, Field(max_length=LONGEST_REASON), AfterValidator(_comment)]
