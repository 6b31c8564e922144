"""What is sent about certificates, and what people send to issue and revoke one."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from likewise.catalogue import LanguageCode
from likewise.server.shapes import RequestBody, Shape, Timestamp, clean_line

LONGEST = 300  # characters of a field: all of them fit one page


def _line(text: str) -> str:
    return clean_line(" ".join(text.split()), LONGEST)


def _reason(text: str) -> str:
    reason = _line(text)
    if not reason:
        raise ValueError("say why, in a few words")
    return reason


Line = Annotated[str, Field(max_length=LONGEST), AfterValidator(_line)]


class IssueCertificate(RequestBody):
    """What stands on the page besides the figures; what is left out is as it was proposed."""

    language: LanguageCode = Field(description="of the page")
    institution: Line | None = None
    author: Line | None = None
    title: Line | None = None
    supervisor: Line | None = None


class RevokeCertificate(RequestBody):
    reason: Annotated[str, Field(max_length=LONGEST), AfterValidator(_reason)]


class CertificateShape(Shape):
    """A certificate, as the page of its check lists it."""

    id: str = Field(description="the code without its groups")
    code: str = Field(description="as it stands on the page")
    number: int = Field(description="of this server, from 1")
    issued_on: Timestamp
    issued_by: str
    language: str
    author: str
    title: str
    supervisor: str
    institution: str
    revoked_on: Timestamp | None
    reason: str = Field(description="why it was revoked; else empty")
    may_revoke: bool


class ProposedCertificate(Shape):
    """What the check, the library and the settings know of what stands on the page."""

    institution: str
    author: str
    title: str
    supervisor: str


class Certificates(Shape):
    """Those of a check, the newest first."""

    items: list[CertificateShape]
    proposed: ProposedCertificate
    may_issue: bool


class CertifiedShares(Shape):
    """Of the whole text, from 0 to 1."""

    original: float
    similar: float
    quoted: float
    excluded: float


class VerifiedCertificate(Shape):
    """What anybody who holds a code may know: what stands on the paper, and no source."""

    state: Literal["genuine", "revoked", "unknown"]
    code: str | None = Field(default=None, description="as it stands on the page")
    number: int | None = None
    issued_on: Timestamp | None = None
    institution: str | None = None
    author: str | None = None
    title: str | None = None
    shares: CertifiedShares | None = None
    revoked_on: Timestamp | None = None
