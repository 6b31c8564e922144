"""Paper 003: time against size, measured and as printed, on the same axes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from bench.page.plots import OURS, THEIRS, axes, save
from bench.page.tables import Figure
from bench.papers.paper_003 import published
from bench.papers.paper_003.methods import OURS as OUR_METHODS

HERE, PRINTED = "paper-003-time.svg", "paper-003-paper.svg"
LABEL_HEIGHT = 1.75  # on the logarithmic scale, so that no label stands on another
LOWEST, HIGHEST = 3e-5, 1000.0


class Point(NamedTuple):
    """How long a method took for a pair, or how long it was waited for."""

    words: int  # of both texts
    seconds: float
    is_finished: bool = True


Line = list[Point]


def time_plots(figures: Figure, folder: Path) -> None:
    """Two plots: here, and in the paper."""
    sizes = [one + two for one, two in figures["words"]]
    here: dict[str, Line] = {
        name: [
            Point(size, answer["cpu_s"])
            if "cpu_s" in answer
            else Point(size, answer["gave_up_cpu_s"], False)
            for size, answer in zip(sizes, answers, strict=True)
        ]
        for name, answers in figures["methods"].items()
        if not any("missing" in answer for answer in answers)
    }
    _plot(here, sizes, "CPU-seconds, here", folder / HERE)
    sizes = [one + two for one, two in published.EXPERIMENTS]
    printed: dict[str, Line] = {
        name: [
            Point(size, taken) if taken is not None else Point(size, published.MORE_THAN, False)
            for size, taken in zip(sizes, seconds, strict=True)
        ]
        for name, seconds in published.SECONDS.items()
    }
    _plot(printed, sizes, "seconds, in the paper", folder / PRINTED)


def _plot(lines: dict[str, Line], sizes: Sequence[int], label: str, path: Path) -> None:
    figure, area = axes("words of both texts", label)
    taken = 0.0
    for name, line in sorted(lines.items(), key=lambda item: item[1][-1].seconds):
        colour = OURS if name in OUR_METHODS else THEIRS
        style = "o-" if name in OUR_METHODS else "s--"
        x, y = [point.words for point in line], [point.seconds for point in line]
        area.plot(x, y, style, color=colour, markersize=3, linewidth=1)
        unfinished = [(point.words, point.seconds) for point in line if not point.is_finished]
        for place in unfinished:
            area.plot(*place, "^", color=colour, fillstyle="none", markersize=9)
        taken = max(y[-1], taken * LABEL_HEIGHT)
        area.annotate(
            f"{name}, not finished" if unfinished else name,
            (x[-1], y[-1]),
            xytext=(sizes[-1] * 1.7, taken),
            textcoords="data",
            va="center",
            fontsize=8,
            color=colour,
            arrowprops={
                "arrowstyle": "-",
                "color": colour,
                "linewidth": 0.4,
                "relpos": (0.0, 0.5),  # from the left of the label
                "shrinkA": 1,
            },
        )
    area.set_xscale("log")
    area.set_yscale("log")
    area.set_xticks(sizes, labels=[f"{size:,}" for size in sizes])
    area.minorticks_off()
    area.set_xlim(sizes[0] * 0.85, sizes[-1] * 12)
    area.set_ylim(LOWEST, HIGHEST)
    save(figure, path)
