"""Curves: a signature's error, the recall of LSH, and what every engine costs, as tables."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from bench.page.curves_cost import cost_part
from bench.page.curves_plots import bits_plot, makers_plot, slots_plot
from bench.page.curves_recall import recall_part
from bench.page.tables import Figure, Section, provenance, table
from bench.record import RESULTS

MAKERS = {
    "likewise": "**Likewise**",
    "classic": "classic MinHash, Likewise's",
    "rensa": "rensa",
    "FastSketchLSH": "FastSketchLSH",
    "datasketch": "datasketch",
}
SHOWN_SLOTS = 128
OUR_BITS = 16  # of Settings, as they come


def curves_page(
    sections: dict[str, Section], plots: Path, results: Path = RESULTS
) -> Iterator[str]:
    """Paragraphs, tables and plots; the cost of other engines is read from other results."""
    if not sections:
        return
    yield "## Curves"
    if "error by slots" in sections:
        yield from _slots(sections["error by slots"], plots)
    if "error by bits" in sections:
        yield from _bits(sections["error by bits"], plots)
    if "recall" in sections:
        yield from recall_part(sections["recall"], plots)
    yield from cost_part(sections.get("cost"), results, plots)


def _slots(section: Section, plots: Path) -> Iterator[str]:
    figures: list[Figure] = section["figures"]
    unions = sorted({figure["union"] for figure in figures})
    jaccards = sorted({figure["jaccard"] for figure in figures})
    yield "### A signature's error against its slots"
    yield (
        "Pairs of random sets whose Jaccard is known because it was chosen, with "
        f"{' or '.join(f'{union:,}' for union in unions)} distinct elements between them; "
        f"{figures[0]['estimates']:,} estimates a figure (datasketch, which takes the most time, a "
        "fourth of them). The error is the root of the mean square "
        "of estimate less truth. Theory is √(J (1 − J) / k), for k slots that are independent of "
        "each other. Every maker gets the same hashed elements and keeps all its bits."
    )
    chosen = {
        (f["maker"], f["union"], f["jaccard"]): f for f in figures if f["slots"] == SHOWN_SLOTS
    }
    makers = list(dict.fromkeys(figure["maker"] for figure in figures))
    columns = [(union, jaccard) for union in unions for jaccard in jaccards]
    rows = [
        [MAKERS[maker], *(_error(chosen, makers, maker, column) for column in columns)]
        for maker in makers
    ]
    theory = [_places(chosen["likewise", *column]["theory"]) for column in columns]
    yield f"With {SHOWN_SLOTS} slots:"
    yield table(
        ["maker", *(f"{union:,} elements, J = {_decimal(j)}" for union, j in columns)],
        [*rows, ["theory", *theory]],
    )
    worse = [cell for row in rows[:1] for cell in row[1:] if "**" in cell]
    if worse:
        yield (
            "**Bold**: another maker's error is smaller by more than the noise of these figures; "
            "its slots depend on each other in another way."
        )
    slots_plot(figures, plots / "curves-slots.svg")
    makers_plot(figures, plots / "curves-makers.svg")
    yield "![A signature's error against its slots](plots/curves-slots.svg)"
    yield "![Every maker's error beside the theory](plots/curves-makers.svg)"
    yield (
        "On large sets all follow the theory. On sets not much larger than the signature Likewise, "
        "FastSketchLSH and rensa do better. In Fast Similarity Sketching, which the first two use, "
        "each element has one slot a round, so that none fills many slots by luck."
    )
    yield provenance(section)


def _error(
    chosen: dict[tuple[str, int, float], Figure],
    makers: list[str],
    maker: str,
    column: tuple[int, float],
) -> str:
    ours = chosen[maker, *column]
    others = (chosen[other, *column] for other in makers)
    is_worse = any(ours["rmse"] > other["rmse"] * _noise(ours, other) for other in others)
    shown = _places(ours["rmse"])
    return f"**{shown}**" if maker == "likewise" and is_worse else shown


def _noise(one: Figure, other: Figure) -> float:
    """How far two errors may be apart by chance: three standard errors of their ratio."""
    return 1 + 3 * float((0.5 / one["estimates"] + 0.5 / other["estimates"]) ** 0.5)


def _bits(section: Section, plots: Path) -> Iterator[str]:
    figures: list[Figure] = section["figures"]
    slots = next(f["slots"] for f in figures if f["kept"] == "slots")
    room = next(f["bytes"] for f in figures if f["kept"] == "room")
    yield "### A signature's error against the bits of a slot"
    yield (
        "Likewise's signatures with the first b bits of each slot, freed of what agrees by chance "
        "(b-bit minwise hashing, Li and König 2010), measured / theory, on pairs with "
        f"{figures[0]['union']:,} elements: with {slots} slots whatever their bits, and with as "
        f"many slots as fit into {room} bytes."
    )
    jaccards = sorted({figure["jaccard"] for figure in figures})
    by_place = {(f["kept"], f["bits"], f["jaccard"]): f for f in figures}
    rows = []
    for kept in ("slots", "room"):
        for bits in sorted({figure["bits"] for figure in figures}):
            one = by_place[kept, bits, jaccards[0]]
            cells = (by_place[kept, bits, jaccard] for jaccard in jaccards)
            rows.append(
                [
                    f"{one['slots']:,} × {bits}",
                    f"{one['bytes']:,}",
                    *(f"{_places(cell['rmse'])} / {_places(cell['theory'])}" for cell in cells),
                ]
            )
    yield table(["slots × bits", "bytes", *(f"J = {_decimal(j)}" for j in jaccards)], rows)
    bits_plot(figures, plots / "curves-bits.svg")
    yield "![A signature's error against the bits of a slot](plots/curves-bits.svg)"
    best = min((f for f in figures if f["kept"] == "room" and f["jaccard"] == 0.5), key=_rmse)
    ours = by_place["room", OUR_BITS, 0.5]
    yield (
        f"From 8 bits on the error is that of whole values. Likewise keeps {OUR_BITS}, which is "
        f"not the smallest error for its room: at J = .5 the same {room} bytes would give "
        f"{_places(best['rmse'])} with {best['bits']} bit{'s' * (best['bits'] > 1)} a slot instead "
        f"of **{_places(ours['rmse'])}**. The reason: the time of a signature grows with its "
        "slots, and r slots of b bits agree by chance with probability 2⁻ʳᵇ, so that bands of few "
        "bits bring strangers together. What is reported does not hang on estimates: every "
        "candidate is verified."
    )
    yield provenance(section)


def _rmse(figure: Figure) -> float:
    return float(figure["rmse"])


def _places(value: float) -> str:
    return f"{value:.4f}".removeprefix("0")


def _decimal(value: float) -> str:
    return f"{value:g}".removeprefix("0")
