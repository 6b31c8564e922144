"""How often somebody may be wrong: counted in the database, so that all servers count together.

A try is counted before it is looked at and given back when it was right: a hundred tries at the
same moment are a hundred tries. Names are locked for a while that doubles. Addresses, behind which
a whole campus may sit, are only slowed down: what was counted drains away with time.
"""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from sqlalchemy import Connection, delete, select, update

from likewise.library import schema
from likewise.server.accounts.addresses import network_of
from likewise.server.site import SiteSettings, this_moment

guesses = schema.server.guesses

Secret = Literal["password", "refresh token", "key"]
FORGOTTEN_AFTER = timedelta(days=1)
LONGEST_LOCK = timedelta(days=1)
_MOST_DOUBLINGS = 4
_ADDRESS_FACTOR, _ADDRESS_LEAST = 40, 100


@dataclass(frozen=True, slots=True)
class _Count:
    failures: int
    last_on: datetime
    locked_until: datetime | None


def try_name(connection: Connection, name: str, settings: SiteSettings) -> int:
    """Count a try with a name; the seconds to wait, 0 if it may be looked at."""
    of, moment = _of_name(name), this_moment()
    count = _locked_count(connection, of, moment)
    if count.locked_until is not None and moment < count.locked_until:
        return _seconds(count.locked_until - moment)
    is_old = moment - count.last_on > FORGOTTEN_AFTER
    failures = 1 if is_old else count.failures + 1
    wait = lock_of(failures, settings)
    _keep(connection, of, _Count(failures, moment, moment + wait if wait else None))
    return 0


def lock_of(failures: int, settings: SiteSettings) -> timedelta | None:
    """For how long so many wrong tries lock a name: each one after the first lock doubles it.

    >>> [lock_of(failures, SiteSettings()) for failures in (4, 5, 6)]
    [None, datetime.timedelta(seconds=900), datetime.timedelta(seconds=1800)]
    """
    beyond = failures - settings.lock_after
    if beyond < 0:
        return None
    wait = timedelta(minutes=settings.lock_minutes << min(beyond, _MOST_DOUBLINGS))
    return min(wait, LONGEST_LOCK)


def forget_name(connection: Connection, name: str) -> bool:
    """Somebody knew the password, or an administrator unlocks the name; whether it was counted."""
    return connection.execute(delete(guesses).where(guesses.c.of == _of_name(name))).rowcount > 0


def try_address(
    connection: Connection, secret: Secret, address: str, settings: SiteSettings
) -> int:
    """Count a try from an address; the seconds to wait, 0 if it may be looked at."""
    of, moment = _of_address(secret, address), this_moment()
    most = most_from_address(settings)
    step = timedelta(minutes=settings.lock_minutes) / most
    count = _drained(_locked_count(connection, of, moment), moment, step)
    if count.failures >= most:
        return _seconds(count.last_on + step - moment)
    _keep(connection, of, _Count(count.failures + 1, count.last_on, None))
    return 0


def most_from_address(settings: SiteSettings) -> int:
    """How many wrong tries an address has in `lock_minutes`: far more than a name."""
    return max(_ADDRESS_LEAST, _ADDRESS_FACTOR * settings.lock_after)


def give_back(connection: Connection, secret: Secret, address: str) -> None:
    """The try was right after all. What was wrong before still counts."""
    column = guesses.c
    connection.execute(
        update(guesses)
        .where(column.of == _of_address(secret, address), column.failures > 0)
        .values(failures=column.failures - 1)
    )


def forget_old(connection: Connection) -> int:
    """Drop counts that no longer count."""
    moment = this_moment()
    column = guesses.c
    unlocked = column.locked_until.is_(None) | (column.locked_until < moment)
    # Rows that somebody holds are passed over: two who wait for each other's would wait for ever.
    old = (
        select(column.of)
        .where(column.last_on < moment - FORGOTTEN_AFTER, unlocked)
        .with_for_update(skip_locked=True)
    )
    return connection.execute(delete(guesses).where(column.of.in_(old))).rowcount


def _locked_count(connection: Connection, of: str, moment: datetime) -> _Count:
    """The count, held until the transaction ends: others who try wait for this one."""
    if connection.dialect.name == "postgresql":
        from sqlalchemy.dialects.postgresql import insert as insert_or
    else:
        from sqlalchemy.dialects.sqlite import insert as insert_or  # type: ignore[assignment]
    new = insert_or(guesses).values(of=of, failures=0, last_on=moment)
    unless_there = new.on_conflict_do_nothing(index_elements=["of"]).returning(guesses.c.of)
    if connection.execute(unless_there).first() is not None:
        forget_old(connection)  # the table stays as small as what goes on
    column = guesses.c
    row = connection.execute(
        select(column.failures, column.last_on, column.locked_until)
        .where(column.of == of)
        .with_for_update()
    ).first()
    return _Count(0, moment, None) if row is None else _Count(*row)


def _drained(count: _Count, moment: datetime, step: timedelta) -> _Count:
    drops = max(0, (moment - count.last_on) // step)
    if drops >= count.failures:
        return _Count(0, moment, None)
    return _Count(count.failures - drops, count.last_on + drops * step, None)


def _keep(connection: Connection, of: str, count: _Count) -> None:
    connection.execute(
        update(guesses)
        .where(guesses.c.of == of)
        .values(failures=count.failures, last_on=count.last_on, locked_until=count.locked_until)
    )


def _of_name(name: str) -> str:
    """Only a hash is kept: people type their password into the wrong field."""
    return "name " + hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()


def _of_address(secret: Secret, address: str) -> str:
    return f"{secret} from {network_of(address)}"


def _seconds(wait: timedelta) -> int:
    return max(1, math.ceil(wait.total_seconds()))
