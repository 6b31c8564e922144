"""`likewise library backup`, `restore`, `copy-to`: a library in another place."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from likewise.cli.shared.json_lines import write_record
from likewise.cli.shared.library import Place, Yes, confirm, open_library, resolve_place
from likewise.cli.shared.library_output import (
    display_address,
    format_bytes,
    print_done,
    print_line,
)
from likewise.cli.shared.options import AsJson, Quiet
from likewise.errors import BadInput

if TYPE_CHECKING:
    from likewise.server.database.restore_accounts import RestoreReport

BACKUP_EXAMPLES = """[bold]Example[/]

  likewise library backup monday.db --library campus.db
"""
RESTORE_EXAMPLES = """[bold]Examples[/]

  likewise library restore monday.db --library campus.db
  likewise library restore monday.db --library campus.db --dry-run
"""
COPY_TO_EXAMPLES = """[bold]Examples[/]

  likewise library copy-to postgresql://campus/library --library campus.db
  likewise library copy-to campus.db --library postgresql://campus/library
"""


def backup(
    *,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A file that is not there yet.")],
    place: Place = None,
    keep_days: Annotated[
        int,
        typer.Option(
            "--keep-days",
            metavar="N",
            min=1,
            max=36_500,
            help="When you will delete it: receipts of erasures name it until then.",
        ),
    ] = 35,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """A copy of this moment in one file, while others work; it is a library itself."""
    from likewise.cli.shared.progress import progress
    from likewise.library import back_up
    from likewise.library.backup_notes import note_backup

    with (
        open_library(place, read_only=True) as library,
        progress(quiet=quiet, as_json=as_json) as on_progress,
    ):
        documents = back_up(library, file, on_progress)
    with open_library(place) as library, library.store.beside() as connection:
        note_backup(connection, file.name, keep_days)
    print_done(
        as_json, "backup", documents, f"{{}} in {file}, {format_bytes(file.stat().st_size)}."
    )


def restore(
    *,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A backup.")],
    place_option: Place = None,
    yes: Yes = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", metavar="", help="Only say who would come back.")
    ] = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """A backup in the place of a library; what is there now is replaced.

    Everybody is logged out. Keys that were revoked and people who were deactivated since stay so;
    what becomes active again is listed.
    """
    from likewise.cli.shared.progress import progress
    from likewise.library import restore as put_back
    from likewise.server.database.restore_accounts import report_restore

    place, is_explicit = resolve_place(place_option)
    if not file.is_file():
        raise BadInput("cli.no_file", about=file)
    address = display_address(place)
    report = report_restore(file, place)
    _print_accounts(report, as_json)
    if dry_run:
        return
    if "://" in place or Path(place).exists():
        confirm(f"What is in {address} is replaced by {file}.", yes)
    elif not is_explicit:
        Path(place).parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with progress(quiet=quiet, as_json=as_json) as on_progress:
        documents = put_back(file, place, on_progress)
    print_done(as_json, "restored", documents, f"{{}} restored in {address}.")


def _print_accounts(report: RestoreReport, as_json: bool) -> None:
    """Who is logged out, stays out, or comes back and should be looked at."""
    if as_json:
        write_record({"type": "accounts", **asdict(report)})
        return
    if report.sessions_ended:
        print_line(f"Log ins that end: {report.sessions_ended:,}.")
    for about, names in (
        ("Stays deactivated", report.people_kept_out),
        ("Stays revoked", tuple(f"key {key} of {user}" for key, user in report.keys_kept_out)),
        ("May log in again, look whether that is right", report.people_revived),
        (
            "Good again, look whether that is right",
            tuple(f"key {key} of {user}" for key, user in report.keys_revived),
        ),
    ):
        for one in names:
            print_line(f"{about}: {one}")
    if report.passwords_kept:
        print_line(f"Passwords that stay as they are now: {report.passwords_kept:,}.")


def copy_to(
    *,
    target: Annotated[str, typer.Argument(metavar="PATH|URL", help="An empty place.")],
    place: Place = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """The whole library to another place, between SQLite and PostgreSQL both ways.

    Stopped anywhere, it goes on when it is run again. Everything is compared in the end.
    """
    from likewise.cli.shared.progress import progress
    from likewise.library import copy_library

    with (
        open_library(place, read_only=True) as library,
        progress(quiet=quiet, as_json=as_json) as on_progress,
    ):
        copied = copy_library(library, target, on_progress)
    earlier = f", {copied.before:,} of them by an earlier run" if copied.before else ""
    sentence = f"{{}} copied to {display_address(target)}{earlier}; both are equal."
    print_done(as_json, "copied", copied.documents, sentence)
