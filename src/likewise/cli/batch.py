"""Many documents checked in one go, as the command line reads and tells them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console

    from likewise.library import Batch
    from likewise.model import Check, Source

FIGURES_COLUMNS = 34  # what everything but the names takes
PAIRS_SHOWN = 20


def tell(found: Batch, *, as_json: bool, seconds: float) -> None:
    """What was found, to programs or to people."""
    if as_json:
        _to_programs(found, seconds)
    else:
        _to_people(found, seconds)


def _to_programs(found: Batch, seconds: float) -> None:
    from likewise.cli import as_json
    from likewise.results import check_result

    for check in found.checks:
        as_json.write(check_result(check))
    for match in found.matches:
        as_json.write({"type": "pair", **as_json.of_match(match)})
    for cluster in found.matches.clusters:
        as_json.write(as_json.of_cluster(cluster))
    for unread in found.unread:
        as_json.write(as_json.of_unread(unread))
    as_json.write(
        {
            "type": "summary",
            "documents": len(found.checks),
            "pairs": len(found.matches),
            "clusters": len(found.matches.clusters),
            "unread": len(found.unread),
            "seconds": seconds,
        }
    )


def _to_people(found: Batch, seconds: float) -> None:
    from likewise.cli import show

    console = show.page()
    if found.checks:
        _documents(console, found)
    if len(found.matches):
        show.heading(console, "Alike among themselves")
        settings = found.matches.settings
        pairs = found.matches[:PAIRS_SHOWN]
        show.pairs(console, pairs, settings.measure, ("A", "B"), None)
        show.hidden(console, len(found.matches) - PAIRS_SHOWN, "pair")
        show.clusters(console, found.matches.clusters, show.LINES_SHOWN)
    show.unread(console, found.unread)
    noted = dict.fromkeys(told for check in found.checks for told in _own(check))
    show.notes(console, list(noted))
    library = found.checks[0].documents - len(found.checks) + 1 if found.checks else 0
    show.closing(
        console,
        show.count(len(found.checks), "document"),
        show.took(seconds),
        method=f"against {show.count(library, 'document')} of the library and each other; "
        f"`likewise check FILE` shows one of them in full",
    )


def _documents(console: Console, found: Batch) -> None:
    """A line each, those with most similar text first."""
    from rich.text import Text

    from likewise.cli import show
    from likewise.cli.names import columns, printable, shortened

    checks = sorted(found.checks, key=lambda check: (-check.shares.similar, check.name))
    bests = [best_source(check) for check in checks]
    names = [printable(check.name) for check in checks]
    sources = [printable(best.name) if best else "" for best in bests]
    widths = show.shares_of(
        console.width - FIGURES_COLUMNS, max(map(columns, names)), max(map(columns, sources))
    )
    made = show.table("similar", "document", "best source", "", "", right=(3,))
    for check, best, name, source in zip(checks, bests, names, sources, strict=True):
        share = check.shares.similar
        beside = "in this batch" if best and best.name in found.names else ""
        made.add_row(
            Text.assemble((show.percent(share).rjust(show.FIGURE_COLUMNS), show.HEADING)),
            Text(shortened(name, widths[0])),
            Text(shortened(source, widths[1])),
            show.percent(best.share) if best else "",
            Text(beside, style=show.FAINT),
        )
    console.print(made)


def best_source(check: Check) -> Source | None:
    """The source that holds most of a text."""
    held = [source for source in check.sources if source.passages]
    return max(held, key=lambda source: source.share, default=None)


def _own(check: Check) -> list[tuple[str, Any]]:
    """What is to be known about the document itself, and what it was not compared with."""
    return [
        (name, note)
        for name, note in check.notes
        if name == check.name or (note.kind == "damaged" and name not in check.texts)
    ]
