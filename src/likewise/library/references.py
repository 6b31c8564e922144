"""Who else has handed in what the library holds."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, select

from likewise.library import schema
from likewise.library.ready import Ready


def new_references(
    connection: Connection, again: Sequence[tuple[int, Ready]], moment: datetime
) -> tuple[list[dict[str, Any]], list[bool]]:
    """The rows of those who are not known yet; nothing where exactly that is known.

    And of each that is handed in again, whether it is what was handed in first.
    """
    if not again:
        return [], []
    numbers = [number for number, _ in again]
    seen: dict[int, set[tuple[Any, ...]]] = {number: set() for number in numbers}
    first: dict[int, tuple[Any, ...]] = {}
    last = dict.fromkeys(numbers, 1)  # the document itself is the first
    document, reference = schema.documents.c, schema.document_references.c
    query = select(document.id, document.name, document.owner, document.path)
    for number, *what in connection.execute(query.where(document.id.in_(numbers))):
        first[number] = tuple(what)
        seen[number].add(tuple(what))
    others = select(
        reference.document_id,
        reference.number,
        reference.name,
        reference.owner,
        reference.path,
    ).where(reference.document_id.in_(numbers))
    for row in connection.execute(others):
        last[row.document_id] = max(last[row.document_id], row.number)
        seen[row.document_id].add((row.name, row.owner, row.path))
    rows: list[dict[str, Any]] = []
    is_first: list[bool] = []
    for number, one in again:
        key = one.name, one.metadata.owner, one.path
        is_first.append(key == first.get(number))
        if key not in seen[number]:
            last[number] += 1
            rows.append(
                {
                    "document_id": number,
                    "number": last[number],
                    "name": one.name,
                    "owner": one.metadata.owner,
                    "author": one.metadata.author,
                    "added_on": one.metadata.added_on or moment,
                    "path": one.path,
                }
            )
            seen[number].add(key)
    return rows, is_first
