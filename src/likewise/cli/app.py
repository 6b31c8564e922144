"""The verbs, put together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer
from typer.main import get_command

from likewise.cli import (
    add,
    admin,
    check,
    compare,
    cross,
    dedup,
    doctor,
    erase,
    find,
    library,
    listing,
    read,
    remove,
    serve,
    tables,
    worker,
)

if TYPE_CHECKING:
    from typer._click import Command  # typer has its own copy, and no public name for it

EXAMPLES = """[bold]Examples[/]

  likewise find essays/ --threshold 0.3
  likewise compare essay.docx source.pdf
  likewise add archive/ && likewise check thesis.docx
  likewise dedup crawl.jsonl.zst --id url --output clean/
  likewise serve

Every command explains itself: likewise find --help
"""

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["--help", "-h"]},
    epilog=EXAMPLES,
)
app.command(epilog=find.EXAMPLES)(find.find)
app.command(epilog=cross.EXAMPLES)(cross.cross)
app.command(epilog=compare.EXAMPLES)(compare.compare)
app.command(epilog=check.EXAMPLES)(check.check)
app.command(epilog=tables.EXAMPLES)(tables.tables)
app.command(epilog=read.EXAMPLES)(read.read)
app.command(epilog=dedup.EXAMPLES)(dedup.dedup)
app.command(epilog=add.EXAMPLES)(add.add)
app.command("list", epilog=listing.EXAMPLES)(listing.list_documents)
app.command(epilog=remove.EXAMPLES)(remove.remove)
app.command(epilog=erase.EXAMPLES)(erase.erase)
app.add_typer(library.app, name="library")
app.add_typer(erase.cache_app, name="cache")
app.command(epilog=serve.EXAMPLES)(serve.serve)
app.command(epilog=worker.EXAMPLES)(worker.worker)
app.add_typer(admin.app, name="admin")
app.command()(doctor.doctor)


def _tell_version(asked: bool) -> None:
    if asked:
        from likewise.version import version

        print(f"likewise {version()}")
        raise typer.Exit


def _tell_licences(asked: bool) -> None:
    if asked:
        from likewise.cli.licences import licences

        print(licences())
        raise typer.Exit


@app.callback()
def likewise(
    version: Annotated[
        bool,
        typer.Option(
            "--version", metavar="", is_eager=True, callback=_tell_version, help="Show the version."
        ),
    ] = False,
    licences: Annotated[
        bool,
        typer.Option(
            "--licences",
            metavar="",
            is_eager=True,
            callback=_tell_licences,
            help="Show what the package contains of others, and its licences.",
        ),
    ] = False,
) -> None:
    """Finds documents that say the same thing."""


def command() -> Command:
    """All of it, as something that can be run."""
    return get_command(app)
