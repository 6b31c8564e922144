"""`likewise library duplicates`: which documents of a library are alike, by its fingerprints."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from likewise.cli.shared.library import Place, open_library, takes_filters
from likewise.cli.shared.options import AsJson, Jobs, Memory, Quiet, flag

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from likewise.library import DuplicatePair, Duplicates, Entry, Filters, Library

EXAMPLES = """[bold]Examples[/]

  likewise library duplicates --library campus.db
  likewise library duplicates --threshold 0.5 --type thesis --year 2019-
  likewise library duplicates --measure containment --threshold 0.9
  likewise library duplicates --clusters --json > clusters.jsonl
"""
DEFAULT_LIMIT = 50
DEFAULT_THRESHOLD = 0.8  # of likewise.library.duplicates, which the help need not wait for
PAIRS_AT_ONCE = 500  # pairs whose names are read together

NamedPair = tuple["DuplicatePair", "Entry", "Entry"]


@takes_filters
def duplicates(
    *,
    place: Place = None,
    filters: Filters | None = None,
    threshold: Annotated[
        float,
        typer.Option(
            "--threshold",
            "-t",
            metavar="SHARE",
            help=f"The least similarity of a pair, above 0 to 1; default {DEFAULT_THRESHOLD:g}.",
            show_default=False,
        ),
    ] = DEFAULT_THRESHOLD,
    measure: Annotated[
        Literal["jaccard", "containment"],
        typer.Option(
            metavar="MEASURE",
            help="What similarity is: shared fingerprints of all of both (jaccard), or of the "
            "smaller document (containment); default jaccard.",
            show_default=False,
        ),
    ] = "jaccard",
    clusters: Annotated[
        bool, flag("--clusters", help="Clusters instead of pairs: documents tied by pairs.")
    ] = False,
    limit: Annotated[
        int | None,
        typer.Option(
            min=0,
            metavar="N",
            help=f"Show so many, the strongest pairs or the largest clusters; default "
            f"{DEFAULT_LIMIT}, with --json all.",
        ),
    ] = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
    jobs: Jobs = None,
    memory: Memory = None,
) -> None:
    """Documents of the library that are near-duplicates of each other; nothing is removed.

    No file is read again: similarity is that of the fingerprints which the library keeps, an
    estimate of how much text two documents share. Every pair that reaches the threshold is found.
    `likewise compare` shows the passages of two files.
    """
    from likewise.cli.shared.options import memory_allowed
    from likewise.cli.shared.progress import progress

    began = time.monotonic()
    budget = memory_allowed(memory)
    with open_library(place, read_only=True) as library:
        with progress(quiet=quiet, as_json=as_json) as on_progress:
            result = library.duplicates(
                filters,
                threshold=threshold,
                measure=measure,
                jobs=jobs,
                memory=budget,
                progress=on_progress,
            )
        output = _Output(library, result, limit, time.monotonic() - began)
        if as_json:
            output.write_json(clusters=clusters)
        else:
            output.print_text(clusters=clusters)


class _Output:
    """What was found, for people or for programs; names are read as they are needed."""

    def __init__(
        self, library: Library, result: Duplicates, limit: int | None, seconds: float
    ) -> None:
        self._library, self._result = library, result
        self._limit, self._seconds = limit, seconds

    def write_json(self, *, clusters: bool) -> None:
        from likewise.cli.shared.json_lines import write_record
        from likewise.version import version

        if not clusters:
            for pair, a, b in self._name_pairs(islice(self._result, self._limit)):
                write_record(_pair_record(pair, a, b))
        for cluster in self._result.clusters[: self._limit]:
            members = [_document_record(entry) for entry in self._library.entries(cluster.members)]
            write_record({"type": "cluster", "members": members, "weakest": cluster.weakest})
        result = self._result
        write_record(
            {
                "type": "summary",
                "library": self._library.name,
                "documents": result.documents,
                "without_fingerprints": result.without_fingerprints,
                "pairs": len(result),
                "clusters": len(result.clusters),
                "threshold": result.threshold,
                "measure": result.measure,
                "recipe": result.recipe,
                "awaits_rebuild": result.awaits_rebuild,
                "seconds": self._seconds,
                "version": version(),
            }
        )

    def print_text(self, *, clusters: bool) -> None:
        from likewise.cli.shared import screen

        console, result = screen.open_console(), self._result
        limit = DEFAULT_LIMIT if self._limit is None else self._limit
        if not len(result):
            console.print(self._nothing())
        elif clusters:
            self._print_clusters(console, limit)
        else:
            named_pairs = list(self._name_pairs(islice(result, limit)))
            if named_pairs:
                _print_pairs(console, named_pairs, result.measure)
            remaining = max(0, len(result) - limit)
            screen.print_remaining(console, remaining, "pair", "--limit shows more, --json all")
        if result.awaits_rebuild:
            console.print()
            console.print(
                "The library waits for a rebuild: this is by the fingerprints in use now. After "
                "`likewise library rebuild` it may differ."
            )
        screen.print_closing(
            console,
            screen.format_count(result.documents, "document"),
            screen.format_count(len(result), "pair"),
            screen.format_count(len(result.clusters), "cluster"),
            f"{result.measure} ≥ {result.threshold:g}",
            screen.format_seconds(self._seconds),
            method="exact over the stored fingerprints, an estimate of shared text; "
            "`likewise compare` shows passages",
        )

    def _nothing(self) -> str:
        if not self._result.documents:
            return "No document fits: nothing to compare."
        if self._result.documents == 1:
            return "One document, and nothing to compare it with."
        return f"No two documents reach the threshold of {self._result.threshold:g}."

    def _name_pairs(self, pairs: Iterable[DuplicatePair]) -> Iterator[NamedPair]:
        """Pairs with what is known of their documents; those removed meanwhile are left out."""
        rest = iter(pairs)
        while part := list(islice(rest, PAIRS_AT_ONCE)):
            ids = [id for pair in part for id in (pair.a, pair.b)]
            entries = {entry.id: entry for entry in self._library.entries(ids)}
            for pair in part:
                if pair.a in entries and pair.b in entries:
                    yield pair, entries[pair.a], entries[pair.b]

    def _print_clusters(self, console: Console, limit: int) -> None:
        from rich.padding import Padding
        from rich.text import Text

        from likewise.cli.shared import screen

        for cluster in self._result.clusters[:limit]:
            size = screen.format_count(len(cluster.members), "document")
            weakest = screen.format_percent(cluster.weakest)
            console.print(
                Text.assemble((size, screen.HEADING), (f"  weakest link {weakest}", screen.FAINT))
            )
            table = screen.new_table("id", "name", "author", "added by", "added", right=(0,))
            table.show_header = False
            for entry in self._library.entries(cluster.members[: screen.MAX_MEMBERS]):
                table.add_row(*_member_cells(entry, console.width))
            console.print(Padding(table, (0, 0, 0, 2)))
            remaining = len(cluster.members) - screen.MAX_MEMBERS
            screen.print_remaining(console, remaining, "document")
        hidden = max(0, len(self._result.clusters) - limit)
        screen.print_remaining(console, hidden, "cluster", "--limit shows more, --json all")


def _member_cells(entry: Entry, width: int) -> list[Text]:
    from rich.text import Text

    from likewise.cli.shared import screen
    from likewise.cli.shared.printable import shorten

    name_columns = max(width - 55, screen.LEAST_NAME_COLUMNS)  # the others take as many
    return [
        Text(str(entry.id), style=screen.FAINT),
        Text(shorten(entry.name, name_columns)),
        Text(shorten(entry.author or "", 16)),
        Text(shorten(entry.owner or "", 12), style=screen.FAINT),
        Text(entry.added_on.strftime("%Y-%m-%d"), style=screen.FAINT),
    ]


def _print_pairs(console: Console, named_pairs: list[NamedPair], measure: str) -> None:
    """The pairs, with as much of their names as fits."""
    from rich.text import Text

    from likewise.cli.shared import screen
    from likewise.cli.shared.printable import display_width, shorten

    figures = ["containment" if measure == "containment" else "similarity", "A in B", "B in A"]
    figures.append("")
    sides = [[f"{entry.id}  {entry.name}" for entry in side] for side in _sides(named_pairs)]
    widths = [screen.FIGURE_COLUMNS + 1 + screen.BAR_COLUMNS, 6, 6, len("same text")]
    available = console.width - sum(widths) - screen.GAP_COLUMNS * (len(widths) + 1)
    name_columns = screen.share_columns(
        available, *(max(map(display_width, side)) for side in sides)
    )
    table = screen.new_table(*figures, "A", "B", right=(1, 2))
    for (pair, _, _), a, b in zip(named_pairs, *sides, strict=True):
        table.add_row(
            Text.assemble(
                (
                    screen.format_percent(pair.similarity).rjust(screen.FIGURE_COLUMNS),
                    screen.HEADING,
                ),
                " ",
                screen.draw_bar(pair.similarity),
            ),
            screen.format_percent(_contained(pair.shared, pair.fingerprints_a)),
            screen.format_percent(_contained(pair.shared, pair.fingerprints_b)),
            Text("same text" if pair.is_same_text else "", style=screen.FAINT),
            Text(shorten(a, name_columns[0])),
            Text(shorten(b, name_columns[1])),
        )
    console.print(table)


def _sides(named_pairs: list[NamedPair]) -> tuple[list[Entry], list[Entry]]:
    return [a for _, a, _ in named_pairs], [b for _, _, b in named_pairs]


def _contained(shared: int, fingerprints: int) -> float:
    """The share of a document's fingerprints; a text without any is pair of its own kind alone."""
    return shared / fingerprints if fingerprints else 1.0


def _pair_record(pair: DuplicatePair, a: Entry, b: Entry) -> dict[str, Any]:
    return {
        "type": "pair",
        "a": _document_record(a),
        "b": _document_record(b),
        "similarity": pair.similarity,
        "shared": pair.shared,
        "fingerprints_a": pair.fingerprints_a,
        "fingerprints_b": pair.fingerprints_b,
        "same_text": pair.is_same_text,
    }


def _document_record(entry: Entry) -> dict[str, Any]:
    """What tells a document from others; `likewise list --json` tells the rest."""
    return {
        "id": entry.id,
        "name": entry.name,
        "author": entry.author,
        "owner": entry.owner,
        "collection": entry.collection,
        "added_on": entry.added_on.isoformat(),
    }
