"""The view of a batch: many checks on one dashboard, and what they share with each other."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from likewise.model import Check, Matches, Unread
from likewise.progress import Progress
from likewise.report.checked import view_of_check
from likewise.report.collected import view_of_matches
from likewise.report.made import made_view
from likewise.report.texts import Room, unread_views
from likewise.report.view import BatchView, CheckView, UncheckedView

CHARS_OF_SOURCES = 12_000_000  # that the report holds beside the checked texts, of all together


def view_of_batch(
    checks: Sequence[Check],
    matches: Matches,
    *,
    against: str = "",
    unread: Sequence[Unread] = (),
    date: str | None = None,
    progress: Progress | None = None,
) -> BatchView:
    """Each document of a batch as its own report would show it, the most similar first."""
    made = made_view(matches.settings, date)
    room = Room(CHARS_OF_SOURCES)
    views: list[CheckView] = []
    for number, check in enumerate(checks, 1):
        views.append(view_of_check(check, made.date, room=room))
        if progress:
            progress("comparing passages", number, len(checks))
    views.sort(key=lambda view: (-_similar(view), view.document.name))
    return BatchView(
        kind="batch",
        made=made,
        against=against,
        checks=tuple(views),
        collection=view_of_matches(matches, made.date, progress=progress),
        unchecked=UncheckedView(
            unread=unread_views(unread),
            skipped=(),
            left_out=(),
        ),
    )


def _similar(view: CheckView) -> Fraction:
    """The similar share as it is, not as it is rounded."""
    return Fraction(view.shares.similar, view.shares.whole or 1)
