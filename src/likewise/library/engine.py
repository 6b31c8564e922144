"""The way to a database: a path is SQLite, a URL what it says."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, NoSuchModuleError
from sqlalchemy.pool import ConnectionPoolEntry

from likewise.library.errors import LibraryError

WRITES = "likewise_writes"  # the option of a connection that is going to write
WAIT_SECONDS = 60  # for others who write
# Fingerprints of a document take most of a page of SQLite's usual 4096 bytes, or a little more than
# half of it: the rest would stay empty.
_PAGE_BYTES = 16_384
_PICTURE_SECONDS = 600  # how long a connection keeps its picture of how tables are filled


# What may be shown of the settings in an address; everything else could be a secret.
_HARMLESS = ("application_name", "host", "options", "port", "service", "sslmode")
_DRIVERS = {
    "sqlite": "sqlite",
    "sqlite+pysqlite": "sqlite",
    "postgres": "postgresql+psycopg",
    "postgresql": "postgresql+psycopg",
    "postgresql+psycopg": "postgresql+psycopg",
}
_LIKE_AN_ADDRESS = re.compile(
    r"postgres(ql)?(\+\w+)?:|.*password\s*=|(?![A-Za-z]:[\\/])[^:\n]*+:.*@", re.I
)


def address_of(place: str | Path) -> URL:
    """Where a library is.

    >>> address_of("campus.db").drivername
    'sqlite'
    >>> address_of("postgresql://campus/library").drivername
    'postgresql+psycopg'
    """
    written = str(place)
    if "://" not in written:
        return _file(written)
    try:
        url = make_url(written)
    except (ArgumentError, ValueError):
        raise LibraryError("library.no_address") from None  # what was written may hold a password
    kind, _, driver = url.drivername.partition("+")
    if kind not in ("sqlite", "postgresql", "postgres"):
        raise LibraryError("library.other_engine", kind=kind)
    if url.drivername not in _DRIVERS:
        raise LibraryError("library.other_driver", kind=kind, driver=driver)
    if kind == "sqlite":
        if url.query:
            raise LibraryError("library.sqlite_settings")
        return _file(url.database or "")
    if "@" in f"{url.host}{url.database}":  # else half a password would be taken for a host
        raise LibraryError("library.no_address")
    return url.set(drivername=_DRIVERS[url.drivername])


def _file(path: str) -> URL:
    if not path.strip() or path == ":memory:":
        raise LibraryError("library.needs_a_file")
    if "\0" in path:
        raise LibraryError("library.zero_character")
    if _LIKE_AN_ADDRESS.match(path) and not Path(path).exists():
        raise LibraryError("library.no_address")
    if path.startswith("~"):
        try:
            path = str(Path(path).expanduser())
        except RuntimeError:
            raise LibraryError("library.no_home", about=path) from None
    return URL.create("sqlite", database=path)


def display_address(url: URL) -> str:
    """A place for people to read: a path, or an address without any secret.

    >>> display_address(address_of("postgresql://me:secret@campus/library?password=more&sslmode=require"))
    'postgresql://me@campus/library?sslmode=require'
    """
    if url.get_backend_name() == "sqlite":
        return str(url.database)
    harmless = {name: value for name, value in url.query.items() if name in _HARMLESS}
    bare = URL.create(
        "postgresql",
        username=url.username,
        host=url.host,
        port=url.port,
        database=url.database,
        query=harmless,
    )
    return bare.render_as_string()


def engine_at(url: URL, read_only: bool = False) -> Engine:
    """An engine that waits for others who write and sees whole transactions only."""
    if url.get_backend_name() == "sqlite":
        return _sqlite(url, read_only)
    try:
        if read_only:
            options = f"{url.query.get('options', '')} -c default_transaction_read_only=on"
            url = url.update_query_dict({"options": options.strip()})
        # As many as a server's threads use: making one anew takes longer than most answers.
        return create_engine(url, connect_args={"connect_timeout": 15}, pool_size=20)
    except (ImportError, NoSuchModuleError) as error:
        raise LibraryError("library.needs_psycopg") from error


def close_for_good(raw: Any, entry: ConnectionPoolEntry) -> None:
    """For connections that come back to a pool which nobody uses any more."""
    if raw is not None:
        entry.invalidate()


def make_private(path: Path) -> None:
    """An empty file that its owner alone may read: a library holds texts, and a server's keys.

    Where that cannot be, SQLite says why.
    """
    with suppress(OSError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))


def _sqlite(url: URL, read_only: bool) -> Engine:
    engine = create_engine(
        url, connect_args={"timeout": WAIT_SECONDS}, pool_recycle=_PICTURE_SECONDS
    )

    @event.listens_for(engine, "connect")
    def prepare(raw: Any, _entry: ConnectionPoolEntry) -> None:
        raw.isolation_level = None  # we begin transactions ourselves
        cursor = raw.cursor()
        if read_only:
            cursor.execute("PRAGMA query_only = on")
        else:
            cursor.execute(f"PRAGMA page_size = {_PAGE_BYTES}")  # of a file that is made
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
