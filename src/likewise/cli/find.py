"""`likewise find`: similar pairs inside a folder."""

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
from likewise.settings import Settings

EXAMPLES = """[bold]Examples[/]

  likewise find essays/ --threshold 0.3
  likewise find essays/ --measure containment --threshold 0.8 --language ru
  likewise find submissions.zip --threshold 0.2
  likewise find essays/ --threshold 0.2 --report essays.html
  likewise find articles/ --method lsh --recall 0.95 --json > pairs.jsonl
"""


@takes_settings()
def find(
    *,
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A folder or ZIP of documents.")],
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
    """Similar pairs inside a folder, strongest first."""
    from likewise.cli.memory import memory_allowed
    from likewise.cli.progress import progress
    from likewise.cli.reports import Report
    from likewise.machine import cores
    from likewise.search import find_in

    asked = Report(report, report_language)
    asked.make_sure_it_can_be_written([folder])
    telling = Telling(as_json, limit, language, fail_on_match, strict, passages, asked)
    budget, known = memory_allowed(memory), ocr_languages(ocr)
    with progress(quiet=quiet, as_json=as_json) as tell:
        collection = Collection.read(
            folder, language, tell, jobs=jobs, cache=not no_cache, ocr=known, verify=verify
        )
        matches = find_in(
            collection.documents,
            settings,
            label=folder.resolve().name,
            unread=collection.unread,
            jobs=jobs or cores(),
            memory=budget,
            progress=tell,
        )
        matches = telling.with_passages(matches)
        telling.report_on(matches, [collection], tell)
    telling.result(matches, [collection])
