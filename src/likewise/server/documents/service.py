"""Documents as a caller may see and change them.

A document of a private collection of somebody else is not there: not in a list, not in a count, not
as the copy of another, and not in what is refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import Connection, select

from likewise.errors import BadInput
from likewise.library import Entry, Filters, schema
from likewise.library.entries import correct_metadata, read_document, read_entries
from likewise.library.filters import split_numbers
from likewise.library.originals import original_bytes
from likewise.library.remove import RemoveResult, remove_documents, remove_entries
from likewise.model import Document, Note
from likewise.server.caller import Caller
from likewise.server.context import ServerContext
from likewise.server.documents.listing import (
    FilteredDocuments,
    document_fields,
    first_of_text,
    select_matching,
)
from likewise.server.documents.shapes import (
    CopyShape,
    DocumentFilters,
    DocumentSelection,
    DocumentWhole,
    NoteShape,
    ReferenceShape,
    SpanShape,
)
from likewise.server.people import audit
from likewise.server.permissions import Permissions, permissions_of, public_id
from likewise.server.problems import Problem, ensure_expected, not_found, with_code

_document = schema.documents.c
_MOST_COPIES = 100
_MOST_SPANS = 100
_MOST_NOTED = 50  # numbers in a line of the audit


def readable_entries(
    connection: Connection, permissions: Permissions, numbers: Sequence[int]
) -> list[Entry]:
    """Documents that the caller may read; refuses as soon as one of them is not among these."""
    ids = list(dict.fromkeys(numbers))
    entries = read_entries(connection, ids)
    if len(entries) < len(ids) or any(
        one.collection not in permissions.readable for one in entries
    ):
        raise not_found("server.noun_document")
    return entries


def show_document(
    context: ServerContext, caller: Caller, number: int, *, is_opened: bool = True
) -> DocumentWhole:
    """Everything that is known about a document; who opens another's is noted."""
    original = schema.originals.c
    with context.store.reading() as connection:
        permissions = permissions_of(connection, caller)
        (entry,) = readable_entries(connection, permissions, [number])
        read = read_document(connection, number)
        size = connection.execute(
            select(original_bytes()).where(original.document_id == number)
        ).scalar()
        fields = document_fields(
            entry, permissions, first_of_text(connection, permissions, [entry])
        )
        copies = _copies(connection, permissions, entry)
    if is_opened:
        _note_reading(context, caller, entry, "document of another read")
    return DocumentWhole(
        **fields,
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
        may_remove=permissions.may_remove(entry),
    )


def _note(one: Note) -> NoteShape:
    return NoteShape(
        kind=one.kind,
        **with_code("message", one.message),
        is_trick=one.kind in Note.DISGUISES,
        is_partial=one.kind in Note.READ_IN_PART,
        spans=[SpanShape(start=span.start, end=span.end) for span in one.spans[:_MOST_SPANS]],
    )


def _copies(connection: Connection, permissions: Permissions, entry: Entry) -> list[CopyShape]:
    """The other documents with the same text, as far as the caller may read them."""
    root = entry.id if entry.copy_of is None else entry.copy_of
    query = (
        select(_document.id, _document.name, _document.owner, _document.collection)
        .where(
            (_document.id == root) | (_document.copy_of == root),
            _document.id != entry.id,
            _document.collection.in_(permissions.readable),
        )
        .order_by(_document.id)
        .limit(_MOST_COPIES)
    )
    return [
        CopyShape(id=id, name=name, owner=owner, collection=public_id(collection))
        for id, name, owner, collection in connection.execute(query)
    ]


def read_text(context: ServerContext, caller: Caller, number: int) -> tuple[Entry, Document]:
    """A document with its text."""
    with context.store.reading() as connection:
        (entry,) = readable_entries(connection, permissions_of(connection, caller), [number])
        read = read_document(connection, number)
    _note_reading(context, caller, entry, "document of another read")
    return entry, read


def read_original(context: ServerContext, caller: Caller, number: int) -> tuple[str, bytes]:
    """The name and the bytes of the file, if it was kept."""
    with context.store.reading() as connection:
        (entry,) = readable_entries(connection, permissions_of(connection, caller), [number])
    data = context.library.original(number)
    if data is None:
        raise Problem("not found", "server.no_original")
    _note_reading(context, caller, entry, "original of another read")
    return entry.name, data


def _note_reading(context: ServerContext, caller: Caller, entry: Entry, act: str) -> None:
    """Nobody's documents, and what the caller has handed in too, need no line."""
    owners = {entry.owner, *(one.owner for one in entry.again)}
    if entry.owner is not None and caller.name not in owners:
        audit.record_reading(context.store, caller, act, str(entry.id), entry.owner)


# Changing


def change_metadata(
    context: ServerContext, caller: Caller, numbers: Sequence[int], values: dict[str, Any]
) -> int:
    """Correct what is known about documents; how many they are."""
    if not values:
        raise Problem("bad request", "server.nothing_to_correct")
    ids = list(dict.fromkeys(numbers))
    with (
        context.store.reading() as connection
    ):  # else whoever may nothing would hold up those who add
        _changeable(connection, caller, ids)
    with context.store.writing() as (connection, _change):
        _changeable(connection, caller, ids)
        count = correct_metadata(connection, ids, values)
        audit.record_act(
            connection,
            caller,
            "documents corrected",
            _list_numbers(ids),
            documents=count,
            fields=sorted(values),
        )
        return count


