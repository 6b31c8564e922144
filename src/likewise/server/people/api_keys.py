"""Keys for programs: a person's, with some of the person's rights, shown once."""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import get_args

from sqlalchemy import Connection, func, insert, select, update

from likewise.server.caller import OF_ADMINISTRATORS, OF_STUDENTS, Caller, Role, Scope
from likewise.server.context import ServerContext, utc_now
from likewise.server.database import tables
from likewise.server.people import audit
from likewise.server.problems import Problem, not_found

api_keys, users = tables.api_keys, tables.users

PREFIX = "lwk_"
SCOPES: tuple[Scope, ...] = get_args(Scope)
MAX_KEYS = 50  # of one person
_USE_IS_WRITTEN_EVERY = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class ApiKey:
    """A key as it is listed; the secret is nowhere."""

    id: str
    user_id: str
    user_name: str
    name: str
    scopes: tuple[Scope, ...]
    made_on: datetime
    ends_on: datetime | None
    used_on: datetime | None
    ended_on: datetime | None


def make_key(
    connection: Connection,
    caller: Caller,
    name: str,
    scopes: Iterable[Scope],
    ends_on: datetime | None,
) -> tuple[ApiKey, str]:
    """A new key of the caller's, and its secret."""
    scope_set = frozenset(scopes)
    if scope_set & OF_ADMINISTRATORS and caller.role != "administrator":
        raise Problem("not allowed", "server.administrators_keys")
    now = utc_now()
    if ends_on is not None and ends_on <= now:
        raise Problem("bad request", "server.key_ended")
    # Two at once wait for each other, so that nobody gets past the limit.
    connection.execute(select(users.c.id).where(users.c.id == caller.id).with_for_update())
    if count_live_keys(connection, caller.id) >= MAX_KEYS:
        raise Problem("conflict", "server.keys", n=MAX_KEYS)
    id, secret = secrets.token_hex(8), secrets.token_urlsafe(32)
    connection.execute(
        insert(api_keys).values(
            id=id,
            user_id=caller.id,
            name=name,
            hash=hash_secret(secret),
            scopes=json.dumps(sorted(scope_set)),
            made_on=now,
            ends_on=ends_on,
        )
    )
    audit.record_act(connection, caller, "key made", id, scopes=sorted(scope_set))
    keys, _ = list_keys(connection, id=id)
    return keys[0], f"{PREFIX}{id}_{secret}"


def count_live_keys(connection: Connection, user: str) -> int:
    """How many keys of a person are not revoked."""
    query = select(func.count()).where(api_keys.c.user_id == user, api_keys.c.ended_on.is_(None))
    return connection.execute(query).scalar_one()


def list_keys(
    connection: Connection,
    *,
    user: str | None = None,
    id: str | None = None,
    limit: int = 50,
    offset: int = 0,
) -> tuple[list[ApiKey], int]:
    """Keys, the newest first, of a person or of all; and how many there are."""
    column = api_keys.c
    conditions = [column.user_id == user] if user is not None else []
    conditions += [column.id == id] if id is not None else []
    total = connection.execute(select(func.count()).select_from(api_keys).where(*conditions))
    own = (column[name] for name in ApiKey.__slots__ if name != "user_name")
    rows = connection.execute(
        select(*own, users.c.name.label("user_name"))
        .select_from(api_keys.join(users))
        .where(*conditions)
        .order_by(column.made_on.desc(), column.id)
        .limit(limit)
        .offset(offset)
    ).mappings()
    keys = [ApiKey(**{**row, "scopes": tuple(json.loads(row["scopes"]))}) for row in rows]
    return keys, total.scalar_one()


def revoke_key(connection: Connection, caller: Caller, id: str) -> None:
    """End a key of one's own; an administrator anybody's."""
    column = api_keys.c
    whose = () if caller.is_administrator else (column.user_id == caller.id,)
    done = connection.execute(
        update(api_keys)
        .where(column.id == id, column.ended_on.is_(None), *whose)
        .values(ended_on=utc_now())
    )
    if done.rowcount != 1:
        raise not_found("server.noun_key")
    audit.record_act(connection, caller, "key revoked", id)


def end_keys(connection: Connection, user: str) -> int:
    """End all keys of a person."""
    column = api_keys.c
    return connection.execute(
        update(api_keys)
        .where(column.user_id == user, column.ended_on.is_(None))
        .values(ended_on=utc_now())
    ).rowcount


def caller_by_key(context: ServerContext, key: str, address: str) -> Caller | None:
    """The program of a key, with what its person may at this moment."""
    id, _, secret = key.removeprefix(PREFIX).partition("_")
    if not (id.isascii() and id.isalnum()):  # also keeps out what no database takes
        return None
    column, now = api_keys.c, utc_now()
    with context.store.reading() as connection:
        row = connection.execute(
            select(
                column.hash,
                column.scopes,
                column.used_on,
                users.c.id,
                users.c.name,
                users.c.role,
                users.c.must_change,
            )
            .select_from(api_keys.join(users))
            .where(
                column.id == id,
                column.ended_on.is_(None),
                column.ends_on.is_(None) | (column.ends_on > now),
                users.c.is_active,
            )
        ).first()
    if row is None or not hmac.compare_digest(bytes(row.hash), hash_secret(secret)):
        return None
    scopes = allowed_scopes(json.loads(row.scopes), row.role)
    if row.used_on is None or now - row.used_on >= _USE_IS_WRITTEN_EVERY:
        _note_use(context, id, now)
    return Caller(
        row.id, row.name, row.role, address, key=id, scopes=scopes, must_change=row.must_change
    )


def allowed_scopes(scopes: Iterable[Scope], role: Role) -> frozenset[Scope]:
    """Those scopes that a role may have; a teacher's key never administers."""
    known_scopes = frozenset(scopes) & frozenset(SCOPES)
    if role == "student":
        return known_scopes & OF_STUDENTS
    return known_scopes if role == "administrator" else known_scopes - OF_ADMINISTRATORS


def _note_use(context: ServerContext, id: str, now: datetime) -> None:
    column = api_keys.c
    is_due = column.used_on.is_(None) | (column.used_on <= now - _USE_IS_WRITTEN_EVERY)
    with context.store.beside() as connection:
        connection.execute(update(api_keys).where(column.id == id, is_due).values(used_on=now))


def hash_secret(secret: str) -> bytes:
    """Secrets are random enough to need no salt."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).digest()
