"""Reports, as tables."""

from __future__ import annotations

from collections.abc import Iterator

from bench.page.tables import Section, provenance, table

HEADS = {
    "check report": (
        "### A document of 100 pages with 50 sources",
        "Asked: a page under 3 MB, written in under 2 CPU-s (PDF 5), no task over 200 ms.",
    ),
    "collection report": (
        "### A collection of 1,000 documents",
        "Asked: a page under 5 MB. Alignment is counted apart: it takes the time, not the report.",
    ),
}


def reports_page(sections: dict[str, Section]) -> Iterator[str]:
    """Paragraphs and tables, for what was measured."""
    if not sections:
        return
    yield "## Reports"
    yield (
        "CPU seconds from the finished result to the file, in a fresh process: the first time and "
        "the median of three. The longest task is Chromium's, while the page opens and while it is "
        "scrolled to its end."
    )
    for name, (heading, asked) in HEADS.items():
        if name in sections:
            yield heading
            yield asked
            yield _table(sections[name])
            yield provenance(sections[name])


def _table(section: Section) -> str:
    figures = section["figures"]
    facts = [key for key in ("sources", "passages", "pairs", "align_cpu_s") if key in figures[0]]
    heads = ["format", *(fact.replace("_cpu_s", ", CPU-s") for fact in facts)]
    return table(
        [*heads, "MB", "CPU-s, first", "CPU-s", "longest task opening, ms", "scrolling, ms"],
        [
            [
                figure["format"],
                *(figure.get(fact, "") for fact in facts),
                *(figure.get(key, "") for key in ("mb", "first_cpu_s", "cpu_s")),
                figure.get("longest_task_opening_ms", ""),
                figure.get("longest_task_scrolling_ms", ""),
            ]
            for figure in figures
        ],
    )
