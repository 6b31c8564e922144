"""The cookie of a browser that has logged in as somebody before: it need not wait for guessers.

It lets nobody in: it only says that the next password comes from a browser which once knew it. So
it is bound to the person and not to the password: whoever has just been given a new one is the last
who should be held up. It names nobody: a browser may hold several, and each is tried.
"""

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
from likewise.server.context import Site

NAME = "likewise_device"
GOOD_SECONDS = 365 * 86_400
_KEY = "server.device secret"
_PATH = "/api/v1/token"
_PEOPLE = 5  # that share a browser
_BETWEEN = "~"
_LONGEST = 1_000


def device_secret(connection: Connection) -> bytes:
    """What device cookies are signed with: made once, the same for all servers of a library."""
    column = schema.key_values.c
    query = select(column.value).where(column.key == _KEY)
    kept = connection.execute(query).scalar()
    if kept is None:
        if connection.dialect.name == "postgresql":
            from sqlalchemy.dialects.postgresql import insert as insert_or
        else:
            from sqlalchemy.dialects.sqlite import insert as insert_or  # type: ignore[assignment]
        new = insert_or(schema.key_values).values(key=_KEY, value=secrets.token_hex(32))
        connection.execute(new.on_conflict_do_nothing(index_elements=["key"]))
        kept = connection.execute(query).scalar_one()
    return bytes.fromhex(str(kept))


def device_of(connection: Connection, cookie: str, user: str) -> str | None:
    """The browser's letters, if it has logged in as this person; the same work for everybody."""
    secret, found = device_secret(connection), None
    for one in _parts(cookie):
        id, _, rest = one.partition(".")
        made_on, _, signature = rest.partition(".")
        is_ours = hmac.compare_digest(signature.encode(), _sign(secret, user, id, made_on).encode())
        if is_ours and user and time.time() - int(made_on) < GOOD_SECONDS:
            found = id
    return found


def with_device(connection: Connection, cookie: str, user: str) -> str:
    """The cookie of a browser that has just logged in as somebody; its count goes on."""
    secret = device_secret(connection)
    id = device_of(connection, cookie, user) or secrets.token_hex(12)
    made_on = str(int(time.time()))
    own = f"{id}.{made_on}.{_sign(secret, user, id, made_on)}"
    others = [one for one in _parts(cookie) if one.partition(".")[0] != id]
    return _BETWEEN.join([own, *others[: _PEOPLE - 1]])


def device_cookie(request: Request) -> str:
    """What the browser brings."""
    return request.cookies.get(NAME, "")


def set_device_cookie(response: Response, site: Site, request: Request, value: str) -> None:
    """Hand it to the browser: no script reads it, and only what is about tokens gets it."""
    public = site.config.public_url
    response.set_cookie(
        NAME,
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
    found = cookie.split(_BETWEEN)[:_PEOPLE]
    return [one for one in found if _is_fit(one.split("."))]


def _is_fit(fields: list[str]) -> bool:
    if len(fields) != 3 or not all(one.isalnum() for one in fields):
        return False
    id, made_on, signature = fields
    return len(id) == 24 and made_on.isdecimal() and len(made_on) < 12 and len(signature) == 64


def _sign(secret: bytes, user: str, id: str, made_on: str) -> str:
    said = f"device|{user}|{id}|{made_on}".encode()
    return hmac.new(secret, said, hashlib.sha256).hexdigest()
