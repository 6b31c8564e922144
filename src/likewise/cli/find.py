"""`likewise find`: similar pairs inside a folder."""

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

  likewise find essays/ --threshold 0.3
  likewise find essays/ --measure containment --threshold 0.8 --language ru
  likewise find submissions.zip --threshold 0.2
  likewise find essays/ --passages --no-by-meaning
  likewise find essays/ --pairs-by-meaning --passages
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
    """Similar pairs inside a folder, strongest first."""
    from likewise.cli.shared.options import memory_allowed
    from likewise.cli.shared.progress import progress
    from likewise.cli.shared.reports import ReportOutput
    from likewise.front import find as find_pairs

    report_output = ReportOutput(report, report_language)
    report_output.ensure_writable([folder])
    output = MatchesOutput(as_json, limit, language, fail_on_match, strict, passages, report_output)
    budget, languages = memory_allowed(memory), ocr_languages(ocr)
    with progress(quiet=quiet, as_json=as_json) as on_progress:
        matches = find_pairs(
            folder,
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
