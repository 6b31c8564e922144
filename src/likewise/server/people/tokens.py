"""The keys that access tokens are signed with: in the database, shared by all servers, renewed.

The newest key signs for `config.key_days`. It verifies a day longer, the longest that an access
token may live, and is then removed.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from weakref import WeakKeyDictionary

import jwt
from sqlalchemy import Connection, delete, insert, select, text

from likewise.server.context import ServerContext, utc_now
from likewise.server.database import tables

signing_keys = tables.signing_keys

LONGEST_TOKEN = timedelta(days=1)  # as `Config` limits access_minutes
RELOAD_SECONDS = 1.0  # at least, between two looks for a key that nobody knows
FRESH_SECONDS = 60.0  # how long a key that was removed elsewhere may go on
_MAKING = 0x51C4  # the lock under which a key is made on PostgreSQL


@dataclass(frozen=True, slots=True)
class SigningKey:
    """A secret, and until when it verifies."""

    id: str
    secret: bytes
    made_on: datetime
    ends_on: datetime

    def signs(self, now: datetime) -> bool:
        """Whether a token that is signed now can be verified all its life."""
        return now < self.ends_on - LONGEST_TOKEN


class SigningKeys:
    """The keys as this process knows them."""

    def __init__(self, context: ServerContext) -> None:
        self._store, self._days = context.store, context.config.key_days
        self._keys: dict[str, SigningKey] = {}
        self._read_at = float("-inf")
        self._lock = threading.Lock()

    def newest(self) -> SigningKey:
        """The key to sign with; made where there is none."""
        with self._lock:
            if time.monotonic() - self._read_at > FRESH_SECONDS:
                self._read()
            key = _newest_signing_key(self._keys.values())
            if key is None:
                with self._store.beside() as connection:
                    ensure_key(connection, self._days)
                self._read()
                key = _newest_signing_key(self._keys.values())
            if key is None:
                raise RuntimeError("a signing key was made and is not there")
            return key

    def find(self, id: str) -> SigningKey | None:
        """The key of this name, if it still verifies; looks for new ones, but not at every call."""
        with self._lock:
            age = time.monotonic() - self._read_at
            if age > FRESH_SECONDS or (id not in self._keys and age > RELOAD_SECONDS):
                self._read()
            key = self._keys.get(id)
        return key if key is not None and utc_now() < key.ends_on else None

    def _read(self) -> None:
        with self._store.reading() as connection:
            self._keys = {key.id: key for key in read_keys(connection)}
        self._read_at = time.monotonic()


def read_keys(connection: Connection) -> list[SigningKey]:
    """All keys that are kept."""
    rows = connection.execute(select(signing_keys))
    return [SigningKey(row.id, bytes(row.secret), row.made_on, row.ends_on) for row in rows]


def ensure_key(connection: Connection, days: int) -> None:
    """One key that signs, however many servers ask for it at once; what has ended is removed."""
    if connection.dialect.name == "postgresql":
        connection.execute(text(f"SELECT pg_advisory_xact_lock({_MAKING})"))
    now = utc_now()
    if _newest_signing_key(read_keys(connection)) is not None:
        return
    delete_ended_keys(connection)
    connection.execute(
        insert(signing_keys).values(
            id=secrets.token_hex(8),
            secret=secrets.token_bytes(48),
            made_on=now,
            ends_on=now + timedelta(days=days) + LONGEST_TOKEN,
        )
    )


def delete_ended_keys(connection: Connection) -> int:
    """Remove keys that no living token was signed with."""
    ended = delete(signing_keys).where(signing_keys.c.ends_on <= utc_now())
    return connection.execute(ended).rowcount


def signing_keys_of(context: ServerContext) -> SigningKeys:
    """The keys of a server."""
    with _making:
        if context not in _keys_by_context:
            _keys_by_context[context] = SigningKeys(context)
        return _keys_by_context[context]


def _newest_signing_key(keys: Iterable[SigningKey]) -> SigningKey | None:
    now = utc_now()
    able = [key for key in keys if key.signs(now)]
    return max(able, key=lambda key: (key.made_on, key.id)) if able else None


_keys_by_context: WeakKeyDictionary[ServerContext, SigningKeys] = WeakKeyDictionary()
_making = threading.Lock()

ALGORITHM = "HS256"
ISSUER = "likewise"
AUDIENCE = "likewise-api"
_MAX_TOKEN_CHARS = 2_000  # ours have some 300 characters
_SKEW = timedelta(seconds=5)  # by which the clocks of two servers may differ
_CLAIMS = ["sub", "sid", "iat", "exp", "iss", "aud"]


@dataclass(frozen=True, slots=True)
class Claims:
    """What a token says and its signature proves."""

    user: str
    session: str


def make_access_token(context: ServerContext, user: str, session: str) -> str:
    """A token for one session, good for `config.access_minutes`."""
    key, now = signing_keys_of(context).newest(), datetime.now(UTC)
    return jwt.encode(
        {
            "sub": user,
            "sid": session,
            "iat": now,
            "exp": now + timedelta(minutes=context.config.access_minutes),
            "iss": ISSUER,
            "aud": AUDIENCE,
        },
        key.secret,
        algorithm=ALGORITHM,
        headers={"kid": key.id},
    )


def read_access_token(context: ServerContext, token: str) -> Claims | None:
    """What a token claims; None for one that is forged, damaged, for others or too old."""
    if len(token) > _MAX_TOKEN_CHARS:
        return None
    try:
        kid = jwt.get_unverified_header(token).get("kid")
        key = signing_keys_of(context).find(kid) if isinstance(kid, str) else None
        if key is None:
            return None
        claims = jwt.decode(
            token,
            key.secret,
            algorithms=[ALGORITHM],
            issuer=ISSUER,
            audience=AUDIENCE,
            leeway=_SKEW,
            options={"require": _CLAIMS},
        )
    except (jwt.InvalidTokenError, ValueError):
        return None
    user, session = claims["sub"], claims["sid"]
    return Claims(user, session) if isinstance(session, str) else None
