"""A library to a file and back, while others work with it.

A backup is a library itself, in one SQLite file whatever the engine: it can be opened, checked
against and verified where it lies. What is restored has an identity of its own, so that no index of
what was there before is taken for its own. Hosts settle what must not come back with it: see
`registry`.
"""

from __future__ import annotations

import os
import sqlite3
import uuid
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from datetime import timedelta
from itertools import count
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, delete, insert, select, update

from likewise.errors import words_of_system
from likewise.library import schema
from likewise.library.backup_notes import KEEP_DAYS, note_backup
from likewise.library.copying import (
    batches,
    copy_documents,
    copy_library,
    copy_rows,
    count_rows,
    final_tables,
    library_row,
    link_copies,
    make_missing,
    set_version,
)
from likewise.library.engine import (
    WAIT_SECONDS,
    WRITES,
    address_of,
    display_address,
    engine_at,
    make_private,
)
from likewise.library.erase import read_erasures, reapply_erasures, reapply_erasures_to_file
from likewise.library.errors import LibraryError, explain_engine_error, explain_errors
from likewise.library.library import Library
from likewise.library.original_transfer import take_in
from likewise.library.originals import note_orphans, object_addresses
from likewise.library.receipts import read_receipts
from likewise.library.registry import note_host_tables, registered_hosts
from likewise.library.store import Store
from likewise.library.versions import UNFINISHED, check_version, make_tables, version_of
from likewise.model import Message
from likewise.progress import Progress

_ORPHANS_STAY = timedelta(days=7)  # files in a store whose library was replaced
_PAGES = 2_000  # that are copied before somebody hears of it


def back_up(
    library: Library,
    path: str | Path,
    progress: Progress | None = None,
    *,
    keep_days: int = KEEP_DAYS,
) -> int:
    """Write a backup, whole or not at all; how many documents are in it.

    The library notes that it is kept for some days: receipts of erasures name it until then.
    """
    path = Path(path)
    if path.exists():
        raise LibraryError("library.file_exists", about=path)
    if not path.absolute().parent.is_dir():
        raise LibraryError("library.no_folder", about=path)
    aside = path.with_name(f".{path.name}.part")
    with _explained_file(path):
        if library._store.is_file:
            _forget(aside)
            try:
                _copy_pages(Path(library.name), aside, progress)
                _take_in_originals(aside)
            except BaseException:
                _forget(aside)
                raise
        else:
            copy_library(library, aside, progress)  # stopped, it goes on the next time
        documents = _in_one_file(aside)
        _bring_to_disk(aside)
        aside.replace(path)
    if not library.store.is_read_only:
        with library.store.beside() as connection:
            note_backup(connection, path.name, keep_days)
    return documents


def restore(backup: str | Path, place: str | Path, progress: Progress | None = None) -> int:
    """Put a backup in the place of a library; how many documents it brought.

    What was there is replaced in one transaction, so that others see the one or the other. A file
    too damaged for that is moved aside. All log ins end, and who was put out since stays out.
    """
    source = Store(backup, create=False, read_only=True)
    try:
        if not source.is_file:
            raise LibraryError("library.backup_no_file", about=source.name)
        url = address_of(place)
        if url.get_backend_name() == "sqlite":
            return _into_file(Path(source.name), Path(str(url.database)), progress)
        return _into_server(source, place, progress)
    finally:
        source.close()


@contextmanager
def read_both(
    backup: str | Path, place: str | Path
) -> Iterator[tuple[Connection, Connection | None]]:
    """A backup, and the library whose place it may take; for hosts to tell what that would do."""
    source = Store(backup, create=False, read_only=True)
    try:
        with source.reading() as connection, _read_present(place) as present:
            yield connection, present
    finally:
        source.close()


@contextmanager
def _read_present(place: str | Path) -> Iterator[Connection | None]:
    """The library in a place; None where there is nothing, or nothing readable."""
    url = address_of(place)
    if url.get_backend_name() == "sqlite":
        path = Path(str(url.database))
        if not path.exists() or not _can_be_replaced(path):
            yield None
            return
    engine = engine_at(url, read_only=True)
    try:
        with (
            explain_errors(display_address(url)),
            engine.connect() as connection,
            connection.begin(),
        ):
            yield connection
    finally:
        engine.dispose()


def _ask_hosts(present: Connection | None, backup: Connection) -> dict[str, Any]:
    """What hosts know of a library that is going to be replaced."""
    if present is None:
        return {}
    return {host.name: host.read_before_restore(present, backup) for host in registered_hosts()}


