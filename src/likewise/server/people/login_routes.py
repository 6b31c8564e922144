"""Logging in, staying logged in, logging out; a new password by mail."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response
from pydantic import Field

from likewise.catalogue import LanguageCode
from likewise.server.context import ServerContext
from likewise.server.http.addresses import address_of, agent_of
from likewise.server.mail.addresses import sends_mail
from likewise.server.people.access import ContextDep, authenticate, read_bearer_token
from likewise.server.people.cookies import (
    clear_refresh_cookie,
    ensure_same_origin,
    logged_out_problem,
    read_device_cookie,
    read_refresh_cookie,
    set_device_cookie,
    set_refresh_cookie,
)
from likewise.server.people.login import (
    SESSION_ENDED,
    end_session_by_token,
    end_session_of,
    log_in,
    refresh_session,
)
from likewise.server.people.password_resets import request_reset, use_reset
from likewise.server.people.sessions import NewSession
from likewise.server.people.tokens import make_access_token
from likewise.server.problems import Problem
from likewise.server.shapes import RequestBody, Shape, Timestamp

token_router = APIRouter(tags=["token"])


class LogIn(RequestBody):
    """A name and its password."""

    name: str = Field(max_length=256)
    password: str = Field(max_length=1_000)
    code: str | None = Field(
        default=None, max_length=100, description="of the second factor, or a recovery code"
    )
    cookie: bool = Field(default=False, description="keep the refresh token in a cookie")


class Refresh(RequestBody):
    """The token of a program; a page leaves it to its cookie."""

    refresh_token: str | None = Field(default=None, max_length=200)


class Tokens(Shape):
    """What to send with every call, and what to get the next one with."""

    access_token: str
    token_type: str = "Bearer"  # noqa: S105 - the kind of token, as OAuth names it
    expires_in: int = Field(description="seconds that the access token is good")
    refresh_token: str | None = Field(default=None, description="not told where a cookie keeps it")
    session: str
    session_ends_on: Timestamp = Field(description="unless it is refreshed before")


@token_router.post("/token", summary="Log in", response_model_exclude_none=True)
def make_token(body: LogIn, context: ContextDep, request: Request, response: Response) -> Tokens:
    """A short access token and a refresh token, for a name and its password.

    With `cookie` a browser also gets a device cookie: with it the next log in does not wait for
    those who guess. Programs use keys. Where a second factor is set up the answer to the password
    alone is `second factor needed`: the same is sent again with its code.
    """
    if body.cookie:
        ensure_same_origin(context, request)
    opened = log_in(
        context,
        body.name,
        body.password,
        address_of(request),
        agent_of(request),
        read_device_cookie(request),
        body.code,
    )
    if body.cookie:
        set_device_cookie(response, context, request, opened.device)
    return answer_tokens(context, request, response, opened, in_cookie=body.cookie)


@token_router.post("/token/refresh", summary="Stay logged in", response_model_exclude_none=True)
def refresh_token(
    context: ContextDep, request: Request, response: Response, body: Refresh | None = None
) -> Tokens:
    """A new pair for a refresh token. It is good once: whoever brings it again ends the log in.

    A page sends its cookie with the header `X-Likewise: page`; a program the token in the body.
    """
    token_in_body = body.refresh_token if body else None
    token = token_in_body or read_refresh_cookie(context, request)
    if token is None:
        raise Problem("not logged in", "server.no_refresh_token")
    opened = refresh_session(context, token, address_of(request), agent_of(request))
    if opened is None:
        if token_in_body:
            raise Problem("not logged in", SESSION_ENDED)
        raise logged_out_problem(SESSION_ENDED, context, request)
    return answer_tokens(context, request, response, opened, in_cookie=not token_in_body)


@token_router.post("/token/end", summary="Log out", status_code=204)
def end_token(context: ContextDep, request: Request, body: Refresh | None = None) -> Response:
    """End the session of a refresh token, in the body or the cookie, or of the access token."""
    token_in_body = body.refresh_token if body else None
    token = token_in_body or read_refresh_cookie(context, request)
    if token is not None:
        is_done = end_session_by_token(context, token, address_of(request))
    elif read_bearer_token(request) is not None:
        is_done = end_session_of(context, authenticate(context, request, even_must_change=True))
    else:
        raise Problem("not logged in", "server.nothing_to_end")
    if not is_done:
        raise logged_out_problem(SESSION_ENDED, context, request)
    response = Response(status_code=204)
    clear_refresh_cookie(response, context, request)
    return response


def answer_tokens(
    context: ServerContext,
    request: Request,
    response: Response,
    opened: NewSession,
    *,
    in_cookie: bool,
) -> Tokens:
    if in_cookie:
        set_refresh_cookie(response, context, request, opened.refresh_token)
    response.headers["Cache-Control"] = "no-store"
    return Tokens(
        access_token=make_access_token(context, opened.user, opened.session),
        expires_in=context.config.access_minutes * 60,
        refresh_token=None if in_cookie else opened.refresh_token,
        session=opened.session,
        session_ends_on=opened.ends_on,
    )


reset_router = APIRouter(tags=["password resets"])


class ResetsOffered(Shape):
    """Whether this server sends mail."""

    is_possible: bool


class ResetAsked(RequestBody):
    """Whose password it is, by the name to log in by or by the address of mail."""

    name: str = Field(min_length=1, max_length=256)
    language: LanguageCode | None = Field(
        default=None, description="where the person has chosen none"
    )


class ResetUsed(RequestBody):
    """What the link holds, and the new password."""

    token: str = Field(min_length=1, max_length=200)
    password: str = Field(max_length=1_000)


@reset_router.get("/password-resets", summary="Whether forgotten passwords are reset by mail")
def show_resets(context: ContextDep) -> ResetsOffered:
    """For the page that logs people in."""
    return ResetsOffered(
        is_possible=sends_mail(context.config) and context.settings.passwords_allowed
    )


@reset_router.post("/password-resets", summary="Ask for a link to a new password", status_code=202)
def ask_for_link(body: ResetAsked, context: ContextDep, request: Request) -> ResetsOffered:
    """The answer is the same whether anybody has this name or not."""
    ensure_same_origin(context, request)
    request_reset(context, body.name, address_of(request), body.language)
    return ResetsOffered(is_possible=True)


@reset_router.post("/password-resets/use", summary="Set a password by a link", status_code=204)
def use_link(body: ResetUsed, context: ContextDep, request: Request) -> None:
    """A link is good once and for 30 minutes; all sessions of the person end."""
    ensure_same_origin(context, request)
    use_reset(context, body.token, body.password, address_of(request))
