"""Paper 000: the S-curves, with what was measured on them or below them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bench.page.plots import axes, save
from bench.papers.paper_000 import published
from likewise.search import Plan

COLOURS = ("#0b6e4f", "#b5541c", "#3b5ba5", "#7a3b8f")  # a banding each


def retrieval_plots(cells: Sequence[dict[str, Any]], folder: Path) -> None:
    """The same points twice: where the paper puts them, and at their true Jaccard."""
    _plot(cells, "similarity", "share of rows that stay", folder / "paper-000-rows.svg")
    _plot(cells, "jaccard", "true Jaccard similarity", folder / "paper-000-jaccard.svg")


def _plot(cells: Sequence[dict[str, Any]], place: str, label: str, path: Path) -> None:
    figure, area = axes(label, "probability of retrieval")
    steps = [i / 200 for i in range(201)]
    for banding, colour in zip(published.BANDINGS, COLOURS, strict=True):
        ideal = [Plan(*banding).chance(step) for step in steps]
        name = f"{banding[0]} bands × {banding[1]} rows"
        area.plot(steps, ideal, "-", color=colour, linewidth=1.2, label=name)
        mine = [cell for cell in cells if (cell["bands"], cell["rows"]) == banding]
        x = [cell[place] for cell in mine]
        area.plot(x, [cell["likewise"] for cell in mine], "o", color=colour, markersize=5)
        area.plot(x, [cell["recipe"] for cell in mine], "+", color=colour, markersize=8)
        paper = [cell["paper"] for cell in mine]
        area.plot(x, paper, "s", color=colour, fillstyle="none", markersize=8)
    for marker, fill, name in (
        ("o", "full", "Likewise, measured"),
        ("+", "full", "the paper's recipe, measured"),
        ("s", "none", "the paper, as printed"),
    ):
        area.plot([], [], marker, fillstyle=fill, color="#333333", label=name)
    area.set_xlim(0, 1)
    area.set_ylim(-0.02, 1.03)
    area.legend(frameon=False, fontsize=8, loc="center left", bbox_to_anchor=(1.0, 0.5))
    save(figure, path)
