"""What a server refuses, in one shape: a kind for programs and a sentence for people."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import BaseModel, Field

from likewise.catalogue import Message, Value
from likewise.errors import LikewiseError

Kind = Literal[
    "bad request",
    "not logged in",
    "wrong name or password",
    "second factor needed",
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
    "second factor needed": 401,
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

    def __init__(
        self,
        kind: Kind,
        key: str | Message,
        /,
        about: str | None = None,
        details: Mapping[str, Any] | None = None,
        **values: Value,
    ) -> None:
        super().__init__(key, about, **values)
        self.kind: Kind = kind
        self.details = dict(details or {})

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

    def body(self) -> dict[str, object]:
        return ProblemBody(
            kind=self.kind,
            message=str(self),
            **self.message.for_programs(),
            about=self.about,
            details=self.details,
        ).model_dump()


class ProblemBody(BaseModel):
    """What every refusal looks like."""

    kind: Kind
    message: str = Field(description="in English")
    code: str = Field(description="what it is, for programs: docs/codes.md")
    values: dict[str, Any] = Field(default={}, description="what stands in the message")
    about: str | None = Field(default=None, description="the file that it is about")
    details: dict[str, Any] = {}


def with_file(message: Message, about: str | None) -> Message:
    """What there is to tell, after the name of the file that it is about."""
    return message if about is None else Message("server.of_file", {"name": about, "why": message})


def with_code(name: str, message: Message | None) -> dict[str, Any]:
    """A sentence under its name, as it is sent, with its code and values beside it.

    >>> with_code("reason", Message("reading.empty_file"))
    {'reason': 'the file is empty', 'code': 'reading.empty_file', 'values': {}}
    """
    if message is None:
        return {name: None, "code": None, "values": None}
    return {name: str(message), **message.for_programs()}


def ensure_expected(expected: int | None, found: int) -> None:
    """What somebody chose by a list is what the list says now: others change it meanwhile."""
    if expected is not None and expected != found:
        raise Problem("conflict", "server.list_changed", n=found)


def not_found(noun: str) -> Problem:
    """Also said of what is there and not the caller's: nobody learns that it exists."""
    return Problem("not found", "server.not_found", what=Message(noun))
