"""The types of documents that people are offered."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query

from likewise.server import document_types as types
from likewise.server.document_types import TypeGiven, TypeShape, TypesInOrder
from likewise.server.documents.shapes import Changed
from likewise.server.people.access import Administrator, ContextDep, DocumentsRead
from likewise.server.shapes import Page

router = APIRouter(tags=["document types"])

Name = Annotated[str, Path(max_length=200)]


@router.get("/document-types", summary="List document types")
def list_types(site: ContextDep, caller: DocumentsRead) -> Page[TypeShape]:
    """In their order, with how many documents have each."""
    found = types.list_types(site, caller)
    return Page(items=found, total=len(found))


@router.post("/document-types", status_code=201, summary="Add a document type")
def add_type(given: TypeGiven, site: ContextDep, caller: Administrator) -> Page[TypeShape]:
    """At the end of the list, which is the answer."""
    types.add_type(site, caller, given.name)
    return list_types(site, caller)


@router.put("/document-types", summary="Order document types")
def order_types(given: TypesInOrder, site: ContextDep, caller: Administrator) -> Page[TypeShape]:
    """Every type, named once."""
    types.order_types(site, caller, given.names)
    return list_types(site, caller)


@router.patch("/document-types/{name}", summary="Rename a document type")
def rename_type(name: Name, given: TypeGiven, site: ContextDep, caller: Administrator) -> Changed:
    """Documents of this type follow; how many they are."""
    return Changed(documents=types.rename_type(site, caller, name, given.name))


@router.delete("/document-types/{name}", summary="Remove a document type")
def remove_type(
    name: Name,
    site: ContextDep,
    caller: Administrator,
    even_in_use: Annotated[bool, Query(description="documents have no type then")] = False,
) -> Changed:
    """Refused while documents have it, unless these are to have none."""
    return Changed(documents=types.remove_type(site, caller, name, even_in_use=even_in_use))
