"""The measures of a pair, each registered under its name by the file it stands in.

A new measure is one file in this folder, and its words `measures.<name>` in the catalogues:
results, reports, the command line and the API walk over what is registered here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from likewise.measure.profile import ProfilePair
from likewise.registry import Registry

# What stands beside the measures of a pair in one result or another.
_RESERVED_NAMES = frozenset(
    {
        *("a", "b", "scores", "agreement", "interval", "low", "high", "level", "inside"),
        *("percentage", "is_similar", "matching", "matching_shingles", "values"),
    }
)


@dataclass(frozen=True, slots=True)
class Measure:
    """A way to measure two documents: a share of 1, from what their profiles tell."""

    name: str  # its key in every result
    of: Callable[[ProfilePair], float]
    place: int  # results list the measures by it, the lowest first
    agrees_as: str | None = None  # its name in the agreement, if it takes part in it
    row: int | None = None  # where it is drawn among the shares of text, if it is one
    description: str | None = None  # for those who program against the API
    is_always_there: bool = False  # in stored results too; one added later is not


_MEASURES = Registry[Measure](
    key=lambda measure: measure.name,
    place=lambda measure: measure.place,
    duplicate="two measures are called {!r}",
)


def register(measure: Measure) -> Measure:
    """Have every pair measured by one more measure from now on.

    >>> half = register(Measure("half", lambda pair: 0.5, place=99, row=99))
    >>> [each.name for each in registered()][-1]
    'half'
    >>> unregister("half")
    """
    if not measure.name.isidentifier() or measure.name in _RESERVED_NAMES:
        raise ValueError(f"a measure cannot be called {measure.name!r}")
    others = (each for each in agreeing() if each.name != measure.name)
    if measure.agrees_as and measure.agrees_as in {each.agrees_as for each in others}:
        raise ValueError(f"two measures agree as {measure.agrees_as!r}")
    return _MEASURES.add(measure)


def unregister(name: str) -> None:
    """Measure no more pairs by it; results that have it keep it."""
    _MEASURES.remove(name)


def registered() -> tuple[Measure, ...]:
    """All measures, in the order of results."""
    return _MEASURES.entries()


def agreeing() -> tuple[Measure, ...]:
    """The measures that take part in the agreement."""
    return tuple(each for each in registered() if each.agrees_as is not None)


def share_measures() -> tuple[Measure, ...]:
    """The measures that are shares of text, in the order in which they are drawn."""
    rows = [(each.row, each.name, each) for each in registered() if each.row is not None]
    return tuple(each for *_, each in sorted(rows, key=lambda row: row[:2]))


def values_in_agreement(values: Mapping[str, float]) -> dict[str, float]:
    """Of some measures those that take part in the agreement, by their names in it.

    A result stored before a measure was added does not have it.
    """
    return {
        each.agrees_as: values[each.name]
        for each in agreeing()
        if each.agrees_as is not None and each.name in values
    }
