"""Tables of data among the tables that only arrange a page."""

from __future__ import annotations

import re
from dataclasses import dataclass

from resiliparse.parse.html import DOMNode

from likewise.reading.html.elements import Leave, traverse

WIDEST = 1_000  # columns
MOST_PLACES = 2_000_000  # rows times columns
_LONGEST_CELL = 500  # characters; longer ones are columns of a page
_LONGEST_CAPTION = 300
_CAPTION = re.compile(
    r"\s*(?:(?:table|таблица|табл\.|кесте)\s*(?:№\s*)?[\w.]*\d|\d+(?:\.\d+)*\s*[-–—]?\s*кесте\b)",
    re.IGNORECASE,
)
_OF_PAGES = frozenset("h1 h2 h3 form input select textarea iframe".split())
_HEADS = frozenset("th thead caption".split())
_CELLS = frozenset("td th".split())


@dataclass(slots=True)
class Layout:
    """What was seen of a table before it is read."""

    rows: int = 0
    cells: int = 0
    widest: int = 0  # columns of a row
    in_row: int = 0
    longest: int = 0  # characters of a cell
    in_cell: int = 0
    has_heads: bool = False
    has_table: bool = False
    is_of_page: bool = False
    role: str = ""
    has_border: bool = False

    @property
    def is_data(self) -> bool:
        """Whether the cells say something together."""
        if self.has_table or self.role in ("presentation", "none") or self.cells < 2:
            return False
        if self.widest > WIDEST or self.rows * self.widest > MOST_PLACES:
            return False
        if self.has_heads or self.has_border or self.role in ("table", "grid"):
            return self.rows > 1 or self.has_heads
        is_square = self.rows > 1 and self.widest > 1
        return is_square and not self.is_of_page and self.longest <= _LONGEST_CELL


def layouts(root: DOMNode) -> list[Layout]:
    """What every table of a page looks like, in their order."""
    if not len(root.get_elements_by_tag_name("table")):
        return []
    result: list[Layout] = []
    open_tables: list[Layout] = []

    def enter(node: DOMNode, tag: str) -> Leave | None:
        if tag == "table":
            if open_tables:
                open_tables[-1].has_table = True
            open_tables.append(_layout(node))
            result.append(open_tables[-1])
            return leave
        if open_tables:
            _see(open_tables[-1], node, tag)
        return None

    def leave() -> None:
        open_tables.pop()

    def text(content: str) -> None:
        if open_tables:
            table = open_tables[-1]
            table.in_cell += len(content.strip())
            table.longest = max(table.longest, table.in_cell)

    traverse(root, enter, text)
    return result


def _layout(table: DOMNode) -> Layout:
    role = (table.getattr("role") or "").strip().lower()
    border = (table.getattr("border") or "0").strip()
    return Layout(role=role, has_border=border not in ("", "0"))


def _see(table: Layout, node: DOMNode, tag: str) -> None:
    if tag == "tr":
        table.rows += 1
        table.in_row = 0
    elif tag in _CELLS:
        table.cells += 1
        table.in_row += span_of(node, "colspan", WIDEST)
        table.widest = max(table.widest, table.in_row)
        table.in_cell = 0
    if tag in _HEADS:
        table.has_heads = True
    elif tag in _OF_PAGES:
        table.is_of_page = True


def is_caption(line: str) -> bool:
    """Whether a line is the caption of what follows it.

    >>> [is_caption(line) for line in ("Таблица 3. Осадки", "2-кесте. Жауын", "Table of rain")]
    [True, True, False]
    """
    return len(line) <= _LONGEST_CAPTION and bool(_CAPTION.match(line))


def span_of(cell: DOMNode, name: str, most: int) -> int:
    """How many rows or columns a cell takes; 0 means all that are left."""
    digits = re.match(r"\s*(\d{1,5})", cell.getattr(name) or "1")
    span = int(digits[1]) if digits else 1
    return min(span or most, most)
