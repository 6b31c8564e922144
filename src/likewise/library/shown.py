"""Of each text that the index names, the document that is shown for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, Row, exists, select

from likewise.library import schema
from likewise.library.entries import LISTED, Entry, entries_of
from likewise.library.filters import Filters
from likewise.library.fitting import same_texts
from likewise.library.numbers import NUMBERS

_document, _copy = schema.documents, schema.documents.alias()
_HAS_COPIES = exists().where(_copy.c.copy_of == _document.c.id).label("has_copies")
_THESE_DOCUMENTS = select(*LISTED, _HAS_COPIES).where(_document.c.id.in_(NUMBERS))


@dataclass(frozen=True, slots=True)
class Shown:
    """The eldest document with a text that fits; `copies` are the others that fit."""

    id: int
    root: int  # the first document with the text, under which the index knows it
    copies: tuple[int, ...]
    row: Row[Any] = field(repr=False)  # what is listed


def shown_for(
    connection: Connection, documents: Sequence[int], filters: Filters
) -> dict[int, Shown]:
    """By the number of the eldest document of a text that fits: what is shown for the text.

    One question tells all about texts that one document has, and that is nearly all of them.
    """
    found_rows = connection.execute(_THESE_DOCUMENTS, {"numbers": list(documents)})
    rows: dict[int, Any] = {row.id: row for row in found_rows}
    roots = {row.id: row.copy_of for row in rows.values() if row.copy_of is not None}
    roots |= {row.id: row.id for row in rows.values() if row.has_copies}
    groups = same_texts(connection, sorted(set(roots.values())), filters) if roots else {}
    found: dict[int, Shown] = {}
    for number in documents:
        if (row := rows.get(number)) is not None:
            root = roots.get(number, number)
            copies = tuple(one for one in groups.get(root, ()) if one != number)
            found[number] = Shown(number, root, copies, row)
    return found


def entries_shown(connection: Connection, chosen: Sequence[Shown]) -> dict[int, Entry]:
    """What is known about the documents that are shown, by their numbers."""
    entries = entries_of(connection, [one.row for one in chosen])
    return {entry.id: entry for entry in entries}
