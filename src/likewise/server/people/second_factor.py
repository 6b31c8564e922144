"""The second factor of accounts with a password: a code of an app, or one of ten kept on paper.

A code of the app is taken once, and none that is older than the last. Recovery codes are kept as
hashes and each is good once. Wrong codes count as wrong passwords do, and for the person too:
whoever knows the password has no more than a hundred tries a day.
"""

from __future__ import annotations

import hashlib
import secrets
import time
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Connection, delete, func, insert, select, update

from likewise.server.caller import Caller
from likewise.server.context import ServerContext, utc_now
from likewise.server.database import tables
from likewise.server.people import audit
from likewise.server.people.login_throttle import try_request
from likewise.server.people.one_time_codes import (
    DIGITS,
    address_for_apps,
    make_secret,
    matching_step,
)
from likewise.server.problems import Problem
from likewise.server.secret_values import decrypt, encrypt

factors, recovery_codes, users = tables.second_factors, tables.recovery_codes, tables.users

RECOVERY_CODES = 10
CODE_TRIES, IN = 100, timedelta(days=1)  # of one person
_LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"  # none that is taken for another
_GROUPS, _IN_A_GROUP = 4, 4  # 80 bits: a hash of so much needs no salt


@dataclass(frozen=True, slots=True)
class SecondFactorState:
    """Whether an account has one."""

    is_on: bool
    since: datetime | None
    recovery_codes: int  # that are still good


@dataclass(frozen=True, slots=True)
class NewSecondFactor:
    """What is told to an app, once."""

    secret: str
    address: str


def read_state(connection: Connection, user: str) -> SecondFactorState:
    """Of one person."""
    since = connection.execute(
        select(factors.c.confirmed_on).where(factors.c.user_id == user)
    ).scalar()
    if since is None:
        return SecondFactorState(is_on=False, since=None, recovery_codes=0)
    unused = select(func.count()).where(
        recovery_codes.c.user_id == user, recovery_codes.c.used_on.is_(None)
    )
    return SecondFactorState(True, since, connection.execute(unused).scalar_one())


def people_with_one(connection: Connection, ids: list[str]) -> frozenset[str]:
    """Those of some people who have a second factor."""
    query = select(factors.c.user_id).where(
        factors.c.user_id.in_(ids), factors.c.confirmed_on.is_not(None)
    )
    return frozenset(connection.execute(query).scalars())


def begin_second_factor(context: ServerContext, caller: Caller) -> NewSecondFactor:
    """A secret that counts for nothing until a code of it was given."""
    secret = make_secret()
    with context.store.beside() as connection:
        stored = connection.execute(select(users.c.password).where(users.c.id == caller.id))
        if not stored.scalar():
            raise Problem("conflict", "server.second_factor_of_provider")
        _ensure_none(connection, caller.id)
        sealed = encrypt(context, connection, _sealed_as(caller.id), secret).encode()
        connection.execute(delete(factors).where(factors.c.user_id == caller.id))
        connection.execute(
            insert(factors).values(user_id=caller.id, secret=sealed, made_on=utc_now())
        )
    site = context.settings.institution or "Likewise"
    return NewSecondFactor(secret, address_for_apps(secret, site, caller.name))


def confirm_second_factor(context: ServerContext, caller: Caller, code: str) -> list[str]:
    """The app works: from now on a code is asked for. The recovery codes are told this once."""
    _count_try(context, caller.id)
    with context.store.beside() as connection:
        _ensure_none(connection, caller.id)
        if not _take_code(context, connection, caller.id, code, is_confirmed=False):
            raise Problem("bad request", "server.wrong_code")
        now = utc_now()
        begun = update(factors).where(
            factors.c.user_id == caller.id, factors.c.confirmed_on.is_(None)
        )
        if connection.execute(begun.values(confirmed_on=now)).rowcount != 1:
            raise Problem("conflict", "server.changed_at_once")
        codes = _make_recovery_codes(connection, caller.id)
        audit.record_act(connection, caller, "second factor set up", caller.name)
    return codes


def renew_recovery_codes(context: ServerContext, caller: Caller) -> list[str]:
    """Ten others; those of before are good for nothing any more."""
    with context.store.beside() as connection:
        if not read_state(connection, caller.id).is_on:
            raise Problem("conflict", "server.no_second_factor")
        codes = _make_recovery_codes(connection, caller.id)
        audit.record_act(connection, caller, "recovery codes renewed", caller.name)
    return codes


