"""Questions about single documents: a file itself, those called by words, how alike they are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from sqlalchemy import exists, select

from likewise.errors import BadInput
from likewise.language import Lexicon
from likewise.library import schema
from likewise.library.candidates import Candidate, Candidates
from likewise.library.entries import read_document
from likewise.library.errors import LibraryError
from likewise.library.library import Library
from likewise.measure import measure_pair, profile_of
from likewise.model import Check, Document, Match, Message, Note


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


def note_own_file(check: Check, own: tuple[int, ...]) -> Check:
    """The check, with a word that the file is in the library, if it is."""
    if not own:
        return check
    note = Note("itself", Message("library.in_library_itself", {"n": own[0]}))
    return replace(check, notes=((check.name, note), *check.notes))


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


def measure_candidates(
    library: Library, document: Document, candidates: Candidates
) -> Iterator[tuple[Candidate, Match | None]]:
    """Each candidate of a document with all measures of the two; None if it was removed since."""
    settings = library.settings
    lexicon = Lexicon(settings)
    own = profile_of(document.compared_text, settings, lexicon)
    for candidate in candidates.ranked:
        with library.store.reading() as connection:
            try:
                other = read_document(connection, candidate.id)
            except LibraryError:
                yield candidate, None
                continue
        profile = profile_of(other.compared_text, settings, lexicon)
        yield candidate, measure_pair(document, other, own, profile, settings)
