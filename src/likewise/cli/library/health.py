"""`likewise library stats`, `verify`, `rebuild`, `upgrade`: how a library is."""

from __future__ import annotations

from pathlib import Path

import typer

from likewise.cli.shared.json_lines import write_record
from likewise.cli.shared.library import Place, open_library, place_of
from likewise.cli.shared.library_output import (
    display_address,
    format_bytes,
    print_done,
    print_facts,
    print_line,
)
from likewise.cli.shared.options import AsJson, Quiet
from likewise.errors import BadInput

PROBLEMS = 1  # the exit status of a library that does not agree with itself

STATS_EXAMPLES = """[bold]Example[/]

  likewise library stats --library campus.db --json
"""
VERIFY_EXAMPLES = """[bold]Example[/]

  likewise library verify --library campus.db
"""
REBUILD_EXAMPLES = """[bold]Example[/]

  likewise library rebuild --library campus.db
"""
UPGRADE_EXAMPLES = """[bold]Example[/]

  likewise library upgrade --library campus.db
"""


def stats(*, library: Place = None, as_json: AsJson = False) -> None:
    """How large it is, and whether a rebuild is due."""
    from dataclasses import asdict

    with open_library(library, read_only=True) as opened:
        found = opened.stats()
    if as_json:
        write_record({"type": "stats", "library": opened.name, **asdict(found)})
        return
    per_posting = (found.fingerprint_bytes + found.index_bytes) / max(1, found.postings)
    print_facts(
        opened.name,
        [
            ("documents", f"{found.documents:,}"),
            ("of these with the text of another", f"{found.copies:,}"),
            ("handed in again", f"{found.references:,}"),
            ("words that count", f"{found.words:,}"),
            ("fingerprints", f"{found.postings:,}, {per_posting:.1f} bytes each"),
            ("tables inside them", f"{found.tables:,}"),
            ("database", format_bytes(found.database_bytes)),
            ("index on this machine", format_bytes(found.index_bytes)),
            ("wait for a rebuild", f"{found.stale:,}"),
        ],
    )
    if found.stale:
        print_line("`likewise library rebuild` renews what is stale.")


def verify(*, library: Place = None, as_json: AsJson = False, quiet: Quiet = False) -> None:
    """Whether texts, fingerprints, counts and index agree; status 1 if not."""
    from likewise.cli.shared.progress import progress

    with open_library(library, read_only=True) as opened:
        with progress(quiet=quiet, as_json=as_json) as tell:
            problems = opened.verify(tell)
        documents = len(opened)
    if as_json:
        for problem in problems:
            write_record({"type": "problem", "message": str(problem)} | problem.for_programs())
        write_record({"type": "summary", "documents": documents, "problems": len(problems)})
    else:
        for problem in problems:
            print_line(str(problem))
        things = "1 thing does not" if len(problems) == 1 else f"{len(problems):,} things do not"
        how = "all is well" if not problems else f"{things} agree"
        print_line(f"{'1 document' if documents == 1 else f'{documents:,} documents'}: {how}.")
    if problems:
        raise typer.Exit(PROBLEMS)


def rebuild(*, library: Place = None, as_json: AsJson = False, quiet: Quiet = False) -> None:
    """Renew stale fingerprints; checks go on meanwhile, and it may be stopped and run again."""
    from likewise.cli.shared.progress import progress

    with open_library(library) as opened, progress(quiet=quiet, as_json=as_json) as tell:
        renewed = opened.rebuild(tell)
    if as_json:
        write_record({"type": "summary", "rebuilt": renewed})
    elif renewed:
        print_line(f"The fingerprints of {renewed:,} documents were made anew.")
    else:
        print_line("Nothing is stale.")


def upgrade(*, library: Place = None, as_json: AsJson = False) -> None:
    """Bring a library of an older Likewise up to date; a backup before it is a good idea."""
    from likewise.library import upgrade as bring_up_to_date
    from likewise.library import version_at

    place, _ = place_of(library)
    shown = display_address(place)
    if ("://" not in place and not Path(place).exists()) or version_at(place) is None:
        raise BadInput("library.no_library", about=shown)
    bring_up_to_date(place)
    with open_library(place) as opened:
        documents = len(opened)
    print_done(as_json, "upgraded", documents, "{} in a library that is up to date.")
