"""The library as tables: what was asked, what was measured, its peers, its growth, its faults."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from bench.page.library_asked import (
    ENGINES,
    KINDS,
    MEMORY_MB,
    MILLION_MS,
    added_per_second,
    asked_of_the_library,
    cell_of,
    cold_memory,
    length_of,
    slowest_ms,
    warm_memory,
)
from bench.page.library_blocks import second_index
from bench.page.library_releases import beside_release, own_figures
from bench.page.tables import (
    Figure,
    Section,
    beside_peers,
    by_name,
    good_runs,
    middle,
    probability,
    provenance,
    rounded,
    table,
)

Sections = dict[str, Section]
Row = list[object]

LABELS = {
    "likewise": "**Likewise**, library on SQLite",
    "datasketch": "datasketch, MinHashLSH at .5",
    "datasketch_low": "datasketch, MinHashLSH at .02",
    "set_similarity_search": "SetSimilaritySearch, containment",
    "tantivy": "tantivy, fingerprints as terms",
    "tantivy_words": "tantivy, more like this by words",
}


def library_page(sections: Sections, faults: Sections) -> Iterator[str]:
    """Paragraphs and tables, for what was measured."""
    names = ("library", "library peers", "library growth", "library million")
    if not faults and not any(name in sections for name in names):
        return
    yield "## The library"
    yield (
        "Documents of random words, as frequent as in the English corpus, so that runs are shared "
        "only where they were planted: *short* ones have about 300 words, *long* ones about "
        "20,000. A check is a new document of that length with a run of a random library document "
        "inside, eight canonical words or thirty words as they stand, from its text to the ranked "
        "sources, index warm. CPU is that of the process; on PostgreSQL the server's, which can "
        "only be told as a mean, is added to it."
    )
    yield from asked_of_the_library(sections)
    yield from _both_engines(sections.get("library"))
    yield from _peers(sections.get("library peers"))
    yield from _growth(sections.get("library growth"))
    yield from _million(sections.get("library million"))
    yield from _faults(faults)


def _recalls(run: Figure) -> list[str]:
    return [probability(run[kind]["recall"]) for kind in KINDS]


def _both_engines(section: Section | None) -> Iterator[str]:
    figures = own_figures(section)
    if section is None or not figures:
        return
    yield "### On both engines"
    yield (
        "Adding counts from the text to the index that knows it. *Bytes a posting* are those of "
        "the fingerprints with their table and of the segments; the whole database holds the "
        "compressed texts too. Memory is the peak of a fresh process that opens the library and "
        "checks once: with the index on disk, and with no index yet."
    )
    yield table(
        [
            "library",
            "added per CPU-s",
            "bytes a posting",
            "database, MB",
            "segments, MB",
            "check, CPU-ms: median / 99 %",
            "of it the server",
            "recall, 8 / 30 words",
            "memory, MB: opened / checked / index made",
        ],
        [_engine_row(good_runs(figure)[0]) for figure in figures.values()],
    )
    yield from beside_release(section)
    yield from second_index(section)
    yield provenance(section)


def _engine_row(run: Figure) -> Row:
    memory = run["memory"]
    return [
        f"{ENGINES[run['engine']]}, {run['documents']:,} {length_of(run)}",
        rounded(added_per_second(run)),
        rounded(run["bytes_per_posting"], 1),
        rounded(run["database_bytes"] / 1e6),
        rounded(run["index_bytes"] / 1e6),
        f"{slowest_ms(run, 'cpu_ms_median'):.2f} / {slowest_ms(run, 'cpu_ms_p99'):.2f}",
        rounded(max(run[kind]["server_cpu_ms_mean"] for kind in KINDS), 2),
        " / ".join(map(str, _recalls(run))),
        " / ".join(rounded(memory[key]) for key in ("opened_mb", "warm_mb", "cold_mb")),
    ]


def _peers(section: Section | None) -> Iterator[str]:
    figures = by_name(section)
    if section is None or not figures:
        return
    yield "### What one would take instead"
    yield (
        "The same short documents, asked the same questions, in the same run. All get the words "
        "that the library compares. The inverted indexes (SetSimilaritySearch, tantivy) hold the "
        "fingerprints that the library keeps; datasketch makes signatures of 128 slots of all "
        "shingles, in bands for a Jaccard of .5, and of .02, about that of two short documents "
        "with a passage in common; tantivy by words takes a text's 25 most telling ones. tantivy "
        "and the library give the best 100 answers. datasketch can keep its index in Redis or "
        "Cassandra, which are servers; without one it is in memory, and on disk when pickled "
        "whole. SetSimilaritySearch has no form for the disk, and takes no document after it is "
        "made. Only the library also keeps the texts, who handed them in, and what was removed; "
        "its answers have names, filters applied: that, in five questions to the database, is most "
        "of the time of its check."
    )
    rows: list[list[str]] = []
    for name, figure in figures.items():
        run = good_runs(figure)[0]
        rows.append(
            [
                LABELS[name] + (f" ({run['version']})" if "version" in run else ""),
                rounded(added_per_second(run)),
                _disk(run),
                rounded(_memory(run)),
                _times(run, "eight"),
                rounded(run["eight"]["answers_mean"], 1),
                *_recalls(run),
            ]
        )
    yield table(
        [
            "index",
            "added per CPU-s",
            "on disk, MB",
            "in memory, MB",
            "check, CPU-ms: median / 99 %",
            "answers",
            "recall, 8 canonical words",
            "recall, 30 words",
        ],
        beside_peers(rows, {1: "more", 2: "less", 3: "less", 4: "less"}),
    )
    yield (
        "In bold what a peer does better. An index in memory answers sooner than one that asks a "
        "database, and an index of signatures or of a few words is made sooner and smaller; those "
        "that are quickest to make find little of what was planted."
    )
    yield provenance(section)


def _times(run: Figure, kind: str) -> str:
    return f"{run[kind]['cpu_ms_median']:.2f} / {run[kind]['cpu_ms_p99']:.2f}"


def _disk(run: Figure) -> str:
    if "memory" in run:
        index = run["sketches_bytes"] + run["index_bytes"]
        whole = run["database_bytes"] + run["index_bytes"]
        return f"{index / 1e6:,.0f} ({whole / 1e6:,.0f} with texts)"
    return "none" if run["disk_bytes"] is None else rounded(run["disk_bytes"] / 1e6)


def _memory(run: Figure) -> float:
    """What an index adds to a process that is ready to ask."""
    if "memory" in run:
        return float(run["memory"]["warm_mb"] - run["memory"]["opened_mb"])
    return float(run["memory_mb"])


def _growth(section: Section | None) -> Iterator[str]:
    figures = by_name(section)
    if section is None or not figures:
        return
    points = good_runs(figures["growth"])[0]["points"]
    yield "### A library that grows"
    yield (
        "One library of short documents on SQLite. Adding is that of the documents since the size "
        "before. Up to 131,072 postings stay in memory and are no segment yet. Asked: at most "
        f"{MEMORY_MB} MB, whatever the size."
    )
    yield table(
        [
            "documents",
            "added per CPU-s",
            "check, CPU-ms: median / 99 %",
            "opening and first check, CPU-ms",
            "bytes a posting",
            "recall, 8 / 30 words",
            "memory, MB: checked / index made",
        ],
        [_point(point) for point in points],
    )
    yield "![Cost against size](plots/library.svg)"
    yield provenance(section)


def _point(point: Figure) -> Row:
    return [
        f"{point['documents']:,}",
        rounded(added_per_second(point)),
        f"{slowest_ms(point, 'cpu_ms_median'):.2f} / {slowest_ms(point, 'cpu_ms_p99'):.2f}",
        rounded(1e3 * point["open_cpu_s"], 1),
        rounded(point["bytes_per_posting"], 1),
        " / ".join(map(str, _recalls(point))),
        f"{warm_memory(point).shown} / {cold_memory(point).shown}",
    ]


def _million(section: Section | None) -> Iterator[str]:
    figures = own_figures(section)
    for number, figure in enumerate(figures.values()):
        run = good_runs(figure)[0]
        if not number:
            yield f"### {run['documents']:,} documents"
        median = middle(figure, lambda each: slowest_ms(each, "cpu_ms_median"))
        yield (
            f"Short ones, on {ENGINES[run['engine']]}. Asked: a check of at most {MILLION_MS} "
            f"CPU-ms. It takes "
            f"{cell_of(rounded(median, 2), (median or 0) <= MILLION_MS).shown} (99 %: "
            f"{slowest_ms(run, 'cpu_ms_p99'):.2f}) and {run['memory']['warm_mb']:.0f} MB, with a "
            f"recall of {' and '.join(map(str, _recalls(run)))}; {added_per_second(run):,.0f} were "
            f"added per CPU-second. The database takes {run['database_bytes'] / 1e9:.2f} GB and "
            f"the segments {run['index_bytes'] / 1e9:.2f} GB."
        )
    yield from beside_release(section)
    yield from second_index(section)
    if section and figures:
        yield provenance(section)


def _faults(sections: Sections) -> Iterator[str]:
    told = {name: sections[name] for name in ENGINES if name in sections}
    if not told:
        return
    yield "### Killed at any moment"
    yield (
        "`kill -9` at moments drawn uniformly over a measured run of each kind of work. Afterwards "
        "everything that had been reported as finished is there, `verify` finds nothing, and the "
        "work goes on to its end. *Where* says how many fell in each tenth of a run. In a crowd "
        "eight processes add, check and remove at once. Asked: 200 kills, nothing broken."
    )
    works = list(
        dict.fromkeys(w for section in told.values() for w in section["figures"]["by_work"])
    )
    rows = []
    for name, section in told.items():
        figures = section["figures"]
        broken = len(figures["broken"])
        rows.append(
            [
                ENGINES[name],
                figures["kills"],
                *(figures["by_work"].get(work, 0) for work in works),
                " ".join(map(str, figures["by_tenth"])),
                figures["crowds"],
                f"**{broken}: {_what_broke(figures['broken'])}**" if broken else 0,
            ]
        )
    yield table(["engine", "kills", *works, "where", "crowds", "broken"], rows)
    for name, section in told.items():
        yield f"{ENGINES[name]}: {provenance(section)}"


def _what_broke(broken: list[dict[str, Any]]) -> str:
    return "; ".join(f"{one['work']}: {one['broken']}" for one in broken)
