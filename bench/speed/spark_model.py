"""What a job costs by its size: a fixed part and a part for every document, stage by stage."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Line(NamedTuple):
    """A cost that grows with the number of documents."""

    fixed: float
    each: float  # for one document

    def at(self, documents: float) -> float:
        """The cost of so many documents.

        >>> Line(2.0, 0.5).at(10)
        7.0
        """
        return self.fixed + self.each * documents


def fitted(points: Sequence[tuple[float, float]]) -> Line:
    """The line of the least squared relative errors through (documents, cost); never below zero.

    Relative, or the largest size alone would have a say.

    >>> fitted([(10, 7.0), (20, 12.0), (40, 22.0)])
    Line(fixed=2.0, each=0.5)
    """
    weights = [1 / cost**2 if cost else 1.0 for _, cost in points]
    total = sum(weights)
    x = sum(w * n for w, (n, _) in zip(weights, points, strict=True)) / total
    y = sum(w * cost for w, (_, cost) in zip(weights, points, strict=True)) / total
    spread = sum(w * (n - x) ** 2 for w, (n, _) in zip(weights, points, strict=True))
    shared = sum(w * (n - x) * (cost - y) for w, (n, cost) in zip(weights, points, strict=True))
    each = max(0.0, shared / spread) if spread else 0.0
    line = Line(round(y - each * x, 12), round(each, 12))
    if line.fixed >= 0:
        return line
    slope = sum(w * n * cost for w, (n, cost) in zip(weights, points, strict=True))
    return Line(0.0, slope / sum(w * n * n for w, (n, _) in zip(weights, points, strict=True)))


def errors(line: Line, points: Sequence[tuple[float, float]]) -> list[float]:
    """By how much the line is off at each size, as a share of what was measured."""
    return [line.at(n) / cost - 1 if cost else 0.0 for n, cost in points]


def foretold(points: Sequence[tuple[float, float]]) -> float:
    """The error at the largest size of a line through the others."""
    *smaller, largest = sorted(points)
    return errors(fitted(smaller), [largest])[0]
