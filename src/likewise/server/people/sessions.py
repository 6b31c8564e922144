"""Log ins: each lives by a refresh token that is exchanged at every use.

A token is good once. Who comes with a used one holds a copy, or was copied from: nobody can tell
which, so the whole session ends. The one exception is the same browser in the same moment: two
tabs ask at once, or a page was left before its new token reached it. Each is given a new one.
"""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from sqlalchemy import Connection, delete, func, insert, select, update

from likewise.server.config import Config
from likewise.server.context import utc_now
from likewise.server.database import tables
from likewise.server.people import audit

sessions, refresh_tokens = tables.sessions, tables.refresh_tokens
users = tables.users

TOGETHER = timedelta(seconds=10)  # within which two calls count as made at once
Why = Literal[
    "logged out",
    "logged out everywhere",
    "token used twice",
    "password changed",
    "password reset",
    "deactivated",
    "ended by an administrator",
    "password reset by mail",
    "ended by the provider",
    "logged out elsewhere",
]
_LONG_AGO = datetime(1970, 1, 1)
Refusal = Literal["unknown", "ended", "used twice"]


@dataclass(frozen=True, slots=True)
class Session:
    """A log in, as its owner sees it."""

    id: str
    made_on: datetime
    used_on: datetime
    ends_on: datetime
    address: str | None
    agent: str | None
    provider: str | None = None  # who vouched for the person


@dataclass(frozen=True, slots=True)
class NewSession:
    """A session and the refresh token that is told once."""

    session: str
    user: str
    refresh_token: str
    ends_on: datetime
    device: str = ""  # the cookie of a browser that has just logged in


@dataclass(frozen=True, slots=True)
class Vouching:
    """By whom a log in was vouched for, where it was not by a password."""

    identity: str
    provider_session: str | None
    authenticated_on: datetime | None  # when the provider saw the person last; None where unsaid


@dataclass(frozen=True, slots=True)
class LiveSession:
    """A session and whose it is."""

    session: str
    user: str
    name: str


def open_session(
    connection: Connection,
    user: str,
    config: Config,
    address: str,
    agent: str,
    vouching: Vouching | None = None,
) -> NewSession:
    """Somebody has logged in."""
    session, now = secrets.token_hex(12), utc_now()
    ends_on = _end_of(now, now, config)
    connection.execute(
        insert(sessions).values(
            id=session,
            user_id=user,
            made_on=now,
            used_on=now,
            ends_on=ends_on,
            address=address,
            agent=agent,
            authenticated_on=now if vouching is None else vouching.authenticated_on or _LONG_AGO,
            identity_id=None if vouching is None else vouching.identity,
            provider_session=None if vouching is None else vouching.provider_session,
        )
    )
    return NewSession(session, user, _new_token(connection, session, now), ends_on)


def exchange_refresh_token(
    connection: Connection, token: str, config: Config, address: str, agent: str
) -> NewSession | Refusal:
    """A new token for an old one. A refusal is returned, since what it changes must be kept."""
    hashed, now = hash_token(token), utc_now()
    token_column, session = refresh_tokens.c, sessions.c
    # Of several at once one finds the row unused: PostgreSQL looks again after waiting.
    won = connection.execute(
        update(refresh_tokens)
        .where(token_column.hash == hashed, token_column.used_on.is_(None))
        .values(used_on=now)
    ).rowcount
    row = connection.execute(
        select(
            session.id,
            session.user_id,
            session.made_on,
            session.ends_on,
            session.ended_on,
            session.address,
            session.agent,
            token_column.used_on,
            users.c.name,
            users.c.is_active,
        )
        .select_from(refresh_tokens.join(sessions).join(users))
        .where(token_column.hash == hashed)
    ).first()
    if row is None:
        return "unknown"
    ends_on = _end_of(row.made_on, now, config)
    is_over = row.ended_on is not None or row.ends_on <= now or ends_on <= now
    if is_over or not row.is_active:
        return "ended"
    is_same = (row.address, row.agent) == (address, agent)
    if not won and not (is_same and now - row.used_on <= TOGETHER):
        end_session(connection, row.id, "token used twice")
        audit.record_act_of(
            connection, row.user_id, row.name, address, "session ended", row.id, why="token reused"
        )
        return "used twice"
    connection.execute(
        update(sessions)
        .where(session.id == row.id)
        .values(used_on=now, ends_on=ends_on, address=address, agent=agent)
    )
    # A token that is older than any session may be idle needs no watching any more.
    connection.execute(
        delete(refresh_tokens).where(
            token_column.session_id == row.id,
            token_column.used_on < now - timedelta(days=config.refresh_days),
        )
    )
    return NewSession(row.id, row.user_id, _new_token(connection, row.id, now), ends_on)


