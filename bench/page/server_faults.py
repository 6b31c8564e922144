"""A server that was hurt while it worked, as tables."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from bench.page.library_asked import ENGINES
from bench.page.tables import Section, provenance, table, worse


def server_faults_page(sections: dict[str, Section]) -> Iterator[str]:
    """What was done to it on each engine, and what was broken afterwards."""
    told = {engine: sections[engine] for engine in ENGINES if engine in sections}
    if not told:
        return
    yield "## A server that is hurt"
    yield (
        "Workers killed by `kill -9` in each kind of job, at moments drawn uniformly over a "
        "measured run (*where* counts them by tenths of it; *too late* are those whose job had "
        "ended); the server killed in the middle of uploads. Afterwards every upload that was "
        "accepted is there once, every job has ended or says why. Asked: nothing broken."
    )
    works = list(dict.fromkeys(w for s in told.values() for w in s["figures"]["by_work"]))
    yield table(
        ["engine", "kills", *works, "where", "too late", "servers killed", "broken"],
        [[ENGINES[engine], *_row(s["figures"], works)] for engine, s in told.items()],
    )
    for engine, section in told.items():
        for other in section["figures"]["others"]:
            yield f"{ENGINES[engine]}: {_sentence(other)}"
        yield f"{ENGINES[engine]}: {provenance(section)}"


def _row(figures: dict[str, Any], works: list[str]) -> list[object]:
    broken = figures["broken"]
    what = "; ".join(f"{each['work']}: {each['broken']}" for each in broken).replace("|", "/")
    return [
        figures["kills"],
        *(figures["by_work"].get(work, 0) for work in works),
        " ".join(map(str, figures["by_tenth"])),
        figures["missed"],
        figures["servers_killed"],
        worse(f"{len(broken)} ({what})") if broken else 0,
    ]


def _sentence(other: dict[str, Any]) -> str:
    if "broken" in other:
        return f"**Not reached:** {other['work']}: {other['broken']}"
    if "left_out" in other:
        return f"the full disk was left out: {other['left_out']}."
    if other["work"] == "outage":
        answers = _counted(other["answers"])
        return (
            f"the database was away for {other['seconds']} s while people handed in. All "
            f"{other['accepted']} uploads that were accepted are there; answers: {answers}."
        )
    return (
        f"a disk of {other['megabytes']} MB was filled up. New uploads got: "
        f"{_counted(other['refused'])}; jobs ended as: {_counted(other['jobs'])}. With room again "
        "all that had been accepted was finished."
    )


def _counted(counts: dict[str, int]) -> str:
    return ", ".join(f"{number} × {what}" for what, number in counts.items()) or "none"
