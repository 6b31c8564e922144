"""Certificates of checks; and the one address where anybody sees whether one is genuine."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path, Request, Response

from likewise.report.figures import SHARE_NAMES, four_shares
from likewise.server.caller import Caller
from likewise.server.certificates import service
from likewise.server.certificates.codes import grouped
from likewise.server.certificates.service import Certificate
from likewise.server.certificates.shapes import (
    Certificates,
    CertificateShape,
    CertifiedShares,
    IssueCertificate,
    RevokeCertificate,
    VerifiedCertificate,
)
from likewise.server.context import ServerContext
from likewise.server.downloads import disposition
from likewise.server.http.addresses import address_of
from likewise.server.people.access import ChecksRead, ChecksWrite, ContextDep
from likewise.server.shapes import Id

router = APIRouter(tags=["certificates"])

Code = Annotated[
    str, Path(min_length=1, max_length=64, description="in small letters or capitals, or in groups")
]
_PDF: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "the page, always the same",
        "content": {"application/pdf": {"schema": {"type": "string", "format": "binary"}}},
    }
}


@router.get("/checks/{id}/certificates", summary="Certificates of a check")
def list_certificates(id: Id, context: ContextDep, caller: ChecksRead) -> Certificates:
    """The newest first; and what a new one would say, to be corrected."""
    check, issued, proposed = service.list_certificates(context, caller, id)
    return Certificates(
        items=[_shape(one, caller, check.user_id) for one in issued],
        proposed=proposed,
        may_issue=service.may_issue(caller, check),
    )


@router.post("/checks/{id}/certificates", status_code=201, summary="Issue a certificate")
def issue_certificate(
    id: Id, body: IssueCertificate, context: ContextDep, caller: ChecksWrite
) -> CertificateShape:
    """By the owner of a check, or an administrator who may open it.

    What the report says now stays on the page, whatever becomes of the check.
    """
    return _shape(service.issue(context, caller, id, body), caller, caller.id)


@router.get(
    "/certificates/{code}.pdf",
    summary="A certificate as a PDF",
    response_class=Response,
    responses=_PDF,
)
def read_certificate(code: Code, context: ContextDep, caller: ChecksRead) -> Response:
    """For those who may open its check, and for whoever issued it."""
    certificate = _find(context, caller, code)
    name = f"certificate {certificate.number} {grouped(certificate.id)}.pdf"
    return Response(
        service.draw(certificate),
        media_type="application/pdf",
        headers={"Content-Disposition": disposition(name), "Cache-Control": "no-store"},
    )


@router.post("/certificates/{code}/revoke", summary="Revoke a certificate")
def revoke_certificate(
    code: Code, body: RevokeCertificate, context: ContextDep, caller: ChecksWrite
) -> CertificateShape:
    """By whoever issued it, the owner of its check, or an administrator; for good."""
    return _shape(service.revoke(context, caller, code, body.reason), caller, caller.id)


@router.get(
    "/certificates/{code}/verify",
    summary="Whether a certificate is genuine",
    response_model_exclude_none=True,
)
def verify_certificate(code: Code, context: ContextDep, request: Request) -> VerifiedCertificate:
    """For whoever holds the paper, without logging in: what stands on it, and no source."""
    certificate = service.verify(context, code, address_of(request))
    if certificate is None:
        return VerifiedCertificate(state="unknown")
    facts = certificate.facts
    tenths = zip(SHARE_NAMES, four_shares(facts.check.shares), strict=True)
    return VerifiedCertificate(
        state="genuine" if certificate.revoked_on is None else "revoked",
        code=grouped(certificate.id),
        number=certificate.number,
        issued_on=certificate.made_on,
        institution=facts.institution,
        author=facts.author,
        title=facts.title,
        shares=None
        if facts.check.uncounted
        else CertifiedShares(**{name: tenth / 1000 for name, tenth in tenths}),
        revoked_on=certificate.revoked_on,
    )


def _find(context: ServerContext, caller: Caller, code: str) -> Certificate:
    with context.store.reading() as connection:
        return service.find_certificate(connection, caller, code)


def _shape(certificate: Certificate, caller: Caller, owner: str | None) -> CertificateShape:
    facts = certificate.facts
    return CertificateShape(
        id=certificate.id,
        code=grouped(certificate.id),
        number=certificate.number,
        issued_on=certificate.made_on,
        issued_by=certificate.user_name,
        language=facts.language,
        author=facts.author,
        title=facts.title,
        supervisor=facts.supervisor,
        institution=facts.institution,
        revoked_on=certificate.revoked_on,
        reason=certificate.reason,
        may_revoke=certificate.revoked_on is None
        and service.may_revoke(caller, certificate, owner),
    )
