"""Paper 001: filters by length, as tables, and what the paper's own filter loses, as a plot."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from bench.page.paper_001_appended import appended_part
from bench.page.tables import Figure, Section, provenance, rounded, table
from bench.papers.paper_001 import published

NAMES = {
    "none": "no filter",
    "length": "set length",
    "repetitions": "ΣF",
    "positions": "Σ i·F(i), the paper's",
    "prefix": "prefix filter (Likewise's join)",
}
MEASURES = {"jaccard": "sets", "multiset": "multisets"}
PROOFS = (
    "- *No filter* compares everything.\n"
    "- *Set length* is exact for sets: at most the smaller set is shared and the union is at "
    "least the larger one, so J ≤ smaller / larger. It is not for multisets: a shingle 99 times "
    "and one other, against the same and ten more, are 2 and 12 distinct ones at a similarity of "
    "100 / 110.\n"
    "- *ΣF* is exact for multisets, by the same sentence with repetitions counted. It is not for "
    "sets: the same text twice in a row has the same set and twice the sum.\n"
    "- *Σ i·F(i)* is exact for neither: it grows with the square of the length. Of n shingles that "
    "stand once each it is n (n + 1) / 2, so that a text longer by a share s is compared only "
    "while (1 + s)² ≤ 1 / J, though it is similar enough while 1 + s ≤ 1 / J.\n"
    "- *Prefix filter* is exact for both (a repetition is an element of its own): if two sets "
    "share c elements, the first of these in any common order stands among the first |A| − c + 1 "
    "of A and |B| − c + 1 of B; so only documents whose beginnings meet, rarest shingles first, "
    "are compared."
)


def paper_001_page(sections: dict[str, Section], plots: Path) -> Iterator[str]:
    """Paragraphs, tables and a plot, for what was measured."""
    if not {"filters", "appended"} & set(sections):
        return
    yield "## Paper 001: filters by length"
    yield (
        'H. Azgomi et al., "A method for finding similar documents relying on adding repetition '
        'of symbols in length based filtering". Documents are sorted by a length L and each is '
        "compared with the next while L(next) ≤ L / J. The paper proposes Σ i·F(i) for L, where "
        "F(i) is how often the i-th distinct shingle occurs. Shingles are of "
        f"{published.SHINGLE_CHARS} characters, J = .9."
    )
    if "filters" in sections:
        yield from _filters(sections["filters"])
    if "appended" in sections:
        yield from appended_part(sections["appended"], plots)


def _filters(section: Section) -> Iterator[str]:
    tables: dict[str, Figure] = section["figures"]
    yield "### Exact or not"
    yield PROOFS
    yield "### Its Table 1"
    yield from _published(next(iter(tables.values())))
    for name, figures in tables.items():
        yield from _collection(name, figures)
    yield "### Natural pairs that are missed"
    yield from _missed(tables)
    yield provenance(section)


def _published(like: Figure) -> Iterator[str]:
    """The paper's rows, ours for as many documents beside them."""
    ours = {row["filter"]: row for row in like["rows"] if row["measure"] == "jaccard"}
    length, positions = published.TABLE["length"], published.TABLE["positions"]
    really = published.ALL_PAIRS - positions.dismissed
    yield (
        f"The paper has {published.DOCUMENTS} abstracts of 2003; which ones cannot be told any "
        f"more. Beside its figures stand ours for a seeded draw of {like['documents']:,} "
        "abstracts of the same year, with fewer copies among them. The paper's time is that of a "
        "program in VB.Net on an unnamed machine, ours CPU time of one core, shingling left out. "
        "Its text and its table contradict each other: "
        f" {published.ALL_PAIRS:,} − {positions.dismissed:,} dismissed are "
        f"{really:,} comparisons, not {positions.comparisons:,}; the time fits the latter "
        "(.31 and .30 s a comparison)."
    )
    rows = []
    for name in ("length", "positions"):
        paper, here = published.TABLE[name], ours[name]
        rows.append(
            [
                NAMES[name],
                f"{paper.comparisons:,} ({paper.comparisons / published.ALL_PAIRS:.1%})",
                f"{here['compared']:,} ({here['compared'] / like['all_pairs']:.1%})",
                f"{paper.seconds:,}",
                rounded(here["cpu_s"], 2),
                paper.pairs,
                here["pairs"],
            ]
        )
    join = ours["prefix"]
    compared = f"{join['compared']:,} ({join['compared'] / like['all_pairs']:.1%})"
    rows.append(
        [NAMES["prefix"], "–", compared, "–", rounded(join["cpu_s"], 2), "–", join["pairs"]]
    )
    yield table(
        [
            "filter",
            "comparisons, paper",
            "here",
            "seconds, paper",
            "here",
            "pairs, paper",
            "here",
        ],
        rows,
    )
    yield (
        f"The paper's saving is a factor of {length.comparisons / positions.comparisons:.2f}, ours "
        f"of {ours['length']['compared'] / ours['positions']['compared']:.2f}. It is no better "
        "separation of documents: since Σ i·F(i) goes with the square of the length, its window "
        "is that of the plain length with √J in place of J. The plain length at √.9 would compare "
        f"{like['length_at_root']:,} pairs here, Σ i·F(i) compares "
        f"{ours['positions']['compared']:,}. Whoever asks for J = .9 gets a filter for .95."
    )


