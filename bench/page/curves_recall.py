"""Curves: the recall of LSH as asked and as measured, and mega-shingles beside it, as tables."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from bench.page.curves_plots import recall_plot
from bench.page.tables import Figure, Section, probability, provenance, table


def recall_part(section: Section, plots: Path) -> Iterator[str]:
    """Every recall asked at every threshold."""
    figures = section["figures"]
    runs: list[Figure] = figures["runs"]
    lsh = [run for run in runs if run["engine"] == "lsh"]
    near = _decimal(figures["near"])
    yield "### Recall of LSH, asked and measured"
    yield (
        f"{figures['documents']:,} English documents with planted copies, five-word shingles; the "
        f"truth is the exact join; {lsh[0]['seeds']} seeds. Bands and rows are solved from what is "
        "asked. The promise is for a pair exactly at the threshold, so that all pairs above it do "
        f"better; *near* are the pairs less than {near} above it, and *promised* is the mean of "
        "1 − (1 − Jʳ)ᵇ over the same pairs."
    )
    yield table(
        [
            "threshold",
            "asked",
            "bands × rows",
            "pairs",
            "recall",
            "pairs near",
            "recall near",
            "promised near",
            "compared",
            "CPU-s",
        ],
        [_recall_row(run) for run in lsh],
    )
    missed = [run for run in lsh if _misses(run)]
    if missed:
        yield (
            f"**Bold**: {len(missed)} of {len(lsh)} lie below what was asked, each by chance: "
            "by less than three standard errors of so many pairs and seeds."
            if all(_is_noise(run) for run in missed)
            else f"**Bold**: {len(missed)} of {len(lsh)} lie below what was asked."
        )
    recall_plot(runs, plots / "curves-recall.svg")
    yield "![Recall asked and measured](plots/curves-recall.svg)"
    yield "### Mega-shingles beside LSH"
    yield (
        "Fetterly's preset, on the same pairs: 84 values in 6 super-shingles of 14, two of which "
        "must agree. LSH is the one asked for .99. *Compared* are the pairs that were verified."
    )
    yield table(
        [
            "threshold",
            "pairs",
            "mega-shingles: recall",
            "promised",
            "compared",
            "CPU-s",
            "LSH: recall",
            "compared",
            "CPU-s",
            "exact: compared",
            "CPU-s",
        ],
        [_beside(runs, threshold) for threshold in dict.fromkeys(run["threshold"] for run in lsh)],
    )
    yield (
        "Mega-shingles were made for near-identical pages and find little below .9, by design. The "
        "CPU seconds are of the search alone, from shingle sets to verified pairs."
    )
    yield provenance(section)


def _recall_row(run: Figure) -> list[str]:
    return [
        _decimal(run["threshold"]),
        _decimal(run["asked"]),
        f"{run['bands']} × {run['rows']}",
        f"{run['pairs']:,}",
        f"**{_share(run['recall'])}**" if run["recall"] < run["asked"] else _share(run["recall"]),
        f"{run['near']:,}",
        f"**{_share(run['recall_near'])}**" if _misses(run) else _share(run["recall_near"]),
        _share(run["promised_near"]),
        f"{run['compared']:,}",
        f"{run['cpu_s']:.2f}",
    ]


def _misses(run: Figure) -> bool:
    return run["recall_near"] is not None and bool(run["recall_near"] < run["asked"])


def _is_noise(run: Figure) -> bool:
    chance = run["asked"]
    deviation = (chance * (1 - chance) / max(run["near"] * run["seeds"], 1)) ** 0.5
    return bool(run["asked"] - run["recall_near"] < 3 * deviation)


def _beside(runs: list[Figure], threshold: float) -> list[str]:
    here = [run for run in runs if run["threshold"] == threshold]
    mega = next(run for run in here if run["engine"] == "mega-shingles")
    lsh = next(run for run in here if run["engine"] == "lsh" and run["asked"] == 0.99)
    exact = next(run for run in here if run["engine"] == "exact")
    return [
        _decimal(threshold),
        f"{mega['pairs']:,}",
        _share(mega["recall"]),
        _share(mega["promised"]),
        f"{mega['compared']:,}",
        f"{mega['cpu_s']:.2f}",
        _share(lsh["recall"]),
        f"{lsh['compared']:,}",
        f"{lsh['cpu_s']:.2f}",
        f"{exact['compared']:,}",
        f"{exact['cpu_s']:.2f}",
    ]


def _share(value: float | None) -> str:
    return "–" if value is None else probability(value)


def _decimal(value: float) -> str:
    return f"{value:g}".removeprefix("0")
