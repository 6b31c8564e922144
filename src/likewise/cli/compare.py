"""`likewise compare`: two documents, by every measure and passage by passage."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from likewise.cli.shared.options import (
    AsJson,
    ByMeaning,
    ConfidenceLevel,
    NoCache,
    Ocr,
    ReportFile,
    ReportLanguage,
    ocr_languages,
    takes_settings,
)
from likewise.settings import Settings

if TYPE_CHECKING:
    from likewise.model import Document, Match

EXAMPLES = """[bold]Examples[/]

  likewise compare essay.docx source.pdf
  likewise compare essay.txt source.txt --level 95 --shingle 3
  likewise compare essay.docx source.pdf --report comparison.html
  likewise compare essay.kk.docx source.ru.pdf
  likewise compare essay.txt source.txt --no-by-meaning
  likewise compare essay.txt source.txt --json
"""

MAX_PASSAGES = 20
# Shares of text as the two documents are called here; others as reports call them.
SHARES = {
    "containment_a": "of A, found in B (containment)",
    "containment_b": "of B, found in A (containment)",
    "jaccard": "of both together (Jaccard)",
}


@takes_settings(
    but=(
        *("threshold", "measure", "method", "recall", "bands", "mega_shingles", "filter"),
        "drop_common",
    )
)
def compare(
    *,
    a: Annotated[Path, typer.Argument(metavar="A", help="A document.")],
    b: Annotated[Path, typer.Argument(metavar="B", help="Another one.")],
    settings: Settings,
    level: ConfidenceLevel = 99,
    limit: Annotated[
        int | None,
        typer.Option(
            min=0, metavar="N", help="Show so many passages; default 20, with --json all."
        ),
    ] = None,
    by_meaning: ByMeaning = True,
    report: ReportFile = None,
    report_language: ReportLanguage = None,
    as_json: AsJson = False,
    no_cache: NoCache = False,
    ocr: Ocr = None,
) -> None:
    """Two documents by every measure, and passage by passage."""
    from likewise.cli.shared.reports import ReportOutput, without_folders
    from likewise.front import compare as compare_two
    from likewise.front import without_words

    report_output = ReportOutput(report, report_language)
    report_output.ensure_writable([a, b])
    languages = ocr_languages(ocr)
    match = compare_two(
        a,
        b,
        names=(str(a), str(b)),
        level=level,
        by_meaning=by_meaning,
        settings=settings,
        cache=not no_cache,
        ocr=languages,
    )
    report_output.save(without_folders(match, a, b), None)
    assert match.documents is not None
    wordless, (one, two) = without_words(match), match.documents
    document_notes = [(document.name, note) for document in (one, two) for note in document.notes]
    document_notes += match.notes
    if as_json:
        from likewise.cli.shared import json_lines

        notes = {
            "without_words": wordless,
            "notes": [json_lines.note_record(name, note) for name, note in document_notes],
        }
        record = json_lines.match_record(match) | json_lines.passages_record(match)
        made = json_lines.settings_record(settings, match.concepts)
        json_lines.write_record(record | notes | made)
    else:
        from likewise.cli.shared import screen, table_grids

        _print_text(match, wordless)
        _passages(match, one, two, settings, MAX_PASSAGES if limit is None else limit)
        shared = table_grids.pairs_of_match(match)
        table_grids.print_tables(
            screen.open_console(), shared, "Tables of A that stand in B", (False, False)
        )
        screen.print_notes(screen.open_console(), document_notes)
    report_output.print_path(as_json=as_json)


def _passages(match: Match, a: Document, b: Document, settings: Settings, limit: int) -> None:
    from likewise.cli.shared import screen
    from likewise.cli.shared.passages import picture_place, print_passages
    from likewise.report import Differences

    console = screen.open_console()
    if match.passages:
        screen.print_heading(console, "Passages")
        print_passages(console, a, b, match.passages, Differences(settings), limit)
    if match.pictures:
        console.print()
        what = screen.format_count(len(match.pictures), "picture")
        console.print(f"{what} of A can be seen in B:")
        for ours, theirs in match.pictures:
            console.print(f"  {picture_place(a, ours)}  →  {picture_place(b, theirs)}")
    if match.fragments:
        runs = screen.format_count(len(match.fragments), "shared run")
        console.print()
        console.print(f"{runs} of words too short to be a passage; --json lists them")


def _print_text(match: Match, without_words: list[str]) -> None:
    from rich.text import Text

    from likewise.catalogue import Words
    from likewise.cli.shared import screen
    from likewise.cli.shared.printable import shorten
    from likewise.front import share_measures, values_in_agreement
    from likewise.report.figures import agreement_heading, measure_name

    console = screen.open_console()
    for letter, name in (("A", match.a), ("B", match.b)):
        console.print(Text.assemble((letter, screen.HEADING), "  ", shorten(name, 90)))
    for name in without_words:
        console.print(f"There are no words to compare in {shorten(name, 60)}.")

    words, measures = Words("en"), match.measures
    screen.print_heading(console, "Shared text")
    shares = screen.new_table("", "", "", right=(1,))
    shares.show_header = False
    for measure in share_measures():
        name = SHARES.get(measure.name) or measure_name(measure.name, words)
        share = measures[measure.name]
        shares.add_row(
            f"  {name}",
            Text(screen.format_percent(share), style=screen.HEADING),
            screen.draw_bar(share),
        )
    console.print(shares)

    scores, interval = match.scores, match.scores.interval
    screen.print_heading(console, agreement_heading(words))
    agreed = screen.new_table("", "", "", "", right=(1,))
    agreed.show_header = False
    for name, value in values_in_agreement(measures).items():
        inside = name in interval.inside
        agreed.add_row(
            f"  {measure_name(name, words)}",
            screen.format_percent(value),
            screen.draw_bar(value),
            Text("inside" if inside else "outside", style="" if inside else screen.FAINT),
        )
    console.print(agreed)
    low, high = (
        screen.format_percent(min(max(x, 0.0), 1.0)) for x in (interval.low, interval.high)
    )
    console.print()
    if interval.inside:
        sentence = f"mean of those inside the {interval.level}% interval, {low} to {high}"
        style = screen.FAINT
    else:
        sentence = (
            f"mean of all: the measures contradict each other, and none lies inside the "
            f"{interval.level}% interval, {low} to {high}"
        )
        style = "yellow"
    console.print(
        Text.assemble(
            "  ", (screen.format_percent(scores.agreement), screen.HEADING), "  ", (sentence, style)
        )
    )
