"""`likewise check`: documents against many, and where each piece of their text comes from."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from likewise.cli.libraries import Place, named_documents, open_library, takes_filters
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
    from likewise.library import Filters, PartnerLibrary
    from likewise.model import Check, Document

EXAMPLES = """[bold]Examples[/]

  likewise check thesis.docx
  likewise check thesis.docx --library campus.db --not-by "A. Nur" --report thesis.html
  likewise check class.zip --library campus.db --year 2019- --report class.html
  likewise check thesis.docx --also partner.lwf --key-file partner.key
  likewise check thesis.docx --against archive/ --report thesis.html
  likewise check essay.pdf --against submissions.zip --template assignment.docx
  likewise check essay.pdf --against archive/ --keep-quotations --skip draft-1.pdf --json
"""
NOT_COUNTED = "What does not count"


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
    library: Place = None,
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
            help="Count text that very many share, such as forms: half of a folder, of a library "
            "more than 256 documents and 1 % of them.",
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
    """Documents against the library or a folder: their sources, passage by passage."""
    from likewise.align.exclude import Exclusions
    from likewise.cli import batch, checked
    from likewise.cli.progress import progress
    from likewise.cli.reports import Report, checked_without_folders
    from likewise.reading import read

    began = time.monotonic()
    asked = Report(report, report_language)
    given = [*files, *([against] if against else []), *(template or ())]
    asked.make_sure_it_can_be_written(given)
    _make_sense_of(settings, against, library, filters, min_share)
    is_batch = batch.is_meant(files)
    if is_batch and against:
        raise BadInput("--against takes one document; `likewise cross` compares two folders")
    partners = _partners(also, key_file)
    known, cache = ocr_languages(ocr), not no_cache
    reading: dict[str, Any] = {"cache": cache, "ocr": known, "verify": verify}
    counting: dict[str, Any] = {
        "exclusions": Exclusions(
            quotations=not keep_quotations,
            bibliography=not keep_bibliography,
            contents=not keep_contents,
            title_page=not keep_title_page,
            common=not keep_common,
        ),
        "min_words": min_words,
    }
    with progress(quiet=quiet, as_json=as_json) as tell:
        counting["templates"] = [read(path, cache=cache, ocr=known) for path in template or ()]
        counting["progress"] = tell
        if is_batch:
            several = batch.Reading(files, reading, jobs, tell)
            counting["min_share"] = min_share
            found_all = several.check(library, filters, skip or (), counting)
            checks = tuple(_with_partners(one, partners) for one in found_all.checks)
            found_all = replace(found_all, checks=checks)
        elif against is not None:
            document = read(files[0], str(files[0]), **reading)
            found = _in_folder(document, files[0], against, settings, skip, jobs, reading, counting)
        else:
            document = read(files[0], str(files[0]), **reading)
            counting["min_share"] = min_share
            found = _in_library(document, files[0], library, filters, skip or (), counting)
        if not is_batch:
            found = _with_partners(found, partners)
        if asked.path is not None:
            if is_batch:
                from likewise.library import batch_view

                asked.write(batch_view(found_all, tell), tell)
            else:
                from likewise.report import view_of_check

                asked.write(view_of_check(checked_without_folders(found, files[0])), tell)
    if is_batch:
        batch.tell(found_all, as_json=as_json, seconds=time.monotonic() - began)
        unread = found_all.unread
    else:
        unread = found.unread
        if as_json:
            from likewise.cli import as_json as result

            result.write(checked.for_programs(found))
        else:
            checked.to_people(found, limit)
    asked.told(as_json=as_json)
    if strict and unread:
        raise typer.Exit(2)


def _make_sense_of(
    settings: Settings,
    against: Path | None,
    library: str | None,
    filters: Filters | None,
    min_share: float,
) -> None:
    """A folder is compared by the settings asked for, a library by its own."""
    if against is None:
        if settings != Settings():
            raise BadInput(
                "a library has its own words and shingles, given when it was made; these options "
                "belong to --against"
            )
    elif library is not None:
        raise BadInput("--against compares with a folder, --library with a library; give one")
    elif filters is not None or min_share:
        raise BadInput(
            "what documents have in common is known in a library; these options do not belong to "
            "--against"
        )


def _in_folder(
    document: Document,
    file: Path,
    against: Path,
    settings: Settings,
    skip: list[str] | None,
    jobs: int | None,
    reading: dict[str, Any],
    counting: dict[str, Any],
) -> Check:
    from likewise.align import check_against
    from likewise.reading import is_file_of, read_folder
    from likewise.tables import check_with_tables

    others, unread = read_folder(against, counting["progress"], jobs=jobs, **reading)
    others = [other for other in others if not is_file_of(file, against, other)]
    if unknown := sorted(set(skip or ()) - {other.name for other in others}):
        raise BadInput(f"--skip {unknown[0]}: there is no such source in {against}")
    _has_text(document, file)
    which = counting.pop("exclusions")
    found = check_against(
        document, others, settings, which=which, skip=skip or (), unread=unread, **counting
    )
    if not found.documents and not found.skipped:
        told = f"; {found.unread[0].name}: {found.unread[0].reason}" if found.unread else ""
        raise BadInput(f"{against}: no document in it to compare with{told}")
    return check_with_tables(found, others)


def _in_library(
    document: Document,
    file: Path,
    library: str | None,
    filters: Filters | None,
    skip: list[str] | tuple[str, ...],
    counting: dict[str, Any],
) -> Check:
    from likewise.library import Filters, itself_in, told_of_itself

    _has_text(document, file)
    with open_library(library, read_only=True) as opened:
        own = itself_in(opened, document, file)
        skipped = named_documents(opened, skip)
        wanted = replace(filters or Filters(), not_ids=(*own, *skipped))
        found = opened.check(document, wanted, **counting)
        if not found.documents and not skipped:
            fits = "that fits" if filters else "in it" if not own else "in it but this one"
            raise BadInput(f"{opened.name}: no document {fits} to compare with")
    return replace(told_of_itself(found, own), skipped=tuple(sorted(skip)))


def _partners(also: list[Path] | None, key_files: list[Path] | None) -> list[PartnerLibrary]:
    """What others lend, opened before the long work."""
    if not also:
        if key_files:
            raise BadInput("--key-file belongs to --also")
        return []
    if not key_files:
        raise BadInput("--also needs --key-file: the secret that both sides share")
    if len(key_files) not in (1, len(also)):
        raise BadInput(
            f"{len(also)} files of --also and {len(key_files)} keys: give one --key-file for all, "
            "or one for each in the same order"
        )
    from likewise.library import open_fingerprints, read_key

    keys = [read_key(path) for path in key_files]
    if len(keys) == 1:
        keys *= len(also)
    return [open_fingerprints(path, key) for path, key in zip(also, keys, strict=True)]


def _with_partners(found: Check, libraries: list[PartnerLibrary]) -> Check:
    if not libraries:
        return found
    from likewise.library import with_partners

    return with_partners(found, libraries)


def _has_text(document: Document, file: Path) -> None:
    if not document.compared_text.strip():
        raise BadInput(f"{file}: there is no text in it to compare")
