"""How large a library is."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection, func, select

from likewise.library import schema
from likewise.library.rebuild import stale_documents
from likewise.library.store import State


@dataclass(frozen=True, slots=True)
class Stats:
    """How large a library is."""

    documents: int
    copies: int
    references: int
    words: int
    postings: int
    tables: int
    database_bytes: int
    fingerprint_bytes: int  # of the database, for fingerprints
    index_bytes: int  # beside the database, on this machine
    stale: int  # documents that wait for a rebuild


def read_stats(connection: Connection, state: State, index_bytes: int) -> Stats:
    """Counted in this moment; the index is not in the database."""
    document, sketch = schema.documents.c, schema.sketches.c
    documents, copies, words = connection.execute(
        select(
            func.count(),
            func.count(document.copy_of),
            func.coalesce(func.sum(document.words), 0),
        )
    ).one()
    postings, size = connection.execute(
        select(
            func.coalesce(func.sum(sketch.fingerprints), 0),
            func.coalesce(func.sum(func.length(sketch.hashes)), 0),
        ).where(sketch.recipe_id == state.recipe_id)
    ).one()
    references = connection.execute(
        select(func.count()).select_from(schema.document_references)
    ).scalar_one()
    tables = connection.execute(
        select(func.count())
        .select_from(schema.document_tables)
        .where(schema.document_tables.c.recipe_id == state.recipe_id)
    ).scalar_one()
    return Stats(
        documents=documents,
        copies=copies,
        references=references,
        words=int(words),
        postings=int(postings),
        tables=tables,
        database_bytes=_database_bytes(connection),
        fingerprint_bytes=int(size),
        index_bytes=index_bytes,
        stale=stale_documents(connection, state.next_recipe_id),
    )


def _database_bytes(connection: Connection) -> int:
    if connection.dialect.name == "sqlite":
        pages = "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"
        return int(connection.exec_driver_sql(pages).scalar_one())
    whole = select(func.pg_database_size(func.current_database()))
    return int(connection.execute(whole).scalar_one())
