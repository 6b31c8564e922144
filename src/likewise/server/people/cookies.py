"""The refresh token of a browser: in a cookie that no script reads and no other site can use."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time
from urllib.parse import urlsplit

from fastapi import Request
from sqlalchemy import Connection, select
from starlette.responses import Response

from likewise.library import schema
from likewise.library.conflicts import insert_if_new
from likewise.server.context import ServerContext
from likewise.server.problems import Problem

REFRESH_COOKIE = "likewise_refresh"
PAGE_HEADER, PAGE = "X-Likewise", "page"  # other sites cannot send it without asking us first
_PATH = "/api/v1/token"
_DEFAULT_PORTS = {"http": 80, "https": 443}


class LoggedOut(Problem):
    """The cookie is good for nothing any more; the browser is told to forget it."""

    def __init__(self, key: str, forgetting: str) -> None:
        super().__init__("not logged in", key)
        self._forgetting = forgetting

    @property
    def headers(self) -> dict[str, str]:
        return super().headers | {"Set-Cookie": self._forgetting}


def set_refresh_cookie(
    response: Response, context: ServerContext, request: Request, token: str
) -> None:
    """Hand a refresh token to a browser."""
    response.set_cookie(
        REFRESH_COOKIE,
        token,
        max_age=context.config.refresh_days * 86_400,
        path=_refresh_path(context),
        secure=is_secure(context, request),
        httponly=True,
        samesite="strict",
    )


def clear_refresh_cookie(response: Response, context: ServerContext, request: Request) -> None:
    """Tell a browser to forget it."""
    response.delete_cookie(
        REFRESH_COOKIE,
        path=_refresh_path(context),
        secure=is_secure(context, request),
        httponly=True,
        samesite="strict",
    )


def logged_out_problem(key: str, context: ServerContext, request: Request) -> LoggedOut:
    """A refusal that also clears the cookie."""
    response = Response()
    clear_refresh_cookie(response, context, request)
    return LoggedOut(key, response.headers["set-cookie"])


def read_refresh_cookie(context: ServerContext, request: Request) -> str | None:
    """The token in the cookie, if our own page sends it."""
    token = request.cookies.get(REFRESH_COOKIE)
    if not token:
        return None
    if request.headers.get(PAGE_HEADER) != PAGE:
        raise Problem("not allowed", "server.page_header", header=PAGE_HEADER, value=PAGE)
    ensure_same_origin(context, request)
    return token


def ensure_same_origin(context: ServerContext, request: Request) -> None:
    """Refuse what a browser sends for another site's page. Programs say nothing of either."""
    from_where = request.headers.get("sec-fetch-site")
    if from_where is not None and from_where != "same-origin":
        raise Problem("not allowed", "server.another_site")
    origin = request.headers.get("origin")
    if origin is None:
        return
    # A proxy may take TLS off, so the host is compared and not the scheme.
    ours = {_host(f"//{request.headers.get('host', '')}", origin)}
    if context.config.public_url:
        ours.add(_host(context.config.public_url, context.config.public_url))
    theirs = _host(origin, origin)
    if theirs is None or theirs not in ours:
        raise Problem("not allowed", "server.another_site")


def _host(address: str, of_scheme: str) -> tuple[str, int | None] | None:
    """Host and port, the port of the scheme where none is written."""
    try:
        parts, scheme = urlsplit(address), urlsplit(of_scheme).scheme
        if not parts.hostname:
            return None
        return parts.hostname, parts.port or _DEFAULT_PORTS.get(scheme)
    except ValueError:
        return None


def _refresh_path(context: ServerContext) -> str:
    """Only what is about tokens gets the cookie, also where a proxy serves us under a path."""
    return urlsplit(context.config.public_url).path.rstrip("/") + _PATH


def is_secure(context: ServerContext, request: Request) -> bool:
    """Whether browsers reach us by https, so that a cookie may be sent by nothing else."""
    return request.url.scheme == "https" or context.config.public_url.startswith("https://")


DEVICE_COOKIE = "likewise_device"
GOOD_SECONDS = 365 * 86_400
_KEY = "server.device secret"
_PEOPLE = 5  # that share a browser
_BETWEEN = "~"
_LONGEST = 1_000


def device_secret(connection: Connection) -> bytes:
    """What device cookies are signed with: made once, the same for all servers of a library."""
    column = schema.key_values.c
    query = select(column.value).where(column.key == _KEY)
    stored = connection.execute(query).scalar()
    if stored is None:
        row = {"key": _KEY, "value": secrets.token_hex(32)}
        insert_if_new(connection, schema.key_values, row, key="key")
        stored = connection.execute(query).scalar_one()
    return bytes.fromhex(str(stored))


def verify_device(connection: Connection, cookie: str, user: str) -> str | None:
    """The browser's letters, if it has logged in as this person; the same work for everybody."""
    secret, device = device_secret(connection), None
    for one in _parts(cookie):
        id, _, rest = one.partition(".")
        made_on, _, signature = rest.partition(".")
        is_ours = hmac.compare_digest(signature.encode(), _sign(secret, user, id, made_on).encode())
        if is_ours and user and time.time() - int(made_on) < GOOD_SECONDS:
            device = id
    return device


def add_device(connection: Connection, cookie: str, user: str) -> str:
    """The cookie of a browser that has just logged in as somebody; its count goes on."""
    secret = device_secret(connection)
    id = verify_device(connection, cookie, user) or secrets.token_hex(12)
    made_on = str(int(time.time()))
    own = f"{id}.{made_on}.{_sign(secret, user, id, made_on)}"
    others = [one for one in _parts(cookie) if one.partition(".")[0] != id]
    return _BETWEEN.join([own, *others[: _PEOPLE - 1]])


def read_device_cookie(request: Request) -> str:
    """What the browser brings."""
    return request.cookies.get(DEVICE_COOKIE, "")


def set_device_cookie(
    response: Response, context: ServerContext, request: Request, value: str
) -> None:
    """Hand it to the browser: no script reads it, and only what is about tokens gets it."""
    public = context.config.public_url
    response.set_cookie(
        DEVICE_COOKIE,
        value,
        max_age=GOOD_SECONDS,
        path=urlsplit(public).path.rstrip("/") + _PATH,
        secure=request.url.scheme == "https" or public.startswith("https://"),
        httponly=True,
        samesite="lax",
    )


def _parts(cookie: str) -> list[str]:
    """Those that look like ours; whatever else a browser brings is passed over."""
    if len(cookie) > _LONGEST or not cookie.isascii():
        return []
    parts = cookie.split(_BETWEEN)[:_PEOPLE]
    return [one for one in parts if _is_fit(one.split("."))]


def _is_fit(fields: list[str]) -> bool:
    if len(fields) != 3 or not all(one.isalnum() for one in fields):
        return False
    id, made_on, signature = fields
    return len(id) == 24 and made_on.isdecimal() and len(made_on) < 12 and len(signature) == 64


def _sign(secret: bytes, user: str, id: str, made_on: str) -> str:
    payload = f"device|{user}|{id}|{made_on}".encode()
    return hmac.new(secret, payload, hashlib.sha256).hexdigest()
