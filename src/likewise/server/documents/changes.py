"""Documents corrected and removed by those who may."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import Connection, select

from likewise.errors import BadInput
from likewise.library import Entry, Filters, schema
from likewise.library.entries import correct_metadata, read_entries
from likewise.library.numbers import split_numbers
from likewise.library.remove import RemoveResult, remove_documents, remove_entries
from likewise.server.caller import Caller
from likewise.server.context import ServerContext
from likewise.server.documents.listing import Counting, fitting
from likewise.server.documents.service import readable_entries
from likewise.server.documents.shapes import (
    DocumentFilters,
)
from likewise.server.people.audit import record_act
from likewise.server.permissions import Permissions, permissions_of
from likewise.server.problems import Problem

_document = schema.documents.c
_MOST_NOTED = 50  # numbers in a line of the audit


def change_metadata(
    site: ServerContext, caller: Caller, numbers: Sequence[int], values: dict[str, Any]
) -> int:
    """Correct what is known about documents; how many they are."""
    if not values:
        raise Problem("bad request", "server.nothing_to_correct")
    wanted = list(dict.fromkeys(numbers))
    with site.store.reading() as connection:  # else whoever may nothing would hold up those who add
        _changeable(connection, caller, wanted)
    with site.store.writing() as (connection, _change):
        _changeable(connection, caller, wanted)
        count = correct_metadata(connection, wanted, values)
        record_act(
            connection,
            caller,
            "documents corrected",
            _noted(wanted),
            documents=count,
            fields=sorted(values),
        )
        return count


def _changeable(connection: Connection, caller: Caller, numbers: Sequence[int]) -> None:
    standing = permissions_of(connection, caller)
    for entry in readable_entries(connection, standing, numbers):
        if not standing.may_change(entry):
            raise Problem("not allowed", "server.owner_changes_document")


def remove_by_numbers(site: ServerContext, caller: Caller, numbers: Sequence[int]) -> RemoveResult:
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
) -> tuple[Permissions, list[Entry]]:
    standing = permissions_of(connection, caller)
    entries = readable_entries(connection, standing, numbers)
    if not all(map(standing.may_remove, entries)):
        raise Problem("not allowed", "server.owner_removes_document")
    return standing, entries


def _remove(
    connection: Connection, change: int, standing: Permissions, entries: Iterable[Entry]
) -> RemoveResult:
    """Whole documents where the caller decides about all, else the caller's part in them."""
    ruled: list[Entry] = []
    others: list[Entry] = []
    for entry in entries:
        (ruled if standing.rules(entry.collection) else others).append(entry)
    mine = remove_entries(connection, change, others, Filters(owner=standing.caller.name))
    whole = remove_documents(connection, change, [entry.id for entry in ruled])
    return RemoveResult(whole + mine.documents, mine.references)


def remove_fitting(
    site: ServerContext, caller: Caller, asked: DocumentFilters, search: str = ""
) -> RemoveResult:
    """Take out all that fits; of teachers what they have handed in themselves."""
    words = " ".join(search.casefold().split())
    # An empty list says no more than none: documents have all of no tags.
    if not words and all(value in (None, []) for value in asked.model_dump().values()):
        raise BadInput("server.which_documents")
    if not caller.is_administrator:
        if asked.owner is not None and asked.owner != [caller.name]:
            raise Problem("not allowed", "server.documents_of_others")
        asked = asked.model_copy(update={"owner": [caller.name]})
    with site.store.reading() as connection:
        permissions_of(connection, caller).chosen(asked.collection)
    with site.store.writing() as (connection, change):
        standing = permissions_of(connection, caller)
        filters = asked.filters(standing.chosen(asked.collection))
        counting = Counting(site, connection, filters, words)
        numbers = list(connection.execute(fitting(select(_document.id), counting)).scalars())
        removed = RemoveResult()
        for part in split_numbers(sorted(numbers)):
            some = remove_entries(connection, change, read_entries(connection, part), filters)
            removed = RemoveResult(
                removed.documents + some.documents, removed.references + some.references
            )
        _note_removal(connection, caller, removed, numbers)
        return removed


def _note_removal(
    connection: Connection, caller: Caller, removed: RemoveResult, numbers: Sequence[int]
) -> None:
    record_act(
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
