"""Passages, as tables."""

from __future__ import annotations

from collections.abc import Iterator

from bench.page.tables import Section, probability, provenance, table

ASKED = {
    "all": 0.92,
    "02-no-obfuscation": 0.985,
    "03-random-obfuscation": 0.91,
    "04-translation-obfuscation": 0.91,
    "05-summary-obfuscation": 0.70,
}


def passages_page(sections: dict[str, Section]) -> Iterator[str]:
    """Paragraphs and tables, for what was measured."""
    if "aligned pairs" not in sections and "disguised texts" not in sections:
        return
    yield "## Passages"
    yield from _pan(sections.get("aligned pairs"))
    yield from _theses(sections.get("two theses"))
    yield from _disguised(sections.get("disguised texts"))


def _pan(section: Section | None) -> Iterator[str]:
    if section is None:
        return
    figures = section["figures"]
    yield "### PAN 2013, all 5,185 pairs"
    yield (
        f"Character offsets, macro-averaged over cases; {figures[0]['cpu_seconds']} CPU-s on one "
        "core, texts read included. Folds are split by source document; the constants were chosen "
        "on three of them."
    )
    yield table(
        ["pairs", "asked", "plagdet", "recall", "precision", "granularity", "cases", "detections"],
        [
            [
                f["pairs of"],
                probability(ASKED[f["pairs of"]]) if f["pairs of"] in ASKED else "",
                *(
                    (probability(f["plagdet"]), probability(f["recall"]))
                    if f["cases"]
                    else ("–", "–")
                ),
                probability(f["precision"]) if f["cases"] else "–",
                f"{f['granularity']:.3f}" if f["cases"] else "–",
                f["cases"],
                f["detections"],
            ]
            for f in figures
        ],
    )
    yield provenance(section)


def _theses(section: Section | None) -> Iterator[str]:
    if section is None:
        return
    figure = section["figures"][0]
    yield "### Two theses"
    words = " and ".join(f"{number:,}" for number in figure["words"])
    yield (
        f"Two documents of {words} words, a third of the first copied into the second in pieces of "
        f"400 words: {figure['passages']:,} passages in {figure['cpu_seconds']} CPU-s; asked: 5."
    )
    yield provenance(section)


def _disguised(section: Section | None) -> Iterator[str]:
    if section is None:
        return
    figures = section["figures"]
    yield "### Paper 002's tests T1 to T4"
    yield (
        "Ten texts of about 400 words each: sentences reordered, word forms changed, reordered "
        "with own text between, compiled from several documents. The source is what was copied, "
        "or the whole document that it stands in."
    )
    columns = [key for key in figures[0] if not isinstance(figures[0][key], list | dict)]
    yield table(columns, [[_told(f.get(column, "")) for column in columns] for f in figures])
    yield provenance(section)


def _told(value: object) -> str:
    return probability(value) if isinstance(value, float) else str(value)
