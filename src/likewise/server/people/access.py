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
    context: ServerContext, request: Request, *, even_must_change: bool = False
) -> Caller:
    """Whoever sends a request; refuses those who are not logged in.

    Who must change a password may do nothing else, but where `even_must_change` says so.
    """
    token = read_bearer_token(request)
    if token is None:
        raise Problem("not logged in", "server.not_logged_in")
    address = address_of(request)
    if token.startswith(PREFIX):
        current_caller = caller_by_key(context, token, address)
        if current_caller is None:
            _count_wrong_key(context, address)
    else:
        current_caller = caller_by_token(context, token, address)
    if current_caller is None:
        raise Problem("not logged in", "server.not_logged_in")
    if current_caller.must_change and not even_must_change:
        raise Problem("password must be changed", "server.password_first")
    return current_caller


def caller_by_token(context: ServerContext, token: str, address: str) -> Caller | None:
    """The person of an access token, as the database knows the person now."""
    claims = read_access_token(context, token)
    if claims is None:
        return None
    user, session = tables.users.c, tables.sessions.c
    with context.store.reading() as connection:
        row = connection.execute(
            select(
                user.id,
                user.name,
                user.role,
                user.must_change,
                session.identity_id,
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
        must_change=row.must_change and row.identity_id is None,
        authenticated_on=row.proved_on,
    )


def _count_wrong_key(context: ServerContext, address: str) -> None:
    """Guessing keys is hopeless; this is about the load. Right keys are never refused by it."""
    settings = context.settings
    with context.store.beside() as connection:
        wait = try_address(connection, "key", address, settings)
    if wait:
        raise locked_out(wait)


RECENT_MINUTES = 15  # for which a password proves who sits at the keyboard


def get_context(request: Request) -> ServerContext:
    context: ServerContext = request.app.state.context
    return context


ContextDep = Annotated[ServerContext, Depends(get_context)]


def caller(request: Request, context: ContextDep) -> Caller:
    """Whoever is calling; refuses those who are not logged in."""
    current_caller = authenticate(context, request)
    request.state.caller = current_caller
    return current_caller


def _maybe_expired_caller(request: Request, context: ContextDep) -> Caller:
    current_caller = authenticate(context, request, even_must_change=True)
    request.state.caller = current_caller
    return current_caller


def needs(scope: Scope) -> Any:
    """The caller, if the caller's key has a scope; people's own rights are looked at elsewhere."""

    def checked(current_caller: Annotated[Caller, Depends(caller)]) -> Caller:
        ensure_scope(current_caller, scope)
        return current_caller

    checked.__name__ = "needs_" + scope.replace(":", "_")
    return Depends(checked)


def campus_scope(caller: Caller, write: bool) -> Scope:
    """What a campus asks of somebody: of students what they hand in, of others their courses."""
    if caller.role == "student":
        return "submissions:write" if write else "submissions:read"
    return "courses:write" if write else "courses:read"


def _campus_reader(current_caller: Annotated[Caller, Depends(caller)]) -> Caller:
    ensure_scope(current_caller, campus_scope(current_caller, write=False))
    return current_caller


def _campus_writer(current_caller: Annotated[Caller, Depends(caller)]) -> Caller:
    ensure_scope(current_caller, campus_scope(current_caller, write=True))
    return current_caller


def _sender(current_caller: Annotated[Caller, Depends(caller)]) -> Caller:
    campus = campus_scope(current_caller, write=False)
    may_hand_in = current_caller.scopes is None or campus in current_caller.scopes
    is_of_campus = current_caller.role == "student" or may_hand_in
    ensure_scope(current_caller, campus if is_of_campus else "documents:read")
    return current_caller


def _person_caller(current_caller: Annotated[Caller, Depends(caller)]) -> Caller:
    require_session(current_caller)
    return current_caller


def _maybe_expired_person(
    current_caller: Annotated[Caller, Depends(_maybe_expired_caller)],
) -> Caller:
    return _person_caller(current_caller)


def ensure_recently_authenticated(current_caller: Caller) -> None:
    """Refuse what cannot be undone to whoever may only have found an open browser.

    A key has no password to give: no scope lets a program do such things.
    """
    require_session(current_caller)
    proved_on = current_caller.authenticated_on
    if proved_on is None or utc_now() - proved_on > timedelta(minutes=RECENT_MINUTES):
        raise Problem("authenticate again", "server.password_again")


def recently_authenticated(current_caller: Annotated[Caller, Depends(caller)]) -> Caller:
    """Whoever has given the password in the last minutes; for `Depends` beside other rights."""
    ensure_recently_authenticated(current_caller)
    return current_caller


def _recent_administrator(current_caller: Annotated[Caller, needs("administer")]) -> Caller:
    ensure_recently_authenticated(current_caller)
    return current_caller


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
CoursesRead = Annotated[Caller, needs("courses:read")]
CoursesWrite = Annotated[Caller, needs("courses:write")]
CampusRead = Annotated[Caller, Depends(_campus_reader)]  # students too, each what is theirs
Sender = Annotated[Caller, Depends(_sender)]  # of files: limits are told to students too
CampusWrite = Annotated[Caller, Depends(_campus_writer)]
MetricsReader = Annotated[Caller, needs("metrics")]
