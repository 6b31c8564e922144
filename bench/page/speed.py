"""The speed benchmark as tables."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from statistics import median

from bench.page.asked import asked_and_measured, why_missed
from bench.page.tables import (
    Figure,
    Section,
    beside_peers,
    by_name,
    good_runs,
    microseconds_a_document,
    middle,
    probability,
    provenance,
    rate,
    rounded,
    table,
    warm_rate,
)

LABELS = {
    "exact": "**Likewise**, exact join",
    "lsh": "**Likewise**, LSH",
    "lsh stemmed": "**Likewise**, LSH, stems and stop words",
    "daft": "Daft",
    "gaoya": "gaoya",
    "rensa": "rensa",
    "fastsketch": "FastSketchLSH",
    "datasketch": "datasketch, xxHash",
    "datasketch_default": "datasketch as it comes",
    "scipy_exact": "SciPy, exact",
    "set_similarity_search": "SetSimilaritySearch, exact",
}

Sections = dict[str, Section]


def speed_page(sections: Sections) -> Iterator[str]:
    """Paragraphs and tables, for what was measured."""
    if not sections:
        return
    yield "## Speed"
    yield (
        "From a list of texts in memory to the list of pairs, with 5-word shingles. Every engine "
        "runs in a fresh process pinned to one core, with one thread. CPU seconds are user and "
        "system time of the process and its children, counted once the texts are loaded and the "
        "modules imported. MB are million characters; memory is the peak of the process, the "
        "loaded texts included. Figures are medians of the repetitions; slow peers run once. All "
        "repetitions stand in `bench/results/speed.json`."
    )
    asked = list(asked_and_measured(sections))
    if asked:
        yield "### Asked and measured"
        yield table(["what", "asked", "measured", "reached"], asked)
        yield from why_missed(asked)
    yield from _side_by_side(sections)
    yield from _licence(sections)
    yield from _cyrillic(sections)
    yield from _kernel(sections)
    yield from _scaling(sections)


def _side_by_side(sections: Sections) -> Iterator[str]:
    own, peers = by_name(sections.get("likewise")), by_name(sections.get("peers"))
    if not own and not peers:
        return
    yield "### Side by side"
    yield (
        "English documentation cut into documents, with edited copies planted at Jaccard .3 to "
        ".95; recall and precision are against exact truth, counted pair by pair with SciPy. Peers "
        "use 128 slots in 16 bands of 8 rows, and decide by the estimate, as they do; Likewise "
        "verifies. *Warm* is a repetition in the same process. With stems and stop words the sets "
        "are others, and the truth is the exact join of those sets."
    )
    rows = [[LABELS[engine], *_row(own, engine)] for engine in _engines(own)]
    for engine in ("lsh", "lsh stemmed"):
        figure = own.get(f"{engine} english 0.8")
        if figure and all(run["warm"] for run in good_runs(figure)):
            row = [f"{LABELS[engine]}, warm", rounded(middle(figure, warm_rate)), "", "", "", ""]
            rows.insert(1 + [r[0] for r in rows].index(LABELS[engine]), row)
    rows += [[LABELS[engine], *_row(peers, engine)] for engine in _engines(peers)]
    right = [f"recall / precision at {threshold}" for threshold in (".8", ".7", ".5")]
    yield table(
        ["engine", "MB per CPU-s at .8", "peak MB", *right],
        beside_peers(rows, {1: "more", 2: "less"}),
    )
    yield (
        "In bold where a peer takes less memory: it keeps signatures alone, where Likewise also "
        "keeps the shingles, to count each pair before it is reported."
    )
    yield "![Speed against recall](plots/speed-recall.svg)"
    if "likewise" in sections:
        yield "Likewise: " + provenance(sections["likewise"])
    if "peers" in sections:
        yield "Peers: " + provenance(sections["peers"])


def _engines(figures: dict[str, Figure]) -> list[str]:
    return list(dict.fromkeys(name.partition(" english")[0] for name in figures))


def _row(figures: dict[str, Figure], engine: str) -> list[str]:
    at = {t: figures.get(f"{engine} english {t}") for t in (0.8, 0.7, 0.5)}
    figure = at[0.8]
    if figure is None:
        return ["–"] * 5
    return [
        rounded(middle(figure, rate), 1),
        rounded(max(run["peak_mb"] for run in good_runs(figure))),
        *(_right(other) if other else "–" for other in at.values()),
    ]


def _right(figure: Figure) -> str:
    run = good_runs(figure)[0]
    return f"{probability(run['recall'])} / {probability(run['precision'])}"


def _licence(sections: Sections) -> Iterator[str]:
    figures = by_name(sections.get("licence"))
    if not figures:
        return
    yield "### Text that many documents share"
    yield (
        "The same corpus with the same hundred words of a licence on top or at the end of three "
        "documents of ten, exact join. *Compared* are the pairs that were counted to the end."
    )
    yield table(
        ["corpus", "threshold", "CPU-s", "MB per CPU-s", "compared", "pairs", "recall / precision"],
        [
            [
                figure["corpus"],
                figure["threshold"],
                rounded(middle(figure, lambda run: run["cpu_s"]), 3),
                rounded(middle(figure, rate)),
                f"{good_runs(figure)[0]['compared']:,}",
                f"{good_runs(figure)[0]['found']:,}",
                _right(figure),
            ]
            for figure in figures.values()
        ],
    )
    yield provenance(sections["licence"])


def _cyrillic(sections: Sections) -> Iterator[str]:
    figures = by_name(sections.get("cyrillic"))
    if not figures:
        return
    yield "### Russian and Kazakh"
    yield (
        "Russian technical pages, Kazakh tales and laws, enlarged by edited copies: of every five "
        "documents four are copies, where in the English corpus it is one in eight. *Dense* is "
        "English made the same way, so that what the language costs can be told from what the "
        "copies cost."
    )
    yield table(
        ["engine", "corpus", "MB", "documents", "MB per CPU-s", "pairs", "recall / precision"],
        [
            [
                LABELS[name.rsplit(" ", 2)[0]],
                figure["corpus"],
                rounded(good_runs(figure)[0]["mb"], 1),
                f"{good_runs(figure)[0]['documents']:,}",
                rounded(middle(figure, rate)),
                f"{good_runs(figure)[0]['found']:,}",
                _right(figure),
            ]
            for name, figure in figures.items()
        ],
    )
    yield provenance(sections["cyrillic"])


def _kernel(sections: Sections) -> Iterator[str]:
    section = sections.get("kernel")
    if not section or "kernels" not in section["figures"]:
        return
    figures = section["figures"]
    yield "### Signatures alone"
    yield (
        f"{figures['slots']} slots, the same hashed sets for all ({figures['documents']:,} "
        f"documents, {figures['shingles']:,} shingles), best of "
        f"{len(figures['kernels']['likewise']['cpu_s'])} in one process. The error is the root of "
        f"the mean square of estimate less Jaccard over {figures['pairs']:,} pairs of .3 and more, "
        f"and over those {figures['small_pairs']:,} of them whose sets have at most 100 shingles; "
        f"{figures['seeds']} seeds. Above, errors that two standard errors over the seeds cannot "
        "tell apart count as equal."
    )
    yield table(
        ["kernel", "million shingles per CPU-s", "error", "error, small sets"],
        [
            [
                LABELS.get(name, "**Likewise**").replace(", LSH", ""),
                rounded(kernel["million_shingles_per_cpu_s"]),
                rounded(kernel["rmse"], 4),
                rounded(kernel["rmse_small"], 4),
            ]
            for name, kernel in figures["kernels"].items()
        ],
    )
    yield provenance(section)


def _scaling(sections: Sections) -> Iterator[str]:
    figures = by_name(sections.get("scaling"))
    if not figures:
        return
    yield "### Growing collections"
    yield (
        "Documents of about 80 random words, as frequent as in the English corpus, one in ten a "
        "slightly edited copy of another; threshold .8."
    )
    sizes = sorted({int(name.split()[1]) for name in figures})
    rows = []
    for size in sizes:
        row: list[object] = [f"{size:,}"]
        for method in ("exact", "lsh"):
            figure = figures.get(f"{method} {size}")
            if figure is None:
                row += ["–"] * 3
                continue
            row += [
                rounded(middle(figure, microseconds_a_document), 2),
                rounded(median(run["peak_mb"] for run in good_runs(figure))),
                f"{good_runs(figure)[0]['found']:,}",
            ]
        rows.append(row)
    columns = ("CPU-µs a document", "peak MB", "pairs")
    head = [f"{method}: {column}" for method in ("exact", "LSH") for column in columns]
    yield table(["documents", *head], rows)
    yield "![Cost per document](plots/scaling.svg)"
    yield (
        "Where the exact join's time goes, in CPU-µs a document. What grows is the join: its table "
        "of two-bit cells (2 to 4 a shingle, 32 MB at 500,000 documents) outgrows the processor's "
        "caches, so that noting and asking who shares a shingle waits for memory. The system's "
        "part, of both, is memory used for the first time."
    )
    profile = [(size, figures.get(f"exact {size}")) for size in sizes]
    yield table(
        ["documents", "words and shingles", "join", "of both, the system"],
        [
            [
                f"{size:,}",
                *(
                    rounded(middle(figure, partial(_a_document, part=part)), 2)
                    for part in ("sets_cpu_s", "join", "system_s")
                ),
            ]
            for size, figure in profile
            if figure is not None
        ],
    )
    yield provenance(sections["scaling"])


def _a_document(run: dict[str, float], part: str) -> float:
    seconds = run["cpu_s"] - run["sets_cpu_s"] if part == "join" else run[part]
    return 1e6 * seconds / run["documents"]
