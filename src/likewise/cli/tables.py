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
    languages = ocr_languages(ocr)
    with progress(quiet=quiet, as_json=as_json) as on_progress:
        pairs = find_tables(
            a,
            b,
            threshold=LEAST_SCORE if threshold is None else threshold,
            jobs=jobs,
            cache=not no_cache,
            ocr=languages,
            progress=on_progress,
        )
    seconds = time.monotonic() - began
    if as_json:
        _print_json(pairs, limit, seconds)
    else:
        _print_text(pairs, limit, seconds)
    if pairs.unread and not pairs.documents:
        raise BadInput("cli.nothing_read", about=a, name=pairs.unread[0].name)
    if strict and pairs.unread:
        raise typer.Exit(2)
    if fail_on_match and len(pairs):
        raise typer.Exit(1)


def _print_json(pairs: "TablePairs", limit: int | None, seconds: float) -> None:
    from likewise.cli.shared import json_lines
    from likewise.settings import Settings

    for pair in pairs[: len(pairs) if limit is None else limit]:
        json_lines.write_record(for_programs(pair))
    for unread in pairs.unread:
        json_lines.write_record(json_lines.unread_record(unread))
    for name, note in pairs.notes:
        json_lines.write_record(json_lines.note_record(name, note))
    summary = {
        "type": "summary",
        "documents": pairs.documents,
        "tables": pairs.tables,
        "pairs": len(pairs),
        "unread": len(pairs.unread),
        "notes": len(pairs.notes),
        "threshold": pairs.threshold,
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


def _print_text(pairs: "TablePairs", limit: int | None, seconds: float) -> None:
    from likewise.cli.shared import screen, table_grids

    console = screen.open_console()
    first_pairs = pairs[: table_grids.MAX_PAIRS if limit is None else limit]
    if first_pairs:
        table_grids.print_ranking(console, first_pairs)
        how = "--limit shows more, --json all"
        screen.print_remaining(console, len(pairs) - len(first_pairs), "pair", how)
        table_grids.print_grids(console, first_pairs[: table_grids.MAX_GRIDS])
    elif not len(pairs):
        console.print(_nothing(pairs))
    screen.print_unread(console, pairs.unread)
    screen.print_notes(console, pairs.notes)
    screen.print_closing(
        console,
        screen.format_count(pairs.documents, "document"),
        screen.format_count(pairs.tables, "table"),
        screen.format_count(len(pairs), "pair"),
        f"likeness ≥ {pairs.threshold:g}",
        screen.format_seconds(seconds),
        method="rows and columns in any order; likeness is the share explained beyond chance",
    )


def _nothing(pairs: "TablePairs") -> str:
    """Why there are no pairs."""
    if not pairs.tables:
        return "No tables here: nothing to compare."
    if pairs.tables == 1 and len(pairs.sides) == 1:
        return "One table, and nothing to compare it with."
    for letter, tables in zip("AB", pairs.sides, strict=False):
        if not tables:
            return f"No tables in {letter}: nothing to compare with."
    return f"No two tables reach the threshold of {pairs.threshold:g}."
