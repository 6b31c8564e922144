"""Documents out of the library, and what they leave to those with the same text."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection, delete, insert, select, update

from likewise.library import schema
from likewise.library.entries import parts_of


def remove_documents(connection: Connection, change: int, numbers: Sequence[int]) -> int:
    """Take documents out, with everything about them; how many were there.

    Where the first document of a text goes and a copy stays, the copy takes over its fingerprints.
    """
    document, removed = schema.documents.c, 0
    for part in parts_of(sorted(set(numbers))):
        there = list(connection.execute(select(document.id).where(document.id.in_(part))).scalars())
        for root in _with_copies(connection, there):
            _hand_over(connection, change, root, set(there))
        if there:
            # Copies that go together with their first document must not stand in its way.
            connection.execute(
                update(schema.documents).where(document.id.in_(there)).values(copy_of=None)
            )
            connection.execute(delete(schema.documents).where(document.id.in_(there)))
            connection.execute(
                insert(schema.removals),
                [{"document_id": number, "change": change} for number in there],
            )
        removed += len(there)
    return removed


def _with_copies(connection: Connection, numbers: Sequence[int]) -> list[int]:
    document = schema.documents.c
    query = select(document.copy_of).where(document.copy_of.in_(numbers)).distinct()
    return [number for number in connection.execute(query).scalars() if number is not None]


def _hand_over(connection: Connection, change: int, root: int, going: set[int]) -> None:
    """The eldest copy that stays becomes the first of its text."""
    document, sketch = schema.documents.c, schema.sketches.c
    query = select(document.id).where(document.copy_of == root).order_by(document.id)
    staying = [n for n in connection.execute(query).scalars() if n not in going]
    if not staying:
        return
    heir = staying[0]
    connection.execute(
        update(schema.sketches)
        .where(sketch.document_id == root)
        .values(document_id=heir, change=change)
    )
    connection.execute(update(schema.documents).where(document.id == heir).values(copy_of=None))
    connection.execute(
        update(schema.documents).where(document.copy_of == root).values(copy_of=heir)
    )
