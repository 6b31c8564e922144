"""Spreadsheets: XLSX, XLSB, XLS, ODS, and CSV."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath

from likewise.catalogue import Value
from likewise.errors import ReadingError
from likewise.model import Message, Span
from likewise.reading.draft import Draft
from likewise.reading.encoding import decode
from likewise.reading.office.compound import BEGINNING, Compound, summary
from likewise.reading.office.open_xml import drawn_lines, meta_in
from likewise.reading.office.writing import note_changes, note_damage
from likewise.reading.package import Element, Package, parse_or_rescue
from likewise.reading.pictures import picture_in
from likewise.reading.request import Request
from likewise.reading.sheet.blocks import blocks_in, cell_text
from likewise.reading.sheet.csv import delimiter_of, looks_like_csv, rows_of
from likewise.reading.sheet.excel import Sheet, harmless, sheets_in_book, whole_xls, whole_xlsx
from likewise.reading.sheet.ods import comments_in_ods, meta_in_ods, sheets_in_ods

__all__ = ["looks_like_csv", "read_csv", "read_sheet"]

_PICTURES = re.compile(r"(?:xl/media|Pictures)/[^/]+", re.IGNORECASE)
_DRAWINGS = re.compile(r"xl/drawings/drawing\d*\.xml", re.IGNORECASE)
_COMMENTS = re.compile(r"xl/comments\d*\.xml", re.IGNORECASE)


def read_sheet(data: bytes, request: Request) -> Draft:
    """Every sheet of a workbook: its name, its tables, and what stands beside them."""
    if data.startswith(BEGINNING):
        return _read_xls(data, request)
    if not data.startswith(b"PK"):
        damage: list[Value] = []
        root = parse_or_rescue(data, Message("reading.the_file"), damage)
        return _read_ods(root, damage, request)
    package = Package(data, request.limits)
    if b"encryption-data" in (package.read("META-INF/manifest.xml") or b""):
        raise ReadingError("reading.locked")
    if "content.xml" in package.names:
        draft = _read_ods(package.xml("content.xml"), package.damage, request)
        draft.meta |= meta_in_ods(package.xml("meta.xml"))
    else:
        draft = _write_sheets(sheets_in_book(whole_xlsx(package)), request)
        _write_drawings(draft, package)
        draft.meta |= meta_in(package.xml("docProps/core.xml"))
        note_damage(draft, package.damage)
    for name in filter(_PICTURES.fullmatch, package.names):
        picture = picture_in(package.read(name) or b"", draft.position, request.limits.pixels)
        if picture is not None:
            draft.add_picture(picture)
    return draft


def _read_xls(data: bytes, request: Request) -> Draft:
    compound = Compound(data)
    if "encryptedpackage" in compound.names:
        raise ReadingError("reading.locked")
    workbook = compound.stream("Workbook") or compound.stream("Book")
    if workbook is None:
        raise ReadingError("reading.not_spreadsheet")
    data = whole_xls(harmless(workbook))
    draft = _write_sheets(sheets_in_book(data), request)
    draft.meta |= summary(compound)
    return draft


def _read_ods(content: Element | None, damage: list[Value], request: Request) -> Draft:
    if content is None:
        raise ReadingError("reading.not_spreadsheet")
    draft = _write_sheets(sheets_in_ods(content, request.limits.cells), request)
    draft.meta |= meta_in_ods(content)
    note_changes(draft, deletions=0, comments=comments_in_ods(content))
    note_damage(draft, damage)
    return draft


def _write_sheets(sheets: Iterator[Sheet], request: Request) -> Draft:
    draft = Draft()
    budget = _CellBudget(request.limits.cells)
    for sheet in sheets:
        start = draft.position
        for block in blocks_in(budget.within(sheet.rows), sheet.merged):
            if draft.position == start:
                draft.line(sheet.name)
            before = draft.position
            for line in block.lines:
                draft.line(line)
            if block.is_table:
                draft.add_table(block.rows, Span(before, draft.position), sheet.name)
        if sheet.damaged:
            draft.note("not read in full", "reading.sheet_damaged", name=sheet.name)
        if sheet.hidden and draft.position > start:
            hidden = Span(start, draft.position)
            draft.note("hidden sheet", "reading.sheet_hidden", hidden, name=sheet.name)
        if not budget.cells:
            draft.note("not read in full", "reading.more_cells_from", name=sheet.name)
            break
    return draft


class _CellBudget:
    """How many cells may still be read."""

    def __init__(self, cells: int) -> None:
        self.cells = cells

    def within(self, rows: Iterable[list[str]]) -> Iterator[list[str]]:
        """The rows that may be read."""
        for row in rows:
            if any(row):
                if len(row) > self.cells:
                    self.cells = 0
                    return
                self.cells -= len(row)
            yield row


def _write_drawings(draft: Draft, package: Package) -> None:
    """What stands in text boxes; and how many comments are left out."""
    for name in filter(_DRAWINGS.fullmatch, package.names):
        for line in drawn_lines(package.xml(name)):
            draft.line(line)
    comments = sum(
        (package.read(name) or b"").count(b"<comment ")
        for name in filter(_COMMENTS.fullmatch, package.names)
    )
    note_changes(draft, deletions=0, comments=comments)


def read_csv(data: bytes, request: Request) -> Draft:
    """The table in a text of fields and delimiters, whatever its delimiter and its encoding are."""
    decoded = decode(data, request.charset)
    draft = Draft()
    if decoded.note:
        draft.note("encoding", decoded.note)
    suffix = PurePosixPath(request.name).suffix.lower()
    delimiter, text = delimiter_of(decoded.text.replace("\0", ""), suffix in {".tsv", ".tab"})
    rows, mistrusted = rows_of(text, delimiter)
    if mistrusted:
        draft.note("damaged", "reading.quote_unclosed")
    width = max(map(len, rows), default=0)
    cells = [[cell_text(field) for field in row] for row in rows]
    start = draft.position
    for row in cells:
        draft.line("\t".join(row))
    if width * len(rows) > request.limits.cells:
        draft.note("not read in full", "reading.more_cells")
    elif width > 1 and len(rows) > 1:
        padded = [row + [""] * (width - len(row)) for row in cells]
        draft.add_table(padded, Span(start, draft.position))
    return draft
