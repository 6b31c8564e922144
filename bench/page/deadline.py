"""Students who hand in before a deadline while teachers read, as tables."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from bench.page.library_asked import ENGINES, cell_of
from bench.page.tables import Section, provenance, rounded, table

MOST_TIMES = 2


def deadline_part(sections: dict[str, Section]) -> Iterator[str]:
    """What was lost, what stands twice, and how much longer pages take meanwhile."""
    found = [sections[engine] for engine in ENGINES if engine in sections]
    if not found:
        return
    runs: list[dict[str, Any]] = [section["figures"] for section in found]
    first = runs[0]
    yield "### The minute before a deadline"
    yield (
        f"{first['students']} students hand in one to three small files (DOCX, PDF, TXT) within "
        f"{first['seconds']:.0f} seconds, while {first['teachers']} teachers open a page every "
        "three seconds: the overview, the assignment, a list of submissions, a report. Some "
        "students hand in again, some lose their connection in the middle of the upload or before "
        "the answer and try once more, some are late. A real `likewise serve` and a worker of its "
        "own, callers in a third process, all on the same cores. The same teachers read in the "
        "same run without hand-ins, before them and afterwards."
    )
    columns = [ENGINES[run["engine"]] for run in runs]
    yield table(["what", "asked", *columns], _counts(runs))
    if any(run["states"].get("waiting") for run in runs):
        yield (
            "The machine was shared with other work, to which the worker gives way: not all was "
            "checked when the run ended."
        )
    yield "Pages, all their calls one after the other, 95 %, in ms: without hand-ins, with them."
    yield table(["page", "asked", *columns], _pages(runs))
    for section in found:
        yield provenance(section)


def _counts(runs: list[dict[str, Any]]) -> list[list[str]]:
    exact = (
        ("hand-ins that were lost", "lost"),
        ("files that stand twice", "twice"),
        ("late or in time against the server's clock", "wrongly_late"),
        ("errors", "errors"),
    )
    plain = (
        ("hand-ins", "hand_ins"),
        ("of them again, with another file", "resubmitted"),
        ("connections lost on the way", "connections_lost"),
        ("files", "rows"),
        ("late", "late"),
    )
    return [
        *([what, "", *(f"{run[key]:,}" for run in runs)] for what, key in plain),
        *(
            [what, "0", *(cell_of(f"{run[key]:,}", run[key] == 0).shown for run in runs)]
            for what, key in exact
        ),
        ["receipt after, ms, 95 %", "", *(rounded(run["hand_in_ms"]["p95"]) for run in runs)],
        [
            "all checked, seconds after the deadline",
            "",
            *(_checked(run) for run in runs),
        ],
    ]


def _pages(runs: list[dict[str, Any]]) -> list[list[str]]:
    return [
        [what, f"at most {MOST_TIMES} times", *(_page(run["pages"][what]) for run in runs)]
        for what in runs[0]["pages"]
    ]


def _page(page: dict[str, Any]) -> str:
    before, beside, times = page["without"]["p95"], page["with"]["p95"], page["times"]
    shown = f"{rounded(before)}, {rounded(beside)}: {times:.1f} times"
    return cell_of(shown, times <= MOST_TIMES).shown


def _checked(run: dict[str, Any]) -> str:
    """The worker gives way to people, and to whatever else runs on the machine."""
    waiting = run["states"].get("waiting", 0)
    return f"{waiting:,} still waited" if waiting else rounded(run["checked_after_seconds"])
