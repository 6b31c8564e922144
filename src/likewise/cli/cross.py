"""`likewise cross`: similar pairs between two folders."""

from pathlib import Path
from typing import Annotated

import typer

from likewise.cli.shared.matches import MatchesOutput
from likewise.cli.shared.options import (
    AsJson,
    ByMeaning,
    FailOnMatch,
    Jobs,
    Language,
    Limit,
    Memory,
    NoCache,
    Ocr,
    PairsByMeaning,
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

  likewise cross essays/ archive/
  likewise cross essays/ archive/ --measure containment --threshold 0.3
  likewise cross essays/ archive/ --report shared.html
  likewise cross essays/ archive/ --passages --no-by-meaning
  likewise cross essays/ archive/ --pairs-by-meaning --passages
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
    by_meaning: ByMeaning = True,
    pairs_by_meaning: PairsByMeaning = False,
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
    from likewise.cli.shared.options import memory_allowed
    from likewise.cli.shared.progress import progress
    from likewise.cli.shared.reports import ReportOutput
    from likewise.front import cross as cross_pairs

    report_output = ReportOutput(report, report_language)
    report_output.ensure_writable([left, right])
    output = MatchesOutput(as_json, limit, language, fail_on_match, strict, passages, report_output)
    budget, languages = memory_allowed(memory), ocr_languages(ocr)
    with progress(quiet=quiet, as_json=as_json) as on_progress:
        matches = cross_pairs(
            left,
            right,
            language=language,
            passages=passages,
            by_meaning=by_meaning,
            pairs_by_meaning=pairs_by_meaning,
            settings=settings,
            jobs=jobs,
            memory=budget,
            cache=not no_cache,
            ocr=languages,
            verify=verify,
            progress=on_progress,
        )
        output.report_on(matches, on_progress)
    output.print_result(matches)
