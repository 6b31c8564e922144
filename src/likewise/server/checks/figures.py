"""The figures of many checks as a table, for a spreadsheet."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from io import StringIO

from likewise.catalogue import LanguageCode, Words
from likewise.model import WORDINGS
from likewise.report.csv import guarded
from likewise.report.paper.sections import note_kind
from likewise.server.checks.service import SavedCheck
from likewise.server.jobs.queue import State

_STATES: dict[State, str] = {
    "queued": "server.figures_state_queued",
    "running": "server.figures_state_running",
    "done": "server.figures_state_done",
    "failed": "server.figures_state_failed",
    "cancelled": "server.figures_state_cancelled",
}
_SHARES = ("similar", "quoted", "excluded", "original")


def figures_csv(checks: Iterable[SavedCheck], language: LanguageCode) -> str:
    """A row for each check, its figures as spreadsheets of the language expect them."""
    words = Words(language)
    buffer = StringIO()
    writer = csv.writer(buffer, delimiter="," if words.decimal_sign == "." else ";")
    writer.writerow(
        [
            *(words("batch.document"), words("server.figures_state"), words("server.figures_date")),
            *(words("server.figures_by"), *(words(f"shares.{name}") for name in _SHARES)),
            *(words(f"wording.{each}") for each in WORDINGS),
            *(words("sources.heading"), words("sources.passages"), words("server.figures_tricks")),
        ]
    )
    for check in checks:
        writer.writerow([_cell(cell, words) for cell in _row(check, words)])
    return buffer.getvalue()


def _row(check: SavedCheck, words: Words) -> list[str | int | float]:
    summary = check.summary or {}
    shares, wordings = summary.get("shares", {}), summary.get("wordings") or {}
    return [
        *(check.name, words(_STATES[check.state]), check.made_on.date().isoformat()),
        check.owner,
        *(_share(shares.get(name)) for name in _SHARES),
        *(_share(wordings.get(each)) for each in WORDINGS),
        *(summary.get("sources", ""), summary.get("passages", "")),
        ", ".join(note_kind(kind, words) for kind in summary.get("disguises", ())),
    ]


def _share(value: float | None) -> float | str:
    return "" if value is None else round(value, 4)


def _cell(cell: str | int | float, words: Words) -> str | int | float:
    if isinstance(cell, float) and words.decimal_sign != ".":
        return str(cell).replace(".", words.decimal_sign)
    return guarded(cell) if isinstance(cell, str) else cell
