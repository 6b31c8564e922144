"""`likewise list`: what the library holds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from likewise.cli.shared.library import Place, open_library, takes_filters
from likewise.cli.shared.options import AsJson

if TYPE_CHECKING:
    from likewise.library import Filters, Listing

EXAMPLES = """[bold]Examples[/]

  likewise list
  likewise list nurlan aral --library campus.db
  likewise list --type thesis --year 2019- --sort -year --limit 20 --page 2
  likewise list --tag spring --json > spring.jsonl
"""
SHOWN = 50


@takes_filters
def list_documents(
    *,
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="[WORD]...", help="Words in names of documents and people."),
    ] = None,
    library: Place = None,
    filters: Filters | None = None,
    sort: Annotated[
        str,
        typer.Option(
            metavar="COLUMN",
            help="id, name, owner, author, added_on, year, language, type or words; -year sorts "
            "backwards.",
        ),
    ] = "id",
    limit: Annotated[
        int | None,
        typer.Option(
            min=1, metavar="N", help=f"So many on a page; default {SHOWN}, with --json all."
        ),
    ] = None,
    page: Annotated[int, typer.Option(min=1, metavar="N", help="Which page.")] = 1,
    as_json: AsJson = False,
) -> None:
    """What the library holds, a page at a time."""
    size = limit if limit is not None or as_json else SHOWN
    with open_library(library, read_only=True) as opened:
        found = opened.list(
            filters,
            search=" ".join(words or ()),
            sort=sort,
            limit=size,
            offset=(page - 1) * (size or 0),
        )
    if as_json:
        from likewise.cli.shared import json_lines
        from likewise.cli.shared.library_output import entry_record

        for entry in found.entries:
            json_lines.write_record({"type": "document", **entry_record(entry)})
        json_lines.write_record(
            {"type": "summary", "library": opened.name, "documents": found.total}
        )
        return
    _to_people(found, page, size or SHOWN, opened.name)


def _to_people(found: Listing, page: int, size: int, place: str) -> None:
    from likewise.cli.shared import screen
    from likewise.cli.shared.library_output import print_documents
    from likewise.cli.shared.printable import printable

    console = screen.open_console()
    if found.entries:
        print_documents(found.entries)
    elif found.total:
        console.print("There are not so many pages.")
    else:
        console.print("No document fits.")
    first = (page - 1) * size + 1
    last = first + len(found.entries) - 1
    shown = f"{first:,} to {last:,} of " if 0 < len(found.entries) < found.total else ""
    screen.print_closing(
        console,
        f"{shown}{screen.format_count(found.total, 'document')}",
        f"--page {page + 1} shows more" if last < found.total else "",
        method=f"Library: {printable(place)}",
    )
