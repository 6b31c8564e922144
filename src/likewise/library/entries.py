"""Documents as a library keeps them, and what it tells about them.

A document is packed and compressed, and has hashes by which two of them are the same. An entry is
what is told of one: its metadata, which are corrected or filled in.
"""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

import zstandard
from sqlalchemy import (
    Connection,
    Row,
    Select,
    bindparam,
    delete,
    exists,
    func,
    insert,
    select,
    update,
)

from likewise.errors import BadInput
from likewise.library import schema
from likewise.library.errors import LibraryError
from likewise.library.filters import (
    NUMBERS,
    Filters,
    is_whole,
    match_words,
    resolve_names,
    split_numbers,
)
from likewise.library.metadata import FIELDS, Metadata, clean_text, metadata_from, search_text
from likewise.library.originals import file_of
from likewise.model import Document, Message
from likewise.reading.serialization import pack, unpack

_LONGEST = 1 << 31  # bytes of an unpacked document


def pack_document(document: Document) -> bytes:
    """Everything about a document but its name."""
    return zstandard.ZstdCompressor().compress(pack(document))


def unpack_document(packed: bytes, name: str) -> Document:
    """The document that was packed."""
    try:
        data = zstandard.ZstdDecompressor().decompress(bytes(packed), max_output_size=_LONGEST)
        return unpack(data, name)
    except (zstandard.ZstdError, ValueError) as error:
        raise LibraryError(
            "library.text_damaged", about=name, error=Message.verbatim(str(error))
        ) from error


def unpack_original(packed: bytes, number: int) -> bytes:
    """The file that was kept of a document."""
    try:
        return zstandard.ZstdDecompressor().decompress(bytes(packed))
    except (zstandard.ZstdError, MemoryError) as error:
        raise LibraryError("library.original_damaged", n=number) from error


def storable(document: Document) -> Document:
    """The document without halves of surrogate pairs, which no database and no file can hold."""
    text = _encodable(document.text)
    if any(
        not _is_encodable(table.caption, *map("".join, table.rows)) for table in document.tables
    ):
        tables = tuple(
            replace(
                table,
                caption=_encodable(table.caption),
                rows=tuple(tuple(map(_encodable, row)) for row in table.rows),
            )
            for table in document.tables
        )
        return replace(document, text=text, tables=tables)
    return document if text is document.text else replace(document, text=text)


def _encodable(text: str) -> str:
    """The text itself, or one of the same length without halves of pairs."""
    if _is_encodable(text):
        return text
    whole = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    if len(whole) != len(text):  # pairs have become letters: offsets would be wrong
        whole = "".join("\ufffd" if "\ud800" <= c <= "\udfff" else c for c in text)
    return whole


def _is_encodable(*texts: str) -> bool:
    try:
        for text in texts:
            text.encode()
    except UnicodeEncodeError:
        return False
    return True


def hash_of_text(document: Document) -> bytes:
    """The same for the same text, however it is broken into lines and whatever it was a file of."""
    words = unicodedata.normalize("NFKC", document.compared_text).split()
    return hashlib.blake2b(" ".join(words).encode(), digest_size=16).digest()


