"""Whether a checked file is in the library itself, and nobody else's there."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from sqlalchemy import exists, select

from likewise.library import schema
from likewise.library.library import Library
from likewise.model import Check, Document, Message, Note


def itself_in(library: Library, document: Document, path: Path) -> tuple[int, ...]:
    """The number under which this very file was added, if it was.

    The same bytes from another place are no less a source than any other document, and so are
    these where somebody has handed them in again.
    """
    if document.sha256 is None:
        return ()
    entry, reference = schema.documents.c, schema.document_references.c
    again = exists(select(1).where(reference.document_id == entry.id))
    query = select(entry.id).where(
        entry.sha256 == bytes.fromhex(document.sha256),
        entry.path == path.absolute().as_posix(),
        ~again,
    )
    with library._store.reading() as connection:
        return tuple(connection.execute(query).scalars())


def told_of_itself(check: Check, own: tuple[int, ...]) -> Check:
    """The check, with a word that the file is in the library, if it is."""
    if not own:
        return check
    note = Note("itself", Message("library.in_library_itself", {"n": own[0]}))
    return replace(check, notes=((check.name, note), *check.notes))
