"""One's own password: changed, or given once more before something that cannot be undone."""

from __future__ import annotations

from sqlalchemy import select

from likewise.server.caller import Caller
from likewise.server.context import Site
from likewise.server.people import audit, first_password
from likewise.server.people.changes import set_password
from likewise.server.people.login import own_hash
from likewise.server.people.passwords import ensure_strong, hash_of
from likewise.server.people.sessions import authenticate_session
from likewise.server.people.users import users
from likewise.server.problems import Problem


def change_own_password(site: Site, caller: Caller, old: str, new: str) -> None:
    """Needs the old one, whose guessing is slow as at the door; ends all other sessions."""
    ensure_strong(new, caller.name, site.settings.least_password_length)
    kept = own_hash(site, caller, old, "password change refused", "server.old_password")
    if old == new:
        raise Problem("bad request", "server.same_password")
    hashed = hash_of(new)
    with site.store.beside() as connection:
        query = select(users.c.password).where(users.c.id == caller.id).with_for_update()
        if connection.execute(query).scalar() != kept:
            raise Problem("conflict", "server.password_changed")
        set_password(
            connection,
            caller,
            caller.id,
            hashed,
            why="password changed",
            must_change=False,
            but=caller.session,
        )
        authenticate_session(connection, str(caller.session))
    first_password.sweep(site)


def authenticate_again(site: Site, caller: Caller, password: str) -> None:
    """The person at the keyboard is still the one who logged in: good for the next minutes."""
    own_hash(site, caller, password, "authentication refused", "server.not_your_password")
    with site.store.beside() as connection:
        authenticate_session(connection, str(caller.session))
        audit.note(connection, caller, "authenticated again", caller.session)
