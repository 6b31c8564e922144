"""The cost model of the engine on Spark: fitted to what was measured, and carried on on paper."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from bench.page.tables import rounded, table
from bench.speed.spark_model import Line, errors, fitted, foretold

Cost = Callable[[dict[str, Any]], float]
# name, documents, bytes of text in one of them
PAPER = (("a billion documents like these", 1e9, None), ("a crawl of 3 billion pages", 3e9, 5_000))
CORES = 1_000
USE = 0.7  # of the cores' time, the rest is waiting for stragglers and disks


def sizing(runs: list[dict[str, Any]]) -> Iterator[str]:
    """A table of lines for each method measured at three sizes, and what they foretell."""
    for method in ("lsh", "exact"):
        found = [run for run in runs if run["method"] == method]
        if len(found) < 3:
            continue
        yield f"### Cost model, {'LSH' if method == 'lsh' else 'exact'}"
        yield (
            "For each stage of a warm job a fixed part and a part for every document, by least "
            "squares of relative errors over the sizes above. *Foretold* is the error at the "
            "largest size of a line through the smaller ones alone."
        )
        yield _lines(found)
        yield _paper(found)


def _lines(runs: list[dict[str, Any]]) -> str:
    rows = []
    for stage in [*_stages(runs), "all"]:
        cpu = _points(runs, stage, _cpu)
        line = fitted(cpu)
        off = max(errors(line, cpu), key=abs)
        rows.append(
            [
                stage.partition("-")[0],
                rounded(line.fixed, 2),
                rounded(1e6 * line.each, 1),
                f"{off:+.0%}",
                f"{foretold(cpu):+.0%}",
                *(rounded(_line(runs, stage, kind).each) for kind in ("shuffle", "output")),
            ]
        )
    head = ["stage", "fixed CPU-s", "CPU-µs a document", "largest error", "foretold"]
    return table([*head, "shuffle bytes a document", "written bytes a document"], rows)


def _paper(runs: list[dict[str, Any]]) -> str:
    own_bytes = 1e6 * runs[-1]["mb"] / runs[-1]["documents"]
    rows = []
    for name, documents, bytes_each in PAPER:
        longer = (bytes_each or own_bytes) / own_bytes
        cpu = sum(
            # what is done to every shingle grows with the text; keys and pairs do not
            fitted(_points(runs, stage, _cpu)).at(documents) * (longer if grows(stage) else 1)
            for stage in _stages(runs)
        )
        shuffle, output = (
            sum(
                _line(runs, stage, kind).each * documents * (longer if grows(stage) else 1)
                for stage in _stages(runs)
            )
            for kind in ("shuffle", "output")
        )
        rows.append(
            [
                name,
                rounded(documents * own_bytes * longer / 1e12, 1),
                rounded(cpu / 3600),
                rounded(cpu / 3600 / CORES / USE, 1),
                rounded(shuffle / 1e12, 2),
                rounded(output / 1e12, 1),
            ]
        )
    head = ["on paper", "text, TB", "core-hours", f"hours on {CORES:,} cores at {USE:.0%}"]
    return table([*head, "shuffle, TB", "stages on disk, TB"], rows)


def grows(stage: str) -> bool:
    """Whether a stage's cost goes with the length of documents."""
    return stage in ("sketches", "prefixes", "pairs")


def _stages(runs: list[dict[str, Any]]) -> list[str]:
    return [stage for stage in _warm(runs[-1])["stages"] if stage != "beginning"]


def _warm(run: dict[str, Any]) -> dict[str, Any]:
    warm: dict[str, Any] = run["warm"] or run["cold"]
    return warm


def _points(runs: list[dict[str, Any]], stage: str, cost: Cost) -> list[tuple[float, float]]:
    if stage == "all":
        return [
            (run["documents"], sum(cost(each) for each in _warm(run)["stages"].values()))
            for run in runs
        ]
    return [(run["documents"], cost(_warm(run)["stages"][stage])) for run in runs]


def _line(runs: list[dict[str, Any]], stage: str, kind: str) -> Line:
    def cost(figures: dict[str, Any]) -> float:
        return float(figures.get("events", {}).get(f"{kind}_bytes", 0))

    return fitted(_points(runs, stage, cost))


def _cpu(figures: dict[str, Any]) -> float:
    return float(figures["cpu_s"]["all"])
