"""Logging in by those who vouch for people, and what administrators set up for it."""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated
from urllib.parse import urlsplit

from fastapi import APIRouter, Form, Request, Response

from likewise.server.caller import Caller
from likewise.server.context import ServerContext
from likewise.server.http.addresses import address_of, agent_of, network_of
from likewise.server.login_providers import flow, log_in, service
from likewise.server.login_providers.discovery import DIRECTORY
from likewise.server.login_providers.service import LoginProvider
from likewise.server.login_providers.shapes import (
    DepartureShape,
    LoggedOut,
    LogInBegun,
    LogInButton,
    LogInDone,
    LoginProviderChanges,
    LoginProviders,
    LoginProviderShape,
    LogInReturned,
    LogInWays,
    LogOutHeard,
    NewLoginProvider,
    ProviderProbe,
)
from likewise.server.people.access import (
    Administrator,
    ContextDep,
    MaybeExpiredPerson,
    PersonCaller,
    RecentAdministrator,
    RecentPerson,
)
from likewise.server.people.cookies import clear_refresh_cookie, ensure_same_origin, is_secure
from likewise.server.people.login import locked_out
from likewise.server.people.login_routes import answer_tokens
from likewise.server.people.login_throttle import try_request
from likewise.server.problems import Problem
from likewise.server.shapes import Id

login_router = APIRouter(prefix="/login", tags=["token"])
router = APIRouter(prefix="/login-providers", tags=["settings"])

# A campus behind one address logs in within minutes; who sends more makes work and nothing else.
FROM_ADDRESS, IN = 3_000, timedelta(minutes=10)
TESTS, TESTS_IN = 30, timedelta(minutes=10)  # of one administrator
ID_TOKEN_COOKIE = "likewise_id_token"  # noqa: S105 - the name of a cookie
_LONGEST_COOKIE = 3_800  # what browsers keep of one


@login_router.get("", summary="How people log in here")
def show_ways(context: ContextDep) -> LogInWays:
    """For the page that logs people in."""
    with context.store.reading() as connection:
        active = service.list_providers(connection, only_active=True)
    return LogInWays(
        passwords=context.settings.passwords_allowed,
        providers=[LogInButton(id=one.id, name=one.name) for one in active],
    )


@login_router.post("/end", summary="Log out, and learn where to log out elsewhere")
def end_here(
    context: ContextDep, caller: MaybeExpiredPerson, request: Request, response: Response
) -> LoggedOut:
    """Ends the session of the access token; the address is that of the provider, if one vouched."""
    provider = log_in.end_vouched_session(context, caller)
    clear_refresh_cookie(response, context, request)
    id_token = request.cookies.get(ID_TOKEN_COOKIE)
    response.delete_cookie(ID_TOKEN_COOKIE, path=_path(context))
    if provider is None:
        return LoggedOut(address=None)
    return LoggedOut(address=flow.log_out_address(context, provider, id_token))


@login_router.post("/{id}", summary="Log in by a provider")
def begin(
    id: Id, body: LogInBegun, context: ContextDep, request: Request, response: Response
) -> DepartureShape:
    """Where to send the browser, which gets a cookie that it must bring back."""
    return _depart(context, request, response, id, body.go_to, "log in", None)


@login_router.post("/{id}/authenticate", summary="Show at the provider that it is still me")
def begin_proof(
    id: Id,
    body: LogInBegun,
    context: ContextDep,
    caller: PersonCaller,
    request: Request,
    response: Response,
) -> DepartureShape:
    """What is refused with `authenticate again` is allowed afterwards, for 15 minutes."""
    return _depart(context, request, response, id, body.go_to, "authenticate", caller)


@login_router.post("/{id}/link", summary="Let a provider vouch for my account")
def begin_link(
    id: Id,
    body: LogInBegun,
    context: ContextDep,
    caller: RecentPerson,
    request: Request,
    response: Response,
) -> DepartureShape:
    """Afterwards I log in by it, too."""
    return _depart(context, request, response, id, body.go_to, "link", caller)


@login_router.post("/{id}/callback", summary="Come back from a provider")
def come_back(
    id: Id, body: LogInReturned, context: ContextDep, request: Request, response: Response
) -> LogInDone:
    """What the page sends that the provider led back to. It is good once, and in one browser."""
    ensure_same_origin(context, request)
    _count(context, request, "log in returned")
    provider = service.active_provider(context, id)
    answer = flow.arrive(
        context,
        provider,
        state=body.state,
        code=None if body.error else body.code,
        issuer=body.iss,
        cookies=request.cookies,
    )
    response.delete_cookie(flow.cookie_name(body.state), path=_path(context))
    address, purpose, tokens = address_of(request), answer.request.purpose, None
    if purpose == "authenticate":
        log_in.prove_session(context, provider, answer, address)
    elif purpose == "link":
        log_in.link_account(context, provider, answer, address)
    else:
        opened = log_in.open_vouched_session(context, provider, answer, address, agent_of(request))
        tokens = answer_tokens(context, request, response, opened, in_cookie=True)
        if len(answer.id_token) <= _LONGEST_COOKIE:
            seconds = context.config.session_days * 86_400
            _set_cookie(context, request, response, ID_TOKEN_COOKIE, answer.id_token, seconds)
    return LogInDone(purpose=purpose, go_to=answer.request.go_to, tokens=tokens)


