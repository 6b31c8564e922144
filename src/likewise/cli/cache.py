"""`likewise cache …`: what was read or fetched once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from likewise.cli.shared.options import AsJson, sha256_of_file
from likewise.errors import BadInput

PURGE_EXAMPLES = """[bold]Examples[/]

  likewise cache purge
  likewise cache purge --older 30
  likewise cache purge --file essay.docx
"""

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["--help", "-h"]},
    help="What was read once and is kept to be read faster.",
    epilog=PURGE_EXAMPLES,
)


@app.command("purge", epilog=PURGE_EXAMPLES)
def purge(
    *,
    file: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="Only what was read of these very bytes."),
    ] = None,
    older: Annotated[
        float | None,
        typer.Option(metavar="DAYS", min=0, help="Only what was made so many days ago."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Delete what was read or fetched once; it is read again when it is needed."""
    from likewise.cli.shared.json_lines import write_record
    from likewise.cli.shared.library_output import print_line
    from likewise.reading.cache import cache_folder, cache_in

    if file and older is not None:
        raise BadInput("cli.file_or_older")
    cache, hashes = cache_in(cache_folder()), [sha256_of_file(path) for path in file or ()]
    if older is not None:
        count = cache.purge_older(older) + cache.purge_unnamed()
    elif hashes:
        count = cache.purge(hashes) + cache.purge_unnamed()
    else:
        count = cache.purge()
    try:
        from likewise.internet.cache import page_cache
    except ImportError:  # nothing was ever fetched
        pages = 0
    else:
        fetched_pages = page_cache()
        pages = (
            fetched_pages.purge_older(older)
            if older is not None
            else fetched_pages.purge(hashes or None)
        )
    if as_json:
        write_record({"type": "summary", "entries": count, "pages": pages})
    else:
        print_line(f"{count:,} documents and {pages:,} pages deleted from {cache_folder()}.")
