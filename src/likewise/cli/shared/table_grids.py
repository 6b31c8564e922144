"""Tables that are alike, for people: a list of them, and the strongest cell by cell."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.padding import Padding
from rich.table import Table as Grid
from rich.text import Text

from likewise.cli.shared import screen
from likewise.cli.shared.printable import display_width, printable, shorten

if TYPE_CHECKING:
    from rich.console import Console

    from likewise.front import TableMatch, TablePair
    from likewise.model import Check, Match, Table
    from likewise.report.view import TableCellView, TableColumnView, TableMatchView, TableRowView

MAX_PAIRS = 20
MAX_GRIDS = 3
MAX_GRID_ROWS = 20
CELL_COLUMNS = 22  # of a cell that is the same on both sides; of an altered one twice that
_MAX_FACTORS = 6

_ALTERED, _HERE, _THERE, _MOVED = "bold yellow", "red", "green", "cyan"


def pairs_of_match(match: Match) -> list[TablePair]:
    """The tables that two documents share."""
    from likewise.front import TablePair

    if match.documents is None:
        return []
    a, b = match.documents
    return [
        TablePair(match.a, match.b, a.tables[table_match.a], b.tables[table_match.b], table_match)
        for table_match in match.tables
    ]


def pairs_of_check(check: Check) -> list[TablePair]:
    """The tables of a checked document that stand in others."""
    from likewise.front import TablePair

    ours = check.document.tables
    return [
        TablePair(
            check.name,
            name,
            ours[table_match.a],
            check.texts[name].tables[table_match.b],
            table_match,
        )
        for name, table_match in check.tables
    ]


def print_tables(
    console: Console, pairs: Sequence[TablePair], heading: str, is_named: tuple[bool, bool]
) -> None:
    """A section of a longer result: how many there are, a list, and the best few as grids."""
    if not pairs:
        return
    screen.print_heading(console, f"{heading}: {len(pairs):,}")
    print_ranking(console, pairs[:MAX_PAIRS], is_named)
    screen.print_remaining(console, len(pairs) - MAX_PAIRS, "pair")
    print_grids(console, pairs[:MAX_GRIDS])


def print_ranking(
    console: Console, pairs: Sequence[TablePair], is_named: tuple[bool, bool] = (True, True)
) -> None:
    """The list; a side that is one document throughout need not be named."""
    figures = screen.FIGURE_COLUMNS + 1 + screen.BAR_COLUMNS
    available = console.width - figures - 6 - 3 * screen.GAP_COLUMNS
    sides = (
        [(pair.a if is_named[0] else "", _place(pair.table_a, pair.match.a)) for pair in pairs],
        [(pair.b if is_named[1] else "", _place(pair.table_b, pair.match.b)) for pair in pairs],
    )
    widest = [max(display_width(printable(f"{name}  {place}")) for name, place in s) for s in sides]
    widths = screen.share_columns(available, *widest)
    table = screen.new_table("", "likeness", "A", "B", right=(0,))
    for number, (pair, a, b) in enumerate(zip(pairs, *sides, strict=True), 1):
        table.add_row(
            Text(str(number), style=screen.FAINT),
            _likeness(pair.match.score),
            _side(*a, widths[0]),
            _side(*b, widths[1]),
        )
    console.print(table)


def _likeness(score: float) -> Text:
    figure = screen.format_percent(score).rjust(screen.FIGURE_COLUMNS)
    return Text.assemble((figure, screen.HEADING), " ", screen.draw_bar(score))


def _place(table: Table, place: int) -> str:
    """Where a table stands in its document: page, and caption or number."""
    page = f"page {table.page}, " if table.page else ""
    return page + (" ".join(table.caption.split()) or f"table {place + 1}")


def _side(name: str, place: str, width: int) -> Text:
    if not name:
        return Text(shorten(place, width))
    name, place = printable(name), printable(place)
    if display_width(name) + display_width(place) + 2 > width:
        name = shorten(name, max(width // 2, width - display_width(place) - 2))
        place = shorten(place, max(0, width - display_width(name) - 2))
    return Text.assemble(name, "  ", (place, screen.FAINT))


def print_grids(console: Console, pairs: Sequence[TablePair]) -> None:
    """Each pair with its two tables laid over each other, and below what the marks mean."""
    from likewise.report.tables import table_match_view

    marks: set[str] = set()
    for number, pair in enumerate(pairs, 1):
        view = table_match_view(pair.match, pair.table_a, pair.table_b, name=pair.b)
        console.print()
        console.print(_heading(number, pair))
        for sentence in _sentences(pair.match):
            console.print(Padding(Text(sentence, style="yellow"), (0, 0, 0, 2)))
        marks |= _grid(console, view)
    meanings = [meaning for mark, meaning in _MEANINGS.items() if mark in marks]
    if meanings:
        console.print()
        console.print(Text("  " + " · ".join(meanings), style=screen.FAINT))


_MEANINGS = {
    "→": "a → b altered from A to B",
    "↔": "2 ↔ 5 moved, 2nd in A and 5th in B",
    "−": "− only in A",
    "+": "+ only in B",
}


def _heading(number: int, pair: TablePair) -> Text:
    match = pair.match
    a, b = (
        shorten(f"{name}, {_place(table, place)}", 44)
        for name, table, place in (
            (pair.a, pair.table_a, match.a),
            (pair.b, pair.table_b, match.b),
        )
    )
    shares = (
        f"{screen.format_percent(match.share_a)} of A, {screen.format_percent(match.share_b)} of B"
    )
    return Text.assemble(
        (f"{number}  ", screen.FAINT),
        (f"{a}  ·  {b}", screen.HEADING),
        (f"  {shares}", screen.FAINT),
    )


def _sentences(match: TableMatch) -> list[str]:
    """What was done to the whole table, in words."""
    sentences = ["B is turned: its columns are the rows of A."] if match.transposed else []
    for line, pairs, factors in (
        ("row", match.rows, match.row_factors),
        ("column", match.columns, match.column_factors),
    ):
        there = line if not match.transposed else "column" if line == "row" else "row"
        scaled = [
            f"{there} {b + 1} of B is {line} {a + 1} of A times {factor:,.6g}"
            for (a, b), factor in zip(pairs, factors, strict=False)
            if factor != 1
        ]
        if scaled:
            more = len(scaled) - _MAX_FACTORS
            beyond = f"; and {more:,} more" if more > 0 else ""
            sentences.append(
                "Numbers were scaled: " + "; ".join(scaled[:_MAX_FACTORS]) + beyond + "."
            )
    return sentences


def _grid(console: Console, view: TableMatchView) -> set[str]:
    """Draw as many rows and columns as fit, and say how many did not; the marks that were used."""
    rows = _most_telling_rows(view.rows)
    lead = max((display_width(_mark(row)) for row in rows), default=0)
    available = console.width - lead - 2 - screen.GAP_COLUMNS
    visible_columns: list[int] = []
    for place, column in enumerate(view.columns):
        cells = [display_width(_cell(row.cells[place]).plain) for row in rows]
        available -= max(display_width(_mark(column)), *cells, 1) + screen.GAP_COLUMNS
        if visible_columns and available < 0:
            break
        visible_columns.append(place)
    grid = Grid(box=None, pad_edge=False, padding=(0, screen.GAP_COLUMNS, 0, 0))
    grid.add_column("", justify="right", no_wrap=True)
    for place in visible_columns:
        grid.add_column(_marked(view.columns[place]), no_wrap=True)
    for row in rows:
        grid.add_row(_marked(row), *(_cell(row.cells[place]) for place in visible_columns))
    console.print(Padding(grid, (0, 0, 0, 2)))
    hidden = {
        "row": view.more_rows + len(view.rows) - len(rows),
        "column": view.more_columns + len(view.columns) - len(visible_columns),
    }
    omitted = [
        f"{number:,} more {what}{'s'[: number != 1]}" for what, number in hidden.items() if number
    ]
    if omitted:
        console.print(Text(f"  and {', '.join(omitted)}; --json tells all", style=screen.FAINT))
    lines: list[TableRowView | TableColumnView] = [*rows]
    lines += [view.columns[place] for place in visible_columns]
    marks = {mark for line in lines for mark in "↔−+" if mark in _mark(line)}
    altered = any(row.cells[place].state == "altered" for row in rows for place in visible_columns)
    return marks | ({"→"} if altered else set())


def _most_telling_rows(rows: Sequence[TableRowView]) -> list[TableRowView]:
    """As many as are shown: the first, then those with something altered, moved, or alone."""
    if len(rows) <= MAX_GRID_ROWS:
        return list(rows)

    def rank(i: int) -> int:
        row = rows[i]
        if i == 0:
            return 0
        if any(cell.state == "altered" for cell in row.cells):
            return 1
        return 2 if row.moved else 4 if row.a is None or row.b is None else 3

    selected = sorted(range(len(rows)), key=lambda i: (rank(i), i))[:MAX_GRID_ROWS]
    return [rows[i] for i in sorted(selected)]


def _mark(line: TableRowView | TableColumnView) -> str:
    """Where a row or column stands in A and, if that is elsewhere or nowhere, in B."""
    if line.a is None:
        return f"+ {(line.b or 0) + 1}"
    if line.b is None:
        return f"− {line.a + 1}"
    is_elsewhere = line.moved and line.a != line.b
    return f"{line.a + 1} ↔ {line.b + 1}" if is_elsewhere else str(line.a + 1)


def _marked(line: TableRowView | TableColumnView) -> Text:
    if line.a is None or line.b is None:
        style = _THERE if line.a is None else _HERE
    else:
        style = _MOVED if line.moved else screen.FAINT
    return Text(_mark(line), style=style)


def _cell(cell: TableCellView) -> Text:
    if cell.state == "altered":
        a, b = (shorten(text, CELL_COLUMNS) or "–" for text in (cell.a, cell.b))
        return Text(f"{a} → {b}", style=_ALTERED)
    style = {"missing": _HERE, "added": _THERE}.get(cell.state, "")
    return Text(shorten(cell.a or cell.b, CELL_COLUMNS), style=style)
