"""Paper 004: its worked table, and doctored copies of it, as tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from bench.page.tables import Figure, Section, probability, provenance, table, worse
from likewise.tables import LEAST_SCORE


def paper_004_page(sections: dict[str, Section], plots: Path) -> Iterator[str]:
    """Paragraphs and tables, for what was measured."""
    if "worked table" not in sections:
        return
    yield "## Paper 004: near-duplicate tables"
    yield (
        "P. Lizunov, A. Biloshchytskyi, A. Kuchansky, S. Biloshchytska and L. Chala, Detection of "
        "near dublicates in tables. The paper prints a table of three companies (Table 1), its "
        "modification (Table 2: rows and columns in another order, names and headings shortened) "
        "and formulas (1) to (14). It prints no distance, no threshold and no verdict, and no "
        "experiment: there is no figure of the paper's to stand beside ours. So what its formulas "
        "give for its own tables is computed here, with `likewise.tables.paper_004`; thresholds of "
        ".1 for both parts, words in canonical form hashed to 64 bits."
    )
    yield from _worked(sections["worked table"])
    if "doctored copies" in sections:
        yield from _doctored(sections["doctored copies"])
    if "table revisions" in sections:
        yield from _revisions(sections["table revisions"])


def _worked(section: Section) -> Iterator[str]:
    figures = section["figures"]
    yield "### Its worked table"
    yield (
        "Table 2, and a table of rivers that has nothing to do with it, each as the input, with "
        "Table 1 as the base. *Hamming* is formula (7), for each window of words the share of bits "
        "in which the nearest window of the base differs; *nearest* is formula (12), for each "
        "window of numbers the distance to the nearest; *normalised* is formula (13). Condition "
        "(8) asks for a Hamming distance, (14) for a normalised distance below the threshold."
    )
    yield table(
        ["input", "metric", "window", "Hamming", "nearest", "normalised", "verdict"],
        [
            [
                "Table 2" if f["table"] == "modified" else "rivers",
                f["metric"],
                f["window"],
                _list(f["hamming"], 2),
                _list(f["distances"], 0),
                _list(f["normalised"], 3),
                f["verdict"],
            ]
            for f in figures
            if f["metric"] == "euclidean" or f["window"] == 2
        ],
    )
    yield _said(figures)
    ours = {f["table"]: f["likewise"] for f in figures}
    yield (
        f"Likewise gives Table 2 a score of {probability(ours['modified'])} and the rivers "
        f"{probability(ours['unrelated'])}: it pairs rows and columns, whatever their order, and "
        "counts what cells share beyond chance."
    )
    yield provenance(section)


def _said(figures: Sequence[Figure]) -> str:
    modified = [f for f in figures if f["table"] == "modified"]
    others = [f for f in figures if f["table"] == "unrelated"]
    sure = sorted({f["window"] for f in modified if f["verdict"] == "near-duplicate"})
    passing = sum(f["numbers_alike"] for f in others)
    return (
        f"Table 2 is a near-duplicate by windows of {' and '.join(map(str, sure))}, under all "
        "metrics, and by windows of three only worth a look: with the columns exchanged hardly a "
        f"run of three stays. The rivers satisfy (14) in {passing} of {len(others)} cases: "
        "formula (13) subtracts the smallest of the input's own distances, so the nearest window "
        "is always 0 from the base, however far it is. So of the two conditions only that on words "
        "tells anything."
    )


def _list(values: Sequence[float], places: int) -> str:
    if places == 0:
        return " ".join(f"{value:,.0f}" for value in values)
    return " ".join(_short(value, places) for value in values)


def _short(value: float, places: int) -> str:
    return f"{value:.{places}f}".removeprefix("0") if value else "0"


def _doctored(section: Section) -> Iterator[str]:
    yield "### Doctored copies of it"
    yield (
        "Table 1 after each way of doctoring of the "
        "[study of tables](tables.md#doctored-tables), compared with "
        "Table 1: the share of windows (of three) that the published conditions hold for, its "
        "verdict, and the score of Likewise, which reports tables from "
        f"{probability(LEAST_SCORE)} on. *Another table* is the rivers."
    )
    yield table(
        ["done to the table", "word windows", "number windows", "verdict", "likewise"],
        [
            [
                f["done"],
                probability(f["word_windows"]),
                probability(f["number_windows"]),
                f["verdict"],
                probability(f["likewise"]),
            ]
            for f in section["figures"]
        ],
    )
    yield provenance(section)


def _revisions(section: Section) -> Iterator[str]:
    figures = section["figures"]
    yield "### Real tables, by both methods"
    yield (
        f"Tables and their revisions by those who publish them (`table-revisions`), "
        f"{figures[0]['same']} pairs of the same table among {figures[0]['pairs']:,}, run again "
        "for this page. The paper has no score; pairs are ranked by the mean share of windows that "
        "its conditions hold for. What is done to the tables one way at a time, on tables that "
        "were held out while Likewise's method was made, is in "
        "[the study](tables.md#doctored-tables)."
    )
    best = {
        key: max(figure[key] for figure in figures if figure["method"] != "likewise")
        for key in ("average_precision", "recall_at_99")
    }
    yield table(
        ["method", "average precision", "recall at precision .99"],
        [
            [
                figure["method"],
                *(
                    worse(probability(figure[key]))
                    if figure["method"] == "likewise" and figure[key] < best[key]
                    else probability(figure[key])
                    for key in best
                ),
            ]
            for figure in figures
        ],
    )
    yield provenance(section)
