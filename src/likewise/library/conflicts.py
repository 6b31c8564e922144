"""Rows that may be there already: what each database says in its own way, said once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, Table
from sqlalchemy.dialects import postgresql, sqlite


def insert_if_new(
    connection: Connection, table: Table, row: Mapping[str, Any], *, key: str | None = None
) -> bool:
    """Whether the row is new; without the column whose values are unique, any conflict counts."""
    columns = None if key is None else [key]
    statement = _insert(connection, table).values(**row)
    unless_there = statement.on_conflict_do_nothing(index_elements=columns)
    return connection.execute(unless_there.returning(*table.primary_key)).first() is not None


def insert_or_update(
    connection: Connection, table: Table, row: Mapping[str, Any], *, key: str
) -> None:
    """Keep the row, whatever was there under its key."""
    changes = {name: value for name, value in row.items() if name != key}
    statement = _insert(connection, table).values(**row)
    connection.execute(statement.on_conflict_do_update(index_elements=[key], set_=changes))


def _insert(connection: Connection, table: Table) -> postgresql.Insert | sqlite.Insert:
    is_postgres = connection.dialect.name == "postgresql"
    return postgresql.insert(table) if is_postgres else sqlite.insert(table)
