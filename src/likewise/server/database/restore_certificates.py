"""Certificates after a restore: what was issued or revoked since the backup stays true.

They are on paper elsewhere: one that was issued after the day of the backup would be unknown, its
number given to another, and one that was revoked since would be genuine again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from sqlalchemy import Connection, insert, inspect, select, update

from likewise.server.database import tables

certificates, checks, users = tables.certificates, tables.checks, tables.users


def read_present(connection: Connection) -> tuple[Mapping[str, Any], ...]:
    """The certificates of a library that is going to be replaced."""
    if not inspect(connection).has_table(certificates.name):
        return ()
    return tuple(dict(row) for row in connection.execute(select(certificates)).mappings())


def settle_certificates(connection: Connection, present: Iterable[Mapping[str, Any]]) -> None:
    """Keep those of the present beside those of the backup, and as they are now."""
    column = certificates.c
    numbers = {row.id: row.number for row in connection.execute(select(column.id, column.number))}
    for row in present:
        now = {name: row[name] for name in ("user_name", "revoked_on", "facts")}
        if row["id"] in numbers:
            connection.execute(update(certificates).where(column.id == row["id"]).values(**now))
        elif row["number"] not in numbers.values():  # else it is of another server
            belongs = {
                "check_id": _if_there(connection, checks.c.id, row["check_id"]),
                "user_id": _if_there(connection, users.c.id, row["user_id"]),
            }
            connection.execute(insert(certificates).values(**{**row, **belongs}))


def _if_there(connection: Connection, column: Any, id: str | None) -> str | None:
    query = select(column).where(column == id)
    there: str | None = connection.execute(query).scalar()
    return there
