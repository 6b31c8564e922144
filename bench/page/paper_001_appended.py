"""Paper 001: copies with text appended, as a table and a plot."""

from __future__ import annotations

from collections.abc import Iterator
from math import sqrt
from pathlib import Path
from typing import Any

from bench.page.plots import OURS, THEIRS, axes, save
from bench.page.tables import Figure, Section, probability, provenance, table

PLOT = "paper-001-appended.svg"
SHOWN = (0.0, 0.02, 0.04, 0.05, 0.055, 0.06, 0.08, 0.1, 0.12)
LEAST_PAIRS = 20  # fewer say nothing about a share
COLOURS = {0.9: "#b5541c", 0.8: "#3b5ba5", 0.7: "#7a3b8f"}
FILTERS = {"length": "set length", "repetitions": "ΣF", "positions": "Σ i·F(i)"}


def appended_part(section: Section, plots: Path) -> Iterator[str]:
    """What each filter misses when somebody adds a few sentences of another."""
    figures: Figure = section["figures"]
    yield "### A little text appended"
    yield (
        f"{figures['copies']} abstracts and a copy of each with the beginning of another abstract "
        "appended; the share is of the original's characters. Of the pairs that do reach J = .9, "
        "how many does each filter not compare?"
    )
    yield table(
        [
            "appended",
            "pairs of .9 (sets)",
            *(f"{name} misses" for name in FILTERS.values()),
            "pairs of .9 (multisets)",
            *(f"{name} misses" for name in FILTERS.values()),
        ],
        [
            [f"{100 * point['share']:g} %", *_cells(point, "jaccard"), *_cells(point, "multiset")]
            for point in figures["points"]
            if point["share"] in SHOWN
        ],
    )
    yield _told(figures)
    _plot(figures["points"], plots / PLOT)
    yield f"![Missed pairs against the share of text appended](plots/{PLOT})"
    yield provenance(section)


def _cells(point: Figure, measure: str) -> list[str]:
    row = _row(point, measure, 0.9)
    shares = [probability(row["missed"][f] / row["true"]) if row["true"] else "–" for f in FILTERS]
    return [f"{row['true']:,}", *shares]


def _told(figures: Figure) -> str:
    search = figures["search"]
    found = search["found"]
    return (
        "Σ i·F(i) begins to lose pairs a little before "
        f"{100 * (1 / sqrt(0.9) - 1):.1f} % (1/√J − 1) and soon loses all, up to where copies "
        "are no longer similar enough. Not only computed from lengths but searched, with "
        f"{100 * search['share']:g} % appended to all {search['copies']}: set length finds "
        f"{found['length']}, ΣF {found['repetitions']}, Σ i·F(i) {found['positions']}, the prefix "
        f"filter {found['prefix']}."
    )


def _row(point: Figure, measure: str, threshold: float) -> Figure:
    return next(
        row for row in point["rows"] if row["measure"] == measure and row["threshold"] == threshold
    )


def _plot(points: list[dict[str, Any]], path: Path) -> None:
    figure, area = axes("text appended, % of the original", "share of similar pairs missed")
    for threshold, colour in COLOURS.items():
        line = [
            (100 * point["share"], row["missed"]["positions"] / row["true"])
            for point in points
            if (row := _row(point, "jaccard", threshold))["true"] >= LEAST_PAIRS
        ]
        name = f"Σ i·F(i), J = {threshold:g}".replace("0.", ".")
        area.plot(*zip(*line, strict=True), "o-", color=colour, markersize=3, label=name)
        limit = 100 * (1 / sqrt(threshold) - 1)
        area.axvline(limit, color=colour, linestyle=":", linewidth=1)
    exact = [
        (100 * point["share"], row["missed"]["length"] / row["true"])
        for point in points
        if (row := _row(point, "jaccard", min(COLOURS)))["true"] >= LEAST_PAIRS
    ]
    area.plot(*zip(*exact, strict=True), "-", color=OURS, label="set length and prefix filter")
    area.plot([], [], ":", color=THEIRS, label="1/√J − 1, where theory ends its window")
    area.set_ylim(-0.02, 1.03)
    area.set_xlim(left=0)
    area.legend(frameon=False, fontsize=8, loc="center right")
    save(figure, path)
