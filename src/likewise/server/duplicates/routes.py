"""Near-duplicates inside the library: a job looks for them, and what it has found is listed."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from likewise.server.duplicates import service
from likewise.server.duplicates.shapes import (
    DuplicateClusterShape,
    DuplicatePairShape,
    DuplicatesRequest,
    DuplicatesResult,
)
from likewise.server.people.access import ContextDep, DocumentsRead
from likewise.server.shapes import Accepted, Id, Page

router = APIRouter(prefix="/duplicates", tags=["duplicates"])

Limit = Annotated[int, Query(ge=1, le=500)]
Offset = Annotated[int, Query(ge=0, le=1_000_000_000)]


@router.post("", status_code=202, summary="Look for duplicates in the library")
def start_search(body: DuplicatesRequest, context: ContextDep, caller: DocumentsRead) -> Accepted:
    """Among the documents that the caller may read, by their stored fingerprints.

    Nothing is read again and nothing is removed. A person has one such search at a time.
    """
    id = service.start_search(context, caller, body)
    return Accepted(id=id, job=id)


@router.get("/{job}", summary="Show a search for duplicates")
def show_search(job: Id, context: ContextDep, caller: DocumentsRead) -> DuplicatesResult:
    """How far it is, and how much it has found; one's own."""
    return service.show_search(context, caller, job)


@router.get("/{job}/pairs", summary="List pairs of duplicates, the strongest first")
def list_pairs(
    job: Id, context: ContextDep, caller: DocumentsRead, limit: Limit = 50, offset: Offset = 0
) -> Page[DuplicatePairShape]:
    """As many of the strongest as are kept, of documents that are still there to be read."""
    items, total = service.list_pairs(context, caller, job, limit, offset)
    return Page(items=items, total=total)


@router.get("/{job}/clusters", summary="List clusters of duplicates, the largest first")
def list_clusters(
    job: Id, context: ContextDep, caller: DocumentsRead, limit: Limit = 50, offset: Offset = 0
) -> Page[DuplicateClusterShape]:
    """As many of the largest as are kept, of documents that are still there to be read."""
    items, total = service.list_clusters(context, caller, job, limit, offset)
    return Page(items=items, total=total)
