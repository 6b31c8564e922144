"""Many documents checked in one go, as the command line reads and tells them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console

    from likewise.cli.check.result import MeasureOptions
    from likewise.library import Batch
    from likewise.model import Check, Source

FIGURES_COLUMNS = 34  # what everything but the names takes
MAX_PAIRS = 20


def print_batch(batch: Batch, measures: MeasureOptions, *, as_json: bool, seconds: float) -> None:
    """What was found, to programs or to people."""
    if as_json:
        _print_json(batch, measures, seconds)
    else:
        _print_text(batch, seconds)


def _print_json(batch: Batch, measures: MeasureOptions, seconds: float) -> None:
    from likewise.cli.shared import json_lines

    for check in batch.checks:
        json_lines.write_record(measures.result(check))
    for match in batch.matches:
        json_lines.write_record({"type": "pair", **json_lines.match_record(match)})
    for cluster in batch.matches.clusters:
        json_lines.write_record(json_lines.cluster_record(cluster))
    for unread in batch.unread:
        json_lines.write_record(json_lines.unread_record(unread))
    json_lines.write_record(
        {
            "type": "summary",
            "documents": len(batch.checks),
            "pairs": len(batch.matches),
            "clusters": len(batch.matches.clusters),
            "unread": len(batch.unread),
            "seconds": seconds,
        }
    )


def _print_text(batch: Batch, seconds: float) -> None:
    from likewise.cli.shared import screen

    console = screen.open_console()
    if batch.checks:
        _documents(console, batch)
    if len(batch.matches):
        screen.print_heading(console, "Alike among themselves")
        settings = batch.matches.settings
        pairs = batch.matches[:MAX_PAIRS]
        screen.print_pairs(console, pairs, settings.measure, ("A", "B"), None)
        screen.print_remaining(console, len(batch.matches) - MAX_PAIRS, "pair")
        screen.print_clusters(console, batch.matches.clusters, screen.MAX_LINES)
    screen.print_unread(console, batch.unread)
    notes = dict.fromkeys(note for check in batch.checks for note in _own(check))
    screen.print_notes(console, list(notes))
    library = batch.checks[0].documents - len(batch.checks) + 1 if batch.checks else 0
    screen.print_closing(
        console,
        screen.format_count(len(batch.checks), "document"),
        screen.format_seconds(seconds),
        method=f"against {screen.format_count(library, 'document')} of the library and each other; "
        f"`likewise check FILE` shows one of them in full",
    )


def _documents(console: Console, batch: Batch) -> None:
    """A line each, those with most similar text first."""
    from rich.text import Text

    from likewise.cli.shared import screen
    from likewise.cli.shared.printable import display_width, printable, shorten

    checks = sorted(batch.checks, key=lambda check: (-check.shares.similar, check.name))
    bests = [best_source(check) for check in checks]
    names = [printable(check.name) for check in checks]
    sources = [printable(best.name) if best else "" for best in bests]
    widths = screen.share_columns(
        console.width - FIGURES_COLUMNS,
        max(map(display_width, names)),
        max(map(display_width, sources)),
    )
    table = screen.new_table("similar", "document", "best source", "", "", right=(3,))
    for check, best, name, source in zip(checks, bests, names, sources, strict=True):
        share = check.shares.similar
        beside = "in this class" if best and best.name in batch.names else ""
        table.add_row(
            Text.assemble(
                (screen.format_percent(share).rjust(screen.FIGURE_COLUMNS), screen.HEADING)
            ),
            Text(shorten(name, widths[0])),
            Text(shorten(source, widths[1])),
            screen.format_percent(best.share) if best else "",
            Text(beside, style=screen.FAINT),
        )
    console.print(table)


def best_source(check: Check) -> Source | None:
    """The source that holds most of a text."""
    sources = [source for source in check.sources if source.passages]
    return max(sources, key=lambda source: source.share, default=None)


def _own(check: Check) -> list[tuple[str, Any]]:
    """What is to be known about the document itself, and what it was not compared with."""
    return [
        (name, note)
        for name, note in check.notes
        if name == check.name or (note.kind == "damaged" and name not in check.texts)
    ]