def _settle(connection: Connection, before: Mapping[str, Any]) -> None:
    for host in registered_hosts():
        host.settle_restore(connection, before.get(host.name))


def _settle_file(path: Path, place: Path) -> None:
    """Let hosts settle a copy that is going to take the place of a library."""
    engine = engine_at(address_of(path))
    try:
        with (
            engine.connect().execution_options(**{WRITES: True}) as connection,
            connection.begin(),
        ):
            with _read_present(place) as present:
                before = _ask_hosts(present, connection)
                orphans = _objects_in_place(present) if present is not None else []
            _settle(connection, before)
            note_orphans(connection, orphans, _ORPHANS_STAY)
    finally:
        engine.dispose()


def _take_in_originals(path: Path) -> None:
    """Let a backup hold the files that its library has in a store."""
    engine = engine_at(address_of(path))
    try:
        with (
            explain_errors(str(path)),
            engine.connect().execution_options(**{WRITES: True}) as connection,
            connection.begin(),
        ):
            take_in(connection)
    finally:
        engine.dispose()


def _objects_in_place(connection: Connection) -> list[tuple[str, str, str | None]]:
    """The files in stores that a library has which is going to be replaced."""
    return [(one.bucket, one.key, one.endpoint) for _, one in object_addresses(connection)]


def _into_file(backup: Path, path: Path, progress: Progress | None) -> int:
    if path.exists() and path.samefile(backup):
        raise LibraryError("library.backup_itself", about=path)
    if not path.absolute().parent.is_dir():
        raise LibraryError("library.no_folder_to_restore", about=path)
    is_there = path.exists() and _can_be_replaced(path)
    aside = path.with_name(f".{path.name}.restoring")
    with _explained_file(path):
        _forget(aside)
        try:
            _copy_pages(backup, aside, None)  # what stands in a journal beside it too
            reapply_erasures_to_file(aside, read_erasures(path))
            with closing(sqlite3.connect(aside)) as raw, raw:
                raw.execute("UPDATE library SET uid = ?", (uuid.uuid4().hex,))
            _settle_file(aside, path)
            documents = _in_one_file(aside)
            if is_there:
                _take_page_size(aside, path)
                _copy_pages(aside, path, progress)
            else:
                _bring_to_disk(aside)
                _move_damaged(path)
                aside.replace(path)
        finally:
            _forget(aside)
    return documents


def _take_page_size(path: Path, of: Path) -> None:
    """Give a file pages as long as those of another, which SQLite asks for to copy them there."""
    with (
        closing(sqlite3.connect(path, isolation_level=None)) as raw,
        closing(sqlite3.connect(of, timeout=WAIT_SECONDS)) as other,
    ):
        if (page_bytes := _page_bytes(other)) != _page_bytes(raw):
            raw.execute(f"PRAGMA page_size = {page_bytes}")
            raw.execute("VACUUM")


def _page_bytes(raw: sqlite3.Connection) -> int:
    return int(raw.execute("PRAGMA page_size").fetchone()[0])


def _can_be_replaced(path: Path) -> bool:
    """Whether a file is a library whose pages can be overwritten; not if it is damaged."""
    with closing(sqlite3.connect(path, timeout=WAIT_SECONDS)) as raw:
        try:
            names = {name for (name,) in raw.execute("SELECT name FROM sqlite_master")}
            lines = [line for (line,) in raw.execute("PRAGMA quick_check(1)")]
        except sqlite3.DatabaseError as error:
            if isinstance(error, sqlite3.OperationalError) and "malformed" not in str(error):
                words = Message.verbatim(str(error))
                raise LibraryError("library.database_error", about=path, words=words) from error
            return False
    if names and not names & {"likewise_version", "library"}:
        raise LibraryError("library.other_database", about=path)
    return lines == ["ok"]


def _move_damaged(path: Path) -> None:
    """Out of the way, and kept: something may be saved from it."""
    if path.exists():
        aside = next(
            name
            for number in count(1)
            if not Path(name := f"{path}.damaged{'' if number == 1 else f'-{number}'}").exists()
        )
        for ending in ("", "-wal", "-shm"):
            with suppress(FileNotFoundError):
                Path(f"{path}{ending}").replace(f"{aside}{ending}")


