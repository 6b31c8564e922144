"""Collections: where documents stand, private to their owner or shared with everybody.

Administrators see that private collections of others are there, whose they are and how large, and
may remove them as a whole; neither their names nor their documents.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, Row, delete, func, insert, select, update

from likewise.library import schema
from likewise.library.originals import original_bytes
from likewise.library.registry import read_value, write_value
from likewise.library.remove import remove_documents
from likewise.server.caller import Caller
from likewise.server.collections.shapes import (
    CollectionChange,
    CollectionInput,
    CollectionShape,
    CollectionWhole,
)
from likewise.server.context import ServerContext, utc_now
from likewise.server.database import tables
from likewise.server.documents.listing import counts_by_collection
from likewise.server.people.audit import record_act
from likewise.server.permissions import LIBRARY_IS_OPEN, OF_ALL, collection_of, public_id
from likewise.server.problems import Problem, not_found
from likewise.server.shapes import clean_line

collections, users = tables.collections, tables.users
_MOST_COLLECTIONS = 1_000  # of one person
_TOLD = ("is_shared", "is_open_to_students")  # what the audit log says of a change


def list_collections(context: ServerContext, caller: Caller) -> list[CollectionShape]:
    """The shared library first, then by name; at the end those whose names nobody tells."""
    with context.store.reading() as connection:
        counts = counts_by_collection(context, connection)
        shapes = [_shape(row, caller, counts) for row in _rows(connection, caller)]
        of_all = _of_all(connection, caller, counts)
    hidden_last = sorted(shapes, key=lambda one: (one.name is None, (one.name or "").casefold()))
    return [of_all, *hidden_last]


def show_collection(context: ServerContext, caller: Caller, public: str) -> CollectionWhole:
    """One collection, with its size."""
    with context.store.reading() as connection:
        counts = counts_by_collection(context, connection)
        if collection_of(public) == OF_ALL:
            shape = _of_all(connection, caller, counts)
        else:
            shape = _shape(_find_row(connection, caller, public), caller, counts)
        size = _size(connection, collection_of(public))
        return CollectionWhole.model_validate(shape.model_dump() | size)


def make_collection(
    context: ServerContext, caller: Caller, new: CollectionInput
) -> CollectionWhole:
    """A new collection of the caller's."""
    with context.store.beside() as connection:
        mine = select(func.count()).select_from(collections)
        count = connection.execute(mine.where(collections.c.owner_id == caller.id)).scalar_one()
        if count >= _MOST_COLLECTIONS:
            raise Problem("quota reached", "server.collections", n=_MOST_COLLECTIONS)
        id = secrets.token_hex(12)
        connection.execute(
            insert(collections).values(
                id=id,
                name=_name(new.name),
                about=clean_line(new.about, 2_000),
                owner_id=caller.id,
                is_shared=new.is_shared,
                is_open_to_students=False,
                made_on=utc_now(),
            )
        )
        record_act(connection, caller, "collection made", id, is_shared=new.is_shared)
    return show_collection(context, caller, id)


def change_collection(
    context: ServerContext, caller: Caller, public: str, change: CollectionChange
) -> CollectionWhole:
    """Rename, describe, share or take back."""
    if collection_of(public) == OF_ALL:
        return _change_of_all(context, caller, change)
    with context.store.beside() as connection:
        row = _find_row(connection, caller, public)
        _ensure_changes(row, caller)
        values = _changed_values(change)
        if values:
            connection.execute(
                update(collections).where(collections.c.id == row.id).values(**values)
            )
            told = {name: values[name] for name in _TOLD if name in values}
            record_act(
                connection, caller, "collection changed", row.id, fields=sorted(values), **told
            )
    return show_collection(context, caller, public)


def _change_of_all(
    context: ServerContext, caller: Caller, change: CollectionChange
) -> CollectionWhole:
    """Of the shared library administrators decide whether students may see its documents."""
    if not caller.is_administrator or change.model_fields_set != {"is_open_to_students"}:
        _not_of_all(public_id(OF_ALL))
    is_open = bool(change.is_open_to_students)
    with context.store.beside() as connection:
        write_value(connection, LIBRARY_IS_OPEN, "yes" if is_open else None)
        record_act(
            connection,
            caller,
            "collection changed",
            public_id(OF_ALL),
            fields=["is_open_to_students"],
            is_open_to_students=is_open,
        )
    return show_collection(context, caller, public_id(OF_ALL))


def _changed_values(change: CollectionChange) -> Mapping[str, Any]:
    values: dict[str, Any] = {}
    if change.name is not None:
        values["name"] = _name(change.name)
    if change.about is not None:
        values["about"] = clean_line(change.about, 2_000)
    for name in _TOLD:
        if getattr(change, name) is not None:
            values[name] = getattr(change, name)
    if "keep_days" in change.model_fields_set:
        values["keep_days"] = change.keep_days
    return values


