"""The tables of a library made from statements that were put together once.

Some two thousand tests make a library of their own. SQLAlchemy asks for each of its tables whether
it is there and composes its statement anew: a tenth of a second on PostgreSQL, more than most of
these tests take themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from sqlalchemy import Connection, event

from likewise.library import schema, store

Statements = list[tuple[str, Any]]


@contextmanager
def tables_from_statements() -> Iterator[None]:
    """While it lasts, the first library of a kind is made as ever and those after it by replay."""
    make_tables = store.make_tables  # type: ignore[attr-defined]
    # What the server adds is there only once it was imported.
    recordings: dict[tuple[str, int], Statements] = {}

    def replay_or_record(connection: Connection) -> None:
        kind = connection.dialect.name, len(schema.metadata.tables)
        if kind in recordings:
            replay(connection, recordings[kind])
        else:
            recordings[kind] = record(connection, make_tables)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store, "make_tables", replay_or_record)
        yield


def record(connection: Connection, make: Callable[[Connection], None]) -> Statements:
    statements: Statements = []

    def keep(_connection: Any, _cursor: Any, statement: str, parameters: Any, *_: Any) -> None:
        if not statement.lstrip().startswith(("SELECT", "PRAGMA")):  # whether a table is there
            statements.append((statement, parameters))

    event.listen(connection, "before_cursor_execute", keep)
    try:
        make(connection)
    finally:
        event.remove(connection, "before_cursor_execute", keep)
    return statements


def replay(connection: Connection, statements: Statements) -> None:
    if connection.dialect.name == "postgresql":  # which takes all that have no values in one go
        script = ";".join(statement for statement, values in statements if not values)
        connection.exec_driver_sql(script, execution_options={"no_parameters": True})
        statements = [(statement, values) for statement, values in statements if values]
    for statement, values in statements:
        connection.exec_driver_sql(statement, values or None)
