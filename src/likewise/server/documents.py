"""Documents as a caller may see and change them.

A document of a private collection of somebody else is not there: not in a list, not in a count, not
as the copy of another, and not in what is refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import ColumnElement, Connection, func, select, union_all

from likewise.errors import BadInput
from likewise.library import Entry, Filters, schema
from likewise.library.corrections import correct_metadata
from likewise.library.entries import matching, read_document, read_entries
from likewise.library.filters import several
from likewise.library.numbers import parts_of
from likewise.library.remove import Removed, remove_chosen, remove_documents
from likewise.library.searching import holding_words
from likewise.model import Document, Note
from likewise.server.access import Caller
from likewise.server.accounts.audit import note
from likewise.server.document_shapes import (
    CopyShape,
    DocumentFilters,
    DocumentsAsked,
    DocumentShape,
    DocumentWhole,
    NoteShape,
    ReferenceShape,
    SpanShape,
)
from likewise.server.problems import Problem, not_found
from likewise.server.remembered import remembered
from likewise.server.rights import public_id
from likewise.server.site import Site
from likewise.server.standing import Standing, standing_of

_document = schema.documents.c
_MOST_COPIES = 100
_MOST_SPANS = 100
_MOST_NOTED = 50  # numbers in a line of the audit


# Looking


def list_documents(
    site: Site, caller: Caller, asked: DocumentsAsked
) -> tuple[list[DocumentShape], int]:
    """One page of what fits, and how much fits."""
    with site.store.reading() as connection:
        standing = standing_of(connection, caller)
        filters = asked.filters(standing.chosen(asked.collection))
        search = " ".join(asked.search.casefold().split())
        counting = _Counting(site, connection, filters, search)
        numbers = _page(connection, counting, asked.sort, asked.limit, asked.offset)
        entries = read_entries(connection, numbers)
        if len(numbers) < asked.limit and (numbers or not asked.offset):
            total = asked.offset + len(numbers)  # this is the last page
        else:
            total = counting.total()
        return shapes_of(connection, standing, entries), total


class _Counting:
    """How many documents fit, counted once for every change of the library."""

    def __init__(self, site: Site, connection: Connection, filters: Filters, search: str) -> None:
        self._site, self._connection = site, connection
        self.filters, self.search = filters, search

    def holding_words(self) -> list[ColumnElement[bool]]:
        return holding_words(self._connection, self.search.split())

    def total(self, condition: ColumnElement[bool] | None = None, about: str = "") -> int:
        site, connection = self._site, self._connection
        collections = several(self.filters.collection or ())
        if (
            condition is None
            and not self.search
            and self.filters == Filters(collection=collections)
        ):
            counts = counts_by_collection(site, connection)
            return sum(counts.get(collection, 0) for collection in collections)

        def counted() -> int:
            query = fitting(select(func.count()).select_from(schema.documents), self)
            query = query if condition is None else query.where(condition)
            return int(connection.execute(query).scalar_one())

        changes = site.store.state(connection).changes
        return remembered(site).of(("total", self.filters, self.search, about), changes, counted)


def fitting(query: Any, asked: _Counting) -> Any:
    """A question about documents, for those that fit."""
    filters, tags = asked.filters, schema.tags.c
    query = matching(query, replace(filters, tag=None)).where(*asked.holding_words())
    for tag in several(filters.tag or ()):
        # From the few that have it, rather than by a look at every document.
        query = query.where(_document.id.in_(select(tags.document_id).where(tags.tag == tag)))
    return query


def _page(
    connection: Connection, asked: _Counting, sort: str, limit: int, offset: int
) -> list[int]:
    """Numbers of documents in order; those that do not have what they are sorted by come last."""
    column, is_back = _document[sort.removeprefix("-")], sort.startswith("-")
    number = _document.id.desc() if is_back else _document.id
    query = fitting(select(_document.id), asked)
    ordered = query.order_by(column.desc() if is_back else column, number)
    if sort.removeprefix("-") == "id":
        ordered = query.order_by(number)
    if not column.nullable:
        return list(connection.execute(ordered.limit(limit).offset(offset)).scalars())
    known = ordered.where(column.is_not(None))
    found = list(connection.execute(known.limit(limit).offset(offset)).scalars())
    if len(found) < limit:
        skipped = 0
        if not found and offset:
            skipped = max(0, offset - asked.total(column.is_not(None), column.name))
        rest = query.where(column.is_(None)).order_by(number)
        found += connection.execute(rest.limit(limit - len(found)).offset(skipped)).scalars()
    return found


def counts_by_collection(site: Site, connection: Connection) -> dict[str, int]:
    """How many documents every collection holds."""

    def counted() -> dict[str, int]:
        query = select(_document.collection, func.count()).group_by(_document.collection)
        return {str(name): int(count) for name, count in connection.execute(query)}

    changes = site.store.state(connection).changes
    return remembered(site).of("counts by collection", changes, counted)


def shapes_of(
    connection: Connection, standing: Standing, entries: Sequence[Entry]
) -> list[DocumentShape]:
    """Entries as they are sent, with nothing of what the caller may not read."""
    first = _first_of_text(connection, standing, entries)
    return [DocumentShape(**_told(entry, standing, first)) for entry in entries]


def _told(entry: Entry, standing: Standing, first: dict[int, int]) -> dict[str, Any]:
    names = set(DocumentShape.model_fields) & set(Entry.__slots__)
    told = {name: getattr(entry, name) for name in names}
    before = first.get(entry.copy_of) if entry.copy_of is not None else None
    return told | {
        "collection": public_id(entry.collection),
        "tags": list(entry.tags),
        "copy_of": before if before is not None and before < entry.id else None,
        "handed_in": 1 + len(entry.again),
        "may_change": standing.may_change(entry),
    }


def _first_of_text(
    connection: Connection, standing: Standing, entries: Iterable[Entry]
) -> dict[int, int]:
    """Of every text of which entries are copies, the first document that the caller may read."""
    roots = sorted({entry.copy_of for entry in entries if entry.copy_of is not None})
    found: dict[int, int] = {}
    for part in parts_of(roots):
        here = _document.collection.in_(standing.readable)
        own = select(_document.id, _document.id).where(_document.id.in_(part), here)
        copies = (
            select(_document.copy_of, func.min(_document.id))
            .where(_document.copy_of.in_(part), here)
            .group_by(_document.copy_of)
        )
        for root, number in connection.execute(union_all(own, copies)):
            found[root] = min(number, found.get(root, number))
    return found


def readable_entries(
    connection: Connection, standing: Standing, numbers: Sequence[int]
) -> list[Entry]:
    """Documents that the caller may read; refuses as soon as one of them is not among these."""
    wanted = list(dict.fromkeys(numbers))
    found = read_entries(connection, wanted)
    if len(found) < len(wanted) or any(one.collection not in standing.readable for one in found):
        raise not_found("document")
    return found


def show_document(site: Site, caller: Caller, number: int) -> DocumentWhole:
    """Everything that is known about a document."""
    original = schema.originals.c
    with site.store.reading() as connection:
        standing = standing_of(connection, caller)
        (entry,) = readable_entries(connection, standing, [number])
        read = read_document(connection, number)
        size = connection.execute(
            select(func.length(original.packed)).where(original.document_id == number)
        ).scalar()
        told = _told(entry, standing, _first_of_text(connection, standing, [entry]))
        copies = _copies(connection, standing, entry)
    return DocumentWhole(
        **told,
        pages=len(read.pages),
        tables=len(read.tables),
        pictures=len(read.pictures),
        left_out=sum(len(span) for span, _ in read.left_out),
        notes=[_note(one) for one in read.notes],
        tricks=sorted({one.kind for one in read.notes if one.kind in Note.DISGUISES}),
        has_original=size is not None,
        original_bytes=size,
        sha256=read.sha256,
        copies=copies,
        references=[ReferenceShape.model_validate(one) for one in entry.again],
        may_remove=standing.may_remove(entry),
    )


def _note(one: Note) -> NoteShape:
    return NoteShape(
        kind=one.kind,
        message=one.message,
        is_trick=one.kind in Note.DISGUISES,
        is_partial=one.kind in Note.READ_IN_PART,
        spans=[SpanShape(start=span.start, end=span.end) for span in one.spans[:_MOST_SPANS]],
    )


def _copies(connection: Connection, standing: Standing, entry: Entry) -> list[CopyShape]:
    """The other documents with the same text, as far as the caller may read them."""
    root = entry.id if entry.copy_of is None else entry.copy_of
    query = (
        select(_document.id, _document.name, _document.owner, _document.collection)
        .where(
            (_document.id == root) | (_document.copy_of == root),
            _document.id != entry.id,
            _document.collection.in_(standing.readable),
        )
        .order_by(_document.id)
        .limit(_MOST_COPIES)
    )
    return [
        CopyShape(id=id, name=name, owner=owner, collection=public_id(collection))
        for id, name, owner, collection in connection.execute(query)
    ]


def read_text(site: Site, caller: Caller, number: int) -> tuple[Entry, Document]:
    """A document with its text."""
    with site.store.reading() as connection:
        (entry,) = readable_entries(connection, standing_of(connection, caller), [number])
        return entry, read_document(connection, number)


def read_original(site: Site, caller: Caller, number: int) -> tuple[str, bytes]:
    """The name and the bytes of the file, if it was kept."""
    with site.store.reading() as connection:
        (entry,) = readable_entries(connection, standing_of(connection, caller), [number])
    data = site.library.original(number)
    if data is None:
        raise Problem("not found", "the file itself was not kept, or is gone")
    return entry.name, data


# Changing


def change_metadata(
    site: Site, caller: Caller, numbers: Sequence[int], values: dict[str, Any]
) -> int:
    """Correct what is known about documents; how many they are."""
    if not values:
        raise Problem("bad request", "say what is to be corrected")
    wanted = list(dict.fromkeys(numbers))
    with site.store.reading() as connection:  # else whoever may nothing would hold up those who add
        _changeable(connection, caller, wanted)
    with site.store.writing() as (connection, _change):
        _changeable(connection, caller, wanted)
        count = correct_metadata(connection, wanted, values)
        note(
            connection,
            caller,
            "documents corrected",
            _noted(wanted),
            documents=count,
            fields=sorted(values),
        )
        return count


def _changeable(connection: Connection, caller: Caller, numbers: Sequence[int]) -> None:
    standing = standing_of(connection, caller)
    for entry in readable_entries(connection, standing, numbers):
        if not standing.may_change(entry):
            raise Problem(
                "not allowed", "only whoever owns a document and administrators change it"
            )


def remove_by_numbers(site: Site, caller: Caller, numbers: Sequence[int]) -> Removed:
    """Take documents out; what others have handed in too stays with them."""
    wanted = list(dict.fromkeys(numbers))
    with site.store.reading() as connection:
        _removable(connection, caller, wanted)
    with site.store.writing() as (connection, change):
        standing, entries = _removable(connection, caller, wanted)
        removed = _remove(connection, change, standing, entries)
        _note_removal(connection, caller, removed, wanted)
        return removed


def _removable(
    connection: Connection, caller: Caller, numbers: Sequence[int]
) -> tuple[Standing, list[Entry]]:
    standing = standing_of(connection, caller)
    entries = readable_entries(connection, standing, numbers)
    if not all(map(standing.may_remove, entries)):
        raise Problem("not allowed", "only whoever owns a document and administrators remove it")
    return standing, entries


def _remove(
    connection: Connection, change: int, standing: Standing, entries: Iterable[Entry]
) -> Removed:
    """Whole documents where the caller decides about all, else the caller's part in them."""
    ruled: list[Entry] = []
    others: list[Entry] = []
    for entry in entries:
        (ruled if standing.rules(entry.collection) else others).append(entry)
    mine = remove_chosen(connection, change, others, Filters(owner=standing.caller.name))
    whole = remove_documents(connection, change, [entry.id for entry in ruled])
    return Removed(whole + mine.documents, mine.references)


