"""Hosts: programs that keep tables of their own in a library, and what a library asks of them.

Their rows stand in the library's database, so that one backup, one copy and one upgrade take
everything along. A library makes, copies, compares and vacuums such tables as it does its own.
Where it matters what a row means, in a revision of the schema, an erasure or a restore, it asks the
host.

A host defines its tables in `schema.metadata`, overrides of `HostTables` what its rows need, and
calls `register` in a module that an installed package names as an entry point of `likewise.tables`.
Such modules are imported before the first question about all tables, whoever opened the library: a
backup made from Python has the same rows as one that the host makes itself.
Beside their tables, those who build on a library may keep texts under keys in it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any, ClassVar

from sqlalchemy import Connection, ForeignKeyConstraint, Table, delete, inspect, select

from likewise.library import schema
from likewise.library.conflicts import insert_or_update
from likewise.library.erasure import HandedIn, Receipt, Target, Transactions
from likewise.progress import Progress

ENTRY_POINTS = "likewise.tables"
# The host that comes with Likewise. Named, and no entry point: a source tree that was not installed
# has none, and a library must not be made or copied without its accounts.
_BUILT_IN = "likewise.server.database.host"
_NOTE = "likewise.tables "  # the key under which a library notes the tables of a host

Counts = Mapping[str, int]
# Takes down what a transaction did, inside it.
Record = Callable[[Connection, Counts], None]


class HostTables:
    """The tables of a host. What is asked about rows has an answer for hosts without such rows."""

    name: ClassVar[str]
    tables: ClassVar[tuple[Table, ...]] = ()  # each behind those it refers to
    # Columns of the library that hold ids of this host's rows, and whose; None where a row is gone.
    references: ClassVar[Mapping[str, str]] = {}
    # The schema of a host that is part of the library's own changes with its revisions, in
    # `migrate`, and stands in every library. Another host sees to its tables itself, and each
    # library that has them notes so.
    is_part_of_schema: ClassVar[bool] = False

    def migrate(self, revision: str) -> None:
        """Change the tables as a revision of the library's schema asks, with alembic's `op`."""

    def has_collection(self, connection: Connection, collection: str) -> bool:
        """Whether people made a collection: it may be private, and numbers its documents itself."""
        return False

    # Erasures. An account is whatever people log in by, if the host has such a thing.

    # Catalogue keys that name what is counted, and what was not reached, in receipts.
    count_keys: ClassVar[Mapping[str, str]] = {}
    unreached_keys: ClassVar[Mapping[str, str]] = {}
    # What stays of a kind that is counted, without names, and why.
    staying_keys: ClassVar[Mapping[str, str]] = {}

    def ensure_erasable(self, connection: Connection, account: str, by: str | None) -> None:
        """Refuse to erase an account; `by` is the id of who asks."""

    def find_accounts(self, connection: Connection, receipts: Sequence[Receipt]) -> list[str]:
        """Accounts that were erased earlier and have come back."""
        return []

    def find_documents(self, connection: Connection, account: str) -> list[int]:
        """Documents that go with an account, besides those that it owns."""
        return []

    def find_people(self, connection: Connection, is_meant: Callable[[str], bool]) -> set[str]:
        """How rows spell people who are meant and have no account."""
        return set()

    def find_handed_in(
        self, connection: Connection, accounts: Sequence[str], people: Collection[str]
    ) -> HandedIn:
        """What accounts and people have handed in, besides documents of the library."""
        return HandedIn()

    def learn_hashes(self, store: Transactions, target: Target) -> frozenset[str]:
        """Hashes of documents that are gone from the library, where rows still know them."""
        return frozenset()

    def count_rows(
        self, connection: Connection, target: Target, accounts: Sequence[str]
    ) -> dict[str, int]:
        """How many rows `erase_rows` would erase or change, of each kind."""
        return {}

    def erase_rows(
        self,
        connection: Connection,
        target: Target,
        accounts: Sequence[str],
        *,
        receipt_id: str | None = None,
        heir: str | None = None,
        task: str | None = None,
    ) -> dict[str, int]:
        """Erase from rows in the transaction that erases documents; how many of each kind.

        `heir` gets what accounts shared with others. `task` is what the host itself calls the work
        that erases, if it is the host's; from now on `receipt_id` says what is meant.
        """
        return {}

    def erase_results(
        self,
        store: Transactions,
        target: Target,
        progress: Progress | None = None,
        *,
        dry_run: bool = False,
        record: Record | None = None,
    ) -> tuple[dict[str, int], dict[str, int]]:
        """Erase from what takes long to read, in transactions of its own.

        How many of each kind, and what was not reached. With `dry_run` nothing is changed; `record`
        is called in each transaction with what it did.
        """
        return {}, {}

    def wait_for_tasks(
        self, store: Transactions, own: str | None, progress: Progress, most_seconds: float
    ) -> tuple[bool, dict[str, int]]:
        """Let tasks end that may have read what was erased; if there were any, and what still runs.

        `own` is the one that erases.
        """
        return False, {}

    def count_unreached(self, connection: Connection) -> dict[str, int]:
        """What may hold erased documents and cannot be looked into."""
        return {}

    # Restores: a backup is of another day.

    def read_before_restore(self, connection: Connection, backup: Connection) -> Any:
        """What of the library in the place has to hold on after it was replaced."""
        return None

    def settle_restore(self, connection: Connection, before: Any) -> None:
        """Bring restored rows in line with what `read_before_restore` gave; None: nothing was."""


_hosts: dict[str, HostTables] = {}


def register(host: HostTables) -> None:
    """Make the tables of a host part of every library that is made, copied or restored here."""
    if host.name in _hosts:
        return
    for column, referred in host.references.items():
        table, name = column.split(".")
        schema.metadata.tables[table].append_constraint(_reference(name, referred))
    _hosts[host.name] = host


def registered_hosts() -> tuple[HostTables, ...]:
    """All hosts that are installed here."""
    _load_hosts()
    return tuple(_hosts.values())


@cache
def _load_hosts() -> None:
    import_module(_BUILT_IN)
    for entry in entry_points(group=ENTRY_POINTS):
        entry.load()


def references_of(table: str) -> list[ForeignKeyConstraint]:
    """What hosts add to a table of the library, for the revision of the schema that makes it."""
    return [
        _reference(name, referred, f"fk_{table}_{name}")
        for host in registered_hosts()
        if host.is_part_of_schema
        for column, referred in host.references.items()
        for owner, name in [column.split(".")]
        if owner == table
    ]


def _reference(column: str, referred: str, name: str | None = None) -> ForeignKeyConstraint:
    return ForeignKeyConstraint([column], [referred], name=name, ondelete="SET NULL")


def all_tables() -> list[Table]:
    """The tables of the library and of all hosts, each behind those it refers to."""
    registered_hosts()
    return schema.metadata.sorted_tables


def present_tables(connection: Connection) -> list[Table]:
    """Those of them that a library has: it may have been made before a host was there."""
    names = set(inspect(connection).get_table_names())
    return [table for table in all_tables() if table.name in names]


# Hosts that are not part of the library's schema


def make_host_tables(connection: Connection, host: HostTables) -> None:
    """Make what a library lacks of the tables of a host, in a transaction that writes."""
    schema.metadata.create_all(connection, host.tables)
    _note(connection, host)


def note_host_tables(connection: Connection) -> None:
    """Write into a library which hosts have tables in it."""
    present = set(present_tables(connection))
    for host in registered_hosts():
        if present.issuperset(host.tables):
            _note(connection, host)


def _note(connection: Connection, host: HostTables) -> None:
    """So that a copy takes the tables along where the host is not installed."""
    if not host.is_part_of_schema:
        names = json.dumps([table.name for table in host.tables])
        write_value(connection, f"{_NOTE}{host.name}", names)


def noted_tables(connection: Connection) -> list[str]:
    """Tables of hosts that a library notes and that are not installed here."""
    column = schema.key_values.c
    query = select(column.key, column.value).where(column.key.startswith(_NOTE))
    registered = {f"{_NOTE}{host.name}" for host in registered_hosts()}
    return [
        name
        for key, names in connection.execute(query).all()
        if key not in registered
        for name in json.loads(names)
    ]


def read_value(connection: Connection, key: str) -> str | None:
    """What was kept under a key."""
    column = schema.key_values.c
    value: str | None = connection.execute(
        select(column.value).where(column.key == key)
    ).scalar_one_or_none()
    return value


def write_value(connection: Connection, key: str, value: str | None) -> None:
    """Keep a text under a key, or nothing."""
    table = schema.key_values
    if value is None:
        connection.execute(delete(table).where(table.c.key == key))
    else:
        insert_or_update(connection, table, {"key": key, "value": value}, key="key")
