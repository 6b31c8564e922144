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
        from likewise.cli import as_json as result
        from likewise.results import check_result

        result.write(check_result(found))
    else:
        to_people(found, limit)


def to_people(found: Check, limit: int) -> None:
    """Shares, sources with their passages, tables, and everything that did not count."""
    from dataclasses import astuple

    from rich.text import Text

    from likewise.cli import grids, show
    from likewise.cli.names import shortened
    from likewise.cli.passages import passages
    from likewise.report import Differences
    from likewise.report.figures import tenths

    console, document = show.page(), found.document
    console.print(Text(shortened(found.name, 90), style=show.HEADING))
    if found.is_too_short:
        console.print(f"Too short to check: {show.count(found.words or 0, 'word')} to go by.")
    shares = show.table("", "", "", right=(1,))
    shares.show_header = False
    names = ("original", "similar to a source", "quoted with a citation", "not counted")
    # Rounded as in a report, so that they add up to 100.
    parts = [round(part * FINE) for part in astuple(found.shares)]
    for name, part in zip(names, tenths(parts, sum(parts)), strict=True):
        bar = show.bar(found.shares.similar) if name.startswith("similar") else Text("")
        figure = "–" if found.is_too_short else f"{part / 10:.1f}%"
        shares.add_row(f"  {name}", Text(figure, style=show.HEADING), bar)
    if found.shares.similar:
        shares.add_row("  unchanged, word for word", show.percent(found.literal), Text(""))
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
    differences = Differences(found.settings)
    for source in with_passages[:SOURCES_SHOWN]:
        if source.under is None and limit:
            show.heading(console, shortened(source.name, 90))
            passages(
                console, document, found.texts[source.name], source.passages, differences, limit
            )
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
    _listings(found)
    tables = grids.of_check(found)
    grids.tables(console, tables, "Tables of it (A) that stand elsewhere (B)", (False, True))
    _partners(found)
    _asked(found)
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


def _listings(found: Check) -> None:
    """Programs, tables of numbers and the like that stand elsewhere; they do not count."""
    from rich.text import Text

    from likewise.cli import show
    from likewise.cli.names import shortened

    shared = [(source.name, here) for source in found.sources for here, _ in source.listings]
    if not shared:
        return
    console = show.page()
    show.heading(console, "Listings of it that stand elsewhere (not counted)")
    for name, here in shared[:SOURCES_SHOWN]:
        lines = here.of(found.document.text).count("\n") + 1
        told = f"  {show.count(lines, 'line')} in {shortened(name, 60)}: "
        console.print(Text(told) + Text(_beginning(here.of(found.document.text)), style=show.FAINT))
    show.hidden(console, len(shared) - SOURCES_SHOWN, "listing")


def _partners(found: Check) -> None:
    """Documents elsewhere: how much they share, and not where."""
    if not found.partners:
        return
    from rich.text import Text

    from likewise.cli import show
    from likewise.cli.names import shortened

    console = show.page()
    show.heading(console, "Elsewhere")
    made = show.table("shared", "document", "library", right=(0,))
    for partner in found.partners[:SOURCES_SHOWN]:
        made.add_row(
            Text(show.percent(partner.share), style=show.HEADING),
            Text(shortened(partner.name, 50)),
            Text(shortened(partner.library, 30), style=show.FAINT),
        )
    console.print(made)
    show.hidden(console, len(found.partners) - SOURCES_SHOWN, "document")
    console.print(
        Text("  their texts are not known here; ask there what is shared", style=show.FAINT)
    )


def _asked(found: Check) -> None:
    """How much was asked on the Internet, and of whom; every word of it is in a report."""
    if not found.asked:
        return
    from collections import Counter

    from rich.text import Text

    from likewise.cli import show

    console = show.page()
    show.heading(console, "Asked on the Internet")
    for (provider, host), number in Counter((a.provider, a.sent_to) for a in found.asked).items():
        queries = "1 query" if number == 1 else f"{number:,} queries"
        console.print(Text(f"  {provider} ({host}): {queries}; --json and --report list them"))


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
