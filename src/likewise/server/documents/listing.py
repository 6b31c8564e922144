"""Pages of documents, as a caller may see them: in order, and counted once for every change."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import ColumnElement, Connection, func, select, union_all

from likewise.library import Entry, Filters, schema
from likewise.library.entries import apply_filters, read_entries
from likewise.library.filters import as_tuple, match_words, split_numbers
from likewise.server.caller import Caller
from likewise.server.context import ServerContext, answers_of
from likewise.server.documents.shapes import (
    DocumentShape,
    DocumentsRequest,
)
from likewise.server.permissions import Permissions, permissions_of, public_id

_document = schema.documents.c


def list_documents(
    context: ServerContext, caller: Caller, request: DocumentsRequest
) -> tuple[list[DocumentShape], int]:
    """One page of what fits, and how much fits."""
    with context.store.reading() as connection:
        permissions = permissions_of(connection, caller)
        filters = request.filters(permissions.chosen(request.collection))
        search = " ".join(request.search.casefold().split())
        documents = FilteredDocuments(context, connection, filters, search)
        numbers = _page(connection, documents, request.sort, request.limit, request.offset)
        entries = read_entries(connection, numbers)
        if len(numbers) < request.limit and (numbers or not request.offset):
            total = request.offset + len(numbers)  # this is the last page
        else:
            total = documents.total()
        return shapes_of(connection, permissions, entries), total


class FilteredDocuments:
    """How many documents fit, counted once for every change of the library."""

    def __init__(
        self, context: ServerContext, connection: Connection, filters: Filters, search: str
    ) -> None:
        self._context, self._connection = context, connection
        self.filters, self.search = filters, search

    def match_words(self) -> list[ColumnElement[bool]]:
        return match_words(self._connection, self.search.split())

    def total(self, condition: ColumnElement[bool] | None = None, about: str = "") -> int:
        context, connection = self._context, self._connection
        collections = as_tuple(self.filters.collection or ())
        if (
            condition is None
            and not self.search
            and self.filters == Filters(collection=collections)
        ):
            counts = counts_by_collection(context, connection)
            return sum(counts.get(collection, 0) for collection in collections)

        def count() -> int:
            query = select_matching(select(func.count()).select_from(schema.documents), self)
            query = query if condition is None else query.where(condition)
            return int(connection.execute(query).scalar_one())

        changes = context.store.state(connection).changes
        return answers_of(context).of(("total", self.filters, self.search, about), changes, count)


def select_matching(query: Any, documents: FilteredDocuments) -> Any:
    """A question about documents, for those that fit."""
    filters, tags = documents.filters, schema.tags.c
    query = apply_filters(query, replace(filters, tag=None)).where(*documents.match_words())
    for tag in as_tuple(filters.tag or ()):
        # From the few that have it, rather than by a look at every document.
        query = query.where(_document.id.in_(select(tags.document_id).where(tags.tag == tag)))
    return query


def _page(
    connection: Connection, documents: FilteredDocuments, sort: str, limit: int, offset: int
) -> list[int]:
    """Numbers of documents in order; those that do not have what they are sorted by come last."""
    column, is_back = _document[sort.removeprefix("-")], sort.startswith("-")
    number = _document.id.desc() if is_back else _document.id
    query = select_matching(select(_document.id), documents)
    ordered = query.order_by(column.desc() if is_back else column, number)
    if sort.removeprefix("-") == "id":
        ordered = query.order_by(number)
    if not column.nullable:
        return list(connection.execute(ordered.limit(limit).offset(offset)).scalars())
    with_value = ordered.where(column.is_not(None))
    ids = list(connection.execute(with_value.limit(limit).offset(offset)).scalars())
    if len(ids) < limit:
        skipped = 0
        if not ids and offset:
            skipped = max(0, offset - documents.total(column.is_not(None), column.name))
        rest = query.where(column.is_(None)).order_by(number)
        ids += connection.execute(rest.limit(limit - len(ids)).offset(skipped)).scalars()
    return ids


def counts_by_collection(context: ServerContext, connection: Connection) -> dict[str, int]:
    """How many documents every collection holds."""

    def count_all() -> dict[str, int]:
        query = select(_document.collection, func.count()).group_by(_document.collection)
        return {str(name): int(count) for name, count in connection.execute(query)}

    changes = context.store.state(connection).changes
    return answers_of(context).of("counts by collection", changes, count_all)


def shapes_of(
    connection: Connection, permissions: Permissions, entries: Sequence[Entry]
) -> list[DocumentShape]:
    """Entries as they are sent, with nothing of what the caller may not read."""
    first = first_of_text(connection, permissions, entries)
    return [DocumentShape(**document_fields(entry, permissions, first)) for entry in entries]


def document_fields(
    entry: Entry, permissions: Permissions, first: dict[int, int]
) -> dict[str, Any]:
    names = set(DocumentShape.model_fields) & set(Entry.__slots__)
    fields = {name: getattr(entry, name) for name in names}
    before = first.get(entry.id if entry.copy_of is None else entry.copy_of)
    return fields | {
        "collection": public_id(entry.collection),
        "tags": list(entry.tags),
        "copy_of": before if before is not None and before < entry.id else None,
        "handed_in": 1 + len(entry.again),
        "may_change": permissions.may_change(entry),
    }


def first_of_text(
    connection: Connection, permissions: Permissions, entries: Iterable[Entry]
) -> dict[int, int]:
    """Of every text of entries, the first document that the caller may read.

    The one that all others are noted as copies of may be a document which is not the caller's to
    know of, so what is told does not depend on which it is.
    """
    roots = sorted({entry.id if entry.copy_of is None else entry.copy_of for entry in entries})
    first: dict[int, int] = {}
    for part in split_numbers(roots):
        here = _document.collection.in_(permissions.readable)
        own = select(_document.id, _document.id).where(_document.id.in_(part), here)
        copies = (
            select(_document.copy_of, func.min(_document.id))
            .where(_document.copy_of.in_(part), here)
            .group_by(_document.copy_of)
        )
        for root, number in connection.execute(union_all(own, copies)):
            first[root] = min(number, first.get(root, number))
    return first
