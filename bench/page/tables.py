"""Markdown, and the few sums that tables are made of."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import sqrt
from statistics import median, stdev
from typing import Any

Section = dict[str, Any]
Figure = dict[str, Any]


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A Markdown table; numbers and such stand to the right, the first column to the left.

    >>> print(table(["engine", "MB"], [["likewise", 3]]))
    | engine | MB |
    | --- | ---: |
    | likewise | 3 |
    """
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines)


def good_runs(figure: Figure) -> list[Figure]:
    """The runs that came to an end."""
    return [run for run in figure["runs"] if "failed" not in run]


def middle(figure: Figure, measure: Callable[[Figure], float]) -> float | None:
    """The median over the runs of a figure."""
    values = [measure(run) for run in good_runs(figure)]
    return median(values) if values else None


def rate(run: Figure) -> float:
    """Million characters per CPU-second, cold."""
    return float(run["mb"] / run["cpu_s"])


def warm_rate(run: Figure) -> float:
    """The same with everything warm: the median of the repetitions in the process."""
    return float(run["mb"] / median(turn["cpu_s"] for turn in run["warm"]))


def microseconds_a_document(run: Figure) -> float:
    """CPU time for one document."""
    return float(1e6 * run["cpu_s"] / run["documents"])


def by_name(section: Section | None) -> dict[str, Figure]:
    """The figures of a section that have runs to show, by their names."""
    figures = section["figures"] if section else []
    return {figure["name"]: figure for figure in figures if good_runs(figure)}


def standard_error(values: Sequence[float]) -> float:
    """Of the mean of some values."""
    return stdev(values) / sqrt(len(values))


def rounded(value: float | None, places: int = 0) -> str:
    """A number for people."""
    return "–" if value is None else f"{value:,.{places}f}"


def probability(value: float) -> str:
    """.9731 as .973, and 1 only for all.

    >>> probability(1.0), probability(0.9996), probability(0.25)
    ('1', '.9996', '.250')
    """
    if value >= 1:
        return "1"
    places = 3 if value < 0.999 else 4
    return f"{value:.{places}f}".removeprefix("0")


def provenance(section: Section) -> str:
    """Where the figures of a section come from."""
    machine = section["machine"]
    versions = ", ".join(f"{k} {v}" for k, v in machine["packages"].items() if v)
    limit = section.get("limit")
    rehearsal = f" **A rehearsal with {limit:,} documents.**" if limit else ""
    return (
        f"`{section['command']}` on {section['date']}: {machine['cpu']}, {machine['cores']} cores, "
        f"{machine['memory_gb']} GB, Python {machine['python']}, likewise {machine['likewise']} "
        f"with {machine['kernels']} kernels; {versions}.{rehearsal}"
    )
