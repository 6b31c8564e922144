"""`likewise check`: one document against many, and where each piece of its text comes from."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from likewise.cli.options import (
    AsJson,
    Jobs,
    NoCache,
    Ocr,
    Quiet,
    ReportFile,
    ReportLanguage,
    Strict,
    Verify,
    flag,
    ocr_languages,
    takes_settings,
)
from likewise.errors import BadInput
from likewise.settings import Settings

if TYPE_CHECKING:
    from likewise.model import Check, Document, Source

EXAMPLES = """[bold]Examples[/]

  likewise check thesis.docx --against archive/
  likewise check thesis.docx --against archive/ --report thesis.html
  likewise check essay.pdf --against submissions.zip --template assignment.docx
  likewise check essay.pdf --against archive/ --keep-quotations --skip draft-1.pdf --json
"""
SOURCES_SHOWN = 20
FIGURES_COLUMNS = 36  # what the figures of a source take
NOT_COUNTED = "What does not count"


@takes_settings(
    but=(
        *("threshold", "measure", "method", "recall", "bands", "mega_shingles", "filter"),
        *("drop_common", "chars", "scheme", "slots", "bits", "seed", "shingle"),
    )
)
def check(
    *,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The document to check.")],
    against: Annotated[
        Path, typer.Option(metavar="DIR", help="A folder or ZIP of possible sources.")
    ],
    settings: Settings,
    template: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE",
            help="A form or assignment whose text everyone may use; may be given again.",
            rich_help_panel=NOT_COUNTED,
        ),
    ] = None,
    skip: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="A source that is not to be compared, by its name; may be given again.",
            rich_help_panel=NOT_COUNTED,
        ),
    ] = None,
    min_words: Annotated[
        int,
        typer.Option(
            min=1,
            metavar="N",
            help="Words of a passage that counts, stop words aside; shorter ones are shown only.",
            rich_help_panel=NOT_COUNTED,
        ),
    ] = 1,
    keep_quotations: Annotated[
        bool, flag("--keep-quotations", panel=NOT_COUNTED, help="Count cited quotations.")
    ] = False,
    keep_bibliography: Annotated[
        bool, flag("--keep-bibliography", panel=NOT_COUNTED, help="Count the bibliography.")
    ] = False,
    keep_contents: Annotated[
        bool, flag("--keep-contents", panel=NOT_COUNTED, help="Count the table of contents.")
    ] = False,
    keep_title_page: Annotated[
        bool, flag("--keep-title-page", panel=NOT_COUNTED, help="Count the title page.")
    ] = False,
    keep_common: Annotated[
        bool,
        flag(
            "--keep-common",
            panel=NOT_COUNTED,
            help="Count text that half of the documents share, such as forms.",
        ),
    ] = False,
    limit: Annotated[
        int, typer.Option(min=0, metavar="N", help="Show so many passages of each source.")
    ] = 3,
    report: ReportFile = None,
    report_language: ReportLanguage = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
    jobs: Jobs = None,
    no_cache: NoCache = False,
    ocr: Ocr = None,
    verify: Verify = False,
    strict: Strict = False,
) -> None:
    """One document against many: its sources, passage by passage."""
    from likewise.align import check_against
    from likewise.align.exclude import Exclusions
    from likewise.cli.progress import progress
    from likewise.cli.reports import Report
    from likewise.reading import read, read_folder

    asked = Report(report, report_language)
    asked.make_sure_it_can_be_written([file, against, *(template or ())])
    which = Exclusions(
        quotations=not keep_quotations,
        bibliography=not keep_bibliography,
        contents=not keep_contents,
        title_page=not keep_title_page,
        common=not keep_common,
    )
    with progress(quiet=quiet, as_json=as_json) as tell:
        known, cache = ocr_languages(ocr), not no_cache
        document = read(file, str(file), cache=cache, ocr=known, verify=verify)
        templates = [read(path, cache=cache, ocr=known) for path in template or ()]
        others, unread = read_folder(
            against, tell, jobs=jobs, cache=cache, ocr=known, verify=verify
        )
        others = [other for other in others if not _is_itself(file, against, other)]
        if unknown := sorted(set(skip or ()) - {other.name for other in others}):
            raise BadInput(f"--skip {unknown[0]}: there is no such source in {against}")
        found = check_against(
            document,
            others,
            settings,
            which=which,
            templates=templates,
            skip=skip or (),
            min_words=min_words,
            unread=unread,
            progress=tell,
        )
        if not document.compared_text.strip():
            raise BadInput(f"{file}: there is no text in it to compare")
        if not found.documents and not found.skipped:
            told = f"; {found.unread[0].name}: {found.unread[0].reason}" if found.unread else ""
            raise BadInput(f"{against}: no document in it to compare with{told}")
        if asked.path is not None:
            from likewise.report import view_of_check

            asked.write(view_of_check(found), tell)
    if as_json:
        from likewise.cli import as_json as result

        result.write(_for_programs(found))
    else:
        _to_people(found, document, {other.name: other for other in others}, limit)
    asked.told(as_json=as_json)
    if strict and found.unread:
        raise typer.Exit(2)


def _is_itself(file: Path, folder: Path, other: Document) -> bool:
    """Whether a document of the folder is the very file that is checked."""
    path = folder / other.name
    return path.absolute() == file.absolute() or (path.is_file() and path.samefile(file))


def _for_programs(found: Check) -> dict[str, Any]:
    from dataclasses import asdict, replace

    from likewise.cli import as_json as result

    def source(told: Source) -> dict[str, Any]:
        match = told.match
        return asdict(replace(told, match=None)) | {"match": match and result.of_match(match)}

    return {
        "type": "check",
        "name": found.name,
        "shares": asdict(found.shares),
        "sources": [source(each) for each in found.sources],
        "exclusions": [asdict(exclusion) for exclusion in found.exclusions],
        "skipped": found.skipped,
        "documents": found.documents,
        "unread": [{"name": file.name, "reason": file.reason} for file in found.unread],
        "notes": [result.of_note(name, note) for name, note in found.notes],
    } | result.of_settings(found.settings)


def _to_people(found: Check, document: Document, others: dict[str, Document], limit: int) -> None:
    from rich.text import Text

    from likewise.cli import show
    from likewise.cli.names import shortened
    from likewise.cli.passages import passages
    from likewise.language import Lexicon

    console = show.page()
    console.print(Text(shortened(found.name, 90), style=show.HEADING))
    shares = show.table("", "", "", right=(1,))
    shares.show_header = False
    for name, share in (
        ("original", found.shares.original),
        ("similar to a source", found.shares.similar),
        ("quoted with a citation", found.shares.quoted),
        ("not counted", found.shares.excluded),
    ):
        bar = show.bar(share) if name.startswith("similar") else Text("")
        shares.add_row(f"  {name}", Text(show.percent(share), style=show.HEADING), bar)
    console.print(shares)
    with_passages = [source for source in found.sources if source.passages]
    if with_passages:
        show.heading(console, "Sources")
        _sources(console, with_passages)
    else:
        console.print()
        against = show.count(found.documents, "document")
        if any(exclusion.reason in ("common", "template") for exclusion in found.exclusions):
            console.print(f"Nothing that counts stands in {against}; see what is not counted.")
        else:
            console.print(f"No passage of it stands in {against}.")
    lexicon = Lexicon(found.settings)
    for source in with_passages[:SOURCES_SHOWN]:
        if source.under is None and limit:
            show.heading(console, shortened(source.name, 90))
            passages(console, document, others[source.name], source.passages, lexicon, limit)
    fragments = sum(len(source.fragments) for source in found.sources)
    if fragments:
        console.print()
        console.print(
            Text(
                f"{show.count(fragments, 'shared run')} of words too short to be counted; "
                "--json lists them",
                style=show.FAINT,
            )
        )
    _exclusions(found, document)
    if found.skipped:
        show.heading(console, "Not to be compared")
        console.print("  " + ", ".join(shortened(name, 40) for name in found.skipped))
    show.unread(console, found.unread)
    show.notes(console, found.notes)


def _sources(console: Any, sources: list[Source]) -> None:
    from rich.text import Text

    from likewise.cli import show
    from likewise.cli.names import shortened

    made = show.table("", "counted", "covered", "passages", "source", right=(0, 1, 2, 3))
    room = max(console.width - FIGURES_COLUMNS, show.LEAST_NAME_COLUMNS)
    for number, source in enumerate(sources[:SOURCES_SHOWN], 1):
        name = shortened(source.name, room - 2)
        made.add_row(
            Text(str(number), style=show.FAINT),
            Text(show.percent(source.counted), style=show.HEADING),
            show.percent(source.share),
            str(len(source.passages)),
            Text(name) if source.under is None else Text(f"↳ {name}", style=show.FAINT),
        )
    console.print(made)
    if any(source.under for source in sources[:SOURCES_SHOWN]):
        console.print(Text("  ↳ adds nothing to the sources above it", style=show.FAINT))
    show.hidden(console, len(sources) - SOURCES_SHOWN, "source")


def _exclusions(found: Check, document: Document) -> None:
    from likewise.cli import show

    if found.exclusions:
        console = show.page()
        show.heading(console, "Not counted")
        lines = [
            (e.reason, _beginning(e.span.of(document.text)) + (f"  {e.detail}" if e.detail else ""))
            for e in found.exclusions[: show.LINES_SHOWN]
        ]
        show.reasons(console, lines)
        show.hidden(console, len(found.exclusions) - show.LINES_SHOWN, "passage")


def _beginning(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 90 else text[:60] + " … " + text[-25:]
