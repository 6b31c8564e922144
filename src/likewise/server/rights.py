"""Whose documents a caller may read and change.

Documents stand in collections. The library of all, whose name has no letters, and every shared
collection are read by everybody; a private one by its owner alone, whatever the others are.
"""

from __future__ import annotations

from sqlalchemy import Connection, select

from likewise.server.caller import Caller
from likewise.server.database import tables
from likewise.server.problems import Problem, not_found

OF_ALL = ""  # the collection that is always there
PUBLIC_OF_ALL = "library"  # an address cannot end in a name without letters


def public_id(collection: str) -> str:
    """A collection as callers name it.

    >>> public_id(""), collection_of("library")
    ('library', '')
    """
    return PUBLIC_OF_ALL if collection == OF_ALL else collection


def collection_of(public: str) -> str:
    """A collection as the library names it."""
    return OF_ALL if public == PUBLIC_OF_ALL else public


def readable_collections(connection: Connection, caller: Caller) -> tuple[str, ...]:
    """The collections whose documents a caller may read."""
    kept = tables.collections.c
    query = select(kept.id).where(kept.is_shared | (kept.owner_id == caller.id))
    return (OF_ALL, *sorted(set(connection.execute(query).scalars()) - {OF_ALL}))


def chosen_collections(
    connection: Connection, caller: Caller, asked: list[str] | None
) -> tuple[str, ...]:
    """Those of the readable ones that were asked for; all, where none were."""
    readable = readable_collections(connection, caller)
    if asked is None:
        return readable
    if not set(asked) <= set(readable):
        raise not_found("server.noun_collection")
    return tuple(dict.fromkeys(asked))


def ensure_may_add(connection: Connection, caller: Caller, collection: str) -> None:
    """Everybody adds to the library of all; to others their owners and administrators."""
    if collection not in readable_collections(connection, caller):
        raise not_found("server.noun_collection")
    if collection == OF_ALL or caller.is_administrator:
        return
    kept = tables.collections.c
    owner = connection.execute(select(kept.owner_id).where(kept.id == collection)).scalar()
    if owner != caller.id:
        raise Problem("not allowed", "server.owner_adds")
