"""Innocent texts, and degrees of copying, as tables and a plot."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from bench.page.plots import OURS, THEIRS, axes, save
from bench.page.tables import Figure, Section, probability, provenance, table

PLOT = "innocent.svg"


def innocent_page(sections: dict[str, Section], plots: Path) -> Iterator[str]:
    """Who is accused though nobody copied, now and before; and what ranks degrees of copying."""
    now, before = sections.get("innocent texts"), sections.get("innocent texts, before")
    if now is not None:
        yield "## Innocent texts"
        yield from _accused(now, before)
        if before is not None:
            _plot(now["figures"], before["figures"], plots / PLOT)
            yield f"![False share against the size of the library](plots/{PLOT})"
        yield from _copies(now)
        yield provenance(now)
        if before is not None:
            yield provenance(before)
    if among := sections.get("pairs among many"):
        yield "### What is lost for it"
        yield (
            "Every fifth pair of PAN 2013, judged as if the source had been found among so many "
            "documents: what was copied word for word is found as before; of short passages that "
            "were shuffled, translated or summarised, which share no long run of words with their "
            "source, a library counts fewer than a comparison of two documents does."
        )
        rows = [
            [f"{f['documents']:,}", f["pairs of"], *map(probability, (f["recall"], f["precision"]))]
            for f in among["figures"]
        ]
        yield table(["documents", "pairs", "recall", "precision"], rows)
        yield provenance(among)
    if degrees := sections.get("degrees"):
        yield "## Degrees of copying"
        yield (
            "Eighty-four short answers, written for the project: copied, lightly or heavily "
            "revised, own. Spearman's coefficient of each figure with the degree, and its medians. "
            "Asked of the best figure: .85. The answers were written by one hand; on those of many "
            "people every figure will be lower."
        )
        heads = ["figure", "spearman", "own", "heavy", "light", "copy"]
        yield table(heads, [[_told(f[head]) for head in heads] for f in degrees["figures"]])
        yield provenance(degrees)


def _accused(now: Section, before: Section | None) -> Iterator[str]:
    yield (
        "Honest texts of 100 to 30,000 words against libraries of honest text; none shares a run "
        "of eight words with the library, but reports and forms, whose skeleton is known. "
        "*Accused*: anything is counted. *Over*: more than 1 % of the text and more than 30 words. "
        "*At most*: the upper 95 % bound of the rate. Asked: at most one in a thousand accused, "
        "none over. Documents of the large libraries are cut from the data at random places and "
        "overlap."
    )
    old = {(f["documents"], f["genre"]): f for f in (before or {"figures": []})["figures"]}
    rows = []
    for figure in now["figures"]:
        if "accused" not in figure:
            continue
        was = old.get((figure["documents"], figure["genre"]))
        rows.append(
            [
                f"{figure['documents']:,}",
                figure["genre"],
                f"{figure['texts']:,}",
                figure["accused"],
                probability(figure["rate_at_most"]),
                figure["over"],
                f"{figure['worst']:.1%}",
                *(("–", "–", "–") if was is None else _before(was)),
            ]
        )
    heads = ["documents", "genre", "texts", "accused", "at most", "over", "worst"]
    yield table([*heads, "accused before", "over before", "worst before"], rows)


def _before(figure: Figure) -> tuple[str, str, str]:
    accused = f"{figure['accused']:,} of {figure['texts']:,}"
    return accused, str(figure["over"]), f"{figure['worst']:.1%}"


def _copies(now: Section) -> Iterator[str]:
    found = [f for f in now["figures"] if f["genre"] == "copies of 30 words"]
    if found:
        yield "Thirty words of an essay in the library, copied into another one:"
        rows = [[f"{f['documents']:,}", f["texts"], f["counted"], f["shown"]] for f in found]
        yield table(["documents", "copies", "counted", "shown"], rows)


def _plot(now: list[Figure], before: list[Figure], path: Path) -> None:
    figure, area = axes("documents in the library", "false share of all words")
    for figures, colour, label in ((before, THEIRS, "before"), (now, OURS, "now")):
        points = [(f["documents"], f["false_share"]) for f in figures if f["genre"] == "all"]
        if points:
            area.plot(*zip(*points, strict=True), "o-", color=colour, label=label)
    area.set_xscale("log")
    area.set_ylim(bottom=0)
    area.legend(frameon=False)
    save(figure, path)


def _told(value: object) -> str:
    return probability(value) if isinstance(value, float) else str(value)
