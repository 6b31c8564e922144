"""What a job that adds finds of its own in the library: documents of this attempt and of others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, and_, or_, select

from likewise.library import schema
from likewise.library.filters import split_numbers
from likewise.library.inputs import InputItem
from likewise.library.remove import remove_documents
from likewise.library.store import Store
from likewise.model import Unread
from likewise.server.caller import Caller
from likewise.server.database import tables
from likewise.server.jobs.queue import Job
from likewise.server.permissions import OF_ALL, permissions_of


@dataclass(frozen=True, slots=True)
class AddedDocument:
    """A document, and what of it comes from this job."""

    id: int
    first_name: str | None  # under which this job handed it in first
    is_copy: bool  # of a text that the caller may read
    again: frozenset[str]  # names under which this job handed it in again
    has_text: bool = True


def find_added(
    connection: Connection,
    job: Job,
    caller: Caller,
    collection: str,
    batch: Sequence[InputItem | Unread],
) -> dict[bytes, AddedDocument]:
    """The documents with the bytes of a batch, as far as this job had to do with them."""
    document, reference = schema.documents.c, schema.document_references.c
    readable = permissions_of(connection, caller).readable
    hashes = [item.sha256 for item in batch if isinstance(item, InputItem)]
    query = select(
        *(document.id, document.sha256, document.name, document.owner),
        *(document.added_on, document.copy_of, document.words),
    ).where(document.sha256.in_(hashes), document.collection == collection)
    rows = connection.execute(query).all() if hashes else []
    again: dict[int, set[str]] = {}
    for part in split_numbers([row.id for row in rows]):
        ours = select(reference.document_id, reference.name).where(
            reference.document_id.in_(part),
            reference.owner == caller.name,
            reference.added_on == job.made_on,
        )
        for number, name in connection.execute(ours):
            again.setdefault(number, set()).add(name)
    added = {}
    for row in rows:
        is_ours = row.owner == caller.name and row.added_on == job.made_on
        added[bytes(row.sha256)] = AddedDocument(
            row.id,
            row.name if is_ours else None,
            _has_earlier(connection, row, readable),
            frozenset(again.get(row.id, ())),
            row.words > 0,
        )
    return added


def _has_earlier(connection: Connection, row: Any, readable: tuple[str, ...]) -> bool:
    """Whether an older document of the same text is there for the caller."""
    document = schema.documents.c
    root = row.id if row.copy_of is None else row.copy_of
    query = select(document.id).where(
        (document.id == root) | (document.copy_of == root),
        or_(
            document.added_on < row.added_on,
            and_(document.added_on == row.added_on, document.id < row.id),
        ),
        document.collection.in_(readable),
    )
    return connection.execute(query.limit(1)).first() is not None


def remove_orphans(store: Store, collection: str, made_on: datetime) -> None:
    """Documents of a job whose collection was removed meanwhile go with it, however it ended."""
    if collection == OF_ALL:
        return
    document, collections = schema.documents.c, tables.collections.c
    is_there = select(collections.id).where(collections.id == collection)
    orphans = select(document.id).where(
        document.collection == collection, document.added_on == made_on
    )
    with store.reading() as connection:
        if connection.execute(is_there).first() or not connection.execute(orphans).first():
            return
    with store.writing() as (connection, change):
        remove_documents(connection, change, list(connection.execute(orphans).scalars()))
