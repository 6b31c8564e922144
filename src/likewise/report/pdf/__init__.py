"""The report as a PDF, set by typst. What documents say reaches the template as data alone."""

from __future__ import annotations

from likewise.report.pdf.compiler import pdf_of, write_pdf

__all__ = ["pdf_of", "write_pdf"]
