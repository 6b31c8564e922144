"""Markdown, and the few sums that tables are made of."""

from __future__ import annotations

import hashlib
import json
import re
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


def worse(shown: str) -> str:
    """A figure that a paper, a peer or what was asked is better than: the page lists them all.

    >>> worse(".93")
    '**.93**'
    """
    return f"**{shown}**"


def beside_peers(rows: Sequence[Sequence[str]], better: dict[int, str]) -> list[list[str]]:
    """Our rows, with figures in bold that any peer is better than.

    `better` tells for a column whether more is better, or less. What a cell begins with counts.

    >>> beside_peers([["**Likewise**", "10", "3"], ["peer", "12", "5"]], {1: "more", 2: "less"})
    [['**Likewise**', '**10**', '3'], ['peer', '12', '5']]
    """
    marked = [list(row) for row in rows]
    peers = [row for row in rows if not row[0].startswith("**Likewise**")]
    for row in marked:
        if not row[0].startswith("**Likewise**"):
            continue
        for column, direction in better.items():
            ours = leading_number(row[column])
            theirs = [n for peer in peers if (n := leading_number(peer[column])) is not None]
            sign = 1 if direction == "more" else -1
            if ours is not None and any(sign * value > sign * ours for value in theirs):
                row[column] = worse(row[column])
    return marked


def leading_number(cell: str) -> float | None:
    """The number that a cell begins with.

    >>> leading_number("1,323"), leading_number(".921 / .910"), leading_number("–")
    (1323.0, 0.921, None)
    """
    found = re.match(r"[\d,]*\.?\d+", cell)
    return float(found[0].replace(",", "")) if found else None


def provenance(section: Section) -> str:
    """Where the figures of a section come from; the machine is told at the end of the page."""
    machine = section["machine"]
    limit = section.get("limit")
    rehearsal = f" **A rehearsal with {limit:,} documents.**" if limit else ""
    if section.get("small"):
        rehearsal += " **The small version: it shows that the code runs, and no more.**"
    return (
        f"`{section['command']}` on {section['date']}, likewise {machine['likewise']}, "
        f"[machine {machine_name(machine)}](machines.md).{rehearsal}"
    )


def machine_name(machine: Figure) -> str:
    """A short name for a machine with everything installed on it."""
    facts = json.dumps(machine, sort_keys=True)
    return hashlib.sha256(facts.encode()).hexdigest()[:4]
