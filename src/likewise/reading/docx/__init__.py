"""Word documents (DOCX, Word 2003 XML, flat OPC) to a draft."""

from likewise.reading.docx.reader import read_docx

__all__ = ["read_docx"]
