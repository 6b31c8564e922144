"""Workbooks of Excel, opened by a library that was told to expect the worst."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from python_calamine import CalamineError, CalamineWorkbook, SheetTypeEnum, SheetVisibleEnum

from likewise.errors import ReadingError
from likewise.reading.sheet.blocks import Merged
from likewise.reading.sheet.cells import cell_text


@dataclass(frozen=True, slots=True)
class Sheet:
    """A sheet: its rows from the first one on, as text, and the cells that were made one."""

    name: str
    hidden: bool
    rows: Iterable[list[str]]
    merged: Sequence[Merged] = ()
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
    left = (
        sheet.start[1] if sheet.start else 0
    )  # rows are given from the top of the sheet, columns from here
    return Sheet(
        about.name,
        about.visible != SheetVisibleEnum.Visible,
        _rows(sheet.iter_rows()) if sheet.start else (),
        [
            Merged(top, first - left, bottom, last - left)
            for (top, first), (bottom, last) in sheet.merged_cell_ranges or ()
            if first >= left and bottom >= top
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
