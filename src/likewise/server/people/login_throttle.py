"""How often somebody may be wrong: counted in the database, so that all servers count together.

A try is counted before it is looked at and given back when it was right: a hundred tries at the
same moment are a hundred tries. Passwords are counted for name and browser together:

- a browser that has logged in as this name before (`device_cookies`) has a count of its own, and so
  has an open session: what others guess never holds them up, and a stolen cookie guesses slowly;
- all other browsers share the count of the name: each wrong try makes the next one wait longer, 30
  seconds at most, one try at a time. Nobody is refused for longer than that;
- a network that was not wrong today at this name does not wait for those who were, twice. Else one
  who guesses all day would keep the owner out of every new browser.

Addresses, behind which a whole campus may sit, are slowed down over all names together: what was
counted drains away with time.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from sqlalchemy import Connection, delete, func, select, update

from likewise.library.conflicts import insert_if_new
from likewise.server.context import SiteSettings, utc_now
from likewise.server.database import tables
from likewise.server.http.addresses import network_of

attempts = tables.guesses

Secret = Literal["password", "refresh token", "key", "reset", "reset link", "report link"]
FORGOTTEN_AFTER = timedelta(days=1)
LONGEST_DELAY_SECONDS = 30
NEW_NETWORK_TRIES = 2  # of one network at one name, a day, without waiting for others
NEW_NETWORKS_A_DAY = 1_000  # such tries at one name, however many networks somebody has
_ADDRESS_FACTOR, _ADDRESS_LEAST = 10, 50
_BY = " by "  # a browser or session that is known to be the person's


@dataclass(frozen=True, slots=True)
class LogInDelay:
    """Why somebody has to wait before the next password, and for how long."""

    wrong_passwords: int
    seconds: int  # between two tries
    until: datetime | None  # None where the wait is over, and the next try is looked at


@dataclass(frozen=True, slots=True)
class _Count:
    failures: int
    last_on: datetime
    locked_until: datetime | None


def try_password(
    connection: Connection,
    name: str,
    address: str,
    settings: SiteSettings,
    *,
    trusted_client: str | None = None,
    now: datetime | None = None,
) -> int:
    """Count a try with a password; the seconds to wait, 0 if it may be looked at.

    `known` names a browser, or an open session, that has proved to be this person's.
    """
    now = now or utc_now()
    if trusted_client is not None:
        return _try_in_turn(connection, _client_key(name, trusted_client), settings, now)
    slow = try_address(connection, "password", address, settings, now=now)
    if slow:  # this depends on the address alone, so it tells nothing about the name
        return slow
    of_network = _name_key(name, address)
    wait = _try_in_turn(connection, _name_key(name), settings, now)
    tries = _fresh(_locked_count(connection, of_network, now), now).failures
    if wait and tries < NEW_NETWORK_TRIES and _is_new_allowed(connection, name, now):
        wait = 0
        column = attempts.c  # it counts for the others' delay all the same
        wrong_once_more = update(attempts).where(column.of == _name_key(name))
        connection.execute(wrong_once_more.values(failures=column.failures + 1, last_on=now))
    if wait:
        give_back(connection, "password", address)  # it was not looked at
    else:
        _write_count(connection, of_network, _Count(tries + 1, now, None))
    return wait


def delay_after(failures: int, settings: SiteSettings) -> timedelta:
    """How long the next try waits after so many wrong ones: each doubles it, up to half a minute.

    >>> [delay_after(failures, SiteSettings()).seconds for failures in (4, 5, 6, 7, 8, 9, 10, 99)]
    [0, 1, 2, 4, 8, 16, 30, 30]
    """
    beyond = failures - settings.lock_after
    if beyond < 0:
        return timedelta(0)
    return timedelta(seconds=min(LONGEST_DELAY_SECONDS, 1 << min(beyond, 10)))


def forgive(
    connection: Connection, name: str, address: str, *, trusted_client: str | None = None
) -> None:
    """The password was right: what this browser got wrong is forgotten, what others did is not."""
    if trusted_client is not None:
        connection.execute(
            delete(attempts).where(attempts.c.of == _client_key(name, trusted_client))
        )
        return
    give_back(connection, "password", address)
    now = utc_now()
    of_name, of_network = _name_key(name), _name_key(name, address)
    count = _locked_count(connection, of_name, now)
    own = _fresh(_locked_count(connection, of_network, now), now).failures
    remaining = max(0, count.failures - own)
    obsolete_keys = [of_network] if remaining else [of_name, of_network]
    _write_count(connection, of_name, _Count(remaining, count.last_on, count.locked_until))
    connection.execute(delete(attempts).where(attempts.c.of.in_(obsolete_keys)))


def reset_name(connection: Connection, name: str) -> bool:
    """A password was set, or an administrator unlocks the name; whether anything was counted."""
    of_name = _name_key(name)
    # Held first, as by whoever tries: else the two could wait for each other.
    connection.execute(select(attempts.c.of).where(attempts.c.of == of_name).with_for_update())
    ours = (attempts.c.of == of_name) | attempts.c.of.startswith(f"{of_name} ", autoescape=True)
    counted = select(attempts.c.of).where(ours, attempts.c.failures > 0).limit(1)
    was_counted = connection.execute(counted).first() is not None
    connection.execute(delete(attempts).where(ours))
    return was_counted


def read_delays(
    connection: Connection,
    names: Iterable[str],
    settings: SiteSettings,
    *,
    now: datetime | None = None,
) -> dict[str, LogInDelay]:
    """Those of some people who have to wait: in any browser, or in one of their own."""
    now = now or utc_now()
    by_key = {_name_key(name): name for name in names}
    column = attempts.c
    rows = connection.execute(
        select(column.of, column.failures, column.last_on, column.locked_until).where(
            func.substr(column.of, 1, len(_name_key(""))).in_(by_key)
        )
    )
    delays: dict[str, LogInDelay] = {}
    for of, *count in rows:
        key, _, rest = of.partition(_BY)
        if key not in by_key or (rest == "" and of != key):
            continue  # of one network, or of many
        current = _fresh(_Count(*count), now)
        delay, name = delay_after(current.failures, settings), by_key[key]
        if not delay:
            continue
        until = current.locked_until
        is_over = until is None or until <= now
        one = LogInDelay(current.failures, int(delay.total_seconds()), None if is_over else until)
        if name not in delays or delays[name].wrong_passwords < one.wrong_passwords:
            delays[name] = one
    return delays


def try_address(
    connection: Connection,
    secret: Secret,
    address: str,
    settings: SiteSettings,
    *,
    now: datetime | None = None,
) -> int:
    """Count a try from an address; the seconds to wait, 0 if it may be looked at."""
    most = most_from_address(settings)
    spell = timedelta(minutes=settings.lock_minutes)
    step = min(spell / most, timedelta(seconds=LONGEST_DELAY_SECONDS))
    return _try_drained(connection, _address_key(secret, address), most, step, now)


def try_request(
    connection: Connection, what: str, most: int, spell: timedelta, now: datetime | None = None
) -> int:
    """Count a request that may be made `most` times in a spell; the seconds to wait, 0 for none."""
    of = "request " + hashlib.sha256(what.encode("utf-8", "surrogatepass")).hexdigest()
    return _try_drained(connection, of, most, spell / most, now)


def most_from_address(settings: SiteSettings) -> int:
    """How many wrong tries an address has in `lock_minutes`: far more than a name."""
    return max(_ADDRESS_LEAST, _ADDRESS_FACTOR * settings.lock_after)


def give_back(connection: Connection, secret: Secret, address: str) -> None:
    """The try was right after all. What was wrong before still counts."""
    column = attempts.c
    connection.execute(
        update(attempts)
        .where(column.of == _address_key(secret, address), column.failures > 0)
        .values(failures=column.failures - 1)
    )


def delete_old_counts(connection: Connection) -> int:
    """Drop counts that no longer count."""
    now = utc_now()
    column = attempts.c
    unlocked = column.locked_until.is_(None) | (column.locked_until < now)
    # Rows that somebody holds are passed over: two who wait for each other's would wait for ever.
    old = (
        select(column.of)
        .where(column.last_on < now - FORGOTTEN_AFTER, unlocked)
        .with_for_update(skip_locked=True)
    )
    return connection.execute(delete(attempts).where(column.of.in_(old))).rowcount


def _try_in_turn(connection: Connection, of: str, settings: SiteSettings, now: datetime) -> int:
    """One try at a time, each after the delay of those before it."""
    count = _locked_count(connection, of, now)
    # An older version locked for hours: nobody waits longer than what is usual now.
    limit = now + timedelta(seconds=LONGEST_DELAY_SECONDS)
    locked_until = None if count.locked_until is None else min(count.locked_until, limit)
    if locked_until is not None and now < locked_until:
        return _seconds(locked_until - now)
    failures = _fresh(count, now).failures + 1
    delay = delay_after(failures, settings)
    _write_count(connection, of, _Count(failures, now, now + delay if delay else None))
    return 0


def _is_new_allowed(connection: Connection, name: str, now: datetime) -> bool:
    """Whether one more network that is new to a name may try without waiting for the others."""
    of, step = f"{_name_key(name)} new", FORGOTTEN_AFTER / NEW_NETWORKS_A_DAY
    return _try_drained(connection, of, NEW_NETWORKS_A_DAY, step, now) == 0


def _try_drained(
    connection: Connection, of: str, most: int, step: timedelta, now: datetime | None
) -> int:
    """Count a try where `most` are free at once and one more after every step."""
    now = now or utc_now()
    count = _drained(_locked_count(connection, of, now), now, step)
    if count.failures >= most:
        return _seconds(count.last_on + step - now)
    _write_count(connection, of, _Count(count.failures + 1, count.last_on, None))
    return 0


def _locked_count(connection: Connection, of: str, now: datetime) -> _Count:
    """The count, held until the transaction ends: others who try wait for this one."""
    new = {"of": of, "failures": 0, "last_on": now}
    if insert_if_new(connection, attempts, new, key="of"):
        delete_old_counts(connection)  # the table stays as small as what goes on
    column = attempts.c
    row = connection.execute(
        select(column.failures, column.last_on, column.locked_until)
        .where(column.of == of)
        .with_for_update()
    ).first()
    return _Count(0, now, None) if row is None else _Count(*row)


def _fresh(count: _Count, now: datetime) -> _Count:
    """What was counted, unless it is forgotten by now."""
    return _Count(0, now, None) if now - count.last_on > FORGOTTEN_AFTER else count


def _drained(count: _Count, now: datetime, step: timedelta) -> _Count:
    drops = max(0, (now - count.last_on) // step)
    if drops >= count.failures:
        return _Count(0, now, None)
    return _Count(count.failures - drops, count.last_on + drops * step, None)


def _write_count(connection: Connection, of: str, count: _Count) -> None:
    connection.execute(
        update(attempts)
        .where(attempts.c.of == of)
        .values(failures=count.failures, last_on=count.last_on, locked_until=count.locked_until)
    )


def _name_key(name: str, address: str | None = None) -> str:
    """Only a hash is kept: people type their password into the wrong field."""
    of = "name " + hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()
    return of if address is None else f"{of} at {network_of(address)}"


def _client_key(name: str, trusted_client: str) -> str:
    return f"{_name_key(name)}{_BY}{trusted_client}"


def _address_key(secret: Secret, address: str) -> str:
    return f"{secret} from {network_of(address)}"


def _seconds(wait: timedelta) -> int:
    return max(1, math.ceil(wait.total_seconds()))
