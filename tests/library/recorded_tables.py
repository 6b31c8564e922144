"""The tables of a library made from statements that were put together once.

Some two thousand tests make a library of their own. SQLAlchemy asks for each of its tables whether
it is there and composes its statement anew: a tenth of a second on PostgreSQL, more than most of
these tests take themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import pytest
from sqlalchemy import Connection, event

from likewise.library import schema, store
from tests.library.schemas import Kind, SchemaPool

Statements = list[tuple[str, Any]]


class Recording(NamedTuple):
    definitions: Statements
    rows: Statements


class RecordedTables:
    """Makes the first tables of a kind as ever, and those after them by replay."""

    def __init__(self, make_tables: Callable[[Connection], None]) -> None:
        self._make_tables = make_tables
        # What the server adds is there only once it was imported.
        self._recordings: dict[Kind, Recording] = {}
        self.schemas: SchemaPool | None = None  # whose tables serve again, once there is a server

    def make(self, connection: Connection) -> None:
        kind = connection.dialect.name, len(schema.metadata.tables)
        schemas = self.schemas if connection.dialect.name == "postgresql" else None
        if kind not in self._recordings:
            self._recordings[kind] = record(connection, self._make_tables)
            return
        recording = self._recordings[kind]
        if schemas is None:
            replay(connection, recording.definitions)
        elif not schemas.fill(connection, kind):
            replay(connection, recording.definitions)
            schemas.keep(connection, kind)
        replay(connection, recording.rows)


@contextmanager
def tables_from_statements() -> Iterator[RecordedTables]:
    """While it lasts, the first library of a kind is made as ever and those after it by replay."""
    tables = RecordedTables(store.make_tables)  # type: ignore[attr-defined]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store, "make_tables", tables.make)
        yield tables


def record(connection: Connection, make: Callable[[Connection], None]) -> Recording:
    recording = Recording([], [])

    def keep(_connection: Any, _cursor: Any, statement: str, parameters: Any, *_: Any) -> None:
        begin = statement.lstrip()
        if begin.startswith("INSERT"):
            recording.rows.append((statement, parameters))
        elif not begin.startswith(("SELECT", "PRAGMA")):  # whether a table is there
            recording.definitions.append((statement, parameters))

    event.listen(connection, "before_cursor_execute", keep)
    try:
        make(connection)
    finally:
        event.remove(connection, "before_cursor_execute", keep)
    return recording


def replay(connection: Connection, statements: Statements) -> None:
    if connection.dialect.name == "postgresql":  # which takes all that have no values in one go
        script = ";".join(statement for statement, values in statements if not values)
        if script:
            connection.exec_driver_sql(script, execution_options={"no_parameters": True})
        statements = [(statement, values) for statement, values in statements if values]
    for statement, values in statements:
        connection.exec_driver_sql(statement, values or None)