def _changeable(connection: Connection, caller: Caller, numbers: Sequence[int]) -> None:
    permissions = permissions_of(connection, caller)
    for entry in readable_entries(connection, permissions, numbers):
        if not permissions.may_change(entry):
            raise Problem("not allowed", "server.owner_changes_document")


def remove_by_numbers(
    context: ServerContext, caller: Caller, numbers: Sequence[int]
) -> RemoveResult:
    """Take documents out; what others have handed in too stays with them."""
    ids = list(dict.fromkeys(numbers))
    with context.store.reading() as connection:
        _removable(connection, caller, ids)
    with context.store.writing() as (connection, change):
        permissions, entries = _removable(connection, caller, ids)
        removed = _remove(connection, change, permissions, entries)
        _note_removal(connection, caller, removed, ids)
        return removed


def _removable(
    connection: Connection, caller: Caller, numbers: Sequence[int]
) -> tuple[Permissions, list[Entry]]:
    permissions = permissions_of(connection, caller)
    entries = readable_entries(connection, permissions, numbers)
    if not all(map(permissions.may_remove, entries)):
        raise Problem("not allowed", "server.owner_removes_document")
    return permissions, entries


def _remove(
    connection: Connection, change: int, permissions: Permissions, entries: Iterable[Entry]
) -> RemoveResult:
    """Whole documents where the caller decides about all, else the caller's part in them."""
    ruled: list[Entry] = []
    others: list[Entry] = []
    for entry in entries:
        (ruled if permissions.rules(entry.collection) else others).append(entry)
    mine = remove_entries(connection, change, others, Filters(owner=permissions.caller.name))
    whole = remove_documents(connection, change, [entry.id for entry in ruled])
    return RemoveResult(whole + mine.documents, mine.references)


def change_matching(
    context: ServerContext, caller: Caller, selection: DocumentSelection, values: dict[str, Any]
) -> int:
    """Correct what is known about all that fits; of teachers what they have handed in."""
    if not values:
        raise Problem("bad request", "server.nothing_to_correct")
    with context.store.writing() as (connection, _change):
        ids = [
            entry.id
            for part in split_numbers(matching_numbers(context, connection, caller, selection))
            for entry in read_entries(connection, part)
            if caller.is_administrator or entry.owner == caller.name
        ]
        for part in split_numbers(ids):
            correct_metadata(connection, part, values)
        audit.record_act(
            connection,
            caller,
            "documents corrected",
            _list_numbers(ids),
            documents=len(ids),
            fields=sorted(values),
        )
        return len(ids)


def matching_numbers(
    context: ServerContext, connection: Connection, caller: Caller, selection: DocumentSelection
) -> list[int]:
    """Numbers of all documents that are meant and that the caller may read."""
    permissions = permissions_of(connection, caller)
    if selection.ids is not None:
        return [entry.id for entry in readable_entries(connection, permissions, selection.ids)]
    chosen = selection.filters or DocumentFilters()
    filters = chosen.filters(permissions.chosen(chosen.collection))
    words = " ".join(selection.search.casefold().split())
    documents = FilteredDocuments(context, connection, filters, words)
    found = set(connection.execute(select_matching(select(_document.id), documents)).scalars())
    ensure_expected(selection.expected, len(found))
    return sorted(found - set(selection.without))


def remove_matching(
    context: ServerContext,
    caller: Caller,
    filter_input: DocumentFilters,
    search: str = "",
    without: Sequence[int] = (),
    expected: int | None = None,
) -> RemoveResult:
    """Take out all that fits; of teachers what they have handed in themselves."""
    words = " ".join(search.casefold().split())
    # An empty list says no more than none: documents have all of no tags.
    if not words and all(value in (None, []) for value in filter_input.model_dump().values()):
        raise BadInput("server.which_documents")
    if not caller.is_administrator:
        if filter_input.owner is not None and filter_input.owner != [caller.name]:
            raise Problem("not allowed", "server.documents_of_others")
        filter_input = filter_input.model_copy(update={"owner": [caller.name]})
    with context.store.reading() as connection:
        permissions_of(connection, caller).chosen(filter_input.collection)
    with context.store.writing() as (connection, change):
        permissions = permissions_of(connection, caller)
        filters = filter_input.filters(permissions.chosen(filter_input.collection))
        documents = FilteredDocuments(context, connection, filters, words)
        found = set(connection.execute(select_matching(select(_document.id), documents)).scalars())
        ensure_expected(expected, len(found))
        numbers = sorted(found - set(without))
        removed = RemoveResult()
        for part in split_numbers(numbers):
            some = remove_entries(connection, change, read_entries(connection, part), filters)
            removed = RemoveResult(
                removed.documents + some.documents, removed.references + some.references
            )
        _note_removal(connection, caller, removed, numbers)
        return removed


def _note_removal(
    connection: Connection, caller: Caller, removed: RemoveResult, numbers: Sequence[int]
) -> None:
    audit.record_act(
        connection,
        caller,
        "documents removed",
        _list_numbers(numbers),
        documents=removed.documents,
        references=removed.references,
    )


def _list_numbers(numbers: Sequence[int]) -> str:
    listed = ", ".join(map(str, sorted(numbers)[:_MOST_NOTED]))
    return listed if len(numbers) <= _MOST_NOTED else f"{listed}, …"
