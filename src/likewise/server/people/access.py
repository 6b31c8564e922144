"""Who is calling, and what that allows: from a request to a caller with a right."""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated, Any

from fastapi import Depends, Request
from sqlalchemy import func, select

from likewise.server.caller import Caller, Scope, ensure_scope, require_session
from likewise.server.context import ServerContext, utc_now
from likewise.server.database import tables
from likewise.server.http.addresses import address_of
from likewise.server.people.api_keys import PREFIX, caller_by_key
from likewise.server.people.login import locked_out
from likewise.server.people.login_throttle import try_address
from likewise.server.people.tokens import read_access_token
from likewise.server.problems import Problem


def read_bearer_token(request: Request) -> str | None:
    """What the Authorization header carries."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() or None if scheme.lower() == "bearer" else None


def authenticate(
    site: ServerContext, request: Request, *, even_must_change: bool = False
) -> Caller:
    """Whoever sends a request; refuses those who are not logged in.

    Who must change a password may do nothing else, but where `even_must_change` says so.
    """
    token = read_bearer_token(request)
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


def caller_by_token(site: ServerContext, token: str, address: str) -> Caller | None:
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
                session.ends_on > utc_now(),
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


def _count_wrong_key(site: ServerContext, address: str) -> None:
    """Guessing keys is hopeless; this is about the load. Right keys are never refused by it."""
    settings = site.settings
    with site.store.beside() as connection:
        wait = try_address(connection, "key", address, settings)
    if wait:
        raise locked_out(wait)


RECENT_MINUTES = 15  # for which a password proves who sits at the keyboard


def get_context(request: Request) -> ServerContext:
    site: ServerContext = request.app.state.site
    return site


ContextDep = Annotated[ServerContext, Depends(get_context)]


def caller(request: Request, site: ContextDep) -> Caller:
    """Whoever is calling; refuses those who are not logged in."""
    found = authenticate(site, request)
    request.state.caller = found
    return found


def _maybe_expired_caller(request: Request, site: ContextDep) -> Caller:
    found = authenticate(site, request, even_must_change=True)
    request.state.caller = found
    return found


def needs(scope: Scope) -> Any:
    """The caller, if the caller's key has a scope; people's own rights are looked at elsewhere."""

    def checked(found: Annotated[Caller, Depends(caller)]) -> Caller:
        ensure_scope(found, scope)
        return found

    checked.__name__ = "needs_" + scope.replace(":", "_")
    return Depends(checked)


def _person_caller(found: Annotated[Caller, Depends(caller)]) -> Caller:
    require_session(found)
    return found


def _maybe_expired_person(found: Annotated[Caller, Depends(_maybe_expired_caller)]) -> Caller:
    return _person_caller(found)


def ensure_recently_authenticated(found: Caller) -> None:
    """Refuse what cannot be undone to whoever may only have found an open browser.

    A key has no password to give: no scope lets a program do such things.
    """
    require_session(found)
    proved_on = found.authenticated_on
    if proved_on is None or utc_now() - proved_on > timedelta(minutes=RECENT_MINUTES):
        raise Problem("authenticate again", "server.password_again")


def recently_authenticated(found: Annotated[Caller, Depends(caller)]) -> Caller:
    """Whoever has given the password in the last minutes; for `Depends` beside other rights."""
    ensure_recently_authenticated(found)
    return found


def _recent_administrator(found: Annotated[Caller, needs("administer")]) -> Caller:
    ensure_recently_authenticated(found)
    return found


MaybeExpiredCaller = Annotated[
    Caller, Depends(_maybe_expired_caller)
]  # also who must change the password
MaybeExpiredPerson = Annotated[Caller, Depends(_maybe_expired_person)]
PersonCaller = Annotated[Caller, Depends(_person_caller)]
Administrator = Annotated[Caller, needs("administer")]
RecentPerson = Annotated[Caller, Depends(recently_authenticated)]
RecentAdministrator = Annotated[Caller, Depends(_recent_administrator)]
DocumentsRead = Annotated[Caller, needs("documents:read")]
DocumentsWrite = Annotated[Caller, needs("documents:write")]
ChecksRead = Annotated[Caller, needs("checks:read")]
ChecksWrite = Annotated[Caller, needs("checks:write")]
MetricsReader = Annotated[Caller, needs("metrics")]
