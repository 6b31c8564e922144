"""Who has handed documents in, however their names are spelled."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from sqlalchemy import Connection, select, union

from likewise.library import schema
from likewise.library.erasure import fold_name
from likewise.library.filters import Filters, as_tuple
from likewise.library.store import State

Spellings = Mapping[str, Sequence[str]]  # a name in small letters → as it is written here
ReadSpellings = Callable[[Connection, str, tuple[str, ...] | None], Spellings]
_MOST_CACHED = 64  # answers, for as many sets of collections


def read_spellings(
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
    spellings: dict[str, list[str]] = {}
    for person in sorted(
        person for person in connection.execute(union(first, again)).scalars() if person is not None
    ):
        spellings.setdefault(fold_name(person), []).append(person)
    return spellings


class NameSpellings:
    """How a library spells its owners and authors, read once for as long as nothing changes."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._version: tuple[str, int] | None = None  # the library, and its last change
        self._spellings: dict[tuple[str, tuple[str, ...] | None], Spellings] = {}

    def resolve_names(
        self, connection: Connection, state: State, filters: Filters
    ) -> tuple[Filters, list[str]]:
        """As the function below, in a transaction that reads."""

        def read(reading: Connection, what: str, collections: tuple[str, ...] | None) -> Spellings:
            with self._lock:
                version = state.uid, state.changes
                if self._version != version or len(self._spellings) >= _MOST_CACHED:
                    self._version, self._spellings = version, {}
                if (what, collections) not in self._spellings:
                    self._spellings[what, collections] = read_spellings(reading, what, collections)
                return self._spellings[what, collections]

        return resolve_names(connection, filters, read)


def resolve_names(
    connection: Connection, filters: Filters, read: ReadSpellings = read_spellings
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
        spellings = read(connection, what, collections)
        by_name = {person: spellings.get(fold_name(person), ()) for person in as_tuple(people)}
        spelled[f"not_{what}"] = tuple(
            spelling for person, them in by_name.items() for spelling in them or [person]
        )
        for person, them in by_name.items():
            unknown[person] = unknown.get(person, True) and not them
    if not spelled:
        return filters, []
    resolved = replace(
        filters,
        not_owner=spelled.get("not_owner"),
        not_author=spelled.get("not_author"),
    )
    return resolved, [person for person, is_so in unknown.items() if is_so]
