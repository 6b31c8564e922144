"""Who has handed documents in, however their names are spelled."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from sqlalchemy import Connection, select, union

from likewise.library import schema
from likewise.library.filters import Filters, as_tuple
from likewise.library.store import State

Spellings = Mapping[str, Sequence[str]]  # a name in small letters → as it is written here
WhoIsThere = Callable[[Connection, str, tuple[str, ...] | None], Spellings]
_MOST_KEPT = 64  # answers about who is there, for as many sets of collections


def read_people(
    connection: Connection, what: str, collections: tuple[str, ...] | None = None
) -> Spellings:
    """The owners or the authors of all documents in some collections; it looks at each of these.

    Who stands in no other document is not there: a name that is known tells that somebody has it.
    """
    document, reference = schema.documents, schema.document_references
    first = select(document.c[what])
    again = select(reference.c[what])
    if collections is not None:
        here = document.c.collection.in_(collections)
        first = first.where(here)
        again = again.join_from(
            reference, document, reference.c.document_id == document.c.id
        ).where(here)
    known: dict[str, list[str]] = {}
    for person in sorted(
        person for person in connection.execute(union(first, again)).scalars() if person is not None
    ):
        known.setdefault(_folded(person), []).append(person)
    return known


class People:
    """The people of a library, read once for as long as nothing changes."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._of: tuple[str, int] | None = None  # the library, and its last change
        self._known: dict[tuple[str, tuple[str, ...] | None], Spellings] = {}

    def as_spelled(
        self, connection: Connection, state: State, filters: Filters
    ) -> tuple[Filters, list[str]]:
        """As the function below, in a transaction that reads."""

        def known(asked: Connection, what: str, collections: tuple[str, ...] | None) -> Spellings:
            with self._lock:
                if self._of != (state.uid, state.changes) or len(self._known) >= _MOST_KEPT:
                    self._of, self._known = (state.uid, state.changes), {}
                if (what, collections) not in self._known:
                    self._known[what, collections] = read_people(asked, what, collections)
                return self._known[what, collections]

        return as_spelled(connection, filters, known)


def as_spelled(
    connection: Connection, filters: Filters, who_is_there: WhoIsThere = read_people
) -> tuple[Filters, list[str]]:
    """Filters with `not_owner` and `not_author` as the library spells them; names it does not know.

    The library is what the filters choose by collection: others are not asked for spellings, and
    whether they know a name is not told. Databases do not agree on what capital letters are, so
    names are compared here.
    """
    collections = None if filters.collection is None else as_tuple(filters.collection)
    spelled: dict[str, tuple[str, ...]] = {}
    unknown: dict[str, bool] = {}
    for what in ("owner", "author"):
        if (people := getattr(filters, f"not_{what}")) is None:
            continue
        known = who_is_there(connection, what, collections)
        found = {person: known.get(_folded(person), ()) for person in as_tuple(people)}
        spelled[f"not_{what}"] = tuple(
            spelling for person, them in found.items() for spelling in them or [person]
        )
        for person, them in found.items():
            unknown[person] = unknown.get(person, True) and not them
    if not spelled:
        return filters, []
    spelled_so = replace(
        filters,
        not_owner=spelled.get("not_owner"),
        not_author=spelled.get("not_author"),
    )
    return spelled_so, [person for person, is_so in unknown.items() if is_so]


def _folded(name: str) -> str:
    """
    >>> _folded("  A.  NUR ") == _folded("a. Nur")
    True
    """
    return " ".join(name.split()).casefold()
