"""Documents as a caller may see and change them.

A document of a private collection of somebody else is not there: not in a list, not in a count, not
as the copy of another, and not in what is refused.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection, func, select

from likewise.library import Entry, schema
from likewise.library.entries import read_document, read_entries
from likewise.model import Document, Note
from likewise.server.caller import Caller
from likewise.server.context import ServerContext
from likewise.server.documents.listing import first_of_text, told_of
from likewise.server.documents.shapes import (
    CopyShape,
    DocumentWhole,
    NoteShape,
    ReferenceShape,
    SpanShape,
)
from likewise.server.people import audit
from likewise.server.permissions import Permissions, permissions_of, public_id
from likewise.server.problems import Problem, not_found, with_code

_document = schema.documents.c
_MOST_COPIES = 100
_MOST_SPANS = 100
_MOST_NOTED = 50  # numbers in a line of the audit


def readable_entries(
    connection: Connection, standing: Permissions, numbers: Sequence[int]
) -> list[Entry]:
    """Documents that the caller may read; refuses as soon as one of them is not among these."""
    wanted = list(dict.fromkeys(numbers))
    found = read_entries(connection, wanted)
    if len(found) < len(wanted) or any(one.collection not in standing.readable for one in found):
        raise not_found("server.noun_document")
    return found


def show_document(
    site: ServerContext, caller: Caller, number: int, *, is_opened: bool = True
) -> DocumentWhole:
    """Everything that is known about a document; who opens another's is noted."""
    original = schema.originals.c
    with site.store.reading() as connection:
        standing = permissions_of(connection, caller)
        (entry,) = readable_entries(connection, standing, [number])
        read = read_document(connection, number)
        size = connection.execute(
            select(func.length(original.packed)).where(original.document_id == number)
        ).scalar()
        told = told_of(entry, standing, first_of_text(connection, standing, [entry]))
        copies = _copies(connection, standing, entry)
    if is_opened:
        _note_reading(site, caller, entry, "document of another read")
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
        **with_code("message", one.message),
        is_trick=one.kind in Note.DISGUISES,
        is_partial=one.kind in Note.READ_IN_PART,
        spans=[SpanShape(start=span.start, end=span.end) for span in one.spans[:_MOST_SPANS]],
    )


def _copies(connection: Connection, standing: Permissions, entry: Entry) -> list[CopyShape]:
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


def read_text(site: ServerContext, caller: Caller, number: int) -> tuple[Entry, Document]:
    """A document with its text."""
    with site.store.reading() as connection:
        (entry,) = readable_entries(connection, permissions_of(connection, caller), [number])
        read = read_document(connection, number)
    _note_reading(site, caller, entry, "document of another read")
    return entry, read


def read_original(site: ServerContext, caller: Caller, number: int) -> tuple[str, bytes]:
    """The name and the bytes of the file, if it was kept."""
    with site.store.reading() as connection:
        (entry,) = readable_entries(connection, permissions_of(connection, caller), [number])
    data = site.library.original(number)
    if data is None:
        raise Problem("not found", "server.no_original")
    _note_reading(site, caller, entry, "original of another read")
    return entry.name, data


def _note_reading(site: ServerContext, caller: Caller, entry: Entry, act: str) -> None:
    """Nobody's documents, and what the caller has handed in too, need no line."""
    owners = {entry.owner, *(one.owner for one in entry.again)}
    if entry.owner is not None and caller.name not in owners:
        audit.record_reading(site.store, caller, act, str(entry.id), entry.owner)
