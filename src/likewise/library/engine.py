"""The way to a database: a path is SQLite, a URL what it says."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, NoSuchModuleError
from sqlalchemy.pool import ConnectionPoolEntry

from likewise.library.errors import LibraryError

WRITES = "likewise_writes"  # the option of a connection that is going to write
WAIT_SECONDS = 60  # for others who write


def address_of(place: str | Path) -> URL:
    """Where a library is.

    >>> address_of("campus.db").drivername
    'sqlite'
    >>> address_of("postgresql://campus/library").drivername
    'postgresql+psycopg'
    """
    written = str(place)
    if "://" not in written:
        return URL.create("sqlite", database=written)
    try:
        url = make_url(written)
    except (ArgumentError, ValueError) as error:
        raise LibraryError(f"{written}: this is no address of a database") from error
    if url.drivername in ("postgresql", "postgres"):
        url = url.set(drivername="postgresql+psycopg")
    if url.get_backend_name() not in ("sqlite", "postgresql"):
        kind = url.get_backend_name()
        raise LibraryError(f"a library is kept in SQLite or PostgreSQL, not in {kind}")
    return url


def engine_at(url: URL, read_only: bool = False) -> Engine:
    """An engine that waits for others who write and sees whole transactions only."""
    if url.get_backend_name() == "sqlite":
        return _sqlite(url, read_only)
    try:
        if read_only:
            options = f"{url.query.get('options', '')} -c default_transaction_read_only=on"
            url = url.update_query_dict({"options": options.strip()})
        return create_engine(url, connect_args={"connect_timeout": 15})
    except (ImportError, NoSuchModuleError) as error:
        raise LibraryError(
            "PostgreSQL needs the package psycopg: pip install 'likewise[postgres]'"
        ) from error


def _sqlite(url: URL, read_only: bool) -> Engine:
    engine = create_engine(url, connect_args={"timeout": WAIT_SECONDS})

    @event.listens_for(engine, "connect")
    def prepare(raw: Any, _entry: ConnectionPoolEntry) -> None:
        raw.isolation_level = None  # we begin transactions ourselves
        cursor = raw.cursor()
        if read_only:
            cursor.execute("PRAGMA query_only = on")
        else:
            cursor.execute("PRAGMA journal_mode = wal")  # who reads does not wait for who writes
        cursor.execute("PRAGMA synchronous = full")  # what is committed survives a power cut
        cursor.execute("PRAGMA foreign_keys = on")
        cursor.close()

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        writes = connection.get_execution_options().get(WRITES)
        # Whoever begins by reading and then writes could find that another was quicker.
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine
