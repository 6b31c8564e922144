"""Two documents by every measure that is registered."""

from __future__ import annotations

from typing import Any

from likewise.measure.agreement import agreement
from likewise.measure.profile import Profile, ProfilePair
from likewise.measure.registry import registered, values_in_agreement
from likewise.model import Document, Match, Scores
from likewise.settings import Settings


def scores(a: Profile, b: Profile, settings: Settings, level: int = 99) -> Scores:
    """Every measure of a pair beside those that pairs are found by."""
    return _measured(ProfilePair(a, b, settings), level)[1]


def measured(
    a: Document,
    b: Document,
    one: Profile,
    two: Profile,
    settings: Settings,
    level: int = 99,
    shared: int | None = None,
) -> Match:
    """Two documents by every measure; `one` and `two` are their profiles.

    How many shingles they have in common is counted, unless it is known.
    """
    overlaps, others = _measured(ProfilePair(one, two, settings, shared), level)
    return Match(a=a.name, b=b.name, **overlaps, scores=others, documents=(a, b), settings=settings)


def _measured(pair: ProfilePair, level: int) -> tuple[dict[str, Any], Scores]:
    values = {measure.name: measure.of(pair) for measure in registered()}
    agreed, interval = agreement(values_in_agreement(values), level)
    overlaps = {name: values.pop(name) for name in Match.OVERLAPS}
    return overlaps, Scores(values, agreed, interval)
