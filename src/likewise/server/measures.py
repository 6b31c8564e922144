"""Every measure of a checked document and a source, and the verdicts of the papers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field, create_model

from likewise.measure import agreement, registered, values_in_agreement
from likewise.model import Match
from likewise.server.asked import Level
from likewise.server.shapes import Shape

Matching = Literal["full duplicate", "fuzzy duplicate", "different"]


class IntervalShape(Shape):
    """The confidence interval of the four measures, and which of them lie inside it."""

    low: float
    high: float
    level: int
    inside: list[str]


class Verdicts(Shape):
    """What the measures of two documents come to."""

    agreement: float = Field(description="mean of those inside the interval")
    interval: IntervalShape
    percentage: float = Field(description="the agreement, in percent")
    is_similar: bool = Field(description="paper 003: at least the minimum percentage")
    matching_shingles: float = Field(description="paper 002: share of the checked document's")
    matching: Matching = Field(description="paper 002")


def measures_shape() -> type[Shape]:
    """A field for each measure that is registered, then the verdicts."""
    measures: dict[str, Any] = {
        measure.name: (float, Field(description=measure.description))
        if measure.is_always_there
        else (float | None, Field(default=None, description=measure.description))
        for measure in registered()
    }
    verdicts: dict[str, Any] = {
        name: (field.annotation, field) for name, field in Verdicts.model_fields.items()
    }
    return create_model(
        "MeasuresShape",
        __base__=Shape,
        __doc__="All measures of two documents, each a share of 1.",
        **measures,
        **verdicts,
    )


if TYPE_CHECKING:

    class MeasuresShape(Verdicts):
        """With every measure by its name."""

        def __init__(self, **values: Any) -> None: ...

else:
    MeasuresShape = measures_shape()  # of the measures that there are when a server starts


def measures_of(match: Match, level: Level = 99, min_percentage: float = 0.0) -> MeasuresShape:
    """The measures of a pair at a level of confidence."""
    measures = match.measures
    agreed, interval = agreement(values_in_agreement(measures), level)
    percentage = round(100 * agreed, 2)
    return MeasuresShape(
        **measures,
        agreement=agreed,
        interval=IntervalShape(
            low=interval.low, high=interval.high, level=interval.level, inside=list(interval.inside)
        ),
        percentage=percentage,
        is_similar=percentage >= min_percentage,
        matching_shingles=match.containment_a,
        matching=_matching(match),
    )


def _matching(match: Match) -> Matching:
    """All codes match, some, or none (paper 002)."""
    if match.containment_a == match.containment_b == 1.0:
        return "full duplicate"
    return "fuzzy duplicate" if match.containment_a > 0.0 else "different"
