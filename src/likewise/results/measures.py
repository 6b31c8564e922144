"""Every measure of a checked document and a source, and the verdicts of the papers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, make_dataclass, replace
from typing import Any, Literal, get_type_hints

from likewise.measure import agreement, registered, values_in_agreement
from likewise.model import FLAT, Interval, Match, NamedValues

Level = Literal[90, 95, 99]  # of confidence, in percent
SourceOrder = Literal["share", "agreement"]  # the text that sources explain, or the measures
Matching = Literal["full duplicate", "fuzzy duplicate", "different"]


def doc(text: str | None) -> dict[str, str]:
    """What the description of the API says about a field."""
    return {"description": text} if text else {}


@dataclass(frozen=True, slots=True)
class MeasuresResult(NamedValues):
    """All measures of two documents, each a share of 1."""

    values: Mapping[str, float] = field(metadata=FLAT)
    agreement: float = field(metadata=doc("mean of those inside the interval"))
    interval: Interval
    percentage: float = field(metadata=doc("the agreement, in percent"))
    is_similar: bool = field(metadata=doc("paper 003: at least the minimum percentage"))
    matching_shingles: float = field(metadata=doc("paper 002: share of the checked document's"))
    matching: Matching = field(metadata=doc("paper 002"))

    @classmethod
    def __get_pydantic_core_schema__(cls, _: Any, handler: Any) -> Any:
        """As the API describes it: a field for each measure that is registered."""
        return handler.generate_schema(_described(cls))


def _described(kind: type[MeasuresResult]) -> type:
    hints = get_type_hints(kind)
    measures: list[tuple[str, Any, Any]] = [
        (each.name, float, field(metadata=doc(each.description)))
        if each.is_always_there
        else (each.name, float | None, field(default=None, metadata=doc(each.description)))
        for each in registered()
    ]
    verdicts: list[tuple[str, Any, Any]] = [
        (each.name, hints[each.name], field(metadata=each.metadata))
        for each in fields(kind)
        if each.name != "values"
    ]
    described = make_dataclass(kind.__name__, [*measures, *verdicts], kw_only=True)
    described.__doc__ = kind.__doc__
    return described


def measures_result(match: Match, level: Level = 99, min_percentage: float = 0.0) -> MeasuresResult:
    """The measures of a pair at a level of confidence."""
    return measures_of_values(match.measures, level, min_percentage)


def measures_of_values(
    values: Mapping[str, float], level: Level = 99, min_percentage: float = 0.0
) -> MeasuresResult:
    """The same, from every measure of a pair by its name."""
    agreed, interval = agreement(values_in_agreement(values), level)
    percentage = round(100 * agreed, 2)
    return MeasuresResult(
        values=values,
        agreement=agreed,
        interval=interval,
        percentage=percentage,
        is_similar=percentage >= min_percentage,
        matching_shingles=values["containment_a"],
        matching=_matching(values["containment_a"], values["containment_b"]),
    )


def _matching(containment_a: float, containment_b: float) -> Matching:
    """All codes match, some, or none (paper 002)."""
    if containment_a == containment_b == 1.0:
        return "full duplicate"
    return "fuzzy duplicate" if containment_a > 0.0 else "different"


def match_at_level(match: Match, level: Level) -> Match:
    """The same measures, and how far they agree at another level of confidence."""
    agreed, interval = agreement(values_in_agreement(match.measures), level)
    return replace(match, scores=replace(match.scores, agreement=agreed, interval=interval))


def match_result(match: Match) -> dict[str, Any]:
    """The measures of a pair as searches give them."""
    overlaps = {name: getattr(match, name) for name in Match.OVERLAPS}
    return {"a": match.a, "b": match.b, **overlaps, "scores": match.scores}
