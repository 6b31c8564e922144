"""PDF to a draft."""

from likewise.reading.pdf.reader import pages_to_recognise, pdf_text, read_pdf

__all__ = ["pages_to_recognise", "pdf_text", "read_pdf"]
