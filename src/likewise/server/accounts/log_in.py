"""By name and password to a session, with the same work whatever is wrong."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection, select, update

from likewise.library import schema
from likewise.server.accounts import audit, guesses
from likewise.server.accounts.passwords import verify
from likewise.server.accounts.people import folded, login_name
from likewise.server.accounts.sessions import Opened, open_session
from likewise.server.problems import Problem
from likewise.server.site import Site

users = schema.server.users
WRONG = "this name and this password do not belong together"


@dataclass(frozen=True, slots=True)
class Known:
    """Whoever has a name, as far as a log in needs it."""

    id: str
    name: str
    password: str
    is_active: bool


def locked_out(seconds: int) -> Problem:
    """Said of a name or address, whether it is anybody's or not."""
    return Problem(
        "locked out", f"too many wrong tries; try again in {_told(seconds)}", retry_after=seconds
    )


def log_in(site: Site, name: str, password: str, address: str, agent: str) -> Opened:
    """A new session for whoever knows the password."""
    row, wait = counted_try(site, name, address)
    kept = row.password if row is not None and row.is_active and not wait else None
    is_right, renewed = verify(password, kept)
    if not is_right or row is None:
        if wait:
            raise locked_out(wait)
        with site.store.beside() as connection:
            note_refusal(connection, row, address, "log in refused")
        raise Problem("wrong name or password", WRONG)
    with site.store.beside() as connection:
        # Between the look and now the person may have been reset or deactivated.
        same = (users.c.id == row.id, users.c.password == row.password, users.c.is_active)
        renew = update(users).where(*same).values(password=renewed or row.password)
        if connection.execute(renew).rowcount == 1:
            guesses.forget_name(connection, folded(name))
            guesses.give_back(connection, "password", address)
            opened = open_session(connection, row.id, site.config.refresh_days, address, agent)
            audit.note_of(connection, row.id, row.name, address, "logged in", opened.session)
            return opened
    raise Problem("wrong name or password", WRONG)


def counted_try(site: Site, name: str, address: str) -> tuple[Known | None, int]:
    """Whoever has a name, and the seconds that the name is still locked."""
    settings = site.settings
    with site.store.beside() as connection:
        wait = guesses.try_name(connection, folded(name), settings)
        slow = guesses.try_address(connection, "password", address, settings)
        if slow:  # this depends on the address alone, so it tells nothing about the name
            raise locked_out(slow)
        return _of_name(connection, name), wait


def note_refusal(connection: Connection, row: Known | None, address: str, act: str) -> None:
    """Names that nobody has are not written down: they may be a password in the wrong field."""
    if row is None:
        audit.note_of(connection, None, None, address, act, why="unknown name")
        return
    why = "wrong password" if row.is_active else "deactivated"
    audit.note_of(connection, row.id, row.name, address, act, why=why)


def _of_name(connection: Connection, name: str) -> Known | None:
    try:
        fit = login_name(name)
    except Problem:
        fit = ""  # nobody's; asked for all the same
    query = select(users.c.id, users.c.name, users.c.password, users.c.is_active)
    row = connection.execute(query.where(users.c.name == fit)).first()
    return None if row is None else Known(*row)


def _told(seconds: int) -> str:
    """
    >>> _told(40), _told(61)
    ('40 seconds', '2 minutes')
    """
    if seconds < 60:
        return f"{seconds} second{'s' * (seconds != 1)}"
    minutes = -(-seconds // 60)
    return f"{minutes} minute{'s' * (minutes != 1)}"
