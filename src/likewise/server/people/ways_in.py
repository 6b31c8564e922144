"""That the last administrator who can come in stays in, where passwords are switched off.

Then only those can log in for whom a provider vouches: without one of them nobody could look after
the site any more, but by `likewise admin passwords` on the machine itself.
"""

from __future__ import annotations

from sqlalchemy import Connection, select

from likewise.server.context import read_settings
from likewise.server.database import tables
from likewise.server.problems import Problem

users, identities, providers = tables.users, tables.identities, tables.login_providers


def vouched_administrators(
    connection: Connection, *, but_provider: str = "", but_identity: str = ""
) -> set[str]:
    """Active administrators for whom an active provider vouches."""
    query = (
        select(users.c.id)
        .select_from(users.join(identities).join(providers))
        .where(
            users.c.role == "administrator",
            users.c.is_active,
            providers.c.is_active,
            providers.c.id != but_provider,
            identities.c.id != but_identity,
        )
    )
    return set(connection.execute(query).scalars())


def ensure_way_in(
    connection: Connection,
    *,
    but_provider: str = "",
    but_identity: str = "",
    even_with_passwords: bool = False,
) -> None:
    """Refuse what would leave no administrator a way in."""
    if read_settings(connection).passwords_allowed and not even_with_passwords:
        return
    if not vouched_administrators(connection, but_provider=but_provider, but_identity=but_identity):
        raise Problem("conflict", "server.last_way_in")
