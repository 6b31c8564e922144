"""Two documents by every measure that is registered."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from likewise.errors import BadSettings
from likewise.measure.profile import Profile, ProfilePair
from likewise.measure.registry import registered, values_in_agreement
from likewise.model import Document, Interval, Match, Scores
from likewise.settings import Settings


def scores(a: Profile, b: Profile, settings: Settings, level: int = 99) -> Scores:
    """Every measure of a pair beside those that pairs are found by."""
    return _measured(ProfilePair(a, b, settings), level)[1]


def measure_pair(
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


def measure_values(pair: ProfilePair) -> dict[str, float]:
    """Every measure of a pair by its name."""
    return {measure.name: measure.of(pair) for measure in registered()}


def _measured(pair: ProfilePair, level: int) -> tuple[dict[str, Any], Scores]:
    values = measure_values(pair)
    agreed, interval = agreement(values_in_agreement(values), level)
    overlaps = {name: values.pop(name) for name in Match.OVERLAPS}
    return overlaps, Scores(values, agreed, interval)


# How far several measures of one pair agree (paper 003, 3.5).
#
# It says that the measures agree, not how sure a copy is: on clear cases containment alone is the
# better judge.


Z_VALUES = {90: 1.645, 95: 1.960, 99: 2.576}


def check_level(level: int) -> None:
    """Refuse a level of confidence that the paper has no z-value for."""
    if level not in Z_VALUES:
        raise BadSettings("core.confidence_level", level=level)


def agreement(values: Mapping[str, float], level: int = 99) -> tuple[float, Interval]:
    """The mean of the values inside the confidence interval of their mean.

    Where none is inside, the mean of all is given and `inside` is empty: a sign that the measures
    contradict each other.

    >>> four = {"shingles": 0.50, "signature": 0.05, "tfidf": 0.45, "words": 0.70}
    >>> round(agreement(four, 95)[0], 3), round(agreement(four, 99)[0], 3)
    (0.475, 0.55)
    """
    check_level(level)
    numbers = sorted(values.values())
    n = len(numbers)
    mean = math.fsum(numbers) / n
    variance = math.fsum((x - mean) ** 2 for x in numbers) / n
    reach = Z_VALUES[level] * math.sqrt(variance) / math.sqrt(n)
    low, high = mean - reach, mean + reach
    inside = tuple(name for name, x in values.items() if low <= x <= high)
    agreed = math.fsum(sorted(values[name] for name in inside)) / len(inside) if inside else mean
    return agreed, Interval(low, high, level, inside)
