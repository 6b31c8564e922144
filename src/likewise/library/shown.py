"""Of each text that the index names, the document that is shown for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, Row, Select, and_, exists, select

from likewise.library import schema
from likewise.library.entries import LISTED, Entry, entries_of, read_entries
from likewise.library.filters import Filters
from likewise.library.fitting import same_texts
from likewise.library.numbers import NUMBERS

_document, _copy = schema.documents, schema.documents.alias()
_HAS_COPIES = exists().where(_copy.c.copy_of == _document.c.id).label("has_copies")
_FIRST_OF_TEXTS = select(*LISTED, _HAS_COPIES).where(_document.c.id.in_(NUMBERS))


@dataclass(frozen=True, slots=True)
class Shown:
    """The eldest document with a text that fits; `copies` are the others that fit."""

    id: int
    root: int  # the first document with the text, under which the index knows it
    copies: tuple[int, ...] = ()
    row: Row[Any] | None = field(default=None, repr=False)  # what is listed, if it is known


def shown_for(connection: Connection, roots: Sequence[int], filters: Filters) -> dict[int, Shown]:
    """By the number of the first document of a text: what is shown for it, if something fits.

    One question tells all about texts that one document has, and that is nearly all of them.
    """
    query: Select[Any] = _FIRST_OF_TEXTS
    if filters:
        query = query.add_columns(and_(*filters.conditions()).label("fits"))
    rows: dict[int, Any] = {
        row.id: row for row in connection.execute(query, {"numbers": list(roots)})
    }
    copied = [root for root in roots if root not in rows or rows[root].has_copies]
    groups = same_texts(connection, copied, filters) if copied else {}
    found: dict[int, Shown] = {}
    for root in roots:
        row = rows.get(root)
        if members := groups.get(root):
            known = row if members[0] == root else None
            found[root] = Shown(members[0], root, tuple(members[1:]), known)
        elif row is not None and not row.has_copies and (not filters or row.fits):
            found[root] = Shown(root, root, (), row)
    return found


def entries_shown(connection: Connection, chosen: Sequence[Shown]) -> dict[int, Entry]:
    """What is known about the documents that are shown, by their numbers."""
    listed = entries_of(connection, [one.row for one in chosen if one.row is not None])
    others = read_entries(connection, (one.id for one in chosen if one.row is None))
    return {entry.id: entry for entry in (*listed, *others)}
