"""`likewise library similar`: the documents most like a file, by every measure."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from likewise.cli.shared.library import Place, open_library, takes_filters
from likewise.cli.shared.options import AsJson, ConfidenceLevel, NoCache, Ocr, Quiet, ocr_languages

if TYPE_CHECKING:
    from likewise.library import Filters, SimilarDocument, SimilarDocuments

EXAMPLES = """[bold]Examples[/]

  likewise library similar thesis.docx
  likewise library similar thesis.docx --library campus.db --min-percentage 60 --level 95
  likewise library similar essay.pdf --type essay --year 2019- --json
"""
FIGURES_COLUMNS = 58  # what the figures of a document take
MAX_DOCUMENTS = 20
MAX_RECORDS = 500


@takes_filters
def similar(
    *,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The document.")],
    place: Place = None,
    filters: Filters | None = None,
    min_percentage: Annotated[
        float | None,
        typer.Option(
            min=0,
            max=100,
            metavar="PERCENT",
            help="The least agreement of the measures; without it, all documents that share text.",
        ),
    ] = None,
    level: ConfidenceLevel = 99,
    limit: Annotated[
        int | None,
        typer.Option(
            min=0,
            metavar="N",
            help=f"So many, the likest; default {MAX_DOCUMENTS}, with --json {MAX_RECORDS}.",
        ),
    ] = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
    no_cache: NoCache = False,
    ocr: Ocr = None,
) -> None:
    """The documents most like one, by four measures and how far these agree.

    Of up to 3,000 documents every one is measured, of more those that share most text.
    """
    from likewise.cli.shared.progress import progress
    from likewise.front import similar_in_library

    languages = ocr_languages(ocr)
    default = MAX_RECORDS if as_json else MAX_DOCUMENTS
    with (
        open_library(place, read_only=True) as library,
        progress(quiet=quiet, as_json=as_json) as on_progress,
    ):
        documents = similar_in_library(
            file,
            library,
            name=str(file),
            filters=filters,
            min_percentage=min_percentage,
            level=level,  # type: ignore[arg-type]  # the library says which there are
            limit=default if limit is None else limit,
            cache=not no_cache,
            ocr=languages,
            progress=on_progress,
        )
    if as_json:
        _print_json(documents, library.name)
    else:
        _print_text(documents, library.name)


def _print_json(documents: SimilarDocuments, place: str) -> None:
    from likewise.cli.shared import json_lines

    for each in documents.ranked:
        json_lines.write_record(_record(each))
    for name, note in documents.notes:
        json_lines.write_record(json_lines.note_record(name, note))
    figures = ("documents", "measured", "damaged", "beyond", "common_share")
    json_lines.write_record(
        {
            "type": "summary",
            "library": place,
            "similar": documents.total,
            **{name: getattr(documents, name) for name in figures},
            "min_percentage": documents.min_percentage,
            "level": documents.level,
        }
    )


def _record(similar: SimilarDocument) -> dict[str, Any]:
    entry = similar.entry
    return {
        "type": "similar",
        "document": entry.id,
        "name": entry.name,
        "author": entry.author,
        "language": entry.language,
        "document_type": entry.type,  # every line has a type of its own
        "year": entry.year,
        "shared_fingerprints": similar.shared_fingerprints,
        "measures": similar.measures,
    }


def _print_text(documents: SimilarDocuments, place: str) -> None:
    from likewise.cli.shared import screen
    from likewise.cli.shared.printable import printable

    console = screen.open_console()
    if documents.ranked:
        _print_documents(console, documents)
        how = "--limit shows more"
        screen.print_remaining(console, documents.total - len(documents.ranked), "document", how)
    elif not documents.total:
        console.print("No document is similar.")
    screen.print_notes(console, documents.notes)
    counted = screen.format_count(documents.documents, "document")
    is_all = documents.measured == documents.documents
    figures = [
        f"{counted}, all measured" if is_all else f"{documents.measured:,} of {counted} measured"
    ]
    if documents.damaged:
        figures.append(f"{documents.damaged:,} damaged: `likewise library verify` says more")
    if documents.beyond:
        figures.append(f"{documents.beyond:,} more share some text")
    screen.print_closing(console, *figures, method=f"Library: {printable(place)}")


def _print_documents(console: Any, documents: SimilarDocuments) -> None:
    """A line each: the agreement, its interval, the measures that should agree."""
    from rich.text import Text

    from likewise.cli.shared import screen
    from likewise.cli.shared.printable import shorten
    from likewise.front import values_in_agreement

    names = list(values_in_agreement(documents.ranked[0].measures.values))
    headings = ("agreement", f"{documents.level}% interval", *names)
    table = screen.new_table(*headings, "id", "name", right=range(len(headings) + 1))
    name_columns = max(console.width - FIGURES_COLUMNS, screen.LEAST_NAME_COLUMNS)
    for each in documents.ranked:
        measures, interval = each.measures, each.measures.interval
        low, high = (
            screen.format_percent(min(max(x, 0.0), 1.0)) for x in (interval.low, interval.high)
        )
        values = values_in_agreement(measures.values)
        table.add_row(
            Text(screen.format_percent(measures.agreement), style=screen.HEADING),
            Text(f"{low} to {high}", style=screen.FAINT),
            *(
                Text(
                    screen.format_percent(values[name]),
                    style="" if name in interval.inside else screen.FAINT,
                )
                for name in names
            ),
            Text(str(each.entry.id), style=screen.FAINT),
            Text(shorten(each.entry.name, name_columns)),
        )
    console.print(table)
