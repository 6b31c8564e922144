"""Whatever goes wrong, in the one shape that refusals have."""

from __future__ import annotations

import errno
from collections.abc import Iterable, Mapping
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from pydantic import ValidationError
from sqlalchemy.exc import (
    DataError,
    DBAPIError,
    IntegrityError,
    InterfaceError,
    OperationalError,
    TimeoutError,
)
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse

from likewise.catalogue import Message
from likewise.errors import LikewiseError
from likewise.library.errors import LibraryError, WrongRecipe
from likewise.library.object_store import ObjectMissing, StoreAway
from likewise.server.logs import log, trace_of
from likewise.server.problems import Kind, Problem

RETRY_AFTER_SECONDS = 5
_FULL = ("disk is full", "no space left on device")
_LIMITS_EXCEEDED = "54"  # of PostgreSQL's own: a value too long for an index, too many columns
_OUR_FAULT = ("no such table", "no such column", "does not exist")
_KINDS: dict[int, Kind] = {
    401: "not logged in",
    403: "not allowed",
    404: "not found",
    405: "no such method",
    409: "conflict",
    413: "too large",
    415: "unsupported file",
    429: "too many requests",
    503: "unavailable",
}
_KEYS: dict[int, str] = {404: "server.no_such_address", 405: "server.no_such_method"}


class BodyError(HTTPException):
    """A problem with a body; the one kind of exception that comes through whoever reads it."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.status)
        self.problem = problem


def problem_response(problem: Problem, headers: Mapping[str, str] | None = None) -> JSONResponse:
    """The answer that tells of a problem."""
    return JSONResponse(problem.body(), problem.status, {**problem.headers, **(headers or {})})


def internal_error(request_id: str) -> Problem:
    """What callers learn of our own errors: enough to ask somebody who can read the log."""
    return Problem("internal error", "server.internal_error", details={"request": request_id})


def add_error_handlers(app: FastAPI) -> None:
    """Give every exception that can be explained its answer; the rest is caught around."""
    handlers: dict[Any, Any] = {
        LikewiseError: _likewise_error,
        RequestValidationError: _validation_error,
        ValidationError: _validation_error,
        HTTPException: _http_exception,
        UnicodeEncodeError: _not_storable,
        OverflowError: _not_storable,
        OSError: _os_error,
    }
    for kind, handler in handlers.items():
        app.add_exception_handler(kind, handler)


def problem_of(error: LikewiseError) -> Problem:
    """What an error of the floors below means to a caller."""
    if isinstance(error, Problem):
        return error
    if isinstance(error, WrongRecipe):
        return Problem("conflict", error.message)
    if isinstance(error, StoreAway):
        return Problem(
            "unavailable", "server.originals_away", details={"retry_after": RETRY_AFTER_SECONDS}
        )
    if isinstance(error, ObjectMissing):
        return Problem("not found", error.message)
    if isinstance(error, LibraryError) and isinstance(error.__cause__, Exception):
        return _problem_of_database(error, error.__cause__)
    return Problem("bad request", error.message, _file_of(error))


def _problem_of_database(error: LibraryError, cause: Exception) -> Problem:
    """Never the engine's own words, which may name paths and values."""
    text = str(getattr(cause, "orig", cause)).lower()
    if any(sign in text for sign in _FULL):
        return Problem("out of room", "server.no_room")
    state = str(getattr(getattr(cause, "orig", None), "sqlstate", None) or "")
    if isinstance(cause, DataError) or state.startswith(_LIMITS_EXCEEDED):
        return Problem("bad request", "server.not_storable")
    if isinstance(cause, IntegrityError):
        return Problem("conflict", "server.changed_at_once")
    is_lost = isinstance(cause, DBAPIError) and cause.connection_invalidated
    is_busy = isinstance(cause, OperationalError | InterfaceError | TimeoutError)
    if is_lost or (is_busy and not any(sign in text for sign in _OUR_FAULT)):
        return Problem(
            "unavailable", "server.no_database", details={"retry_after": RETRY_AFTER_SECONDS}
        )
    if not isinstance(cause, DBAPIError):
        return Problem("bad request", error.message, _file_of(error))
    raise error


def _file_of(error: LikewiseError) -> str | None:
    """The file that an error is about, if it was handed in; where a library is stays unsaid."""
    about = error.about or ""
    is_place = isinstance(error, LibraryError) or "/" in about or "\\" in about
    return None if is_place else error.about


async def _likewise_error(_request: Request, error: LikewiseError) -> JSONResponse:
    problem = problem_of(error)
    if problem is not error:
        cause = type(error.__cause__ or error).__name__
        log("warning", "refused", kind=problem.kind, error=type(error).__name__, cause=cause)
    return problem_response(problem)


async def _validation_error(
    _request: Request, error: RequestValidationError | ValidationError
) -> JSONResponse:
    """What was sent is not repeated: it could be a password."""
    fields = [
        {"field": _dotted(one["loc"]), "message": str(one["msg"]), **_bounds(one.get("ctx", {}))}
        for one in error.errors()[:100]
    ]
    text = "; ".join(f"{one['field']}: {one['message']}" for one in fields[:3])
    why = Message.verbatim(text)
    return problem_response(
        Problem("bad request", "server.not_as_expected", details={"fields": fields}, why=why)
    )


def _bounds(context: Mapping[str, Any]) -> dict[str, float]:
    """Between which values a number had to lie, so that a page can say so beside its field."""
    bounds = {"least": context.get("ge"), "most": context.get("le")}
    return {name: bound for name, bound in bounds.items() if isinstance(bound, int | float)}


def _dotted(place: Iterable[str | int]) -> str:
    names = [str(name) for name in place]
    if names and names[0] in ("body", "query", "path"):  # else it is about the whole
        names = names[1:]
    return ".".join(names) or "request"


async def _http_exception(_request: Request, error: HTTPException) -> JSONResponse:
    if isinstance(error, BodyError):
        return problem_response(error.problem)
    kind = _KINDS.get(error.status_code, "bad request")
    key = _KEYS.get(error.status_code) or Message.verbatim(str(error.detail))
    return problem_response(Problem(kind, key), error.headers)


async def _not_storable(_request: Request, error: Exception) -> JSONResponse:
    log("warning", "not storable", **trace_of(error))
    return problem_response(Problem("bad request", "server.not_storable"))


async def _os_error(_request: Request, error: OSError) -> JSONResponse:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return problem_response(Problem("out of room", "server.no_room"))
    raise error
