"""`likewise cross`: similar pairs between two folders."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from likewise.cli.matches import Collection, Telling
from likewise.cli.options import (
    AsJson,
    FailOnMatch,
    Jobs,
    Language,
    Limit,
    Memory,
    NoCache,
    Ocr,
    Passages,
    Quiet,
    ReportFile,
    ReportLanguage,
    Strict,
    Verify,
    ocr_languages,
    takes_settings,
)
from likewise.model import Unread
from likewise.settings import Settings

EXAMPLES = """[bold]Examples[/]

  likewise cross essays/ archive/
  likewise cross essays/ archive/ --measure containment --threshold 0.3
  likewise cross essays/ archive/ --report shared.html
  likewise cross essays/ archive/ --fail-on-match --quiet
"""


@takes_settings()
def cross(
    *,
    left: Annotated[Path, typer.Argument(metavar="DIR", help="A folder or ZIP of documents, A.")],
    right: Annotated[Path, typer.Argument(metavar="DIR", help="Another one, B.")],
    settings: Settings,
    language: Language = None,
    limit: Limit = None,
    passages: Passages = False,
    report: ReportFile = None,
    report_language: ReportLanguage = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
    jobs: Jobs = None,
    memory: Memory = None,
    no_cache: NoCache = False,
    ocr: Ocr = None,
    verify: Verify = False,
    fail_on_match: FailOnMatch = False,
    strict: Strict = False,
) -> None:
    """Similar pairs between two folders, strongest first."""
    from likewise.cli.memory import memory_allowed
    from likewise.cli.progress import progress
    from likewise.cli.reports import Report
    from likewise.machine import cores
    from likewise.reading import labels
    from likewise.search import cross_between

    asked = Report(report, report_language)
    asked.make_sure_it_can_be_written([left, right])
    telling = Telling(as_json, limit, language, fail_on_match, strict, passages, asked)
    budget, known = memory_allowed(memory), ocr_languages(ocr)
    names = labels(left, right)
    with progress(quiet=quiet, as_json=as_json) as tell:
        ours, theirs = (
            Collection.read(
                folder,
                language,
                tell,
                label,
                jobs=jobs,
                cache=not no_cache,
                ocr=known,
                verify=verify,
            )
            for folder, label in zip((left, right), names, strict=True)
        )
        matches = cross_between(
            ours.documents,
            theirs.documents,
            settings,
            labels=names,
            unread=_named_apart(ours, theirs),
            jobs=jobs or cores(),
            memory=budget,
            progress=tell,
        )
        matches = telling.with_passages(matches)
        telling.report_on(matches, [ours, theirs], tell)
    telling.result(matches, [ours, theirs], (f"A: {names[0]}", f"B: {names[1]}"))


def _named_apart(ours: Collection, theirs: Collection) -> list[Unread]:
    """The files that were not read, with their folder where a name stands in both."""
    names = [
        {d.name for d in side.documents} | {file.name for file in side.unread}
        for side in (ours, theirs)
    ]
    twice = names[0] & names[1]
    return [
        replace(file, name=f"{side.label}/{file.name}") if file.name in twice else file
        for side in (ours, theirs)
        for file in side.unread
    ]
