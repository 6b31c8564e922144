"""Curves, drawn."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bench.page.plots import OURS, THEIRS, axes, save
from bench.page.tables import Figure

MIDDLE = 0.5  # the Jaccard with the largest error
COLOURS = {
    "likewise": OURS,
    "classic": "#b5541c",
    "rensa": "#3b5ba5",
    "FastSketchLSH": "#7a3b8f",
    "datasketch": "#c79a00",
}
LABELS = {"likewise": "Likewise", "classic": "classic MinHash"}
MARKERS = {"likewise": "o", "classic": "^", "rensa": "D", "FastSketchLSH": "v", "datasketch": "s"}


def slots_plot(figures: Sequence[Figure], path: Path) -> None:
    """Our error against slots on large sets, with the theory as a line."""
    figure, area = axes("slots", "error")
    largest = max(f["union"] for f in figures)
    chosen = [f for f in figures if (f["maker"], f["union"]) == ("likewise", largest)]
    colours = ("#3b5ba5", OURS, "#b5541c", "#7a3b8f")
    for jaccard, colour in zip(sorted({f["jaccard"] for f in chosen}), colours, strict=True):
        points = [(f["slots"], f["rmse"], f["theory"]) for f in chosen if f["jaccard"] == jaccard]
        slots, measured, theory = zip(*points, strict=True)
        area.plot(slots, theory, "-", color=colour, linewidth=1)
        name = f"Likewise, J = {jaccard:g}".replace("0.", ".")
        area.plot(slots, measured, "o", color=colour, markersize=5, label=name)
    area.plot([], [], "-", color="#333333", label="theory")
    _slots_axis(area, chosen)
    area.set_yscale("log", base=2)
    ticks = [2.0**-power for power in range(3, 9)]
    area.set_yticks(ticks, labels=[f"{tick:.3f}"[1:] for tick in ticks])
    area.legend(frameon=False, fontsize=8, loc="center left", bbox_to_anchor=(1.0, 0.5))
    save(figure, path)


def _slots_axis(area: Any, figures: Sequence[Figure]) -> None:
    area.set_xscale("log", base=2)
    slots = sorted({f["slots"] for f in figures})
    area.set_xticks(slots, labels=[str(k) for k in slots])


def makers_plot(figures: Sequence[Figure], path: Path) -> None:
    """Error over theory against slots, small sets full and large ones hollow."""
    figure, area = axes("slots", "error / theory, J = .5")
    chosen = [f for f in figures if f["jaccard"] == MIDDLE]
    unions = sorted({f["union"] for f in chosen})
    for union in unions:
        for maker in dict.fromkeys(f["maker"] for f in chosen):
            points = [
                (f["slots"], f["rmse"] / f["theory"])
                for f in chosen
                if (f["maker"], f["union"]) == (maker, union)
            ]
            is_small = union == unions[0]
            area.plot(
                *zip(*points, strict=True),
                MARKERS[maker] + ("-" if is_small else ":"),
                color=COLOURS[maker],
                fillstyle="full" if is_small else "none",
                markersize=5,
                linewidth=1.2,
                label=f"{LABELS.get(maker, maker)}, {union:,} elements",
            )
    area.axhline(1, color="#333333", linewidth=1, label="theory, independent slots")
    _slots_axis(area, chosen)
    area.set_ylim(0, 1.25)
    area.legend(frameon=False, fontsize=8, loc="center left", bbox_to_anchor=(1.0, 0.5))
    save(figure, path)


def bits_plot(figures: Sequence[Figure], path: Path) -> None:
    """Error against bits, with as many slots and in as much room; theory as a line."""
    figure, area = axes("bits a slot", "error")
    styles = {0.2: ("#3b5ba5", ".2"), 0.5: (OURS, ".5"), 0.8: ("#b5541c", ".8")}
    slots = next(f["slots"] for f in figures if f["kept"] == "slots")
    room = next(f["bytes"] for f in figures if f["kept"] == "room")
    for kept, marker, line, name in (
        ("slots", "o", "-", f"{slots} slots"),
        ("room", "s", "--", f"{room} bytes"),
    ):
        for jaccard, (colour, label) in styles.items():
            points = sorted(
                (f["bits"], f["rmse"], f["theory"])
                for f in figures
                if (f["kept"], f["jaccard"]) == (kept, jaccard)
            )
            bits, measured, theory = zip(*points, strict=True)
            area.plot(bits, theory, line, color=colour, linewidth=1)
            fill = "full" if kept == "slots" else "none"
            shown = f"{name}, J = {label}"
            area.plot(bits, measured, marker, color=colour, fillstyle=fill, label=shown)
    area.plot([], [], "-", color="#333333", label="theory, slots kept")
    area.plot([], [], "--", color="#333333", label="theory, room kept")
    area.set_xscale("log", base=2)
    ticks = sorted({f["bits"] for f in figures})
    area.set_xticks(ticks, labels=[str(tick) for tick in ticks])
    area.set_ylim(bottom=0)
    area.legend(frameon=False, fontsize=8, loc="center left", bbox_to_anchor=(1.0, 0.5))
    save(figure, path)


def recall_plot(runs: Sequence[Figure], path: Path) -> None:
    """What was missed beside what might be missed, both on a logarithmic scale."""
    figure, area = axes("asked: may be missed", "missed")
    lsh = [run for run in runs if run["engine"] == "lsh"]
    thresholds = sorted({run["threshold"] for run in lsh})
    least = 1e-5
    colours = ("#0b6e4f", "#b5541c", "#3b5ba5", "#7a3b8f", "#c79a00")
    for threshold, colour in zip(thresholds, colours, strict=False):
        here = [run for run in lsh if run["threshold"] == threshold]
        x = [1 - run["asked"] for run in here]
        for key, marker, fill in (("recall_near", "o", "full"), ("recall", "s", "none")):
            y = [max(1 - run[key], least) if run[key] is not None else None for run in here]
            name = f"at {threshold:g}, " + ("just above" if key == "recall_near" else "all above")
            area.plot(x, y, marker, color=colour, fillstyle=fill, linestyle=":", label=name)
    ends = [5e-4, 0.2]
    area.plot(ends, ends, "-", color=THEIRS, linewidth=1, label="as asked")
    area.set_xscale("log")
    area.set_yscale("log")
    asked = sorted({run["asked"] for run in lsh})
    area.set_xticks([1 - a for a in asked], labels=[f"{1 - a:.3g}" for a in asked])
    area.minorticks_off()
    area.set_ylim(least * 0.7, 0.3)
    ticks = [1e-5, 1e-4, 1e-3, 1e-2, 1e-1]
    area.set_yticks(ticks, labels=["none", "0.0001", "0.001", "0.01", "0.1"])
    area.legend(frameon=False, fontsize=8, loc="center left", bbox_to_anchor=(1.0, 0.5))
    save(figure, path)


def cost_plot(costs: dict[str, dict[int, float]], path: Path) -> None:
    """CPU time a document against the size of the collection."""
    figure, area = axes("documents", "CPU-µs a document")
    colours = ("#0b6e4f", "#b5541c", "#7a3b8f", "#3b5ba5", "#c79a00", "#6b6e72", "#333333")
    for (name, points), colour, marker in zip(costs.items(), colours, "os^Dv*P", strict=False):
        line = sorted(points.items())
        area.plot(*zip(*line, strict=True), marker + "-", color=colour, markersize=5, label=name)
    area.set_xscale("log")
    area.set_yscale("log")
    sizes = [1_000, 10_000, 100_000, 1_000_000]
    largest = max(size for points in costs.values() for size in points)
    shown = [size for size in sizes if size <= 2 * largest]
    area.set_xticks(shown, labels=[f"{size:,}" for size in shown])
    area.set_yticks([1, 10, 100, 1000, 10_000], labels=["1", "10", "100", "1,000", "10,000"])
    area.minorticks_off()
    area.legend(frameon=False, fontsize=8, loc="center left", bbox_to_anchor=(1.0, 0.5))
    save(figure, path)
