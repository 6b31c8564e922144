"""PDF to a draft."""

from likewise.reading.pdf.reader import pdf_text, read_pdf
from likewise.reading.pdf.rendering import pages_as_pictures

__all__ = ["pages_as_pictures", "pdf_text", "read_pdf"]
