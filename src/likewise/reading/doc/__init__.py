"""Word documents before DOCX, and the files within a file that they are kept in."""

from likewise.reading.doc.compound import kind_of_compound
from likewise.reading.doc.reader import read_doc

__all__ = ["kind_of_compound", "read_doc"]
