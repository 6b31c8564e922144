"""The view of a batch: many checks on one dashboard, and what they share with each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from likewise.align import with_passages
from likewise.model import Check, Matches, Unread
from likewise.progress import Progress
from likewise.report.check import view_of_check
from likewise.report.matches import view_of_matches
from likewise.report.provenance import provenance_of
from likewise.report.texts import TextBudget, unread_views
from likewise.report.view import BatchView, CheckView, PairView, UncheckedView

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
    provenance = provenance_of(with_passages(matches), date)
    budget = TextBudget(CHARS_OF_SOURCES)
    views: list[CheckView] = []
    for number, check in enumerate(checks, 1):
        views.append(view_of_check(check, provenance.date, budget=budget))
        if progress:
            progress("comparing passages", number, len(checks))
    views.sort(key=lambda view: (-_similar(view), view.document.name))
    return BatchView(
        kind="batch",
        made=provenance,
        against=against,
        checks=tuple(views),
        collection=view_of_matches(matches, provenance.date, progress=progress),
        unchecked=UncheckedView(
            unread=unread_views(unread),
            skipped=(),
            left_out=(),
        ),
    )


def _similar(view: CheckView) -> Fraction:
    """The similar share as it is, not as it is rounded."""
    return Fraction(view.shares.similar, view.shares.whole or 1)


# The documents of a batch in a line each, as tables of every kind list them.


STEPS = (5, 25, 75)  # percent of similar text, where the verdict's words change


@dataclass(frozen=True, slots=True)
class Member:
    """A document of a batch: what holds most of it, and which other of the batch is closest."""

    check: CheckView
    best: int | None  # its source that covers most of it
    is_best_of_batch: bool
    pair: PairView | None  # the strongest that it is in
    closest: str  # the other document of that pair
    tricks: tuple[str, ...]  # kinds of disguises
    in_part: bool


def members_of(view: BatchView) -> tuple[Member, ...]:
    """One for each check, in the same order."""
    strongest: dict[str, tuple[PairView, str]] = {}
    texts = view.collection.texts
    for pair in view.collection.pairs:
        a, b = texts[pair.a].name, texts[pair.b].name
        strongest.setdefault(a, (pair, b))
        strongest.setdefault(b, (pair, a))
    handed_in = {(check.document.name, check.document.sha256) for check in view.checks}
    members = []
    for check in view.checks:
        name = check.document.name
        strongest_pair = strongest.get(name)
        best = best_source(check)
        own = [note for note in check.notes if note.name == name]
        text = check.sources[best].text if best is not None else None
        members.append(
            Member(
                check=check,
                best=best,
                is_best_of_batch=text is not None and (text.name, text.sha256) in handed_in,
                pair=strongest_pair[0] if strongest_pair else None,
                closest=strongest_pair[1] if strongest_pair else "",
                tricks=tuple(dict.fromkeys(note.kind for note in own if note.is_disguise)),
                in_part=any(note.in_part for note in own),
            )
        )
    return tuple(members)


def best_source(check: CheckView) -> int | None:
    """The source that covers most of a text, of equals the first in the list."""
    covering = [i for i, source in enumerate(check.sources) if source.covered]
    return max(covering, key=lambda i: check.sources[i].covered, default=None)


def similar_from(check: CheckView, percent: int) -> bool:
    """Whether so many percent of a text are similar, or more."""
    shares = check.shares
    return shares.similar > 0 and shares.similar * 100 >= percent * shares.whole
