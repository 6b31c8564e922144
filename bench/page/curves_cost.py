"""Curves: what every engine costs as a collection grows, from all results on file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from bench.page.curves_plots import cost_plot
from bench.page.library_asked import added_per_second, check_ms
from bench.page.tables import (
    Section,
    by_name,
    good_runs,
    microseconds_a_document,
    middle,
    provenance,
    rounded,
    table,
)
from bench.record import read_results

Costs = dict[str, dict[int, float]]  # CPU-µs a document at each size, by engine


def cost_part(section: Section | None, results: Path, plots: Path) -> Iterator[str]:
    """A table and a plot of all engines that were measured."""
    speed = read_results(results, "speed")
    costs = {
        **_searches(speed),
        **_mega_shingles(section),
        **_library(speed),
        **_spark(read_results(results, "spark")),
    }
    if not costs:
        return
    yield "### Cost against size, every engine"
    yield (
        "CPU-µs a document, from texts to verified pairs, on documents of about 80 words; for the "
        "library, to add one document of 300 words, and to check one. Exact join, LSH and library "
        "are as in the sections above, each measured alone in its process on one core; "
        "mega-shingles have been measured in another run. Spark's documents are of the English "
        "corpus, five times as long, and its figures count everything that two workers run."
    )
    sizes = sorted({size for points in costs.values() for size in points})
    yield table(
        ["documents", *costs],
        [
            [f"{size:,}", *(rounded(points.get(size), 1) for points in costs.values())]
            for size in sizes
        ],
    )
    cost_plot(costs, plots / "curves-cost.svg")
    yield "![Cost against size](plots/curves-cost.svg)"
    if section:
        yield _ratio(section)
        yield "Mega-shingles: " + provenance(section)


def _searches(speed: dict[str, Section]) -> Costs:
    labels = {"exact": "exact join", "lsh": "LSH"}
    costs: Costs = {}
    for name, figure in by_name(speed.get("scaling")).items():
        method, size = name.split()
        cost = middle(figure, microseconds_a_document)
        if cost is not None:
            costs.setdefault(labels[method], {})[int(size)] = cost
    return costs


def _mega_shingles(section: Section | None) -> Costs:
    points = {
        run["documents"]: 1e6 * run["cpu_s"] / run["documents"]
        for run in (section["figures"] if section else [])
        if run["engine"] == "mega-shingles"
    }
    return {"mega-shingles": points} if points else {}


def _library(speed: dict[str, Section]) -> Costs:
    growth = by_name(speed.get("library growth")).get("growth")
    if growth is None:
        return {}
    points = good_runs(growth)[0]["points"]
    return {
        "library, adding": {p["documents"]: 1e6 / added_per_second(p) for p in points},
        "library, a check": {
            p["documents"]: 1e3 * check_ms(p, "eight", "cpu_ms_median") for p in points
        },
    }


def _spark(sections: dict[str, Section]) -> Costs:
    """A job in a session that has run one before."""
    costs: Costs = {}
    for section in sections.values():
        run = section["figures"]
        if "warm" in run:
            name = "Spark, LSH" if run["method"] == "lsh" else f"Spark, {run['method']}"
            cost = 1e6 * run["warm"]["cpu_s"]["all"] / run["documents"]
            costs.setdefault(name, {})[run["documents"]] = cost
    return {name: dict(sorted(points.items())) for name, points in sorted(costs.items())}


def _ratio(section: Section) -> str:
    by_engine = {(run["engine"], run["documents"]): run for run in section["figures"]}
    sizes = sorted({run["documents"] for run in section["figures"]})
    largest = sizes[-1]
    mega, lsh = by_engine["mega-shingles", largest], by_engine["lsh", largest]
    return (
        f"In the run of the mega-shingles they took {mega['cpu_s'] / lsh['cpu_s']:.2f} of the CPU "
        f"time of LSH for {largest:,} documents, and found {mega['pairs']:,} pairs of "
        f"{lsh['pairs']:,}."
    )
