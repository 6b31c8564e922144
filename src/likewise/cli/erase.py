"""`likewise erase`: documents or people out of everything, and `likewise cache purge`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from likewise.cli.libraries import Place, Yes, open_library, sure
from likewise.cli.options import AsJson, Quiet
from likewise.errors import BadInput, words_of_system

if TYPE_CHECKING:
    from likewise.library import EraseRequest, Library, Preview, Receipt

EXAMPLES = """[bold]Examples[/]

  likewise erase 17 23 --dry-run
  likewise erase 17 23 --library campus.db --receipt erased.json
  likewise erase --person "A. Nur" --library postgresql://campus/library
  likewise erase --user aigul --yes
  likewise erase --file essay.docx
  likewise erase --again
"""
PURGE_EXAMPLES = """[bold]Examples[/]

  likewise cache purge
  likewise cache purge --older 30
  likewise cache purge --file essay.docx
"""

cache_app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["--help", "-h"]},
    help="What was read once and is kept to be read faster.",
    epilog=PURGE_EXAMPLES,
)


def erase(
    *,
    which: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[ID|NAME]...",
            help="Numbers or whole names of documents, as `list` shows them.",
        ),
    ] = None,
    library: Place = None,
    person: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Everything that this author or owner handed in."),
    ] = None,
    user: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="An account of the server, with all that is its own."),
    ] = None,
    file: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="Documents of these very bytes, in every collection."),
    ] = None,
    copies: Annotated[
        bool,
        typer.Option("--copies", metavar="", help="Documents of the same text too."),
    ] = False,
    again: Annotated[
        bool,
        typer.Option("--again", metavar="", help="What was erased before and has come back since."),
    ] = False,
    full: Annotated[
        bool,
        typer.Option(
            "--full",
            metavar="",
            help="Rewrite the tables of PostgreSQL, each locked meanwhile.",
        ),
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", metavar="", help="Tell what would go, and erase nothing.")
    ] = False,
    receipt: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the receipt: .json, .html, else plain text."),
    ] = None,
    yes: Yes = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Documents or people out of everything: library, index, caches, reports, uploads, jobs.

    Text of an erased document is blackened in reports of others; checks of it are deleted. A
    receipt says what was erased and what could not be reached. It cannot be undone.
    """
    from likewise.cli.progress import progress
    from likewise.library import preview_erasure, run_erasure

    with open_library(library) as opened:
        request = _request(opened, which, person, user, file, copies, again)
        seen = preview_erasure(opened, request)
        if dry_run:
            _tell_preview(opened, seen, as_json)
            return
        if not as_json and not yes:
            _tell_preview(opened, seen, as_json)
        sure(f"All of this is erased from {opened.name}, for good.", yes)
        with progress(quiet=quiet, as_json=as_json) as tell:
            made = run_erasure(opened, request, full=full, progress=tell, purge_pages=_purge_pages)
    if receipt is not None:
        _write_receipt(receipt, made)
    if as_json:
        from likewise.cli import as_json as result

        result.write({"type": "receipt", **made.as_dict()})
        return
    from likewise.library.receipt_text import receipt_text

    print(receipt_text(made), end="")


def _request(
    library: Library,
    which: list[str] | None,
    person: str | None,
    user: str | None,
    files: list[Path] | None,
    copies: bool,
    again: bool,
) -> EraseRequest:
    from likewise.library import EraseRequest

    return EraseRequest(
        documents=tuple(_numbers(library, which)) if which else (),
        sha256s=tuple(_sha256(path) for path in files or ()),
        person=person,
        user=None if user is None else user.strip().casefold(),
        copies=copies,
        again=again,
    )


def _numbers(library: Library, which: list[str]) -> list[int]:
    """Numbers as they are, since reports may quote what was removed long ago; names as found."""
    numbers = [int(word) for word in which if word.isascii() and word.isdigit()]
    names = [word for word in which if not (word.isascii() and word.isdigit())]
    from likewise.library import named_documents

    return list(dict.fromkeys([*numbers, *named_documents(library, names)]))


def _sha256(path: Path) -> str:
    from hashlib import file_digest

    try:
        with path.open("rb") as file:
            return file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise BadInput(words_of_system(error), about=path) from error


def _purge_pages(sha256s: Any) -> int:
    try:
        from likewise.internet.cache import page_cache
    except ImportError:  # nothing was ever fetched
        return 0
    return page_cache().purge(sha256s)


def _tell_preview(library: Library, seen: Preview, as_json: bool) -> None:
    if as_json:
        from likewise.cli import as_json as result

        result.write(
            {
                "type": "preview",
                "library": library.name,
                "documents": list(seen.documents),
                "left": list(seen.left),
                "copies": list(seen.copies),
                "counts": seen.counts,
            }
        )
        return
    from likewise.catalogue import Words
    from likewise.cli import show
    from likewise.cli.listing import documents_table
    from likewise.cli.told import facts
    from likewise.library.receipt_text import count_name

    entries = tuple(library.entry(number) for number in seen.documents[: show.BAD_SHOWN])
    if entries:
        documents_table(entries)
        show.hidden(show.page(), len(seen.documents) - show.BAD_SHOWN, "document", "all are erased")
    words = Words("en")
    lines = [(count_name(what, words), f"{number:,}") for what, number in seen.counts.items()]
    if seen.copies:
        lines.append(("documents of the same text, which stay", f"{len(seen.copies):,}"))
    facts("What is erased" if lines else "There is nothing to erase.", lines)


def _write_receipt(path: Path, made: Receipt) -> None:
    import json

    from likewise.library.receipt_text import receipt_page, receipt_text

    written = {
        ".json": lambda: json.dumps(made.as_dict(), indent=1) + "\n",
        ".html": lambda: receipt_page(made),
    }.get(path.suffix.lower(), lambda: receipt_text(made))()
    try:
        path.write_text(written, "utf-8")
    except OSError as error:
        raise BadInput(
            "cli.receipt_unwritten", about=path, why=words_of_system(error), id=made.id
        ) from error


@cache_app.command("purge", epilog=PURGE_EXAMPLES)
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
    from likewise.cli.told import say, write
    from likewise.reading.cache import cache_folder, cache_in

    if file and older is not None:
        raise BadInput("cli.file_or_older")
    cache, hashes = cache_in(cache_folder()), [_sha256(path) for path in file or ()]
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
        kept = page_cache()
        pages = kept.purge_older(older) if older is not None else kept.purge(hashes or None)
    if as_json:
        write({"type": "summary", "entries": count, "pages": pages})
    else:
        say(f"{count:,} documents and {pages:,} pages deleted from {cache_folder()}.")