def _into_server(source: Store, place: str | Path, progress: Progress | None) -> int:
    url = address_of(place)
    name, engine = display_address(url), engine_at(url)
    try:
        with (
            source.reading() as backup,
            explain_errors(name),
            engine.connect().execution_options(**{WRITES: True}) as connection,
            connection.begin(),
        ):
            version = version_of(connection)
            if version is None:
                make_tables(connection)
            elif version != UNFINISHED:
                check_version(version, name)
            return _replace(backup, connection, progress)
    finally:
        engine.dispose()


def _replace(backup: Connection, connection: Connection, progress: Progress | None) -> int:
    """Everything out and everything in. The one row stays, since others wait for it to write."""
    row, before = schema.library, _ask_hosts(connection, backup)
    erased, orphans = read_receipts(connection), _objects_in_place(connection)
    connection.execute(update(row).values(changes=row.c.changes + 1))
    for table in (*reversed(final_tables(connection)), schema.documents, schema.stop_words):
        connection.execute(delete(table))
    numbers = _replace_recipes(backup, connection)
    copy_rows(backup, connection, schema.stop_words)
    values = library_row(backup)
    if count_rows(connection, row):
        connection.execute(update(row).values(values))
    else:
        connection.execute(insert(row).values(values))
    connection.execute(delete(schema.recipes).where(schema.recipes.c.id.not_in(numbers)))
    total, done = count_rows(backup, schema.documents), 0
    for first, final, number in batches(backup):
        copy_documents(backup, connection, first, final)
        done += number
        if progress:
            progress("restoring", done, total)
    link_copies(backup, connection)
    tables = final_tables(backup)
    make_missing(connection, tables)
    for table in tables:
        copy_rows(backup, connection, table)
    _settle(connection, before)
    note_orphans(connection, orphans, _ORPHANS_STAY)
    note_host_tables(connection)
    set_version(connection, schema.VERSION)
    return total - reapply_erasures(connection, erased)


def _replace_recipes(backup: Connection, connection: Connection) -> list[int]:
    """The recipes of the backup under their numbers; the one in use is changed where it stands."""
    recipe = schema.recipes
    there = set(connection.execute(select(recipe.c.id)).scalars())
    for number in there:
        connection.execute(
            update(recipe).where(recipe.c.id == number).values(recipe=f"before {number}")
        )
    rows = [dict(row._mapping) for row in backup.execute(select(recipe))]
    for values in rows:
        if values["id"] in there:
            connection.execute(update(recipe).where(recipe.c.id == values["id"]).values(values))
        else:
            connection.execute(insert(recipe).values(values))
    return [values["id"] for values in rows]


def _copy_pages(source: Path, target: Path, progress: Progress | None) -> None:
    """SQLite's own way: the pages of one moment, while others read and write."""

    def report(_status: int, remaining: int, total: int) -> None:
        if progress:
            progress("writing", (total - remaining) * page_bytes, total * page_bytes)

    make_private(target)
    with (
        closing(sqlite3.connect(source, timeout=WAIT_SECONDS, isolation_level=None)) as there,
        closing(sqlite3.connect(target, timeout=WAIT_SECONDS)) as here,
    ):
        page_bytes = _page_bytes(there)
        # A moment that is held is copied to the end; else every change would begin it anew.
        there.execute("BEGIN")
        there.execute("SELECT count(*) FROM sqlite_master").fetchone()
        there.backup(here, pages=_PAGES, progress=report, sleep=0.05)


def _in_one_file(path: Path) -> int:
    """Without a journal beside it, and sound; how many documents it holds."""
    with closing(sqlite3.connect(path, isolation_level=None)) as raw:
        raw.execute("PRAGMA journal_mode = delete").fetchone()
        outcome = raw.execute("PRAGMA integrity_check(1)").fetchone()[0]
        if outcome != "ok":
            raise LibraryError("library.copy_damaged", about=path, words=Message.verbatim(outcome))
        return int(raw.execute("SELECT count(*) FROM documents").fetchone()[0])


def _bring_to_disk(path: Path) -> None:
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def _forget(path: Path) -> None:
    for ending in ("", "-wal", "-shm", "-journal"):
        Path(f"{path}{ending}").unlink(missing_ok=True)


@contextmanager
def _explained_file(path: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise LibraryError(explain_engine_error(str(error)), about=path) from error
    except OSError as error:
        why = words_of_system(error)
        raise LibraryError("library.system_refuses", about=path, why=why) from error
