"""`likewise library stats`, `verify`, `rebuild`, `upgrade`: how a library is."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from likewise.cli.library.recipe import recipe_facts, recipe_record
from likewise.cli.shared.json_lines import write_record
from likewise.cli.shared.library import Place, open_library, resolve_place
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
REBUILD_EXAMPLES = """[bold]Examples[/]

  likewise library rebuild --library campus.db
  likewise library recipe --shingle 4 && likewise library rebuild
"""
UPGRADE_EXAMPLES = """[bold]Examples[/]

  likewise library upgrade --library campus.db
  likewise library upgrade --create --library postgresql://campus/library
"""


def _documents(number: int) -> str:
    return "1 document" if number == 1 else f"{number:,} documents"


def stats(*, place: Place = None, as_json: AsJson = False) -> None:
    """How large it is, and whether a rebuild is due."""
    from dataclasses import asdict

    with open_library(place, read_only=True) as library:
        figures, settings = library.stats(), library.settings
    if as_json:
        record = {"type": "stats", "library": library.name, **asdict(figures)}
        write_record({**record, "recipe": recipe_record(settings)})
        return
    per_posting = (figures.fingerprint_bytes + figures.index_bytes) / max(1, figures.postings)
    block_bytes = figures.block_bytes + figures.block_index_bytes
    per_key = block_bytes / max(1, figures.block_postings)
    waiting = max(figures.stale, figures.without_blocks)
    print_facts(
        library.name,
        [
            ("documents", f"{figures.documents:,}"),
            ("of these with the text of another", f"{figures.copies:,}"),
            ("handed in again", f"{figures.references:,}"),
            ("words that count", f"{figures.words:,}"),
            ("fingerprints", f"{figures.postings:,}, {per_posting:.1f} bytes each"),
            ("shingles", dict(recipe_facts(settings))["shingles"]),
            ("tables inside them", f"{figures.tables:,}"),
            ("blocks of concepts", f"{figures.blocks:,}"),
            ("keys of blocks", f"{figures.block_postings:,}, {per_key:.1f} bytes each"),
            ("database", format_bytes(figures.database_bytes)),
            ("index on this machine", format_bytes(figures.index_bytes)),
            ("index of concepts on this machine", format_bytes(figures.block_index_bytes)),
            ("wait for a rebuild", f"{waiting:,}"),
        ],
    )
    if figures.without_blocks:
        texts = _documents(figures.without_blocks)
        print_line(f"{texts} cannot be found by meaning yet, by words alone.")
    if waiting:
        print_line("`likewise library rebuild` renews what is stale.")


def verify(*, place: Place = None, as_json: AsJson = False, quiet: Quiet = False) -> None:
    """Whether texts, fingerprints, blocks, counts and indexes agree; status 1 if not."""
    from likewise.cli.shared.progress import progress

    with open_library(place, read_only=True) as library:
        with progress(quiet=quiet, as_json=as_json) as on_progress:
            problems = library.verify(on_progress)
        documents = len(library)
    if as_json:
        for problem in problems:
            write_record({"type": "problem", "message": str(problem), **problem.for_programs()})
        write_record({"type": "summary", "documents": documents, "problems": len(problems)})
    else:
        for problem in problems:
            print_line(str(problem))
        things = "1 thing does not" if len(problems) == 1 else f"{len(problems):,} things do not"
        how = "all is well" if not problems else f"{things} agree"
        print_line(f"{_documents(documents)}: {how}.")
    if problems:
        raise typer.Exit(PROBLEMS)


def rebuild(*, place: Place = None, as_json: AsJson = False, quiet: Quiet = False) -> None:
    """Renew stale fingerprints; checks go on meanwhile, and it may be stopped and run again.

    They are stale after `likewise library recipe` or `stop-words` has changed something. Documents
    that an older Likewise has added are given their blocks of concepts, by which they are found if
    somebody has rewritten or translated them.
    """
    from likewise.cli.shared.progress import progress

    renewed: dict[str, int] = {}
    with open_library(place) as library, progress(quiet=quiet, as_json=as_json) as on_progress:

        def note(stage: str, done: int, total: int) -> None:
            renewed[stage] = done
            if on_progress is not None:
                on_progress(stage, done, total)

        rebuilt = library.rebuild(note)
    if as_json:
        write_record({"type": "summary", "rebuilt": rebuilt})
        return
    if number := renewed.get("making fingerprints"):
        print_line(f"The fingerprints of {_documents(number)} were made anew.")
    if number := renewed.get("finding concepts"):
        print_line(f"The blocks of concepts of {_documents(number)} were made.")
    if not rebuilt:
        print_line("Nothing is stale.")


def upgrade(
    *,
    place_option: Place = None,
    create: Annotated[
        bool, typer.Option("--create", help="Make the library, where there is none yet.")
    ] = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Bring a library of an older Likewise up to date; a backup before it is a good idea.

    What this version keeps besides is made from the stored texts, no file is read again. That may
    be stopped: checks go on against what there is, and `likewise library rebuild` does the rest.
    """
    from likewise.cli.shared.progress import progress
    from likewise.library import upgrade as bring_up_to_date
    from likewise.library import version_at

    place, _ = resolve_place(place_option)
    address = display_address(place)
    if ("://" not in place and not Path(place).exists()) or version_at(place) is None:
        if not create:
            raise BadInput("library.no_library", about=address)
        open_library(place, create=True).close()
    bring_up_to_date(place)
    with open_library(place) as library, progress(quiet=quiet, as_json=as_json) as on_progress:
        library.rebuild(on_progress)  # what an older Likewise has not made, from stored texts
        documents = len(library)
    print_done(as_json, "upgraded", documents, "{} in a library that is up to date.")
