"""Which values the documents have that a caller may read, and how the library grew."""

from __future__ import annotations

from sqlalchemy import Connection, func, select

from likewise.library import schema
from likewise.server.caller import Caller
from likewise.server.context import ServerContext, answers_of
from likewise.server.documents.shapes import Facet, Facets, Growth, MonthShape
from likewise.server.permissions import permissions_of

_MOST_VALUES = 500
_COLUMNS = ("type", "language", "organisation", "year")


def facets(context: ServerContext, caller: Caller) -> Facets:
    """The values in use, with how many documents have each."""
    with context.store.reading() as connection:
        readable = permissions_of(connection, caller).readable
        return answers_of(context).of(
            ("facets", readable),
            context.store.state(connection).changes,
            lambda: _facets(connection, readable),
            exact=False,
        )


def _facets(connection: Connection, readable: tuple[str, ...]) -> Facets:
    document, tags = schema.documents.c, schema.tags.c
    here, count = document.collection.in_(readable), func.count().label("documents")
    facets: dict[str, list[Facet]] = {}
    for name in _COLUMNS:
        column = document[name]
        query = select(column, count).where(here).group_by(column)
        rows = connection.execute(query.order_by(count.desc(), column).limit(_MOST_VALUES))
        facets[name] = [Facet(value=value, documents=number) for value, number in rows]
    tag_counts = (
        select(tags.tag, count)
        .join_from(schema.tags, schema.documents, tags.document_id == document.id)
        .where(here)
        .group_by(tags.tag)
        .order_by(count.desc(), tags.tag)
        .limit(_MOST_VALUES)
    )
    facets["tag"] = [Facet(value=tag, documents=n) for tag, n in connection.execute(tag_counts)]
    return Facets(**facets)


def growth(context: ServerContext, caller: Caller) -> Growth:
    """How many documents were added in each month, and how many there were then."""
    with context.store.reading() as connection:
        readable = permissions_of(connection, caller).readable
        return answers_of(context).of(
            ("growth", readable),
            context.store.state(connection).changes,
            lambda: _growth(connection, readable),
            exact=False,
        )


def _growth(connection: Connection, readable: tuple[str, ...]) -> Growth:
    document = schema.documents.c
    if connection.dialect.name == "postgresql":
        month = func.to_char(document.added_on, "YYYY-MM")
    else:
        month = func.substr(document.added_on, 1, 7)  # it stands there as 2026-11-15 …
    added_in = month.label("added_in")
    query = select(added_in, func.count()).where(document.collection.in_(readable))
    months, total = [], 0
    for name, number in connection.execute(query.group_by(added_in).order_by(added_in)):
        total += number
        months.append(MonthShape(month=name, documents=number, total=total))
    return Growth(months=months)
