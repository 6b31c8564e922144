"""Which workers are there: each signs now and then, so that those who wait are known too.

And how often one was killed, and why: counted in the database, whichever machine it was on.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Literal, get_args

from sqlalchemy import Connection, Integer, String, cast, delete, select, update

from likewise.library import schema
from likewise.library.registry import write_value
from likewise.library.store import Store
from likewise.server.jobs.queue import database_now, jobs

SIGN_EVERY_SECONDS = 20.0
_ABSENT_AFTER = timedelta(seconds=3 * SIGN_EVERY_SECONDS)
_FORGOTTEN_AFTER = timedelta(hours=1)
_KEY = "server.worker:"
_LAST_SIGN = "server.worker_signed_on"
_KILLED = "server.workers_killed:"
_values = schema.key_values


# Why a worker was killed: it did not answer, its job took too long, or was cancelled and went on.
KilledFor = Literal["silent", "too long", "cancelled"]


def sign(store: Store, worker: str) -> None:
    """Say that a worker is there."""
    with store.beside() as connection:
        now = database_now(connection).isoformat()
        write_value(connection, _KEY + worker, now)
        write_value(connection, _LAST_SIGN, now)


def last_sign(connection: Connection) -> datetime | None:
    """When any worker last signed, also one that has ended since; None where none ever did."""
    query = select(_values.c.value).where(_values.c.key == _LAST_SIGN)
    value = connection.execute(query).scalar()
    return None if value is None else datetime.fromisoformat(value)


def sign_off(store: Store, worker: str) -> None:
    """Say that a worker is there no more."""
    with store.beside() as connection:
        connection.execute(delete(_values).where(_values.c.key == _KEY + worker))


def busy_workers(connection: Connection) -> set[str]:
    """Those that hold a job and have been heard of."""
    is_held = (jobs.c.state == "running", jobs.c.leased_until > database_now(connection))
    return set(connection.execute(select(jobs.c.worker).where(*is_held)).scalars()) - {None}


def present_workers(connection: Connection) -> set[str]:
    """Those that have signed lately, and those that are busy and sign when they are done."""
    now = database_now(connection)
    since, until = (now - _ABSENT_AFTER).isoformat(), (now + _ABSENT_AFTER).isoformat()
    signed = select(_values.c.key).where(
        _values.c.key.startswith(_KEY), _values.c.value > since, _values.c.value < until
    )
    signed_workers = {key.removeprefix(_KEY) for key in connection.execute(signed).scalars()}
    return signed_workers | busy_workers(connection)


def forget_absent(connection: Connection) -> int:
    """Drop those that were killed and could not sign off; how many they were."""
    before = (database_now(connection) - _FORGOTTEN_AFTER).isoformat()
    old = delete(_values).where(_values.c.key.startswith(_KEY), _values.c.value < before)
    return connection.execute(old).rowcount


def count_killed(connection: Connection, why: KilledFor) -> None:
    """Note that a worker was killed."""
    key, count = _values.c.key == _KILLED + why, cast(_values.c.value, Integer)
    more = update(_values).where(key).values(value=cast(count + 1, String))
    if not connection.execute(more).rowcount:
        write_value(connection, _KILLED + why, "1")


def killed_workers(connection: Connection) -> dict[KilledFor, int]:
    """How many workers were killed since there is this library, and why."""
    query = select(_values.c.key, _values.c.value).where(_values.c.key.startswith(_KILLED))
    counts = {key.removeprefix(_KILLED): int(value) for key, value in connection.execute(query)}
    return {why: counts.get(why, 0) for why in get_args(KilledFor)}