def remove_fitting(site: Site, caller: Caller, asked: DocumentFilters, search: str = "") -> Removed:
    """Take out all that fits; of teachers what they have handed in themselves."""
    words = " ".join(search.casefold().split())
    if not words and not asked.model_dump(exclude_none=True):
        raise BadInput("say which documents are to be removed: numbers, or what they have")
    if not caller.is_administrator:
        if asked.owner is not None and asked.owner != [caller.name]:
            raise Problem("not allowed", "only administrators remove what others handed in")
        asked = asked.model_copy(update={"owner": [caller.name]})
    with site.store.reading() as connection:
        standing_of(connection, caller).chosen(asked.collection)
    with site.store.writing() as (connection, change):
        standing = standing_of(connection, caller)
        filters = asked.filters(standing.chosen(asked.collection))
        counting = _Counting(site, connection, filters, words)
        numbers = list(connection.execute(fitting(select(_document.id), counting)).scalars())
        removed = Removed()
        for part in parts_of(sorted(numbers)):
            some = remove_chosen(connection, change, read_entries(connection, part), filters)
            removed = Removed(
                removed.documents + some.documents, removed.references + some.references
            )
        _note_removal(connection, caller, removed, numbers)
        return removed


def _note_removal(
    connection: Connection, caller: Caller, removed: Removed, numbers: Sequence[int]
) -> None:
    note(
        connection,
        caller,
        "documents removed",
        _noted(numbers),
        documents=removed.documents,
        references=removed.references,
    )


def _noted(numbers: Sequence[int]) -> str:
    shown = ", ".join(map(str, sorted(numbers)[:_MOST_NOTED]))
    return shown if len(numbers) <= _MOST_NOTED else f"{shown}, …"
