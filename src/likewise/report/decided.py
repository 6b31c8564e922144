"""What people decided about a report: who took what out of the count and why, and who agrees."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from likewise.align import without
from likewise.model import Check, Span
from likewise.report.checked import view_of_check
from likewise.report.view import CheckView, ConfirmationView, DecisionView, TextView
from likewise.results import PageRange


@dataclass(frozen=True, slots=True)
class Decision:
    """A source by its name, or a stretch of the checked text, that is not to count."""

    by: str
    on: str  # ISO 8601, UTC
    reason: str
    source: str | None = None
    span: Span | None = None


def counted_by(check: Check, decisions: Iterable[Decision]) -> Check:
    """The check as it counts after what was decided."""
    made = list(decisions)
    return without(
        check,
        sources={one.source for one in made if one.source is not None},
        spans=[one.span for one in made if one.span is not None],
    )


def view_of_decided(
    check: Check,
    decisions: Sequence[Decision],
    confirmations: Sequence[ConfirmationView] = (),
    date: str | None = None,
) -> CheckView:
    """The report of a check after what was decided, with who decided it and who agrees."""
    view = view_of_check(counted_by(check, decisions), date)
    told = tuple(
        DecisionView(
            source=one.source,
            place=one.span,
            pages=None if one.span is None else _pages(view.document, one.span),
            by=one.by,
            on=one.on,
            reason=one.reason,
        )
        for one in decisions
    )
    return replace(view, decisions=told, confirmations=tuple(confirmations))


def _pages(text: TextView, span: Span) -> PageRange | None:
    if not text.pages:
        return None
    starts = [start for _, start, _ in text.pages]

    def at(place: int) -> int:
        return text.pages[max(bisect_right(starts, place) - 1, 0)][0]

    return at(span.start), at(max(span.start, span.end - 1))
