"""XLSX and XLSB: a package made safe for the library that reads it.

The library believes what a ZIP says about sizes, and makes room for every place between the first
and the last cell of a sheet. It gets to see a new package, of parts that were unpacked within the
limits and looked at.
"""

from __future__ import annotations

import io
import re
import zipfile

from lxml import etree

from likewise.errors import ReadingError
from likewise.reading.package import Package, xml_or_rescued

MOST_PLACES = 32_000_000  # a gigabyte of them
_READ = (".xml", ".rels", ".bin")
_ROW = re.compile(rb'<(?:\w+:)?row [^<>]{0,200}?\br="([0-9]{1,7})"')
_COLUMNS = {n: re.compile(rb' r="([A-Z]{%d})[0-9]' % n) for n in (3, 2, 1)}  # by letters
_FILLED_CELL = re.compile(
    rb'<(?:\w+:)?c [^<>]{0,200}?\br="([A-Z]{1,3})([0-9]{1,7})"[^<>]{0,200}+(?<!/)>'
)


def whole_xlsx(package: Package) -> bytes:
    """The same workbook without pictures, packed anew; refused if its cells are too far flung."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as copy:
        for name in package.names:
            if name.lower().endswith(_READ) and "\0" not in name:
                content = package.read(name) or b""
                if name in package.damage and name.lower().endswith(".xml"):
                    content = _mended(content, name)
                if b"sheetData" in content and _most_places(content) > MOST_PLACES:
                    refuse_beyond(_places(content))
                copy.writestr(name, content)
    return packed.getvalue()


def refuse_beyond(places: int) -> None:
    """Refuse a sheet whose cells, and all places between them, are too many."""
    if places > MOST_PLACES:
        raise ReadingError("reading.cells_apart")


def _mended(content: bytes, name: str) -> bytes:
    """Broken XML with its tags closed."""
    root = xml_or_rescued(content, name, [])
    return content if root is None else etree.tostring(root, encoding="utf-8")


def _most_places(sheet: bytes) -> int:
    """How many places there are at most, quickly: up to the last row and the last column."""
    last = max(map(int, set(_ROW.findall(sheet))), default=1)
    for letters, pattern in _COLUMNS.items():  # the longest names are of the last columns
        if last * 27**letters <= MOST_PLACES:
            break
        if columns := set(pattern.findall(sheet)):
            return last * max(map(_column, columns))
    return last


def _places(sheet: bytes) -> int:
    """How many places there are between cells that are not blank, slowly."""
    cells = set(_FILLED_CELL.findall(sheet))
    if not cells:
        return 0
    rows = {int(row) for _, row in cells}
    columns = {_column(letters) for letters, _ in cells}
    return (max(rows) - min(rows) + 1) * (max(columns) - min(columns) + 1)


def _column(letters: bytes) -> int:
    """The number of a column.

    >>> _column(b"A"), _column(b"XFD")
    (1, 16384)
    """
    number = 0
    for letter in letters:
        number = number * 26 + letter - ord("A") + 1
    return number
