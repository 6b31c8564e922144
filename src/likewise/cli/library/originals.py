"""`likewise library originals`: where the files are that documents were read from."""

from __future__ import annotations

from typing import Annotated

import typer

from likewise.cli.shared.json_lines import write_record
from likewise.cli.shared.library import Place, open_library
from likewise.cli.shared.library_output import print_line
from likewise.cli.shared.options import AsJson, Quiet
from likewise.errors import BadInput

EXAMPLES = """[bold]Examples[/]

  likewise library originals --library campus.db
  LIKEWISE_ORIGINALS=s3://campus/likewise likewise library originals --move
  likewise library originals --into-database
"""


def originals(
    *,
    place_option: Place = None,
    move: Annotated[
        bool,
        typer.Option("--move", help="Move those in the database to the store that is chosen."),
    ] = False,
    into_database: Annotated[
        bool, typer.Option("--into-database", help="Move those in a store into the database.")
    ] = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """How many original files the database holds and how many a store does; moves them.

    The store is named by LIKEWISE_ORIGINALS, as in s3://bucket/prefix. Servers and workers may go
    on meanwhile; stopped, it goes on when it is called again.
    """
    from likewise.cli.shared.progress import progress
    from likewise.library.originals import chosen_place

    if move and into_database:
        raise BadInput("cli.originals_one_way")
    if move and chosen_place() is None:
        raise BadInput("cli.originals_no_store", variable="LIKEWISE_ORIGINALS")
    moved = deleted = 0
    with (
        open_library(place_option) as library,
        progress(quiet=quiet, as_json=as_json) as on_progress,
    ):
        if move or into_database:
            moved, deleted = library.move_originals(
                into_database=into_database, progress=on_progress
            )
        in_database, in_store = library.count_originals()
    if as_json:
        figures = {"in_database": in_database, "in_store": in_store, "moved": moved}
        write_record({"type": "originals", **figures, "deleted": deleted})
        return
    if move or into_database:
        print_line(f"{moved:,} originals were moved.")
    print_line(f"{in_database:,} originals are in the database, {in_store:,} in a store.")
