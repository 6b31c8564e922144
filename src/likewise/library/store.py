"""The database of a library: transactions that read, and transactions that write."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import Connection, event, func, insert, inspect, select, text, update

from likewise.library import schema
from likewise.library.engine import (
    WRITES,
    address_of,
    close_for_good,
    display_address,
    engine_at,
    make_private,
)
from likewise.library.errors import LibraryError, explain_errors
from likewise.library.recipes import (
    Recipe,
    add_recipe,
    check_settings,
    fill_stop_words,
    read_recipe,
)
from likewise.library.versions import check_version, make_tables, upgrade_tables, version_of
from likewise.settings import Settings

_MAKING = 0x11BE  # the lock under which a library is made on PostgreSQL
_FEW = 1_000  # documents, below which no plan is a bad one
_STATE = select(
    schema.library.c.uid,
    schema.library.c.made_on,
    schema.library.c.changes,
    schema.library.c.last_document,
    schema.library.c.recipe_id,
    schema.library.c.next_recipe_id,
)


@dataclass(frozen=True, slots=True)
class State:
    """The row that says how far a library has come."""

    uid: str
    made_on: datetime
    changes: int
    last_document: int
    recipe_id: int
    next_recipe_id: int | None

    @property
    def key(self) -> tuple[str, int, int]:
        """What an index and its answers are of."""
        return self.uid, self.changes, self.recipe_id


def now() -> datetime:
    """This moment as it is stored: in UTC, without saying so."""
    return datetime.now(UTC).replace(tzinfo=None)


class Store:
    """The open database of a library."""

    def __init__(
        self,
        place: str | Path,
        *,
        settings: Settings | None = None,
        create: bool = True,
        read_only: bool = False,
    ) -> None:
        url = address_of(place)
        self.is_read_only = read_only
        self.is_file = url.get_backend_name() == "sqlite"
        self.name = display_address(url)
        # Tells libraries apart wherever one stands: two folders may each hold a campus.db.
        self.address = str(Path(self.name).resolve()) if self.is_file else self.name
        if self.is_file and not Path(self.name).exists():
            if read_only or not create:
                raise LibraryError("library.no_library", about=self.name)
            if not Path(self.name).absolute().parent.is_dir():
                raise LibraryError("library.no_folder_to_make", about=self.name)
            make_private(Path(self.name))
        self._engine = engine_at(url, read_only)
        self._reader = self._engine
        self._autocommitting = self._engine.execution_options(isolation_level="AUTOCOMMIT")
        if not self.is_file:  # else each statement would see another moment
            self._reader = self._engine.execution_options(isolation_level="REPEATABLE READ")
        try:
            self._open(settings, create and not read_only)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Connections that a thread still has in hand are closed as they are given back."""
        event.listen(self._engine, "checkin", close_for_good)
        self._engine.dispose()

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """One moment of the library, whatever others write meanwhile."""
        with explain_errors(self.name), self._reader.connect() as connection, connection.begin():
            yield connection

    @contextmanager
    def autocommitting(self) -> Iterator[Connection]:
        """A connection each statement of which sees a moment of its own.

        A server is spared what begins and ends a transaction, each a message and its answer.
        """
        with explain_errors(self.name), self._autocommitting.connect() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[tuple[Connection, int]]:
        """All or nothing, and one after the other; with the number of the change."""
        with (
            explain_errors(self.name),
            self._engine.connect().execution_options(**{WRITES: True}) as connection,
            connection.begin(),
        ):
            row = schema.library.c
            connection.execute(update(schema.library).values(changes=row.changes + 1))
            change = connection.execute(select(row.changes)).scalar()
            if change is None:
                raise LibraryError("library.state_missing", about=self.name)
            yield connection, int(change)

    @contextmanager
    def beside(self) -> Iterator[Connection]:
        """All or nothing, for what no index must hear of; waits for nobody who adds documents.

        On SQLite, where one writes at a time, it does wait.
        """
        with (
            explain_errors(self.name),
            self._engine.connect().execution_options(**{WRITES: True}) as connection,
            connection.begin(),
        ):
            yield connection

    def take_stock(self) -> None:
        """Let SQLite see how its tables are filled, once they have doubled.

        Else it sorts a whole library for one page of a list. PostgreSQL looks by itself.
        """
        if not self.is_file:
            return
        with self.reading() as connection:
            documents = int(
                connection.execute(select(func.count()).select_from(schema.documents)).scalar_one()
            )
            analysed_documents = 0
            if inspect(connection).has_table("sqlite_stat1"):
                statement = "SELECT stat FROM sqlite_stat1 WHERE tbl = 'documents'"
                analysed_documents = max(
                    (int(row.split()[0]) for row in connection.execute(text(statement)).scalars()),
                    default=0,
                )
        if documents >= _FEW and documents >= 2 * analysed_documents:
            with self.beside() as connection:
                connection.execute(text("ANALYZE documents"))
                # Most documents are no copies. Taken for a value, the nothing that they share makes
                # the index of copies look useless, and every check would read all documents.
                statement = "DELETE FROM sqlite_stat1 WHERE idx = 'ix_documents_copy_of'"
                connection.execute(text(statement))
            self._engine.dispose()  # connections that are open have their old picture

    @contextmanager
    def outside_transactions(self) -> Iterator[Connection]:
        """A connection for what an engine does in no transaction, such as a vacuum."""
        with explain_errors(self.name), self._engine.connect() as connection:
            yield connection.execution_options(isolation_level="AUTOCOMMIT")

    def changes(self) -> int:
        """How many changes there are now, whatever other transactions see."""
        with self.reading() as connection:
            return self.state(connection).changes

    def state(self, connection: Connection) -> State:
        row = connection.execute(_STATE).first()
        if row is None:
            raise LibraryError("library.state_missing", about=self.name)
        return State(*row)

    def recipe(self, connection: Connection, number: int) -> Recipe:
        try:
            return read_recipe(connection, number)
        except LibraryError as error:
            raise LibraryError(error.message, about=self.name) from error

    def _open(self, settings: Settings | None, create: bool) -> None:
        with self.reading() as connection:
            version = self._version(connection)
        if version is None:
            if not create:
                raise LibraryError("library.no_library", about=self.name)
            self._make(settings or Settings())
            return
        check_version(version, self.name)
        if settings is not None:
            self._ensure_same_settings(settings)

    def _version(self, connection: Connection) -> str | None:
        try:
            return version_of(connection)
        except LibraryError as error:
            raise LibraryError(error.message, about=self.name) from error

    def _ensure_same_settings(self, settings: Settings) -> None:
        """Settings are given once, when a library is made."""
        with self.reading() as connection:
            own = self.recipe(connection, self.state(connection).recipe_id).settings
        if settings.recipe() != own.recipe():
            raise LibraryError("library.other_settings", about=self.name)

    def _make(self, settings: Settings) -> None:
        check_settings(settings)
        with (
            explain_errors(self.name),
            self._engine.connect().execution_options(**{WRITES: True}) as connection,
            connection.begin(),
        ):
            if not self.is_file:  # two may begin at the same moment
                connection.execute(text(f"SELECT pg_advisory_xact_lock({_MAKING})"))
            if version_of(connection) is not None:
                return  # another was quicker
            make_tables(connection)
            settings = fill_stop_words(connection, settings)
            recipe = add_recipe(connection, settings)
            connection.execute(
                insert(schema.library).values(
                    id=1,
                    uid=uuid.uuid4().hex,
                    made_on=now(),
                    changes=0,
                    last_document=0,
                    recipe_id=recipe.id,
                )
            )


def upgrade(place: str | Path) -> None:
    """Bring a library of an older version up to date; an empty place gets the tables alone."""
    version = version_at(place)
    url = address_of(place)
    if version is not None and not (version.isdigit() and int(version) < int(schema.VERSION)):
        check_version(version, display_address(url))
    engine = engine_at(url)
    try:
        with explain_errors(display_address(url)):
            upgrade_tables(engine)
    finally:
        engine.dispose()


def version_at(place: str | Path) -> str | None:
    """The version of the library in a place, None where there is none."""
    url = address_of(place)
    engine = engine_at(url)
    try:
        with explain_errors(display_address(url)), engine.connect() as connection:
            return version_of(connection)
    finally:
        engine.dispose()
