"""What was asked of the library, and what was measured."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from bench.page.tables import Figure, Section, by_name, good_runs, probability, rounded, table

ENGINES = {"sqlite": "SQLite", "postgresql": "PostgreSQL"}
KINDS = ("eight", "thirty")
ADDED, POSTING_BYTES, MEMORY_MB = 1_000, 13, 200
CHECK_MS, CHECK_P99_MS, MILLION_MS = 5, 25, 10
CHECK_TIMES, ADDING_TIMES = 1.3, 2  # of PostgreSQL to SQLite, of blocks of concepts to none
RAW_RECALL = 0.995


def asked_of_the_library(sections: dict[str, Section]) -> Iterator[str]:
    """A row for each thing asked, a column for each library."""
    runs = {
        (length_of(run), run["engine"]): run
        for figure in by_name(sections.get("library")).values()
        if "release" not in figure
        for run in good_runs(figure)[:1]
    }
    if not runs:
        return
    rows = [
        (what, asked, [target(run) for run in runs.values()]) for what, asked, target in _TARGETS
    ]
    times = [
        check_times_cell(run, runs.get((length, "sqlite"))) for (length, _), run in runs.items()
    ]
    rows.append(("check on PostgreSQL, times SQLite's", f"at most {CHECK_TIMES:g}", times))
    if any("adding" in run for run in runs.values()):
        cells = [adding_times_cell(run) for run in runs.values()]
        rows.append(("adding, times that without blocks", f"at most {ADDING_TIMES:g}", cells))
    columns = [f"{length}, {ENGINES[engine]}" for length, engine in runs]
    yield "### Asked and measured"
    yield table(
        ["what", "asked", *columns],
        [[what, asked, *(cell.shown for cell in cells)] for what, asked, cells in rows],
    )
    missed = [
        f"{what}, {column}, {cell.shown}: {cell.reason}"
        for what, _, cells in rows
        for column, cell in zip(columns, cells, strict=True)
        if not cell.reached
    ]
    if missed:
        yield "Missed: " + "; ".join(missed) + "."


class Cell(NamedTuple):
    """A figure beside what was asked of it."""

    shown: str
    reached: bool
    reason: str = ""


def cell_of(shown: str, reached: bool, reason: str = "") -> Cell:
    """A figure; in bold where it misses."""
    return Cell(shown if reached else f"**{shown}**", reached, reason)


_LONG_CHECK = "a long document has some 5,000 fingerprints, each sought at a place of its own"
_SERVER = "a server is asked over a connection, and its own CPU counts"
_BLOCKS = "the words of every block are looked up, packed and indexed"
_PER_DOCUMENT = "what a database keeps beside the fingerprints of each document counts"
_MAKING = "the index is made of all fingerprints first, and the largest segments are merged"


def _adding(run: Figure) -> Cell:
    value = added_per_second(run)
    asked = run["engine"] == "sqlite" and length_of(run) == "short"
    return cell_of(rounded(value) if asked else f"({rounded(value)})", not asked or value >= ADDED)


def _bytes(run: Figure) -> Cell:
    value = run["bytes_per_posting"]
    return cell_of(rounded(value, 1), value <= POSTING_BYTES, _PER_DOCUMENT)


def _median(run: Figure) -> Cell:
    value = slowest_ms(run, "cpu_ms_median")
    return cell_of(rounded(value, 2), value <= CHECK_MS, _LONG_CHECK)


def _percentile(run: Figure) -> Cell:
    value = slowest_ms(run, "cpu_ms_p99")
    return cell_of(rounded(value, 2), value <= CHECK_P99_MS, _LONG_CHECK)


def _eight(run: Figure) -> Cell:
    return cell_of(probability(run["eight"]["recall"]), run["eight"]["recall"] >= 1)


def _thirty(run: Figure) -> Cell:
    return cell_of(probability(run["thirty"]["recall"]), run["thirty"]["recall"] >= RAW_RECALL)


def warm_memory(run: Figure) -> Cell:
    """Memory of a check with the index on disk."""
    return cell_of(rounded(run["memory"]["warm_mb"]), run["memory"]["warm_mb"] <= MEMORY_MB)


def cold_memory(run: Figure) -> Cell:
    """Memory of a check that has to make the index."""
    return cell_of(
        rounded(run["memory"]["cold_mb"]), run["memory"]["cold_mb"] <= MEMORY_MB, _MAKING
    )


def check_times_cell(run: Figure, on_sqlite: Figure | None) -> Cell:
    """How many times as long a check takes as that of the same library on SQLite."""
    if run["engine"] == "sqlite" or on_sqlite is None:
        return cell_of("–", True)
    value = slowest_ms(run, "cpu_ms_median") / slowest_ms(on_sqlite, "cpu_ms_median")
    return cell_of(rounded(value, 2), value <= CHECK_TIMES, _SERVER)


def adding_times_cell(run: Figure) -> Cell:
    """How many times as long adding takes as without blocks of concepts."""
    if "adding" not in run:
        return cell_of("–", True)
    value = run["adding"]["with_blocks_cpu_s"] / run["adding"]["without_cpu_s"]
    return cell_of(rounded(value, 2), value <= ADDING_TIMES, _BLOCKS)


_TARGETS: list[tuple[str, str, Callable[[Figure], Cell]]] = [
    ("documents added per CPU-s", f"{ADDED:,} or more, short, SQLite", _adding),
    ("bytes a posting, database and segments", f"at most {POSTING_BYTES}", _bytes),
    ("check, CPU-ms, median", f"at most {CHECK_MS}", _median),
    ("check, CPU-ms, 99th percentile", f"at most {CHECK_P99_MS}", _percentile),
    ("recall, 8 canonical words", "1", _eight),
    ("recall, 30 words", f"at least {probability(RAW_RECALL)}", _thirty),
    ("memory of a check, MB", f"at most {MEMORY_MB}", warm_memory),
    ("memory of a check that makes the index first, MB", f"at most {MEMORY_MB}", cold_memory),
]


def length_of(run: Figure) -> str:
    """Whether its documents are short or long."""
    return "short" if run["words"] < 1_000 else "long"


def added_per_second(run: Figure) -> float:
    """Documents added per CPU-second, until the index knows them."""
    added = run.get("added", run["documents"])
    return float(added / (run["add_cpu_s"] + run.get("index_cpu_s", 0)))


def check_ms(run: Figure, kind: str, measure: str) -> float:
    """CPU milliseconds of a check, the server's included."""
    return float(run[kind][measure] + run[kind]["server_cpu_ms_mean"])


def slowest_ms(run: Figure, measure: str) -> float:
    """CPU milliseconds of a check, of the kind of passage that takes longer."""
    return max(check_ms(run, kind, measure) for kind in KINDS)
