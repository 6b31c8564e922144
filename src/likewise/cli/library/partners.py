"""`likewise library export`, `key`: fingerprints for partners."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from likewise.cli.shared.library import Place, open_library, takes_filters
from likewise.cli.shared.library_output import format_bytes, print_done, print_line
from likewise.cli.shared.options import AsJson, Quiet

if TYPE_CHECKING:
    from likewise.library import Filters


EXPORT_EXAMPLES = """[bold]Examples[/]

  likewise library key campus.key
  likewise library export --fingerprints campus.lwf --key-file campus.key --with name,year
"""
KEY_EXAMPLES = """[bold]Example[/]

  likewise library key campus.key
"""


@takes_filters
def export(
    *,
    fingerprints: Annotated[
        Path, typer.Option(metavar="FILE.lwf", help="The file to be written, for partners.")
    ],
    key_file: Annotated[
        Path, typer.Option(metavar="KEY", help="The secret that you share with them.")
    ],
    place: Place = None,
    fields: Annotated[
        str,
        typer.Option(
            "--with",
            metavar="LIST",
            help="What they hear about a document: name, author, organisation, type, language, "
            "year, month, advisor, owner; without it its number alone.",
        ),
    ] = "",
    label: Annotated[
        str, typer.Option(metavar="NAME", help="What they call you; default the file's name.")
    ] = "",
    filters: Filters | None = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Fingerprints for partners: they learn whether and how much, and no text."""
    from likewise.cli.shared.progress import progress
    from likewise.library import export_fingerprints, read_key

    key = read_key(key_file)
    names = [name.strip() for name in fields.split(",") if name.strip()]
    with (
        open_library(place, read_only=True) as library,
        progress(quiet=quiet, as_json=as_json) as on_progress,
    ):
        documents = export_fingerprints(
            library,
            fingerprints,
            key,
            fields=names,
            label=label,
            filters=filters,
            progress=on_progress,
        )
    size = format_bytes(fingerprints.stat().st_size)
    print_done(as_json, "export", documents, f"The fingerprints of {{}} in {fingerprints}, {size}.")


def key(
    *, file: Annotated[Path, typer.Argument(metavar="FILE", help="A file that is not there yet.")]
) -> None:
    """A new secret for fingerprints, to be shared with partners and nobody else."""
    from likewise.library import make_key

    make_key(file)
    print_line(f"A new key is in {file}. Whoever has it can test texts against your fingerprints.")
