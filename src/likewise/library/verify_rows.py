"""Whether the rows of a database belong together."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection, func, select, text

from likewise.library import schema
from likewise.library.numbers import FIRST_OF_COLLECTIONS
from likewise.library.registry import present_tables
from likewise.model import Message


def verify_tables(connection: Connection) -> list[Message]:
    """Rows of documents and recipes that are not there, wrong numbers, dates that are none."""
    document, recipe = schema.documents.c, schema.recipes.c
    problems = []
    for table in present_tables(connection):
        if table in (schema.documents, schema.removals):
            continue
        for column, owner, key in (
            ("document_id", document.id, "library.verify_rows_without_document"),
            ("recipe_id", recipe.id, "library.verify_rows_without_recipe"),
        ):
            if column in table.c:
                owned = select(owner).where(owner == table.c[column])
                query = select(func.count()).select_from(table).where(~owned.exists())
                if orphans := int(connection.execute(query).scalar_one()):
                    problems.append(Message(key, {"table": table.name, "n": orphans}))
    last = connection.execute(select(schema.library.c.last_document)).scalar()
    counted = select(func.max(document.id)).where(document.id < FIRST_OF_COLLECTIONS)
    highest = connection.execute(counted).scalar() or 0
    if last is not None and last < highest:
        problems.append(Message("library.verify_numbers", {"last": last, "n": highest}))
    if connection.dialect.name == "sqlite":  # which takes anything for a date
        problems += _dates(connection)
    return problems


def _dates(connection: Connection) -> list[Message]:
    problems = []
    for table, number in (("documents", "id"), ("document_references", "document_id")):
        rows = connection.execute(text(f"SELECT {number}, added_on FROM {table}"))
        for document, written in rows:
            try:
                datetime.fromisoformat(written)
            except (TypeError, ValueError):
                values = {"n": document, "date": repr(written)}
                problems.append(Message("library.verify_date", values))
    return problems


def verify_copies(connection: Connection) -> list[Message]:
    """Copies of nothing, of copies, or of another text; and the engine's own check of its file."""
    document, first = schema.documents, schema.documents.alias()
    query = (
        select(document.c.id, first.c.id, first.c.copy_of, first.c.text_hash, document.c.text_hash)
        .select_from(document.outerjoin(first, first.c.id == document.c.copy_of))
        .where(document.c.copy_of.is_not(None))
    )
    problems = [
        Message("library.verify_copy", {"n": number})
        for number, root, root_copy_of, root_text, own_text in connection.execute(query)
        if root is None or root_copy_of is not None or bytes(root_text) != bytes(own_text)
    ]
    if connection.dialect.name == "sqlite":
        said = connection.execute(text("PRAGMA integrity_check(20)")).scalars().all()
        problems += [
            Message("library.verify_file", {"words": Message.verbatim(line)})
            for line in said
            if line != "ok"
        ]
    return problems
