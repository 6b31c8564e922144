"""Collections, private and shared. The shared library is called `library`."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from likewise.server.collections import service as collections
from likewise.server.collections.shapes import (
    CollectionChange,
    CollectionInput,
    CollectionRemoved,
    CollectionShape,
    CollectionWhole,
)
from likewise.server.people.access import ContextDep, DocumentsRead, DocumentsWrite
from likewise.server.shapes import Id, Page

router = APIRouter(tags=["collections"])


@router.get("/collections", summary="List collections")
def list_collections(
    context: ContextDep,
    caller: DocumentsRead,
    limit: Annotated[int, Query(ge=1, le=500)] = 500,
    offset: Annotated[int, Query(ge=0, le=1_000_000)] = 0,
) -> Page[CollectionShape]:
    """Those that the caller may read; to administrators also that others have private ones."""
    items = collections.list_collections(context, caller)
    return Page(items=items[offset : offset + limit], total=len(items))


@router.post("/collections", status_code=201, summary="Make a collection")
def make_collection(
    body: CollectionInput, context: ContextDep, caller: DocumentsWrite
) -> CollectionWhole:
    """Private, unless it is to be shared."""
    return collections.make_collection(context, caller, body)


@router.get("/collections/{id}", summary="Show a collection")
def show_collection(id: Id, context: ContextDep, caller: DocumentsRead) -> CollectionWhole:
    """With its size."""
    return collections.show_collection(context, caller, id)


@router.patch("/collections/{id}", summary="Change a collection")
def change_collection(
    id: Id, body: CollectionChange, context: ContextDep, caller: DocumentsWrite
) -> CollectionWhole:
    """Rename, describe, share, or make private; what is left out stays as it is."""
    return collections.change_collection(context, caller, id, body)


@router.delete("/collections/{id}", summary="Remove a collection")
def remove_collection(
    id: Id,
    context: ContextDep,
    caller: DocumentsWrite,
    with_documents: Annotated[bool, Query(description="and all that is in it")] = False,
) -> CollectionRemoved:
    """Refused while documents are in it, unless these are to go too."""
    count = collections.remove_collection(context, caller, id, with_documents=with_documents)
    return CollectionRemoved(documents=count)
