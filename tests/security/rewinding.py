"""A database that goes back to how it was: every request finds the same campus."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager

from sqlalchemy import URL, Engine, create_engine, make_url, text


class _SqliteMemory:
    """A copy in memory, and back by SQLite's own copying of pages."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._copy = sqlite3.connect(":memory:")
        with closing(sqlite3.connect(path)) as live:
            live.backup(self._copy)

    def rewind(self) -> None:
        with closing(sqlite3.connect(self._path, timeout=30)) as live:
            self._copy.backup(live)

    def close(self) -> None:
        self._copy.close()


class _PostgresMemory:
    """A copy of every table in a schema of its own, and triggers that note what has changed."""

    def __init__(self, url: URL) -> None:
        self._engine: Engine = create_engine(url, pool_size=1)
        with self._engine.begin() as connection:
            own = connection.execute(text("SELECT current_schema()")).scalar_one()
            self._copies = f'"{own}_copies"'
            names = connection.execute(
                text("SELECT tablename FROM pg_tables WHERE schemaname = current_schema()")
            )
            connection.exec_driver_sql(f"""
                CREATE SCHEMA {self._copies};
                CREATE TABLE {self._copies}.changed (name text);
                CREATE FUNCTION {self._copies}.note() RETURNS trigger LANGUAGE plpgsql AS
                $$ BEGIN INSERT INTO {self._copies}.changed VALUES (TG_TABLE_NAME);
                RETURN NULL; END $$
            """)
            for name in names.scalars().all():
                connection.exec_driver_sql(f"""
                    CREATE TABLE {self._copies}."{name}" AS TABLE "{name}";
                    CREATE TRIGGER noted AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "{name}"
                    FOR EACH STATEMENT EXECUTE FUNCTION {self._copies}.note()
                """)

    def rewind(self) -> None:
        with self._engine.begin() as connection:
            changed = connection.exec_driver_sql(f"DELETE FROM {self._copies}.changed RETURNING *")
            names = sorted(set(changed.scalars()))
            # Without triggers, and so without foreign keys: the order does not matter.
            connection.exec_driver_sql("SET LOCAL session_replication_role = replica")
            for name in names:
                connection.exec_driver_sql(f"""
                    DELETE FROM "{name}";
                    INSERT INTO "{name}" SELECT * FROM {self._copies}."{name}"
                """)

    def close(self) -> None:
        with self._engine.begin() as connection:
            connection.exec_driver_sql(f"DROP SCHEMA {self._copies} CASCADE")
        self._engine.dispose()


@contextmanager
def remembered(place: str) -> Iterator[_SqliteMemory | _PostgresMemory]:
    """The database at a place as it is now, for as often as it is wanted back."""
    is_url = "://" in place
    memory = _PostgresMemory(make_url(place)) if is_url else _SqliteMemory(place)
    try:
        yield memory
    finally:
        memory.close()
