"""Texts under keys, free for those who build on a library."""

from __future__ import annotations

from sqlalchemy import Connection, delete, insert, select

from likewise.library import schema


def read_value(connection: Connection, key: str) -> str | None:
    """What was kept under a key."""
    column = schema.key_values.c
    value: str | None = connection.execute(
        select(column.value).where(column.key == key)
    ).scalar_one_or_none()
    return value


def write_value(connection: Connection, key: str, value: str | None) -> None:
    """Keep a text under a key, or nothing."""
    table = schema.key_values
    connection.execute(delete(table).where(table.c.key == key))
    if value is not None:
        connection.execute(insert(table).values(key=key, value=value))
