"""A row in every table that a server keeps beside the documents."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Column, Connection, insert

from likewise.library import schema
from likewise.server.database import tables

SERVER_TABLES = (*tables.TABLES, schema.erasures)
_BY_TYPE: dict[type, Any] = {
    bool: True,
    int: 7,
    datetime: datetime(2026, 5, 4, 3, 2, 1, 654_321),
    bytes: bytes(range(224, 256)),
}
_SAID = {"users.role": "teacher", "course_members.role": "teacher"}  # where not every text will do


def fill_server_tables(connection: Connection) -> None:
    """Insert rows that belong to each other."""
    rows: dict[str, dict[str, Any]] = {}
    for table in schema.metadata.sorted_tables:
        if table not in SERVER_TABLES:
            continue
        rows[table.name] = {column.name: _value(column, rows) for column in table.c}
        connection.execute(insert(table), [rows[table.name]])


def _value(column: Column[Any], rows: dict[str, dict[str, Any]]) -> Any:
    for key in column.foreign_keys:
        other = key.column
        return rows[other.table.name][other.name] if other.table.name in rows else 1
    name = f"{column.table.name}.{column.name}"
    return _SAID.get(name) or _BY_TYPE.get(column.type.python_type, f"{name} сәлем ” 'q'")
