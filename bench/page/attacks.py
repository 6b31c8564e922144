"""What somebody with time tried, and what got through, as a table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from bench.page.leftovers import plainly
from bench.page.tables import Section, provenance, table, worse

BEFORE = " before"  # behind the name of a section that is about earlier code


def attacks_page(sections: dict[str, Section]) -> Iterator[str]:
    """One table of all attempts; then what is known about each part."""
    now = {name: section for name, section in sections.items() if not name.endswith(BEFORE)}
    if not sections:
        return
    yield "## Attacks"
    yield (
        "What was tried to stop it, to look around in it, or to have it lose something; *before* "
        "is the same against earlier code, or what somebody found who tried by hand. Asked: "
        "nothing gets through, unless the row names another figure."
    )
    rows = [
        row for name, section in now.items() for row in _rows(section, sections.get(name + BEFORE))
    ]
    if rows:
        yield table(["attack", "attempts", "got through before", "got through after"], rows)
    for name, section in now.items():
        yield from _told(name, section["figures"])
        yield f"{_title(name)}: {provenance(section)}"
    for name, section in sections.items():
        if name.endswith(BEFORE):
            title = _title(name.removesuffix(BEFORE))
            yield f"{title}, before (`{section.get('code', '')}`): {provenance(section)}"


def _title(name: str) -> str:
    return name.replace("_", " ").capitalize()


def _rows(section: Section, before: Section | None) -> Iterator[list[object]]:
    earlier = {row["attack"]: row for row in (before or {}).get("figures", {}).get("rows", [])}
    for row in section["figures"].get("rows", []):
        yield [
            row["attack"].replace("|", "/"),
            _number(row["attempts"]),
            _before(row, earlier.get(row["attack"])),
            _after(row),
        ]


def _number(value: Any) -> str:
    return f"{value:,}" if isinstance(value, int) else str(value)


def _before(row: dict[str, Any], earlier: dict[str, Any] | None) -> str:
    if earlier is not None:
        return f"{_number(earlier['got_through'])} of {_number(earlier['attempts'])}"
    return str(row.get("before", "–")).replace("|", "/")


def _after(row: dict[str, Any]) -> str:
    asked = row.get("asked", 0)
    shown = _number(row["got_through"]) + (f" (asked: {asked})" if asked else "")
    return shown if row.get("reached", not row["got_through"]) else worse(shown)


def _told(name: str, figures: dict[str, Any]) -> Iterator[str]:
    if name == "mutated":
        yield from _of_mutated(figures)
    elif name == "kills":
        for told in figures["engines"]:
            yield _of_kills(told)
    elif name == "crowd":
        yield from _of_crowd(figures)
    elif "rows" not in figures:
        yield plainly(figures)


def _of_mutated(figures: dict[str, Any]) -> Iterator[str]:
    outcomes = list(figures["outcomes"])
    yield table(
        ["damaged files", *outcomes],
        [
            [form, *(f"{counts.get(outcome, 0):,}" for outcome in outcomes)]
            for form, counts in figures["formats"].items()
        ],
    )
    yield (
        "*A reason* is a sentence for people; *given up* and *out of memory* are the limits of a "
        "reader, *reader crashed* one that ended, which costs its file alone. The slowest file "
        f"took {figures['slowest_s']:g} s."
    )


def _of_kills(told: dict[str, Any]) -> str:
    killed = ", ".join(f"{number} × {what}" for what, number in told["killed"].items())
    restarts = told["database_restarts"]
    database = f", and the database stopped and started {restarts} times" if restarts else ""
    return (
        f"{told['engine']}: killed were {killed}{database}, in {told['seconds'] / 60:.0f} minutes. "
        f"Accepted meanwhile: {told['accepted']:,} uploads, {told['checks']:,} checks and "
        f"{told['removed']:,} removals. {told['unread_and_told']:,} files of them were not read "
        "because their reader was killed, which their jobs say."
    )


def _of_crowd(figures: dict[str, Any]) -> Iterator[str]:
    rows = []
    for kind, alone in figures["alone"].items():
        beside = figures["beside"].get(kind)
        if beside:
            ratio = figures["ratios"].get(kind)
            rows.append(
                [
                    kind,
                    f"{alone['p50_ms']:,.0f} / {alone['p95_ms']:,.0f}",
                    f"{beside['p50_ms']:,.0f} / {beside['p95_ms']:,.0f}",
                    "–" if ratio is None else f"{ratio:g}",
                ]
            )
    yield table(["ms, p50 / p95", "alone", "beside hostile files", "p95, times"], rows)
    yield f"{figures['users']} people on {figures['engine']}. Ends of what was hostile:"
    ends: dict[tuple[str, str], int] = {}
    for told in figures["hostile"]:
        end = told.get("state") or f"answered {told.get('answer', 'not at all')}"
        why = f": {told['why']}" if told.get("why") else ""
        key = (told["attack"], f"{end}{why}".replace("|", "/"))
        ends[key] = ends.get(key, 0) + 1
    yield table(["hostile", "times", "end"], [[a, n, end] for (a, end), n in ends.items()])
