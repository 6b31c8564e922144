"""Words found anywhere in names and people, in lists of any length.

Each engine has its own way to look less than everywhere: PostgreSQL an index of three letters at a
time, where it may be made; SQLite an index that is shorter to read through than the documents.
"""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import Connection, func, select, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.sql import ColumnElement

from likewise.library import schema

INDEX = "ix_documents_searched"


def add_search_index(connection: Connection) -> None:
    """Make the index of this engine; without the right to, searches are slower."""
    if connection.dialect.name == "sqlite":
        connection.execute(text(f"CREATE INDEX {INDEX} ON documents (searched)"))
        return
    try:
        with connection.begin_nested():
            connection.execute(text("CREATE EXTENSION IF NOT EXISTS pg_trgm WITH SCHEMA public"))
    except DBAPIError:
        return  # the extension is not installed, or not to be had by this user
    connection.execute(
        text(f"CREATE INDEX {INDEX} ON documents USING gin (searched public.gin_trgm_ops)")
    )


def holding_words(connection: Connection, words: Iterable[str]) -> list[ColumnElement[bool]]:
    """That the name or the people of a document hold each of some words in small letters."""
    document = schema.documents.c
    if connection.dialect.name == "postgresql":
        return [document.searched.contains(word, autoescape=True) for word in words]
    return [
        document.id.in_(select(document.id).where(func.instr(document.searched, word) > 0))
        for word in words
    ]
