"""Plagdet: how well passages are found, as Potthast et al. define it (COLING 2010).

A case and a detection each cover characters of a suspicious document and of a source. They meet
where they overlap in both. Recall is the share of a case's characters, on both sides, that the
detections it meets cover, averaged over the cases; precision the same with the roles exchanged;
granularity the number of detections that meet a case, averaged over the cases met at all. Plagdet
is the harmonic mean of recall and precision, divided by log2(1 + granularity).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple


class Region(NamedTuple):
    """A stretch of the suspicious document and one of its source, ends exclusive."""

    a_start: int
    a_end: int
    b_start: int
    b_end: int

    def meets(self, other: Region) -> bool:
        return (
            min(self.a_end, other.a_end) > max(self.a_start, other.a_start)
            and min(self.b_end, other.b_end) > max(self.b_start, other.b_start)
        )  # fmt: skip

    def share_covered(self, others: Sequence[Region]) -> float:
        """The share of its characters, both sides together, that these regions cover."""
        met = [other for other in others if self.meets(other)]
        covered = _covered(self.a_start, self.a_end, [(r.a_start, r.a_end) for r in met])
        covered += _covered(self.b_start, self.b_end, [(r.b_start, r.b_end) for r in met])
        return covered / (self.a_end - self.a_start + self.b_end - self.b_start)


@dataclass(frozen=True, slots=True)
class Plagdet:
    """The measure and its parts."""

    plagdet: float
    recall: float
    precision: float
    granularity: float
    cases: int
    detections: int


def plagdet(pairs: Iterable[tuple[Sequence[Region], Sequence[Region]]]) -> Plagdet:
    """The measure over many pairs of documents, each given as (cases, detections).

    >>> plagdet([([Region(0, 10, 0, 10)], [Region(0, 10, 0, 10)])]).plagdet
    1.0
    """
    recalls: list[float] = []
    precisions: list[float] = []
    pieces: list[int] = []
    for cases, detections in pairs:
        for case in cases:
            recalls.append(case.share_covered(detections))
            meeting = sum(case.meets(detection) for detection in detections)
            if meeting:
                pieces.append(meeting)
        precisions += [detection.share_covered(cases) for detection in detections]
    recall = _mean(recalls)
    precision = _mean(precisions)
    granularity = sum(pieces) / len(pieces) if pieces else 1.0
    both = recall + precision
    score = 2 * recall * precision / both / math.log2(1 + granularity) if both else 0.0
    return Plagdet(score, recall, precision, granularity, len(recalls), len(precisions))


def _mean(values: list[float]) -> float:
    return math.fsum(values) / len(values) if values else 0.0


def _covered(start: int, end: int, stretches: list[tuple[int, int]]) -> int:
    """How many of the characters from start to end the stretches cover together."""
    covered = 0
    position = start
    for first, last in sorted(stretches):
        first, last = max(first, position), min(last, end)
        if last > first:
            covered += last - first
            position = last
    return covered
