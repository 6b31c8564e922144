"""XLS: a workbook made safe for the library that reads it.

Damaged files make the library ask for a terabyte, which ends the process. It gets to see a new
OLE2 file around a stream whose records were looked at.
"""

from __future__ import annotations

import struct
from typing import Final

from likewise.errors import ReadingError
from likewise.reading.office.compound import BEGINNING
from likewise.reading.sheet.xlsx import refuse_beyond

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
