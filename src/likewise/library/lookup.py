"""Questions about single documents: a file itself, those called by words."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from sqlalchemy import exists, select

from likewise.errors import BadInput
from likewise.library import schema
from likewise.library.library import Library
from likewise.model import Check, Document, Message, Note
from likewise.reading.submissions import submission_key


def find_own_file(library: Library, document: Document, path: Path) -> tuple[int, ...]:
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


def find_own_submission(library: Library, document: Document, owner: str) -> tuple[int, ...]:
    """The numbers under which `owner` added this very file of this very student before.

    Whoever checks a class once more, and keeps it, hands everything in again; the same bytes from
    another student, or another teacher, are a source.
    """
    key = submission_key(document.name)
    if document.sha256 is None or key is None:
        return ()
    entry, reference = schema.documents.c, schema.document_references.c
    these = entry.sha256 == bytes.fromhex(document.sha256)
    first = select(entry.id, entry.name, entry.owner).where(these)
    again = (
        select(entry.id, reference.name, reference.owner)
        .join_from(schema.document_references, schema.documents, reference.document_id == entry.id)
        .where(these)
    )
    with library._store.reading() as connection:
        rows = [row for query in (first, again) for row in connection.execute(query)]
    others = {row.id for row in rows if row.owner != owner or submission_key(row.name or "") != key}
    return tuple(sorted({row.id for row in rows} - others))


def note_own_file(check: Check, own: tuple[int, ...]) -> Check:
    """The check, with a word that the file is in the library, if it is."""
    if not own:
        return check
    return replace(check, notes=((check.name, own_file_note(own)), *check.notes))


def own_file_note(own: tuple[int, ...]) -> Note:
    """That the file itself is in the library."""
    return Note("itself", Message("library.in_library_itself", {"n": own[0]}))


def resolve_documents(library: Library, words: Iterable[str]) -> list[int]:
    """The numbers of documents that are called by number or by their whole name."""
    numbers: dict[int, None] = {}
    for word in words:
        kind, _, rest = word.partition(":")
        name = rest if kind == "name" and rest else word
        number = rest if kind == "id" and rest else word
        matching = library.list(search=name, limit=None).entries
        ids = [entry.id for entry in matching if entry.name == name]
        if number.isascii() and number.isdigit() and name == word:
            if (kind == "id" and rest) or not ids:
                ids = [library.entry(int(number)).id]
            elif ids != [int(number)] and _is_there(library, int(number)):
                raise BadInput("library.number_or_name", word=word)
        if not ids:
            raise BadInput("library.no_document_called", about=library.name, name=name)
        numbers.update(dict.fromkeys(ids))
    return list(numbers)


def _is_there(library: Library, number: int) -> bool:
    try:
        return library.entry(number).id == number
    except BadInput:
        return False
