"""Libraries of this code and of an earlier release, measured in turn."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from bench.page.library_asked import (
    ENGINES,
    added_per_second,
    check_times_cell,
    cold_memory,
    length_of,
    slowest_ms,
    warm_memory,
)
from bench.page.tables import Figure, Section, by_name, good_runs, rounded, table


def own_figures(section: Section | None) -> dict[str, Figure]:
    """The figures of this code, by their names."""
    return {n: figure for n, figure in by_name(section).items() if "release" not in figure}


def beside_release(section: Section | None) -> Iterator[str]:
    """A column for each library of this code, and behind it that of the earlier release."""
    figures = by_name(section).values()
    for release in dict.fromkeys(one["release"] for one in figures if "release" in one):
        runs: dict[tuple[str, str, str], Figure] = {}
        for figure in figures:
            if figure.get("release", release) == release:
                run = good_runs(figure)[0]
                runs[figure.get("release", ""), length_of(run), run["engine"]] = run
        yield (
            f"Behind each of them the same library of release {release}, measured in the same run. "
            "Adding counts the server's CPU too, until the index knows a document; that release "
            "had no blocks of concepts."
        )
        columns = [
            f"{ENGINES[engine]}, {length}" + (f", {of}" if of else "")
            for of, length, engine in runs
        ]
        times = [
            check_times_cell(run, runs.get((of, length, "sqlite"))).shown
            for (of, length, _), run in runs.items()
        ]
        rows = [[what, *map(measure, runs.values())] for what, measure in _MEASURES.items()]
        rows.append(["check on PostgreSQL, times SQLite's", *times])
        yield table(["what", *columns], [_only_ours_in_bold(row, list(runs)) for row in rows])


def _only_ours_in_bold(row: list[str], runs: list[tuple[str, str, str]]) -> list[str]:
    """What an earlier release missed is no shortfall of this one."""
    what, *cells = row
    return [
        what,
        *(cell.strip("*") if of else cell for cell, (of, *_) in zip(cells, runs, strict=True)),
    ]


def _adding_ms(run: Figure) -> str:
    added = run.get("added", run["documents"])
    return rounded(1e3 / added_per_second(run) + 1e3 * run["server_add_cpu_s"] / added, 3)


def _adding_without_blocks_ms(run: Figure) -> str:
    adding = run.get("adding")
    return rounded(1e3 * adding["without_cpu_s"] / adding["documents"], 3) if adding else "–"


_MEASURES: dict[str, Callable[[Figure], str]] = {
    "bytes a posting, database and segments": lambda run: rounded(run["bytes_per_posting"], 1),
    "check, CPU-ms, median": lambda run: rounded(slowest_ms(run, "cpu_ms_median"), 2),
    "check, CPU-ms, 99th percentile": lambda run: rounded(slowest_ms(run, "cpu_ms_p99"), 2),
    "adding a document, CPU-ms": _adding_ms,
    "adding without blocks of concepts": _adding_without_blocks_ms,
    "memory of a check, MB": lambda run: warm_memory(run).shown,
    "memory of a check that makes the index first, MB": lambda run: cold_memory(run).shown,
}
