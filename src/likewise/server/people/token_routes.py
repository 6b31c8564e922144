"""Logging in, staying logged in, logging out."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response
from pydantic import Field

from likewise.server.context import Site
from likewise.server.http.addresses import address_of, agent_of
from likewise.server.people.access import TheSite
from likewise.server.people.callers import bearer_of, caller_of
from likewise.server.people.cookies import (
    clear_cookie,
    cookie_of,
    ensure_same_origin,
    logged_out,
    set_cookie,
)
from likewise.server.people.device_cookies import device_cookie, set_device_cookie
from likewise.server.people.login import log_in
from likewise.server.people.refreshing import ENDED, given_up, logged_out_by, refreshed
from likewise.server.people.sessions import Opened
from likewise.server.people.tokens import make_access_token
from likewise.server.problems import Problem
from likewise.server.shapes import Given, Moment, Shape

router = APIRouter(tags=["token"])


class LogIn(Given):
    """A name and its password."""

    name: str = Field(max_length=256)
    password: str = Field(max_length=1_000)
    cookie: bool = Field(default=False, description="keep the refresh token in a cookie")


class Refresh(Given):
    """The token of a program; a page leaves it to its cookie."""

    refresh_token: str | None = Field(default=None, max_length=200)


class Tokens(Shape):
    """What to send with every call, and what to get the next one with."""

    access_token: str
    token_type: str = "Bearer"
    expires_in: int = Field(description="seconds that the access token is good")
    refresh_token: str | None = Field(default=None, description="not told where a cookie keeps it")
    session: str
    session_ends_on: Moment = Field(description="unless it is refreshed before")


@router.post("/token", summary="Log in", response_model_exclude_none=True)
def make_token(given: LogIn, site: TheSite, request: Request, response: Response) -> Tokens:
    """A short access token and a refresh token, for a name and its password.

    With `cookie` a browser also gets a device cookie: with it the next log in does not wait for
    those who guess. Programs use keys.
    """
    if given.cookie:
        ensure_same_origin(site, request)
    opened = log_in(
        site,
        given.name,
        given.password,
        address_of(request),
        agent_of(request),
        device_cookie(request),
    )
    if given.cookie:
        set_device_cookie(response, site, request, opened.device)
    return _told(site, request, response, opened, in_cookie=given.cookie)


@router.post("/token/refresh", summary="Stay logged in", response_model_exclude_none=True)
def refresh_token(
    site: TheSite, request: Request, response: Response, given: Refresh | None = None
) -> Tokens:
    """A new pair for a refresh token. It is good once: whoever brings it again ends the log in.

    A page sends its cookie with the header `X-Likewise: page`; a program the token in the body.
    """
    written = given.refresh_token if given else None
    token = written or cookie_of(site, request)
    if token is None:
        raise Problem("not logged in", "server.no_refresh_token")
    opened = refreshed(site, token, address_of(request), agent_of(request))
    if opened is None:
        if written:
            raise Problem("not logged in", ENDED)
        raise logged_out(ENDED, site, request)
    return _told(site, request, response, opened, in_cookie=not written)


@router.post("/token/end", summary="Log out", status_code=204)
def end_token(site: TheSite, request: Request, given: Refresh | None = None) -> Response:
    """End the session of a refresh token, in the body or the cookie, or of the access token."""
    written = given.refresh_token if given else None
    token = written or cookie_of(site, request)
    if token is not None:
        is_done = given_up(site, token, address_of(request))
    elif bearer_of(request) is not None:
        is_done = logged_out_by(site, caller_of(site, request, even_must_change=True))
    else:
        raise Problem("not logged in", "server.nothing_to_end")
    if not is_done:
        raise logged_out(ENDED, site, request)
    response = Response(status_code=204)
    clear_cookie(response, site, request)
    return response


def _told(
    site: Site, request: Request, response: Response, opened: Opened, *, in_cookie: bool
) -> Tokens:
    if in_cookie:
        set_cookie(response, site, request, opened.refresh_token)
    response.headers["Cache-Control"] = "no-store"
    return Tokens(
        access_token=make_access_token(site, opened.user, opened.session),
        expires_in=site.config.access_minutes * 60,
        refresh_token=None if in_cookie else opened.refresh_token,
        session=opened.session,
        session_ends_on=opened.ends_on,
    )
