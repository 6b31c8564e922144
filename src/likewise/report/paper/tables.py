"""Tables that stand in another document too, as grids on paper."""

from __future__ import annotations

from typing import Protocol

from likewise.catalogue import Words
from likewise.report.characters import in_one_line, shorten
from likewise.report.names import called_in
from likewise.report.paper.blocks import Block, Grid, GridCell, Paragraph, Section
from likewise.report.view import CheckView, TableCellView, TableMatchView

MOST_TABLES = 30
MOST_ROWS, MOST_COLUMNS = 40, 9
LONGEST_CELL = 60  # characters


class _LinePair(Protocol):
    """A row or a column: where it stands here and there."""

    @property
    def a(self) -> int | None: ...
    @property
    def b(self) -> int | None: ...
    @property
    def moved(self) -> bool: ...


def tables_sections(view: CheckView, words: Words) -> list[Section]:
    """What the shares mean, then each table with the one that it is alike."""
    if not view.tables:
        return []
    signs = (
        f"≠ {words('tables.altered')}",
        f"− {words('tables.only_here')}",
        f"+ {words('tables.only_there')}",
    )
    about: list[Block] = [
        Paragraph(words("tables.explained"), "faint"),
        Paragraph(" · ".join(signs), "faint"),
    ]
    if len(view.tables) > MOST_TABLES:
        more = words("count.tables", n=len(view.tables) - MOST_TABLES)
        about.append(Paragraph(words("tables.not_shown", what=more), "faint"))
    top = Section(words("tables.heading"), tuple(about))
    matches = view.tables[:MOST_TABLES]
    return [top, *(_table(match, view, i, words) for i, match in enumerate(matches, 1))]


def _table(match: TableMatchView, view: CheckView, number: int, words: Words) -> Section:
    rows, columns = match.rows[:MOST_ROWS], match.columns[:MOST_COLUMNS]
    blocks: list[Block] = [
        Paragraph(_scores(match, words), "faint"),
        Paragraph(f"{words('passage.there')}: {_there(match, view, words)}", "faint"),
    ]
    if match.transposed:
        blocks.append(Paragraph(words("tables.transposed"), "faint"))
    row_there, column_there = "tables.row_there", "tables.column_there"
    if match.transposed:
        row_there, column_there = column_there, row_there
    blocks.append(
        Grid(
            heads=(
                words("tables.row_here"),
                words(row_there),
                *(_head(column, words(column_there), words) for column in columns),
            ),
            rows=tuple(
                (
                    GridCell(_place(row.a), look="place"),
                    GridCell(_beside(row, words), look="place"),
                    *(_cell(cell, words) for cell in row.cells[:MOST_COLUMNS]),
                )
                for row in rows
            ),
        )
    )
    more = [
        words(key, n=count)
        for key, count in (
            ("count.rows", match.more_rows + len(match.rows) - len(rows)),
            ("count.columns", match.more_columns + len(match.columns) - len(columns)),
        )
        if count
    ]
    if more:
        blocks.append(Paragraph(words("tables.not_shown", what=", ".join(more)), "faint"))
    heading = f"{number}. {_captioned(match.caption_a, match.page_a, words)}"
    return Section(heading, tuple(blocks), level=2)


def _scores(match: TableMatchView, words: Words) -> str:
    return " · ".join(
        (
            words("passage.score", share=words.share(match.score)),
            words("tables.of_here", share=words.share(match.share_a)),
            words("tables.of_there", share=words.share(match.share_b)),
        )
    )


def _there(match: TableMatchView, view: CheckView, words: Words) -> str:
    number = f"{match.source + 1}. " if match.source is not None else ""
    captioned = _captioned(match.caption_b, match.page_b, words)
    return f"{number}{shorten(called_in(view, match.name), 80)}: {captioned}"


def _captioned(caption: str, page: int | None, words: Words) -> str:
    title = shorten(caption, 100) or words("tables.no_caption")
    return title if page is None else f"{title}, {words('page.one', n=page)}"


def _place(place: int | None) -> str:
    return "–" if place is None else str(place + 1)


def _beside(line: _LinePair, words: Words) -> str:
    """Where a line stands there, and how it got there."""
    return "\n".join(filter(None, (_place(line.b), _change(line, words))))


def _head(line: _LinePair, there: str, words: Words) -> str:
    fate = _change(line, words)
    if line.moved:
        fate = f"{fate}: {there} {_place(line.b)}"
    return "\n".join(filter(None, (_place(line.a), fate)))


def _change(line: _LinePair, words: Words) -> str:
    if line.b is None:
        return words("tables.only_here")
    if line.a is None:
        return words("tables.only_there")
    return words("tables.moved") if line.moved else ""


def _cell(cell: TableCellView, words: Words) -> GridCell:
    a, b = (shorten(text, LONGEST_CELL) for text in (cell.a, cell.b))
    if cell.state == "altered":
        return GridCell(a, f"≠ {b or words('tables.nothing')}", "altered")
    if cell.state == "missing":
        return GridCell(f"− {a}", look="apart")
    if cell.state == "added":
        return GridCell(f"+ {b}", look="apart")
    is_written_otherwise = cell.state != "empty" and in_one_line(cell.a) != in_one_line(cell.b)
    return GridCell(a, f"= {b}" if is_written_otherwise else "")