def remove_own_second_factor(context: ServerContext, caller: Caller, code: str) -> None:
    """The password alone is enough again; needs a code."""
    _count_try(context, caller.id)
    with context.store.beside() as connection:
        if not read_state(connection, caller.id).is_on:
            raise Problem("conflict", "server.no_second_factor")
        if not use_code(context, connection, caller.id, code):
            raise Problem("bad request", "server.wrong_code")
        _delete(connection, caller.id)
        audit.record_act(connection, caller, "second factor removed", caller.name)


def take_away_second_factor(
    connection: Connection, caller: Caller | None, user: str, name: str
) -> bool:
    """Of somebody whose telephone is lost; whether there was one."""
    was_on = read_state(connection, user).is_on
    _delete(connection, user)
    if was_on:
        audit.record_act(connection, caller, "second factor taken away", name)
    return was_on


def needs_second_factor(connection: Connection, user: str) -> bool:
    """Whether a password alone is not enough."""
    return read_state(connection, user).is_on


def ensure_second_factor(context: ServerContext, user: str, code: str | None) -> None:
    """Ask for a code after the password; refuse a wrong one, and those who guess."""
    if not code:
        raise Problem("second factor needed", "server.code_needed", n=DIGITS)
    _count_try(context, user)
    with context.store.beside() as connection:
        is_right = use_code(context, connection, user, code)
    if not is_right:
        raise Problem("second factor needed", "server.wrong_code")


def use_code(context: ServerContext, connection: Connection, user: str, code: str) -> bool:
    """Whether a code is right: of the app, or a recovery code. Either is used up by it."""
    plain = "".join(c for c in code if c.isalnum()).casefold()
    if len(plain) == DIGITS and plain.isdecimal():
        return _take_code(context, connection, user, plain, is_confirmed=True)
    unused = update(recovery_codes).where(
        recovery_codes.c.hash == _hash(user, plain),
        recovery_codes.c.user_id == user,
        recovery_codes.c.used_on.is_(None),
    )
    return connection.execute(unused.values(used_on=utc_now())).rowcount == 1


def current_seconds() -> float:
    """What the clocks of this machine and of apps count."""
    return time.time()


def _take_code(
    context: ServerContext, connection: Connection, user: str, code: str, *, is_confirmed: bool
) -> bool:
    stored = connection.execute(
        select(factors.c.secret, factors.c.confirmed_on).where(factors.c.user_id == user)
    ).first()
    if stored is None or (stored.confirmed_on is not None) is not is_confirmed:
        return False
    sealed = bytes(stored.secret).decode()
    secret = decrypt(context, connection, _sealed_as(user), sealed)
    step = None if secret is None else matching_step(secret, code.strip(), current_seconds())
    if step is None:
        return False
    column = factors.c
    # Of two at once one finds the step unused: PostgreSQL looks again after waiting.
    newer = update(factors).where(
        column.user_id == user, column.last_step.is_(None) | (column.last_step < step)
    )
    return connection.execute(newer.values(last_step=step)).rowcount == 1


def _count_try(context: ServerContext, user: str) -> None:
    with context.store.beside() as connection:
        wait = try_request(connection, f"second factor of {user}", CODE_TRIES, IN)
    if wait:
        minutes = -(-wait // 60)
        details = {"retry_after": wait}
        raise Problem("locked out", "server.wait_minutes", details=details, n=minutes)


def _make_recovery_codes(connection: Connection, user: str) -> list[str]:
    connection.execute(delete(recovery_codes).where(recovery_codes.c.user_id == user))
    codes, now = [_random_code() for _ in range(RECOVERY_CODES)], utc_now()
    rows = [
        {"hash": _hash(user, code.replace("-", "")), "user_id": user, "made_on": now}
        for code in codes
    ]
    connection.execute(insert(recovery_codes), rows)
    return codes


def _random_code() -> str:
    groups = range(_GROUPS)
    return "-".join("".join(secrets.choice(_LETTERS) for _ in range(_IN_A_GROUP)) for _ in groups)


def _hash(user: str, code: str) -> bytes:
    return hashlib.sha256(f"recovery code|{user}|{code}".encode("utf-8", "surrogatepass")).digest()


def _delete(connection: Connection, user: str) -> None:
    connection.execute(delete(factors).where(factors.c.user_id == user))
    connection.execute(delete(recovery_codes).where(recovery_codes.c.user_id == user))


def _ensure_none(connection: Connection, user: str) -> None:
    if read_state(connection, user).is_on:
        raise Problem("conflict", "server.second_factor_there")


def _sealed_as(user: str) -> str:
    return f"second factor {user}"
