"""Metadata of documents that the library holds already: corrected, or filled in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, delete, insert, select, update

from likewise.errors import BadInput
from likewise.library import schema
from likewise.library.entries import read_entries
from likewise.library.metadata import FIELDS, Metadata, metadata_from, searched
from likewise.library.numbers import parts_of

# What is known about a document whoever hands it in.
_OF_ALL = ("type", "organisation", "advisor", "year", "month")
_PEOPLE = ("name", "owner", "author", "advisor", "organisation")


def correct_metadata(
    connection: Connection, numbers: Sequence[int], values: Mapping[str, Any]
) -> int:
    """Set what is given, of all these documents; how many they are."""
    given = metadata_from(values)
    if not values:
        raise BadInput("library.nothing_to_correct", fields=FIELDS)
    if "name" in values and given.name is None:
        raise BadInput("library.never_without_name")
    if "added_on" in values and given.added_on is None:
        raise BadInput("library.never_without_date")
    entries = {entry.id: entry for entry in read_entries(connection, numbers)}
    for number in numbers:
        if number not in entries:
            raise BadInput("library.no_document_unchanged", n=number)
    for entry in entries.values():
        changed = {name: getattr(given, name) for name in values if name != "tags"}
        people = [changed.get(name, getattr(entry, name)) for name in _PEOPLE]
        _update(connection, entry.id, changed | {"searched": searched(people)})
        if "tags" in values:
            connection.execute(delete(schema.tags).where(schema.tags.c.document_id == entry.id))
            _tag(connection, entry.id, given.tags)
    return len(entries)


def fill_metadata(
    connection: Connection, told: Sequence[tuple[int, Metadata, bool]]
) -> frozenset[int]:
    """Fill in what was not known about documents; which of them have learnt something.

    Each time the document, what is told of it, and whether by those who handed it in first: of
    others nobody takes an author.
    """
    filled: set[int] = set()
    by_number: dict[int, list[tuple[Metadata, bool]]] = {}
    for number, metadata, is_first in told:
        by_number.setdefault(number, []).append((metadata, is_first))
    for part in parts_of(sorted(by_number)):
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
                _update(connection, entry.id, changed | {"searched": searched(people)})
            _tag(connection, entry.id, sorted(tags))
            if changed or tags:
                filled.add(entry.id)
    return frozenset(filled)


def without_original(connection: Connection, numbers: Sequence[int]) -> set[int]:
    """Those of some documents whose file was not kept."""
    kept = schema.originals.c.document_id
    missing = set(numbers)
    for part in parts_of(sorted(missing)):
        missing -= set(connection.execute(select(kept).where(kept.in_(part))).scalars())
    return missing


def _update(connection: Connection, number: int, values: dict[str, Any]) -> None:
    connection.execute(
        update(schema.documents).where(schema.documents.c.id == number).values(values)
    )


def _tag(connection: Connection, number: int, tags: Sequence[str]) -> None:
    if tags:
        rows = [{"document_id": number, "tag": tag} for tag in tags]
        connection.execute(insert(schema.tags), rows)
