"""The tables of a library: one schema for SQLite and PostgreSQL.

`server` holds the tables that a server keeps beside the documents.
"""

from likewise.library.schema import server
from likewise.library.schema.base import VERSION, Number, metadata
from likewise.library.schema.kept import (
    document_references,
    document_tables,
    documents,
    key_values,
    library,
    originals,
    recipes,
    removals,
    sketches,
    stop_words,
    tags,
    texts,
)

__all__ = [
    "VERSION",
    "Number",
    "document_references",
    "document_tables",
    "documents",
    "key_values",
    "library",
    "metadata",
    "originals",
    "recipes",
    "removals",
    "server",
    "sketches",
    "stop_words",
    "tags",
    "texts",
]
