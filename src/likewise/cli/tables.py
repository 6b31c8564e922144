"""`likewise tables`: tables that are near-duplicates of others."""

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from likewise.cli.shared.options import (
    AsJson,
    FailOnMatch,
    Jobs,
    NoCache,
    Ocr,
    Quiet,
    Strict,
    ocr_languages,
)
from likewise.errors import BadInput

if TYPE_CHECKING:
    from likewise.front import TablePair, TablePairs

EXAMPLES = """[bold]Examples[/]

  likewise tables report.docx
  likewise tables reports/ --threshold 0.6
  likewise tables thesis.pdf archive/
  likewise tables prices.csv catalogue.xlsx --json
"""


def tables(
    *,
    a: Annotated[Path, typer.Argument(metavar="A", help="A file, a folder or a ZIP of documents.")],
    b: Annotated[
        Path | None,
        typer.Argument(metavar="B", help="Another one; without it, the tables of A."),
    ] = None,
    threshold: Annotated[
        float | None,
        typer.Option(
            "--threshold",
            "-t",
            metavar="SHARE",
            help="The least likeness of a pair, above 0 to 1; default 0.36, which one pair of "
            "unrelated tables in a thousand reaches.",
        ),
    ] = None,
    limit: Annotated[
        int | None,
        typer.Option(
            min=0,
            metavar="N",
            help="Show so many pairs, the likest; default 20, with --json all. The first three "
            "are drawn cell by cell.",
        ),
    ] = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
    jobs: Jobs = None,
    no_cache: NoCache = False,
    ocr: Ocr = None,
    fail_on_match: FailOnMatch = False,
    strict: Strict = False,
) -> None:
    """Tables that are alike, whatever became of their rows, columns and units."""
    from likewise.cli.shared.progress import progress
    from likewise.front import LEAST_SCORE, find_tables

    began = time.monotonic()
    known = ocr_languages(ocr)
    with progress(quiet=quiet, as_json=as_json) as tell:
        found = find_tables(
            a,
            b,
            threshold=LEAST_SCORE if threshold is None else threshold,
            jobs=jobs,
            cache=not no_cache,
            ocr=known,
            progress=tell,
        )
    seconds = time.monotonic() - began
    if as_json:
        _to_programs(found, limit, seconds)
    else:
        _to_people(found, limit, seconds)
    if found.unread and not found.documents:
        raise BadInput("cli.nothing_read", about=a, name=found.unread[0].name)
    if strict and found.unread:
        raise typer.Exit(2)
    if fail_on_match and len(found):
        raise typer.Exit(1)


def _to_programs(found: "TablePairs", limit: int | None, seconds: float) -> None:
    from likewise.cli.shared import json_lines
    from likewise.settings import Settings

    for pair in found[: len(found) if limit is None else limit]:
        json_lines.write_record(for_programs(pair))
    for unread in found.unread:
        json_lines.write_record(json_lines.unread_record(unread))
    for name, note in found.notes:
        json_lines.write_record(json_lines.note_record(name, note))
    summary = {
        "type": "summary",
        "documents": found.documents,
        "tables": found.tables,
        "pairs": len(found),
        "unread": len(found.unread),
        "notes": len(found.notes),
        "threshold": found.threshold,
        "seconds": seconds,
    }
    json_lines.write_record(summary | json_lines.settings_record(Settings()))


def for_programs(pair: "TablePair") -> dict[str, Any]:
    """A pair as one object; rows, columns and tables are counted from 0."""
    from dataclasses import asdict

    match = pair.match
    sides = {
        side: {"name": name, "table": place, "page": table.page, "caption": table.caption}
        for side, name, table, place in (
            ("a", pair.a, pair.table_a, match.a),
            ("b", pair.b, pair.table_b, match.b),
        )
    }
    return {"type": "tables", **asdict(match), **sides}


def _to_people(found: "TablePairs", limit: int | None, seconds: float) -> None:
    from likewise.cli.shared import screen, table_grids

    console = screen.open_console()
    shown = found[: table_grids.PAIRS_SHOWN if limit is None else limit]
    if shown:
        table_grids.ranked(console, shown)
        how = "--limit shows more, --json all"
        screen.print_remaining(console, len(found) - len(shown), "pair", how)
        table_grids.grids(console, shown[: table_grids.GRIDS_SHOWN])
    elif not len(found):
        console.print(_nothing(found))
    screen.print_unread(console, found.unread)
    screen.print_notes(console, found.notes)
    screen.print_closing(
        console,
        screen.format_count(found.documents, "document"),
        screen.format_count(found.tables, "table"),
        screen.format_count(len(found), "pair"),
        f"likeness ≥ {found.threshold:g}",
        screen.format_seconds(seconds),
        method="rows and columns in any order; likeness is the share explained beyond chance",
    )


def _nothing(found: "TablePairs") -> str:
    """Why there are no pairs."""
    if not found.tables:
        return "No tables here: nothing to compare."
    if found.tables == 1 and len(found.sides) == 1:
        return "One table, and nothing to compare it with."
    for letter, tables in zip("AB", found.sides, strict=False):
        if not tables:
            return f"No tables in {letter}: nothing to compare with."
    return f"No two tables reach the threshold of {found.threshold:g}."
