"""Who vouches for an account: seen and ended by its owner."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, delete, select, update

from likewise.server.caller import Caller
from likewise.server.context import utc_now
from likewise.server.database import tables
from likewise.server.people import audit
from likewise.server.people.users import has_password
from likewise.server.people.ways_in import ensure_way_in
from likewise.server.problems import Problem, not_found

identities, providers, sessions = tables.identities, tables.login_providers, tables.sessions


@dataclass(frozen=True, slots=True)
class Identity:
    """That a provider knows an account."""

    id: str
    provider_id: str
    provider: str
    made_on: datetime
    used_on: datetime


def list_identities(connection: Connection, user: str) -> list[Identity]:
    """Of one person, in the order in which they came."""
    rows = connection.execute(
        select(
            identities.c.id,
            identities.c.provider_id,
            providers.c.name.label("provider"),
            identities.c.made_on,
            identities.c.used_on,
        )
        .select_from(identities.join(providers))
        .where(identities.c.user_id == user)
        .order_by(identities.c.made_on, identities.c.id)
    ).mappings()
    return [Identity(**row) for row in rows]


def remove_identity(connection: Connection, caller: Caller, id: str) -> None:
    """The provider vouches no more; refused where nothing else would let the person in."""
    mine = {one.id: one for one in list_identities(connection, caller.id)}
    if id not in mine:
        raise not_found("server.noun_identity")
    if len(mine) == 1 and not has_password(connection, caller.id):
        raise Problem("conflict", "server.only_way_in")
    if caller.role == "administrator":
        ensure_way_in(connection, but_identity=id)
    connection.execute(
        update(sessions)
        .where(sessions.c.identity_id == id, sessions.c.ended_on.is_(None))
        .where(sessions.c.id != caller.session)
        .values(ended_on=utc_now(), ended_why="logged out elsewhere")
    )
    connection.execute(delete(identities).where(identities.c.id == id))
    audit.record_act(
        connection, caller, "identity unlinked", caller.name, provider=mine[id].provider
    )