def authenticate_session(connection: Connection, session: str) -> None:
    """The password was given once more."""
    column = sessions.c
    living = update(sessions).where(column.id == session, column.ended_on.is_(None))
    connection.execute(living.values(authenticated_on=utc_now()))


def find_session(connection: Connection, token: str) -> LiveSession | None:
    """The living session that a refresh token belongs to."""
    row = connection.execute(
        select(sessions.c.id, sessions.c.user_id, users.c.name)
        .select_from(refresh_tokens.join(sessions).join(users))
        .where(refresh_tokens.c.hash == hash_token(token), sessions.c.ended_on.is_(None))
    ).first()
    return None if row is None else LiveSession(*row)


def end_session(connection: Connection, session: str, why: Why, *, of: str | None = None) -> bool:
    """End a session; whether there was one (`of` a person, where that is given)."""
    column = sessions.c
    whose = () if of is None else (column.user_id == of,)
    done = connection.execute(
        update(sessions)
        .where(column.id == session, column.ended_on.is_(None), *whose)
        .values(ended_on=utc_now(), ended_why=why)
    )
    return done.rowcount == 1


def end_sessions(connection: Connection, user: str, why: Why, *, but: str | None = None) -> int:
    """End all sessions of a person, but perhaps the one that asks for it."""
    column = sessions.c
    others = () if but is None else (column.id != but,)
    done = connection.execute(
        update(sessions)
        .where(column.user_id == user, column.ended_on.is_(None), *others)
        .values(ended_on=utc_now(), ended_why=why)
    )
    return done.rowcount


def list_sessions(
    connection: Connection, user: str, *, limit: int = 50, offset: int = 0
) -> tuple[list[Session], int]:
    """Where a person is logged in, the last used first, and in how many places."""
    column = sessions.c
    lives = (column.user_id == user, column.ended_on.is_(None), column.ends_on > utc_now())
    total = connection.execute(select(func.count()).select_from(sessions).where(*lives))
    identities, providers = tables.identities, tables.login_providers
    own = [column[name] for name in Session.__slots__ if name != "provider"]
    rows = connection.execute(
        select(*own, providers.c.name.label("provider"))
        .select_from(sessions.outerjoin(identities).outerjoin(providers))
        .where(*lives)
        .order_by(column.used_on.desc(), column.id)
        .limit(limit)
        .offset(offset)
    ).mappings()
    return [Session(**row) for row in rows], total.scalar_one()


def delete_ended_sessions(connection: Connection, before: datetime) -> int:
    """Drop sessions that ended before a moment, with their tokens."""
    column = sessions.c
    return connection.execute(
        delete(sessions).where((column.ended_on < before) | (column.ends_on < before))
    ).rowcount


def _end_of(made_on: datetime, now: datetime, config: Config) -> datetime:
    """When a session ends that is used now: idle too long, or older than any may be."""
    idle = now + timedelta(days=config.refresh_days)
    return min(idle, made_on + timedelta(days=config.session_days))


def _new_token(connection: Connection, session: str, now: datetime) -> str:
    token = "lwr_" + secrets.token_urlsafe(32)
    connection.execute(
        insert(refresh_tokens).values(hash=hash_token(token), session_id=session, made_on=now)
    )
    return token


def hash_token(token: str) -> bytes:
    """Tokens are random enough to need no salt."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()
