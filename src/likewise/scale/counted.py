"""What a job came to, in numbers: for people as lines, for programs as JSON."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from likewise.scale.sample import LARGEST, Recall
from likewise.scale.stages import Stage


@dataclass(frozen=True, slots=True)
class AtThreshold:
    """What one threshold comes to."""

    threshold: float
    pairs: int  # of documents
    clusters: int
    kept: int
    removed: int


@dataclass(frozen=True, slots=True)
class Counted:
    """Figures of a whole job."""

    documents: int
    against: int
    wordless: int
    bad: int
    copies: int  # documents whose set equals that of an earlier one
    candidates: int
    verified: int  # candidates that reached the lowest threshold: pairs of groups of copies
    thresholds: tuple[AtThreshold, ...]
    recall: Recall | None
    method: str
    stages: tuple[Stage, ...]

    @property
    def false_candidates(self) -> int:
        """Candidates that did not reach the threshold."""
        return self.candidates - self.verified

    @property
    def pairs(self) -> int:
        return self.thresholds[0].pairs

    @property
    def clusters(self) -> int:
        return self.thresholds[0].clusters

    @property
    def removed(self) -> int:
        return self.thresholds[0].removed

    @property
    def resumed(self) -> tuple[str, ...]:
        """The stages that an earlier run had made."""
        return tuple(stage.name for stage in self.stages if stage.resumed)

    @property
    def seconds(self) -> dict[str, float]:
        """Of the stages that were made this time."""
        return {stage.name: stage.seconds for stage in self.stages if not stage.resumed}

    def as_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        values = asdict(self)
        values["false_candidates"] = self.false_candidates
        if self.recall is not None:
            values["recall"]["measured"] = self.recall.measured
            values["recall"]["chosen"] = CHOSEN
        return values

    def report(self) -> str:
        """The same for people."""
        return "\n".join(self.lines())

    def lines(self) -> list[str]:
        """The report, a sentence a line."""
        lines = [
            f"{self.documents:,} documents"
            + (f" against {self.against:,}" if self.against else "")
            + (f", {self.bad:,} left out as bad" if self.bad else "")
            + (f", {self.wordless:,} without words, kept" if self.wordless else ""),
            f"{self.copies:,} have the very words of an earlier one",
            f"{self.candidates:,} candidates: {self.verified:,} verified, "
            f"{self.false_candidates:,} false",
        ]
        lines += [
            f"at {at.threshold:g}: {at.pairs:,} pairs of documents, {at.clusters:,} clusters, "
            f"{at.kept:,} documents stay, {at.removed:,} go"
            for at in self.thresholds
        ]
        lines += [self.method, *_told_of(self.recall)]
        return [*lines, *(_line(stage) for stage in self.stages)]


CHOSEN = f"by the hash of the id, among documents of at most {LARGEST:,} shingles"


def _told_of(recall: Recall | None) -> list[str]:
    if recall is None:
        return []
    if recall.measured is None:
        return [
            f"recall: {recall.documents:,} documents (chosen {CHOSEN}) have no partner at all, "
            "so there is nothing to measure it by"
        ]
    return [
        f"recall measured {recall.measured:.4f}, expected {recall.expected:.4f}: {recall.found:,} "
        f"of the {recall.pairs:,} pairs that the exact join finds for {recall.documents:,} "
        f"documents, chosen {CHOSEN}"
    ]


def _line(stage: Stage) -> str:
    """
    >>> _line(Stage("pairs", 12.34, 5_600_000, resumed=False))
    'pairs: 12.3 s, 5.6 MB'
    """
    earlier = ", from an earlier run" if stage.resumed else ""
    return f"{stage.name}: {stage.seconds:.1f} s, {shown_bytes(stage.bytes)}{earlier}"


def shown_bytes(count: int) -> str:
    """
    >>> shown_bytes(999), shown_bytes(5_600_000), shown_bytes(7 * 10**12)
    ('999 B', '5.6 MB', '7.0 TB')
    """
    size = float(count)
    for unit in ("B", "kB", "MB", "GB", "TB"):
        if size < 1000 or unit == "TB":
            break
        size /= 1000
    return f"{count} B" if unit == "B" else f"{size:.1f} {unit}"