def hash_of_bytes(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


def hash_of_document(document: Document) -> bytes:
    """For a document that never was a file: as if its text were one."""
    return hash_of_bytes(b"document\0" + pack(document))


SORT_FIELDS = ("id", "name", "owner", "author", "added_on", "year", "language", "type", "words")


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


_NAMES = (
    *("id", "name", "added_on", "words", "chars", "copy_of", "owner", "language", "type"),
    *("organisation", "author", "advisor", "year", "month", "path", "collection"),
)
_tag, _reference = schema.tags.c, schema.document_references.c
# What is listed, and whether there is more to ask for: most documents have no tags, and were handed
# in once.
ENTRY_COLUMNS = (
    *(schema.documents.c[name] for name in _NAMES),
    exists().where(_tag.document_id == schema.documents.c.id).label("has_tags"),
    exists().where(_reference.document_id == schema.documents.c.id).label("is_again"),
)
_THESE = select(*ENTRY_COLUMNS).where(schema.documents.c.id.in_(NUMBERS))
_TAGS_OF_THESE = (
    select(_tag.document_id, _tag.tag).where(_tag.document_id.in_(NUMBERS)).order_by(_tag.tag)
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
    .where(_reference.document_id.in_(NUMBERS))
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
        raise BadInput("library.takes_column", value=repr(sort))
    name = sort.removeprefix("-")
    for what, value in (("limit", limit), ("offset", offset)):
        if value is not None and not is_whole(value, 0):
            raise BadInput("library.takes_whole_number", name=what, value=repr(value))
    if search is not None and not isinstance(search, str):
        raise BadInput("library.takes_words", value=repr(search))
    if name not in SORT_FIELDS:
        raise BadInput("library.unsortable", name=name, names=tuple(SORT_FIELDS))
    filters, _ = resolve_names(connection, filters)
    conditions = match_words(connection, clean_text(search or "").casefold().split())
    query = apply_filters(select(*ENTRY_COLUMNS), filters).where(*conditions)
    column = schema.documents.c[name]
    order = column.desc().nulls_last() if sort.startswith("-") else column.asc().nulls_last()
    page = query.order_by(order, schema.documents.c.id).offset(offset)
    rows = connection.execute(page.limit(limit) if limit is not None else page).all()
    count_query = apply_filters(select(func.count()).select_from(schema.documents), filters).where(
        *conditions
    )
    total = int(connection.execute(count_query).scalar_one())
    return Listing(tuple(entries_of(connection, rows)), total)


def apply_filters(query: Select[Any], filters: Filters) -> Select[Any]:
    """A question about documents, for those that fit."""
    return query.where(*filters.conditions())


def read_entries(connection: Connection, numbers: Iterable[int]) -> list[Entry]:
    """Some documents, in the order asked for; those that are not there are left out."""
    distinct_numbers = list(dict.fromkeys(numbers))
    rows: list[Row[Any]] = []
    for part in split_numbers(distinct_numbers):
        rows += connection.execute(_THESE, {"numbers": part}).all()
    by_number = {entry.id: entry for entry in entries_of(connection, rows)}
    return [by_number[number] for number in distinct_numbers if number in by_number]


def entries_of(connection: Connection, rows: Sequence[Row[Any]]) -> list[Entry]:
    """Documents from rows that begin with `ENTRY_COLUMNS`, in that order."""
    tags: dict[int, list[str]] = {}
    again: dict[int, list[Reference]] = {}
    for part in split_numbers([row.id for row in rows if row.has_tags]):
        for number, word in connection.execute(_TAGS_OF_THESE, {"numbers": part}):
            tags.setdefault(number, []).append(word)
    for part in split_numbers([row.id for row in rows if row.is_again]):
        for number, name, owner, author, added_on, path in connection.execute(
            _REFERENCES_TO_THESE, {"numbers": part}
        ):
            reference = Reference(name, owner, author, added_on.replace(tzinfo=UTC), path)
            again.setdefault(number, []).append(reference)
    entries = []
    for row in rows:
        values = dict(zip(_NAMES, row, strict=False))
        values["added_on"] = row.added_on.replace(tzinfo=UTC)
        entries.append(
            Entry(**values, tags=tuple(tags.get(row.id, ())), again=tuple(again.get(row.id, ())))
        )
    return entries


def read_document(connection: Connection, number: int, name: str | None = None) -> Document:
    """A document as it was read."""
    document, text = schema.documents.c, schema.texts.c
    row = connection.execute(
        select(document.name, document.sha256, document.is_file, text.packed)
        .join_from(schema.documents, schema.texts, text.document_id == document.id)
        .where(document.id == number)
    ).first()
    if row is None:
        raise LibraryError("library.no_document", n=number)
    unpacked = unpack_document(row.packed, name or row.name)
    return replace(unpacked, sha256=bytes(row.sha256).hex()) if row.is_file else unpacked


def read_original(connection: Connection, number: int) -> bytes | None:
    """The file itself, if it was to be kept."""
    column = schema.originals.c
    packed = connection.execute(select(column.packed).where(column.document_id == number)).scalar()
    return None if packed is None else unpack_original(file_of(packed), number)


def holds_bytes(connection: Connection, collection: str, sha256: bytes) -> bool:
    """Whether a collection has a document of these bytes."""
    document = schema.documents.c
    query = select(document.id).where(document.sha256 == sha256, document.collection == collection)
    return connection.execute(query).first() is not None


# What is known about a document whoever hands it in.
_OF_ALL = ("type", "organisation", "advisor", "year", "month")
_PEOPLE = ("name", "owner", "author", "advisor", "organisation")


def correct_metadata(
    connection: Connection, numbers: Sequence[int], values: Mapping[str, Any]
) -> int:
    """Set what is given, of all these documents; how many they are."""
    metadata = metadata_from(values)
    if not values:
        raise BadInput("library.nothing_to_correct", fields=FIELDS)
    if "name" in values and metadata.name is None:
        raise BadInput("library.never_without_name")
    if "added_on" in values and metadata.added_on is None:
        raise BadInput("library.never_without_date")
    entries = {entry.id: entry for entry in read_entries(connection, numbers)}
    for number in numbers:
        if number not in entries:
            raise BadInput("library.no_document_unchanged", n=number)
    changed = {name: getattr(metadata, name) for name in values if name != "tags"}
    # What is searched for is told of each document by what it is called: where nothing of that
    # changes, all are changed at once.
    searched = [
        {
            "of_id": entry.id,
            "searched": search_text(changed.get(name, getattr(entry, name)) for name in _PEOPLE),
        }
        for entry in (entries.values() if changed.keys() & set(_PEOPLE) else ())
    ]
    if searched:
        one = update(schema.documents).where(schema.documents.c.id == bindparam("of_id"))
        connection.execute(one, searched)
    for part in split_numbers(list(entries)):
        if changed:
            these = update(schema.documents).where(schema.documents.c.id.in_(part))
            connection.execute(these.values(changed))
        if "tags" in values:
            connection.execute(delete(schema.tags).where(schema.tags.c.document_id.in_(part)))
            rows = [{"document_id": id, "tag": tag} for id in part for tag in metadata.tags]
            if rows:
                connection.execute(insert(schema.tags), rows)
    return len(entries)


def fill_metadata(
    connection: Connection, submissions: Sequence[tuple[int, Metadata, bool]]
) -> frozenset[int]:
    """Fill in what was not known about documents; which of them have learnt something.

    Each time the document, what is told of it, and whether by those who handed it in first: of
    others nobody takes an author.
    """
    filled: set[int] = set()
    by_number: dict[int, list[tuple[Metadata, bool]]] = {}
    for number, metadata, is_first in submissions:
        by_number.setdefault(number, []).append((metadata, is_first))
    for part in split_numbers(sorted(by_number)):
        for entry in read_entries(connection, part):
            changed: dict[str, Any] = {}
            tags: set[str] = set()
            for metadata, is_first in by_number[entry.id]:
                for name in (*_OF_ALL, "author") if is_first else _OF_ALL:
                    value = getattr(metadata, name)
                    if value is not None and getattr(entry, name) is None:
                        changed.setdefault(name, value)
                tags |= set(metadata.tags) - set(entry.tags)
            if changed:
                people = [changed.get(name, getattr(entry, name)) for name in _PEOPLE]
                _update(connection, entry.id, changed | {"searched": search_text(people)})
            _add_tags(connection, entry.id, sorted(tags))
            if changed or tags:
                filled.add(entry.id)
    return frozenset(filled)


def without_original(connection: Connection, numbers: Sequence[int]) -> set[int]:
    """Those of some documents whose file was not kept."""
    column = schema.originals.c.document_id
    missing = set(numbers)
    for part in split_numbers(sorted(missing)):
        missing -= set(connection.execute(select(column).where(column.in_(part))).scalars())
    return missing


def _update(connection: Connection, number: int, values: dict[str, Any]) -> None:
    connection.execute(
        update(schema.documents).where(schema.documents.c.id == number).values(values)
    )


def _add_tags(connection: Connection, number: int, tags: Sequence[str]) -> None:
    if tags:
        rows = [{"document_id": number, "tag": tag} for tag in tags]
        connection.execute(insert(schema.tags), rows)
