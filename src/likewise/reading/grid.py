"""Cells with spans, laid out as a table lays them out."""

from __future__ import annotations

from likewise.errors import ReadingError

WIDEST = 1_000  # columns; a wider span is a mistake or an attack


class Grid:
    """A table filled cell by cell, from the left, row by row.

    >>> grid = Grid()
    >>> grid.row(); grid.cell("Year", down=2); grid.cell("Rain", across=2)
    >>> grid.row(); grid.cell("May"); grid.cell("June")
    >>> grid.rows()
    (('Year', 'Rain', 'Rain'), ('Year', 'May', 'June'))
    >>> grid.lines()
    ['Year\\tRain', 'May\\tJune']
    """

    def __init__(self, most_cells: int = 5_000_000) -> None:
        self._places: list[dict[int, str]] = []  # by row: column to text
        self._own: list[list[str]] = []  # by row: the texts of the cells that begin there
        self._row = -1
        self._column = 0  # every place of the row before it is taken
        self._remaining_cells = self._most = most_cells

    def row(self) -> None:
        """Begin the next row."""
        self._row += 1
        self._column = 0
        self._own.append([])
        if self._row == len(self._places):
            self._places.append({})

    def cell(self, text: str, across: int = 1, down: int = 1, stored: str = "") -> None:
        """The next cell of the row, in the first place that no cell from above takes.

        `stored` is what the table keeps of it, where that is not its text: formulas are TeX there.
        """
        across, down = min(max(across, 1), WIDEST), min(max(down, 1), 65_534)
        here = self._places[self._row]
        column = self._column
        while column in here:
            column += 1
        self._column = column + across
        self._own[self._row].append(text)
        self._remaining_cells -= across * down
        if self._remaining_cells < 0:
            raise ReadingError("reading.table_cells")
        for row in range(self._row, self._row + down):
            if row == len(self._places):
                self._places.append({})
            for place in range(column, column + across):
                self._places[row].setdefault(place, stored or text)

    def rows(self) -> tuple[tuple[str, ...], ...]:
        """Every row, as long as the longest; what spans stands in every place it covers."""
        places = self._places[: self._row + 1]  # a span may reach below the last row
        width = max((max(row, default=-1) + 1 for row in places), default=0)
        if width * len(places) > self._most:
            raise ReadingError("reading.table_cells")
        return tuple(tuple(row.get(i, "") for i in range(width)) for row in places)

    def lines(self) -> list[str]:
        """The rows as text, every cell once."""
        return ["\t".join(cells) for cells in self._own]
