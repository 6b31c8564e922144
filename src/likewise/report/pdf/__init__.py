"""The report as a PDF, set by typst. What documents say reaches the template as data alone."""

from __future__ import annotations

from likewise.report.pdf.compiler import FONTS, missing_glyphs, pdf_of, typeset, write_pdf
from likewise.report.pdf.layout import breakable

__all__ = ["FONTS", "breakable", "missing_glyphs", "pdf_of", "typeset", "write_pdf"]
