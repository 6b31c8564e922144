"""Workbooks of Excel, made safe for the library that reads them, and opened."""

from __future__ import annotations

import io
import re
import struct
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from lxml import etree
from python_calamine import CalamineError, CalamineWorkbook, SheetTypeEnum, SheetVisibleEnum

from likewise.errors import ReadingError
from likewise.reading.office.compound import BEGINNING
from likewise.reading.package import Package, parse_or_rescue
from likewise.reading.sheet.blocks import MergedRange, cell_text


@dataclass(frozen=True, slots=True)
class Sheet:
    """A sheet: its rows from the first one on, as text, and the cells that were made one."""

    name: str
    hidden: bool
    rows: Iterable[list[str]]
    merged: Sequence[MergedRange] = ()
    damaged: bool = False


def sheets_in_book(data: bytes) -> Iterator[Sheet]:
    """The sheets with cells of an XLSX, XLSB or XLS, one after the other."""
    with _guarded():
        book = CalamineWorkbook.from_filelike(io.BytesIO(data))
    readable = damaged = 0
    for number, about in enumerate(book.sheets_metadata):
        if about.typ != SheetTypeEnum.WorkSheet:
            continue
        try:
            with _guarded():
                sheet = _sheet(book, number)
            readable += 1
        except ReadingError:
            damaged += 1
            sheet = Sheet(about.name, False, (), damaged=True)
        yield sheet
    if damaged and not readable:
        raise ReadingError("reading.workbook_damaged")


def _sheet(book: CalamineWorkbook, number: int) -> Sheet:
    about = book.sheets_metadata[number]
    sheet = book.get_sheet_by_index(number)
    first_column = (
        sheet.start[1] if sheet.start else 0
    )  # rows are given from the top of the sheet, columns from here
    return Sheet(
        about.name,
        about.visible != SheetVisibleEnum.Visible,
        _rows(sheet.iter_rows()) if sheet.start else (),
        [
            MergedRange(top, first - first_column, bottom, last - first_column)
            for (top, first), (bottom, last) in sheet.merged_cell_ranges or ()
            if first >= first_column and bottom >= top
        ],
    )


def _rows(rows: Iterator[Sequence[object]]) -> Iterator[list[str]]:
    with _guarded():
        for row in rows:
            # A stray cell at the bottom of a sheet makes a million blank rows.
            yield [] if row.count("") == len(row) else [cell_text(value) for value in row]


@contextmanager
def _guarded() -> Iterator[None]:
    """Whatever the library raises is the file's fault."""
    try:
        yield
    except (CalamineError, OSError, ValueError, OverflowError) as error:
        raise ReadingError("reading.workbook_damaged") from error
    except BaseException as error:
        # A bug in the library's Rust, met on a damaged file, is no Exception of Python's.
        if type(error).__name__ != "PanicException":
            raise
        raise ReadingError("reading.workbook_damaged") from error


# XLS: a workbook made safe for the library that reads it.
#
# Damaged files make the library ask for a terabyte, which ends the process. It gets to see a new
# OLE2 file around a stream whose records were looked at.

# Kinds of records.
_BEGIN, _END, _PASSWORD, _EXTENT, _UNKNOWN = 0x0809, 0x000A, 0x002F, 0x0200, 0x7F00
_CELLS: Final = {0x0006, 0x00BD, 0x00BE, 0x00D6, 0x00FD, 0x0201, 0x0203, 0x0204, 0x0205, 0x027E}

_SECTOR = 4096
_FREE, _CHAIN_END, _IN_TABLE = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD
_MOST_TABLE_SECTORS = 109  # that the header has room for


def harmless(workbook: bytes) -> bytes:
    """The stream of a workbook without records that mislead; refused if locked or too far flung.

    A chart on a sheet keeps copies of its figures in records like those of cells, as if they stood
    at the top of the sheet. The extent of a sheet may be anything in a damaged file.
    """
    safe = bytearray(workbook)
    depth, total = 0, 0
    rows, columns = _Range(), _Range()
    at = 0
    while at + 4 <= len(safe):
        kind, length = struct.unpack_from("<HH", safe, at)
        if kind == _PASSWORD:
            raise ReadingError("reading.locked")
        if kind == _BEGIN:
            depth += 1
        elif kind == _END:
            depth -= 1
            if depth == 0:
                total += len(rows) * len(columns)
                rows, columns = _Range(), _Range()
        elif kind in _CELLS and depth < 2 and at + 8 <= len(safe):
            row, column = struct.unpack_from("<HH", safe, at + 4)
            rows.add(row)
            columns.add(column)
        elif kind == _EXTENT or kind in _CELLS:
            struct.pack_into("<H", safe, at, _UNKNOWN)
        at += 4 + length
    refuse_beyond(total + len(rows) * len(columns))
    return bytes(safe)


class _Range:
    """From the smallest to the largest of some numbers."""

    def __init__(self) -> None:
        self._first, self._last = 1 << 16, -1

    def add(self, number: int) -> None:
        self._first, self._last = min(self._first, number), max(self._last, number)

    def __len__(self) -> int:
        return max(self._last - self._first + 1, 0)


def whole_xls(workbook: bytes) -> bytes:
    """An OLE2 file of one stream: a header, the table of sectors, the directory, the stream."""
    sectors = -(-max(len(workbook), _SECTOR) // _SECTOR)
    tables = 1
    while (tables + 1 + sectors) * 4 > tables * _SECTOR:
        tables += 1
    if tables > _MOST_TABLE_SECTORS:
        raise ReadingError("reading.workbook_too_large")
    first = tables + 1
    follows = [_IN_TABLE] * tables + [_CHAIN_END]
    follows += [*range(first + 1, first + sectors), _CHAIN_END]
    header = BEGINNING + bytes(16) + struct.pack("<5H6x", 0x3E, 4, 0xFFFE, 12, 6)
    header += struct.pack("<9I", 1, tables, tables, 0, _SECTOR, _CHAIN_END, 0, _CHAIN_END, 0)
    header += struct.pack(f"<{tables}I", *range(tables))
    table = struct.pack(f"<{len(follows)}I", *follows)
    directory = _entry("Root Entry", 5, 1, first, 0)  # it must begin somewhere
    directory += _entry("Workbook", 2, _FREE, first, max(len(workbook), _SECTOR))
    return b"".join(
        [
            _padded(header + b"\xff" * (512 - len(header)), b"\0"),
            table.ljust(tables * _SECTOR, b"\xff"),
            _padded(directory, b"\0"),
            _padded(workbook, b"\0"),
        ]
    )


def _entry(name: str, kind: int, child: int, start: int, size: int) -> bytes:
    spelled = name.encode("utf-16-le")
    about = struct.pack("<HBBIII", len(spelled) + 2, kind, 1, _FREE, _FREE, child)
    return spelled.ljust(64, b"\0") + about + bytes(36) + struct.pack("<IQ", start, size)


def _padded(raw: bytes, filler: bytes) -> bytes:
    return raw.ljust(-(-max(len(raw), 1) // _SECTOR) * _SECTOR, filler)


# XLSX and XLSB: a package made safe for the library that reads it.
#
# The library believes what a ZIP says about sizes, and makes room for every place between the first
# and the last cell of a sheet. It gets to see a new package, of parts that were unpacked within the
# limits and looked at.

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
    root = parse_or_rescue(content, name, [])
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
