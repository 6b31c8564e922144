"""The report as a DOCX: passages shaded in the text, their sources as comments."""

from __future__ import annotations

from likewise.report.docx.package import docx_of, write_docx

__all__ = ["docx_of", "write_docx"]