@login_router.post("/{id}/logout", summary="Hear from a provider that sessions are over")
def hear_logout(
    id: Id,
    logout_token: Annotated[str, Form(max_length=60_000)],
    context: ContextDep,
    request: Request,
) -> LogOutHeard:
    """Sent by the provider itself (OpenID Connect Back-Channel Logout 1.0), signed by its key."""
    _count(context, request, "log out heard")
    log_in.end_sessions_by_provider(context, service.active_provider(context, id), logout_token)
    return LogOutHeard()


@router.get("", summary="List login providers")
def list_login_providers(context: ContextDep, caller: Administrator) -> LoginProviders:
    """In the order of their buttons."""
    with context.store.reading() as connection:
        found = service.list_providers(connection)
    return LoginProviders(items=[_shape(context, one) for one in found])


@router.post("", summary="Add a login provider", status_code=201)
def add_login_provider(
    body: NewLoginProvider, context: ContextDep, caller: RecentAdministrator
) -> LoginProviderShape:
    """The secret goes in and never comes out."""
    values = {name: getattr(body, name) for name in _STORED}
    return _shape(context, service.add_provider(context, caller, values, body.client_secret))


@router.get("/{id}", summary="Show a login provider")
def show_login_provider(id: Id, context: ContextDep, caller: Administrator) -> LoginProviderShape:
    """One of them."""
    with context.store.reading() as connection:
        return _shape(context, service.require_provider(connection, id))


@router.patch("/{id}", summary="Change a login provider")
def change_login_provider(
    id: Id, body: LoginProviderChanges, context: ContextDep, caller: RecentAdministrator
) -> LoginProviderShape:
    """The issuer stays once people have logged in; with another one the secret is given anew."""
    values = {name: value for name in _STORED if (value := getattr(body, name, None)) is not None}
    changed = service.change_provider(context, caller, id, values, body.client_secret)
    return _shape(context, changed)


@router.delete("/{id}", summary="Remove a login provider", status_code=204)
def remove_login_provider(id: Id, context: ContextDep, caller: RecentAdministrator) -> None:
    """Whoever has logged in by it is logged out. Accounts stay, with their passwords if any."""
    service.remove_provider(context, caller, id)


@router.post("/{id}/test", summary="Ask a login provider what it is")
def test_login_provider(id: Id, context: ContextDep, caller: Administrator) -> ProviderProbe:
    """Reads its description and its keys anew; nobody logs in."""
    with context.store.beside() as connection:
        wait = try_request(connection, f"login provider test {caller.id}", TESTS, TESTS_IN)
    if wait:
        raise locked_out(wait)
    with context.store.reading() as connection:
        provider = service.require_provider(connection, id)
    try:
        metadata = DIRECTORY.metadata(provider.issuer, anew=True)
        keys = DIRECTORY.keys(metadata.jwks_uri, anew=True)
    except Problem as problem:
        said = problem.message.for_programs()
        return ProviderProbe(
            works=False,
            problem=str(problem),
            code=said["code"],
            values=said["values"],
            algorithms=[],
            keys=0,
            has_log_out=False,
            has_user_info=False,
        )
    return ProviderProbe(
        works=True,
        problem=None,
        code=None,
        values={},
        algorithms=list(metadata.algorithms),
        keys=len(keys),
        has_log_out=metadata.end_session_endpoint is not None,
        has_user_info=metadata.userinfo_endpoint is not None,
    )


_STORED = ("name", "issuer", "client_id", "options", "is_active", "position")


def _shape(context: ServerContext, provider: LoginProvider) -> LoginProviderShape:
    try:
        site: str | None = flow.site_address(context.config)
    except Problem:
        site = None
    return LoginProviderShape.of_provider(provider, site)


def _depart(
    context: ServerContext,
    request: Request,
    response: Response,
    id: str,
    go_to: str,
    purpose: flow.Purpose,
    caller: Caller | None,
) -> DepartureShape:
    ensure_same_origin(context, request)
    _count(context, request, "log in begun")
    departure = flow.depart(
        context,
        service.active_provider(context, id),
        go_to,
        purpose=purpose,
        user=None if caller is None else caller.id,
        session=None if caller is None else caller.session,
    )
    seconds = int(flow.GOOD.total_seconds())
    _set_cookie(context, request, response, departure.cookie, departure.value, seconds)
    return DepartureShape(address=departure.address)


def _count(context: ServerContext, request: Request, what: str) -> None:
    with context.store.beside() as connection:
        network = network_of(address_of(request))
        wait = try_request(connection, f"{what} {network}", FROM_ADDRESS, IN)
    if wait:
        raise locked_out(wait)


def _set_cookie(
    context: ServerContext,
    request: Request,
    response: Response,
    name: str,
    value: str,
    seconds: int,
) -> None:
    """No script reads it, no other site's page sends it, and only what is about this gets it."""
    response.set_cookie(
        name,
        value,
        max_age=seconds,
        path=_path(context),
        secure=is_secure(context, request),
        httponly=True,
        samesite="strict",
    )


def _path(context: ServerContext) -> str:
    return urlsplit(context.config.public_url).path.rstrip("/") + "/api/v1/login"
