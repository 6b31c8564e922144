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
PAGE_SIZE = 50


@takes_filters
def list_documents(
    *,
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="[WORD]...", help="Words in names of documents and people."),
    ] = None,
    place: Place = None,
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
            min=1, metavar="N", help=f"So many on a page; default {PAGE_SIZE}, with --json all."
        ),
    ] = None,
    page: Annotated[int, typer.Option(min=1, metavar="N", help="Which page.")] = 1,
    as_json: AsJson = False,
) -> None:
    """What the library holds, a page at a time."""
    size = limit if limit is not None or as_json else PAGE_SIZE
    with open_library(place, read_only=True) as library:
        listing = library.list(
            filters,
            search=" ".join(words or ()),
            sort=sort,
            limit=size,
            offset=(page - 1) * (size or 0),
        )
    if as_json:
        from likewise.cli.shared import json_lines
        from likewise.cli.shared.library_output import entry_record

        for entry in listing.entries:
            json_lines.write_record({"type": "document", **entry_record(entry)})
        json_lines.write_record(
            {"type": "summary", "library": library.name, "documents": listing.total}
        )
        return
    _print_text(listing, page, size or PAGE_SIZE, library.name)


def _print_text(listing: Listing, page: int, size: int, place: str) -> None:
    from likewise.cli.shared import screen
    from likewise.cli.shared.library_output import print_documents
    from likewise.cli.shared.printable import printable

    console = screen.open_console()
    if listing.entries:
        print_documents(listing.entries)
    elif listing.total:
        console.print("There are not so many pages.")
    else:
        console.print("No document fits.")
    first = (page - 1) * size + 1
    last = first + len(listing.entries) - 1
    range_text = f"{first:,} to {last:,} of " if 0 < len(listing.entries) < listing.total else ""
    screen.print_closing(
        console,
        f"{range_text}{screen.format_count(listing.total, 'document')}",
        f"--page {page + 1} shows more" if last < listing.total else "",
        method=f"Library: {printable(place)}",
    )
