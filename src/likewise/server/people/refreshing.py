"""A refresh token exchanged, or given up."""

from __future__ import annotations

from likewise.server.caller import Caller
from likewise.server.context import Site
from likewise.server.people import audit
from likewise.server.people.login import locked_out
from likewise.server.people.login_throttle import try_address
from likewise.server.people.sessions import Opened, end_session, refresh, session_of

ENDED = "server.session_ended"


def refreshed(site: Site, token: str, address: str, agent: str) -> Opened | None:
    """The session with its new token; None where it has ended, or never was."""
    settings, wait = site.settings, 0
    with site.store.beside() as connection:
        found = refresh(connection, token, site.config, address, agent)
        if found == "unknown":
            wait = try_address(connection, "refresh token", address, settings)
    if wait:
        raise locked_out(wait)
    return found if isinstance(found, Opened) else None


def given_up(site: Site, token: str, address: str) -> bool:
    """Log out by a refresh token; whether a session ended by it."""
    settings, wait = site.settings, 0
    with site.store.beside() as connection:
        found = session_of(connection, token)
        if found is None:
            wait = try_address(connection, "refresh token", address, settings)
        elif end_session(connection, found.session, "logged out"):
            audit.note_of(connection, found.user, found.name, address, "logged out", found.session)
            return True
    if wait:
        raise locked_out(wait)
    return False


def logged_out_by(site: Site, caller: Caller) -> bool:
    """Log out by an access token; a key belongs to no session."""
    if caller.session is None:
        return False
    with site.store.beside() as connection:
        if not end_session(connection, caller.session, "logged out"):
            return False
        audit.note(connection, caller, "logged out", caller.session)
        return True
