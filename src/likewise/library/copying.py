"""A library to another place, whole and unchanged, between SQLite and PostgreSQL both ways.

The copy is of one moment, whatever is written meanwhile. It is made a batch of documents at a time,
so that a copy that was stopped goes on; until all of it is there and was compared, nobody can open
it. It has the same numbers, and an identity of its own: from now on the two grow apart.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

from sqlalchemy import (
    Column,
    Connection,
    Integer,
    MetaData,
    Table,
    bindparam,
    delete,
    func,
    insert,
    select,
    text,
    update,
)

from likewise.library import schema
from likewise.library.engine import WRITES, address_of, display_address, engine_at, make_private
from likewise.library.errors import LibraryError, explain_errors
from likewise.library.library import Library
from likewise.library.originals import (
    file_of,
    object_addresses,
    original_bytes,
)
from likewise.library.registry import (
    note_host_tables,
    noted_tables,
    present_tables,
    registered_hosts,
)
from likewise.library.sketch_rows import share_rows, split_row
from likewise.library.store import State
from likewise.library.versions import UNFINISHED, VERSION_TABLE, make_tables, version_of
from likewise.progress import Progress

# Everything that belongs to single documents goes with them; what belongs to all goes beside.
OF_DOCUMENTS = (
    *(schema.document_references, schema.document_tables, schema.originals, schema.sketches),
    *(schema.tags, schema.texts, schema.concept_blocks),
)
BESIDE = (schema.recipes, schema.stop_words)

_MARK = "likewise.copying"  # from which library, at which change
_MOST_DOCUMENTS = 500  # in one transaction
_MOST_BYTES = 16_000_000
_ROWS = 1_000


@dataclass(frozen=True, slots=True)
class Copied:
    """How many documents a copy has, and how many of them an earlier run had brought."""

    documents: int
    before: int = 0


def copy_library(library: Library, place: str | Path, progress: Progress | None = None) -> Copied:
    """Copy a library into an empty place, or go on with a copy that was stopped."""
    store = library._store
    target = _Target(place)
    try:
        with store.reading() as source:
            state = store.state(source)
            before = target.begin(source, state)
            total = count_rows(source, schema.documents)
            done, last = before
            if progress:
                progress("copying", done, total)
            for first, final, number in batches(source, last):
                target.take(source, last, first, final)
                last, done = final, done + number
                if progress:
                    progress("copying", done, total)
            target.finish(source, state, progress)
        return Copied(total, before[0])
    finally:
        target.close()


class _Target:
    """The place that is copied to."""

    def __init__(self, place: str | Path) -> None:
        url = address_of(place)
        is_file = url.get_backend_name() == "sqlite"
        self.name = display_address(url)
        if is_file and not Path(self.name).absolute().parent.is_dir():
            raise LibraryError("library.no_folder_to_make", about=self.name)
        if is_file:
            make_private(Path(self.name))
        self._engine = engine_at(url)

    def close(self) -> None:
        self._engine.dispose()

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        with (
            explain_errors(self.name),
            self._engine.connect().execution_options(**{WRITES: True}) as connection,
            connection.begin(),
        ):
            yield connection

    def begin(self, source: Connection, state: State) -> tuple[int, int]:
        """How many documents are there already, and the number of the last."""
        mark = json.dumps({"uid": state.uid, "changes": state.changes})
        with self.writing() as connection:
            try:
                version = version_of(connection)
            except LibraryError as error:
                raise LibraryError(error.message, about=self.name) from error
            keys = schema.key_values.c
            if version is None:
                make_tables(connection)
            elif version != UNFINISHED:
                raise LibraryError("library.place_taken", about=self.name)
            else:
                earlier_mark = connection.execute(
                    select(keys.value).where(keys.key == _MARK)
                ).scalar()
                if earlier_mark == mark:
                    return count_rows(connection, schema.documents), _last(connection)
                # Of another library, or of another state of this one: from the beginning.
                for table in reversed([*present_tables(connection), *unknown_tables(connection)]):
                    connection.execute(delete(table))
            set_version(connection, UNFINISHED)
            for table in BESIDE:
                copy_rows(source, connection, table)
            connection.execute(insert(schema.key_values).values(key=_MARK, value=mark))
        return 0, 0

    def take(self, source: Connection, last: int, first: int, final: int) -> None:
        """One batch, all or nothing."""
        with self.writing() as connection:
            if _last(connection) != last:
                raise LibraryError("library.copied_by_another", about=self.name)
            copy_documents(source, connection, first, final)

    def finish(self, source: Connection, state: State, progress: Progress | None) -> None:
        """What belongs to no document, then compare everything, then let others in."""
        with self.writing() as connection:
            link_copies(source, connection)
            connection.execute(delete(schema.key_values))  # the mark, and notes on tables
            final = final_tables(source)
            make_missing(connection, final)
            for table in final:
                copy_rows(source, connection, table)
            connection.execute(insert(schema.library).values(**library_row(source)))
            tables = [*BESIDE, schema.documents, *OF_DOCUMENTS, *final]
            elsewhere = {number for number, _ in object_addresses(source)}
            for table in tables:
                if progress:
                    progress(f"comparing ({table.name})", 0, 0)
                if checksum(source, table, elsewhere) != checksum(connection, table, elsewhere):
                    raise LibraryError("library.copy_differs", about=self.name, table=table.name)
            note_host_tables(connection)
            set_version(connection, schema.VERSION)


def final_tables(connection: Connection) -> list[Table]:
    """What is copied behind the documents: the tables of hosts too, registered here or not."""
    present = set(present_tables(connection))
    of_hosts = [table for host in registered_hosts() for table in host.tables if table in present]
    return [
        *(schema.removals, schema.key_values, *of_hosts),
        *(schema.erasures, *unknown_tables(connection)),
    ]


def make_missing(connection: Connection, tables: Sequence[Table]) -> None:
    """Make those tables that a library lacks, because it is older than a host or never had it."""
    for table in tables:
        table.create(connection, checkfirst=True)


def unknown_tables(connection: Connection) -> list[Table]:
    """Tables of hosts that are not installed here, as the database describes them."""
    names = noted_tables(connection)
    if not names:
        return []
    reflected = MetaData()
    reflected.reflect(connection, only=lambda name, _: name in names)
    for table in reflected.tables.values():
        for column in table.c:
            # The other engine has other types, and numbers rows in another way.
            generic = column.type.as_generic()
            column.type = schema.Number if isinstance(generic, Integer) else generic
            column.server_default = None
    return [table for table in reflected.sorted_tables if table.name in names]


def library_row(source: Connection) -> dict[str, Any]:
    """The one row about all, for a library that goes its own way from here."""
    row = dict(source.execute(select(schema.library)).one()._mapping)
    # An index of what was in this place before must not be taken over.
    return row | {"uid": uuid.uuid4().hex}


def copy_documents(source: Connection, target: Connection, first: int, final: int) -> None:
    """The rows of all documents from one number to another; `link_copies` when all are there."""
    copy_rows(source, target, schema.documents, schema.documents.c.id, first, final)
    for table in OF_DOCUMENTS:
        copy_rows(source, target, table, table.c.document_id, first, final)


def link_copies(source: Connection, target: Connection) -> None:
    """Say of which document others are copies, where that one has the higher number."""
    document = schema.documents.c
    query = select(document.id, document.copy_of).where(document.copy_of > document.id)
    for rows in source.execute(query.execution_options(yield_per=_ROWS)).partitions():
        target.execute(
            update(schema.documents)
            .where(document.id == bindparam("number"))
            .values(copy_of=bindparam("first")),
            [{"number": number, "first": first} for number, first in rows],
        )


def copy_rows(
    source: Connection,
    target: Connection,
    table: Table,
    number: Column[Any] | None = None,
    first: int = 0,
    final: int = 0,
) -> None:
    """Rows as they are, all or those in a range."""
    query = select(table)
    if number is not None:
        # The first of a text stands before its copies, or is not there yet.
        query = query.where(number.between(first, final)).order_by(number)
    for rows in source.execute(query.execution_options(yield_per=_ROWS)).partitions():
        values = [dict(row._mapping) for row in rows]
        if table is schema.documents:
            for row in values:
                row["copy_of"] = None if (row["copy_of"] or 0) > row["id"] else row["copy_of"]
        if table is schema.sketches:
            values = share_rows(values, target.dialect.name)
        if table is schema.originals:
            values = [row | {"packed": file_of(row["packed"])} for row in values]
        target.execute(insert(table), values)


def batches(source: Connection, last: int = 0) -> Iterator[tuple[int, int, int]]:
    """First and last numbers of documents that are copied together, and how many they are."""
    document, packed, original = schema.documents.c, schema.texts.c, schema.originals.c
    length = func.coalesce(func.length(packed.packed), 0) + func.coalesce(original_bytes(), 0)
    joined = schema.documents.outerjoin(schema.texts, packed.document_id == document.id).outerjoin(
        schema.originals, original.document_id == document.id
    )
    while True:
        rows = source.execute(
            select(document.id, length)
            .select_from(joined)
            .where(document.id > last)
            .order_by(document.id)
            .limit(_MOST_DOCUMENTS)
        ).all()
        if not rows:
            return
        number, size = 0, 0
        while number < len(rows) and (not number or size + rows[number][1] <= _MOST_BYTES):
            size += rows[number][1]
            number += 1
        last = rows[number - 1][0]
        yield rows[0][0], last, number


def checksum(
    connection: Connection, table: Table, elsewhere: Collection[int] = frozenset()
) -> tuple[int, int]:
    """The rows of a table, counted and hashed in any order: engines sort letters differently.

    Of originals that the source has `elsewhere` the documents alone are compared: their files were
    when they were fetched.
    """
    count = total = 0
    for row in connection.execute(select(table).execution_options(yield_per=_ROWS)):
        if table is schema.originals and row.document_id in elsewhere:
            rows: Sequence[Any] = [(row.document_id,)]
        else:
            rows = _sketches_of(row) if table is schema.sketches else [row]
        for values in rows:
            hashed = blake2b(digest_size=16)
            for value in values:
                is_binary = isinstance(value, bytes | memoryview)
                data = bytes(value) if is_binary else str(value).encode()
                kind = b"none" if value is None else type(value).__name__.encode()
                hashed.update(b"%s %d:" % (kind, len(data)) + data)
            total = (total + int.from_bytes(hashed.digest(), "big")) % (1 << 128)
            count += 1
    return count, total


def _sketches_of(row: Any) -> list[tuple[Any, ...]]:
    """What a row says of each document: the other engine may have them in rows of their own."""
    try:
        parts = split_row(row.document_id, row.others, row.hashes)
    except LibraryError:
        return [tuple(row)]
    return [(number, row.recipe_id, row.change, data) for number, data in parts]


def count_rows(connection: Connection, table: Table) -> int:
    return int(connection.execute(select(func.count()).select_from(table)).scalar_one())


def set_version(connection: Connection, version: str) -> None:
    connection.execute(
        text(f"UPDATE {VERSION_TABLE} SET version_num = :version"),  # noqa: S608 - names are ours
        {"version": version},
    )


def _last(connection: Connection) -> int:
    last = connection.execute(select(func.max(schema.documents.c.id))).scalar()
    return int(last) if last is not None else 0
