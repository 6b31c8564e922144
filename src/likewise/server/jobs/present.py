"""Which workers are there: each signs now and then, so that those who wait are known too."""

from __future__ import annotations

from datetime import timedelta

from sqlalchemy import Connection, delete, select

from likewise.library import schema
from likewise.library.store import Store
from likewise.server.jobs.queue import jobs, moment_of
from likewise.server.site import set_value

SIGN_EVERY_SECONDS = 20.0
_ABSENT_AFTER = timedelta(seconds=3 * SIGN_EVERY_SECONDS)
_FORGOTTEN_AFTER = timedelta(hours=1)
_KEY = "server.worker:"
_kept = schema.key_values


def sign(store: Store, worker: str) -> None:
    """Say that a worker is there."""
    with store.beside() as connection:
        set_value(connection, _KEY + worker, moment_of(connection).isoformat())


def sign_off(store: Store, worker: str) -> None:
    """Say that a worker is there no more."""
    with store.beside() as connection:
        connection.execute(delete(_kept).where(_kept.c.key == _KEY + worker))


def busy_workers(connection: Connection) -> set[str]:
    """Those that hold a job and have been heard of."""
    held = (jobs.c.state == "running", jobs.c.leased_until > moment_of(connection))
    return set(connection.execute(select(jobs.c.worker).where(*held)).scalars()) - {None}


def present_workers(connection: Connection) -> set[str]:
    """Those that have signed lately, and those that are busy and sign when they are done."""
    since = (moment_of(connection) - _ABSENT_AFTER).isoformat()
    signed = select(_kept.c.key).where(_kept.c.key.startswith(_KEY), _kept.c.value > since)
    heard = {key.removeprefix(_KEY) for key in connection.execute(signed).scalars()}
    return heard | busy_workers(connection)


def forget_absent(connection: Connection) -> int:
    """Drop those that were killed and could not sign off; how many they were."""
    before = (moment_of(connection) - _FORGOTTEN_AFTER).isoformat()
    old = delete(_kept).where(_kept.c.key.startswith(_KEY), _kept.c.value < before)
    return connection.execute(old).rowcount
