"""Every measure of a checked document and a source, and the verdicts of the papers."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from likewise.measure import agreement
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


class MeasuresShape(Shape):
    """All measures of two documents, each a share of 1."""

    jaccard: float = Field(description="of the shingles; `shingles` in the interval")
    containment_a: float = Field(description="of the checked document's shingles")
    containment_b: float = Field(description="of the source's shingles")
    dice: float
    signature: float = Field(description="MinHash")
    tfidf: float = Field(description="cosine")
    words: float = Field(description="cosine of bags of words")
    agreement: float = Field(description="mean of those inside the interval")
    interval: IntervalShape
    percentage: float = Field(description="the agreement, in percent")
    is_similar: bool = Field(description="paper 003: at least the minimum percentage")
    matching_shingles: float = Field(description="paper 002: share of the checked document's")
    matching: Matching = Field(description="paper 002")


def measures_of(match: Match, level: Level = 99, min_percentage: float = 0.0) -> MeasuresShape:
    """The measures of a pair at a level of confidence."""
    four = {
        "shingles": match.jaccard,
        "signature": match.scores.signature,
        "tfidf": match.scores.tfidf,
        "words": match.scores.words,
    }
    agreed, interval = agreement(four, level)
    percentage = round(100 * agreed, 2)
    return MeasuresShape(
        jaccard=match.jaccard,
        containment_a=match.containment_a,
        containment_b=match.containment_b,
        dice=match.scores.dice,
        signature=match.scores.signature,
        tfidf=match.scores.tfidf,
        words=match.scores.words,
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
