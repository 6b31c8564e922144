"""`likewise add`: documents into the library."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from likewise.cli.shared.library import Place, open_library
from likewise.cli.shared.options import (
    AsJson,
    Jobs,
    NoCache,
    Ocr,
    Quiet,
    Strict,
    flag,
    ocr_languages,
)
from likewise.errors import BadInput

if TYPE_CHECKING:
    from rich.console import Console

    from likewise.library import AddResult, Library

EXAMPLES = """[bold]Examples[/]

  likewise add archive/
  likewise add theses.zip --library campus.db --type thesis --year 2024
  likewise add essays/ --metadata essays.csv --owner "Dean's office" --tag spring --tag history
"""
METADATA = "What is known about them"


def add(
    *,
    paths: Annotated[
        list[Path], typer.Argument(metavar="PATH...", help="Documents, folders or ZIP archives.")
    ],
    place: Place = None,
    metadata: Annotated[
        Path | None,
        typer.Option(
            metavar="TABLE",
            help="A CSV file: a column `file`, and others called as the options below; several "
            "tags with ; between them.",
            rich_help_panel=METADATA,
        ),
    ] = None,
    owner: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Who adds them.", rich_help_panel=METADATA),
    ] = None,
    author: Annotated[
        str | None, typer.Option(metavar="NAME", help="Who wrote them.", rich_help_panel=METADATA)
    ] = None,
    type: Annotated[
        str | None,
        typer.Option(
            "--type", metavar="TYPE", help="Such as essay or thesis.", rich_help_panel=METADATA
        ),
    ] = None,
    organisation: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Where they were written.", rich_help_panel=METADATA),
    ] = None,
    advisor: Annotated[
        str | None, typer.Option(metavar="NAME", help="Who advised.", rich_help_panel=METADATA)
    ] = None,
    year: Annotated[
        int | None,
        typer.Option(metavar="YEAR", help="When they were written.", rich_help_panel=METADATA),
    ] = None,
    month: Annotated[
        int | None,
        typer.Option(metavar="1-12", help="And in which month.", rich_help_panel=METADATA),
    ] = None,
    tag: Annotated[
        list[str] | None,
        typer.Option(metavar="TAG", help="Any word; may be given again.", rich_help_panel=METADATA),
    ] = None,
    collection: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="Where they stand; collections know nothing of each other.",
        ),
    ] = "",
    keep_original: Annotated[
        bool, flag("--keep-original", help="Keep the files themselves too, not their text alone.")
    ] = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
    jobs: Jobs = None,
    no_cache: NoCache = False,
    ocr: Ocr = None,
    strict: Strict = False,
) -> None:
    """Documents into the library; stopped anywhere, it goes on when it is run again."""
    from likewise.cli.shared.printable import printable
    from likewise.cli.shared.progress import progress
    from likewise.library import AddResult, read_metadata_table

    began = time.monotonic()
    for path in paths:
        if not path.exists():
            raise BadInput("library.no_file_or_folder", about=path)
    table = read_metadata_table(metadata) if metadata else None
    if table and table.ignored:
        columns = ", ".join(map(printable, table.ignored))
        print(f"likewise: {metadata}: columns that say nothing here: {columns}", file=sys.stderr)
    languages = ocr_languages(ocr)
    with open_library(place, create=True) as library:
        added = AddResult()
        with progress(quiet=quiet, as_json=as_json) as on_progress:
            for path in paths:
                added += library.add(
                    path,
                    table=table,
                    keep_original=keep_original,
                    jobs=jobs,
                    cache=not no_cache,
                    ocr=languages,
                    collection=collection,
                    progress=on_progress,
                    owner=owner,
                    author=author,
                    type=type,
                    organisation=organisation,
                    advisor=advisor,
                    year=year,
                    month=month,
                    tags=tuple(tag or ()),
                )
        unmatched = table.unused if table else ()
        seconds = time.monotonic() - began
        if as_json:
            _print_json(library, added, unmatched, seconds)
        else:
            _print_text(library, added, unmatched, seconds)
    if added.unread and not (added.ids or added.again or added.known):
        files = len(added.unread)
        raise BadInput("the file could not be read" if files == 1 else "no file could be read")
    if strict and added.unread:
        raise typer.Exit(2)


def _print_json(
    library: Library, added: AddResult, unmatched: tuple[str, ...], seconds: float
) -> None:
    from likewise.cli.shared import json_lines

    for unread in added.unread:
        json_lines.write_record(json_lines.unread_record(unread))
    for name in added.textless:
        json_lines.write_record({"type": "textless", "name": name})
    for name in unmatched:
        json_lines.write_record({"type": "unmatched", "name": name})
    json_lines.write_record(
        {
            "type": "summary",
            "library": library.name,
            "added": len(added.ids),
            "ids": added.ids,
            "copies": added.copies,
            "again": added.again,
            "known": added.known,
            "filled": added.filled,
            "originals_kept": added.kept,
            "unread": len(added.unread),
            "textless": len(added.textless),
            "unmatched": len(unmatched),
            "documents": len(library),
            "seconds": seconds,
        }
    )


def _print_text(
    library: Library, added: AddResult, unmatched: tuple[str, ...], seconds: float
) -> None:
    from rich.text import Text

    from likewise.cli.shared import screen
    from likewise.cli.shared.printable import printable

    console = screen.open_console()
    parts = [
        f"{screen.format_count(len(added.ids), 'document')} added",
        f"{added.copies:,} of them with the text of another" if added.copies else "",
        f"{added.again:,} handed in again" if added.again else "",
        f"{added.known:,} known already" if added.known else "",
        f"metadata filled in of {added.filled:,}" if added.filled else "",
        f"originals kept of {added.kept:,} that were there" if added.kept else "",
        f"{len(added.unread):,} not read" if added.unread else "",
        f"{len(added.textless):,} without any text" if added.textless else "",
    ]
    console.print(Text(", ".join(part for part in parts if part), style=screen.HEADING))
    screen.print_unread(console, added.unread)
    _print_names(console, "Without any text to compare: scans, pictures or damaged", added.textless)
    _print_names(console, "In the table, and not among the documents", unmatched)
    holds = screen.format_count(len(library), "document")
    screen.print_closing(
        console, holds, screen.format_seconds(seconds), method=f"Library: {printable(library.name)}"
    )


def _print_names(console: Console, heading: str, names: tuple[str, ...]) -> None:
    """Some names under a heading, where there are any."""
    from rich.text import Text

    from likewise.cli.shared import screen
    from likewise.cli.shared.printable import printable

    if not names:
        return
    screen.print_heading(console, heading)
    first_names = ", ".join(map(printable, names[: screen.MAX_LINES]))
    console.print(Text(f"  {first_names}"))
    screen.print_remaining(console, len(names) - screen.MAX_LINES, "name")
