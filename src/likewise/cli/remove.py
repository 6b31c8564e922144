"""`likewise remove`: documents out of the library."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from likewise.cli.shared.library import (
    Place,
    Yes,
    confirm,
    open_library,
    takes_filters,
)
from likewise.cli.shared.options import AsJson
from likewise.errors import BadInput

if TYPE_CHECKING:
    from likewise.library import Entry, Filters, Library

EXAMPLES = """[bold]Examples[/]

  likewise remove 17 23
  likewise remove draft.docx --library campus.db
  likewise remove --owner "A. Nur" --year -2010 --yes
"""
MANY = 1  # more are asked about wherever the answer would come from


@takes_filters
def remove(
    *,
    which: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[ID|NAME]...",
            help="Numbers or whole names, as `list` shows them; where both fit, id:17 or name:17.",
        ),
    ] = None,
    place: Place = None,
    filters: Filters | None = None,
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """Documents out of the library, by number, by name, or all that fit."""
    if not which and filters is None:
        raise BadInput("cli.which_documents")
    from likewise.library import RemoveResult

    with open_library(place) as library:
        entries = _select_entries(library, which, filters)
        asks = len(entries) > MANY or (entries and sys.stdin and sys.stdin.isatty())
        if asks and not (as_json or yes):
            from likewise.cli.shared import screen
            from likewise.cli.shared.library_output import print_documents

            print_documents(tuple(entries[: screen.MAX_ROWS]))
            screen.print_remaining(
                screen.open_console(), len(entries) - screen.MAX_ROWS, "document", "all are removed"
            )
        if asks:
            confirm(f"{_describe(*_count_planned(entries, filters))} from {library.name}.", yes)
        removed = (
            library.remove(*(entry.id for entry in entries), filters=filters)
            if entries
            else RemoveResult()
        )
        remaining = len(library)
    if as_json:
        from likewise.cli.shared import json_lines
        from likewise.cli.shared.library_output import entry_record

        for entry in entries:
            json_lines.write_record({"type": "removed", **entry_record(entry)})
        json_lines.write_record(
            {
                "type": "summary",
                "library": library.name,
                "removed": removed.documents,
                "references": removed.references,
                "documents": remaining,
            }
        )
        return
    from likewise.cli.shared import screen

    console = screen.open_console()
    if not entries:
        console.print("No document fits: nothing was removed.")
        return
    others = screen.format_count(removed.references, "document")
    parts = [
        f"{screen.format_count(removed.documents, 'document')} removed",
        f"{others} left to others who handed them in too" if removed.references else "",
        f"{remaining:,} left",
    ]
    console.print(f"{', '.join(filter(None, parts))}.")


def _count_planned(entries: list[Entry], filters: Filters | None) -> tuple[int, int]:
    """How many documents would go, and how many would stay with others."""
    from likewise.library import Filters
    from likewise.library.remove import remaining_references

    staying_count = sum(
        bool(remaining_references(entry, filters or Filters())) for entry in entries
    )
    return len(entries) - staying_count, staying_count


def _describe(removed_count: int, staying_count: int) -> str:
    words = (
        "1 document is removed"
        if removed_count == 1
        else f"{removed_count:,} documents are removed"
    )
    if staying_count:
        words += f", and {staying_count:,} left to others who handed them in too,"
    return words


def _select_entries(
    library: Library, which: list[str] | None, filters: Filters | None
) -> list[Entry]:
    """The documents that are called, of these the ones that fit."""
    if not which:
        return list(library.list(filters, limit=None).entries)
    from likewise.library import resolve_documents

    entries = [library.entry(number) for number in resolve_documents(library, which)]
    if filters is None:
        return entries
    fitting = {entry.id for entry in library.list(filters, limit=None).entries}
    return [entry for entry in entries if entry.id in fitting]
