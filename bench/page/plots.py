"""Plots as SVG: the same bytes from the same results."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from bench.page.library_asked import added_per_second, check_ms
from bench.page.speed import LABELS
from bench.page.tables import (
    Figure,
    Section,
    by_name,
    good_runs,
    microseconds_a_document,
    middle,
    rate,
    warm_rate,
)

OURS, THEIRS = "#0b6e4f", "#6b6e72"
LABEL_HEIGHT = 1.17  # on the logarithmic scale, so that no label stands on another


def speed_plots(sections: dict[str, Section], folder: Path) -> None:
    """Speed against recall, and cost against size, where they were measured."""
    own, peers = by_name(sections.get("likewise")), by_name(sections.get("peers"))
    if own or peers:
        _speed_against_recall(own, peers, folder / "speed-recall.svg")
    scaling = by_name(sections.get("scaling"))
    if scaling:
        _cost_against_size(scaling, folder / "scaling.svg")
    if growth := by_name(sections.get("library growth")):
        points = good_runs(growth["growth"])[0]["points"]
        _library_against_size(points, folder / "library.svg")


class Point(NamedTuple):
    """An engine in the plot."""

    label: str
    recall: float
    speed: float
    is_ours: bool
    is_warm: bool = False


def _points(own: Section, peers: Section) -> Iterator[Point]:
    for figures in (own, peers):
        for engine, label in LABELS.items():
            entry = figures.get(f"{engine} english 0.8")
            if entry is None or engine == "lsh stemmed":  # its truth is another
                continue
            label, recall = label.replace("**", ""), good_runs(entry)[0]["recall"]
            yield Point(label, recall, middle(entry, rate) or 0, figures is own)
            if all(run.get("warm") for run in good_runs(entry)):
                warm = middle(entry, warm_rate) or 0
                yield Point(f"{label}, warm", recall, warm, figures is own, True)


def _speed_against_recall(own: Section, peers: Section, path: Path) -> None:
    figure, area = axes("recall at .8", "MB per CPU-second")
    points = sorted(_points(own, peers), key=lambda point: point.speed)
    taken = {"left": 0.0, "right": 0.0}  # how high labels stand already, on each side
    for point in points:
        colour = OURS if point.is_ours else THEIRS
        fill = "none" if point.is_warm else "full"
        area.plot(point.recall, point.speed, "o", color=colour, fillstyle=fill)
        side = "right" if point.recall > 0.95 else "left"
        taken[side] = max(point.speed, taken[side] * LABEL_HEIGHT)
        area.annotate(
            point.label,
            (point.recall, taken[side]),
            xytext=(-8 if side == "right" else 8, 0),
            textcoords="offset points",
            ha=side,
            va="center",
            fontsize=8,
            color=colour,
        )
    area.set_yscale("log")
    area.set_yticks([3, 10, 30, 100, 300], labels=["3", "10", "30", "100", "300"])
    area.set_ylim(2, 500)
    area.set_xlim(min((point.recall for point in points), default=0.8) - 0.01, 1.005)
    save(figure, path)


def _cost_against_size(figures: Section, path: Path) -> None:
    figure, area = axes("documents", "CPU-µs a document")
    for method, label, style in (("exact", "exact join", "o-"), ("lsh", "LSH", "s--")):
        points = sorted(
            (int(name.split()[1]), middle(entry, microseconds_a_document))
            for name, entry in figures.items()
            if name.split()[0] == method
        )
        if points:
            area.plot(*zip(*points, strict=True), style, color=OURS, label=label)
    sizes = sorted({int(name.split()[1]) for name in figures})
    area.set_xscale("log")
    area.set_xticks(sizes, labels=[f"{size // 1000}k" for size in sizes])
    area.minorticks_off()
    area.set_ylim(bottom=0)
    area.legend(frameon=False)
    save(figure, path)


def _library_against_size(points: list[Figure], path: Path) -> None:
    figure, area = axes("documents in the library", "CPU-ms")
    sizes = [point["documents"] for point in points]
    lines: tuple[tuple[str, str, Callable[[Figure], float]], ...] = (
        ("check, 99th percentile", "s--", lambda p: check_ms(p, "eight", "cpu_ms_p99")),
        ("check, median", "o-", lambda p: check_ms(p, "eight", "cpu_ms_median")),
        ("adding a document", "^:", lambda p: 1e3 / added_per_second(p)),
    )
    for label, style, cost in lines:
        area.plot(sizes, [cost(point) for point in points], style, color=OURS, label=label)
    area.set_xscale("log")
    area.set_xticks(sizes, labels=[f"{size / 1000:g}k" for size in sizes])
    area.minorticks_off()
    area.set_ylim(bottom=0)
    area.legend(frameon=False)
    save(figure, path)


def axes(x: str, y: str) -> tuple[Any, Any]:
    """A figure and its one drawing area, with named axes, in the style of the page."""
    import matplotlib as mpl

    mpl.use("svg")
    from matplotlib import pyplot

    mpl.rcParams["svg.hashsalt"] = "likewise"
    mpl.rcParams["svg.fonttype"] = "none"
    mpl.rcParams["font.family"] = "sans-serif"
    figure, area = pyplot.subplots(figsize=(7.5, 4.5), layout="constrained")
    area.set_xlabel(x)
    area.set_ylabel(y)
    area.spines[["top", "right"]].set_visible(False)
    area.grid(alpha=0.25)
    return figure, area


def save(figure: Any, path: Path) -> None:
    """Write a figure as SVG and close it."""
    from matplotlib import pyplot

    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, metadata={"Date": None, "Creator": None})
    pyplot.close(figure)
    # Without blanks at line ends, which matplotlib leaves.
    lines = path.read_text("utf-8").splitlines()
    path.write_text("\n".join(line.rstrip() for line in lines) + "\n", "utf-8")
