"""What a provider's word does: a session begins or is proved anew, or an account is linked."""

from __future__ import annotations

import time
from datetime import datetime, timedelta

from sqlalchemy import Connection, select, update

from likewise.server.caller import Caller
from likewise.server.context import ServerContext, utc_now
from likewise.server.database import tables
from likewise.server.login_providers.accounts import (
    add_identity,
    identity_of,
    let_in,
)
from likewise.server.login_providers.discovery import DIRECTORY
from likewise.server.login_providers.flow import ProviderAnswer
from likewise.server.login_providers.id_tokens import LEEWAY_SECONDS, verify_logout_token
from likewise.server.login_providers.service import LoginProvider, active_provider
from likewise.server.people import audit
from likewise.server.people.sessions import (
    NewSession,
    Vouching,
    authenticate_session,
    end_session,
    open_session,
)
from likewise.server.people.users import Person, person_by_id
from likewise.server.problems import Problem, not_found

identities, sessions = tables.identities, tables.sessions

_LEEWAY = timedelta(seconds=LEEWAY_SECONDS)
_LONGEST_NAME = 255  # that a provider gives a session


def open_vouched_session(
    context: ServerContext,
    provider: LoginProvider,
    answer: ProviderAnswer,
    address: str,
    agent: str,
) -> NewSession:
    """A session for whoever the provider says has come."""
    provider_session = answer.claims.get("sid")
    try:
        with context.store.beside() as connection:
            person, identity = let_in(connection, provider, answer.claims, address)
            vouching = Vouching(
                identity,
                provider_session if _is_name(provider_session) else None,
                _proved_on(provider, answer),
            )
            opened = open_session(connection, person.id, context.config, address, agent, vouching)
            act = "logged in"
            audit.record_act_of(
                *(connection, person.id, person.name, address, act, opened.session),
                provider=provider.name,
            )
            return opened
    except Problem as problem:
        with context.store.beside() as connection:
            audit.record_act_of(
                *(connection, None, None, address, "log in refused"),
                why=problem.message.key,
                provider=provider.name,
            )
        raise


def prove_session(
    context: ServerContext, provider: LoginProvider, answer: ProviderAnswer, address: str
) -> None:
    """The person was asked for the password there, just now: good for the next minutes here."""
    proved_on = _proved_on(provider, answer)
    with context.store.beside() as connection:
        person, session = _person_of_request(connection, answer)
        known = identity_of(connection, provider, answer.claims["sub"])
        if known is None or known[1] != person.id:
            raise Problem("not allowed", "server.login_somebody_else")
        if proved_on is None:
            raise Problem("not allowed", "server.login_no_moment", name=provider.name)
        if proved_on < answer.asked_on - _LEEWAY:
            raise Problem("not allowed", "server.login_not_anew", name=provider.name)
        authenticate_session(connection, session)
        act = "authenticated again"
        audit.record_act_of(
            connection, person.id, person.name, address, act, session, provider=provider.name
        )


def link_account(
    context: ServerContext, provider: LoginProvider, answer: ProviderAnswer, address: str
) -> None:
    """From now on the provider vouches for the account of whoever asked for it."""
    with context.store.beside() as connection:
        person, _session = _person_of_request(connection, answer)
        known = identity_of(connection, provider, answer.claims["sub"])
        if known is not None and known[1] != person.id:
            raise Problem("conflict", "server.login_linked_to_other")
        if known is None:
            add_identity(connection, provider, answer.claims["sub"], person, address)


def end_vouched_session(context: ServerContext, caller: Caller) -> LoginProvider | None:
    """Log out here; the provider that vouched for the session, if one did."""
    with context.store.beside() as connection:
        provider = connection.execute(
            select(identities.c.provider_id)
            .select_from(sessions.join(identities))
            .where(sessions.c.id == caller.session)
        ).scalar()
        end_session(connection, str(caller.session), "logged out")
        audit.record_act(connection, caller, "logged out", caller.session)
    if provider is None:
        return None
    try:
        return active_provider(context, provider)
    except Problem:
        return None


def end_sessions_by_provider(context: ServerContext, provider: LoginProvider, token: str) -> int:
    """End what a provider says is over: one of its sessions, or all of a person's.

    A token that is sent again later ends nothing that has begun since it was made.
    """
    metadata = DIRECTORY.metadata(provider.issuer)
    claims = verify_logout_token(provider, metadata, token)
    made_on = utc_now() - timedelta(seconds=max(0.0, time.time() - claims["iat"]))
    conditions = [identities.c.provider_id == provider.id]
    subject, session = claims.get("sub"), claims.get("sid")
    if isinstance(subject, str):
        conditions.append(identities.c.subject == subject)
    own = select(identities.c.id).where(*conditions)
    meant = [
        sessions.c.identity_id.in_(own),
        sessions.c.ended_on.is_(None),
        sessions.c.made_on <= made_on + _LEEWAY,
    ]
    if isinstance(session, str):
        meant.append(sessions.c.provider_session == session)
    with context.store.beside() as connection:
        ended = connection.execute(
            update(sessions)
            .where(*meant)
            .values(ended_on=utc_now(), ended_why="ended by the provider")
        ).rowcount
        if ended:
            act = "sessions ended by provider"
            audit.record_act_of(connection, None, None, None, act, provider.name, sessions=ended)
    return ended


def _is_name(text: object) -> bool:
    return isinstance(text, str) and 0 < len(text) <= _LONGEST_NAME


def _proved_on(provider: LoginProvider, answer: ProviderAnswer) -> datetime | None:
    if answer.authenticated_on is None and provider.options.log_in_is_proof:
        return utc_now()
    return answer.authenticated_on


def _person_of_request(connection: Connection, answer: ProviderAnswer) -> tuple[Person, str]:
    """Who set out, if the session that it was in goes on."""
    request = answer.request
    column = sessions.c
    living = connection.execute(
        select(column.id).where(
            column.id == request.session,
            column.user_id == request.user,
            column.ended_on.is_(None),
            column.ends_on > utc_now(),
        )
    ).scalar()
    person = person_by_id(connection, str(request.user))
    if living is None or person is None or not person.is_active:
        raise not_found("server.noun_session")
    return person, living
