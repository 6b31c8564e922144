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
from datetime import datetime, timedelta
from weakref import WeakKeyDictionary

from sqlalchemy import Connection, delete, insert, select, text

from likewise.server.context import Site, this_moment
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

    def signs(self, moment: datetime) -> bool:
        """Whether a token that is signed now can be verified all its life."""
        return moment < self.ends_on - LONGEST_TOKEN


class SigningKeys:
    """The keys as this process knows them."""

    def __init__(self, site: Site) -> None:
        self._store, self._days = site.store, site.config.key_days
        self._keys: dict[str, SigningKey] = {}
        self._read_at = float("-inf")
        self._lock = threading.Lock()

    def newest(self) -> SigningKey:
        """The key to sign with; made where there is none."""
        with self._lock:
            if time.monotonic() - self._read_at > FRESH_SECONDS:
                self._read()
            found = _signing(self._keys.values())
            if found is None:
                with self._store.beside() as connection:
                    ensure_key(connection, self._days)
                self._read()
                found = _signing(self._keys.values())
            if found is None:
                raise RuntimeError("a signing key was made and is not there")
            return found

    def known(self, id: str) -> SigningKey | None:
        """The key of this name, if it still verifies; looks for new ones, but not at every call."""
        with self._lock:
            age = time.monotonic() - self._read_at
            if age > FRESH_SECONDS or (id not in self._keys and age > RELOAD_SECONDS):
                self._read()
            found = self._keys.get(id)
        return found if found is not None and this_moment() < found.ends_on else None

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
    moment = this_moment()
    if _signing(read_keys(connection)) is not None:
        return
    forget_ended(connection)
    connection.execute(
        insert(signing_keys).values(
            id=secrets.token_hex(8),
            secret=secrets.token_bytes(48),
            made_on=moment,
            ends_on=moment + timedelta(days=days) + LONGEST_TOKEN,
        )
    )


def forget_ended(connection: Connection) -> int:
    """Remove keys that no living token was signed with."""
    ended = delete(signing_keys).where(signing_keys.c.ends_on <= this_moment())
    return connection.execute(ended).rowcount


def keys_of(site: Site) -> SigningKeys:
    """The keys of a server."""
    with _making:
        if site not in _known:
            _known[site] = SigningKeys(site)
        return _known[site]


def _signing(keys: Iterable[SigningKey]) -> SigningKey | None:
    moment = this_moment()
    able = [key for key in keys if key.signs(moment)]
    return max(able, key=lambda key: (key.made_on, key.id)) if able else None


_known: WeakKeyDictionary[Site, SigningKeys] = WeakKeyDictionary()
_making = threading.Lock()
