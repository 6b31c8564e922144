"""How a check is told, to people or to programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from likewise.model import Check, Document, Source

SOURCES_SHOWN = 20
FIGURES_COLUMNS = 36  # what the figures of a source take
FINE = 10**12  # shares as whole numbers


def tell(found: Check, *, as_json: bool, limit: int) -> None:
    """What was found, to programs or to people."""
    if as_json:
        from likewise.cli.shared import json_lines
        from likewise.results import check_result

        json_lines.write_record(check_result(found))
    else:
        to_people(found, limit)


def to_people(found: Check, limit: int) -> None:
    """Shares, sources with their passages, tables, and everything that did not count."""
    from dataclasses import astuple

    from rich.text import Text

    from likewise.cli.shared import screen, table_grids
    from likewise.cli.shared.passages import passages
    from likewise.cli.shared.printable import shorten
    from likewise.report import Differences
    from likewise.report.figures import tenths

    console, document = screen.open_console(), found.document
    console.print(Text(shorten(found.name, 90), style=screen.HEADING))
    if found.is_too_short:
        console.print(
            f"Too short to check: {screen.format_count(found.words or 0, 'word')} to go by."
        )
    shares = screen.new_table("", "", "", right=(1,))
    shares.show_header = False
    names = ("original", "similar to a source", "quoted with a citation", "not counted")
    # Rounded as in a report, so that they add up to 100.
    parts = [round(part * FINE) for part in astuple(found.shares)]
    for name, part in zip(names, tenths(parts, sum(parts)), strict=True):
        bar = screen.draw_bar(found.shares.similar) if name.startswith("similar") else Text("")
        figure = "–" if found.is_too_short else f"{part / 10:.1f}%"
        shares.add_row(f"  {name}", Text(figure, style=screen.HEADING), bar)
    if found.shares.similar:
        shares.add_row("  unchanged, word for word", screen.format_percent(found.literal), Text(""))
    console.print(shares)
    with_passages = [source for source in found.sources if source.passages]
    if with_passages:
        screen.print_heading(console, "Sources")
        _sources(console, with_passages)
    else:
        console.print()
        against = screen.format_count(found.documents, "document")
        if any(exclusion.reason in ("common", "template") for exclusion in found.exclusions):
            console.print(f"Nothing that counts stands in {against}; see what is not counted.")
        else:
            console.print(f"No passage of it stands in {against}.")
    differences = Differences(found.settings)
    for source in with_passages[:SOURCES_SHOWN]:
        if source.under is None and limit:
            screen.print_heading(console, shorten(source.name, 90))
            passages(
                console, document, found.texts[source.name], source.passages, differences, limit
            )
    fragments = sum(len(source.fragments) for source in found.sources)
    if fragments:
        console.print()
        console.print(
            Text(
                f"{screen.format_count(fragments, 'shared run')} of words too short to be counted; "
                "--json lists them",
                style=screen.FAINT,
            )
        )
    _listings(found)
    tables = table_grids.of_check(found)
    table_grids.tables(console, tables, "Tables of it (A) that stand elsewhere (B)", (False, True))
    _partners(found)
    _asked(found)
    _exclusions(found, document)
    if found.skipped:
        screen.print_heading(console, "Not to be compared")
        console.print("  " + ", ".join(shorten(name, 40) for name in found.skipped))
    screen.print_unread(console, found.unread)
    screen.print_notes(console, found.notes)


def _sources(console: Any, sources: list[Source]) -> None:
    from rich.text import Text

    from likewise.cli.shared import screen
    from likewise.cli.shared.printable import shorten

    made = screen.new_table("", "counted", "covered", "passages", "source", right=(0, 1, 2, 3))
    room = max(console.width - FIGURES_COLUMNS, screen.LEAST_NAME_COLUMNS)
    for number, source in enumerate(sources[:SOURCES_SHOWN], 1):
        name = shorten(source.name, room - 2)
        made.add_row(
            Text(str(number), style=screen.FAINT),
            Text(screen.format_percent(source.counted), style=screen.HEADING),
            screen.format_percent(source.share),
            str(len(source.passages)),
            Text(name) if source.under is None else Text(f"↳ {name}", style=screen.FAINT),
        )
    console.print(made)
    if any(source.under for source in sources[:SOURCES_SHOWN]):
        console.print(Text("  ↳ adds nothing to the sources above it", style=screen.FAINT))
    screen.print_remaining(console, len(sources) - SOURCES_SHOWN, "source")


def _listings(found: Check) -> None:
    """Programs, tables of numbers and the like that stand elsewhere; they do not count."""
    from rich.text import Text

    from likewise.cli.shared import screen
    from likewise.cli.shared.printable import shorten

    shared = [(source.name, here) for source in found.sources for here, _ in source.listings]
    if not shared:
        return
    console = screen.open_console()
    screen.print_heading(console, "Listings of it that stand elsewhere (not counted)")
    for name, here in shared[:SOURCES_SHOWN]:
        lines = here.of(found.document.text).count("\n") + 1
        told = f"  {screen.format_count(lines, 'line')} in {shorten(name, 60)}: "
        console.print(
            Text(told) + Text(_beginning(here.of(found.document.text)), style=screen.FAINT)
        )
    screen.print_remaining(console, len(shared) - SOURCES_SHOWN, "listing")


def _partners(found: Check) -> None:
    """Documents elsewhere: how much they share, and not where."""
    if not found.partners:
        return
    from rich.text import Text

    from likewise.cli.shared import screen
    from likewise.cli.shared.printable import shorten

    console = screen.open_console()
    screen.print_heading(console, "Elsewhere")
    made = screen.new_table("shared", "document", "library", right=(0,))
    for partner in found.partners[:SOURCES_SHOWN]:
        made.add_row(
            Text(screen.format_percent(partner.share), style=screen.HEADING),
            Text(shorten(partner.name, 50)),
            Text(shorten(partner.library, 30), style=screen.FAINT),
        )
    console.print(made)
    screen.print_remaining(console, len(found.partners) - SOURCES_SHOWN, "document")
    console.print(
        Text("  their texts are not known here; ask there what is shared", style=screen.FAINT)
    )


def _asked(found: Check) -> None:
    """How much was asked on the Internet, and of whom; every word of it is in a report."""
    if not found.asked:
        return
    from collections import Counter

    from rich.text import Text

    from likewise.cli.shared import screen

    console = screen.open_console()
    screen.print_heading(console, "Asked on the Internet")
    for (provider, host), number in Counter((a.provider, a.sent_to) for a in found.asked).items():
        queries = "1 query" if number == 1 else f"{number:,} queries"
        console.print(Text(f"  {provider} ({host}): {queries}; --json and --report list them"))


def _exclusions(found: Check, document: Document) -> None:
    from likewise.cli.shared import screen

    if found.exclusions:
        console = screen.open_console()
        screen.print_heading(console, "Not counted")
        lines = [
            (e.reason, _beginning(e.span.of(document.text)) + (f"  {e.detail}" if e.detail else ""))
            for e in found.exclusions[: screen.MAX_LINES]
        ]
        screen.print_reasons(console, lines)
        screen.print_remaining(console, len(found.exclusions) - screen.MAX_LINES, "passage")


def _beginning(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 90 else text[:60] + " … " + text[-25:]
