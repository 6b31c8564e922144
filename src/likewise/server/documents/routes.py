"""Documents: handed in, listed, shown, corrected, removed."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query, Request, Response
from fastapi.concurrency import run_in_threadpool

from likewise.server.documents import facets, listing, service
from likewise.server.documents.adding import accept_files
from likewise.server.documents.shapes import (
    AddAccepted,
    AddRequest,
    ChangeCount,
    ChangeMany,
    DocumentFilters,
    DocumentShape,
    DocumentsRequest,
    DocumentWhole,
    Facets,
    Growth,
    LeftOutShape,
    MetadataInput,
    PageShape,
    RemovedShape,
    RemoveRequest,
    TextShape,
)
from likewise.server.downloads import download, plain_text
from likewise.server.forms import receive_form
from likewise.server.people.access import ContextDep, DocumentsRead, DocumentsWrite
from likewise.server.problems import Problem
from likewise.server.shapes import Page

router = APIRouter(tags=["documents"])

Id = Annotated[int, Path(ge=1, le=(1 << 63) - 1)]
_FORM: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "required": ["file"],
                    "properties": {
                        "file": {
                            "type": "array",
                            "items": {"type": "string", "format": "binary"},
                            "description": "documents, or ZIP archives of them",
                        },
                        "table": {
                            "type": "string",
                            "format": "binary",
                            "description": "metadata of single documents, as CSV",
                        },
                        "request": {
                            "type": "string",
                            "contentMediaType": "application/json",
                            "description": "JSON: collection, metadata, table_name",
                        },
                    },
                },
                "encoding": {"request": {"contentType": "application/json"}},
            }
        },
    }
}
_FILE: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "the file",
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
    }
}
_TEXT: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "the text, or with `as=json` the text with its pages",
        "content": {"text/plain": {"schema": {"type": "string"}}},
    }
}


@router.post(
    "/documents",
    status_code=202,
    summary="Hand in documents",
    openapi_extra=_FORM,
)
async def add_documents(
    request: Request, context: ContextDep, caller: DocumentsWrite
) -> AddAccepted:
    """Files and ZIP archives, which a job reads and adds; its outcome tells of each of them."""
    async with receive_form(request, context, caller) as form:
        options = AddRequest.model_validate(form.request)
        return await run_in_threadpool(
            accept_files, context, caller, options, form.files, form.table
        )


@router.get("/documents", summary="List documents")
def list_documents(
    context: ContextDep, caller: DocumentsRead, query: Annotated[DocumentsRequest, Query()]
) -> Page[DocumentShape]:
    """Those that the caller may read; every word of `search` stands in the name or people."""
    items, total = listing.list_documents(context, caller, query)
    return Page(items=items, total=total)


@router.get("/documents/facets", summary="Values that documents have")
def show_facets(context: ContextDep, caller: DocumentsRead) -> Facets:
    """Types, languages, organisations, years and tags in use, with how many documents have each."""
    return facets.facets(context, caller)


@router.get("/documents/growth", summary="Documents by month")
def show_growth(context: ContextDep, caller: DocumentsRead) -> Growth:
    """How many were added in each month, and how many there were then."""
    return facets.growth(context, caller)


@router.post("/documents/delete", summary="Remove several documents")
def remove_documents(
    body: RemoveRequest, context: ContextDep, caller: DocumentsWrite
) -> RemovedShape:
    """By numbers, or all that fit; what others have handed in too stays with them."""
    if body.ids is not None and (body.filters is not None or body.search):
        raise Problem("bad request", "server.numbers_or_filters")
    if body.ids is not None:
        removed = service.remove_by_numbers(context, caller, body.ids)
    else:
        filters = body.filters or DocumentFilters()
        removed = service.remove_matching(
            context, caller, filters, body.search, body.without, body.expected
        )
    return RemovedShape.model_validate(removed)


@router.patch("/documents", summary="Correct several documents")
def change_documents(body: ChangeMany, context: ContextDep, caller: DocumentsWrite) -> ChangeCount:
    """What is given is set, null forgets it; by numbers all of them or none.

    Of all that fit, teachers change what they have handed in themselves.
    """
    values = body.metadata.values()
    if body.ids is None:
        count = service.change_matching(context, caller, body, values)
    else:
        count = service.change_metadata(context, caller, body.ids, values)
    return ChangeCount(documents=count)


@router.get("/documents/{id}", summary="Show a document")
def show_document(id: Id, context: ContextDep, caller: DocumentsRead) -> DocumentWhole:
    """Everything that is known about it."""
    return service.show_document(context, caller, id)


@router.get(
    "/documents/{id}/text",
    summary="The text of a document",
    response_model=TextShape,
    responses=_TEXT,
)
def show_text(
    id: Id,
    context: ContextDep,
    caller: DocumentsRead,
    form: Annotated[Literal["text", "json"], Query(alias="as")] = "text",
) -> Any:
    """As plain text, or as JSON with pages and with what is not compared."""
    entry, read = service.read_text(context, caller, id)
    if form == "text":
        return plain_text(read.text)
    return TextShape(
        id=id,
        name=entry.name,
        language=entry.language,
        text=read.text,
        pages=[
            PageShape(number=page.number, start=page.span.start, end=page.span.end)
            for page in read.pages
        ],
        left_out=[
            LeftOutShape(start=span.start, end=span.end, reason=reason)
            for span, reason in read.left_out
        ],
    )


@router.get(
    "/documents/{id}/original",
    summary="The file that was handed in",
    response_class=Response,
    responses=_FILE,
)
def show_original(id: Id, context: ContextDep, caller: DocumentsRead) -> Response:
    """To be saved, never shown by a browser; not found where files are not kept."""
    name, data = service.read_original(context, caller, id)
    return download(data, name)


@router.patch("/documents/{id}", summary="Correct a document")
def change_document(
    id: Id, body: MetadataInput, context: ContextDep, caller: DocumentsWrite
) -> DocumentWhole:
    """What is given is set, null forgets it."""
    service.change_metadata(context, caller, [id], body.values())
    return service.show_document(context, caller, id, is_opened=False)


@router.delete("/documents/{id}", summary="Remove a document")
def remove_document(id: Id, context: ContextDep, caller: DocumentsWrite) -> RemovedShape:
    """By whoever owns it and administrators; what others have handed in too stays with them."""
    return RemovedShape.model_validate(service.remove_by_numbers(context, caller, [id]))
