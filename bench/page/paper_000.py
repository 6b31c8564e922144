"""Paper 000: retrieval by bands and rows, the three stages and the three uses, as tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import pi, sqrt
from pathlib import Path
from statistics import mean
from typing import Any

from bench.page.paper_000_plots import retrieval_plots
from bench.page.paper_000_stages import stages_part, uses_part
from bench.page.tables import Figure, Section, probability, provenance, rounded, table
from bench.papers.paper_000 import published
from likewise.search import Plan

CORNER = "rows that stay"
Cell = dict[str, Any]


def paper_000_page(sections: dict[str, Section], plots: Path) -> Iterator[str]:
    """Paragraphs, tables and plots, for what was measured."""
    if not {"retrieval", "stages", "uses"} & set(sections):
        return
    yield "## Paper 000: bands, rows and what they retrieve"
    yield (
        'E. Celozzi and L. Ciabini, "Finding similar document". Their 393 articles are not to be '
        "had. Ours are PDFs of as many, set in two columns with hyphens, from abstracts of the "
        "National Science Foundation (2008), twenty to a document."
    )
    if "retrieval" in sections:
        yield from _retrieval(sections["retrieval"], plots)
    if "stages" in sections:
        yield from stages_part(sections["stages"])
    if "uses" in sections:
        yield from uses_part(sections["uses"])


# Tables 1 and 2.


def _retrieval(section: Section, plots: Path) -> Iterator[str]:
    figures = section["figures"]
    jaccard = {each["similarity"]: each["mean"] for each in figures["jaccard"]}
    cells: list[Cell] = [
        {**cell, **_printed(cell), "jaccard": jaccard[cell["similarity"]]}
        for cell in figures["cells"]
    ]
    yield "### Its Table 1: the ideal curve"
    yield (
        "1 − (1 − tʳ)ᵇ for b bands of r rows, computed / as the paper prints it. The paper cuts "
        f"decimals off rather than rounding them; nothing differs by more than "
        f"{_most(cells):.3f}.".replace(" 0.", " .")
    )
    yield _by_banding(cells, lambda c: f"{_short(c['ideal'])} / {_short(c['paper_ideal'])}")
    yield "### Its Table 2: the measured curve"
    yield from _measured(figures, cells)
    retrieval_plots(cells, plots)
    yield "![Retrieval against the share of rows that stay](plots/paper-000-rows.svg)"
    yield "![Retrieval against the true Jaccard](plots/paper-000-jaccard.svg)"
    yield "### How much of the gap the true Jaccard explains"
    yield from _gaps(figures, cells)
    yield provenance(section)


def _measured(figures: Figure, cells: list[Cell]) -> Iterator[str]:
    trials = figures["rounds"] * figures["trials_a_round"]
    yield (
        "The paper's recipe: a row is a line of the PDF (two, where a hyphen joins them) without "
        "stop words, numbers and signs; a copy keeps each row with probability t, and any row of "
        "any document takes the place of the others; shingles are runs of 10 characters inside a "
        "row; 100 hash functions; is the original among the candidates of its copy? "
        f"{figures['documents']} documents with "
        f"{rounded(figures['rows_a_document'])} rows each, {trials} trials a cell "
        f"({figures['rounds']} times the paper's {published.TRIALS}, each time with other hash "
        "functions; the same copies are cut into all four bandings). *Recipe* has the paper's own "
        "hash functions, formula by formula; *Likewise* has its classic MinHash and 64-bit keys. "
        "The last column is the mean of the ideal curve over the true Jaccard of each trial."
    )
    rows = []
    for cell in cells:
        ours = probability(cell["likewise"])
        rows.append(
            [
                f"{cell['bands']} × {cell['rows']}",
                _short(cell["similarity"]),
                _short(cell["jaccard"]),
                probability(cell["ideal"]),
                _short(cell["paper"]),
                probability(cell["recipe"]),
                f"**{ours}**" if _is_worse(cell) else ours,
                probability(cell["ideal_at_jaccard"]),
            ]
        )
    yield table(
        [
            "bands × rows",
            CORNER,
            "true Jaccard",
            "ideal at the rows' share",
            "paper, measured",
            "recipe, measured",
            "Likewise, measured",
            "ideal at the true Jaccard",
        ],
        rows,
    )
    worse = [cell for cell in cells if _is_worse(cell)]
    if worse:
        yield (
            f"**Bold**: {len(worse)} cells lie below the paper's by more than two standard errors. "
            "Likewise is where the true Jaccard of our copies puts it, to within "
            f"{_two(max(abs(c['likewise'] - c['ideal_at_jaccard']) for c in worse))}; the paper's "
            "articles were others."
        )
    yield (
        "What a copy brings back besides its original, in documents, before anything is verified. "
        "The recipe's hash functions are no permutations and its bands become small numbers, so "
        "that documents which share little meet by accident; abstracts share their phrases too. "
        "Likewise verifies every candidate against the threshold and reports none of these."
    )
    both = [_others(cells, *banding) for banding in published.BANDINGS]
    yield table(
        ["brought back in vain", *(f"{bands} × {rows}" for bands, rows in published.BANDINGS)],
        [
            ["recipe", *(_count(theirs) for _, theirs in both)],
            ["Likewise's candidates", *(_count(ours) for ours, _ in both)],
        ],
    )


def _gaps(figures: Figure, cells: list[Cell]) -> Iterator[str]:
    shrunk = {j["similarity"]: j["mean"] for j in figures["jaccard"]}
    examples = ", ".join(f"{_short(t)} is {_short(j)}" for t, j in shrunk.items())
    yield (
        "The curve holds for the Jaccard similarity of the sets, and the paper puts the share of "
        "rows into it. Of two documents with n shingles each that have a share t in common, the "
        "union has (2 − t) n: Jaccard is t / (2 − t), and a little more where documents share "
        f"phrases. Measured on our copies: {examples}. Mean absolute gap over the 20 cells:"
    )
    rows = []
    for who, name in (
        ("paper", "the paper's Table 2"),
        ("recipe", "recipe, our documents"),
        ("likewise", "Likewise, our documents"),
    ):
        before, after = _gap(cells, who, "ideal"), _gap(cells, who, "ideal_at_jaccard")
        share = f"{100 * (1 - after / before):.0f} %" if before else "–"
        formula = probability(_gap(cells, who, "ideal_at_formula"))
        rows.append([name, probability(before), formula, probability(after), share])
    yield table(
        [
            "measured",
            "gap to the curve at t",
            "at t / (2 − t)",
            "at the true Jaccard",
            "explained by the true Jaccard",
        ],
        rows,
    )
    noise = mean(_expected_gap(c["ideal_at_jaccard"], published.TRIALS) for c in cells)
    ours = mean(_expected_gap(c["ideal_at_jaccard"], c["trials"]) for c in cells)
    yield (
        f"Chance alone makes a mean gap of {probability(noise)} with {published.TRIALS} trials a "
        f"cell, and of {probability(ours)} with {cells[0]['trials']}. The paper expects that with "
        "more tests its figures come closer to the ideal ones: they would not, since the curve was "
        "asked at the wrong place. (The true Jaccard of the paper's own copies is not known; ours "
        "stands for it.)"
    )


def _printed(cell: Cell) -> dict[str, float]:
    row = published.SIMILARITIES.index(cell["similarity"])
    column = published.BANDINGS.index((cell["bands"], cell["rows"]))
    share = cell["similarity"]
    return {
        "paper_ideal": published.IDEAL[row][column],
        "paper": published.MEASURED[row][column],
        "ideal_at_formula": Plan(cell["bands"], cell["rows"]).chance(share / (2 - share)),
    }


def _by_banding(cells: Sequence[Cell], shown: Any) -> str:
    head = [CORNER, *(f"{bands} × {rows}" for bands, rows in published.BANDINGS)]
    rows = [
        [_short(t), *(shown(cell) for cell in cells if cell["similarity"] == t)]
        for t in published.SIMILARITIES
    ]
    return table(head, rows)


def _is_worse(cell: Cell) -> bool:
    paper, ours = cell["paper"], cell["likewise"]
    noise = paper * (1 - paper) / published.TRIALS + ours * (1 - ours) / cell["trials"]
    return bool(paper - ours > 2 * sqrt(noise))


def _gap(cells: Sequence[Cell], who: str, ideal: str) -> float:
    return mean(abs(float(cell[who]) - float(cell[ideal])) for cell in cells)


def _expected_gap(chance: float, trials: int) -> float:
    """The mean absolute deviation of a share of so many trials, nearly."""
    return sqrt(2 / pi * chance * (1 - chance) / trials)


def _most(cells: Sequence[Cell]) -> float:
    return max(abs(float(cell["ideal"]) - float(cell["paper_ideal"])) for cell in cells)


def _others(cells: Sequence[Cell], bands: int, rows: int) -> tuple[float, float]:
    chosen = [cell for cell in cells if (cell["bands"], cell["rows"]) == (bands, rows)]
    return mean(c["others_likewise"] for c in chosen), mean(c["others_recipe"] for c in chosen)


def _count(documents: float) -> str:
    return f"{documents:.1f}" if documents >= 0.05 else f"{documents:.2g}"


def _two(value: float) -> str:
    return f"{value:.2f}".removeprefix("0")


def _short(value: float) -> str:
    """.8 as the paper has it, .667 to three places.

    >>> _short(0.8), _short(1.0), _short(0.6667), _short(0.0)
    ('.8', '1', '.667', '0')
    """
    return f"{round(value, 3):g}".removeprefix("0") or "0"