def _collection(name: str, figures: Figure) -> Iterator[str]:
    yield f"### Five filters on {name}"
    sampled = [row for row in figures["rows"] if row["sample"]]
    told = (
        f"{figures['documents']:,} abstracts with text, {figures['all_pairs']:,} pairs, "
        f"{rounded(figures['shingles_a_document'])} distinct shingles each; shingling took "
        f"{rounded(figures['sets_cpu_s'], 1)} CPU-s and is the same for all."
    )
    if sampled:
        told += (
            " Times marked ~ were not run to the end: they are the time of a comparison in a "
            f"seeded sample of {sampled[0]['sample']:,} documents times the comparisons. Those "
            "comparisons are counted from the lengths, and the pairs are those true ones that "
            "the filter compares."
        )
    yield told
    yield table(
        ["filter", "measure", "exact", "comparisons", "CPU-s", "pairs", "missed"],
        [_row(row) for row in figures["rows"]],
    )


def _row(row: Figure) -> list[str]:
    seconds = rounded(row["cpu_s"], 2 if row["cpu_s"] < 100 else 0)
    return [
        NAMES[row["filter"]],
        MEASURES[row["measure"]],
        "yes" if row["exact"] else "no",
        f"{row['compared']:,}",
        f"~{seconds}" if row["sample"] else seconds,
        f"{row['pairs']:,}",
        f"{row['missed']:,}",
    ]


def _missed(tables: dict[str, Figure]) -> Iterator[str]:
    name, largest = max(tables.items(), key=lambda item: item[1]["documents"])
    first = largest["missed"][0]
    yield (
        "Pairs that reach J and that the filter does not compare. Most natural pairs are the same "
        "abstract handed in by partners, word for word, and no filter can lose those; *differing* "
        "are the others. That the paper's filter found the same 243 pairs as the plain length is "
        "what such copies would give, and no sign that it is exact: of the "
        f"{first['differing']:,} differing pairs of {name} at .9 it loses "
        f"{first['missed']['positions']:,}."
    )
    yield table(
        ["collection", "measure", "J", "pairs", "differing", "set length", "ΣF", "Σ i·F(i)"],
        [
            [
                name,
                MEASURES[one["measure"]],
                f"{one['threshold']:g}".removeprefix("0"),
                f"{one['pairs']:,}",
                f"{one['differing']:,}",
                *(f"{one['missed'][f]:,}" for f in ("length", "repetitions", "positions")),
            ]
            for name, figures in tables.items()
            for one in figures["missed"]
        ],
    )
