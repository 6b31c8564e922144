"""Documents out of the library, and what they leave to those with the same text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import Connection, delete, insert, select, update

from likewise.library import schema
from likewise.library.entries import Entry, Reference, list_entries
from likewise.library.filters import Filters, as_tuple, split_numbers
from likewise.library.metadata import search_text
from likewise.library.originals import note_orphans_of
from likewise.library.sketch_rows import hand_over_sketches, take_out_sketches
from likewise.reading.cache import purge_files


@dataclass(frozen=True, slots=True)
class RemoveResult:
    """How many documents are gone, and how many stay that somebody no longer handed in."""

    documents: int = 0
    references: int = 0


def remaining_references(entry: Entry, filters: Filters) -> tuple[Reference, ...]:
    """Who else handed a document in, when it is removed from those who are chosen.

    Filters by owner or author mean what these have handed in; all others mean the document.
    """
    first = Reference(entry.name, entry.owner, entry.author, entry.added_on, entry.path)
    people = (filters.owner, filters.author, filters.not_owner, filters.not_author)
    if all(person is None for person in people):
        return ()
    return tuple(one for one in (first, *entry.again) if not _is_of(one, filters))


def _is_of(one: Reference, filters: Filters) -> bool:
    for person, included, excluded in (
        (one.owner, filters.owner, filters.not_owner),
        (one.author, filters.author, filters.not_author),
    ):
        if included is not None and person not in as_tuple(included):
            return False
        if excluded is not None and person in as_tuple(excluded):
            return False
    return True


def remove_matching(
    connection: Connection, change: int, numbers: Sequence[int], filters: Filters
) -> RemoveResult:
    """Remove documents by number; with filters those of them that fit, or all that do."""
    if not filters:
        return RemoveResult(remove_documents(connection, change, numbers))
    matching = list_entries(connection, filters, None, "id", None, 0).entries
    entries = [entry for entry in matching if not numbers or entry.id in set(numbers)]
    return remove_entries(connection, change, entries, filters)


def remove_entries(
    connection: Connection, change: int, entries: Iterable[Entry], filters: Filters
) -> RemoveResult:
    """Remove documents from those who are chosen, and altogether where nobody else had them."""
    numbers, references = [], 0
    for entry in entries:
        remaining = remaining_references(entry, filters)
        if not remaining:
            numbers.append(entry.id)
        elif len(remaining) <= len(entry.again):
            hand_over_to(connection, entry, remaining)
            references += 1
    return RemoveResult(remove_documents(connection, change, numbers), references)


def hand_over_to(connection: Connection, entry: Entry, remaining: Sequence[Reference]) -> None:
    """The first who is left takes the document over."""
    heir, document, reference = remaining[0], schema.documents.c, schema.document_references.c
    people = (heir.name, heir.owner, heir.author, entry.advisor, entry.organisation)
    connection.execute(
        update(schema.documents)
        .where(document.id == entry.id)
        .values(**_row(heir), searched=search_text(people))
    )
    connection.execute(delete(schema.document_references).where(reference.document_id == entry.id))
    rows = [
        {"document_id": entry.id, "number": number, **_row(one)}
        for number, one in enumerate(remaining[1:], 2)
    ]
    if rows:
        connection.execute(insert(schema.document_references), rows)


def _row(one: Reference) -> dict[str, object]:
    return {
        "name": one.name,
        "owner": one.owner,
        "author": one.author,
        "added_on": one.added_on.replace(tzinfo=None),
        "path": one.path,
    }


def remove_documents(connection: Connection, change: int, numbers: Sequence[int]) -> int:
    """Take documents out, with everything about them; how many were there.

    Where the first document of a text goes and a copy stays, the copy takes over its fingerprints.
    """
    document, removed = schema.documents.c, 0
    for part in split_numbers(sorted(set(numbers))):
        rows = connection.execute(
            select(document.id, document.sha256).where(document.id.in_(part))
        ).all()
        there = [row.id for row in rows]
        for root in _with_copies(connection, there):
            _move_sketches(connection, change, root, set(there))
        if there:
            take_out_sketches(connection, there)
            # Copies that go together with their first document must not stand in its way.
            are_copies = document.id.in_(there) & document.copy_of.is_not(None)
            connection.execute(update(schema.documents).where(are_copies).values(copy_of=None))
            note_orphans_of(connection, there, timedelta())
            connection.execute(delete(schema.documents).where(document.id.in_(there)))
            connection.execute(
                insert(schema.removals),
                [{"document_id": number, "change": change} for number in there],
            )
            _purge_cache(connection, {bytes(row.sha256) for row in rows})
        removed += len(there)
    return removed


def _purge_cache(connection: Connection, hashes: set[bytes]) -> None:
    """What was read of files that no document is of any more need not be kept.

    Before the commit, because nobody misses a cache: where that fails, files are read again.
    """
    document = schema.documents.c
    query = select(document.sha256).where(document.sha256.in_(hashes))
    remaining_hashes = {bytes(one) for one in connection.execute(query).scalars()}
    with suppress(OSError):  # not ours to delete
        purge_files({one.hex() for one in hashes - remaining_hashes})


def _with_copies(connection: Connection, numbers: Sequence[int]) -> list[int]:
    document = schema.documents.c
    query = select(document.copy_of).where(document.copy_of.in_(numbers)).distinct()
    return [number for number in connection.execute(query).scalars() if number is not None]


def _move_sketches(
    connection: Connection, change: int, root: int, removed_numbers: set[int]
) -> None:
    """The eldest copy that stays becomes the first of its text."""
    document = schema.documents.c
    query = select(document.id).where(document.copy_of == root).order_by(document.id)
    copies = [n for n in connection.execute(query).scalars() if n not in removed_numbers]
    if not copies:
        return
    heir = copies[0]
    hand_over_sketches(connection, change, root, heir)
    connection.execute(update(schema.documents).where(document.id == heir).values(copy_of=None))
    connection.execute(
        update(schema.documents).where(document.copy_of == root).values(copy_of=heir)
    )
