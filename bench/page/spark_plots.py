"""Plots of the engine on Spark: cost against size, and seconds by stage."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from bench.page.plots import OURS, THEIRS, axes, save

STYLES = {"lsh": ("o", "LSH"), "exact": ("s", "exact")}


def spark_plots(runs: list[dict[str, Any]], folder: Path) -> None:
    """Both, from the figures of all sizes."""
    _by_size(runs, folder / "spark-size.svg")
    _by_stage(runs, folder / "spark-stages.svg")


def _by_size(runs: list[dict[str, Any]], path: Path) -> None:
    figure, area = axes("documents", "CPU-µs a document")
    sizes = sorted({run["documents"] for run in runs})
    for method, (marker, label) in STYLES.items():
        found = [run for run in runs if run["method"] == method]
        if not found:
            continue
        x = [run["documents"] for run in found]
        lines: tuple[tuple[str, str, str, list[float]], ...] = (
            ("Spark cold", ":", OURS, [run["cold"]["cpu_s"]["all"] for run in found]),
            (
                "Spark warm",
                "-",
                OURS,
                [(run["warm"] or run["cold"])["cpu_s"]["all"] for run in found],
            ),
            ("local", "--", THEIRS, [run["local"]["cpu_s"] for run in found]),
        )
        for name, dashes, colour, costs in lines:
            each = [1e6 * cost / n for cost, n in zip(costs, x, strict=True)]
            area.plot(x, each, marker + dashes, color=colour, label=f"{name}, {label}")
    area.set_xscale("log")
    area.set_yscale("log")
    area.set_xticks(sizes, labels=[f"{size // 1000}k" for size in sizes])
    area.minorticks_off()
    area.legend(frameon=False, fontsize=8)
    save(figure, path)


def _by_stage(runs: list[dict[str, Any]], path: Path) -> None:
    figure, area = axes("CPU-s, warm", "")
    bars = []
    for method, (_, label) in STYLES.items():
        found = [run for run in runs if run["method"] == method]
        if found:
            warm = found[-1]["warm"] or found[-1]["cold"]
            bars += [
                (f"{label}: {stage.partition('-')[0]}", stage_figures["cpu_s"]["all"])
                for stage, stage_figures in warm["stages"].items()
            ]
    bars.reverse()
    area.barh([name for name, _ in bars], [cost for _, cost in bars], color=OURS)
    area.tick_params(labelsize=8)
    save(figure, path)
