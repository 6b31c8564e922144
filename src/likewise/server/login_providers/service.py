"""The providers of a site, as administrators set them up. Secrets go in and never come out."""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, Row, delete, func, insert, select, update

from likewise.server.caller import Caller
from likewise.server.context import ServerContext, lock_settings, utc_now
from likewise.server.database import tables
from likewise.server.login_providers.options import ProviderOptions
from likewise.server.login_providers.provider_http import ensure_may_ask
from likewise.server.people import audit
from likewise.server.people.ways_in import ensure_way_in
from likewise.server.problems import Problem, not_found
from likewise.server.secret_values import decrypt, encrypt

providers, identities, sessions = tables.login_providers, tables.identities, tables.sessions

MOST_PROVIDERS = 50


@dataclass(frozen=True, slots=True)
class LoginProvider:
    """Somebody who vouches for people."""

    id: str
    name: str
    issuer: str
    client_id: str
    options: ProviderOptions
    is_active: bool
    position: int
    has_secret: bool
    people: int = 0  # that it has vouched for
    client_secret: str | None = field(default=None, repr=False)


def list_providers(connection: Connection, *, only_active: bool = False) -> list[LoginProvider]:
    """In the order of their buttons, without their secrets."""
    query = select(providers, _people()).order_by(providers.c.position, providers.c.name)
    if only_active:
        query = query.where(providers.c.is_active)
    return [_provider(row) for row in connection.execute(query)]


def require_provider(connection: Connection, id: str) -> LoginProvider:
    """One that must be there, without its secret."""
    row = connection.execute(select(providers, _people()).where(providers.c.id == id)).first()
    if row is None:
        raise not_found("server.noun_login_provider")
    return _provider(row)


def active_provider(context: ServerContext, id: str) -> LoginProvider:
    """One that people may log in by, with its secret."""
    with context.store.reading() as connection:
        query = select(providers, _people()).where(providers.c.id == id, providers.c.is_active)
        row = connection.execute(query).first()
        if row is None:
            raise not_found("server.noun_login_provider")
        secret = None
        if row.client_secret is not None:
            sealed = bytes(row.client_secret).decode()
            secret = decrypt(context, connection, _sealed_as(id), sealed)
            if secret is None:
                raise Problem("unavailable", "server.login_provider_secret", name=row.name)
    return _provider(row, secret)


def add_provider(
    context: ServerContext, caller: Caller, values: Mapping[str, Any], secret: str | None
) -> LoginProvider:
    """A new one."""
    ensure_may_ask(values["issuer"])
    id = secrets.token_hex(6)
    with context.store.beside() as connection:
        lock_settings(connection)
        number = connection.execute(select(func.count()).select_from(providers)).scalar_one()
        if number >= MOST_PROVIDERS:
            raise Problem("conflict", "server.many_login_providers", n=MOST_PROVIDERS)
        connection.execute(
            insert(providers).values(
                **_columns(values),
                id=id,
                client_secret=_sealed(context, connection, id, secret),
                made_on=utc_now(),
            )
        )
        audit.record_act(connection, caller, "login provider added", values["name"])
        return require_provider(connection, id)


def change_provider(
    context: ServerContext, caller: Caller, id: str, values: Mapping[str, Any], secret: str | None
) -> LoginProvider:
    """Change what is given; a secret of no letters erases it.

    People are known by what their issuer calls them: another issuer would call others so. A secret
    is for the issuer it was given for.
    """
    with context.store.beside() as connection:
        lock_settings(connection)
        before = require_provider(connection, id)
        changes = _columns(values)
        is_moved = changes.get("issuer", before.issuer) != before.issuer
        if is_moved:
            ensure_may_ask(changes["issuer"])
            if before.people:
                raise Problem("conflict", "server.issuer_in_use", n=before.people)
        if secret is not None or is_moved:
            changes["client_secret"] = _sealed(context, connection, id, secret)
        if before.is_active and changes.get("is_active") is False:
            ensure_way_in(connection, but_provider=id)
        if changes:
            connection.execute(update(providers).where(providers.c.id == id).values(**changes))
            fields = sorted({*values, *(["client_secret"] if secret is not None else [])})
            audit.record_act(
                connection, caller, "login provider changed", before.name, fields=fields
            )
        return require_provider(connection, id)


def remove_provider(context: ServerContext, caller: Caller, id: str) -> None:
    """Nobody logs in by it any more, and whoever has is logged out. Accounts stay."""
    with context.store.beside() as connection:
        lock_settings(connection)
        provider = require_provider(connection, id)
        ensure_way_in(connection, but_provider=id)
        own = select(identities.c.id).where(identities.c.provider_id == id)
        ended = connection.execute(
            update(sessions)
            .where(sessions.c.identity_id.in_(own), sessions.c.ended_on.is_(None))
            .values(ended_on=utc_now(), ended_why="ended by an administrator")
        ).rowcount
        connection.execute(delete(providers).where(providers.c.id == id))
        audit.record_act(
            connection, caller, "login provider removed", provider.name, sessions=ended
        )


def _provider(row: Row[Any], secret: str | None = None) -> LoginProvider:
    stored = json.loads(row.options)
    known = {name: value for name, value in stored.items() if name in ProviderOptions.model_fields}
    return LoginProvider(
        id=row.id,
        name=row.name,
        issuer=row.issuer,
        client_id=row.client_id,
        options=ProviderOptions.model_validate(known),
        is_active=row.is_active,
        position=row.position,
        has_secret=row.client_secret is not None,
        people=row.people,
        client_secret=secret,
    )


def _people() -> Any:
    own = select(func.count()).where(identities.c.provider_id == providers.c.id)
    return own.correlate(providers).scalar_subquery().label("people")


def _columns(values: Mapping[str, Any]) -> dict[str, Any]:
    changes = dict(values)
    if "options" in changes:
        changes["options"] = changes["options"].model_dump_json()
    return changes


def _sealed(
    context: ServerContext, connection: Connection, id: str, secret: str | None
) -> bytes | None:
    if not secret:
        return None
    return encrypt(context, connection, _sealed_as(id), secret).encode()


def _sealed_as(id: str) -> str:
    return f"login provider {id}"
