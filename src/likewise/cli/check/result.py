"""How a check is told, to people or to programs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from likewise.library import Batch
    from likewise.model import Check, Document, Source
    from likewise.results import Level, SourceOrder

MAX_SOURCES = 20
FIGURES_COLUMNS = 36  # what the figures of a source take
AGREEMENT_COLUMNS = 11  # what its agreement takes beside them
FINE = 10**12  # shares as whole numbers


@dataclass(frozen=True, slots=True)
class MeasureOptions:
    """How sources are told by the four measures, beside the text that they explain."""

    level: Level = 99
    min_percentage: float | None = None
    sort: SourceOrder = "share"

    @property
    def are_given(self) -> bool:
        """Whether anybody asked for measures: then people are told them too."""
        return self != MeasureOptions()

    def apply_level(self, outcome: Check | Batch) -> Check | Batch:
        """What reports are made of, at this level of confidence."""
        from likewise.model import Check
        from likewise.results import check_at_level

        if self.level == MeasureOptions().level:
            return outcome
        if isinstance(outcome, Check):
            return check_at_level(outcome, self.level)
        checks = tuple(check_at_level(check, self.level) for check in outcome.checks)
        return replace(outcome, checks=checks)

    def result(self, check: Check) -> Any:
        """A check as programs get it."""
        from likewise.results import check_result

        least = self.min_percentage or 0.0
        return check_result(check, level=self.level, min_percentage=least, sort=self.sort)


def print_check(check: Check, measures: MeasureOptions, *, as_json: bool, limit: int) -> None:
    """What was found, to programs or to people."""
    if as_json:
        from likewise.cli.shared import json_lines

        json_lines.write_record(measures.result(check))
    else:
        print_text(check, limit, measures)


def print_text(check: Check, limit: int, measures: MeasureOptions | None = None) -> None:
    """Shares, sources with their passages, tables, and everything that did not count."""
    from dataclasses import astuple

    from rich.text import Text

    from likewise.cli.shared import screen, table_grids
    from likewise.cli.shared.passages import print_passages
    from likewise.cli.shared.printable import shorten
    from likewise.report import Differences
    from likewise.report.figures import tenths

    console, document = screen.open_console(), check.document
    console.print(Text(shorten(check.name, 90), style=screen.HEADING))
    if check.is_too_short:
        console.print(
            f"Too short to check: {screen.format_count(check.words or 0, 'word')} to go by."
        )
    shares = screen.new_table("", "", "", right=(1,))
    shares.show_header = False
    names = ("original", "similar to a source", "quoted with a citation", "not counted")
    # Rounded as in a report, so that they add up to 100.
    parts = [round(part * FINE) for part in astuple(check.shares)]
    for name, part in zip(names, tenths(parts, sum(parts)), strict=True):
        bar = screen.draw_bar(check.shares.similar) if name.startswith("similar") else Text("")
        figure = "–" if check.is_too_short else f"{part / 10:.1f}%"
        shares.add_row(f"  {name}", Text(figure, style=screen.HEADING), bar)
        if name.startswith("similar") and not check.is_too_short:
            for wording, figure, uncounted in _wordings(check, part):
                shares.add_row(Text(f"    {wording}"), figure, Text(uncounted, style=screen.FAINT))
    console.print(shares)
    with_passages = [source for source in check.sources if source.passages]
    if with_passages:
        screen.print_heading(console, "Sources")
        _print_sources(console, check, with_passages, measures or MeasureOptions())
    else:
        console.print()
        against = screen.format_count(check.documents, "document")
        if any(exclusion.reason in ("common", "template") for exclusion in check.exclusions):
            console.print(f"Nothing that counts stands in {against}; see what is not counted.")
        else:
            console.print(f"No passage of it stands in {against}.")
    differences = Differences(check.settings)
    for source in with_passages[:MAX_SOURCES]:
        if source.under is None and limit:
            screen.print_heading(console, shorten(source.name, 90))
            print_passages(
                console,
                document,
                check.texts[source.name],
                source.passages,
                differences,
                limit,
                check.count,
            )
    fragments = sum(len(source.fragments) for source in check.sources)
    if fragments:
        console.print()
        console.print(
            Text(
                f"{screen.format_count(fragments, 'shared run')} of words too short to be counted; "
                "--json lists them",
                style=screen.FAINT,
            )
        )
    _print_listings(check)
    tables = table_grids.pairs_of_check(check)
    table_grids.print_tables(
        console, tables, "Tables of it (A) that stand elsewhere (B)", (False, True)
    )
    _print_partners(check)
    _print_queries(check)
    _print_exclusions(check, document)
    if check.skipped:
        screen.print_heading(console, "Not to be compared")
        console.print("  " + ", ".join(shorten(name, 40) for name in check.skipped))
    screen.print_unread(console, check.unread)
    screen.print_notes(console, check.notes)


def _wordings(check: Check, similar: int) -> list[tuple[str, str, str]]:
    """The similar share by its wording; those that count add up to it as it is shown."""
    from likewise.model import WORDINGS
    from likewise.report.figures import tenths

    shares = {each: round(getattr(check.wordings, each) * FINE) for each in WORDINGS}
    if not any(shares.values()):
        return []
    counted = {each: shares[each] for each in check.count}
    figures = tenths(list(counted.values()), sum(counted.values()), similar)
    shown: dict[str, float] = {each: share * 1000 / FINE for each, share in shares.items()}
    shown |= dict(zip(counted, figures, strict=True))
    return [
        (
            wording.replace("_", " "),
            f"{share / 10:.1f}%",
            "" if wording in counted else "not counted",
        )
        for wording, share in shown.items()
    ]


def _print_sources(
    console: Any, check: Check, sources: list[Source], measures: MeasureOptions
) -> None:
    from rich.text import Text

    from likewise.cli.shared import screen
    from likewise.cli.shared.printable import shorten
    from likewise.results import sources_in_order

    numbers = {source.name: number for number, source in enumerate(sources, 1)}
    in_order = [
        source
        for _, source in sources_in_order(check, measures.sort, measures.level)
        if source.name in numbers
    ]
    headings = ["", "counted", "covered", "passages"]
    headings += ["agreement"] if measures.are_given else []
    table = screen.new_table(*headings, "source", right=range(len(headings)))
    figures_columns = FIGURES_COLUMNS + (AGREEMENT_COLUMNS if measures.are_given else 0)
    name_columns = max(console.width - figures_columns, screen.LEAST_NAME_COLUMNS)
    for source in in_order[:MAX_SOURCES]:
        name = shorten(source.name, name_columns - 2)
        table.add_row(
            Text(str(numbers[source.name]), style=screen.FAINT),
            Text(screen.format_percent(source.counted), style=screen.HEADING),
            screen.format_percent(source.share),
            str(len(source.passages)),
            *([_agreement(source, measures)] if measures.are_given else []),
            Text(name) if source.under is None else Text(f"↳ {name}", style=screen.FAINT),
        )
    console.print(table)
    if any(source.under for source in in_order[:MAX_SOURCES]):
        under = "the sources above it" if measures.sort == "share" else "the others"
        console.print(Text(f"  ↳ adds nothing to {under}", style=screen.FAINT))
    screen.print_remaining(console, len(sources) - MAX_SOURCES, "source")
    if measures.min_percentage is not None:
        similar = sum(_is_similar(source, measures) for source in sources)
        console.print(
            Text(
                f"  {similar:,} of {screen.format_count(len(sources), 'source')} similar as a "
                f"whole: an agreement of {measures.min_percentage:g}% and more",
                style=screen.FAINT,
            )
        )


def _agreement(source: Source, measures: MeasureOptions) -> Any:
    """How far the measures of a source agree; faint where it is below what was asked for."""
    from rich.text import Text

    from likewise.cli.shared import screen

    if source.match is None:
        return Text("")
    is_similar = measures.min_percentage is None or _is_similar(source, measures)
    agreement = screen.format_percent(source.match.scores.agreement)
    return Text(agreement, style="" if is_similar else screen.FAINT)


def _is_similar(source: Source, measures: MeasureOptions) -> bool:
    from likewise.results import measures_result

    least = measures.min_percentage or 0.0
    return (
        source.match is not None and measures_result(source.match, measures.level, least).is_similar
    )


def _print_listings(check: Check) -> None:
    """Programs, tables of numbers and the like that stand elsewhere; they do not count."""
    from rich.text import Text

    from likewise.cli.shared import screen
    from likewise.cli.shared.printable import shorten

    shared = [(source.name, here) for source in check.sources for here, _ in source.listings]
    if not shared:
        return
    console = screen.open_console()
    screen.print_heading(console, "Listings of it that stand elsewhere (not counted)")
    for name, here in shared[:MAX_SOURCES]:
        lines = here.of(check.document.text).count("\n") + 1
        label = f"  {screen.format_count(lines, 'line')} in {shorten(name, 60)}: "
        console.print(
            Text(label) + Text(_beginning(here.of(check.document.text)), style=screen.FAINT)
        )
    screen.print_remaining(console, len(shared) - MAX_SOURCES, "listing")


def _print_partners(check: Check) -> None:
    """Documents elsewhere: how much they share, and not where."""
    if not check.partners:
        return
    from rich.text import Text

    from likewise.cli.shared import screen
    from likewise.cli.shared.printable import shorten

    console = screen.open_console()
    screen.print_heading(console, "Elsewhere")
    table = screen.new_table("shared", "document", "library", right=(0,))
    for partner in check.partners[:MAX_SOURCES]:
        table.add_row(
            Text(screen.format_percent(partner.share), style=screen.HEADING),
            Text(shorten(partner.name, 50)),
            Text(shorten(partner.library, 30), style=screen.FAINT),
        )
    console.print(table)
    screen.print_remaining(console, len(check.partners) - MAX_SOURCES, "document")
    console.print(
        Text("  their texts are not known here; ask there what is shared", style=screen.FAINT)
    )


def _print_queries(check: Check) -> None:
    """How much was asked on the Internet, and of whom; every word of it is in a report."""
    if not check.asked:
        return
    from collections import Counter

    from rich.text import Text

    from likewise.cli.shared import screen

    console = screen.open_console()
    screen.print_heading(console, "Asked on the Internet")
    for (provider, host), number in Counter(
        (query.provider, query.sent_to) for query in check.asked
    ).items():
        queries = "1 query" if number == 1 else f"{number:,} queries"
        console.print(Text(f"  {provider} ({host}): {queries}; --json and --report list them"))


def _print_exclusions(check: Check, document: Document) -> None:
    from likewise.cli.shared import screen

    if check.exclusions:
        console = screen.open_console()
        screen.print_heading(console, "Not counted")
        lines = [
            (e.reason, _beginning(e.span.of(document.text)) + (f"  {e.detail}" if e.detail else ""))
            for e in check.exclusions[: screen.MAX_LINES]
        ]
        screen.print_reasons(console, lines)
        screen.print_remaining(console, len(check.exclusions) - screen.MAX_LINES, "passage")


def _beginning(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 90 else text[:60] + " … " + text[-25:]
