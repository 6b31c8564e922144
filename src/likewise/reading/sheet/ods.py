"""ODS: the sheets of an OpenDocument spreadsheet."""

from __future__ import annotations

import re
from collections.abc import Iterator

from likewise.reading.package import Element
from likewise.reading.sheet.blocks import MergedRange, cell_text
from likewise.reading.sheet.excel import Sheet

_OASIS = "{urn:oasis:names:tc:opendocument:xmlns:"
_TABLE, _OFFICE, _TEXT, _STYLE = (
    f"{_OASIS}{name}:1.0}}" for name in ("table", "office", "text", "style")
)
_CELLS = {_TABLE + "table-cell", _TABLE + "covered-table-cell"}
_BLANKS = {_TEXT + "s", _TEXT + "tab", _TEXT + "line-break"}
_DURATION = re.compile(r"PT(\d+)H(\d+)M(\d+)")
_META = {"title": "title", "initial-creator": "author", "creation-date": "created"}
_MOST_BLANK_ROWS = 256  # of thousands that are written as one: more part nothing
_WIDEST, _LONGEST = 16_384, 1_048_576


def sheets_in_ods(root: Element, most_cells: int) -> Iterator[Sheet]:
    """The sheets of a document; no more cells are made of repeated ones than asked for."""
    hidden = {
        style.get(_STYLE + "name")
        for style in root.iter(_STYLE + "style")
        for properties in style.iter(_STYLE + "table-properties")
        if properties.get(_TABLE + "display") == "false"
    }
    for book in root.iter(_OFFICE + "spreadsheet"):
        for table in book:
            if table.tag == _TABLE + "table":
                is_hidden = table.get(_TABLE + "style-name") in hidden
                yield _Table(most_cells).sheet(table, is_hidden)


def meta_in_ods(root: Element | None) -> dict[str, str]:
    """The title, the author and the moment of creation."""
    meta: dict[str, str] = {}
    for about in () if root is None else root.iter(_OFFICE + "meta"):
        for element in about:
            name = _META.get(element.tag.rpartition("}")[2])
            if name and element.text:
                meta.setdefault(name, " ".join(element.text.split()))
    return meta


def comments_in_ods(root: Element) -> int:
    """How many comments hang on cells."""
    return sum(1 for _ in root.iter(_OFFICE + "annotation"))


class _Table:
    """A sheet while it is being read."""

    def __init__(self, most_cells: int) -> None:
        self._remaining_cells = most_cells
        self._rows: list[list[str]] = []
        self._merged: list[MergedRange] = []

    def sheet(self, table: Element, hidden: bool) -> Sheet:
        for row in table.iter(_TABLE + "table-row"):
            cells = self._row(row)
            times = _number(row, "number-rows-repeated", _LONGEST)
            if not cells:
                times = min(times, _MOST_BLANK_ROWS)
            elif times > 1:
                times = min(
                    times, self._remaining_cells // len(cells) + 1
                )  # one too many tells that it is cut
            self._remaining_cells -= len(cells) * times
            self._rows += [list(cells) for _ in range(times)]
            if self._remaining_cells < 0:
                break
        return Sheet(table.get(_TABLE + "name") or "", hidden, self._rows, self._merged)

    def _row(self, row: Element) -> list[str]:
        cells: list[str] = []
        blank = 0
        for cell in row:
            if cell.tag not in _CELLS:
                continue
            text = _text(cell)
            times = _number(cell, "number-columns-repeated", _WIDEST)
            if not text:
                blank = min(blank + times, _WIDEST)
                continue
            cells += [""] * blank
            blank = 0
            self._note_merged(cell, len(cells))
            cells += [text] * max(min(times, _WIDEST - len(cells)), 1)
        return cells

    def _note_merged(self, cell: Element, column: int) -> None:
        across = _number(cell, "number-columns-spanned", _WIDEST)
        down = _number(cell, "number-rows-spanned", _LONGEST)
        if across > 1 or down > 1:
            top = len(self._rows)
            self._merged.append(MergedRange(top, column, top + down - 1, column + across - 1))


def _number(element: Element, name: str, most: int) -> int:
    text = element.get(_TABLE + name) or "1"
    return min(max(int(text), 1), most) if text.isascii() and text.isdigit() else 1


def _text(cell: Element) -> str:
    """What a cell shows: values as they are, not as they are formatted."""
    kind = cell.get(_OFFICE + "value-type")
    if kind in {"float", "percentage", "currency"}:
        value = cell.get(_OFFICE + "value") or ""
        try:
            return cell_text(float(value))
        except (ValueError, OverflowError):
            return cell_text(value)
    if kind == "date":
        return (cell.get(_OFFICE + "date-value") or "").replace("T", " ").removesuffix(" 00:00:00")
    if kind == "time":
        duration = _DURATION.match(cell.get(_OFFICE + "time-value") or "")
        return ":".join(duration.groups()) if duration else ""
    if kind == "boolean":
        return (cell.get(_OFFICE + "boolean-value") or "").upper()
    lines = (_line(child) for child in cell if child.tag == _TEXT + "p")
    return cell_text(" ".join(lines))


def _line(paragraph: Element) -> str:
    parts: list[str] = []
    for element in paragraph.iter():
        parts += [" " if element.tag in _BLANKS else element.text or ""]
        if element is not paragraph:
            parts.append(element.tail or "")
    return "".join(parts)
