"""`likewise list`: what the library holds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from likewise.cli.libraries import Place, entry_for_programs, open_library, takes_filters
from likewise.cli.options import AsJson

if TYPE_CHECKING:
    from likewise.library import Entry, Filters, Listing

EXAMPLES = """[bold]Examples[/]

  likewise list
  likewise list nurlan aral --library campus.db
  likewise list --type thesis --year 2019- --sort -year --limit 20 --page 2
  likewise list --tag spring --json > spring.jsonl
"""
SHOWN = 50
FIGURES_COLUMNS = 62  # what everything but the name takes


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
        from likewise.cli import as_json as result

        for entry in found.entries:
            result.write({"type": "document", **entry_for_programs(entry)})
        result.write({"type": "summary", "library": opened.name, "documents": found.total})
        return
    _to_people(found, page, size or SHOWN, opened.name)


def _to_people(found: Listing, page: int, size: int, place: str) -> None:
    from likewise.cli import show
    from likewise.cli.names import printable

    console = show.page()
    if found.entries:
        documents_table(found.entries)
    elif found.total:
        console.print("There are not so many pages.")
    else:
        console.print("No document fits.")
    first = (page - 1) * size + 1
    last = first + len(found.entries) - 1
    shown = f"{first:,} to {last:,} of " if 0 < len(found.entries) < found.total else ""
    show.closing(
        console,
        f"{shown}{show.count(found.total, 'document')}",
        f"--page {page + 1} shows more" if last < found.total else "",
        method=f"Library: {printable(place)}",
    )


def documents_table(entries: tuple[Entry, ...]) -> None:
    """Documents, a line each."""
    from rich.text import Text

    from likewise.cli import show
    from likewise.cli.names import printable, shortened

    console = show.page()
    headings = ("id", "name", "author", "type", "year", "", "words", "added")
    made = show.table(*headings, right=(0, 4, 6))
    room = max(console.width - FIGURES_COLUMNS, show.LEAST_NAME_COLUMNS)
    for entry in entries:
        marks = [f"copy of {entry.copy_of}" if entry.copy_of else ""]
        marks += [f"{len(entry.again) + 1} times" if entry.again else ""]
        marks += [f"in {entry.collection}" if entry.collection else "", *entry.tags]
        about = f"  {', '.join(filter(None, marks))}" if any(marks) else ""
        name = shortened(entry.name, room)
        made.add_row(
            Text(str(entry.id), style=show.FAINT),
            Text.assemble(name, (shortened(about, max(room - len(name), 0)), show.FAINT)),
            Text(shortened(entry.author or "", 16)),
            Text(shortened(entry.type or "", 8)),
            Text(str(entry.year or "")),
            Text(printable(entry.language or ""), style=show.FAINT),
            Text(f"{entry.words:,}"),
            Text(entry.added_on.strftime("%Y-%m-%d"), style=show.FAINT),
        )
    console.print(made)
