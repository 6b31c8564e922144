"""What the library tells about its documents."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import BindParameter, Connection, Row, Select, bindparam, func, select

from likewise.errors import BadInput
from likewise.library import schema
from likewise.library.errors import LibraryError
from likewise.library.filters import Filters, as_spelled
from likewise.library.metadata import cleaned
from likewise.library.texts import unpack_document
from likewise.model import Document

SORTED_BY = ("id", "name", "owner", "author", "added_on", "year", "language", "type", "words")
LARGEST = (1 << 63) - 1  # number that a database takes
_AT_ONCE = 500  # numbers in one question


@dataclass(frozen=True, slots=True)
class Reference:
    """That somebody has handed a document in."""

    name: str
    owner: str | None
    author: str | None
    added_on: datetime
    path: str | None


@dataclass(frozen=True, slots=True)
class Entry:
    """A document of the library, without its text."""

    id: int
    name: str
    added_on: datetime
    words: int
    chars: int
    copy_of: int | None = None
    owner: str | None = None
    language: str | None = None
    type: str | None = None
    organisation: str | None = None
    author: str | None = None
    advisor: str | None = None
    year: int | None = None
    month: int | None = None
    path: str | None = field(default=None, repr=False)
    tags: tuple[str, ...] = ()
    again: tuple[Reference, ...] = ()  # handed in once more
    collection: str = ""


@dataclass(frozen=True, slots=True)
class Listing:
    """One page of a list, and how long all of it is."""

    entries: tuple[Entry, ...]
    total: int

    def __len__(self) -> int:
        return len(self.entries)


_COLUMNS = [
    schema.documents.c[name]
    for name in (
        *("id", "name", "added_on", "words", "chars", "copy_of", "owner", "language", "type"),
        *("organisation", "author", "advisor", "year", "month", "path", "collection"),
    )
]

# Statements made once: putting one together takes longer than what it asks for.
_NUMBERS: BindParameter[int] = bindparam("numbers", expanding=True)
_THESE = select(*_COLUMNS).where(schema.documents.c.id.in_(_NUMBERS))
_tag, _reference = schema.tags.c, schema.document_references.c
_TAGS_OF_THESE = (
    select(_tag.document_id, _tag.tag).where(_tag.document_id.in_(_NUMBERS)).order_by(_tag.tag)
)
_REFERENCES_TO_THESE = (
    select(
        _reference.document_id,
        _reference.name,
        _reference.owner,
        _reference.author,
        _reference.added_on,
        _reference.path,
    )
    .where(_reference.document_id.in_(_NUMBERS))
    .order_by(_reference.document_id, _reference.number)
)


def list_entries(
    connection: Connection,
    filters: Filters,
    search: str | None,
    sort: str,
    limit: int | None,
    offset: int,
) -> Listing:
    """The documents that fit, one page of them; `-name` sorts backwards."""
    if not isinstance(sort, str):
        raise BadInput(f"sort is {sort!r}; it takes the name of a column")
    name = sort.removeprefix("-")
    for what, value in (("limit", limit), ("offset", offset)):
        if value is not None and not _is_whole(value, 0):
            raise BadInput(f"{what} is {value!r}; it takes a whole number from 0 on")
    if search is not None and not isinstance(search, str):
        raise BadInput(f"search is {search!r}; it takes words")
    if name not in SORTED_BY:
        raise BadInput(f"documents cannot be sorted by {name!r}; there are {', '.join(SORTED_BY)}")
    filters, _ = as_spelled(connection, filters)
    chosen = matching(select(*_COLUMNS), filters, search)
    column = schema.documents.c[name]
    order = column.desc().nulls_last() if sort.startswith("-") else column.asc().nulls_last()
    page = chosen.order_by(order, schema.documents.c.id).offset(offset)
    rows = connection.execute(page.limit(limit) if limit is not None else page).all()
    counted = matching(select(func.count()).select_from(schema.documents), filters, search)
    total = int(connection.execute(counted).scalar_one())
    return Listing(tuple(_entries(connection, rows)), total)


def matching(query: Select[Any], filters: Filters, search: str | None = None) -> Select[Any]:
    """A question about documents, for those that fit."""
    query = query.where(*filters.conditions())
    for word in cleaned(search or "").casefold().split():
        query = query.where(schema.documents.c.searched.contains(word, autoescape=True))
    return query


def read_entries(connection: Connection, numbers: Iterable[int]) -> list[Entry]:
    """Some documents, in the order asked for; those that are not there are left out."""
    asked = list(dict.fromkeys(numbers))
    rows: list[Row[Any]] = []
    for part in parts_of(asked):
        rows += connection.execute(_THESE, {"numbers": part}).all()
    by_number = {entry.id: entry for entry in _entries(connection, rows)}
    return [by_number[number] for number in asked if number in by_number]


def read_document(connection: Connection, number: int, name: str | None = None) -> Document:
    """A document as it was read."""
    document, text = schema.documents.c, schema.texts.c
    row = connection.execute(
        select(document.name, document.sha256, document.is_file, text.packed)
        .join_from(schema.documents, schema.texts, text.document_id == document.id)
        .where(document.id == number)
    ).first()
    if row is None:
        raise LibraryError(f"the library has no document {number}")
    found = unpack_document(row.packed, name or row.name)
    return replace(found, sha256=bytes(row.sha256).hex()) if row.is_file else found


def checked_numbers(numbers: Iterable[Any]) -> list[int]:
    """Numbers of documents, as every database takes them."""
    found = list(numbers)
    for number in found:
        if not _is_whole(number, -LARGEST - 1):
            raise BadInput(f"{number!r} is no number of a document; `list` shows them")
    return [int(number) for number in found]


def _is_whole(value: Any, low: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= LARGEST


def parts_of(numbers: Sequence[int], size: int = _AT_ONCE) -> list[Sequence[int]]:
    """Numbers in parts that a database takes at once."""
    return [numbers[start : start + size] for start in range(0, len(numbers), size)]


def _entries(connection: Connection, rows: Sequence[Row[Any]]) -> list[Entry]:
    tags: dict[int, list[str]] = {}
    again: dict[int, list[Reference]] = {}
    for part in parts_of([row.id for row in rows]):
        for number, word in connection.execute(_TAGS_OF_THESE, {"numbers": part}):
            tags.setdefault(number, []).append(word)
        for number, name, owner, author, added_on, path in connection.execute(
            _REFERENCES_TO_THESE, {"numbers": part}
        ):
            found = Reference(name, owner, author, added_on.replace(tzinfo=UTC), path)
            again.setdefault(number, []).append(found)
    entries = []
    for row in rows:
        values = dict(row._mapping)
        values["added_on"] = values["added_on"].replace(tzinfo=UTC)
        entries.append(
            Entry(**values, tags=tuple(tags.get(row.id, ())), again=tuple(again.get(row.id, ())))
        )
    return entries
