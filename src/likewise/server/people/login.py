"""By name and password to a session, with the same work whatever is wrong."""

from __future__ import annotations

from dataclasses import dataclass, replace

from sqlalchemy import Connection, select, update

from likewise.server.caller import Caller, session_of
from likewise.server.context import Site
from likewise.server.database import tables
from likewise.server.people import audit, login_throttle
from likewise.server.people.device_cookies import device_of, with_device
from likewise.server.people.passwords import verify
from likewise.server.people.sessions import Opened, open_session
from likewise.server.people.users import folded, login_name
from likewise.server.problems import Problem

users = tables.users


@dataclass(frozen=True, slots=True)
class Known:
    """Whoever has a name, as far as a log in needs it."""

    id: str
    name: str
    password: str
    is_active: bool


def locked_out(seconds: int) -> Problem:
    """Said of a name or address, whether it is anybody's or not."""
    wait = {"retry_after": seconds}
    if seconds < 60:
        return Problem("locked out", "server.wait_seconds", details=wait, n=seconds)
    return Problem("locked out", "server.wait_minutes", details=wait, n=-(-seconds // 60))


def log_in(
    site: Site, name: str, password: str, address: str, agent: str, device: str = ""
) -> Opened:
    """A new session for whoever knows the password; `device` is the browser's cookie."""
    row, known = counted_try(site, name, address, device)
    is_right, renewed = verify(
        password, row.password if row is not None and row.is_active else None
    )
    if not is_right or row is None:
        with site.store.beside() as connection:
            note_refusal(connection, row, address, "log in refused")
        raise Problem("wrong name or password", "server.wrong_password")
    with site.store.beside() as connection:
        # Between the look and now the person may have been reset or deactivated.
        same = (users.c.id == row.id, users.c.password == row.password, users.c.is_active)
        renew = update(users).where(*same).values(password=renewed or row.password)
        if connection.execute(renew).rowcount == 1:
            login_throttle.forgive(connection, folded(name), address, known=known)
            opened = open_session(connection, row.id, site.config, address, agent)
            audit.note_of(connection, row.id, row.name, address, "logged in", opened.session)
            return replace(opened, device=with_device(connection, device, row.id))
    raise Problem("wrong name or password", "server.wrong_password")


def counted_try(
    site: Site, name: str, address: str, device: str = ""
) -> tuple[Known | None, str | None]:
    """Whoever has a name, and by which letters the browser is known; refuses who must wait."""
    settings = site.settings
    with site.store.beside() as connection:
        row = _of_name(connection, name)
        known = device_of(connection, device, row.id if row is not None else "")
        wait = login_throttle.try_password(connection, folded(name), address, settings, known=known)
    if wait:
        raise locked_out(wait)
    return row, known


def own_hash(site: Site, caller: Caller, password: str, refused: str, key: str) -> str:
    """The caller's hash, if this is the password; else it is noted as `refused`, and told by a key.

    Counted for the session, so that nobody else's guesses hold it up.
    """
    session, settings = session_of(caller), site.settings
    with site.store.beside() as connection:
        row = _of_name(connection, caller.name)
        wait = login_throttle.try_password(
            connection, caller.name, caller.address, settings, known=session
        )
    if wait:
        raise locked_out(wait)
    is_right, _ = verify(password, row.password if row is not None and row.is_active else None)
    with site.store.beside() as connection:
        if is_right:
            login_throttle.forgive(connection, caller.name, caller.address, known=session)
        else:
            audit.note(connection, caller, refused, why="wrong password")
    if not is_right or row is None:
        raise Problem("wrong name or password", key)
    return row.password


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
