"""The server beside its targets, as a table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from bench.page.deadline import deadline_part
from bench.page.library_asked import ENGINES, cell_of
from bench.page.tables import Section, good_runs, provenance, rounded, table

LIST_MS, CHECK_S, BESIDE_MS = 50, 3, 200
LONGEST_GROWTH_MB = 50  # in an hour


def server_page(
    sections: dict[str, Section], deadline: dict[str, Section] | None = None
) -> Iterator[str]:
    """What people wait for, and how long it goes well."""
    section, hour = sections.get("server"), sections.get("server hour")
    if section is None and hour is None and not deadline:
        return
    yield "## Server"
    yield from _mixed_load(sections)
    yield from deadline_part(deadline or {})


def _mixed_load(sections: dict[str, Section]) -> Iterator[str]:
    section, hour = sections.get("server"), sections.get("server hour")
    if section is None and hour is None:
        return
    yield (
        "A real `likewise serve` with two workers over 100,000 documents, and people who use it "
        "from another process on the same two cores: each asks, waits for the answer and pauses a "
        "second. Server time is what the server itself needed for an answer, waiting for its turn "
        "included."
    )
    for found, title in (
        (section, "Asked and measured"),
        (sections.get("server uploads"), "Twenty uploads at once, since they take turns"),
        (hour, "An hour of mixed load"),
    ):
        if found is None:
            continue
        runs = [run for figure in found["figures"] for run in good_runs(figure)[:1]]
        yield f"### {title}"
        columns = [f"{ENGINES[run['engine']]}, {run['people']} people" for run in runs]
        rows = [row for row in _rows(runs) if any(cell != "–" for cell in row[2:])]
        if found is hour:
            rows = [row for row in rows if "ms" not in row[0] and "check" not in row[0]]
            yield (
                "Both engines at the same time, on a machine that ran tests and other work beside "
                "them: this is about errors and memory, not about times."
            )
        yield table(["what", "asked", *columns], rows)
        yield provenance(found)


def _rows(runs: list[dict[str, Any]]) -> list[list[str]]:
    return [
        [
            "list, server ms, 95 %",
            str(LIST_MS),
            *(_most(run, "list", "list_server_ms", LIST_MS) for run in runs),
        ],
        [
            "check of a 10-page DOCX, upload to result, s, 95 %",
            str(CHECK_S),
            *(_most(run, "check", "check_s", CHECK_S) for run in runs),
        ],
        [
            "other calls beside 20 uploads, ms, 95 %",
            str(BESIDE_MS),
            *(_most(run, "uploads", "other_calls_ms", BESIDE_MS) for run in runs),
        ],
        ["minutes of mixed load", "60", *(f"{run['minutes']:g}" for run in runs)],
        ["calls", "", *(f"{run['calls']:,}" for run in runs)],
        ["errors", "0", *(cell_of(str(run["errors"]), not run["errors"]).shown for run in runs)],
        [
            "memory of the server, MB: first half, second half",
            "flat",
            *(_memory(run, "server") for run in runs),
        ],
        [
            "memory of the workers, MB: first half, second half",
            "flat",
            *(_memory(run, "workers") for run in runs),
        ],
    ]


def _most(run: dict[str, Any], phase: str, key: str, most: float) -> str:
    spread = run["phases"].get(phase, {}).get(key)
    if not spread:
        return "–"
    return cell_of(
        rounded(spread["p95"], 0 if spread["p95"] >= 10 else 2), spread["p95"] <= most
    ).shown


def _memory(run: dict[str, Any], who: str) -> str:
    grown = run.get("memory", {}).get(who)
    if not grown:
        return "–"
    first, second = grown["first_half_mb"], grown["second_half_mb"]
    return cell_of(f"{first:.0f}, {second:.0f}", second - first < LONGEST_GROWTH_MB).shown
