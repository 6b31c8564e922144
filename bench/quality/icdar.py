"""Tables of the ICDAR 2013 competition (European part): how many cells are read right.

The rule. A cell of the ground truth is right where the table read from the same page has its text
(blanks aside) in every place that the cell covers, row and column counted from the table's upper
left. The whole table may be shifted by up to `SHIFT` rows and columns: a caption in a frame of its
own is not a wrong cell. Of the tables of a page the one with most right cells counts, and no table
counts twice; those that then belong to no truth are extra.

A table is ruled where a line is drawn between nine of ten pairs of cells that stand side by side
or one above the other. That is decided by the lines and the marked cells alone, whatever is read.
"""

from __future__ import annotations

import xml.etree.ElementTree as Tree
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pypdfium2

from likewise.reading.pdf.page_objects import PageObjects, Rule, page_objects_on

SHIFT = 2
RULED = 0.9  # of the neighbours have a line between them
SLACK = 2.0  # points that a line may run into the box of a text

Rows = Sequence[Sequence[str]]
Read = Callable[[Path], Iterable[tuple[int | None, Rows]]]  # a file to its pages and tables


@dataclass(frozen=True, slots=True)
class TrueCell:
    """A cell as people marked it: the places it covers, its text, and the box of the text."""

    row: int
    column: int
    last_row: int
    last_column: int
    text: str
    left: float
    bottom: float
    right: float
    top: float


@dataclass(frozen=True, slots=True)
class TrueTable:
    """A table as people marked it."""

    page: int
    cells: tuple[TrueCell, ...]


@dataclass(frozen=True, slots=True)
class Result:
    """One table of the truth, and how many of its cells were right."""

    file: str
    page: int
    ruled: bool
    cells: int
    right: int


def score(folder: Path, read: Read | None = None) -> dict[str, float | int]:
    """Tables, cells, right cells and their share, for ruled tables and for all; extra tables."""
    found, extra = results(folder, read)
    figures: dict[str, float | int] = {}
    for kind, mine in (("ruled", [result for result in found if result.ruled]), ("all", found)):
        cells = sum(result.cells for result in mine)
        right = sum(result.right for result in mine)
        figures[f"{kind}_tables"] = len(mine)
        figures[f"{kind}_cells"] = cells
        figures[f"{kind}_right"] = right
        figures[f"{kind}_share"] = right / max(1, cells)
    figures["extra_tables"] = extra
    return figures


def results(folder: Path, read: Read | None = None) -> tuple[list[Result], int]:
    """Every table of the truth, and how many tables were read that are none."""
    found: list[Result] = []
    extra = 0
    for truth in sorted(folder.rglob("*-str.xml")):
        pdf = truth.with_name(truth.name.replace("-str.xml", ".pdf"))
        if not pdf.exists():  # a second opinion on another file
            continue
        tables = list(_truth(truth))
        left = list((read or _read)(pdf))
        for table, is_ruled in zip(tables, _ruled(pdf, tables), strict=True):
            right = 0
            rights = [
                (_right(table.cells, rows) if page == table.page else 0, i)
                for i, (page, rows) in enumerate(left)
            ]
            if rights and max(rights)[0]:
                right, best = max(rights)
                del left[best]
            found.append(Result(pdf.stem, table.page, is_ruled, len(table.cells), right))
        extra += len(left)
    return found, extra


def _read(path: Path) -> Iterable[tuple[int | None, Rows]]:
    from likewise.reading.pdf import read_pdf
    from likewise.reading.request import Request

    document = read_pdf(path.read_bytes(), Request(path.name)).document(path.name)
    return [(table.page, table.rows) for table in document.tables]


def _truth(path: Path) -> Iterator[TrueTable]:
    for table in Tree.parse(path).getroot().iter("table"):
        for region in table.iter("region"):
            cells = tuple(_cell(cell) for cell in region.iter("cell"))
            if cells:
                yield TrueTable(int(region.get("page", "1")), cells)


def _cell(cell: Tree.Element) -> TrueCell:
    row, column = int(cell.get("start-row", "0")), int(cell.get("start-col", "0"))
    box = cell.find("bounding-box")
    left, bottom, right, top = (
        float(box.get(side, "0")) if box is not None else 0.0 for side in ("x1", "y1", "x2", "y2")
    )
    return TrueCell(
        row,
        column,
        int(cell.get("end-row", row)),
        int(cell.get("end-col", column)),
        _plain(cell.findtext("content") or ""),
        left,
        bottom,
        right,
        top,
    )


def _plain(text: str) -> str:
    return "".join(text.split())


def _right(cells: Sequence[TrueCell], rows: Rows) -> int:
    places = {(i, j): _plain(text) for i, row in enumerate(rows) for j, text in enumerate(row)}
    return max(
        sum(
            all(
                places.get((row + down, column + across)) == cell.text
                for row in range(cell.row, cell.last_row + 1)
                for column in range(cell.column, cell.last_column + 1)
            )
            for cell in cells
        )
        for down in range(-SHIFT, SHIFT + 1)
        for across in range(-SHIFT, SHIFT + 1)
    )


def _ruled(pdf: Path, tables: Sequence[TrueTable]) -> list[bool]:
    with pypdfium2.PdfDocument(pdf) as document:
        lines = {page: _lines(document[page - 1]) for page in {table.page for table in tables}}
        return [_is_ruled(table.cells, lines[table.page]) for table in tables]


def _lines(page: Any) -> PageObjects:
    """The lines of a page as it is looked at: of a turned page the truth counts upwards from
    where the upright page would end.
    """
    drawn = page_objects_on(page.raw)
    quarters = page.get_rotation() // 90
    if not quarters:
        return drawn
    turned = drawn.turned(quarters)
    up = page.get_mediabox()[3]
    return PageObjects(
        [Rule(rule.at + up, rule.start, rule.end) for rule in turned.across],
        [Rule(rule.at, rule.start + up, rule.end + up) for rule in turned.down],
    )


def _is_ruled(cells: Sequence[TrueCell], drawn: PageObjects) -> bool:
    divided = pairs = 0
    for a in cells:
        for b in cells:
            if b.column == a.last_column + 1 and _meet(a.row, a.last_row, b.row, b.last_row):
                pairs += 1
                middle = _middle(a.bottom, a.top, b.bottom, b.top)
                divided += _between(drawn.down, a.right, b.left, middle)
            if b.row == a.last_row + 1 and _meet(a.column, a.last_column, b.column, b.last_column):
                pairs += 1
                middle = _middle(a.left, a.right, b.left, b.right)
                divided += _between(drawn.across, b.top, a.bottom, middle)
    return divided >= RULED * pairs


def _meet(a: int, a_last: int, b: int, b_last: int) -> bool:
    return a <= b_last and b <= a_last


def _middle(a: float, a_end: float, b: float, b_end: float) -> float:
    """The middle of what two boxes share, or of the gap between them."""
    return (max(a, b) + min(a_end, b_end)) / 2


def _between(rules: Sequence[Rule], low: float, high: float, across: float) -> bool:
    low, high = min(low, high) - SLACK, max(low, high) + SLACK
    return any(
        low <= rule.at <= high and rule.start - SLACK <= across <= rule.end + SLACK
        for rule in rules
    )
