"""Word documents before DOCX."""

from likewise.reading.doc.reader import read_doc

__all__ = ["read_doc"]
