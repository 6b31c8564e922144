"""`likewise check`: documents against many, and where each piece of their text comes from."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, TypedDict

import typer

from likewise.cli.shared.library import Place, takes_filters
from likewise.cli.shared.options import (
    AsJson,
    ByMeaning,
    ConfidenceLevel,
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
    from likewise.front import Exclusions
    from likewise.library import Batch, Filters, PartnerLibrary
    from likewise.model import Check

EXAMPLES = """[bold]Examples[/]

  likewise check thesis.docx
  likewise check thesis.docx --library campus.db --not-by "A. Nur" --report thesis.html
  likewise check class.zip --library campus.db --year 2019- --report class.html
  likewise check thesis.docx --also partner.lwf --key-file partner.key
  likewise check thesis.docx --against archive/ --report thesis.html
  likewise check essay.pdf --against submissions.zip --template assignment.docx
  likewise check essay.pdf --against archive/ --no-by-meaning
  likewise check thesis.docx --sort agreement --min-percentage 50 --level 95
  likewise check essay.pdf --against archive/ --keep-quotations --skip draft-1.pdf --json
  likewise check thesis.docx --web --queries 40 --report thesis.html
  likewise check thesis.docx --web --other-languages --report thesis.html
"""
NOT_COUNTED = "What does not count"
ON_THE_WEB = "The Internet"


@takes_settings(
    but=(
        *("threshold", "measure", "method", "recall", "bands", "mega_shingles", "filter"),
        *("drop_common", "chars", "scheme", "slots", "bits", "seed", "shingle"),
    )
)
@takes_filters
def check(
    *,
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE...",
            help="The document to check; several, a folder or a ZIP are checked against each "
            "other too.",
        ),
    ],
    against: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", help="A folder or ZIP of possible sources, instead of the library."
        ),
    ] = None,
    place: Place = None,
    filters: Filters | None = None,
    also: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE.lwf",
            help="Fingerprints of another institution; matches by document and share. May be "
            "given again.",
        ),
    ] = None,
    key_file: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="KEY",
            help="The secret that you share with them; may be given again, one for each --also in "
            "their order.",
        ),
    ] = None,
    web: Annotated[
        bool,
        flag(
            "--web",
            panel=ON_THE_WEB,
            help="Search the Internet too: single words of the document are sent to the search "
            "engines that you have keys for, and to nobody else.",
        ),
    ] = False,
    queries: Annotated[
        int | None,
        typer.Option(
            min=1,
            metavar="N",
            help="Send at most so many; by default 2 for 100 words, fewer of a long document.",
            rich_help_panel=ON_THE_WEB,
        ),
    ] = None,
    provider: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="Ask this search engine alone; may be given again.",
            rich_help_panel=ON_THE_WEB,
        ),
    ] = None,
    other_languages: Annotated[
        bool,
        flag(
            "--other-languages",
            panel=ON_THE_WEB,
            help="Ask in the other languages too (English, Russian, Kazakh), for what was "
            "translated: some of the queries are words of the document in translation.",
        ),
    ] = False,
    keep_pages: Annotated[
        bool,
        flag(
            "--keep-pages", panel=ON_THE_WEB, help="Add the pages that are sources to the library."
        ),
    ] = False,
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
    count: Annotated[
        str,
        typer.Option(
            metavar="WORDINGS",
            help="What counts as similar, of these; the rest is shown, and not counted.",
            rich_help_panel=NOT_COUNTED,
        ),
    ] = "word-for-word,reworded,translated",
    by_meaning: ByMeaning = True,
    min_share: Annotated[
        float,
        typer.Option(
            min=0,
            max=1,
            metavar="SHARE",
            help="Of the text that a source in the library holds at least, such as 0.01.",
            rich_help_panel=NOT_COUNTED,
        ),
    ] = 0,
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
            help="Count text that many share, such as forms: lines and sentences that five of the "
            "compared documents hold, what half of a folder holds, and of a library what more than "
            "256 documents and 1 % of them hold.",
        ),
    ] = False,
    keep_listings: Annotated[
        bool,
        flag(
            "--keep-listings",
            panel=NOT_COUNTED,
            help="Read program listings, tables of numbers, logs and formulas as prose, and count "
            "them.",
        ),
    ] = False,
    level: ConfidenceLevel = 99,
    min_percentage: Annotated[
        float | None,
        typer.Option(
            min=0,
            max=100,
            metavar="PERCENT",
            help="From which agreement of the four measures on a source is called similar as a "
            "whole; what counts does not change.",
        ),
    ] = None,
    sort: Annotated[
        Literal["share", "agreement"],
        typer.Option(
            help="The order in which sources are told: by the text that they explain, or by the "
            "agreement of the four measures."
        ),
    ] = "share",
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
    """Documents against the library, a folder or the Internet: their sources by passage."""
    from likewise import front
    from likewise.cli.check import batch, result
    from likewise.cli.check.external import (
        Web,
        announce,
        library_beside,
        open_partner_libraries,
        select_providers,
    )
    from likewise.cli.shared.library import open_library
    from likewise.cli.shared.progress import progress
    from likewise.cli.shared.reports import ReportOutput, check_without_folders
    from likewise.model import Check

    began = time.monotonic()
    front.check_level(level)
    measures = result.MeasureOptions(level, min_percentage, sort)  # type: ignore[arg-type]
    report_output = ReportOutput(report, report_language)
    inputs = [*files, *([against] if against else []), *(template or ())]
    report_output.ensure_writable(inputs)
    is_batch = len(files) > 1 or any(map(front.is_collection, files))
    internet = Web(web, queries, provider, other_languages, keep_pages)
    internet.ensure_consistent(is_batch=is_batch, against=against)
    if not web:
        _ensure_consistent(settings, against, place, filters, min_share)
    if is_batch and against:
        raise BadInput("cli.against_takes_one")
    common = CommonKeywords(
        exclusions=front.Exclusions(
            quotations=not keep_quotations,
            bibliography=not keep_bibliography,
            contents=not keep_contents,
            title_page=not keep_title_page,
            common=not keep_common,
            listings=not keep_listings,
        ),
        templates=tuple(template or ()),
        skip=tuple(skip or ()),
        min_words=min_words,
        count=tuple(name for name in count.split(",") if name.strip()),
        by_meaning=by_meaning,
        partners=open_partner_libraries(also, key_file),
        cache=not no_cache,
        ocr=ocr_languages(ocr),
        verify=verify,
    )
    file, name = files[0], str(files[0])
    outcome: Check | Batch
    with progress(quiet=quiet, as_json=as_json) as on_progress, _option_names():
        if against is not None:
            outcome = front.check(
                file,
                against,
                name=name,
                insist=True,
                settings=settings,
                jobs=jobs,
                progress=on_progress,
                **common,
            )
        elif web:
            needs_library = keep_pages or bool(filters)
            with library_beside(place, is_needed=needs_library, keep=keep_pages) as library:
                outcome = front.check_on_web(
                    file,
                    select_providers(provider),
                    name=name,
                    library=library,
                    filters=filters,
                    queries=queries,
                    other_languages=other_languages,
                    keep_pages=keep_pages,
                    on_plan=announce,
                    min_share=min_share,
                    settings=settings,
                    progress=on_progress,
                    **common,
                )
        else:
            with open_library(place, read_only=True) as library:
                if is_batch:
                    outcome = front.check_batch(
                        files,
                        library,
                        filters=filters,
                        min_share=min_share,
                        jobs=jobs,
                        progress=on_progress,
                        **common,
                    )
                else:
                    outcome = front.check_in_library(
                        file,
                        library,
                        name=name,
                        filters=filters,
                        min_share=min_share,
                        progress=on_progress,
                        **common,
                    )
        outcome = measures.apply_level(outcome)
        report_output.save(check_without_folders(outcome, file), on_progress)
    if isinstance(outcome, Check):
        result.print_check(outcome, measures, as_json=as_json, limit=limit)
    else:
        batch.print_batch(outcome, measures, as_json=as_json, seconds=time.monotonic() - began)
    report_output.print_path(as_json=as_json)
    if strict and outcome.unread:
        raise typer.Exit(2)


@contextmanager
def _option_names() -> Iterator[None]:
    """The front door calls a parameter by its Python name, people know it as an option."""
    try:
        yield
    except BadInput as error:
        values = error.message.values
        if values.get("option") != "skip":
            raise
        message = replace(error.message, values={**values, "option": "--skip"})
        raise BadInput(message, about=error.about) from error


class CommonKeywords(TypedDict):
    """What all kinds of checks are asked for alike, by the names of the front door."""

    exclusions: Exclusions
    templates: tuple[Path, ...]
    skip: tuple[str, ...]
    min_words: int
    count: tuple[str, ...]
    by_meaning: bool
    partners: list[PartnerLibrary]
    cache: bool
    ocr: tuple[str, ...]
    verify: bool


def _ensure_consistent(
    settings: Settings,
    against: Path | None,
    library: str | None,
    filters: Filters | None,
    min_share: float,
) -> None:
    """A folder is compared by the settings asked for, a library by its own."""
    if against is None:
        if settings != Settings():
            raise BadInput("cli.library_settings")
    elif library is not None:
        raise BadInput("cli.against_or_library")
    elif filters is not None or min_share:
        raise BadInput("cli.against_filters")
