"""Changing one's own password."""

from __future__ import annotations

from sqlalchemy import select

from likewise.server.access import Caller
from likewise.server.accounts import audit, first_password, guesses
from likewise.server.accounts.changes import set_password
from likewise.server.accounts.log_in import counted_try, locked_out
from likewise.server.accounts.passwords import ensure_strong, hash_of, verify
from likewise.server.accounts.people import users
from likewise.server.problems import Problem
from likewise.server.site import Site


def change_own_password(site: Site, caller: Caller, old: str, new: str) -> None:
    """Needs the old one, whose guessing counts as it does at the door; ends all other sessions."""
    ensure_strong(new, caller.name, site.settings.least_password_length)
    row, wait = counted_try(site, caller.name, caller.address)
    is_right, _ = verify(old, row.password if row is not None and not wait else None)
    if wait:
        raise locked_out(wait)
    if not is_right or row is None:
        with site.store.beside() as connection:
            audit.note(connection, caller, "password change refused", why="wrong password")
        raise Problem("wrong name or password", "the old password is another one")
    if old == new:
        raise Problem("bad request", "the new password is the old one")
    hashed = hash_of(new)
    with site.store.beside() as connection:
        query = select(users.c.password).where(users.c.id == caller.id).with_for_update()
        if connection.execute(query).scalar() != row.password:
            raise Problem("conflict", "the password was changed a moment ago by somebody else")
        guesses.give_back(connection, "password", caller.address)
        set_password(
            connection,
            caller,
            caller.id,
            hashed,
            why="password changed",
            must_change=False,
            but=caller.session,
        )
    first_password.sweep(site)
