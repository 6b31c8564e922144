"""Spreadsheets and tables of text (XLSX, XLS, XLSB, ODS, CSV) to a draft."""

from likewise.reading.sheet.reader import looks_like_csv, read_csv, read_sheet

__all__ = ["looks_like_csv", "read_csv", "read_sheet"]
