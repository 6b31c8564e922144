"""What a server refuses, in one shape: a kind for programs and a sentence for people."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, Field

from likewise.errors import LikewiseError

Kind = Literal[
    "bad request",
    "not logged in",
    "wrong name or password",
    "locked out",
    "password must be changed",
    "authenticate again",
    "not allowed",
    "not found",
    "no such method",
    "conflict",
    "too large",
    "unsupported file",
    "quota reached",
    "too many requests",
    "not ready",
    "out of room",
    "unavailable",
    "internal error",
]

STATUS: dict[Kind, int] = {
    "bad request": 422,
    "not logged in": 401,
    "wrong name or password": 401,
    "locked out": 429,
    "password must be changed": 403,
    "authenticate again": 403,
    "not allowed": 403,
    "not found": 404,
    "no such method": 405,
    "conflict": 409,
    "too large": 413,
    "unsupported file": 415,
    "quota reached": 403,
    "too many requests": 429,
    "not ready": 409,
    "out of room": 507,
    "unavailable": 503,
    "internal error": 500,
}


class Problem(LikewiseError):
    """Something that the caller can understand and act on."""

    def __init__(self, kind: Kind, message: str, **details: Any) -> None:
        super().__init__(message)
        self.kind: Kind = kind
        self.details = details

    @property
    def status(self) -> int:
        return STATUS[self.kind]

    @property
    def headers(self) -> dict[str, str]:
        if self.status == 401:
            return {"WWW-Authenticate": "Bearer"}
        if "retry_after" in self.details:
            return {"Retry-After": str(self.details["retry_after"])}
        return {}

    def body(self) -> dict[str, Any]:
        return ProblemBody(
            kind=self.kind,
            message=str(self.message),
            code=self.code,
            values=self.message.plain()["values"],
            details=self.details,
        ).model_dump()


class ProblemBody(BaseModel):
    """What every refusal looks like."""

    kind: Kind
    message: str = Field(description="in English")
    code: str = Field(description="what it is, for programs: docs/codes.md")
    values: dict[str, Any] = Field(default={}, description="what stands in the message")
    details: dict[str, Any] = {}


def not_found(what: str) -> Problem:
    """Also said of what is there and not the caller's: nobody learns that it exists."""
    return Problem("not found", f"there is no such {what}, or it is not yours")
