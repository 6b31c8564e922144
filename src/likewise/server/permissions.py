"""Whose documents a caller may read and change.

Documents stand in collections. The shared library, whose name has no letters, and every shared
collection are read by everybody; a private one by its owner alone, whatever the others are.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import Connection, select

from likewise.library import Entry
from likewise.library.registry import read_value
from likewise.server.caller import Caller
from likewise.server.database import tables
from likewise.server.problems import Problem, not_found

OF_ALL = ""  # the collection that is always there
LIBRARY_IS_OPEN = "server.library is open to students"  # a value, where it is
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
    column = tables.collections.c
    query = select(column.id).where(column.is_shared | (column.owner_id == caller.id))
    return (OF_ALL, *sorted(set(connection.execute(query).scalars()) - {OF_ALL}))


def collections_open_to_students(connection: Connection) -> tuple[str, ...]:
    """The collections whose documents reports of students may name and show."""
    column = tables.collections.c
    query = select(column.id).where(column.is_open_to_students, column.id != OF_ALL)
    ids = sorted(connection.execute(query).scalars())
    return (OF_ALL, *ids) if read_value(connection, LIBRARY_IS_OPEN) is not None else tuple(ids)


def select_collections(
    connection: Connection, caller: Caller, names: list[str] | None
) -> tuple[str, ...]:
    """Those of the readable ones that were asked for; all, where none were."""
    readable = readable_collections(connection, caller)
    if names is None:
        return readable
    if not set(names) <= set(readable):
        raise not_found("server.noun_collection")
    return tuple(dict.fromkeys(names))


def ensure_may_add(connection: Connection, caller: Caller, collection: str) -> None:
    """Everybody adds to the shared library; to others their owners and administrators."""
    if collection not in readable_collections(connection, caller):
        raise not_found("server.noun_collection")
    if collection == OF_ALL or caller.is_administrator:
        return
    column = tables.collections.c
    owner = connection.execute(select(column.owner_id).where(column.id == collection)).scalar()
    if owner != caller.id:
        raise Problem("not allowed", "server.owner_adds")


@dataclass(frozen=True, slots=True)
class Permissions:
    """What a caller may do with documents."""

    caller: Caller
    readable: tuple[str, ...]
    own: frozenset[str]

    def chosen(self, names: Iterable[str] | None) -> tuple[str, ...]:
        """Those of the readable collections that were asked for, by their public names."""
        if names is None:
            return self.readable
        selected = tuple(dict.fromkeys(map(collection_of, names)))
        if not set(selected) <= set(self.readable):
            raise not_found("server.noun_collection")
        return selected

    def rules(self, collection: str) -> bool:
        """Whether the caller decides about all documents of a collection, whoever added them."""
        return self.caller.is_administrator or collection in self.own

    def may_change(self, entry: Entry) -> bool:
        return self.rules(entry.collection) or entry.owner == self.caller.name

    def may_remove(self, entry: Entry) -> bool:
        """Also what the caller handed in again, as far as it is the caller's."""
        again = any(one.owner == self.caller.name for one in entry.again)
        return again or self.may_change(entry)


def permissions_of(connection: Connection, caller: Caller) -> Permissions:
    """As the database has it now."""
    column = tables.collections.c
    query = select(column.id, column.owner_id).where(
        column.is_shared | (column.owner_id == caller.id)
    )
    rows = [(id, owner) for id, owner in connection.execute(query) if id != OF_ALL]
    own = frozenset(id for id, owner in rows if owner == caller.id)
    return Permissions(caller, (OF_ALL, *sorted(id for id, _ in rows)), own)
