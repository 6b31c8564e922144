"""Near-duplicate tables, as tables."""

from __future__ import annotations

from collections.abc import Iterator

from bench.page.tables import Figure, Section, probability, provenance, rounded, table, worse


def tables_page(sections: dict[str, Section]) -> Iterator[str]:
    """Paragraphs and tables, for what was measured."""
    if not {"table revisions", "doctored tables", "many tables"} & set(sections):
        return
    yield "## Tables"
    yield from _revisions(sections.get("table revisions"))
    yield from _doctored(sections.get("doctored tables"))
    yield from _many(sections.get("many tables"))


def _revisions(section: Section | None) -> Iterator[str]:
    if section is None:
        return
    first = section["figures"][0]
    yield "### Revised tables"
    yield (
        f"Revisions of tables by those who publish them (`table-revisions`): {first['same']} pairs "
        f"of the same table among {first['pairs']:,}. Asked: average precision .97, recall .95 at "
        "precision .99. The method was made while looking at these tables. Paper 004 sees the "
        "first 120 rows of each: its windows all meet each other."
    )
    yield table(
        ["method", "average precision", "recall at precision .99"],
        [
            [f["method"], probability(f["average_precision"]), probability(f["recall_at_99"])]
            for f in section["figures"]
        ],
    )
    yield provenance(section)


def _doctored(section: Section | None) -> Iterator[str]:
    if section is None:
        return
    figures = section["figures"]
    first = figures[0]
    whole = {f["method"]: f for f in figures if f["part"] == "all"}
    held_out = next(f for f in figures if f["method"] == "likewise" and f["part"] == "held out")
    yield "### Doctored tables"
    yield (
        f"{first['sources']} tables cut from spreadsheets, web pages, documents and PDFs, each "
        "doctored in every way alone and in every two. Recall at the threshold where one pair in "
        f"a thousand of {first['unrelated']:,} unrelated ones passes (pairs that share 30 % of "
        "their cells as written are not called unrelated, which favours *equal strings*). "
        f"{first['sources_for_tuning']} of the tables were looked at while the method was made; "
        "the last column leaves them out, at the same threshold. Pairs are compared directly, not "
        "found through the index. Asked: .95 alone, .85 two at a time."
    )
    others = [figure for method, figure in whole.items() if method != "likewise"]
    rows = [
        [
            way,
            recall["tables"],
            *(_recall(f, way) for f in others),
            _beside(whole["likewise"], others, way),
            _recall(held_out, way),
        ]
        for way, recall in whole["likewise"]["recalls"].items()
    ]
    mean = [
        [
            f"**mean, {name}**",
            "",
            *(_mean(f, count) for f in whole.values()),
            _mean(held_out, count),
        ]
        for name, count in (("alone", 0), ("two at a time", 1))
    ]
    threshold = ["threshold", "", *(rounded(f["threshold"], 2) for f in whole.values()), ""]
    yield table(
        ["done to the table", "tables", *whole, "likewise, held out"], [*rows, *mean, threshold]
    )
    yield (
        "In bold where a simpler measure finds more. Those count equal cells wherever they stand, "
        "so that a table beside or below disturbs them little; Likewise asks that rows and columns "
        "fit together, which is what keeps it right where the cells themselves were changed."
    )
    yield provenance(section)


def _recall(figure: Figure, way: str) -> str:
    found = figure["recalls"].get(way)
    return probability(found["recall"]) if found else "–"


def _beside(ours: Figure, others: list[Figure], way: str) -> str:
    recall = _recall(ours, way)
    best = max(other["recalls"][way]["recall"] for other in others)
    return worse(recall) if best > ours["recalls"][way]["recall"] else recall


def _mean(figure: Figure, pluses: int) -> str:
    found = [r["recall"] for way, r in figure["recalls"].items() if way.count(" + ") == pluses]
    return probability(sum(found) / len(found)) if found else "–"


def _many(section: Section | None) -> Iterator[str]:
    if section is None:
        return
    yield "### Many tables"
    yield (
        "Blocks of eleven rows from all of `table-revisions`, all against all: they have heads, "
        "years and names in common by the hundred. Asked: 60 CPU-s for 10,000."
    )
    yield table(
        ["tables", "cells", "compared", "found", "indexing, CPU-s", "all, CPU-s"],
        [
            [
                f"{f['tables']:,}",
                f"{f['cells']:,}",
                f"{f['candidates']:,}",
                f"{f['found']:,}",
                rounded(f["indexing_cpu_s"], 1),
                rounded(f["cpu_s"], 1),
            ]
            for f in section["figures"]
        ],
    )
    yield provenance(section)
