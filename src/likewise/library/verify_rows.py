"""Whether the rows of a database belong together."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection, func, select, text

from likewise.library import schema
from likewise.library.numbering import FIRST_OF_COLLECTIONS


def verify_tables(connection: Connection) -> list[str]:
    """Rows of documents and recipes that are not there, wrong numbers, dates that are none."""
    document, recipe = schema.documents.c, schema.recipes.c
    problems = []
    for table in schema.metadata.sorted_tables:
        if table in (schema.documents, schema.removals):
            continue
        for column, owner in (("document_id", document.id), ("recipe_id", recipe.id)):
            if column in table.c:
                owned = select(owner).where(owner == table.c[column])
                query = select(func.count()).select_from(table).where(~owned.exists())
                if orphans := int(connection.execute(query).scalar_one()):
                    rows = "1 row belongs" if orphans == 1 else f"{orphans:,} rows belong"
                    what = column.removesuffix("_id")
                    problems.append(f"the table {table.name}: {rows} to no {what}")
    last = connection.execute(select(schema.library.c.last_document)).scalar()
    counted = select(func.max(document.id)).where(document.id < FIRST_OF_COLLECTIONS)
    highest = connection.execute(counted).scalar() or 0
    if last is not None and last < highest:
        problems.append(
            f"the library has given out numbers up to {last}, and there is document {highest}"
        )
    if connection.dialect.name == "sqlite":  # which takes anything for a date
        problems += _dates(connection)
    return problems


def _dates(connection: Connection) -> list[str]:
    problems = []
    for table, number in (("documents", "id"), ("document_references", "document_id")):
        rows = connection.execute(text(f"SELECT {number}, added_on FROM {table}"))
        for document, written in rows:
            try:
                datetime.fromisoformat(written)
            except (TypeError, ValueError):
                problems.append(f"document {document}: {written!r} is no date to be added on")
    return problems


def verify_copies(connection: Connection) -> list[str]:
    """Copies of nothing, of copies, or of another text; and the engine's own check of its file."""
    document, first = schema.documents, schema.documents.alias()
    query = (
        select(document.c.id, first.c.id, first.c.copy_of, first.c.text_hash, document.c.text_hash)
        .select_from(document.outerjoin(first, first.c.id == document.c.copy_of))
        .where(document.c.copy_of.is_not(None))
    )
    problems = [
        f"document {number}: it is noted as a copy, and not of the first with its text"
        for number, root, root_copy_of, root_text, own_text in connection.execute(query)
        if root is None or root_copy_of is not None or bytes(root_text) != bytes(own_text)
    ]
    if connection.dialect.name == "sqlite":
        said = connection.execute(text("PRAGMA integrity_check(20)")).scalars().all()
        problems += [f"the file: {line}" for line in said if line != "ok"]
    return problems
