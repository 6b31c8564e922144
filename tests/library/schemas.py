"""Schemas of a PostgreSQL server for tests: tables that are made once serve one test after another.

To make the tables of a library and to drop them costs the server a sixth of a second, half the time
of most tests that have a library there; to empty those that were written to costs a thousandth. A
schema that has other tables, columns, rules or rights in the end than in the beginning is dropped,
and so is one that grew.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain, count
from typing import Any, NamedTuple

import psycopg
from sqlalchemy import URL, Connection

Kind = tuple[str, int]  # of tables: the engine's name and how many they are
MOST_BYTES = 16 * 1024**2  # of a schema that is used again
# Whatever a test can change of a schema but rows.
FINGERPRINT = """
WITH relation AS (SELECT * FROM pg_class WHERE relnamespace = current_schema()::regnamespace)
SELECT md5(string_agg(part, ' ' ORDER BY part)) FROM (
    SELECT concat_ws(':', oid, nspowner, nspacl) FROM pg_namespace
        WHERE nspname = current_schema()
    UNION ALL SELECT concat_ws(':', oid, relname, relowner, relacl, reloptions) FROM relation
    UNION ALL SELECT concat_ws(':', attrelid, attnum, xmin) FROM pg_attribute
        WHERE attrelid IN (SELECT oid FROM relation)
    UNION ALL SELECT concat_ws(':', indexrelid, indisvalid) FROM pg_index
        WHERE indrelid IN (SELECT oid FROM relation)
    UNION ALL SELECT concat_ws(':', oid, xmin) FROM pg_trigger
        WHERE tgrelid IN (SELECT oid FROM relation)
    UNION ALL SELECT concat_ws(':', oid, xmin) FROM pg_constraint
        WHERE connamespace = current_schema()::regnamespace
    UNION ALL SELECT concat_ws(':', oid, xmin) FROM pg_proc
        WHERE pronamespace = current_schema()::regnamespace
) AS parts (part)
"""
WRITTEN_TABLES = """
SELECT format('%I.%I', relnamespace::regnamespace, relname), pg_total_relation_size(oid)
FROM pg_class
WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' AND pg_relation_size(oid) > 0
"""
RESTARTED_SEQUENCES = """
SELECT setval(seqrelid::regclass, seqstart, false) FROM pg_sequence JOIN pg_class ON oid = seqrelid
WHERE relnamespace = current_schema()::regnamespace
"""


class Tables(NamedTuple):
    kind: Kind
    fingerprint: str


class SchemaPool:
    """Makes schemas on a server; their tables stay ready for those who ask for the same again."""

    def __init__(self, server: URL) -> None:
        self._server = server
        self._connection = self._connect()
        self._numbers = count(1)
        self._tables: dict[str, Tables] = {}  # that were made in a schema and not dropped yet
        self._spare: defaultdict[Kind, list[str]] = defaultdict(list)

    def _connect(self) -> psycopg.Connection:
        connection = psycopg.connect(
            host=self._server.host,
            port=self._server.port,
            user=self._server.username,
            password=self._server.password,
            dbname=self._server.database,
            autocommit=True,
        )
        row = connection.execute("SELECT current_setting('is_superuser') = 'on'").fetchone()
        self._may_empty = bool(row and row[0])
        if (
            self._may_empty
        ):  # foreign keys would ask for an order, and for tables that were not used
            connection.execute("SET session_replication_role = replica")
        return connection

    def __enter__(self) -> SchemaPool:
        return self

    def __exit__(self, *_error: object) -> None:
        for name in chain.from_iterable(self._spare.values()):
            self._drop(name)
        self._connection.close()

    @contextmanager
    def schema(self) -> Iterator[URL]:
        """The way to a schema in which there is nothing; gone in the end."""
        name = f"{_own_names()}{next(self._numbers)}"
        self._run(f'CREATE SCHEMA "{name}"')
        yield self._server.update_query_dict({"options": f"-csearch_path={name}"})
        tables = self._tables.pop(name, None)
        if tables is None or not (self._may_empty and self._empty(name, tables)):
            self._drop(name)
            return
        spare = f"{name}_spare"
        self._run(f'ALTER SCHEMA "{name}" RENAME TO "{spare}"')
        self._spare[tables.kind].append(spare)
        self._tables[spare] = tables

    def fill(self, connection: Connection, kind: Kind) -> bool:
        """Put tables of a kind into this connection's schema, if there are any ready for it."""
        name = self._own_schema(connection)
        if name is None or not self._spare[kind] or self._has_relations(name):
            return False
        spare = self._spare[kind].pop()
        connection.exec_driver_sql(f'DROP SCHEMA "{name}"')
        connection.exec_driver_sql(f'ALTER SCHEMA "{spare}" RENAME TO "{name}"')
        self._tables[name] = self._tables.pop(spare)
        return True

    def keep(self, connection: Connection, kind: Kind) -> None:
        """The tables that were just made in this connection's schema may serve others after it."""
        name = self._own_schema(connection)
        if name is not None:
            fingerprint = str(connection.exec_driver_sql(FINGERPRINT).scalar())
            self._tables[name] = Tables(kind, fingerprint)

    def _own_schema(self, connection: Connection) -> str | None:
        """The schema of a connection, if it is one of ours."""
        name, database = connection.exec_driver_sql(
            "SELECT current_schema(), current_database()"
        ).one()
        is_own = database == self._server.database and (name or "").startswith(_own_names())
        return str(name) if is_own else None

    def _has_relations(self, name: str) -> bool:
        statement = "SELECT count(*) FROM pg_class WHERE relnamespace = %s::regnamespace"
        return self._scalar(statement, f'"{name}"') > 0

    def _empty(self, name: str, tables: Tables) -> bool:
        """Whether the schema has its tables again as they were made."""
        run = self._run
        run(f'SET search_path = "{name}"')
        try:
            if self._scalar(FINGERPRINT) != tables.fingerprint:
                return False
            sizes = dict(run(WRITTEN_TABLES).fetchall())
            if sum(sizes.values()) > MOST_BYTES:
                return False
            for table in sizes:
                run(f"DELETE FROM {table}")
            run(f"VACUUM {', '.join(sizes)}")
            run(RESTARTED_SEQUENCES)
        finally:
            run("RESET search_path")
        return True

    def _run(self, statement: str, *values: str) -> psycopg.Cursor[Any]:
        try:
            return self._connection.execute(statement, values or None)
        except psycopg.OperationalError:
            if not self._connection.closed:
                raise
            self._connection = self._connect()  # a test has ended all connections
            return self._connection.execute(statement, values or None)

    def _scalar(self, statement: str, *values: str) -> Any:
        row = self._run(statement, *values).fetchone()
        return row[0] if row else None

    def _drop(self, name: str) -> None:
        self._run(f'DROP SCHEMA "{name}" CASCADE')


def _own_names() -> str:
    """How the names of our schemas begin; those of a process that was forked are not ours."""
    return f"likewise_{os.getpid()}_"