def remove_collection(
    context: ServerContext, caller: Caller, public: str, *, with_documents: bool = False
) -> int:
    """Remove a collection; how many documents went with it."""
    _not_of_all(public)
    document = schema.documents.c
    with context.store.reading() as connection:  # else whoever may not would hold up those who add
        _ensure_removes(_find_row(connection, caller, public), caller)
    with context.store.writing() as (connection, change):
        row = _find_row(connection, caller, public)
        _ensure_removes(row, caller)
        query = select(document.id).where(document.collection == row.id)
        numbers = list(connection.execute(query).scalars())
        if numbers and not with_documents:
            details = {"documents": len(numbers)}
            raise Problem("conflict", "server.collection_full", details=details)
        removed = remove_documents(connection, change, numbers)
        connection.execute(delete(collections).where(collections.c.id == row.id))
        record_act(
            connection, caller, "collection removed", row.id, documents=removed, owner=row.owner
        )
        return removed


def _rows(connection: Connection, caller: Caller, id: str | None = None) -> list[Row[Any]]:
    """What the caller may know of; the rest is not there."""
    column = collections.c
    query = select(
        *(column.id, column.name, column.about, column.owner_id, column.is_shared, column.made_on),
        *(column.keep_days, column.is_open_to_students),
        users.c.name.label("owner"),
    ).join_from(collections, users, column.owner_id == users.c.id, isouter=True)
    query = query.where(column.id != OF_ALL)
    if id is not None:
        query = query.where(column.id == id)
    if not caller.is_administrator:
        query = query.where(column.is_shared | (column.owner_id == caller.id))
    return list(connection.execute(query))


def _find_row(connection: Connection, caller: Caller, public: str) -> Row[Any]:
    rows = _rows(connection, caller, public)
    if not rows:
        raise not_found("server.noun_collection")
    return rows[0]


def _shape(row: Row[Any], caller: Caller, counts: Mapping[str, int]) -> CollectionShape:
    is_mine = row.owner_id == caller.id
    may_read = row.is_shared or is_mine
    return CollectionShape(
        id=row.id,
        name=row.name if may_read else None,
        about=row.about if may_read else None,
        owner=row.owner,
        is_shared=row.is_shared,
        is_open_to_students=row.is_open_to_students,
        is_mine=is_mine,
        may_add=is_mine or (row.is_shared and caller.is_administrator),
        may_change=is_mine or (row.is_shared and caller.is_administrator),
        may_read=may_read,
        documents=counts.get(row.id, 0),
        made_on=row.made_on,
        keep_days=row.keep_days,
    )


def _of_all(connection: Connection, caller: Caller, counts: Mapping[str, int]) -> CollectionShape:
    return CollectionShape(
        id=public_id(OF_ALL),
        name="Library",
        about="",
        owner=None,
        is_shared=True,
        is_open_to_students=read_value(connection, LIBRARY_IS_OPEN) is not None,
        is_mine=False,
        may_add=True,
        may_change=False,
        may_read=True,
        documents=counts.get(OF_ALL, 0),
        made_on=None,
        keep_days=None,
    )


def _size(connection: Connection, collection: str) -> dict[str, int]:
    document, original = schema.documents.c, schema.originals.c
    here = document.collection == collection
    words = select(func.coalesce(func.sum(document.words), 0)).where(here)
    size = (
        select(func.coalesce(func.sum(original_bytes()), 0))
        .join_from(schema.documents, schema.originals, original.document_id == document.id)
        .where(here)
    )
    return {
        "words": int(connection.execute(words).scalar_one()),
        "bytes": int(connection.execute(size).scalar_one()),
    }


def _name(text: str) -> str:
    if not (name := clean_line(text, 200)):
        raise Problem("bad request", "server.collection_name")
    return name


def _not_of_all(public: str) -> None:
    if collection_of(public) == OF_ALL:
        raise Problem("not allowed", "server.collection_of_all")


def _ensure_changes(row: Row[Any], caller: Caller) -> None:
    if row.owner_id == caller.id:
        return
    if not row.is_shared:
        raise not_found(
            "server.noun_collection"
        )  # an administrator sees that it is there, and no more
    if not caller.is_administrator:
        raise Problem("not allowed", "server.owner_changes_collection")


def _ensure_removes(row: Row[Any], caller: Caller) -> None:
    if row.owner_id != caller.id and not caller.is_administrator:
        raise Problem("not allowed", "server.owner_removes_collection")
