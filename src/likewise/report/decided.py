"""What people decided about a report: who took what out of the count and why, and who agrees."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from likewise.align import without
from likewise.model import Check
from likewise.report.checked import view_of_check
from likewise.report.view import CheckView, DecisionView
from likewise.results import Confirmation, Decision, Pages


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
    confirmations: Sequence[Confirmation] = (),
    date: str | None = None,
) -> CheckView:
    """The report of a check after what was decided, with who decided it and who agrees."""
    pages = Pages(check.document)
    view = view_of_check(counted_by(check, decisions), date)
    told = tuple(
        DecisionView(
            source=one.source,
            place=one.span,
            pages=None if one.span is None else pages.of(one.span),
            by=one.by,
            on=one.on,
            reason=one.reason,
        )
        for one in decisions
    )
    return replace(view, decisions=told, confirmations=tuple(confirmations))
