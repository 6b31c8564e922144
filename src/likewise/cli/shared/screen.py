"""Results for people: tables without boxes, no wider than a page, plain when piped."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Literal

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from likewise.cli.shared.printable import display_width, printable, shorten

if TYPE_CHECKING:
    from likewise.model import Cluster, Match, Note, Unread
    from likewise.settings import Measure

PAGE_COLUMNS = 100
BAR_COLUMNS = 10
FIGURE_COLUMNS = 5
GAP_COLUMNS = 2
LEAST_NAME_COLUMNS = 12
MAX_MEMBERS = 12
MAX_LINES = 50
MAX_ROWS = 20

HEADING = "bold"
FAINT = "dim"


def open_console() -> Console:
    """Standard output as a page; the console knows whether colours can be seen."""
    console = Console(file=sys.stdout, markup=False, highlight=False, emoji=False)
    console.width = min(console.width, PAGE_COLUMNS) if console.is_terminal else PAGE_COLUMNS
    return console


def format_count(number: int, one: str) -> str:
    """A number with its noun, in the plural where it needs one.

    >>> format_count(1, "pair"), format_count(2500, "pair")
    ('1 pair', '2,500 pairs')
    """
    return f"{number:,} {one}" if number == 1 else f"{number:,} {one}s"


def format_percent(share: float) -> str:
    """Nothing but the same is shown as 100 %, and nothing but nothing as 0.

    >>> [format_percent(share) for share in (1.0, 0.9999, 0.325, 0.0001, 0.0)]
    ['100%', '99.9%', '32.5%', '0.1%', '0%']
    """
    if share in (0, 1):
        return f"{share:.0%}"
    return f"{min(max(share, 0.001), 0.999):.1%}"


def draw_bar(share: float) -> Text:
    """A share as a bar; the colour says it again.

    >>> draw_bar(0.74).plain, draw_bar(1.0).plain, draw_bar(0.001).plain
    ('━━━━━━━╸  ', '━━━━━━━━━━', '╸         ')
    """
    halves = math.ceil(min(max(share, 0.0), 1.0) * BAR_COLUMNS * 2)
    line = "━" * (halves // 2) + "╸" * (halves % 2)
    style = "red" if share >= 0.8 else "yellow" if share >= 0.5 else "cyan"
    return Text(line.ljust(BAR_COLUMNS), style=style)


def similarity(match: Match, measure: Measure | Literal["meaning"]) -> float:
    """The figure that was held against the threshold, or what is the same in other words."""
    if measure == "meaning":
        return match.meaning_share or 0.0
    if measure == "containment":
        return max(match.containment_a, match.containment_b)
    return match.jaccard


def new_table(*headings: str | Text, right: Iterable[int] = ()) -> Table:
    """An empty table; the columns in `right` hold numbers."""
    table = Table(box=None, pad_edge=False, padding=(0, GAP_COLUMNS, 0, 0), header_style=FAINT)
    numbers = set(right)
    for i, heading in enumerate(headings):
        table.add_column(heading, justify="right" if i in numbers else "left", no_wrap=True)
    return table


def print_pairs(
    console: Console,
    matches: Sequence[Match],
    measure: Measure | Literal["meaning"],
    headings: tuple[str, str],
    languages: Sequence[str] | None,
) -> None:
    """The pairs, with as much of their names as fits."""
    figures: list[str] = [measure if measure in ("containment", "meaning") else "similarity"]
    figures += ["A in B", "B in A", "agreement", *(["language"] if languages else [])]
    widths = [FIGURE_COLUMNS + 1 + BAR_COLUMNS, *map(display_width, figures[1:])]
    available = console.width - sum(widths) - GAP_COLUMNS * (len(widths) + 1)
    sides = ([printable(match.a) for match in matches], [printable(match.b) for match in matches])
    name_widths = share_columns(available, *(max(map(display_width, names)) for names in sides))
    names = [
        [shorten(name, width) for name in side]
        for side, width in zip(sides, name_widths, strict=True)
    ]
    table = new_table(
        *figures,
        *(shorten(h, max(w, 1)) for h, w in zip(headings, name_widths, strict=True)),
        right=(1, 2, 3),
    )
    for i, match in enumerate(matches):
        share = similarity(match, measure)
        table.add_row(
            Text.assemble(
                (format_percent(share).rjust(FIGURE_COLUMNS), HEADING), " ", draw_bar(share)
            ),
            format_percent(match.containment_a),
            format_percent(match.containment_b),
            Text(format_percent(match.scores.agreement), style=FAINT),
            *([Text(languages[i], style=FAINT)] if languages else []),
            Text(names[0][i]),
            Text(names[1][i]),
        )
    console.print(table)


def share_columns(available: int, a: int, b: int) -> tuple[int, int]:
    """How many of the columns two names get that want `a` and `b`.

    >>> share_columns(50, 20, 20), share_columns(50, 20, 90), share_columns(50, 90, 90)
    ((20, 20), (20, 30), (25, 25))
    """
    available = max(available, 2 * LEAST_NAME_COLUMNS)
    if a + b <= available:
        return a, b
    half = available // 2
    if a <= half:
        return a, available - a
    return (available - b, b) if b <= half else (half, available - half)


def print_clusters(console: Console, clusters: Sequence[Cluster], limit: int) -> None:
    """Clusters of three and more, each with the weakest link; two documents are a pair above."""
    larger = [cluster for cluster in clusters if len(cluster) > 2]
    if not larger:
        return
    print_heading(console, "Clusters")
    table = Table(box=None, pad_edge=False, padding=(0, GAP_COLUMNS, 0, 0), show_header=False)
    table.add_column(justify="right", no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for cluster in larger[:limit]:
        table.add_row(
            format_count(len(cluster), "document"),
            Text(f"weakest link {format_percent(cluster.weakest)}", style=FAINT),
            format_members(cluster.members),
        )
    console.print(Padding(table, (0, 0, 0, 2)))
    print_remaining(console, len(larger) - limit, "cluster")
    if len(larger) < len(clusters):
        twos = format_count(len(clusters) - len(larger), "cluster")
        console.print(Text(f"  and {twos} of two documents", style=FAINT))


def format_members(members: Sequence[str]) -> Text:
    text = Text(", ".join(shorten(name, 40) for name in members[:MAX_MEMBERS]))
    if len(members) > MAX_MEMBERS:
        text.append(f" and {len(members) - MAX_MEMBERS:,} more", style=FAINT)
    return text


def print_unread(console: Console, files: Sequence[Unread]) -> None:
    """What gave nothing to compare, and why."""
    if files:
        print_heading(console, "Not compared")
        print_reasons(console, [(file.name, str(file.reason)) for file in files[:MAX_LINES]])
        print_remaining(console, len(files) - MAX_LINES, "file")


def print_notes(console: Console, notes: Sequence[tuple[str, Note]]) -> None:
    """What people should know about how documents were read, the graver things first."""
    if notes:
        print_heading(console, "Worth knowing")
        ordered = sorted(notes, key=lambda pair: pair[1].kind not in pair[1].READ_IN_PART)
        print_reasons(console, [(name, str(note.message)) for name, note in ordered[:MAX_LINES]])
        print_remaining(console, len(notes) - MAX_LINES, "note")


def print_reasons(console: Console, lines: Sequence[tuple[str, str]]) -> None:
    """Names, and what is to be said about each."""
    table = Table(box=None, pad_edge=False, padding=(0, GAP_COLUMNS, 0, 0), show_header=False)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for name, reason in lines:
        table.add_row(Text(shorten(name, 40), style="yellow"), Text(printable(reason)))
    console.print(Padding(table, (0, 0, 0, 2)))


def print_heading(console: Console, words: str) -> None:
    console.print()
    console.print(Text(words, style=HEADING))


def print_remaining(
    console: Console, number: int, what: str, how: str = "--json lists all"
) -> None:
    """Says that there is more than was shown."""
    if number > 0:
        console.print(Text(f"  and {number:,} more {what}{'s'[: number != 1]}; {how}", style=FAINT))


def print_closing(console: Console, *figures: str, method: str) -> None:
    """The end: what was done, and below it how."""
    console.print()
    console.print(Text(" · ".join(figure for figure in figures if figure), style=FAINT))
    console.print(Text(method, style=FAINT))


def format_seconds(seconds: float) -> str:
    """Seconds, with hundredths where they are few.

    >>> format_seconds(0.0312), format_seconds(75.2)
    ('0.03 s', '75.2 s')
    """
    return f"{seconds:.2f} s" if seconds < 10 else f"{seconds:,.1f} s"
