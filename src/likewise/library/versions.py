"""Making a library, knowing its version, and bringing an old one up to date."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, Engine, inspect, text
from sqlalchemy.exc import OperationalError

from likewise.library.errors import LibraryError
from likewise.library.filters import SEARCH_INDEX, add_search_index
from likewise.library.registry import all_tables, note_host_tables
from likewise.library.schema import ENGINE_INDEXES, VERSION, metadata

if TYPE_CHECKING:
    from alembic.config import Config

VERSION_TABLE = "likewise_version"
_LOCK_SECONDS = 0.7  # for all locks of a migration together
_PAUSE_SECONDS = 0.3  # in which requests go on, before it tries again
_MOST_WAIT_SECONDS = 600.0
_GIVES_WAY = ("55P03", "40P01")  # a lock was not to be had; a deadlock
UNFINISHED = "unfinished copy"  # the version of a library that is being copied


def version_of(connection: Connection) -> str | None:
    """The version of the schema in a database, None where there is no library."""
    names = inspect(connection).get_table_names()
    if VERSION_TABLE in names:
        version = connection.execute(text(f"SELECT version_num FROM {VERSION_TABLE}")).scalar()  # noqa: S608 - names are ours
        return str(version) if version is not None else None
    if names and connection.dialect.name == "sqlite":
        raise LibraryError("library.other_database")
    return None


def stored_version(connection: Connection) -> str | None:
    """The version of a library that is open already, in one query."""
    statement = f"SELECT version_num FROM {VERSION_TABLE}"  # noqa: S608 - names are ours
    version = connection.execute(text(statement)).scalar()
    return None if version is None else str(version)


def is_usable(version: str | None) -> bool:
    """Whether a program that has opened a library can go on with it.

    Migrations add to the tables and take nothing away that an open program uses (docs/running.md),
    so a newer version is no reason to stop; an older one was put in its place.
    """
    return version is not None and version.isdigit() and int(version) >= int(VERSION)


def make_tables(connection: Connection) -> None:
    """The newest schema in an empty database, as all migrations together would make it."""
    metadata.create_all(connection, all_tables())
    note_host_tables(connection)
    add_search_index(connection)
    connection.execute(
        text(
            f"CREATE TABLE {VERSION_TABLE} (version_num VARCHAR(32) NOT NULL, "
            f"CONSTRAINT {VERSION_TABLE}_pkc PRIMARY KEY (version_num))"
        )
    )
    connection.execute(
        text(f"INSERT INTO {VERSION_TABLE} (version_num) VALUES (:version)"),  # noqa: S608 - names are ours
        {"version": VERSION},
    )


def check_version(version: str, place: str) -> None:
    """Refuse a library that is too new, or has to be brought up to date first."""
    if version == VERSION:
        return
    if version == UNFINISHED:
        raise LibraryError("library.copy_unfinished", about=place)
    if not version.isdigit() or int(version) > int(VERSION):
        raise LibraryError("library.too_new", about=place, version=version, known=VERSION)
    raise LibraryError("library.too_old", about=place, version=version)


def upgrade_tables(engine: Engine, to: str = "head") -> None:
    """Run the migrations that a library has not seen, all or none."""
    from alembic.runtime.environment import EnvironmentContext
    from alembic.script import ScriptDirectory

    config = _config()
    scripts = ScriptDirectory.from_config(config)

    def steps(revision: Any, _context: Any) -> Any:
        return scripts._upgrade_revs(to, revision)

    with (
        _without_foreign_keys(engine) as connection,
        _alone(connection),
        EnvironmentContext(config, scripts, fn=steps) as environment,
    ):
        environment.configure(
            connection=connection,
            target_metadata=metadata,
            version_table=VERSION_TABLE,
            render_as_batch=True,  # SQLite changes a table by making it anew
        )
        environment.run_migrations()
        if connection.dialect.name == "sqlite" and (
            torn := connection.exec_driver_sql("PRAGMA foreign_key_check").first()
        ):
            raise LibraryError("library.rows_of_nothing", table=str(torn[0]))


@contextmanager
def _alone(connection: Connection) -> Iterator[None]:
    """A transaction in which nobody else reads or writes a table, begun while servers go on.

    On PostgreSQL all locks are taken before anything is changed, and within less time than the
    server lets pass before it looks for a deadlock (`deadlock_timeout`, a second). So it is always
    the migration that gives way to a request and tries again, never a request that fails for it.
    """
    if connection.dialect.name == "sqlite":
        with connection.begin():
            yield
        return
    until = time.monotonic() + _MOST_WAIT_SECONDS
    while True:
        transaction = connection.begin()
        try:
            _lock_tables(connection)
        except OperationalError as error:
            transaction.rollback()
            is_late = time.monotonic() > until
            if getattr(error.orig, "sqlstate", None) not in _GIVES_WAY or is_late:
                raise
            time.sleep(_PAUSE_SECONDS)
            continue
        with transaction:
            yield
        return


def _lock_tables(connection: Connection) -> None:
    until = time.monotonic() + _LOCK_SECONDS
    present = set(inspect(connection).get_table_names())
    for table in sorted(present & {VERSION_TABLE, *(one.name for one in all_tables())}):
        left = max(1, round(1000 * (until - time.monotonic())))
        connection.execute(text(f"SET LOCAL lock_timeout = {left}"))
        connection.execute(text(f'LOCK TABLE "{table}" IN ACCESS EXCLUSIVE MODE'))
    connection.execute(text("SET LOCAL lock_timeout = 0"))


@contextmanager
def _without_foreign_keys(engine: Engine) -> Iterator[Connection]:
    """A connection for migrations.

    SQLite changes a table by dropping it, which would take along every row that belongs to it.
    """
    from likewise.library.engine import WRITES

    with engine.connect().execution_options(**{WRITES: True}) as connection:
        if connection.dialect.name == "sqlite":
            raw: Any = connection.connection.driver_connection
            raw.execute("PRAGMA foreign_keys = off")  # not to be changed inside a transaction
        yield connection


def differences(connection: Connection) -> list[Any]:
    """Where the tables of a database are not as `schema` says; what `alembic check` tells."""
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext

    def is_of_schema(_thing: Any, name: str | None, *_more: Any) -> bool:
        engine = connection.dialect.name
        return name != SEARCH_INDEX and ENGINE_INDEXES.get(name or "", engine) == engine

    options = {
        "version_table": VERSION_TABLE,
        "compare_type": True,
        "include_object": is_of_schema,
    }
    all_tables()
    changes: list[Any] = compare_metadata(
        MigrationContext.configure(connection, opts=options), metadata
    )
    return changes


def _config() -> Config:
    from alembic.config import Config

    config = Config()
    folder = Path(__file__).parent / "migrations"
    config.set_main_option("script_location", str(folder).replace("%", "%%"))
    return config
