"""What people say about a result: what is not to count and why, that they agree, what a commission
decided, and comments.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from likewise.model import Span

# What a commission may come to: there is no breach, the work is to be revised, more is to be found
# out first, there is a breach.
CommissionDecision = Literal["no_breach", "revise", "inquire", "breach"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What somebody took out of the count: a source by its name, or a stretch of the text."""

    source: str | None = None
    span: Span | None = None
    by: str
    on: str  # ISO 8601, UTC, to the second
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Confirmation:
    """That another teacher has read the report and agrees."""

    by: str
    on: str
    comment: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionRow(Decision):
    """What somebody took out of the count, as it is kept: it can be taken back by its id."""

    id: str
    source: str | None
    span: Span | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfirmationRow(Confirmation):
    """That another teacher has read the report and agrees, as it is kept."""

    id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CommentRow:
    """What somebody writes beside a place of the checked text, as it is kept."""

    id: str
    span: Span
    by: str
    on: str  # ISO 8601, UTC, to the second
    comment: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CommissionRow:
    """What a commission decided about a report; a later one stands below it, none is changed."""

    id: str
    by: str
    on: str  # ISO 8601, UTC, to the second
    decision: CommissionDecision
    comment: str
