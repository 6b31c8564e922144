"""`likewise erase`: documents or people out of everything."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from likewise.cli.shared.library import Place, Yes, confirm, open_library
from likewise.cli.shared.options import AsJson, Quiet, sha256_of_file
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


def erase(
    *,
    which: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[ID|NAME]...",
            help="Numbers or whole names of documents, as `list` shows them.",
        ),
    ] = None,
    place: Place = None,
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
    from likewise.cli.shared.progress import progress
    from likewise.library import preview_erasure, run_erasure

    with open_library(place) as library:
        request = _request(library, which, person, user, file, copies, again)
        preview = preview_erasure(library, request)
        if dry_run:
            _print_preview(library, preview, as_json)
            return
        if not as_json and not yes:
            _print_preview(library, preview, as_json)
        confirm(f"All of this is erased from {library.name}, for good.", yes)
        with progress(quiet=quiet, as_json=as_json) as on_progress:
            erasure_receipt = run_erasure(
                library, request, full=full, progress=on_progress, purge_pages=_purge_pages
            )
    if receipt is not None:
        _write_receipt(receipt, erasure_receipt)
    if as_json:
        from likewise.cli.shared import json_lines

        json_lines.write_record({"type": "receipt", **erasure_receipt.as_dict()})
        return
    from likewise.library.receipts import receipt_text

    print(receipt_text(erasure_receipt), end="")


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
        sha256s=tuple(sha256_of_file(path) for path in files or ()),
        person=person,
        user=None if user is None else user.strip().casefold(),
        copies=copies,
        again=again,
    )


def _numbers(library: Library, which: list[str]) -> list[int]:
    """Numbers as they are, since reports may quote what was removed long ago; names as found."""
    numbers = [int(word) for word in which if word.isascii() and word.isdigit()]
    names = [word for word in which if not (word.isascii() and word.isdigit())]
    from likewise.library import resolve_documents

    return list(dict.fromkeys([*numbers, *resolve_documents(library, names)]))


def _purge_pages(sha256s: Any) -> int:
    try:
        from likewise.internet.cache import page_cache
    except ImportError:  # nothing was ever fetched
        return 0
    return page_cache().purge(sha256s)


def _print_preview(library: Library, preview: Preview, as_json: bool) -> None:
    if as_json:
        from likewise.cli.shared import json_lines

        json_lines.write_record(
            {
                "type": "preview",
                "library": library.name,
                "documents": list(preview.documents),
                "left": list(preview.left),
                "copies": list(preview.copies),
                "counts": preview.counts,
            }
        )
        return
    from likewise.catalogue import Words
    from likewise.cli.shared import screen
    from likewise.cli.shared.library_output import print_documents, print_facts
    from likewise.library.receipts import count_name

    entries = tuple(library.entry(number) for number in preview.documents[: screen.MAX_ROWS])
    if entries:
        print_documents(entries)
        screen.print_remaining(
            screen.open_console(),
            len(preview.documents) - screen.MAX_ROWS,
            "document",
            "all are erased",
        )
    words = Words("en")
    lines = [(count_name(what, words), f"{number:,}") for what, number in preview.counts.items()]
    if preview.copies:
        lines.append(("documents of the same text, which stay", f"{len(preview.copies):,}"))
    print_facts("What is erased" if lines else "There is nothing to erase.", lines)


def _write_receipt(path: Path, receipt: Receipt) -> None:
    import json

    from likewise.library.receipts import receipt_page, receipt_text

    text = {
        ".json": lambda: json.dumps(receipt.as_dict(), indent=1) + "\n",
        ".html": lambda: receipt_page(receipt),
    }.get(path.suffix.lower(), lambda: receipt_text(receipt))()
    try:
        path.write_text(text, "utf-8")
    except OSError as error:
        raise BadInput(
            "cli.receipt_unwritten", about=path, why=words_of_system(error), id=receipt.id
        ) from error
