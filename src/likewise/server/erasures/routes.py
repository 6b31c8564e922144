"""Erasure of documents and people, for administrators."""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Response
from pydantic import Field

from likewise.catalogue import LanguageCode
from likewise.library import EraseRequest, Receipt
from likewise.library.receipts import receipt_page, receipt_text, staying_keys
from likewise.server.downloads import download, plain_text
from likewise.server.erasures import service as erasures
from likewise.server.people.access import Administrator, ContextDep, RecentAdministrator
from likewise.server.reports.routes import TimeZone
from likewise.server.shapes import Accepted, Id, Page, RequestBody, Shape, Timestamp

router = APIRouter(prefix="/erasures", tags=["erasures"])

Number = Annotated[int, Field(ge=1, le=(1 << 63) - 1)]
Sha256 = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
Name = Annotated[str, Field(min_length=1, max_length=1_000)]


class ErasureRequest(RequestBody):
    """Documents by number or by the hash of their bytes, a person, or an account: one of these."""

    documents: list[Number] = Field(default=[], max_length=10_000)
    sha256s: list[Sha256] = Field(default=[], max_length=10_000, description="of files' bytes")
    person: Name | None = Field(default=None, description="an author or owner")
    user: Name | None = Field(default=None, description="a name to log in by")
    copies: bool = Field(default=False, description="documents of the same text too")
    again: bool = Field(default=False, description="what was erased before and has come back")

    def request(self) -> EraseRequest:
        return EraseRequest(
            documents=tuple(self.documents),
            sha256s=tuple(self.sha256s),
            person=self.person,
            user=self.user,
            copies=self.copies,
            again=self.again,
        )


class AffectedDocument(Shape):
    """A document; its name is told to those who may read it."""

    id: int
    name: str | None


class ErasurePreview(Shape):
    """What would be erased; nothing was."""

    documents: list[AffectedDocument]
    left: list[AffectedDocument] = Field(description="stay with others who handed them in too")
    copies: list[AffectedDocument] = Field(description="have the same text, and stay")
    counts: dict[str, int]


class BackupShape(Shape):
    """A backup that holds what was erased until it expires."""

    name: str
    made_on: str
    expires_on: str


class ErasureShape(Shape):
    """A receipt: how much of each kind, and what could not be reached."""

    id: str
    kind: Literal["documents", "file", "person", "user", "again"]
    made_on: Timestamp
    by: str | None
    state: Literal["running", "done"]
    ended_on: Timestamp | None
    documents: list[int]
    sha256s: list[str]
    counts: dict[str, int]
    unreached: list[str]
    stays: list[str] = Field(description="kinds of which something stays without names")
    backups: list[BackupShape] = Field(description="made before, each with its last day")

    @classmethod
    def of(cls, receipt: Receipt) -> ErasureShape:
        names = set(cls.model_fields) - {"stays"}
        values: dict[str, Any] = {name: getattr(receipt, name) for name in names}
        values["stays"] = [kind for kind in staying_keys() if receipt.counts.get(kind)]
        values["unreached"] = sorted(receipt.unreached)
        values["counts"] = {what: number for what, number in receipt.counts.items() if number}
        return cls.model_validate(values)


@router.post("/preview", summary="What an erasure would do")
def preview_erasure(
    body: ErasureRequest, context: ContextDep, caller: Administrator
) -> ErasurePreview:
    """Counts everything and changes nothing."""
    preview = erasures.preview(context, caller, body.request())
    ids_by_kind = {name: getattr(preview, name)[:1_000] for name in ("documents", "left", "copies")}
    names = erasures.names_for(context, caller, [id for ids in ids_by_kind.values() for id in ids])
    affected = {
        what: [AffectedDocument(id=id, name=names.get(id)) for id in ids]
        for what, ids in ids_by_kind.items()
    }
    return ErasurePreview(**affected, counts=preview.counts)


@router.post("", summary="Erase documents or a person", status_code=202)
def erase(body: ErasureRequest, context: ContextDep, caller: RecentAdministrator) -> Accepted:
    """A job erases; the receipt is there as soon as it has begun. It cannot be undone."""
    id, job = erasures.ask_for_erasure(context, caller, body.request())
    return Accepted(id=id, job=job)


@router.get("", summary="List receipts")
def list_erasures(
    context: ContextDep,
    caller: Administrator,
    limit: Annotated[int, Query(ge=1, le=500)] = 50,
    offset: Annotated[int, Query(ge=0, le=1_000_000)] = 0,
) -> Page[ErasureShape]:
    """The newest first."""
    receipts, total = erasures.list_erasures(context, limit=limit, offset=offset)
    return Page(items=[ErasureShape.of(one) for one in receipts], total=total)


@router.get("/{id}", summary="Show a receipt")
def show_erasure(id: Id, context: ContextDep, caller: Administrator) -> ErasureShape:
    """It tells figures, numbers and hashes; no names and no text."""
    return ErasureShape.of(erasures.find_erasure(context, id))


@router.get(
    "/{id}/receipt",
    summary="A receipt as a file",
    response_class=Response,
    responses={
        200: {
            "description": "the receipt: JSON or a page to be saved, or plain text",
            "content": {
                "application/octet-stream": {"schema": {"type": "string", "format": "binary"}},
                "text/plain": {"schema": {"type": "string"}},
            },
        }
    },
)
def download_receipt(
    id: Id,
    context: ContextDep,
    caller: Administrator,
    format: Literal["json", "html", "txt"] = "json",
    language: LanguageCode = "en",
    time_zone: TimeZone = "UTC",
) -> Response:
    """JSON for programs, a page or plain text for people."""
    receipt = erasures.find_erasure(context, id)
    if format == "txt":
        return plain_text(receipt_text(receipt, language, time_zone))
    if format == "html":
        return download(receipt_page(receipt, language, time_zone).encode(), f"erasure-{id}.html")
    data = json.dumps(receipt.as_dict(), indent=1).encode()
    return download(data, f"erasure-{id}.json")
