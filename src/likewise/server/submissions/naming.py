"""What documents of an assignment are called, and whose they are.

A name tells reports the student, as the names of platforms do, and namesakes apart. While an
assignment is blind, and in its reports for ever, it is a number.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from sqlalchemy import Connection, Row, select

from likewise.library import schema
from likewise.library.metadata import shorten_name
from likewise.server.assignments.rules import Assignment

_AT_ONCE = 500  # hashes in one question


def document_name(assignment: Assignment, row: Row[Any]) -> str:
    """The name of a document that is to be checked."""
    if assignment.row.is_blind:
        ending = PurePosixPath(row.name).suffix
        return f"{row.number}{ending if ending[1:].isalnum() else ''}"
    return f"{row.student}_{row.number}_assignsubmission_file_/{row.name}"


def document_names(
    assignment: Assignment, rows: Sequence[Row[Any]], of_checks: Mapping[str, str]
) -> dict[str, str]:
    """A name for each submission by its id: that of its check, else one that no other has."""
    names = {
        row.id: of_checks[row.check_id]
        for row in rows
        if row.check_id is not None and row.check_id in of_checks
    }
    taken = set(names.values())
    for row in rows:
        if row.id in names:
            continue
        name = wanted = document_name(assignment, row)
        number = 1
        while name in taken:
            number += 1
            name = _numbered(wanted, number)
        taken.add(name)
        names[row.id] = name
    return names


def _numbered(name: str, number: int) -> str:
    """The name with a number before its ending.

    >>> _numbered("7.docx", 2)
    '7 (2).docx'
    """
    path = PurePosixPath(name)
    return f"{name[: len(name) - len(path.suffix)]} ({number}){path.suffix}"


def owners_of(rows: Sequence[Row[Any]], names: Mapping[str, str]) -> dict[str, frozenset[str]]:
    """The student and the groups of each document, by its name."""
    owners: dict[str, frozenset[str]] = {}
    for row in rows:
        name = names[row.id]
        owners[name] = owners.get(name, frozenset()) | _owners(row)
    return owners


def _owners(row: Row[Any]) -> frozenset[str]:
    group = " ".join((row.group_name or "").casefold().split())
    return frozenset({f"student {row.number}"} | ({f"group {group}"} if group else set()))


def kept_ids(
    connection: Connection, kept_by: str, rows: Sequence[Row[Any]], names: Mapping[str, str]
) -> dict[str, list[int]]:
    """Documents of the library that are attempts of the same people, by the names of submissions.

    The same bytes that anybody else has added, or somebody under another name, are a source.
    """
    owners = owners_of(rows, names)
    owners_of_file: dict[tuple[bytes, str], frozenset[str]] = {}
    for row in rows:
        key = (bytes(row.sha256), shorten_name(names[row.id]))
        owners_of_file[key] = owners_of_file.get(key, frozenset()) | owners[names[row.id]]
    owners_of_entry: dict[int, frozenset[str]] = {}
    for id, sha256, name, owner in _entries(connection, sorted({one for one, _ in owners_of_file})):
        own = owners_of_file.get((sha256, name), frozenset()) if owner == kept_by else frozenset()
        owners_of_entry[id] = owners_of_entry.get(id, own) & own
    return {
        name: sorted(id for id, others in owners_of_entry.items() if not own.isdisjoint(others))
        for name, own in owners.items()
    }


def _entries(
    connection: Connection, hashes: Sequence[bytes]
) -> list[tuple[int, bytes, str, str | None]]:
    """All who have added some bytes to the library: number, hash, name, owner."""
    document, reference = schema.documents.c, schema.document_references.c
    found: list[tuple[int, bytes, str, str | None]] = []
    for start in range(0, len(hashes), _AT_ONCE):
        part = hashes[start : start + _AT_ONCE]
        first = select(document.id, document.sha256, document.name, document.owner).where(
            document.sha256.in_(part)
        )
        again = (
            select(document.id, document.sha256, reference.name, reference.owner)
            .join_from(
                schema.document_references, schema.documents, reference.document_id == document.id
            )
            .where(document.sha256.in_(part))
        )
        for query in (first, again):
            for id, sha256, name, owner in connection.execute(query):
                found.append((id, bytes(sha256), name or "", owner))
    return found
