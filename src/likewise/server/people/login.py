"""Logging in, staying logged in, logging out, and one's own password.

By name and password to a session, with the same work whatever is wrong.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from sqlalchemy import Connection, select, update

from likewise.server.caller import Caller, require_session
from likewise.server.context import ServerContext
from likewise.server.people import audit, login_throttle
from likewise.server.people.cookies import add_device, verify_device
from likewise.server.people.login_throttle import try_address
from likewise.server.people.passwords import (
    delete_retired_password_file,
    ensure_strong,
    hash_password,
    verify_password,
)
from likewise.server.people.second_factor import ensure_second_factor, needs_second_factor
from likewise.server.people.sessions import (
    NewSession,
    authenticate_session,
    end_session,
    exchange_refresh_token,
    find_session,
    open_session,
)
from likewise.server.people.users import fold_name, login_name, set_password, users
from likewise.server.problems import Problem


@dataclass(frozen=True, slots=True)
class StoredCredentials:
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
    context: ServerContext,
    name: str,
    password: str,
    address: str,
    agent: str,
    device: str = "",
    code: str | None = None,
) -> NewSession:
    """A new session for whoever knows the password; `device` is the browser's cookie.

    `code` is that of a second factor. A right password without it counts as a try: it is given back
    when the code has come too.
    """
    ensure_passwords_allowed(context)
    row, trusted_client = count_login_attempt(context, name, address, device)
    is_right, renewed = verify_password(
        password, row.password if row is not None and row.is_active else None
    )
    if not is_right or row is None:
        with context.store.beside() as connection:
            record_refusal(connection, row, address, "log in refused")
        raise Problem("wrong name or password", "server.wrong_password")
    with context.store.reading() as connection:
        has_second_factor = needs_second_factor(connection, row.id)
    if has_second_factor:
        _ensure_code(context, row, address, code)
    with context.store.beside() as connection:
        # Between the look and now the person may have been reset or deactivated.
        same = (users.c.id == row.id, users.c.password == row.password, users.c.is_active)
        renew = update(users).where(*same).values(password=renewed or row.password)
        if connection.execute(renew).rowcount == 1:
            login_throttle.forgive(
                connection, fold_name(name), address, trusted_client=trusted_client
            )
            opened = open_session(connection, row.id, context.config, address, agent)
            audit.record_act_of(connection, row.id, row.name, address, "logged in", opened.session)
            return replace(opened, device=add_device(connection, device, row.id))
    raise Problem("wrong name or password", "server.wrong_password")


def _ensure_code(
    context: ServerContext, row: StoredCredentials, address: str, code: str | None
) -> None:
    try:
        ensure_second_factor(context, row.id, code)
    except Problem:
        if code:
            with context.store.beside() as connection:
                why = "wrong code"
                audit.record_act_of(
                    connection, row.id, row.name, address, "log in refused", why=why
                )
        raise


def ensure_passwords_allowed(context: ServerContext) -> None:
    """Refuse passwords where people log in by providers alone."""
    if not context.settings.passwords_allowed:
        raise Problem("not allowed", "server.passwords_off")


def count_login_attempt(
    context: ServerContext, name: str, address: str, device: str = ""
) -> tuple[StoredCredentials | None, str | None]:
    """Whoever has a name, and by which letters the browser is known; refuses who must wait."""
    settings = context.settings
    with context.store.beside() as connection:
        row = _of_name(connection, name)
        trusted_client = verify_device(connection, device, row.id if row is not None else "")
        wait = login_throttle.try_password(
            connection, fold_name(name), address, settings, trusted_client=trusted_client
        )
    if wait:
        raise locked_out(wait)
    return row, trusted_client


def verify_own_password(
    context: ServerContext, caller: Caller, password: str, refused: str, key: str
) -> str:
    """The caller's hash, if this is the password; else it is noted as `refused`, and told by a key.

    Counted for the session, so that nobody else's guesses hold it up.
    """
    session, settings = require_session(caller), context.settings
    with context.store.beside() as connection:
        row = _of_name(connection, caller.name)
        wait = login_throttle.try_password(
            connection, caller.name, caller.address, settings, trusted_client=session
        )
    if wait:
        raise locked_out(wait)
    is_right, _ = verify_password(
        password, row.password if row is not None and row.is_active else None
    )
    with context.store.beside() as connection:
        if is_right:
            login_throttle.forgive(connection, caller.name, caller.address, trusted_client=session)
        else:
            audit.record_act(connection, caller, refused, why="wrong password")
    if not is_right or row is None:
        raise Problem("wrong name or password", key)
    return row.password


def record_refusal(
    connection: Connection, row: StoredCredentials | None, address: str, act: str
) -> None:
    """Names that nobody has are not written down: they may be a password in the wrong field."""
    if row is None:
        audit.record_act_of(connection, None, None, address, act, why="unknown name")
        return
    why = "wrong password" if row.is_active else "deactivated"
    audit.record_act_of(connection, row.id, row.name, address, act, why=why)


def _of_name(connection: Connection, name: str) -> StoredCredentials | None:
    try:
        fit = login_name(name)
    except Problem:
        fit = ""  # nobody's; asked for all the same
    query = select(users.c.id, users.c.name, users.c.password, users.c.is_active)
    row = connection.execute(query.where(users.c.name == fit)).first()
    return None if row is None else StoredCredentials(*row)


SESSION_ENDED = "server.session_ended"


def refresh_session(
    context: ServerContext, token: str, address: str, agent: str
) -> NewSession | None:
    """The session with its new token; None where it has ended, or never was."""
    settings, wait = context.settings, 0
    with context.store.beside() as connection:
        result = exchange_refresh_token(connection, token, context.config, address, agent)
        if result == "unknown":
            wait = try_address(connection, "refresh token", address, settings)
    if wait:
        raise locked_out(wait)
    return result if isinstance(result, NewSession) else None


def end_session_by_token(context: ServerContext, token: str, address: str) -> bool:
    """Log out by a refresh token; whether a session ended by it."""
    settings, wait = context.settings, 0
    with context.store.beside() as connection:
        session = find_session(connection, token)
        if session is None:
            wait = try_address(connection, "refresh token", address, settings)
        elif end_session(connection, session.session, "logged out"):
            audit.record_act_of(
                connection, session.user, session.name, address, "logged out", session.session
            )
            return True
    if wait:
        raise locked_out(wait)
    return False


def end_session_of(context: ServerContext, caller: Caller) -> bool:
    """Log out by an access token; a key belongs to no session."""
    if caller.session is None:
        return False
    with context.store.beside() as connection:
        if not end_session(connection, caller.session, "logged out"):
            return False
        audit.record_act(connection, caller, "logged out", caller.session)
        return True


def change_own_password(context: ServerContext, caller: Caller, old: str, new: str) -> None:
    """Needs the old one, whose guessing is slow as at the door; ends all other sessions."""
    ensure_strong(new, caller.name, context.settings.least_password_length)
    stored_hash = verify_own_password(
        context, caller, old, "password change refused", "server.old_password"
    )
    if old == new:
        raise Problem("bad request", "server.same_password")
    hashed = hash_password(new)
    with context.store.beside() as connection:
        query = select(users.c.password).where(users.c.id == caller.id).with_for_update()
        if connection.execute(query).scalar() != stored_hash:
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
    delete_retired_password_file(context)


def authenticate_again(context: ServerContext, caller: Caller, password: str) -> None:
    """The person at the keyboard is still the one who logged in: good for the next minutes."""
    verify_own_password(
        context, caller, password, "authentication refused", "server.not_your_password"
    )
    with context.store.beside() as connection:
        authenticate_session(connection, str(caller.session))
        audit.record_act(connection, caller, "authenticated again", caller.session)
