"""The types that documents have, in the order in which people are offered them."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path, Query
from sqlalchemy import Column, Connection, delete, func, insert, select, update

from likewise.library import schema
from likewise.server.caller import Caller
from likewise.server.context import ServerContext, answers_of
from likewise.server.database import tables
from likewise.server.documents.shapes import ChangeCount
from likewise.server.people.access import Administrator, ContextDep, DocumentsRead
from likewise.server.people.audit import record_act
from likewise.server.permissions import permissions_of
from likewise.server.problems import Problem, not_found
from likewise.server.shapes import Page, RequestBody, Shape, SingleLine, clean_line

router = APIRouter(tags=["document types"])

Name = Annotated[str, Path(max_length=200)]
types = tables.document_types
_MOST_TYPES = 500


class TypeInput(RequestBody):
    name: SingleLine


class TypesInOrder(RequestBody):
    names: list[SingleLine]


class TypeShape(Shape):
    """A type, and how many documents that the caller may read have it."""

    name: str
    position: int
    documents: int


@router.get("/document-types", summary="List document types")
def list_types(context: ContextDep, caller: DocumentsRead) -> Page[TypeShape]:
    """In their order, with how many documents have each."""
    items = _list_types(context, caller)
    return Page(items=items, total=len(items))


@router.post("/document-types", status_code=201, summary="Add a document type")
def add_type(body: TypeInput, context: ContextDep, caller: Administrator) -> Page[TypeShape]:
    """At the end of the list, which is the answer."""
    _add_type(context, caller, body.name)
    return list_types(context, caller)


@router.put("/document-types", summary="Order document types")
def order_types(body: TypesInOrder, context: ContextDep, caller: Administrator) -> Page[TypeShape]:
    """Every type, named once."""
    _order_types(context, caller, body.names)
    return list_types(context, caller)


@router.patch("/document-types/{name}", summary="Rename a document type")
def rename_type(
    name: Name, body: TypeInput, context: ContextDep, caller: Administrator
) -> ChangeCount:
    """Documents of this type follow; how many they are."""
    return ChangeCount(documents=_rename_type(context, caller, name, body.name))


@router.delete("/document-types/{name}", summary="Remove a document type")
def remove_type(
    name: Name,
    context: ContextDep,
    caller: Administrator,
    even_in_use: Annotated[bool, Query(description="documents have no type then")] = False,
) -> ChangeCount:
    """Refused while documents have it, unless these are to have none."""
    return ChangeCount(documents=_remove_type(context, caller, name, even_in_use=even_in_use))


# The table


def _list_types(context: ServerContext, caller: Caller) -> list[TypeShape]:
    """All types in their order."""
    document = schema.documents.c
    with context.store.reading() as connection:
        readable = permissions_of(connection, caller).readable

        def count() -> dict[str, int]:
            query = select(document.type, func.count()).where(
                document.collection.in_(readable), document.type.is_not(None)
            )
            rows = connection.execute(query.group_by(document.type))
            return {str(name): int(count) for name, count in rows}

        changes = context.store.state(connection).changes
        counts = answers_of(context).of(("types", readable), changes, count, exact=False)
        rows = connection.execute(select(types.c.name, types.c.position).order_by(*_order()))
        return [
            TypeShape(name=name, position=place, documents=counts.get(name, 0))
            for place, (name, _) in enumerate(rows)
        ]


def _add_type(context: ServerContext, caller: Caller, text: str) -> None:
    """One more, at the end."""
    name = _name(text)
    with context.store.beside() as connection:
        names = _names(connection)
        if name in names:
            raise Problem("conflict", "server.type", name=name)
        if len(names) >= _MOST_TYPES:
            raise Problem("conflict", "server.types", n=_MOST_TYPES)
        connection.execute(insert(types).values(name=name, position=len(names)))
        record_act(connection, caller, "document type added", name)


def _rename_type(context: ServerContext, caller: Caller, old: str, text: str) -> int:
    """Another name; documents of the old one follow. How many they are."""
    new, document = _name(text), schema.documents.c
    with context.store.writing() as (connection, _change):
        names = _names(connection)
        if old not in names:
            raise not_found("server.noun_document_type")
        if new == old:
            return 0
        if new in names:
            raise Problem("conflict", "server.type", name=new)
        connection.execute(update(types).where(types.c.name == old).values(name=new))
        moved = update(schema.documents).where(document.type == old).values(type=new)
        count = connection.execute(moved).rowcount
        record_act(connection, caller, "document type renamed", new, before=old, documents=count)
        return count


def _remove_type(
    context: ServerContext, caller: Caller, name: str, *, even_in_use: bool = False
) -> int:
    """Remove a type; documents that have it have none then. How many they were."""
    document = schema.documents.c
    with context.store.writing() as (connection, _change):
        if name not in _names(connection):
            raise not_found("server.noun_document_type")
        of_it = document.type == name
        count = select(func.count()).select_from(schema.documents).where(of_it)
        used = int(connection.execute(count).scalar_one())
        if used and not even_in_use:
            details = {"documents": used}
            raise Problem("conflict", "server.type_in_use", details=details, name=name)
        connection.execute(update(schema.documents).where(of_it).values(type=None))
        connection.execute(delete(types).where(types.c.name == name))
        record_act(connection, caller, "document type removed", name, documents=used)
        return used


def _order_types(context: ServerContext, caller: Caller, names: list[str]) -> None:
    """Another order; every type is named once."""
    with context.store.beside() as connection:
        if sorted(names) != sorted(_names(connection)):
            raise Problem("conflict", "server.types_changed")
        for place, name in enumerate(names):
            connection.execute(update(types).where(types.c.name == name).values(position=place))
        record_act(connection, caller, "document types ordered")


def _names(connection: Connection) -> list[str]:
    return list(connection.execute(select(types.c.name).order_by(*_order())).scalars())


def _order() -> tuple[Column[Any], ...]:
    return types.c.position, types.c.name


def _name(text: str) -> str:
    if not (name := clean_line(text, 200)):
        raise Problem("bad request", "server.type_name")
    return name
