"""Which collections a caller may read and which are the caller's own, asked once a request."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import Connection, select

from likewise.library import Entry
from likewise.server.caller import Caller
from likewise.server.database import tables
from likewise.server.problems import not_found
from likewise.server.rights import OF_ALL, collection_of


@dataclass(frozen=True, slots=True)
class Standing:
    """What a caller may do with documents."""

    caller: Caller
    readable: tuple[str, ...]
    own: frozenset[str]

    def chosen(self, asked: Iterable[str] | None) -> tuple[str, ...]:
        """Those of the readable collections that were asked for, by their public names."""
        if asked is None:
            return self.readable
        wanted = tuple(dict.fromkeys(map(collection_of, asked)))
        if not set(wanted) <= set(self.readable):
            raise not_found("server.noun_collection")
        return wanted

    def rules(self, collection: str) -> bool:
        """Whether the caller decides about all documents of a collection, whoever added them."""
        return self.caller.is_administrator or collection in self.own

    def may_change(self, entry: Entry) -> bool:
        return self.rules(entry.collection) or entry.owner == self.caller.name

    def may_remove(self, entry: Entry) -> bool:
        """Also what the caller handed in again, as far as it is the caller's."""
        again = any(one.owner == self.caller.name for one in entry.again)
        return again or self.may_change(entry)


def standing_of(connection: Connection, caller: Caller) -> Standing:
    """As the database has it now."""
    kept = tables.collections.c
    query = select(kept.id, kept.owner_id).where(kept.is_shared | (kept.owner_id == caller.id))
    rows = [(id, owner) for id, owner in connection.execute(query) if id != OF_ALL]
    own = frozenset(id for id, owner in rows if owner == caller.id)
    return Standing(caller, (OF_ALL, *sorted(id for id, _ in rows)), own)
