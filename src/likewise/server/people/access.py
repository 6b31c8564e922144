"""Who is calling, and what that allows."""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated, Any

from fastapi import Depends, Request

from likewise.server.caller import Caller, Scope, ensure_scope, session_of
from likewise.server.context import Site, this_moment
from likewise.server.people.callers import caller_of
from likewise.server.problems import Problem

RECENT_MINUTES = 15  # for which a password proves who sits at the keyboard


def the_site(request: Request) -> Site:
    site: Site = request.app.state.site
    return site


TheSite = Annotated[Site, Depends(the_site)]


def caller(request: Request, site: TheSite) -> Caller:
    """Whoever is calling; refuses those who are not logged in."""
    found = caller_of(site, request)
    request.state.caller = found
    return found


def _caller_even_so(request: Request, site: TheSite) -> Caller:
    found = caller_of(site, request, even_must_change=True)
    request.state.caller = found
    return found


def needs(scope: Scope) -> Any:
    """The caller, if the caller's key has a scope; people's own rights are looked at elsewhere."""

    def checked(found: Annotated[Caller, Depends(caller)]) -> Caller:
        ensure_scope(found, scope)
        return found

    checked.__name__ = "needs_" + scope.replace(":", "_")
    return Depends(checked)


def _of_a_person(found: Annotated[Caller, Depends(caller)]) -> Caller:
    session_of(found)
    return found


def _of_a_person_even_so(found: Annotated[Caller, Depends(_caller_even_so)]) -> Caller:
    return _of_a_person(found)


def ensure_recently_authenticated(found: Caller) -> None:
    """Refuse what cannot be undone to whoever may only have found an open browser.

    A key has no password to give: no scope lets a program do such things.
    """
    session_of(found)
    proved_on = found.authenticated_on
    if proved_on is None or this_moment() - proved_on > timedelta(minutes=RECENT_MINUTES):
        raise Problem("authenticate again", "server.password_again")


def recently_authenticated(found: Annotated[Caller, Depends(caller)]) -> Caller:
    """Whoever has given the password in the last minutes; for `Depends` beside other rights."""
    ensure_recently_authenticated(found)
    return found


def _recent_administrator(found: Annotated[Caller, needs("administer")]) -> Caller:
    ensure_recently_authenticated(found)
    return found


CallerEvenSo = Annotated[Caller, Depends(_caller_even_so)]  # also who must change the password
PersonEvenSo = Annotated[Caller, Depends(_of_a_person_even_so)]
Person = Annotated[Caller, Depends(_of_a_person)]
Administrator = Annotated[Caller, needs("administer")]
RecentPerson = Annotated[Caller, Depends(recently_authenticated)]
RecentAdministrator = Annotated[Caller, Depends(_recent_administrator)]
DocumentsRead = Annotated[Caller, needs("documents:read")]
DocumentsWrite = Annotated[Caller, needs("documents:write")]
ChecksRead = Annotated[Caller, needs("checks:read")]
ChecksWrite = Annotated[Caller, needs("checks:write")]
MetricsReader = Annotated[Caller, needs("metrics")]
