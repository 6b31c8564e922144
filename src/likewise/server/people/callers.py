"""From a request to whoever sends it."""

from __future__ import annotations

from fastapi import Request
from sqlalchemy import func, select

from likewise.server.caller import Caller
from likewise.server.context import Site, this_moment
from likewise.server.database import tables
from likewise.server.http.addresses import address_of
from likewise.server.people.api_keys import PREFIX, caller_by_key
from likewise.server.people.login import locked_out
from likewise.server.people.login_throttle import try_address
from likewise.server.people.tokens import read_access_token
from likewise.server.problems import Problem


def bearer_of(request: Request) -> str | None:
    """What the Authorization header carries."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() or None if scheme.lower() == "bearer" else None


def caller_of(site: Site, request: Request, *, even_must_change: bool = False) -> Caller:
    """Whoever sends a request; refuses those who are not logged in.

    Who must change a password may do nothing else, but where `even_must_change` says so.
    """
    token = bearer_of(request)
    if token is None:
        raise Problem("not logged in", "server.not_logged_in")
    address = address_of(request)
    if token.startswith(PREFIX):
        found = caller_by_key(site, token, address)
        if found is None:
            _count_wrong_key(site, address)
    else:
        found = caller_by_token(site, token, address)
    if found is None:
        raise Problem("not logged in", "server.not_logged_in")
    if found.must_change and not even_must_change:
        raise Problem("password must be changed", "server.password_first")
    return found


def caller_by_token(site: Site, token: str, address: str) -> Caller | None:
    """The person of an access token, as the database knows the person now."""
    claims = read_access_token(site, token)
    if claims is None:
        return None
    user, session = tables.users.c, tables.sessions.c
    with site.store.reading() as connection:
        row = connection.execute(
            select(
                user.id,
                user.name,
                user.role,
                user.must_change,
                func.coalesce(session.authenticated_on, session.made_on).label("proved_on"),
            )
            .select_from(tables.sessions.join(tables.users))
            .where(
                session.id == claims.session,
                session.user_id == claims.user,
                session.ended_on.is_(None),
                session.ends_on > this_moment(),
                user.is_active,
            )
        ).first()
    if row is None:
        return None
    return Caller(
        row.id,
        row.name,
        row.role,
        address,
        session=claims.session,
        must_change=row.must_change,
        authenticated_on=row.proved_on,
    )


def _count_wrong_key(site: Site, address: str) -> None:
    """Guessing keys is hopeless; this is about the load. Right keys are never refused by it."""
    settings = site.settings
    with site.store.beside() as connection:
        wait = try_address(connection, "key", address, settings)
    if wait:
        raise locked_out(wait)
